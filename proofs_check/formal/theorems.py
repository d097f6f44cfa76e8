"""Theorems proved in Rocq: which claim each one supports, and what vouches for it that both say the same.

`proofs_check/formal/headlines.json` lists the theorems with the claims they support.

A theorem that *closes* a formula of a claim has the printed formula as its statement (`gallina.py` writes
`Stated.v`, and `Closed.v` proves that): the claim is proved. `make formal` compiles all of it and alone
writes `record.json`: the texts that were closed, and the hash of the sources. Where Rocq is not installed the
record counts as long as both are what they were.

Where the kernel's language cannot say a claim (an expectation, a probability), `headlines.json` has
comparisons: formulas and domain of the claim next to Rocq functions that stand in its theorem, evaluated at
random parameters, so that a statement that was changed on one side only is noticed. That proves nothing of
the claim, which stays argued, with the theorem named beside it.
"""

from __future__ import annotations

import hashlib
import json
import operator
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from proofs_check.claim import CLOSINGS, Claim, named
from proofs_check.formal.gallina import module
from proofs_check.proving import Sequent
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent

FOLDER = Path(__file__).parent
HEADLINES = FOLDER / "headlines.json"
RECORD = FOLDER / "record.json"  # written by `make formal` alone
COMPILED = FOLDER / "_build"
SAMPLES = 500  # random parameters at which a formula is compared with the function in a theorem
DOMAIN = "domain"  # all hypotheses of a claim, in their order
STATED_HEADER = (
    "(** Written by `make formal` from the claims, and proved in Closed.v. *)",
    "From Coq Require Import ZArith Reals Bool.",
    "From TallyPlan Require Language.",
)
INSTALL = "apt install coq ocaml-findlib libzarith-ocaml-dev, on Debian"


@dataclass(frozen=True)
class Theorem:
    """A theorem `name` in `file`, in words, the claim it supports if any, and the axioms it may use.

    role : what it is to the claim: the `statement` itself, a `part` of it, what is `tight`, a `refutation`
        or a `repair`; without a claim, a `rule` of the checker or a `statement` of our own.
    closes : the formula of the claim that is, printed, its statement.
    rational : the real variables of the formula that are fractions there, with a common denominator.
    """

    claim: str | None
    role: str
    file: str
    name: str
    says: str
    axioms: tuple[str, ...] = ()
    closes: str = ""
    rational: str = "h"

    @property
    def compared(self) -> bool:
        """Whether it decides the claim as far as samples show that both say the same."""
        return self.proves and not self.closes

    @property
    def proves(self) -> bool:
        """Whether it decides the claim: a part of it, or what is tight, does not."""
        return self.role in ("statement", "refutation")

    @property
    def qualified(self) -> str:
        """As Rocq knows it."""
        return f"{Path(self.file).stem}.{self.name}"


@dataclass(frozen=True)
class Comparison:
    """A formula of a claim, and the Rocq term that must equal it times a factor.

    Attributes
    ----------
    formula : its name in the claim, or `domain` for the list of all hypotheses.
    term : the Rocq term, with the drawn parameters in braces.
    ranges : from where to where each parameter is drawn.
    names : what the names in the formula stand for, as formulas in the drawn ones; `C(j)` is a function.
    times : the factor, as a formula in the drawn parameters.
    """

    claim: str
    formula: str
    term: str
    ranges: Mapping[str, Sequence[int]]
    names: Mapping[str, str] = field(default_factory=dict)
    times: str = "1"

    def drawn(self, random: Random) -> dict[str, int]:
        """Values of the parameters."""
        return {name: random.randint(*ends) for name, ends in self.ranges.items()}

    def formulas(self, claim: Claim) -> list[Formula]:
        """What is compared of a claim."""
        return [claim.formula(one) for one in (claim.domain if self.formula == DOMAIN else [self.formula])]

    def stated(self, formulas: Sequence[Formula], values: Mapping[str, int]) -> Any:
        """What they say at these values, times the factor; of a real number, a ball that holds it."""
        names = {**values, **dict(self._meaning(*one, values) for one in self.names.items())}
        found, factor = [self._value(one, names) for one in formulas], Formula(self.times)(**values)
        if self.formula == DOMAIN:
            return found
        return found[0] if factor == 1 else found[0] * factor

    def _value(self, formula: Formula, names: Mapping[str, Any]) -> Any:
        return formula.ball(**names) if "RealStatements." in self.term else formula(**names)

    def _meaning(self, name: str, text: str, values: Mapping[str, int]) -> tuple[str, Any]:
        """The number or, for `C(j)`, the function that a name stands for."""
        head, _, inner = name.rstrip(")").partition("(")
        if not inner:
            return head, Formula(text)(**values)
        return head, lambda *given: self._value(
            Formula(text), {**values, **dict(zip(inner.split(", "), given, strict=True))}
        )

    def proved(self, values: Mapping[str, int]) -> str:
        """The Rocq term at these values."""
        return self.term.format(**{name: f"({value})" for name, value in values.items()})


def theorems() -> tuple[Theorem, ...]:
    """All headline theorems."""
    return tuple(
        Theorem(**one | {"axioms": tuple(one.get("axioms", ()))}) for one in _headlines()["theorems"]
    )


def comparisons() -> tuple[Comparison, ...]:
    """All comparisons of a formula with a Rocq function."""
    return tuple(Comparison(**one) for one in _headlines()["comparisons"])


def premises(id: str) -> Mapping[str, str]:
    """The hypotheses of a claim that are words, and the premise of its theorem that stands for each."""
    found: Mapping[str, str] = _headlines()["assumptions"].get(id, {})
    return found


def not_compared(claim: Claim) -> set[str]:
    """What the claim prints and no theorem is compared with; where something is, no theorem proves it.

    A hypothesis in words is compared with those for which the theorem has a premise of its own.
    """
    compared = {one.formula for one in comparisons() if one.claim == claim.id}
    printed = {name for name in claim.formulas if f"{{{name}}}" in claim.words}
    return ({*printed, DOMAIN} - compared) | (set(claim.assuming) ^ set(premises(claim.id)))


@dataclass(frozen=True)
class Recheck:
    """What became of the theorems on this machine.

    Attributes
    ----------
    obstacle : why nothing was rechecked; empty if all was.
    axioms : of each theorem that was rechecked, what it rests on beyond Rocq's logic.
    differing : the claims that state something else than their theorem, or more.
    """

    obstacle: str = ""
    axioms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    differing: frozenset[str] = frozenset()

    def stands(self, theorem: Theorem) -> bool:
        """Whether it was compiled, rests on its listed axioms alone, and is about the claim's own numbers."""
        found = self.axioms.get(theorem.qualified)
        return found is not None and set(found) <= set(theorem.axioms) and theorem.claim not in self.differing


def recheck(progress: Progress = silent) -> Recheck:
    """Compile the formal files, ask what every theorem rests on, and compare it with what its claim states.

    Raises
    ------
    InternalError : a file does not compile.
    """
    if shutil.which("coqc") is None:
        return Recheck(f"Rocq is not installed here ({INSTALL})")
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
    axioms = {
        theorem.qualified: found
        for group in together.values()
        for found in [axioms_of(group, COMPILED)]
        for theorem in group
    }
    progress("comparing the claims with the theorems")
    more = {one.claim for one in theorems() if one.claim and one.compared and not_compared(named(one.claim))}
    claims = [one.comparison.claim for one in compared() if not one.agrees(named(one.comparison.claim))]
    return Recheck("", axioms, frozenset({*more, *claims}))


def printed(theorem: Theorem, claim: Claim | None = None) -> str:
    """The formula that a theorem closes, in Gallina, as the claim says it now."""
    claim = claim or named(str(theorem.claim))
    return module(claim.id, {theorem.closes: claim.closed(theorem.closes)}, theorem.rational)


def write_stated() -> None:
    """Write `Stated.v`, every formula that is to be closed, unless it stands there already."""
    by_claim: dict[str, list[Theorem]] = defaultdict(list)
    for one in closing():
        by_claim[str(one.claim)].append(one)
    modules = [
        module(id, {one.closes: named(id).closed(one.closes) for one in some}, some[0].rational)
        for id, some in by_claim.items()
    ]
    text = "\n".join([*STATED_HEADER, *modules, ""])
    COMPILED.mkdir(exist_ok=True)
    stated = COMPILED / "Stated.v"
    if not stated.exists() or stated.read_text("utf-8") != text:
        stated.write_text(text, encoding="utf-8")


def closing() -> list[Theorem]:
    """The theorems whose statement is a printed formula of their claim."""
    return [one for one in theorems() if one.closes]


def closed_by(claim: Claim, name: str) -> Theorem | None:
    """The theorem that closes this formula of the claim, if the record has it as the claim says it now."""
    for one in closing():
        if (one.claim, one.closes) == (claim.id, name):
            return one if closures().get(one.qualified) == printed(one, claim) else None
    return None


def vouches(theorem: Theorem, sequent: Sequent) -> str:
    """What a closing theorem says of a claim, in a sentence."""
    free = {one.name for one in sequent.free}
    fractions = [name for name in theorem.rational.split() if name in free]
    what = (
        f", for {' and '.join(fractions)} of rational numbers with a common denominator" if fractions else ""
    )
    return f"Rocq proves the printed formula{what}: {theorem.qualified} (recorded; recheck: make formal)."


@cache
def digest() -> str:
    """The hash of all sources in Rocq."""
    whole = hashlib.sha256()
    for source in sorted(FOLDER.glob("*.v")):
        whole.update(f"{source.name} {hashlib.sha256(source.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def write_record() -> bool:
    """Keep what the theorems state and what they close, with the hash of the sources; whether it is new."""
    about = [one.qualified for one in theorems() if one.claim and not one.closes]
    asked = [line for number, name in enumerate(about) for line in (f"Check @{name}.", f"Compute {number}.")]
    told = re.split(
        r"^ {5}= \d+\n {5}: Z\n", _asked(["Set Printing Width 108.", *asked], COMPILED), flags=re.M
    )
    stated = {name: text.partition(":")[2].strip() for name, text in zip(about, told, strict=False)}
    closed = {one.qualified: printed(one) for one in closing()}
    whole = {"sources": digest(), "closed": closed, "theorems": stated}
    text = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    new = RECORD.read_text("utf-8") != text
    RECORD.write_text(text, encoding="utf-8")
    return new


@cache
def _record() -> Mapping[str, Any]:
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    return found if found["sources"] == digest() else {"closed": {}, "theorems": {}}


def recorded() -> Mapping[str, str]:
    """What the theorems state, if they were compiled from the sources that are here."""
    return {**_record()["theorems"], **_record()["closed"]}


def closures() -> Mapping[str, str]:
    """The printed formulas that were closed, by the theorem, from the sources that are here."""
    found: Mapping[str, str] = _record()["closed"]
    return found


@dataclass(frozen=True)
class Compared:
    """A comparison, and the values of the term in Rocq at random parameters."""

    comparison: Comparison
    proved: tuple[tuple[Mapping[str, int], Any], ...]

    def agrees(self, claim: Claim) -> bool:
        """Whether the claim says the same at all of them; where it says nothing it does not."""
        try:
            formulas = self.comparison.formulas(claim)
            return all(_same(self.comparison.stated(formulas, at), value) for at, value in self.proved)
        except (InvalidInput, KeyError, ZeroDivisionError):
            return False


def _same(stated: Any, proved: Any) -> bool:
    """Equal, or two balls that may hold the same number."""
    return bool(stated.overlaps(proved) if hasattr(stated, "overlaps") else stated == proved)


def compared(compiled: Path = COMPILED) -> list[Compared]:
    """All comparisons, at random parameters."""
    seeded = [(one, Random(f"{one.claim}: {one.formula}")) for one in comparisons()]
    drawn = [(one, [one.drawn(random) for _ in range(SAMPLES)]) for one, random in seeded]
    asked = [" :: ".join([*(f"({one.proved(at)})" for at in where), "nil"]) for one, where in drawn]
    return [
        Compared(one, tuple(zip(where, values, strict=True)))
        for (one, where), values in zip(drawn, evaluated(asked, compiled), strict=True)
    ]


def files() -> tuple[str, ...]:
    """The files that must be compiled for all this."""
    return tuple(sorted({theorem.file for theorem in theorems()}))


def evaluated(terms: Iterable[str], compiled: Path) -> list[Any]:
    """What closed terms evaluate to: integers, truth values, lists, and real numbers as balls."""
    answer = _asked([f"Compute {term}." for term in terms], compiled)
    return [_value(text) for text in re.findall(r"^ {5}= (.*?)\n {5}: ", answer, re.MULTILINE | re.DOTALL)]


def _value(text: str) -> Any:
    """The value of a term as Rocq prints it.

    >>> _value("true :: false :: nil")
    [True, False]
    >>> _value("Over (Whole (-1)) (Whole 4)")
    -0.250000000000000
    """
    tokens = re.findall(r"-?\d+|[A-Za-z_]\w*(?:\.\w+)*|::|[()]", re.sub(r"%\w+", "", text))
    tokens.reverse()
    return _list(tokens)


def _list(tokens: list[str]) -> Any:
    """One value, or several with :: between them and nil at the end; it takes its tokens from the end."""
    found = [_applied(tokens)]
    while tokens and tokens[-1] == "::":
        tokens.pop()
        found.append(_applied(tokens))
    if tokens:
        tokens.pop()  # the closing parenthesis
    return found[0] if len(found) == 1 else found[:-1]


def _applied(tokens: list[str]) -> Any:
    """A literal, or a constructor of RealStatements.v with its arguments."""
    parts = []
    while tokens and tokens[-1] not in ("::", ")"):
        token = tokens.pop()
        parts.append(_list(tokens) if token == "(" else token)
    head, *arguments = parts
    if arguments:
        return _constructors()[head.rpartition(".")[2]](*map(_literal, arguments))
    return _literal(head)


def _literal(word: Any) -> Any:
    """Truth values and integers; what is read already stays what it is."""
    if not isinstance(word, str):
        return word
    return {"true": True, "false": False, "nil": []}[word] if word.isalpha() else int(word)


@cache
def _constructors() -> dict[str, Callable[..., Any]]:
    """What the constructors in RealStatements.v stand for; a relation of balls is true if it is certain."""
    from flint import arb

    return {
        "Whole": arb,
        "Plus": operator.add,
        "Minus": operator.sub,
        "Times": operator.mul,
        "Over": operator.truediv,
        "Root": arb.sqrt,
        "Log": arb.log,
        "Abs": abs,
        "Decided": bool,
        "AtMost": operator.le,
        "Less": operator.lt,
        "Equal": operator.eq,
        "Both": operator.and_,
        "If": lambda premise, conclusion: not premise or conclusion,
    }


def axioms_of(chosen: Sequence[Theorem], compiled: Path) -> tuple[str, ...]:
    """The axioms that any of the theorems rests on: () if all are closed under the global context.

    One question for all of them, since each answer goes through all proofs beneath.
    """
    together = ", ".join(f"@{one.qualified}" for one in chosen)
    answer = _asked([f"Definition together := ({together}).", "Print Assumptions together."], compiled)
    if "Closed under the global context" in answer:
        return ()
    names = re.findall(r"^([^\s:]+)\s*(?::|$)", answer.partition("Axioms:")[2], re.MULTILINE)
    if not names:
        raise InternalError(f"neither axioms nor closed: {answer!r}")
    return tuple(names)


def _asked(lines: Sequence[str], compiled: Path) -> str:
    """What coqc prints for these lines."""
    stems = " ".join(Path(file).stem for file in files())
    header = [
        "From Coq Require Import ZArith List.",
        f"From TallyPlan Require {stems}.",
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


@cache
def _headlines() -> Any:
    return json.loads(HEADLINES.read_text())


def _closing(claim: Claim, name: str) -> tuple[str, str] | None:
    """The theorem that closes a formula of the claim, and what vouches for it."""
    theorem = closed_by(claim, name)
    return None if theorem is None else (theorem.qualified, vouches(theorem, claim.closed(name)))


CLOSINGS.append(_closing)
