"""What no learner of a small game can avoid: a prior, and bounds on the loss from every belief.

A *belief* is the set of tables that may still be the one, each with its actions in one order, and the last
m - 1 actions. Against a prior with weights w the least weighted loss of t steps from a belief satisfies

    V_0 = 0,  V_t = min over actions of (weight of the tables that cost 1) + sum of V_{t-1} over what is seen.

The bounds are minima of *pieces*, each affine in i where t = period * i + r, with the losses on every table
as coefficients. They are proposed by solving the recursion at one horizon and reading off the losses of the
best plays wherever they grow steadily. That the bounds satisfy the recursion for all i and n is decided
afterwards (`Beliefs.recursion`); a proposal that is too high does not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import factorial

from proofs_check.ours.small_games.learners import Game, Rows, orders, rows_of
from proofs_check.ours.small_games.minima import below
from tallyplan.formula import Formula
from tallyplan.model.words import Word, last

Belief = tuple[tuple[Rows, ...], Word]  # tables, sorted; the last actions
Losses = dict[Rows, int]
Piece = tuple[tuple[int, ...], tuple[int, ...]]  # the losses of the tables at i = 0, and their growth with i
Seen = list[tuple[int, Belief]]  # a loss, and the belief after it
Played = list[tuple[Rows, int, Belief, Rows]]  # a table, its loss, the kind of belief after, its name there
TIE_BREAKS = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
BEYOND = 6  # periods after the horizon, where the last pieces show


@dataclass(frozen=True)
class Beliefs:
    """A prior over tables, their actions in random order, with weights that depend on n."""

    game: Game
    prior: Mapping[str, str]
    solved: tuple[int, ...]  # the n at which the bounds are read off

    @cached_property
    def weights(self) -> dict[Rows, tuple[int, Formula]]:
        """Of every table in every order: how many of all K! orders give it, and the weight of one."""
        every = factorial(self.game.actions)
        return {
            order: (every // len(orders(rows_of(table))), Formula(weight))
            for table, weight in self.prior.items()
            for order in orders(rows_of(table))
        }

    @property
    def start(self) -> Belief:
        """Nothing seen, nothing played."""
        return tuple(sorted(self.weights)), ()

    @cached_property
    def moves(self) -> dict[Belief, list[Seen]]:
        """For every belief that can be reached, up to the names of the actions, what each action may show."""
        found: dict[Belief, list[Seen]] = {}
        waiting = [self.start]
        for belief in waiting:
            if belief not in found:
                found[belief] = [self._seen(belief, action) for action in range(self.game.actions)]
                waiting += [after for seen in found[belief] for _, after in seen]
        return found

    def _seen(self, belief: Belief, action: int) -> Seen:
        tables, history = belief
        tally = history.count(action)
        later = last((*history, action), self.game.memory - 1)
        parts = {loss: tuple(one for one in tables if one[action][tally] == loss) for loss in (0, 1)}
        return [(loss, (part, later)) for loss, part in parts.items() if part]

    @cached_property
    def names(self) -> dict[Belief, tuple[Belief, Word]]:
        """For every belief the least one that is the same with other names of the actions, and the names."""
        return {belief: _renamed_least(belief, self.game.actions) for belief in self.moves}

    @cached_property
    def kinds(self) -> list[Belief]:
        """One belief of every kind, in the order in which they are met."""
        return list(dict.fromkeys(kind for kind, _ in self.names.values()))

    @cached_property
    def pieces(self) -> dict[tuple[Belief, int], list[Piece]]:
        """The bounds, by belief and the number of steps to go modulo the period."""
        found: dict[tuple[Belief, int], dict[Piece, None]] = defaultdict(dict)
        period = self.game.period
        for n in self.solved:
            best, longer = self._best_losses(n), self._best_losses(n + 1)
            for t, later in product(range(len(best) - period), (best, longer)):
                i, r = divmod(t, period)
                for kind in self.kinds:
                    found[kind, r] |= dict.fromkeys(_line(kind[0], i, best[t][kind], later[t + period][kind]))
        return {key: list(pieces) for key, pieces in found.items()}

    def _best_losses(self, n: int) -> list[dict[Belief, Losses]]:
        """For t = 0, 1, ..., beyond T: what a best learner loses on every table of a belief.

        Ties are broken by other weights, the same throughout.
        """
        weight = {order: share * int(formula(n=n)) for order, (share, formula) in self.weights.items()}
        tie = dict(zip(sorted(weight), TIE_BREAKS, strict=False))

        def worth(losses: Losses) -> tuple[int, int]:
            total = sum(weight[one] * loss for one, loss in losses.items())
            return total, sum(tie[one] * loss for one, loss in losses.items())

        layers: list[dict[Belief, Losses]] = [{kind: dict.fromkeys(kind[0], 0) for kind in self.kinds}]
        for _ in range(self.game.horizon(n + BEYOND)):
            before = layers[-1]
            layers.append(
                {
                    kind: min((_after(action, before) for action in self._played[kind]), key=worth)
                    for kind in self.kinds
                }
            )
        return layers

    @cached_property
    def _played(self) -> dict[Belief, list[Played]]:
        """For every kind of belief and every action, what it costs on each table, and what follows."""
        return {kind: [self._renamed_after(seen) for seen in self.moves[kind]] for kind in self.kinds}

    def _renamed_after(self, seen: Seen) -> Played:
        found = []
        for loss, belief in seen:
            kind, names = self.names[belief]
            found += [(one, loss, kind, _renamed(one, names)) for one in belief[0]]
        return found

    def bound(self, belief: Belief, r: int) -> str:
        """The bound with period * i + r steps to go."""
        return self._bounds[self.names[belief][0], r]

    @cached_property
    def _bounds(self) -> dict[tuple[Belief, int], str]:
        return {
            (kind, r): _least_of(list(dict.fromkeys(self._text(kind, piece) for piece in pieces)))
            for (kind, r), pieces in self.pieces.items()
        }

    def _text(self, kind: Belief, piece: Piece) -> str:
        """The losses of a piece, weighted."""
        totals: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        for one, base, slope in zip(kind[0], *piece, strict=True):
            share, weight = self.weights[one]
            before = totals[str(weight)]
            totals[str(weight)] = (before[0] + share * base, before[1] + share * slope)
        parts = [_product(weight, *line) for weight, line in totals.items() if any(line)]
        return Formula(" + ".join(parts) or "0").canonical

    def at_the_start(self) -> str:
        """The bound at the start, with period * n + residue steps to go, per unit of weight."""
        kind, _ = self.names[self.start]
        whole = f"({factorial(self.game.actions)} * ({self.total}))"
        pieces = [_at(self._text(kind, piece), "n") for piece in self.pieces[kind, self.game.residue]]
        return _least_of([f"({one}) / {whole}" for one in dict.fromkeys(pieces)])

    @property
    def total(self) -> str:
        """The weights of all unordered tables together."""
        return " + ".join(f"({weight})" for weight in self.prior.values())

    def weight(self, tables: tuple[Rows, ...]) -> str:
        """Of some tables."""
        totals: Counter[str] = Counter()
        for one in tables:
            share, weight = self.weights[one]
            totals[str(weight)] += share
        return " + ".join(_product(weight, share, 0) for weight, share in totals.items())

    def after(self, seen: Seen, r: int) -> str:
        """The loss of an action, and the bounds on the rest, which has period * i + r steps."""
        lost = [self.weight(belief[0]) for loss, belief in seen if loss]
        return " + ".join([*lost, *(self.bound(belief, r) for _, belief in seen)])

    def recursion(self, kind: Belief, r: int, long: Formula) -> bool:
        """Whether the bound of a belief is no more than the recursion gives from the other bounds.

        With period * i + r steps to go; with fewer than m - 1 actions played, their number is known.
        """
        game, bound = self.game, self.bound(kind, r)
        least = _least_of([self.after(seen, (r - 1) % game.period) for seen in self.moves[kind]])
        later = least if r else _at(least, "i - 1")
        turns, at = divmod(game.residue - len(kind[1]), game.period)
        if len(kind[1]) < game.memory - 1:
            now = f"n - {-turns}" if turns else "n"
            return r != at or below(_at(bound, now), _at(later, now), since=long)
        start, offset = 0 if r else 1, 0 if r <= game.residue else -1
        ends = bool(r) or below(_at(bound, "0"), "0", since=long)
        return ends and below(bound, later, since=long, start=start, offset=offset)


def _after(played: Played, before: Mapping[Belief, Losses]) -> Losses:
    """The losses of an action and of what follows, by table."""
    return {one: loss + before[kind][renamed] for one, loss, kind, renamed in played}


def _least_of(texts: list[str]) -> str:
    """Their minimum."""
    return texts[0] if len(texts) == 1 else f"min({', '.join(texts)})"


def _product(weight: str, base: int, slope: int) -> str:
    """weight * (base + slope * i), without what is 0 or 1."""
    rise = "i" if slope == 1 else f"{slope} * i"
    line = str(base) if not slope else rise if not base else f"({base} + {rise})"
    return line if weight == "1" else f"({weight})" if line == "1" else f"({weight}) * {line}"


def _at(formula: Formula | str, i: str) -> str:
    """The formula at another i."""
    formula = Formula(str(formula))
    return str(formula.where(i=i)) if "i" in formula.names else str(formula)


def _renamed(table: Rows, names: Word) -> Rows:
    """The table with action names[j] called j."""
    return tuple(table[action] for action in names)


def _renamed_least(belief: Belief, actions: int) -> tuple[Belief, Word]:
    """The least belief that is this one with other names of the actions, and the names."""
    tables, history = belief
    return min(
        (
            (tuple(sorted(_renamed(one, names) for one in tables)), tuple(map(names.index, history))),
            names,
        )
        for names in permutations(range(actions))
    )


def _line(tables: tuple[Rows, ...], i: int, here: Losses, there: Losses) -> list[Piece]:
    """The line through the losses at i and i + 1, if none of them falls."""
    slope = tuple(there[one] - here[one] for one in tables)
    base = tuple(here[one] - i * rise for one, rise in zip(tables, slope, strict=True))
    return [(base, slope)] if min(slope) >= 0 else []
