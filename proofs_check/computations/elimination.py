"""Successive elimination on exhaustively enumerated small A_s, the estimates in the hands of an adversary.

K = m = 2. A policy enters only through its counts N_xy, so words with equal counts are one policy. An epoch
is played on every set A_s that can be reached, with every choice of the errors -C_s and C_s, one for each
policy: the extremes of what the event B_s of Lemma 7 allows. The widths halve from epoch to epoch. The search
runs on integers; the worst epochs are played again in fractions, from the definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import floor
from typing import NamedTuple

from proofs_check import definitions
from proofs_check.claim import Request
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word

WIDTHS = (Fraction(1, 4), Fraction(1, 8))
LOSSES = (Fraction(0), Fraction(1, 2), Fraction(1))
PERIODS, MORE_PERIODS = (2, 3, 4), (5,)  # sqrt(T), and of a thorough run
RULE = Formula("2 * C")  # line 19 of Algorithm 1


@dataclass(frozen=True)
class Elimination:
    """One epoch: who was in A_s, what the adversary did, and what became of pi*.

    Attributes
    ----------
    excess : the estimate of pi* above the least estimate; the largest if several policies are optimal.
    survives : is every optimal policy in A_{s+1}?
    gap : the largest mu(pi) - mu(pi*) in A_{s+1}.
    """

    bandit: TallyingBandit
    width: Fraction
    words: tuple[Word, ...]
    errors: tuple[Fraction, ...]
    excess: Fraction
    survives: bool
    gap: Fraction

    def confirmed(self) -> bool:
        """Played again in fractions, from the definitions, the same policies survive."""
        return play(self.bandit, self.width, self.words, self.errors, RULE) == self

    def witness(self) -> Witness:
        """For the reader: the policies of A_s and the errors of their estimates."""
        facts = {
            "horizon": len(self.words[0]) ** 2,
            "A_s": self.words,
            "errors": self.errors,
            "C": self.width,
            "estimate of pi* above the least": self.excess,
            "largest gap that survives": self.gap,
        }
        return Witness(facts, self.bandit)


def periods(request: Request) -> tuple[int, ...]:
    """The sqrt(T) of the box."""
    return PERIODS + (MORE_PERIODS if request.thorough else ())


def box(request: Request) -> str:
    """The box in words."""
    roots = ", ".join(map(str, periods(request)))
    return f"K = m = 2, sqrt(T) = {roots}, losses 0, 1/2, 1, two epochs, errors -C or C"


def eliminations(rule: Formula, request: Request, name: str) -> Iterator[Elimination]:
    """For every table and every reachable A_s, the two worst epochs: for pi*, and for the gap.

    `rule` is what an estimate may exceed the least one by, as a formula in C.
    """
    for period in periods(request):
        request.progress(f"{name}: sqrt(T) = {period}")
        words = _policies(period)
        for rows in combinations_with_replacement(product(LOSSES, repeat=2), 2):
            bandit = TallyingBandit(rows)
            yield from _game(bandit, {word: definitions.mu(bandit, word) for word in words}, rule)


def play(
    bandit: TallyingBandit,
    width: Fraction,
    words: tuple[Word, ...],
    errors: tuple[Fraction, ...],
    rule: Formula,
) -> Elimination:
    """One epoch, from the definitions and in fractions: what the search found is held against this."""
    mu = {word: definitions.mu(bandit, word) for word in words}
    estimate = {word: mu[word] + error for word, error in zip(words, errors, strict=True)}
    least, best = min(estimate.values()), definitions.least_mu(bandit, len(words[0]))
    kept = [word for word in words if estimate[word] <= least + rule(C=width)]
    optimal = [word for word in words if mu[word] == best]
    excess = max(estimate[word] for word in optimal) - least
    survives = all(word in kept for word in optimal)
    return Elimination(bandit, width, words, errors, excess, survives, max(mu[w] for w in kept) - best)


def _policies(period: int) -> list[Word]:
    """One word for each vector of counts."""
    classes: dict[frozenset[tuple[tuple[int, int], int]], Word] = {}
    for word in product(range(2), repeat=period):
        classes.setdefault(frozenset(definitions.period_counts(word, 2, n=1).items()), word)
    return list(classes.values())


def _game(bandit: TallyingBandit, mu: dict[Word, Fraction], rule: Formula) -> Iterator[Elimination]:
    """All epochs from A_1 on; as long as pi* survives, as the induction has it."""
    unit = Fraction(1, 16 * len(next(iter(mu))))
    values = {word: int(value / unit) for word, value in mu.items()}
    sets = {tuple(mu)}
    for width in WIDTHS:
        reached: set[tuple[Word, ...]] = set()
        for words in sets:
            allowed = floor(rule(C=width) / unit)  # estimates are integers here
            epochs = list(_epochs([values[word] for word in words], int(width / unit), allowed))
            reached |= {tuple(words[i] for i in epoch.kept) for epoch in epochs if epoch.survives}
            worst = (max(epochs, key=lambda epoch: epoch.excess), max(epochs, key=lambda epoch: epoch.gap))
            for epoch in worst:
                yield play(bandit, width, words, tuple(error * unit for error in epoch.errors), rule)
        sets = reached


class _Epoch(NamedTuple):
    """In integers: the errors, the places of those kept, and what became of pi*."""

    errors: tuple[int, ...]
    kept: tuple[int, ...]
    excess: int
    survives: bool
    gap: int


def _epochs(mu: list[int], band: int, allowed: int) -> Iterator[_Epoch]:
    """One epoch for every choice of errors -band and band."""
    best = min(mu)
    for errors in product((-band, band), repeat=len(mu)):
        estimates = [value + error for value, error in zip(mu, errors, strict=True)]
        least = min(estimates)
        kept = tuple(i for i, estimate in enumerate(estimates) if estimate <= least + allowed)
        excess = max(e for value, e in zip(mu, estimates, strict=True) if value == best) - least
        yield _Epoch(errors, kept, excess, excess <= allowed, max(mu[i] for i in kept) - best)
