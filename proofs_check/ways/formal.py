"""Theorems proved in Rocq: which claim each one supports, and whether it speaks of the same numbers.

`proofs_check/formal/headlines.json` lists the theorems with the claims they support, and comparisons: a
formula of a claim next to the Rocq function that stands in the theorem. Both are evaluated at random
parameters, so that a statement that was changed on one side only is noticed.

`coqc` is asked what a term evaluates to, and which axioms a theorem rests on. `recheck` does all of it: it
compiles the files, and says of each claim which theorems stand.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from proofs_check.claim import named
from tallyplan.errors import InternalError
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent

FOLDER = Path(__file__).parent.parent / "formal"
HEADLINES = FOLDER / "headlines.json"
COMPILED = FOLDER / "_build"
SAMPLES = 20  # random parameters at which a formula is compared with the function in a theorem
INSTALL = "apt install coq ocaml-findlib libzarith-ocaml-dev, on Debian"


@dataclass(frozen=True)
class Theorem:
    """A theorem `name` in `file`, in words, the claim it supports if any, and the axioms it may use.

    role : what it is to the claim: the `statement` itself, a `part` of it, what is `tight`, a `refutation`
        or a `repair`; without a claim, a `rule` of the checker or a `statement` of our own.
    """

    claim: str | None
    role: str
    file: str
    name: str
    says: str
    axioms: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        """As Rocq knows it."""
        return f"{Path(self.file).stem}.{self.name}"


@dataclass(frozen=True)
class Comparison:
    """A formula of a claim, and the Rocq term that must equal it times a factor.

    Attributes
    ----------
    formula : the name of the formula in its claim, or `module:NAME` of one that the claim is made of.
    given : the value of each of its parameters, as formulas in the drawn ones.
    times : the factor, as a formula in the drawn parameters.
    term : the Rocq term, with the drawn parameters in braces.
    ranges : from where to where each parameter is drawn.
    """

    claim: str
    formula: str
    given: Mapping[str, str]
    times: str
    term: str
    ranges: Mapping[str, tuple[int, int]]

    def drawn(self, random: Random) -> dict[str, int]:
        """Values of the parameters."""
        return {name: random.randint(*ends) for name, ends in self.ranges.items()}

    def stated(self, values: Mapping[str, int]) -> Fraction:
        """What the Python formula says, times the factor."""
        module, _, name = self.formula.rpartition(":")
        formula = getattr(import_module(module), name) if module else named(self.claim).formula(name)
        value = formula(**{inner: Formula(text)(**values) for inner, text in self.given.items()})
        return Fraction(value) * Formula(self.times)(**values)

    def proved(self, values: Mapping[str, int]) -> str:
        """The Rocq term at these values."""
        return self.term.format(**{name: f"({value})" for name, value in values.items()})


def theorems() -> tuple[Theorem, ...]:
    """All headline theorems."""
    return tuple(
        Theorem(
            one["claim"], one["role"], one["file"], one["name"], one["says"], tuple(one.get("axioms", ()))
        )
        for one in _headlines()["theorems"]
    )


def comparisons() -> tuple[Comparison, ...]:
    """All comparisons of a formula with a Rocq function."""
    return tuple(
        Comparison(
            one["claim"],
            one["formula"],
            one["given"],
            one.get("times", "1"),
            one["term"],
            {name: (low, high) for name, (low, high) in one["ranges"].items()},
        )
        for one in _headlines()["comparisons"]
    )


@dataclass(frozen=True)
class Recheck:
    """What became of the theorems on this machine.

    Attributes
    ----------
    obstacle : why nothing was rechecked; empty if all was.
    axioms : of each theorem that was rechecked, what it rests on beyond Rocq's logic.
    differing : the claims that state another number than their theorem.
    """

    obstacle: str = ""
    axioms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    differing: frozenset[str] = frozenset()

    def stands(self, theorem: Theorem) -> bool:
        """Whether it was compiled, rests on its listed axioms alone, and is about the claim's own numbers."""
        found = self.axioms.get(theorem.qualified)
        return found is not None and set(found) <= set(theorem.axioms) and theorem.claim not in self.differing

    def settles(self, claim: str, role: str) -> bool:
        """Whether the claim has theorems of this role, all of which stand."""
        chosen = [one for one in theorems() if (one.claim, one.role) == (claim, role)]
        return bool(chosen) and all(map(self.stands, chosen))


def recheck(progress: Progress = silent) -> Recheck:
    """Compile the formal files, ask what every theorem rests on, and compare it with what its claim states.

    Raises
    ------
    InternalError : a file does not compile.
    """
    if shutil.which("coqc") is None:
        return Recheck(f"Rocq is not installed here ({INSTALL})")
    progress("compiling the formal proofs")
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
    return Recheck("", axioms, frozenset(one.claim for one in differences(Random("recheck"))))


def differences(random: Random, compiled: Path = COMPILED) -> list[Comparison]:
    """The comparisons whose two sides differ at some of the drawn parameters."""
    drawn = [(one, one.drawn(random)) for one in comparisons() for _ in range(SAMPLES)]
    values = evaluated([one.proved(at) for one, at in drawn], compiled)
    return [one for (one, at), value in zip(drawn, values, strict=True) if one.stated(at) != value]


def files() -> tuple[str, ...]:
    """The files that must be compiled for all this."""
    return tuple(sorted({theorem.file for theorem in theorems()}))


def evaluated(terms: Iterable[str], compiled: Path) -> list[int]:
    """The integers that closed terms evaluate to; `compiled` holds the compiled files."""
    answer = _asked([f"Compute {term}." for term in terms], compiled)
    return [int(value) for value in re.findall(r"^ +=\s+\(?(-?\d+)", answer, re.MULTILINE)]


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
    ]
    with TemporaryDirectory() as folder:
        source = Path(folder) / "Asked.v"
        source.write_text("\n".join([*header, "Open Scope Z_scope.", *lines]))
        command = ["coqc", "-q", "-R", str(compiled), "TallyPlan", str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InternalError(f"coqc refuses: {done.stderr}")
    return done.stdout


def _headlines() -> Any:
    return json.loads(HEADLINES.read_text())
