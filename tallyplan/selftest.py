"""Does this installation work? `python -m tallyplan.selftest`, anywhere, without the repository.

Small instances of every kind are planned; each answer is compared with the definition, all sequences tried,
and its certificate goes through the checker, as it is and with a smaller value. Then the command line lets
ALG_det play, and examines some claims of the paper if proofs_check is installed too. The exit status is 1 if
anything is wrong, and a line says what.
"""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from importlib.util import find_spec
from itertools import product
from random import Random
from typing import Any

import typer

from tallyplan.answers import Answer
from tallyplan.check import check
from tallyplan.cli.common import reports_errors
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.kinds import WeightedTallyBandit, WindowBandit
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

SIZES = ((1, 3), (2, 1), (2, 2), (2, 3), (3, 2))  # (K, m)
HORIZON, PERIOD = 6, 5
PLAY = ("play", "alg-det", "-", "--horizon", "1000", "--json")
VERIFY = ("verify", "lemma-2", "lemma-3/lower-end", "counterexample-3", "lemma-4/five-s", "--json")


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
    yield (
        optimal_plan(bandit, HORIZON),
        min(_loss(bandit, word, 0) for word in product(range(K), repeat=HORIZON)),
    )
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
            name = f"{type(answer).__name__} of {json.dumps(bandit.to_json())}"
            if answer.value != least:
                yield f"{name}: {answer.value}, but the least of all is {least}."
            certificate = copy.deepcopy(answer.certificate)
            if check(certificate, instance=bandit).status != "accepted":
                yield f"{name}: the checker does not accept the certificate."
            false = least - 1
            certificate["claim"]["value"] = f"{false.numerator}/{false.denominator}"
            if check(certificate).status != "refused":
                yield f"{name}: the checker does not refuse a value that is too small."


def wrong_commands() -> Iterator[str]:
    """What is wrong with the commands."""
    played = _command(PLAY, json.dumps(TallyingBandit([["1/2", "1"], ["0", "1"]]).to_json()))
    if isinstance(played, str):
        yield played
    elif Fraction(played["regret"]) > 3:  # Proposition 1, sharp: min(T - m, mK - 1)
        yield f"ALG_det has the regret {played['regret']}, which is more than 3."
    if find_spec("proofs_check") and isinstance(found := _command(VERIFY), str):
        yield found


def _command(arguments: Sequence[str], given: str = "") -> Any:
    """What the command prints, as JSON; or a sentence if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "tallyplan", *arguments], input=given, capture_output=True, text=True
    )
    if done.returncode == 0:
        return json.loads(done.stdout)
    return f"tallyplan {' '.join(arguments)} ends with status {done.returncode}: {done.stderr.strip()}"


@reports_errors
def main() -> None:
    """Print what is wrong, or that nothing is."""
    wrong = [*wrong_answers(), *wrong_commands()]
    print(
        "\n".join(wrong)
        or "tallyplan works: answers, certificates, checker and commands are as they should be."
    )
    if wrong:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
