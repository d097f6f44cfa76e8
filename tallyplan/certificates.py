"""Writing certificates, the documents that `tallyplan.check` verifies (docs/certificates.md).

A *proof* says why nothing is below the lower end of an answer. It is data, with its words and with the form
in which a certificate has it. Solvers make proofs; nothing else in the project knows how they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from tallyplan import __version__
from tallyplan.limits import require_memory
from tallyplan.model.files import sha256_of
from tallyplan.model.graph import Array
from tallyplan.model.instance import FOR_PEOPLE, Bandit
from tallyplan.model.rationals import text

FORMAT = "tallyplan-certificate"
VERSION = 2
UNLIMITED = 10**30  # steps of the checker, when a solver asks it about a proof of its own
ARMS_NAMED = 20  # of those that a proof does without; of more only the number

Dual = Mapping[str, Any]  # the dual side of a certificate, JSON


@dataclass(frozen=True, eq=False)
class Proof:
    """Why nothing is below the lower end of an answer: the dual side of a certificate, and its words.

    Vectors over the states stay arrays until the certificate is written; `states` is what people call them.
    """

    dual: Dual = field(repr=False)
    states: str = "histories"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return in_words(self.dual, self.states)

    def to_json(self) -> dict[str, Any]:
        """The dual side of a certificate."""
        return dict(_as_json(self.dual))


def _as_json(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {name: _as_json(inside) for name, inside in part.items()}
    if isinstance(part, list | tuple):
        return [_as_json(inside) for inside in part]
    if not hasattr(part, "tolist"):
        return part
    require_memory(100 * part.size, "numbers in its certificate", part.size)  # as integers and as text
    return part.tolist()


class Potentials(NamedTuple):
    """scale*(loss - mean) + values[successor] - values[state] >= 0 on every edge that is left."""

    mean: Fraction
    scale: int
    values: Array

    @property
    def dual(self) -> dict[str, Any]:
        """As a certificate has them."""
        return {"rule": "potential", "scale": self.scale, "values": self.values}


def recursion(jumps: Iterable[tuple[int, int, int]], over: str = "histories") -> dict[str, Any]:
    """The Bellman recursion, which the checker carries out itself, with its periodic jumps (t, p, k)."""
    return {"rule": "recursion", "over": over, "jumps": [list(jump) for jump in jumps]}


def removed_roots(first: Potentials, roots: Sequence[tuple[int, ...]], last: Potentials) -> dict[str, Any]:
    """No closed walk of length L through a root, avoiding the earlier roots, beats the answer.

    Of a root (root, t, p) the tables of the times t and t + p are equal; p = 0: that is not known. The last
    potentials bound the mean of what is left.
    """
    if not roots:
        return last.dual
    cases = [{"root": root} | ({"repeat": [time, period]} if period else {}) for root, time, period in roots]
    stage = {"mean": text(first.mean), "scale": first.scale, "values": first.values, "roots": cases}
    return {"rule": "cases", "stages": [stage], "proof": last.dual}


def potential_by_slopes(
    slopes: Sequence[Sequence[Fraction]], charges: Sequence[Sequence[Fraction]]
) -> dict[str, Any]:
    """The potential that is a sum over the arms; m-1 slopes and m charges for each."""
    rows = {"slopes": slopes, "charges": charges}
    return {"rule": "potential"} | {name: [list(map(text, row)) for row in rows[name]] for name in rows}


ZERO: Dual = {"rule": "potential"}
"""No loss is smaller."""
OVER_COUNTS: Dual = {"rule": "recursion", "over": "counts"}
"""What leaves the window was tried, the rest was counted."""


def proves(bandit: Bandit, mean: Fraction, dual: Dual) -> bool:
    """Whether the checker takes the dual side as a proof that no policy loses less than `mean` per step."""
    from tallyplan.check.reading import Refused

    goal, meter = _goal(bandit, mean)
    try:
        goal.prove(dict(dual), meter)
    except Refused:
        return False
    return True


def closing_bound(
    bandit: Bandit, start: Sequence[int], horizon: int, mean: Fraction, proof: Dual
) -> Fraction:
    """What the checker's rule `close` proves of `horizon` steps after `start`, if `proof` proves the mean."""
    from tallyplan.check.close import least_total

    goal, meter = _goal(bandit, mean, horizon=horizon, start=tuple(start))
    return least_total(goal, mean, dict(proof), meter)


def _goal(bandit: Bandit, mean: Fraction, **question: Any) -> tuple[Any, Any]:
    """A question as the checker reads it, and a meter for the steps of its answer."""
    from tallyplan.check.problem import Goal, read_instance
    from tallyplan.check.reading import Meter

    meter = Meter(UNLIMITED)
    return Goal(read_instance(bandit.to_json(), meter), mean, **question), meter


def in_words(dual: Dual, states: str = "histories") -> str:
    """A proof in words, from its dual side."""
    match dual:
        case {"rule": "potential", "slopes": slopes}:
            return f"a potential with slopes and charges for each of {len(slopes)} actions"
        case {"rule": "potential", "values": values}:
            return f"potentials on {len(values)} {states}, verified on every edge"
        case {"rule": "potential"}:
            return "no loss of the table is smaller"
        case {"rule": "longest-walk", "values": values}:
            return f"the longest walks from {len(values)} {states}, verified on every edge"
        case {"rule": "recursion", "over": "counts"}:
            return "what leaves the window was tried, the rest was counted"
        case {"rule": "recursion", "jumps": jumps}:
            return f"the Bellman recursion over all {states}, {_counted(len(jumps), 'periodic jump')}"
        case {"rule": "cases", "stages": stages, "proof": proof}:
            roots = _counted(sum(len(stage["roots"]) for stage in stages), "removed root")
            return f"{roots}; then {in_words(proof, states)}"
        case {"rule": "close", "mean": mean, "proof": proof}:
            return f"at least {mean} per step in the long run ({in_words(proof)}), less at the ends"
        case _:
            return f"{_arms_in_words(dual)}; {in_words(dual['proof'], states)}"


def _arms_in_words(step: Dual) -> str:
    if "kept" in step:
        kept = len(step["kept"])
        return f"{_counted(kept, 'action')} {'is' if kept == 1 else 'are'} enough, since the others lose more"
    replaced = step["replaced"]
    if len(replaced) > ARMS_NAMED:
        return f"without {len(replaced)} actions that others replace"
    named = ", ".join(f"{x} (by {z})" for x, z in replaced)
    return f"without the {'action' if len(replaced) == 1 else 'actions'} {named}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def document(
    kind: str, body: dict[str, Any], *, claim: dict[str, Any], primal: Dual, dual: Dual
) -> dict[str, Any]:
    """A certificate about an instance, a game or a graph, which is written under the name of its kind.

    Its hash is that of the mathematics: names and units are for people.
    """
    mathematics = {key: part for key, part in body.items() if key not in FOR_PEOPLE}
    return {
        "format": FORMAT,
        "version": VERSION,
        kind: body,
        "claim": claim,
        "primal": dict(primal),
        "dual": dict(dual),
        "provenance": {
            "program": "tallyplan",
            "version": __version__,
            f"{kind}_sha256": sha256_of(mathematics),
        },
    }
