"""The results for people and for programs, held against the recorded verdicts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

import proofs_check
from proofs_check.claim import Result, Verdict, named, with_steps
from tallyplan.errors import InvalidInput
from tallyplan.limits import Progress
from tallyplan.pictures.files import picture_format

COLOURS = {
    Verdict.PROVED: "bold green",
    Verdict.CHECKED: "green",
    Verdict.REFUTED: "bold red",
    Verdict.UNDECIDED: "yellow",
}
WIDTH_OF_A_FILE = 150
FEW = 8  # names that the summary spells out


def run(
    ids: Sequence[str],
    *,
    as_json: bool,
    thorough: bool,
    explain: bool,
    progress: Progress,
    plot: str | None = None,
) -> int:
    """Examine the claims (all if `ids` is empty), print them on stdout, and return the exit status.

    With `plot`, also write the picture of the claim to that file. The status is 1 if a verdict differs from
    the recorded one, else 0: a refuted claim is a result, not a failure.

    Raises
    ------
    InvalidInput : an unknown id, `explain` together with `as_json`, or a picture that cannot be drawn.
    """
    if explain and as_json:
        raise InvalidInput("--explain is for people and --json is for programs; choose one of them.")
    if plot is not None:
        if len(ids) != 1:
            raise InvalidInput("--plot draws one claim; name it.")
        progress(f"{ids[0]}: drawing {plot}")
        draw(ids[0], plot)
    if explain and ids:  # the whole story: the steps of its proof, each with its own verdict
        from proofs_check.paper import in_order

        ids = list(dict.fromkeys(one.id for id in ids for one in in_order(with_steps(id))))
    results = proofs_check.verify(ids or None, thorough=thorough, progress=progress)
    changed = differences(results)
    if as_json:
        print(json.dumps([result.to_json() for result in results], indent=2))
    else:
        _print_for_people(results, changed, explain)
    return 1 if changed else 0


def draw(id: str, path: str) -> None:
    """Write the picture that a claim offers, as .svg or .png.

    Raises
    ------
    InvalidInput : there is no such claim, it offers no picture, or the file cannot be written.
    """
    known = proofs_check.claims()
    picture = named(id).picture
    if picture is None:
        offering = ", ".join(one.id for one in known if one.picture)
        raise InvalidInput(f"there is no picture of {id}; there is one of: {offering or 'no claim'}.")
    picture_format(path)  # before minutes of work
    picture(path)


def expected() -> dict[str, str]:
    """The recorded verdict of each claim."""
    recorded: dict[str, str] = json.loads(files("proofs_check").joinpath("expected.json").read_text("utf-8"))
    return recorded


def record(results: Iterable[Result]) -> None:
    """Write the verdicts into `expected.json`, for those who change a claim."""
    verdicts = expected() | {result.claim.id: result.outcome.verdict.value for result in results}
    known = {one.id for one in proofs_check.claims()}
    kept = {id: verdicts[id] for id in sorted(known & set(verdicts))}
    path = Path(__file__).with_name("expected.json")
    path.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


def differences(results: Iterable[Result]) -> list[str]:
    """A sentence for each verdict that is not the recorded one."""
    recorded = expected()
    return [
        f"{result.claim.id} is {result.outcome.verdict}; {recorded[result.claim.id]} was recorded."
        for result in results
        if result.outcome.verdict != recorded.get(result.claim.id, result.outcome.verdict)
    ]


def summary(results: Sequence[Result], changed: Sequence[str]) -> str:
    """One paragraph: how many of each verdict, where constants improve, what was refuted, what changed."""
    counts = Counter(result.outcome.verdict for result in results)
    parts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    sentences = [f"{len(results)} {'claim' if len(results) == 1 else 'claims'}: {parts}."]
    sharpened = [r.claim.id for r in results if r.outcome.tight and r.outcome.verdict is not Verdict.REFUTED]
    if sharpened:
        sentences.append(f"A best constant or an exact domain was found for {_listed(sharpened)}.")
    refuted = [result.claim.id for result in results if result.outcome.verdict is Verdict.REFUTED]
    repaired = [result.claim.id for result in results if result.outcome.repair]
    if refuted:
        repairs = "each with a repair" if refuted == repaired else f"with a repair for {_listed(repaired)}"
        sentences.append(f"Refuted by a witness: {_listed(refuted)}, {repairs}.")
    unrecorded = [result.claim.id for result in results if result.claim.id not in expected()]
    if unrecorded:
        sentences.append(f"No verdict is recorded for {_listed(unrecorded)}.")
    sentences += changed or ["No verdict differs from the recorded one."]
    return " ".join(sentences)


def explanation(result: Result) -> str:
    """The whole story of one claim."""
    found = result.outcome
    rows = [
        ("stated", f"{result.claim.where}: {result.claim.statement}"),
        ("examined", result.claim.method),
        ("verdict", str(found.verdict)),
        ("domain", found.domain),
        ("evidence", f"{found.evidence.method}; {found.evidence.size}"),
        *(("", str(step)) for step in found.evidence.steps),
        ("witness", found.witness and str(found.witness)),
        ("tight", found.tight and f"{found.tight.statement} ({found.tight.verdict})"),
        ("", found.tight and found.tight.witness and f"shown by {found.tight.witness}"),
        ("repair", found.repair and f"{found.repair.statement} ({found.repair.verdict})"),
        ("again", f"tallyplan verify {result.claim.id} --json  (larger boxes: --thorough)"),
        ("picture", result.claim.picture and f"tallyplan verify {result.claim.id} --plot picture.svg"),
    ]
    return "\n".join([result.claim.id, *(f"  {name:<9} {words}" for name, words in rows if words)])


def table(results: Iterable[Result]) -> Table:
    """One row a claim."""
    shown = Table(box=SIMPLE_HEAD, pad_edge=False)
    shown.add_column("claim", ratio=4, overflow="fold")
    shown.add_column("statement", ratio=6)
    shown.add_column("verdict", no_wrap=True)
    shown.add_column("domain", ratio=6)
    shown.add_column("best constant", ratio=4)
    shown.add_column("evidence", ratio=4)
    for result in results:
        found = result.outcome
        shown.add_row(
            Text(result.claim.id.replace("/", "/\n  "), style="bold"),
            Text(result.claim.statement),
            Text(str(found.verdict), style=COLOURS[found.verdict]),
            Text(found.domain),
            Text(found.tight.statement if found.tight else "-"),
            Text(f"{found.evidence.method} ({found.evidence.size})"),
        )
        shown.add_row()
    return shown


def _print_for_people(results: Sequence[Result], changed: Sequence[str], explain: bool) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH_OF_A_FILE)
    if explain:
        console.print(Text("\n\n".join(explanation(result) for result in results)), soft_wrap=True)
    else:
        console.print(table(results))
    console.print(Text(("\n" if explain else "") + summary(results, changed)))


def _listed(names: Sequence[str]) -> str:
    """All names if they are few; else the results among them, and how many steps.

    >>> _listed(["lemma-1", "lemma-2/a"])
    'lemma-1, lemma-2/a'
    >>> _listed(["lemma-1", *(f"lemma-2/{name}" for name in "abcdefgh")])
    'lemma-1 and 8 steps or clauses'
    """
    results = [name for name in names if "/" not in name]
    steps = len(names) - len(results)
    if len(names) <= FEW or not steps:
        return ", ".join(names)
    return f"{', '.join(results)} and {steps} steps or clauses".strip()
