"""Wrong statements (`planted.toml`), planted one at a time in copies of the formal files, do not compile."""

import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check.formal import recorded
from proofs_check.formal import theorems as formal
from tallyplan.errors import InternalError

TABLE = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))
PLANTED = [
    pytest.param(
        file, right, wrong, id=f"{file} {meaning}", marks=[pytest.mark.thorough] if when != "quick" else []
    )
    for file, rows in TABLE.items()
    for right, wrong, when, meaning in rows
]
OTHER_ERRORS = ("Syntax error", "Cannot find a physical path", "not found in the current environment")


def coqc(text, name, tmp_path, compiled):
    """What the compiler says of a file with this text, next to the compiled true ones."""
    copy = tmp_path / f"{name}.v"
    copy.write_text(text)
    command = ["coqc", "-q", "-R", str(compiled), "TallyPlan", str(copy)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(("name", "right", "wrong"), PLANTED)
def test_a_wrong_statement_does_not_compile(name, right, wrong, tmp_path, compiled):
    text = (recorded.FOLDER / f"{name}.v").read_text()
    assert text.count(right) >= 1, "the table names a line that is no longer there"
    done = coqc(text.replace(right, wrong), name, tmp_path, compiled)
    assert done.returncode != 0
    assert "Error" in done.stderr
    assert not any(words in done.stderr for words in OTHER_ERRORS)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("Closed", "((m + 1%Z)%Z * L)%Z", "((m - 2%Z)%Z * L)%Z"),
        ("Closed", "(m <= (L + 1%Z)%Z)%Z ->", ""),
        ("Closed", "(K >= m)%Z ->", ""),
        ("ClosedEvents", "<= 1200 * INR (K * m)", "<= 12 * INR (K * m)"),
        ("ClosedEvents", "1 / 2 <= kappa ->", ""),
        ("ClosedEvents", "(delta / INR S)", "(delta / INR (2 * S))"),
        ("ClosedEvents", "T = 4%nat", "T = 0%nat"),
        ("ClosedEvents", "8 * 2 ^ s", "7 * 2 ^ s"),
    ],
)
def test_a_claim_that_says_something_else_is_not_closed(name, right, wrong, tmp_path, compiled):
    text = (compiled / "Stated.v").read_text()
    assert right in text
    for path in compiled.glob("*.vo"):
        if path.stem not in ("Stated", "Closed", "ClosedEvents"):
            (tmp_path / path.name).symlink_to(path)
    assert coqc(text.replace(right, wrong), "Stated", tmp_path, tmp_path).returncode == 0
    done = coqc((recorded.FOLDER / f"{name}.v").read_text(), name, tmp_path, tmp_path)
    assert done.returncode != 0
    assert not any(words in done.stderr for words in OTHER_ERRORS)


def test_a_theorem_about_something_else_closes_nothing(compiled):
    [theorem] = [one for one in recorded.closing() if one.name == "theorem_1_domain"]
    with pytest.raises(InternalError, match="coqc refuses"):
        formal.axioms_of([replace(theorem, name="theorem_1_sharpened")], compiled)


@pytest.mark.parametrize(
    "name", ["Jumps", "Lemma8", *(pytest.param(name, marks=pytest.mark.thorough) for name in TABLE)]
)
def test_the_right_statement_compiles(name, tmp_path, compiled):
    assert coqc((recorded.FOLDER / f"{name}.v").read_text(), name, tmp_path, compiled).returncode == 0


def test_an_axiom_is_noticed(tmp_path, compiled, monkeypatch):
    text = "Axiom wrong : False.\nLemma so : 1 = 2.\nProof. destruct wrong. Qed.\n"
    assert coqc(text, "Planted", tmp_path, tmp_path).returncode == 0
    planted = recorded.Theorem(None, "part", "Planted.v", "so", "a lemma that rests on an axiom")
    monkeypatch.setattr(formal, "theorems", lambda: (planted,))
    monkeypatch.setattr(formal, "closing", list)
    assert formal.axioms_of([planted], tmp_path) == ("Planted.wrong",)


def test_every_theorem_rests_on_its_axioms_alone(compiled):
    """Closed under the global context, unless the headline lists the axioms."""
    for allowed in {one.axioms for one in recorded.theorems()}:
        chosen = [one for one in recorded.theorems() if one.axioms == allowed]
        assert set(formal.axioms_of(chosen, compiled)) <= set(allowed)
