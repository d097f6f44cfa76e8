"""Writing certificates, the documents that `tallyplan.check` verifies (docs/certificates.md).

A *proof* says why nothing is below the lower end of an answer. It is data, with its words and with the form
in which a certificate has it. Solvers make proofs; nothing else in the project knows how they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from tallyplan import __version__
from tallyplan.model.graph import Array
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text

if TYPE_CHECKING:
    from tallyplan.model.weighted_graph import WeightedGraph

FORMAT = "tallyplan-certificate"
VERSION = 1
ARMS_NAMED = 20  # of those that a proof does without; of more only the number

Dual = Mapping[str, Any]  # the dual side of a certificate, JSON


class Proof(Protocol):
    """Why nothing is below the lower end of an answer."""

    @property
    def method(self) -> str:
        """The name of the method."""

    @property
    def argument(self) -> str:
        """The proof in words."""

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""


@dataclass(frozen=True)
class PotentialsOnHistories:
    """scale*(loss - mean) + potentials[successor] - potentials[state] >= 0 on every edge, states by code."""

    scale: int
    potentials: Array = field(repr=False)

    @property
    def method(self) -> str:
        """The name of the method."""
        return "potentials"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"potentials on {len(self.potentials)} histories, verified on every edge"

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""
        return {"scale": self.scale, "potentials": self.potentials.tolist()}


@dataclass(frozen=True)
class Recursion:
    """The Bellman recursion, which the checker carries out itself, with its short cuts (t, p, k)."""

    jumps: tuple[tuple[int, int, int], ...]

    @property
    def method(self) -> str:
        """The name of the method."""
        return "recursion"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"the Bellman recursion over all histories, short cuts: {len(self.jumps)}"

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""
        return {"jumps": [list(jump) for jump in self.jumps]}


@dataclass(frozen=True)
class Potentials:
    """scale*(loss - mean) + values[successor] - values[state] >= 0 on every edge that is left."""

    mean: Fraction
    scale: int
    values: Array = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """As a certificate has them."""
        return {"mean": text(self.mean), "scale": self.scale, "values": self.values.tolist()}


@dataclass(frozen=True)
class Stage:
    """No closed walk of length L through `root`, avoiding earlier roots, beats the answer.

    `potentials` is an index; `repeat` = (t, p) says that the tables of the times t and t + p are equal.
    """

    root: int
    potentials: int
    repeat: tuple[int, int] | None

    def to_json(self) -> dict[str, Any]:
        """As a certificate has it."""
        stage: dict[str, Any] = {"root": self.root, "potentials": self.potentials, "home": True}
        return stage if self.repeat is None else stage | {"repeat": list(self.repeat)}


@dataclass(frozen=True)
class RemovedRoots:
    """The roots that were removed, and the potentials; the last ones bound the mean of what is left."""

    potentials: tuple[Potentials, ...]
    stages: tuple[Stage, ...]

    @property
    def method(self) -> str:
        """The name of the method."""
        return "stages"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"removed histories: {len(self.stages)}, vectors of potentials: {len(self.potentials)}"

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""
        return {
            "potentials": [potentials.to_json() for potentials in self.potentials],
            "stages": [stage.to_json() for stage in self.stages],
        }


@dataclass(frozen=True)
class WrittenProof:
    """A proof given by its dual side."""

    dual: Dual

    @property
    def method(self) -> str:
        """The name of the method."""
        return str(self.dual["method"])

    @property
    def argument(self) -> str:
        """The proof in words."""
        return in_words(self.dual)

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""
        return dict(self.dual)


@dataclass(frozen=True)
class ReducedProof:
    """A proof about the arms that are left after some steps, as one about all arms."""

    steps: Sequence[Dual]
    proof: Proof

    @property
    def method(self) -> str:
        """The name of the method."""
        return str(self.steps[0]["method"])

    @property
    def argument(self) -> str:
        """The proof in words."""
        return "; ".join([*map(_arms_in_words, self.steps), self.proof.argument])

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""
        return about_all_arms(self.steps, self.proof.to_json())


def about_all_arms(steps: Sequence[Dual], dual: Dual) -> dict[str, Any]:
    """The dual side about the arms that are left after these steps, as one about all arms."""
    for step in reversed(steps):
        dual = {**step, "proof": dict(dual)}
    return dict(dual)


_WORDS: dict[str, Callable[[Dual], str]] = {
    "least-loss": lambda dual: "no loss of the table is smaller",
    "two-arms": lambda dual: f"two arms: a potential given by {_slopes(dual['slopes'])}",
    "per-arm": lambda dual: f"a price per step, and a bound for each of {len(dual['excesses'])} arms alone",
    "tallies": lambda dual: f"slopes, and potentials on {len(dual['potentials'])} vectors of tallies",
    "separable": lambda dual: f"slopes and charges for each of {len(dual['slopes'])} arms",
    "counts": lambda dual: "while nothing leaves the window only counts matter: a knapsack",
    "direct": lambda dual: "all ways to begin were tried, the rest by counts",
    "mean-cycle": lambda dual: (
        f"at least {dual['mean']} per step in the long run ({in_words(dual['proof'])}), less at the ends"
    ),
    "fewer-arms": lambda dual: f"{_arms_in_words(dual)}; {in_words(dual['proof'])}",
    "cheap-arms": lambda dual: f"{_arms_in_words(dual)}; {in_words(dual['proof'])}",
}


def in_words(dual: Dual) -> str:
    """A proof in words, from its dual side."""
    return _WORDS[dual["method"]](dual)


def _slopes(written: list[str]) -> str:
    slopes = [Fraction(slope) for slope in written]
    rising = slopes == sorted(slopes)
    return f"{len(slopes)} slopes (two-arm theorem, {'rising' if rising else 'any'} slopes)"


def _arms_in_words(step: Dual) -> str:
    if "kept" in step:
        return f"{_counted(len(step['kept']), 'action')} enough, since the others are dearer"
    removed = step["removed"]
    if len(removed) > ARMS_NAMED:
        return f"without {len(removed)} actions that others replace"
    named = ", ".join(f"{x} (by {z})" for x, z in removed)
    return f"without the {'action' if len(removed) == 1 else 'actions'} {named}"


def _counted(count: int, what: str) -> str:
    return f"1 {what} is" if count == 1 else f"{count} {what}s are"


def document(
    bandit: Bandit, *, claim: dict[str, Any], value: Fraction, primal: dict[str, Any], dual: dict[str, Any]
) -> dict[str, Any]:
    """A certificate about an instance."""
    claim = claim | {"value": text(value)}
    return certificate_about(
        "instance", bandit.to_json(), bandit.sha256(), claim=claim, primal=primal, dual=dual
    )


def of_interval(
    bandit: Bandit,
    lower: Fraction,
    upper: Fraction,
    *,
    claim: dict[str, Any],
    primal: dict[str, Any],
    proof: Proof,
) -> dict[str, Any]:
    """A certificate that an optimum lies in [lower, upper]; the lower end is written where they differ."""
    interval = {} if lower == upper else {"lower": text(lower)}
    return document(bandit, claim=claim | interval, value=upper, primal=primal, dual=proof.to_json())


def of_graph(
    graph: WeightedGraph, value: Fraction, cycle: Sequence[int], scale: int, potentials: Sequence[int]
) -> dict[str, Any]:
    """A certificate of the minimum mean cycle of an explicit graph; its size is that of the graph."""
    return certificate_about(
        "graph",
        graph.to_json(),
        graph.sha256(),
        claim={"question": "graph-mean-cycle", "value": text(value)},
        primal={"cycle": list(cycle)},
        dual={"scale": scale, "potentials": list(potentials)},
    )


def certificate_about(
    kind: str,
    body: dict[str, Any],
    sha256: str,
    *,
    claim: dict[str, Any],
    primal: dict[str, Any],
    dual: dict[str, Any],
) -> dict[str, Any]:
    """A certificate about an instance, a game or a graph, which is written under the name of its kind."""
    return {
        "format": FORMAT,
        "version": VERSION,
        kind: body,
        "claim": claim,
        "primal": primal,
        "dual": dual,
        "provenance": {"program": "tallyplan", "version": __version__, f"{kind}_sha256": sha256},
    }
