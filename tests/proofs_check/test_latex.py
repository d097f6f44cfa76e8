"""The story of a claim in LaTeX: complete, escaped, and accepted by TeX."""

import re
import shutil
import subprocess

import pytest
from commands import run

import proofs_check
from proofs_check.latex import appendix, escaped
from proofs_check.story import HEADINGS, story
from proofs_check.typesetting import latex
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula

IDS = ["lemma-4/five-s", "counterexample-3/traditional-regret"]


@pytest.fixture(scope="module")
def results():
    return proofs_check.verify(IDS)


def test_every_section_of_the_story_has_its_heading(results):
    text = appendix(results)
    headings = re.findall(r"\\paragraph\{(.+?)\.\}", text)
    assert headings == [HEADINGS[section.name] for result in results for section in story(result)]
    assert text.count(r"\section*") == len(IDS)


def test_every_formula_of_every_claim_can_be_typeset_with_balanced_braces():
    formulas = [one.formula(name) for one in proofs_check.claims() for name in one.texts]
    assert len(formulas) > 200
    for formula in formulas:
        text = latex(formula)
        assert text.count("{") == text.count("}")
        assert text.count("(") == text.count(")")
        assert text.count(r"\left(") == text.count(r"\right)")


def test_words_cannot_be_read_as_commands():
    assert escaped("a\\b{c}_d^e$f%g#h&i~j<k>l|m").count("\\") == 13
    assert appendix([]).endswith("\\end{document}\n")


def test_a_formula_keeps_its_order_and_its_brackets():
    assert latex(Formula("a - (b - c)")) == "a - (b - c)"
    assert latex(Formula("(a / b) ** 2")) == r"\left(\frac{a}{b}\right)^{2}"
    assert latex(Formula("2 * 3 * -x")) == r"2 \cdot 3 \cdot (-x)"
    assert latex(Formula("not (p and q) or implies(p, q)")) == r"\neg (p \wedge q) \vee (p \Rightarrow q)"
    assert latex(Formula("-(m - 1)")) == "-(m - 1)"
    assert latex(Formula("m - (-x) + -2 * y")) == "m - (-x) + (-2\\,y)"
    assert latex(Formula("1 if a == b else floor(x)")).startswith(r"\begin{cases} 1 & \text{if } a = b")
    with pytest.raises(InvalidInput, match="cannot be typeset"):
        _ = latex(Formula("[1, 2]"))


def test_the_command_writes_the_file_with_the_steps_of_the_claim(tmp_path):
    out = tmp_path / "five.tex"
    done = run("verify", "lemma-4/five-s", "--latex", out)
    assert done.exit_code == 0
    assert "lemma-4/" in out.read_text(encoding="utf-8")
    assert "1 claim" in done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="TeX is not installed")
def test_tex_accepts_the_story_of_every_claim(tmp_path):
    (tmp_path / "all.tex").write_text(appendix(proofs_check.verify(workers=2)), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout[-2000:]
