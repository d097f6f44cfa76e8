"""The least loss per step without the state graph: leave out arms, then the method for what is left.

least loss     a constant word attains the least entry of the table: if no arm's losses rise with its tally,
               that is some h_x(m), so that an improving bandit is planned at sight, for all K and m
two arms       the best two-run word, and slopes that prove it (`bounds.two_arms`)
more arms      a word found by search, and the better of two lower bounds: prices (`bounds.prices`, any K and
               m, at once), and a potential that is a sum over the arms (`bounds.separable`, while the table
               has at most 1000 entries)
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

from tallyplan.answers import MeanCycle
from tallyplan.certificates import ZERO, Dual, Proof
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.effort import Effort, OutOfTimeError, limited
from tallyplan.planning.single_run import best_single_run_word, good_single_run_word
from tallyplan.planning.without_graph.bounds import separable, two_arms
from tallyplan.planning.without_graph.bounds.fewer_arms import without_useless_arms
from tallyplan.planning.without_graph.bounds.prices import Prices, best_prices
from tallyplan.planning.without_graph.bounds.separable import SeparableProof
from tallyplan.planning.without_graph.bounds.separable_program import Program
from tallyplan.planning.without_graph.good_words import improved

NEARLY = 1 + Fraction(1, 10**6)  # a lower end this close to the mean of a word may be meant to equal it


def mean_cycle_bounds(bandit: TallyingBandit, effort: Effort) -> MeanCycle:
    """The interval for any table, exact where a method can make it so."""
    fewer = without_useless_arms(bandit)
    answer = best_constant(fewer.bandit)
    if not effort.enough(answer.lower, answer.upper):
        method = two_arm_bounds if fewer.bandit.actions == 2 else more_arm_bounds
        with suppress(OutOfTimeError), limited(effort.deadline):
            answer = method(fewer.bandit, effort)
    return bounds(bandit, fewer.original(answer.word), answer.lower, fewer.dual(answer.proof.to_json()))


def best_constant(bandit: Bandit) -> MeanCycle:
    """The best constant word, next to the least loss.

    >>> from tallyplan import TallyingBandit
    >>> best_constant(TallyingBandit([["1", "1/2", "1/3"], ["1", "1", "1/4"]])).value
    Fraction(1, 4)
    """
    action = min(range(bandit.actions), key=lambda x: bandit.loss((x,) * bandit.memory))
    return bounds(bandit, (action,), *least_loss(bandit))


def least_loss(bandit: Bandit) -> tuple[Fraction, Dual]:
    """The least entry of the table, and that it is one as a proof."""
    return min(bandit.values()), ZERO


def bounds(bandit: Bandit, word: Word, lower: Fraction, dual: Dual) -> MeanCycle:
    """The answer with this word and this proved lower end."""
    return MeanCycle(bandit, lower, mean_of_word(bandit, word), Proof(dual), word)


def two_arm_bounds(bandit: TallyingBandit, effort: Effort) -> MeanCycle:
    """The best two-run word and the best lower bound that slopes prove; exact where they meet.

    >>> answer = two_arm_bounds(TallyingBandit([["0", *["1"] * 99], ["1/2", *["1"] * 99]]), Effort())
    >>> answer.value, len(answer.word)
    (Fraction(99, 100), 100)
    """
    upper, word = best_single_run_word(bandit)
    effort.progress(f"two arms: the best two-run word loses about {float(upper):.6g} per step; proving")
    try:
        lower, slopes = two_arms.best_proof(bandit, upper)
    except OutOfTimeError:
        return bounds(bandit, word, *least_loss(bandit))
    return bounds(bandit, word, lower, two_arms.dual(two_arms.Levels(bandit, lower), slopes))


def more_arm_bounds(bandit: TallyingBandit, effort: Effort) -> MeanCycle:
    """The interval between the best word and the best lower bound that were found; exact where they meet.

    >>> answer = more_arm_bounds(TallyingBandit([["0", *["1"] * 29]] * 2 + [["1/2"] * 30]), Effort())
    >>> answer.value
    Fraction(7, 15)
    """
    word = good_single_run_word(bandit, effort)
    prices = best_prices(bandit)
    answer = bounds(bandit, word, prices.bound, prices.dual(bandit))
    proof = _slopes(bandit, answer, prices, effort.half())
    if proof is None:
        return answer
    answer = _with(answer, proof)
    if effort.out_of_time() or effort.enough(answer.lower, answer.upper):
        return answer
    word = improved(bandit, word, proof, effort)
    better = bounds(bandit, word, answer.lower, answer.proof.to_json())
    nearly_met = better.lower < better.upper <= better.lower * NEARLY
    return _with(better, _slopes(bandit, better, prices, effort)) if nearly_met else better


def _slopes(
    bandit: TallyingBandit, answer: MeanCycle, prices: Prices, effort: Effort
) -> SeparableProof | None:
    """Slopes and charges, unless they are not needed, or the table is too large, or there is no time."""
    too_large = bandit.actions * bandit.memory > separable.MOST_ENTRIES
    if too_large or effort.out_of_time() or effort.enough(answer.lower, answer.upper):
        return None
    return separable.best_separable(Program(bandit, answer.word), prices, effort)


def _with(answer: MeanCycle, proof: SeparableProof | None) -> MeanCycle:
    """The answer with the lower end of the proof, if that is better."""
    if proof is None or proof.bound <= answer.lower:
        return answer
    return bounds(answer.bandit, answer.word, proof.bound, proof.dual())
