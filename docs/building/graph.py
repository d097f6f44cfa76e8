"""The graph of the claims as SVG: coloured by verdict, arrows for what a claim uses, every node a link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from proofs_check.claim import Result
from proofs_check.steps import Verdict

# A colour, and a shape that tells the same to those who do not see it; white text on it has contrast over 4.5.
LOOKS = {
    Verdict.PROVED: ("#1b6e3c", "box"),
    Verdict.ARGUED: ("#2f6f8f", "ellipse"),
    Verdict.CHECKED: ("#6a4c93", "hexagon"),
    Verdict.REFUTED: ("#b3261e", "octagon"),
    Verdict.UNDECIDED: ("#6b5b00", "diamond"),
}


def drawn(known: Mapping[str, Result]) -> str:
    """The graph for a page of the site, laid out by Graphviz."""
    from pygraphviz import AGraph

    laid_out = AGraph("\n".join(dot(known))).draw(prog="dot", format="svg").decode()
    return f'<div class="claim-graph" tabindex="0">\n{accessible(laid_out, known)}\n</div>\n'


def dot(known: Mapping[str, Result]) -> Iterator[str]:
    """The graph in Graphviz' language: a box for every result with steps, an edge for every use."""
    yield "digraph claims {"
    yield 'rankdir=LR; ranksep=0.5; nodesep=0.12; bgcolor="transparent"; fontname="sans-serif";'
    yield 'node [style=filled, fontcolor=white, fontname="sans-serif", fontsize=11, height=0.3, margin="0.08,0.04"];'
    yield 'edge [color="#555555", arrowsize=0.6];'
    groups: dict[str, list[str]] = {}
    for id in known:
        groups.setdefault(id.split("/")[0], []).append(id)
    for group, ids in groups.items():
        yield f'subgraph "cluster {group}" {{ label="{group}"; color="#999999"; fontsize=11; style=rounded;'
        yield from (_node(id, known[id]) for id in ids)
        yield "}"
    for id, result in known.items():
        yield from (f'"{id}" -> "{used}";' for used in result.claim.uses if used in known)
    yield "}"


def _node(id: str, result: Result) -> str:
    colour, shape = LOOKS[result.outcome.verdict]
    label = id.split("/")[-1]
    told = f"{id}: {result.outcome.verdict}"
    return f'"{id}" [label="{label}", shape={shape}, fillcolor="{colour}", URL="{id}.html", tooltip="{told}"];'


def accessible(svg: str, known: Mapping[str, Result]) -> str:
    """The SVG without its header, with a title, a description, and a label for every link."""
    body = svg[svg.index("<svg") :]
    words = "; ".join(
        f"{id} is {result.outcome.verdict}" + (f" and uses {', '.join(result.claim.uses)}" if result.claim.uses else "")
        for id, result in known.items()
    )
    told = (
        '<title id="graph-title">The claims and what they use</title>\n'
        f'<desc id="graph-words">{escape(words)}</desc>'
    )
    body = re.sub(r"<svg ", '<svg role="group" aria-labelledby="graph-title" ', body, count=1)
    body = re.sub(r"(<svg[^>]*>)", rf"\1\n{told}", body, count=1)
    return re.sub(r'<a xlink:href="([^"]*)" xlink:title="([^"]*)"', r'<a href="\1" aria-label="\2"', body)
