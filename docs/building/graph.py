"""The graph of the claims as SVG: coloured by verdict, arrows for what a claim uses, every node a link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from proofs_check.examining import Result
from proofs_check.outcome import Verdict

# A colour, and a shape for those who do not see it; white text on it has a contrast of more than 4.5.
LOOKS = {
    Verdict.PROVED: ("#1b6e3c", "box"),
    Verdict.ARGUED: ("#2f6f8f", "ellipse"),
    Verdict.CHECKED: ("#6a4c93", "hexagon"),
    Verdict.REFUTED: ("#b3261e", "octagon"),
    Verdict.UNDECIDED: ("#6b5b00", "diamond"),
}

# Moving it makes the graph larger or smaller; the frame below it scrolls.
ZOOM = """<label class="graph-zoom">Zoom <input type="range" min="0.3" max="3" step="0.1" value="1"
oninput="this.parentNode.nextElementSibling.style.setProperty('--zoom', this.value)"></label>"""


def drawn(known: Mapping[str, Result]) -> str:
    """The graph for a page of the site, laid out by Graphviz."""
    from pygraphviz import AGraph

    laid_out = AGraph("\n".join(dot(known))).draw(prog="dot", format="svg").decode()
    return f'{ZOOM}\n<div class="claim-graph" tabindex="0">\n{accessible(laid_out, known)}\n</div>\n'


def dot(known: Mapping[str, Result]) -> Iterator[str]:
    """The claims that use others or are used, in Graphviz' language."""
    yield "digraph claims {"
    yield 'rankdir=LR; ranksep=0.45; nodesep=0.1; bgcolor="transparent";'
    yield 'node [style=filled, fontcolor=white, fontname="sans-serif", fontsize=11];'
    yield 'node [height=0.3, margin="0.09,0.04"];'
    yield 'edge [color="#555555", arrowsize=0.6];'
    for id in connected(known):
        yield _node(id, known[id])
        yield from (f'"{id}" -> "{used}";' for used in known[id].claim.uses if used in known)
    yield "}"


def connected(known: Mapping[str, Result]) -> list[str]:
    """The claims at an arrow, in their order."""
    used = {other for result in known.values() for other in result.claim.uses}
    return [id for id, result in known.items() if result.claim.uses or id in used]


def _node(id: str, result: Result) -> str:
    colour, shape = LOOKS[result.outcome.verdict]
    label = id.replace("/", "/\\n")
    told = f"{id}: {result.outcome.verdict}"
    return (
        f'"{id}" [label="{label}", shape={shape}, fillcolor="{colour}", URL="{id}.html", tooltip="{told}"];'
    )


def wall(known: Mapping[str, Result]) -> str:
    """Every claim as a coloured link, a line for each result, its steps and clauses after it."""
    groups: dict[str, list[str]] = {}
    for id in known:
        groups.setdefault(id.split("/")[0], []).append(id)
    rows = [_row(group, sorted(ids, key=lambda id: "/" in id), known) for group, ids in groups.items()]
    return f'<ul class="wall">\n{chr(10).join(rows)}\n</ul>\n'


def _row(group: str, ids: Sequence[str], known: Mapping[str, Result]) -> str:
    """The claims of one result; where there is no claim of that name, the name stands alone."""
    name = "" if group in known else f"<b>{group}</b> "
    return f"<li>{name}{' '.join(_brick(id, known[id]) for id in ids)}</li>"


def _brick(id: str, result: Result) -> str:
    verdict = result.outcome.verdict
    looks = f"verdict {verdict} {'step' if '/' in id else 'result'}"
    return f'<a class="{looks}" href="{id}.html" title="{id}: {verdict}">{id.split("/")[-1]}</a>'


def accessible(svg: str, known: Mapping[str, Result]) -> str:
    """The SVG without its header, with a title, a description, and a label for every link."""
    body = svg[svg.index("<svg") :]
    words = "; ".join(
        f"{id} is {result.outcome.verdict}"
        + (f" and uses {', '.join(result.claim.uses)}" if result.claim.uses else "")
        for id, result in known.items()
    )
    told = (
        '<title id="graph-title">The claims and what they use</title>\n'
        f'<desc id="graph-words">{escape(words)}</desc>'
    )
    body = re.sub(r"<svg ", '<svg role="group" aria-labelledby="graph-title" ', body, count=1)
    body = re.sub(r"(<svg[^>]*>)", rf"\1\n{told}", body, count=1)
    return re.sub(r'<a xlink:href="([^"]*)" xlink:title="([^"]*)"', r'<a href="\1" aria-label="\2"', body)
