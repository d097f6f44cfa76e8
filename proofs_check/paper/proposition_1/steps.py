"""Proposition 1, two steps of the proof of the lower bound: the optimum of the construction, and "K large".

Stated. The optimal policy always plays x* and loses precisely m - 1. And mK/64 - (m - 1) >= mK/128, where K
is larger than some numerical constant.

Shown. Both hold; the second exactly for K >= ceil(128 (m - 1)/m), so that 128 will do, and nothing less, for
all m.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from proofs_check import definitions
from proofs_check.boxes import needle, span
from proofs_check.certified import optimum
from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.repeated_words import Affine, losses_forever
from proofs_check.steps import Verdict
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import counterexample, for_all, identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

WHERE = "Proposition 1, proof of the lower bound (prop1)"
OPTIMUM = Formula("m - 1")
OPTIMUM_SINCE = Formula("m - 1")
LARGE_K = Formula("m * K / 64 - (m - 1) >= m * K / 128")
LARGE_K_EXACT = Formula("ceil(128 * (m - 1) / m)")


@claim(
    "proposition-1-lower/optimum",
    statement=(
        "If h_{x*}(y) = 1 for y < m, h_{x*}(m) = 0 and h_x = 1 for x != x*, then the optimal policy "
        f"always plays x*, and its cumulative loss is precisely {OPTIMUM}."
    ),
    where=WHERE,
)
def lower_optimum(request: Request) -> Outcome:
    """Nobody can lose less than 1 before step m; always x* loses m - 1 for every T >= m - 1 on a box."""
    actions, memories = range(1, 5), range(1, 7 if request.thorough else 6)
    sizes = [(K, m) for K in actions for m in memories]
    failing = next((size for size in sizes if not _optimum_holds(*size)), None)
    witness = _optimum_fails(*failing) if failing else None
    earlier = all(optimum(needle(K, m), T) == T for K, m in sizes for T in range(m))
    steps = [
        for_all(
            "t y m integer",
            given=["t <= m - 1", "y <= t"],
            then="y < m",
            words="in the first m - 1 steps no tally is m, so every policy loses m - 1 there",
        ),
        for_all(
            "t y m integer",
            given=["t >= m", "y == min(t, m)"],
            then="y == m",
            words="always x* has tally min(t, m) at step t, so it loses nothing from step m on",
        ),
        identity(str(OPTIMUM), "m - 1", words=f"together: {OPTIMUM}, for T >= {OPTIMUM_SINCE}"),
    ]
    verdict = settled(witness, _optimum_differs, steps)
    return Outcome(
        verdict if failing is None or witness else Verdict.UNDECIDED,
        f"all K and m, every T >= {OPTIMUM_SINCE}",
        Evidence(
            f"for all T; closed walks and the planner for K = {span(actions)}, m = {span(memories)}",
            len(sizes),
            tuple(steps),
        ),
        witness=witness,
        tight=Tight(f"OPT_T = min(T, {OPTIMUM}): precisely {OPTIMUM} from T = {OPTIMUM_SINCE} on", verdict)
        if earlier and verdict is Verdict.ARGUED
        else None,
    )


@claim(
    "proposition-1-lower/large-K",
    statement=f"{LARGE_K}, where K is larger than some numerical constant.",
    where=WHERE,
)
def large_number_of_actions(request: Request) -> Outcome:
    """Ask z3 for a counterexample with K >= 128; find the exact K for each m, and that 128 is needed."""
    enough = for_all("m K real", given=["m >= 1", "K >= 128"], then=str(LARGE_K))
    exactly = [
        for_all("m K real", given=["m >= 1", "K >= 128 * (m - 1) / m"], then=str(LARGE_K)),
        for_all("m K real", given=["m >= 1", "K < 128 * (m - 1) / m"], then=f"not ({LARGE_K})"),
    ]
    needed = counterexample("m K integer", given=["m >= 1", "K >= 127", "m <= 129"], then=str(LARGE_K))
    least = {m: int(LARGE_K_EXACT(m=m)) for m in (1, 2, 3, 10, 129)}
    found = {m: next(K for K in range(200) if LARGE_K.holds(m=m, K=K)) for m in least}
    right = all(found[m] == ceil(Fraction(128 * (m - 1), m)) == least[m] for m in least)
    shown = ", ".join(f"{max(1, value)} for m = {m}" for m, value in found.items())
    return Outcome(
        by_proof([enough]),
        "K >= 128, for all m",
        Evidence("z3, for all real values; the least K for some m by trying", len(least), (enough, *exactly)),
        tight=Tight(
            f"K >= {LARGE_K_EXACT}, exactly: {shown} and beyond",
            by_proof(exactly),
            Witness(dict(needed)) if needed else None,
        )
        if right and by_proof(exactly) is Verdict.ARGUED
        else None,
    )


def _optimum_holds(actions: int, memory: int) -> bool:
    bandit = needle(actions, memory)
    loss, since = OPTIMUM(m=memory), int(OPTIMUM_SINCE(m=memory))
    always = losses_forever(bandit, [0]).always(Affine(0, loss), since=max(1, since))
    return always and optimum(bandit, since) == loss == replay(bandit, [0] * since)


def _optimum_fails(actions: int, memory: int) -> Witness | None:
    """The smallest horizon at which the definitions contradict the formula."""
    bandit = needle(actions, memory)
    horizons = range(max(1, int(OPTIMUM_SINCE(m=memory))), memory + 3)
    optima = {T: definitions.optimum(bandit, T) for T in horizons}
    failing = next((T for T, least in optima.items() if least != OPTIMUM(m=memory)), None)
    return None if failing is None else Witness({"horizon": failing, "optimum": optima[failing]}, bandit)


def _optimum_differs(witness: Witness) -> bool:
    assert isinstance(witness.bandit, TallyingBandit)
    least = definitions.optimum(witness.bandit, witness.facts["horizon"])
    return bool(least != OPTIMUM(m=witness.bandit.memory))
