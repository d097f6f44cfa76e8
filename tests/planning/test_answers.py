"""One shape of answer: an interval with what attains it and a proof, whichever way it was found."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import tallyplan as tp
from tallyplan import InternalError, OnlyAnInterval, TallyingBandit

BANDIT = TallyingBandit([["0", "1/3", "1"], ["1/7", "1/2", "2/3"]])
OPEN = tp.make("uniform", actions=2, memory=12, seed=10)  # two-arm slopes do not close the interval
MANY_ROOTS = tp.make("uniform", actions=2, memory=9, seed=1)

QUESTIONS: dict[str, Callable[..., Any]] = {
    "plan on the graph": lambda bandit: tp.optimal_plan(bandit, 10**9),
    "plan without it": lambda bandit: tp.optimal_plan(bandit, 10**9, method="bounds"),
    "cycle on the graph": tp.minimum_mean_cycle,
    "cycle without it": lambda bandit: tp.minimum_mean_cycle(bandit, method="bounds"),
    "cyclic policy": lambda bandit: tp.optimal_cyclic_policy(bandit, 7),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("bandit", [BANDIT, OPEN])
def test_every_answer_has_two_ends_a_proof_in_words_and_a_certificate(ask, bandit):
    answer = ask(bandit)
    assert answer.lower <= answer.upper
    assert answer.exact == (answer.lower == answer.upper)
    assert answer.argument == answer.proof.argument != ""
    assert tp.check(answer.certificate).status == "accepted"
    assert ("lower" in answer.certificate["claim"]) == (not answer.exact)


@pytest.mark.parametrize(
    "answer",
    [
        tp.minimum_mean_cycle(OPEN, method="bounds"),
        tp.optimal_plan(OPEN, 10**6, method="bounds"),
        tp.optimal_cyclic_policy(MANY_ROOTS, 101, time_limit=0),
    ],
    ids=["cycle", "plan", "cyclic"],
)
def test_the_value_of_an_interval_is_an_error_that_says_so(answer):
    assert answer.lower < answer.upper
    with pytest.raises(OnlyAnInterval, match=r"only known to lie between .* ask for lower and upper"):
        _ = answer.value


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_with_wrong_ends_cannot_be_made(name):
    """The lower above the upper one, or an upper one to which it does not replay (words were replayed)."""
    answer = QUESTIONS[name](BANDIT)
    wrong = [{"lower": answer.upper + Fraction(1, 10**9)}, {"upper": answer.upper + 1}]
    for ends in wrong[:1] if name == "cyclic policy" else wrong:
        with pytest.raises(InternalError, match="replay"):
            replace(answer, **ends)


def test_an_answer_without_a_policy_has_no_such_attribute():
    bandit = tp.make("uniform", actions=2, memory=5)
    assert hasattr(tp.minimum_mean_cycle(bandit), "policy")
    assert not hasattr(tp.minimum_mean_cycle(bandit, method="bounds"), "policy")
