"""The notebooks run from top to bottom, say what they promise, and store no outputs."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
PROMISED = {  # how many pictures a notebook shows, and its conclusions
    "01-first-steps": (1, "lambda* = 59/4000", "249,999,999,999,999 x ", "accepted: ", "refused: "),
    "02-lemma-3": (
        1,
        "true:   gap <= (m - 1) * sqrt(T)\n",
        "T = 999,996,000,004: gap = 1,999,996 = (m - 1) * 999,998\n",
    ),
    "03-proposition-1": (
        1,
        "  verdict   refuted (false)",
        "largest regret 11 for h = [(1, 1, 1, 1, 1, 0), (1, 1, 1, 1, 1, 1)]\n",
    ),
    "04-se-tb": (None, "promise kept in every epoch: True", "SE-TB stays below its guarantee: True"),
    "05-the-gap": (
        5,
        "T = 604: the bound of optimism is below T: True\n",
        "within the bound at all times: True\n",
        "examined again: optimism/rotation proved\n",
    ),
}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_stored_notebook_is_valid_and_has_no_outputs(name):
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert not [cell for cell in notebook.cells if cell.get("outputs") or cell.get("execution_count")]


@pytest.mark.parametrize(
    "name",  # `make docs` runs all of them
    [NOTEBOOKS[0], *(pytest.param(name, marks=pytest.mark.thorough) for name in NOTEBOOKS[1:])],
)
def test_the_notebook_runs_without_a_warning_and_says_what_it_promises(name, tmp_path):
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [
        output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"
    ]
    printed = "".join(output.text for output in outputs if output.get("name") == "stdout")
    pictures, *promised = PROMISED.get(name, (None,))
    assert [words for words in promised if str(words) not in printed] == []
    shown = [output for output in outputs if "image/png" in output.get("data", {})]
    assert pictures in (None, len(shown))
