"""A claim in a file of one's own is examined like ours: the example of CONTRIBUTING.md."""

import re
from pathlib import Path

import pytest
from commands import run

from proofs_check import claims
from proofs_check.claim import _REGISTRY

BLOCKS = re.findall(r"```python\n(.*?)```", Path("CONTRIBUTING.md").read_text("utf-8"), re.DOTALL)
[EXAMPLE] = [block for block in BLOCKS if "@claim" in block]


@pytest.fixture(autouse=True)
def registry_as_it_was():
    before = {one.id: one for one in claims()}
    yield
    _REGISTRY.clear()
    _REGISTRY.update(before)


def verified(tmp_path, text, status=0, options=()):
    path = tmp_path / "my_file.py"
    path.write_text(text, encoding="utf-8")
    done = run("verify", path, *options)
    assert done.exit_code == status
    return done.stdout


def test_its_explanation_names_the_file_to_repeat_it(tmp_path):
    told = verified(tmp_path, EXAMPLE, options=["--explain"])
    assert f"tallyplan verify {tmp_path / 'my_file.py'} --json" in told
    assert "For all integers m, t, x and all tables h of real numbers: if m >= 1 and t >= 1, then" in told


CHANGES = [
    ("", "", "proved"),  # the example as it is
    ("min(t, m)", "min(t, m) + 1", "refuted"),  # false
    ("p = request.proof()", "exit(0)", "undecided"),
    ('"t": 3, "x": 1', '"t": 0, "x": 1', "undecided"),  # the model is outside the domain
    ('"step": "t >= 1"', '"pigeons": "1 < m < x < 3"', "undecided"),  # there is no case
]


@pytest.mark.parametrize(("old", "new", "verdict"), CHANGES)
def test_a_change_is_noticed(tmp_path, old, new, verdict):
    status = 1 if "exit" in new else 0
    assert re.search(rf"constant-play +{verdict}", verified(tmp_path, EXAMPLE.replace(old, new), status))


BOX = """
from proofs_check.stating import claim

@claim("in-a-box", statement="{stated}.", where="here", formulas={"stated": %r}, domain={"size": "T >= 2"})
def in_a_box(request):
    \"\"\"Evaluate small cases.\"\"\"
    return request.conclude(None, box={"T": range(%d)})
"""


@pytest.mark.parametrize(
    ("stated", "cases", "status", "verdict"),
    [
        ("sqrt(T) >= 1", 4, 0, "checked"),
        ("sqrt(T) >= 1", 2, 0, "undecided"),  # no case is in the domain
        ("sqrt(T) * sqrt(T) == T", 4, 1, "undecided"),  # balls decide no equation
    ],
)
def test_checked_is_what_was_evaluated(tmp_path, stated, cases, status, verdict):
    assert re.search(rf"in-a-box +{verdict}", verified(tmp_path, BOX % (stated, cases), status))


@pytest.mark.parametrize("text", ["1 / 0", "x = 1", "exit(0)", "import nothing_of_that_name"])
def test_a_file_that_states_nothing_is_refused_in_a_sentence(tmp_path, text):
    (tmp_path / "my_file.py").write_text(text, encoding="utf-8")
    done = run("verify", tmp_path / "my_file.py")
    assert done.exit_code == 2
    assert re.search(r"cannot be read|states no claim", done.stderr)
