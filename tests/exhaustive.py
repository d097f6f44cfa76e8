"""The three questions once more, plainly: slow, short and correct at sight; tests compare with it.

Everything here is a rational, a tuple or a dict; nothing is shared with the fast planners but the instance
and `replay`. Long recursions count losses in units of one over the denominator, which is quicker.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from tallyplan.model.instance import Bandit
from tallyplan.model.replay import history_of, mean_of_word, replay
from tallyplan.model.words import Word, last


def optimal_plan(bandit: Bandit, horizon: int, start: Sequence[int] = ()) -> tuple[Fraction, Word]:
    """Try all K^T action sequences."""
    sequences = product(range(bandit.actions), repeat=horizon)
    return min((replay(bandit, actions, start), actions) for actions in sequences)


def optimal_values(bandit: Bandit, horizon: int, start: Sequence[int] = ()) -> list[Fraction]:
    """OPT_0, ..., OPT_T by the recursion over histories of any length up to m - 1."""
    keep = bandit.memory - 1
    units = cache(lambda window: _units(bandit, window))

    @cache
    def value(steps: int, history: Word) -> int:
        if steps == 0:
            return 0
        windows = [(*history, action) for action in range(bandit.actions)]
        return min(units(w) + value(steps - 1, last(w, keep)) for w in windows)

    history = history_of(bandit, start)
    return [Fraction(value(steps, history), bandit.denominator) for steps in range(horizon + 1)]


def optimal_value_by_squaring(bandit: Bandit, horizon: int, start: Sequence[int] = ()) -> Fraction:
    """OPT_T for astronomic T: the T-th min-plus power of the matrix of all histories, n^3 log T."""
    histories, power = _power(bandit, horizon)
    row = power[histories.index(history_of(bandit, start))]
    return Fraction(min(total for total in row if total is not None), bandit.denominator)


def cyclic_value_by_squaring(bandit: Bandit, period: int) -> Fraction:
    """The least entry on the diagonal of the L-th power, over L."""
    _, power = _power(bandit, period)
    units = min(total for i, row in enumerate(power) if (total := row[i]) is not None)
    return Fraction(units, bandit.denominator * period)


def _power(bandit: Bandit, steps: int) -> tuple[list[Word], list[list[int | None]]]:
    """All histories, and the least units of so many steps from each to each; None: there is no way."""
    keep = bandit.memory - 1
    histories = [h for length in range(keep + 1) for h in product(range(bandit.actions), repeat=length)]
    index = {history: i for i, history in enumerate(histories)}
    power: list[list[int | None]] = [[None] * len(histories) for _ in histories]
    for history in histories:
        for action in range(bandit.actions):
            window = (*history, action)
            following = index[last(window, keep)]
            old, loss = power[index[history]][following], _units(bandit, window)
            power[index[history]][following] = loss if old is None else min(old, loss)
    result = [[0 if row is other else None for other in power] for row in power]
    while steps:
        columns = list(zip(*power, strict=True))
        if steps % 2:
            result = [[_least(row, column) for column in columns] for row in result]
        power = [[_least(row, column) for column in columns] for row in power]
        steps //= 2
    return histories, result


def karp(bandit: Bandit) -> Fraction:
    """Karp's theorem: min over states v of max over k < n of (D_n(v) - D_k(v)) / (n - k).

    D_k(v) is the least loss of a walk of k edges from a fixed state to v. The value only: reading a cycle off
    Karp's tables, as textbooks do, is known to go wrong.
    """
    states = list(product(range(bandit.actions), repeat=bandit.memory - 1))
    layers: list[dict[Word, Fraction]] = [{states[0]: Fraction(0)}]
    for _ in states:
        layers.append(_one_step_further(bandit, layers[-1]))
    n = len(states)
    return min(
        max((layers[n][v] - layers[k][v]) / (n - k) for k in range(n) if v in layers[k])
        for v in states
        if v in layers[n]
    )


def optimal_cyclic_policy(bandit: Bandit, period: int) -> tuple[Fraction, Word]:
    """Try all K^L words."""
    words = product(range(bandit.actions), repeat=period)
    return min((mean_of_word(bandit, word), word) for word in words)


def _one_step_further(bandit: Bandit, layer: dict[Word, Fraction]) -> dict[Word, Fraction]:
    """From the least losses of walks to full histories: those of walks one step longer."""
    keep = bandit.memory - 1
    following: dict[Word, Fraction] = {}
    for state, total in layer.items():
        for action in range(bandit.actions):
            window = (*state, action)
            target = last(window, keep)
            candidate = total + bandit.loss(window)
            if target not in following or candidate < following[target]:
                following[target] = candidate
    return following


def _units(bandit: Bandit, window: Word) -> int:
    units = bandit.loss(window) * bandit.denominator
    assert units.denominator == 1
    return units.numerator


def _least(row: Sequence[int | None], column: Sequence[int | None]) -> int | None:
    sums = [a + b for a, b in zip(row, column, strict=True) if a is not None and b is not None]
    return min(sums) if sums else None
