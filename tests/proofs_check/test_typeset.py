"""No formula is left in Python's syntax where a theorist reads it: on the site, in LaTeX, in the report."""

import html
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_check.latex import appendix
from proofs_check.page.contents import Constants, Contents
from proofs_check.page.writing import page
from proofs_check.worst_case import constant, question

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from building import claims

PYTHON = re.compile(r" \* |\*\*|==|!=|[<>]=|\b(?:sqrt|log2|implies|between)\(")


def site(results):
    """The pages of all claims and their index, without mathematics and code."""
    text = "\n".join([*(claims.page(one, results) for one in results.values()), claims.index(results)])
    return re.sub(r"```.*?```|\$\$.*?\$\$|\$.*?\$|`.*?`", "", text, flags=re.S).replace("\\", "")


def in_latex(results):
    """The appendix about all claims, without mathematics and code."""
    text = appendix([*results.values()])
    return re.sub(r"\$.*?\$|\\texttt\{(?:\\[{}]|[^{}]|\{\})*\}", "", text, flags=re.S)


def report(results):
    """The texts of a report about all claims and a best constant, without mathematics and code."""
    asked = question("lemma-3", 2, 2, period=3)
    table = Constants("lemma-3", "the largest gap", (asked,), "tallyplan", rows=(constant(asked),))
    contents = replace(Contents((), (table,), ()), results=tuple(results.values()))
    text = page(contents, command="tallyplan report")
    return html.unescape(re.sub(r"<(math|code|script|style)\b.*?</\1>|<[^>]*>", "", text, flags=re.S))


@pytest.mark.parametrize("told", [site, in_latex, report])
def test_every_formula_is_typeset(results, told):
    text = told(results)
    left = {text[max(0, one.start() - 40) : one.end() + 40] for one in PYTHON.finditer(text)}
    assert not left
    assert len(text) > 10**5
