r"""The story of claims in LaTeX, as an appendix of a paper: `tallyplan verify CLAIM --latex appendix.tex`.

The file compiles as it stands, and what lies between `\begin{document}` and `\end{document}` can be put into
another document that has amsmath and amssymb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from proofs_check.examining import Result
from proofs_check.story import HEADINGS, Section, pieces, story
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
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "√": r"$\surd$",
    "₂": "$_2$",
}


def appendix(results: Sequence[Result], recorded: Mapping[str, str] | None = None) -> str:
    """A LaTeX document with a section per claim.

    >>> from proofs_check import verify
    >>> text = appendix(verify(["lemma-4/five-s"]))
    >>> print(*[line for line in text.splitlines() if "Lemma 4" in line])
    The paper says (Lemma 4, proof (eqn:help4)): In units of Km $\\sqrt{T}$, $4 + (r - 1) \\le 5\\,r$.
    """
    stories = ["\n".join(_claim(result, recorded or {})) for result in results]
    made = f"% Written by tallyplan {__version__}: tallyplan verify --latex\n"
    return f"{made}{PREAMBLE}{chr(10).join(stories)}\n\\end{{document}}\n"


def escaped(text: str) -> str:
    r"""Words for LaTeX.

    >>> escaped("h_x(y) ≤ 50%")
    'h\\_x(y) $\\le$ 50\\%'
    """
    return re.sub(r"[&%$#_{}\\~^<>|≤≥≠√₂]", lambda found: SPECIAL[found[0]], text)


def _claim(result: Result, recorded: Mapping[str, str]) -> Iterator[str]:
    yield rf"\section*{{{_breakable(result.claim.id)}}}"
    for section in story(result, recorded):
        yield rf"\paragraph{{{HEADINGS[section.name]}.}}"
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    """One line as a paragraph; more as a list, the steps of an argument numbered."""
    if len(section.lines) == 1:
        yield _line(section.lines[0])
        return
    head = section.lines[:1] if section.name == "evidence" else ()
    kind = "enumerate" if head else "itemize"
    yield from map(_line, head)
    yield rf"\begin{{{kind}}}"
    yield from (rf"\item {_line(line)}" for line in section.lines[len(head) :])
    yield rf"\end{{{kind}}}"


def _line(line: str) -> str:
    depth = (len(line) - len(line.lstrip())) // 2
    return rf"\hspace*{{{depth}em}}" * bool(depth) + "".join(_piece(*one) for one in pieces(line.lstrip()))


def _piece(kind: str, text: str) -> str:
    if kind == "formula":
        return f"${latex(Formula(text))}$"
    return escaped(text) if kind == "words" else rf"\texttt{{{_breakable(text)}}}"


def _breakable(text: str) -> str:
    """A name or command that may be broken at slashes; two hyphens stay two."""
    return escaped(text).replace("--", "-{}-").replace("/", r"/\allowbreak{}")
