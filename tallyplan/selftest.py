"""Does this installation work? `python -m tallyplan.selftest`, anywhere, without the repository.

Small instances of every kind are planned; each answer is compared with the definition, all sequences tried,
and its certificate goes through the checker, as it is and with a smaller value. The exit status is 1 if
anything is wrong, and a line says what.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random

from tallyplan.answers import Answer
from tallyplan.check import check
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.kinds import WeightedTallyBandit, WindowBandit
from tallyplan.model.rationals import text
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

SIZES = ((1, 3), (2, 1), (2, 2), (2, 3), (3, 2))  # (K, m)
HORIZON, PERIOD = 6, 5


def instances() -> Iterator[Bandit]:
    """Tables of zeros, of ones and of random tenths, and the two wider kinds; the same in every run."""
    random = Random("tallyplan")

    def tenths(count: int) -> list[Fraction]:
        return [Fraction(random.randrange(11), 10) for _ in range(count)]

    for K, m in SIZES:
        yield from (TallyingBandit([[loss] * m] * K) for loss in (0, 1))
        yield from (TallyingBandit([tenths(m) for _ in range(K)]) for _ in range(4))
        yield WindowBandit(K, [tenths(K**length) for length in range(1, m + 1)])
    yield WeightedTallyBandit(["1", "1/2"], [dict(zip(("1", "3/2"), tenths(2), strict=True)) for _ in "01"])


def answers(bandit: Bandit) -> Iterator[tuple[Answer, Fraction]]:
    """The three questions answered, and what trying everything says."""
    K, histories = bandit.actions, bandit.actions ** (bandit.memory - 1)
    plans = product(range(K), repeat=HORIZON)
    yield optimal_plan(bandit, HORIZON), min(_loss(bandit, plan, 0) for plan in plans)
    yield optimal_cyclic_policy(bandit, PERIOD), _least_mean(bandit, [PERIOD])
    yield minimum_mean_cycle(bandit), _least_mean(bandit, range(1, histories + 1))  # simple cycles


def _loss(bandit: Bandit, actions: Sequence[int], since: int) -> Fraction:
    """The loss of the steps from `since` on, by the definition."""
    windows = (actions[max(0, t + 1 - bandit.memory) : t + 1] for t in range(since, len(actions)))
    return sum((bandit.loss(tuple(window)) for window in windows), Fraction(0))


def _least_mean(bandit: Bandit, lengths: Sequence[int]) -> Fraction:
    words = (word for length in lengths for word in product(range(bandit.actions), repeat=length))
    m = bandit.memory
    return min(_loss(bandit, word * (m + 1), m * len(word)) / len(word) for word in words)


def wrong_answers() -> Iterator[str]:
    """What is wrong with the planner or the checker."""
    for bandit in instances():
        for answer, least in answers(bandit):
            name = f"{type(answer).__name__} of {bandit.to_json()}"
            if answer.value != least:
                yield f"{name}: {answer.value}, but the least of all is {least}."
            certificate = copy.deepcopy(answer.certificate)
            if check(certificate, instance=bandit).status != "accepted":
                yield f"{name}: the checker does not accept the certificate."
            certificate["claim"]["value"] = text(least - 1)
            if check(certificate).status != "refused":
                yield f"{name}: the checker does not refuse a value that is too small."


if __name__ == "__main__":
    wrong = "\n".join(wrong_answers())
    print(wrong or "tallyplan works: answers, certificates and checker are as they should be.")
    sys.exit(bool(wrong))
