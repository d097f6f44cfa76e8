"""Definition 1 and the definitions that it builds on: what they ask for, and what is missing.

Stated (label def:tallying_bandit). An m-memory bounded, g-restricted, h-tallying adversary; after playing a_t
the player observes a random variable in [0,1] with mean h_{a_t}(y_t), y_t being the tally. A sqrt(T)-cyclic
policy has pi_{k sqrt(T) + t} = pi_t.

Found. The definitions fit together: the tally is between 1 and m, and the loss depends on the last m actions
and not on the time; this is proved or counted. Two things are missing: T must be a square, and something
must be said about the dependence of the observations (`definition-1/independence`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.steps import Verdict
from proofs_check.ways.analysis import proof
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Definition 1 (def:tallying_bandit)"
TALLY_RANGE = Formula("1 <= y and y <= m")
LENGTHS = {1: 6, 2: 7, 3: 5}  # sequences of up to this many steps, for each K
MEMORIES = range(1, 5)

Window = tuple[int, ...]


@claim(
    "definition-1",
    statement=f"The loss h_(a_t)(y_t) is always defined: {TALLY_RANGE}; m = 1 is the stochastic bandit.",
    where=WHERE,
)
def definition_1(request: Request) -> Outcome:
    """The tally is 1 plus a count of at most min(t, m) - 1 earlier plays; z3. Constant play meets every y."""
    window = ["m >= 1", "t >= 1", "0 <= earlier", "earlier <= min(t, m) - 1", "y == 1 + earlier"]
    steps = [
        for_all("t m earlier y integer", given=window, then=str(TALLY_RANGE)),
        for_all("t m earlier y integer", given=[*window, "m == 1"], then="y == 1"),
        for_all(
            "y m integer",
            given=["1 <= y", "y <= m"],
            then="min(y, m) == y",
            words="constant play has the tally min(t, m), so it meets y = 1..m at t = 1..m",
        ),
    ]
    return proof(steps, "every K, m, t", method="z3", tight=Tight("every tally 1..m occurs", by_proof(steps)))


@claim(
    "definition-1/memory",
    statement="A tallying adversary is m-memory bounded: for t >= m only the last m actions matter.",
    where="Definition of m-memory bounded adversaries",
)
def memory(request: Request) -> Outcome:
    """Compare all sequences with equal last m actions, for losses that tell all cells apart; then m - 1."""
    sizes = [(K, m) for K in LENGTHS for m in MEMORIES]
    violation = next(filter(None, (_clash(K, m, m) for K, m in sizes)), None)
    shorter = {(K, m): _clash(K, m, m - 1) for K, m in sizes if K > 1 and m > 1}
    exact = all(clash and _clash_confirmed(clash) for clash in shorter.values())
    return Outcome(
        after_search(violation, _clash_confirmed),
        _box(),
        Evidence("all pairs of sequences with the same end", sum(K ** LENGTHS[K] for K, _ in sizes)),
        witness=violation,
        tight=Tight(
            "m exactly: m - 1 actions do not determine the loss if K, m >= 2", Verdict.CHECKED, shorter[2, 2]
        )
        if exact
        else None,
    )


def _clash(K: int, m: int, window: int) -> Witness | None:
    """Two sequences of m steps or more with the same last `window` actions and different losses."""
    bandit = _all_different(K, m)
    seen: dict[Window, tuple[Fraction, Window]] = {}
    for length in range(m, LENGTHS[K] + 1):
        for actions in product(range(K), repeat=length):
            end = actions[length - window :]
            loss, other = seen.setdefault(end, (_last_loss(bandit, actions), actions))
            if loss != _last_loss(bandit, actions):
                return Witness({"one": other, "other": actions}, bandit)
    return None


def _all_different(K: int, m: int) -> TallyingBandit:
    """Losses that tell all cells apart."""
    return TallyingBandit([[Fraction(x * m + y, K * m) for y in range(m)] for x in range(K)])


def _last_loss(bandit: TallyingBandit, actions: Window) -> Fraction:
    return definitions.step_loss(bandit, actions, len(actions) - 1)


def _clash_confirmed(witness: Witness) -> bool:
    """By the loss of the instance itself, on the last m actions."""
    bandit, m = witness.bandit, witness.bandit.memory if witness.bandit else 0
    one, other = witness.facts["one"], witness.facts["other"]
    return bandit is not None and bandit.loss(one[-m:]) != bandit.loss(other[-m:])


def _box() -> str:
    return "K = 1..3, m = 1..4, all sequences of up to " + "/".join(map(str, LENGTHS.values())) + " steps"


@claim(
    "definition-1/restricted",
    statement="A tallying adversary is g-restricted: the loss of a window does not depend on the time.",
    where="Definitions of g-restricted and of h-tallying adversaries",
)
def restricted(request: Request) -> Outcome:
    """Put every window of at most m actions at every time it can have; reorder its past as well."""
    violation, cases = None, 0
    for K, m in ((K, m) for K in LENGTHS for m in MEMORIES):
        request.progress(f"definition-1/restricted: K = {K}, m = {m}")
        for actions, window in _windows(K, m):
            cases += 1
            bandit = _all_different(K, m)
            base = bandit.losses[window[-1]][window.count(window[-1]) - 1]
            if violation is None and _last_loss(bandit, actions) != base:
                violation = Witness({"one": actions, "other": window}, bandit)
    return Outcome(
        after_search(violation, _clash_confirmed),
        _box(),
        Evidence("every window at every time, against its base function", cases),
        witness=violation,
    )


def _windows(K: int, m: int) -> Iterator[tuple[Window, Window]]:
    """Every sequence and the window of its last step."""
    for length in range(1, LENGTHS[K] + 1):
        for actions in product(range(K), repeat=length):
            yield actions, actions[max(0, length - m) :]


@claim(
    "definition-1/cyclic",
    statement="For any T: pi is sqrt(T)-cyclic if pi_(k sqrt(T) + t) = pi_t, 1 <= t <= sqrt(T), k < sqrt(T).",
    where="Section 4.1, before Algorithm 1",
)
def cyclic(request: Request) -> Outcome:
    """The indices must be the integers 1..T: they are for squares (z3); the smallest other T is a witness."""
    box = range(1, 101)
    root = {T: next((L for L in box if L * L >= T), 0) for T in box}
    bad = [T for T in box if root[T] ** 2 != T]
    once = for_all(
        "k d L t u integer",
        given=["L >= 1", "1 <= t", "t <= L", "1 <= u", "u <= L", "k * L + t == d * L + u"],
        then="k == d and t == u",
        words="for L = sqrt(T) an integer, k L + t takes every value 1..T once",
    )
    rest = for_all(
        "L T real",
        given=["L >= 1", "L * L <= T", "T <= (L + 1)**2 - 1"],
        then="T - L * L <= 2 * L",
        words="T - L**2 <= 2 L for L = floor(sqrt(T))",
    )
    return Outcome(
        Verdict.REFUTED if bad and once.holds else Verdict.UNDECIDED,
        "T a square",
        Evidence("z3, and T = 1..100", len(box), (once, rest)),
        witness=Witness({"T": bad[0], "k": 1, "t": 1, "index": "1 + sqrt(2)"}) if bad else None,
        tight=Tight("T a square, exactly", by_proof([once])),
        repair=Repair(
            "T a square; otherwise play floor(sqrt(T))**2 steps, and at most 2 sqrt(T) are left.",
            by_proof([once, rest]),
        ),
    )
