"""The notebooks run from top to bottom in this interpreter, say what they promise, and store no outputs."""

import json
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FIRST, *LATER = NOTEBOOKS  # `make docs` runs all of them


@pytest.fixture(scope="session")
def kernel_of_this_interpreter(tmp_path_factory):
    """A folder with a kernel `python3` that is the interpreter of the tests, whatever else is installed."""
    from jupyter_client.kernelspec import KernelSpecManager

    kernel = tmp_path_factory.mktemp("kernels") / "python3"
    kernel.mkdir()
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(
        json.dumps({"argv": command, "display_name": "Python 3", "language": "python"}), encoding="utf-8"
    )
    return KernelSpecManager(kernel_dirs=[str(kernel.parent)], ensure_native_kernel=False)


@pytest.fixture(scope="session")
def run(kernel_of_this_interpreter, tmp_path_factory):
    """Execute a notebook once, in an empty folder, and hand back its executed copy."""
    from jupyter_client.manager import AsyncKernelManager

    done = {}

    def executed(path):
        if path not in done:
            notebook = nbformat.read(path, as_version=4)
            manager = AsyncKernelManager(
                kernel_name="python3", kernel_spec_manager=kernel_of_this_interpreter
            )
            folder = str(tmp_path_factory.mktemp("notebook"))
            client = nbclient.NotebookClient(
                notebook, km=manager, timeout=300, resources={"metadata": {"path": folder}}
            )
            done[path] = client.execute()
        return done[path]

    return executed


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def printed(notebook):
    """Everything that the notebook wrote to standard output."""
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    return "".join(output.text for output in outputs if output.get("name") == "stdout")


def test_the_kernel_is_the_interpreter_of_the_tests(run, tmp_path):
    path = tmp_path / "where.ipynb"
    cell = nbformat.v4.new_code_cell("import sys\nprint(sys.executable)")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    assert printed(run(path)).strip() == sys.executable


def test_there_are_notebooks():
    assert FOLDER / "01-first-steps.ipynb" in NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_stored_notebook_is_valid_and_has_no_outputs(path):
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert notebook.nbformat == 4
    assert notebook.metadata.kernelspec.name == "python3"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell in code_cells(notebook):
        assert cell.outputs == []
        assert cell.execution_count is None


@pytest.mark.parametrize(
    "path",
    [FIRST, *(pytest.param(path, marks=pytest.mark.thorough) for path in LATER)],
    ids=lambda path: path.stem,
)
def test_the_notebook_runs_without_an_error_or_a_warning(path, run):
    notebook = run(path)
    assert all(cell.execution_count is not None for cell in code_cells(notebook))
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert outputs
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]


def test_first_steps_finds_the_optimum_and_the_best_single_run_word(run):
    said = printed(run(FOLDER / "01-first-steps.ipynb"))
    assert "lambda* = 59/4000" in said
    assert "costs 49/3000 per step" in said
    assert "which is less by 19/12000" in said


def test_first_steps_plans_a_long_horizon_and_a_prescribed_period(run):
    said = printed(run(FOLDER / "01-first-steps.ipynb"))
    assert "249,999,999,999,999 x " in said
    assert "total loss 7375000000000017/500" in said
    assert "costs 157/10000 per step" in said


def test_first_steps_shows_certificates_accepted_and_tampered_ones_refused(run):
    lines = printed(run(FOLDER / "01-first-steps.ipynb")).splitlines()
    verdicts = [line.split(":")[0] for line in lines if line.startswith(("accepted:", "refused:"))]
    assert verdicts == ["accepted", "accepted", "refused", "refused"]


def test_first_steps_draws_its_graph(run):
    cells = code_cells(run(FOLDER / "01-first-steps.ipynb"))
    pictures = [
        output.data for cell in cells for output in cell.outputs if output.output_type == "execute_result"
    ]
    assert [picture.get("image/png", "")[:8] for picture in pictures] == ["iVBORw0K"]


def pictures_of(notebook):
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    return [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]


@pytest.mark.thorough
def test_lemma_3_tells_the_sharp_bound_and_where_it_is_attained(run):
    notebook = run(FOLDER / "02-lemma-3.ipynb")
    lines = printed(notebook).splitlines()
    assert "true:   gap <= (m - 1) * sqrt(T)" in lines
    assert [line.split()[2] for line in lines if "attains" in line] == ["2", "5", "8", "11"]
    assert "T = 999,996,000,004: gap = 1,999,996 = (m - 1) * 999,998" in lines
    assert "m = 4: gap = -3" in lines
    assert "h = (0, 1/2; 1, 1/2): 1/2" in lines
    assert len(pictures_of(notebook)) == 1


@pytest.mark.thorough
def test_proposition_1_shows_the_failing_line_the_worst_table_and_the_exact_regret(run):
    notebook = run(FOLDER / "03-proposition-1.ipynb")
    lines = printed(notebook).splitlines()
    assert "  verdict   refuted" in lines
    assert "T = 12 ...: 6 7 8 9 10 11 11 11 11 11 11 11 11 11 11 11 11" in lines
    largest = [line for line in lines if line.startswith("largest regret")]
    assert largest == ["largest regret 11 for h = [[1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1]]"]
    assert "K = 2, m = 3, T = 1 .. 7: 0 0 1/2 1 3/2 3/2 3/2" in lines
    assert len(pictures_of(notebook)) == 1


@pytest.mark.thorough
def test_se_tb_stays_below_its_guarantee_at_a_size_where_the_theorem_is_nontrivial(run):
    said = printed(run(FOLDER / "04-se-tb.ipynb"))
    assert "13 epochs, 17175675136 steps, every answer exact: True" in said
    assert "promise kept in every epoch: True" in said
    assert "SE-TB stays below its guarantee: True" in said
    share = next(line for line in said.splitlines() if line.startswith(" 13 "))
    assert 0 < float(share.split()[2]) < 1
    assert "most of cell (0, 1): 10^65528" in said


@pytest.mark.thorough
def test_the_gap_tells_where_the_bounds_begin_and_what_a_game_does(run):
    notebook = run(FOLDER / "05-the-gap.ipynb")
    lines = printed(notebook).splitlines()
    assert "T = 603: the bound of optimism is below T: False" in lines
    assert "T = 604: the bound of optimism is below T: True" in lines
    assert "Theorem 1 is below T from T = 17,175,675,136 on" in lines
    assert any(line.endswith("the rotated word is never above it: True") for line in lines)
    assert any(line.endswith("the same game as the learner's: True") for line in lines)
    assert {"never above the truth: True", "within the bound at all times: True"} <= set(lines)
    assert "refuted    theorem-2/congested" in lines
    assert "examined again: optimism/rotation proved" in lines
    assert len(pictures_of(notebook)) == 5
