"""The results for people and for programs, held against the recorded verdicts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

import proofs_check
from proofs_check.all_claims import of_ones_own
from proofs_check.claim import Claim, matching, named, with_steps
from proofs_check.examining import Result
from proofs_check.formal.recorded import theorems
from proofs_check.outcome import Verdict, plain
from proofs_check.story import story
from tallyplan.errors import InvalidInput
from tallyplan.pictures.style import picture_format

COLOURS = {
    Verdict.PROVED: "bold green",
    Verdict.ARGUED: "green",
    Verdict.CHECKED: "cyan",
    Verdict.REFUTED: "bold red",
    Verdict.UNDECIDED: "yellow",
}


def as_document(result: Result) -> dict[str, Any]:
    """The object that `tallyplan verify --json` lists."""
    formal = [
        {"theorem": one.qualified, "role": one.role, "says": one.says, "axioms": list(one.axioms)}
        for one in theorems()
        if one.claim == result.claim.id
    ]
    return result.to_json() | {"formal": formal}


def chosen_claims(patterns: Sequence[str], whole: bool = False) -> list[Claim]:
    """The claims that match, or all of them; for the `whole` story, each with its steps and clauses."""
    from proofs_check.paper import in_order

    known = proofs_check.claims()
    own = [pattern.endswith(".py") or ":" in pattern for pattern in patterns]
    named = [of_ones_own(one) if mine else matching(one) for one, mine in zip(patterns, own, strict=True)]
    found = [one for some in named for one in some] if patterns else list(known)
    if whole and patterns:  # the whole story: the steps of its proof, each with its own verdict
        found = [step for one in found for step in in_order(with_steps(one.id))]
    return list({one.id: one for one in found}.values())


def draw(id: str, path: str) -> None:
    """Write the picture that a claim offers, as .svg, .png or .pdf.

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


RECORDED = ("verdict", "because", "statement", "meaning", "domain", "tight", "repair", "names")


def recorded() -> dict[str, dict[str, Any]]:
    """What was found about each claim when it was recorded: `RECORDED`."""
    text = files("proofs_check").joinpath("expected.json").read_text("utf-8")
    record: dict[str, dict[str, Any]] = json.loads(text)
    return record


def expected() -> dict[str, str]:
    """The recorded verdict of each claim, without what vouches for it or what kind it is."""
    return {id: one["verdict"].partition(" (")[0] for id, one in recorded().items()}


def record_of(result: Result) -> dict[str, Any]:
    """What is recorded of a result."""
    one = result.claim
    names = {name: plain(meaning) for name, meaning in one.meanings.items()}
    own = {"statement": one.statement, "names": names}
    found = result.to_json() | own
    best = found["tight"] and {name: found["tight"][name] for name in ("statement", "verdict")}
    return {name: best if name == "tight" else found[name] for name in RECORDED}


def record(results: Sequence[Result]) -> None:
    """Write what was found into `expected.json`, for those who change a claim; nothing if one broke."""
    broken = [one for one in results if one.outcome.error]
    if broken:
        raise InvalidInput(" ".join(differences(broken)))
    found = recorded() | {result.claim.id: record_of(result) for result in results}
    known = {one.id for one in proofs_check.claims()}
    kept = {id: found[id] for id in sorted(known & set(found))}
    path = Path(__file__).with_name("expected.json")
    path.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


def differences(results: Iterable[Result], *, thorough: bool = False) -> list[str]:
    """A sentence for everything that is not as it was recorded, and for each examination that broke.

    A thorough run has larger boxes, which its sentences name; of those only the verdicts are compared.
    """
    known, compared = recorded(), RECORDED[:1] if thorough else RECORDED
    return [
        sentence
        for result in results
        for sentence in _differences(result, known.get(result.claim.id), compared)
    ]


def _differences(result: Result, was: dict[str, Any] | None, compared: Sequence[str]) -> Iterator[str]:
    id, now = result.claim.id, record_of(result)
    if result.outcome.error:
        yield f"{id} ended with an error: {result.outcome.error}"
    elif was is not None and now["verdict"] != was["verdict"]:
        yield f"{id} is {now['verdict']}; {was['verdict']} was recorded."
    elif was is not None:
        new, old = _named(id, now, compared), _named(id, was, compared)
        for what in (what for what in {**old, **new} if new.get(what) != old.get(what)):
            yield f"{what} is {_brief(new.get(what))}; {_brief(old.get(what))} was recorded."


def _named(id: str, record: dict[str, Any], compared: Sequence[str]) -> dict[str, Any]:
    """What is compared, by the words for it in a sentence; what names mean one by one."""
    names = (record.get("names") or {}) if "names" in compared else {}
    found = {f"The {name} of {id}": record.get(name) for name in compared if name != "names"}
    return found | {f"In {id}, {name}": meaning for name, meaning in names.items()}


def _brief(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['statement']!r} ({value['verdict']})"
    return "none" if value is None else repr(value)


def summary(results: Sequence[Result], changed: Sequence[str]) -> str:
    """One paragraph: how many of each verdict, what has no record, and what changed."""
    ranked = sorted(results, key=lambda result: [*Verdict].index(result.outcome.verdict))
    counts = Counter(result.outcome.told for result in ranked)
    parts = ", ".join(f"{count} {told}" for told, count in counts.items())
    sentences = [f"{len(results)} {'claim' if len(results) == 1 else 'claims'}: {parts or 'none'}."]
    unrecorded = [result.claim.id for result in results if result.claim.id not in expected()]
    if unrecorded:
        sentences.append(f"No verdict is recorded for {', '.join(unrecorded)}.")
    sentences += changed or ["Everything matches the record."] * (len(unrecorded) < len(results))
    return " ".join(sentences)


def line(result: Result) -> str:
    """One line: the id, the verdict, and the repair or the best constant."""
    found = result.outcome
    best = found.repair.statement if found.repair else found.tight.statement if found.tight else ""
    return f"{result.claim.id:<37} {found.told:<16} {found.error or best}"


def explanation(result: Result, steps: bool = False) -> str:
    """The whole story of one claim; with `steps`, also what each step was given, and its tool."""
    rows = [
        (name, plain(row.replace("`$ ", "`")))
        for section in story(result, expected(), steps=steps)
        for name, row in zip_longest([section.name], section.lines, fillvalue="")
    ]
    folded = "" if steps else "\n  (premises and tools of the steps: --explain --steps)"
    return "\n".join([result.claim.id, *(f"  {name:<9} {row}".rstrip() for name, row in rows)]) + folded


def print_for_people(results: Sequence[Result], changed: Sequence[str], told: Sequence[str] | None) -> None:
    """The explanations, or a line for each result, and the summary, on stdout."""
    console = Console()
    whole = not console.is_terminal  # the lines of a terminal are cut at its width, those of a file are not
    with console.capture() as captured:  # rich would end the program if the reader of a pipe has left
        if told is not None:
            console.print(Text("\n\n".join(told) + "\n"), soft_wrap=True)
        else:
            for result in results:
                shown = Text(line(result))
                shown.highlight_words([f" {result.outcome.told} "], COLOURS[result.outcome.verdict])
                console.print(shown, no_wrap=True, overflow="ignore" if whole else "ellipsis", crop=not whole)
        console.print(Text(summary(results, changed)), soft_wrap=whole)
    print(captured.get(), end="")
