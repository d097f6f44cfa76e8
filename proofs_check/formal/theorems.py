"""Theorems proved in Rocq: they are compiled, and what each of them states, and rests on, is recorded.

A theorem that *closes* a formula of a claim has the printed formula as its statement (`gallina.py` writes
`Stated.v`, and `Closed.v` proves that): the claim is proved. `make formal` compiles all of it and alone
writes `record.json`: the texts that were closed, and the hash of the sources. Where Rocq is not installed the
record counts as long as both are what they were.

Where the kernel's language cannot say a claim (an expectation, a probability), `statements.toml` says it in
Gallina, and the record has the definitions that this rests on: whether it says what the words say is for a
reader to see.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from proofs_check.claim import named
from proofs_check.formal.gallina import identifier
from proofs_check.formal.recorded import FOLDER, RECORD, Theorem, closing, digest, named_in, printed, theorems
from tallyplan.errors import InternalError
from tallyplan.limits import Progress

COMPILED = FOLDER / "_build"
STATED_HEADER = (
    "(** Written by `make formal` from the claims, and proved in Closed.v. *)",
    "From Coq Require Import ZArith Reals Bool List.",
)


def compiled_now(progress: Progress) -> dict[str, tuple[str, ...]]:
    """Compile the formal files, the printed claims among them: what each theorem rests on beyond logic."""
    progress("compiling the formal proofs")
    write_stated()
    done = subprocess.run(
        ["make", "--silent", "-C", str(FOLDER), "proofs"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise InternalError(f"the formal proofs do not compile: {done.stdout[-500:]}{done.stderr[-1500:]}")
    progress("asking what the theorems assume")
    together: dict[tuple[str, ...], list[Theorem]] = defaultdict(list)
    for theorem in theorems():
        together[theorem.axioms].append(theorem)
    found = {allowed: axioms_of(group, COMPILED) for allowed, group in together.items()}
    return {theorem.qualified: found[theorem.axioms] for theorem in theorems()}


def write_stated() -> None:
    """Write `Stated.v`, every formula that is to be closed, unless it stands there already."""
    by_claim: dict[str, list[Theorem]] = defaultdict(list)
    for one in closing():
        by_claim[str(one.claim)].append(one)
    modules = [printed(named(id), *some) for id, some in by_claim.items()]
    needed = {"Language", *(name.partition(".")[0] for text in modules for name in named_in(text))}
    text = "\n".join([*STATED_HEADER, f"From TallyPlan Require {' '.join(sorted(needed))}.", *modules, ""])
    COMPILED.mkdir(exist_ok=True)
    stated = COMPILED / "Stated.v"
    if not stated.exists() or stated.read_text("utf-8") != text:
        stated.write_text(text, encoding="utf-8")


def write_record() -> bool:
    """Keep what the theorems state, close and rest on, with the hash of the sources; whether it is new."""
    about = [one.qualified for one in theorems() if one.claim and not one.closes]
    stated = {name: text.partition(":")[2].strip() for name, text in _answers("Check @", about).items()}
    closed = {one.qualified: printed(named(str(one.claim)), one) for one in closing()}
    defined: dict[str, str] = {}
    names = {name for text in closed.values() for name in named_in(text)}
    while names:
        answers = _answers("Print ", sorted(names))
        defined |= {name: text.partition("\nArguments")[0].strip() for name, text in answers.items()}
        names = {name for text in answers.values() for name in named_in(text)} - set(defined)
    whole = {"sources": digest(), "closed": closed, "theorems": stated, "definitions": defined}
    text = json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    new = RECORD.read_text("utf-8") != text
    RECORD.write_text(text, encoding="utf-8")
    return new


def _answers(question: str, names: Sequence[str]) -> dict[str, str]:
    """What coqc answers about each name."""
    lines = [
        line for number, name in enumerate(names) for line in (f"{question}{name}.", f"Compute {number}.")
    ]
    told = asked(["Set Printing Width 108.", *lines], COMPILED)
    return dict(zip(names, re.split(r"^ {5}= \d+\n {5}: Z\n", told, flags=re.M), strict=False))


def axioms_of(chosen: Sequence[Theorem], compiled: Path) -> tuple[str, ...]:
    """The axioms that any of the theorems rests on: () if all are closed under the global context.

    One question for all of them, since each answer goes through all proofs beneath. One that closes a formula
    has to have it as its type.
    """
    types = {one: f" : Stated.{identifier(str(one.claim))}.{one.closes}" for one in chosen if one.closes}
    together = ", ".join(f"(@{one.qualified}{types.get(one, '')})" for one in chosen)
    answer = asked([f"Definition together := ({together}).", "Print Assumptions together."], compiled)
    if "Closed under the global context" in answer:
        return ()
    names = re.findall(r"^([^\s:]+)\s*(?::|$)", answer.partition("Axioms:")[2], re.MULTILINE)
    if not names:
        raise InternalError(f"neither axioms nor closed: {answer!r}")
    return tuple(names)


def asked(lines: Sequence[str], compiled: Path) -> str:
    """What coqc prints for these lines."""
    stems = {Path(theorem.file).stem for theorem in theorems()} | {"Stated" for _ in closing()}
    header = [
        "From Coq Require Import ZArith List Reals.",
        f"From TallyPlan Require {' '.join(sorted(stems))}.",
        "Open Scope Z_scope.",
        "Set Printing Depth 100000.",
    ]
    with TemporaryDirectory() as folder:
        source = Path(folder) / "Asked.v"
        source.write_text("\n".join([*header, *lines]))
        command = ["coqc", "-q", "-R", str(compiled), "TallyPlan", str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InternalError(f"coqc refuses: {done.stderr}")
    return done.stdout
