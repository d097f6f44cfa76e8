"""Does this installation work? `python -m tallyplan.selftest`, anywhere, without the repository.

Small instances of every kind are planned, and the certificate of each answer goes through the checker, which
proves the answer without the compiled code; with a smaller value it must be refused. The exit status is 1 if
anything is wrong, and a line says what.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from random import Random

from tallyplan.check import check
from tallyplan.model.families import make
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.kinds import WindowBandit
from tallyplan.model.rationals import text
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

SIZES = ((1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (2, 9))  # (K, m)


def instances() -> Iterator[Bandit]:
    """Tables of zeros, of ones and of random tenths, and the other kinds; the same in every run."""
    random = Random("tallyplan")

    def tenths(count: int) -> list[Fraction]:
        return [Fraction(random.randrange(11), 10) for _ in range(count)]

    for K, m in SIZES:
        yield from (TallyingBandit([[loss] * m] * K) for loss in (0, 1))
        yield from (TallyingBandit([tenths(m) for _ in range(K)]) for _ in range(4))
        yield WindowBandit(K, [tenths(K**length) for length in range(1, m + 1)])
        yield make("weighted-recency", actions=K, memory=m)
        yield make("recharging", actions=K, states=m)


def wrong_answers() -> Iterator[str]:
    """What is wrong with the planner or the checker."""
    for bandit in instances():
        for answer in (
            optimal_plan(bandit, 1000),
            optimal_cyclic_policy(bandit, 60),
            minimum_mean_cycle(bandit),
        ):
            name, certificate = f"{type(answer).__name__} of {bandit.to_json()}", answer.certificate
            if check(certificate, instance=bandit).status != "accepted":
                yield f"{name}: the checker does not accept the certificate."
            too_small = certificate["claim"] | {"value": text(answer.value - 1)}
            if check(certificate | {"claim": too_small}).status != "refused":
                yield f"{name}: the checker does not refuse a value that is too small."


if __name__ == "__main__":
    wrong = "\n".join(wrong_answers())
    print(wrong or "tallyplan works: answers, certificates and checker are as they should be.")
    sys.exit(bool(wrong))
