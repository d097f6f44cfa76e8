"""A page for every claim, from what an examination of it finds now, and the graph of all of them.

What is told, and in which order, is `proofs_check.story`, as in `tallyplan verify --explain`; here it becomes
Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from building import graph
from building.pages import GENERATED, plain, write
from proofs_check.examining import Result
from proofs_check.outcome import Verdict
from proofs_check.paper import in_order
from proofs_check.story import HEADINGS, pieces, story
from proofs_check.typesetting import latex
from tallyplan.formula import Formula

Results = Mapping[str, Result]

LONG = 40  # characters of a formula that does not stand in a line of words
MEANING = {
    Verdict.PROVED: "for all values in the domain, by the kernel or by Rocq",
    Verdict.ARGUED: "in words, beside what was evaluated",
    Verdict.CHECKED: "at every member of a named box",
    Verdict.REFUTED: "by a witness that a search found and other means confirmed",
    Verdict.UNDECIDED: "none of these; the evidence says what stood in the way",
}


def write_pages(results: Sequence[Result], folder: Path = GENERATED, pictures: bool = True) -> list[Path]:
    """Write the page of every claim, the pictures that claims offer, and the graph; return the pages."""
    known = {result.claim.id: result for result in in_order_of_the_paper(results)}
    written = [write(f"claims/{id}.md", page(result, known), folder) for id, result in known.items()]
    for id, result in known.items():
        if pictures and result.claim.picture:
            result.claim.picture(str(_picture(folder, id)))
    write("claims/graph.html", graph.drawn(known), folder)
    write("claims/wall.html", graph.wall(known), folder)
    return [*written, write("claims/index.md", index(known), folder)]


def in_order_of_the_paper(results: Iterable[Result]) -> list[Result]:
    """Results first, each followed by its steps and clauses."""
    by_id = {result.claim.id: result for result in results}
    return [by_id[one.id] for one in in_order([result.claim for result in by_id.values()])]


def page(result: Result, known: Results) -> str:
    """The page of one claim."""
    one = result.claim
    recorded = {id: other.outcome.verdict.value for id, other in known.items()}
    parts = [
        f"# {one.id}",
        f"{badge(result.outcome.verdict, result.outcome.told)} {_line(one.where, known)}",
    ]
    for section in story(result, recorded=recorded):
        parts += [f"## {HEADINGS[section.name]}", *_section(section.name, section.lines, known)]
        if section.name == "picture":
            parts.append(f"![What was found about {one.id}](/generated/claims/images/{_flat(one.id)}.svg)")
    parts += list(_neighbours(result, known))
    steps = [other for other in known if other.startswith(f"{one.id}/")]
    if steps:
        parts.append(_toctree(steps))
    return "\n\n".join(parts) + "\n"


def badge(verdict: Verdict, told: str = "") -> str:
    """The verdict, in its colour."""
    return f'<span class="verdict {verdict}">{told or verdict}</span>'


def link(id: str, known: Results) -> str:
    """The name of a claim, linked if it has a page."""
    return f"[{id}](/generated/claims/{id}.md)" if id in known else f"`{id}`"


def _section(name: str, lines: Sequence[str], known: Results) -> list[str]:
    """One line as a paragraph, more as a list; the steps of an argument are numbered after their method."""
    if len(lines) == 1:
        return [_line(lines[0], known, "")]
    if name == "evidence":
        head, *steps = lines
        numbered = (f"{number}. {_line(line, known, '    ')}" for number, line in enumerate(steps, 1))
        return [_line(head, known, ""), "\n".join(numbered)]
    depths = [" " * (len(line) - len(line.lstrip())) for line in lines]
    items = zip(depths, lines, strict=True)
    return ["\n".join(f"{depth}- {_line(line.lstrip(), known, depth + '  ')}" for depth, line in items)]


def _line(line: str, known: Results, indent: str | None = None) -> str:
    """The line; with an indent, long formulas stand by themselves, with the sign that follows."""
    told = "".join(_piece(kind, text, known, indent) for kind, text in pieces(line))
    begun = f"The formula{told}" if indent and told.startswith("\n") else told  # an item begins with words
    return re.sub(r"\n( *)\$\$\n\n *([.,;:]+)", r"\2\n\1$$\n\n\1", begun).rstrip()


def _piece(kind: str, text: str, known: Results, indent: str | None) -> str:
    match kind:
        case "formula" if indent is not None and len(text) > LONG:
            return f"\n\n{indent}$$\n{indent}{latex(Formula(text))}\n{indent}$$\n\n{indent}"
        case "formula":
            return f"${latex(Formula(text))}$"
        case "claim":
            return link(text, known)
        case "code":
            return f"`{text}`"
    return plain(text)


def _neighbours(result: Result, known: Results) -> Iterator[str]:
    """What uses the claim, and its own steps and clauses."""
    id = result.claim.id
    using = [other for other, one in known.items() if id in one.claim.uses]
    steps = [other for other in known if other.startswith(f"{id}/")]
    whole = [other for other in known if id.startswith(f"{other}/")]
    for heading, names in (("Used by", using), ("Its steps and clauses", steps), ("A part of", whole)):
        if names:
            yield f"## {heading}"
            yield "\n".join(f"- {link(name, known)} {badge(known[name].outcome.verdict)}" for name in names)


def index(known: Results) -> str:
    """The graph, what its colours mean, and every claim with its best constant or its repair."""
    counts = Counter(result.outcome.verdict for result in known.values())
    legend = [f"| {badge(verdict)} | {counts[verdict]} | {meaning} |" for verdict, meaning in MEANING.items()]
    rows = [
        f"| {link(id, known)} | {badge(found.verdict, found.told)} | {_line(_best(result), known)} |"
        for id, result in known.items()
        for found in [result.outcome]
    ]
    whole = [id for id in known if "/" not in id or id.split("/")[0] not in known]
    return "\n".join(
        [
            "# The claims",
            "",
            "Every statement of the paper, every step of its proofs that says something, and some statements "
            f"of our own: {len(known)} claims. Each verdict was derived while these pages were built; "
            "`tallyplan verify` derives them again.",
            "",
            "| verdict | claims | what was done |",
            "|---|---|---|",
            *legend,
            "",
            "## At a glance",
            "",
            "A line for each result, followed by its steps and clauses; every name leads to its page.",
            "",
            "```{raw} html",
            ":file: wall.html",
            "```",
            "",
            "## The graph",
            "",
            "An arrow leads from a claim to one that it uses; no verdict is stronger than those it rests on. "
            "Every node is a link; claims that use none and are used by none are only above.",
            "",
            "```{raw} html",
            ":file: graph.html",
            "```",
            "",
            "## All claims",
            "",
            "| claim | verdict | best constant or repair |",
            "|---|---|---|",
            *rows,
            "",
            _toctree(whole),
        ]
    )


def _toctree(ids: Sequence[str]) -> str:
    return "\n".join(
        ["```{toctree}", ":hidden:", "", *(f"{id} </generated/claims/{id}>" for id in ids), "```", ""]
    )


def _best(result: Result) -> str:
    found = result.outcome
    best = found.repair or found.tight
    return best.words if best else ""


def _picture(folder: Path, id: str) -> Path:
    path = folder / "claims" / "images" / f"{_flat(id)}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _flat(id: str) -> str:
    return id.replace("/", "--")
