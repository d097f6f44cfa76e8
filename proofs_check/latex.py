r"""The story of claims in LaTeX, as an appendix of a paper: `tallyplan verify CLAIM --latex appendix.tex`.

The file compiles as it stands, and what lies between `\begin{document}` and `\end{document}` can be put into
another document that has amsmath and amssymb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from proofs_check.examining import Result
from proofs_check.formal.theorems import Recheck
from proofs_check.steps import Step
from proofs_check.story import HEADINGS, NOT_NOW, Command, Fragment, Line, Name, Section, story
from proofs_check.typesetting import latex
from tallyplan import __version__
from tallyplan.formula import Formula

PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\setlength{\parindent}{0pt}
\sloppy
\begin{document}
"""
SPECIAL = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def appendix(
    results: Sequence[Result], again: Recheck = NOT_NOW, recorded: Mapping[str, str] | None = None
) -> str:
    """A LaTeX document with a section per claim.

    >>> from proofs_check import verify
    >>> text = appendix(verify(["lemma-4/five-s"]))
    >>> print(*[line for line in text.splitlines() if "Lemma 4" in line])
    Lemma 4, proof (eqn:help4): In units of Km sqrt(T), $4 + (r - 1) \\le 5\\,r$.

    See Also
    --------
    proofs_check.story.story : what is told.
    """
    stories = ["\n".join(_claim(result, again, recorded or {})) for result in results]
    made = f"% Written by tallyplan {__version__}: tallyplan verify --latex\n"
    return f"{made}{PREAMBLE}{chr(10).join(stories)}\n\\end{{document}}\n"


def escaped(text: str) -> str:
    r"""Words for LaTeX.

    >>> escaped("h_x(y) <= 50%")
    'h\\_x(y) \\textless{}= 50\\%'
    """
    return re.sub(r"[&%$#_{}\\~^<>|]", lambda found: SPECIAL[found[0]], text)


def _claim(result: Result, again: Recheck, recorded: Mapping[str, str]) -> Iterator[str]:
    yield rf"\section*{{{_breakable(result.claim.id)}}}"
    for section in story(result, again, recorded):
        yield rf"\paragraph{{{HEADINGS[section.name]}.}}"
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    """One line as a paragraph; more as a list, the steps of an argument numbered."""
    if len(section.lines) == 1:
        yield from _item(section.lines[0])
        return
    head = section.lines[:1] if section.name == "evidence" else ()
    for line in head:
        yield from _item(line)
    kind = "enumerate" if section.name == "evidence" else "itemize"
    yield rf"\begin{{{kind}}}"
    for line in section.lines[len(head) :]:
        yield r"\item"
        yield from _item(line)
    yield rf"\end{{{kind}}}"


def _item(line: Line | Step) -> Iterator[str]:
    if isinstance(line, Line):
        yield rf"\hspace*{{{line.depth}em}}" * bool(line.depth) + "".join(map(_fragment, line.words))
    else:
        yield from _step(line)


def _fragment(one: Fragment) -> str:
    match one:
        case Formula():
            return f"${latex(one)}$"
        case Name(id=text) | Command(text=text):
            return rf"\texttt{{{_breakable(text)}}}"
    return escaped(one)


def _breakable(text: str) -> str:
    """A name or command that may be broken at slashes; two hyphens stay two."""
    return escaped(text).replace("--", "-{}-").replace("/", r"/\allowbreak{}")


def _step(step: Step) -> Iterator[str]:
    if step.words:
        yield f"{escaped(step.words)}."
    if step.then is not None:
        yield rf"$\vdash$ ${latex(step.then)}$:"
    yield rf"\emph{{{escaped(step.answer)}}}."
