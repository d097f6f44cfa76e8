"""What no learner of a small game can avoid: a prior, and bounds on the loss from every belief.

A *belief* is the set of tables that may still be the one, each with its actions in one order, and the last
m - 1 actions. Against a prior with weights w the least weighted loss of t steps from a belief satisfies

    V_0 = 0,  V_t = min over actions of (weight of the tables that cost 1) + sum of V_{t-1} over what is seen.

The bounds are minima of *pieces*, each affine in i where t = period * i + r, with the losses on every table
as coefficients. They are proposed by solving the recursion at one horizon and reading off the losses of the
best plays wherever they grow steadily. That the bounds satisfy the recursion for all i and n is decided
afterwards (`Beliefs.recursion`); a proposal that is too high does not.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import factorial

from flint import fmpq_poly

from proofs_check.ours.small_games.learners import Game, Rows, orders, rows_of
from proofs_check.ours.small_games.lines import Line, N, below, places, polynomial
from tallyplan.model.words import Word, last

Belief = tuple[tuple[Rows, ...], Word]  # tables, sorted; the last actions
Losses = dict[Rows, int]
Piece = tuple[tuple[int, ...], tuple[int, ...]]  # the losses of the tables at i = 0, and their growth with i
Seen = list[tuple[int, Belief]]  # a loss, and the belief after it
TIE_BREAKS = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
SOLVED = (14, 24)  # the n at which the bounds are read off
BEYOND = 6  # periods after the horizon, where the last pieces show
ZERO = fmpq_poly([])


@dataclass(frozen=True)
class Beliefs:
    """A prior over tables, their actions in random order, with weights that depend on n."""

    game: Game
    prior: Mapping[str, str]

    @cached_property
    def weights(self) -> dict[Rows, fmpq_poly]:
        """The weight of every table in every order, times the number of orders."""
        every = factorial(self.game.actions)
        return {
            order: polynomial(weight) * (every // len(orders(rows_of(table))))
            for table, weight in self.prior.items()
            for order in orders(rows_of(table))
        }

    @property
    def start(self) -> Belief:
        """The belief at the start: nothing is seen, nothing is played."""
        return tuple(sorted(self.weights)), ()

    @cached_property
    def moves(self) -> dict[Belief, list[Seen]]:
        """What each action may show, for every belief that can be reached."""
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
    def pieces(self) -> dict[tuple[Belief, int], list[Piece]]:
        """The bounds, by belief and the number of steps to go modulo the period."""
        found: dict[tuple[Belief, int], dict[Piece, None]] = defaultdict(dict)
        period = self.game.period
        for n in SOLVED:
            best, longer = self._best_losses(n), self._best_losses(n + 1)
            for t, later in product(range(len(best) - period), (best, longer)):
                i, r = divmod(t, period)
                for here in self.moves:
                    found[here, r] |= dict.fromkeys(_line(here[0], i, best[t][here], later[t + period][here]))
        return {key: list(pieces) for key, pieces in found.items()}

    def _best_losses(self, n: int) -> list[dict[Belief, Losses]]:
        """For t = 0, 1, ..., beyond T: what a best learner loses on every table of a belief.

        Ties are broken by other weights, the same throughout.
        """
        weight = {table: int(one(n)) for table, one in self.weights.items()}
        tie = dict(zip(sorted(weight), TIE_BREAKS, strict=False))

        def worth(losses: Losses) -> tuple[int, int]:
            total = sum(weight[one] * loss for one, loss in losses.items())
            return total, sum(tie[one] * loss for one, loss in losses.items())

        layers: list[dict[Belief, Losses]] = [{here: dict.fromkeys(here[0], 0) for here in self.moves}]
        for _ in range(self.game.horizon(n + BEYOND)):
            plays = {here: [_after(seen, layers[-1]) for seen in some] for here, some in self.moves.items()}
            layers.append({here: min(losses, key=worth) for here, losses in plays.items()})
        return layers

    @cached_property
    def bounds(self) -> dict[tuple[Belief, int], list[Line]]:
        """By belief and r the lines whose minimum is the bound with period * i + r steps to go."""
        return {
            (here, r): [(self._weighed(here, base), self._weighed(here, slope)) for base, slope in pieces]
            for (here, r), pieces in self.pieces.items()
        }

    def _weighed(self, here: Belief, losses: tuple[int, ...]) -> fmpq_poly:
        return sum((self.weights[one] * loss for one, loss in zip(here[0], losses, strict=True)), ZERO)

    @property
    def at_the_start(self) -> list[fmpq_poly]:
        """The bound at the start, with period * n + residue steps to go, is the least of these."""
        return [a + b * N for a, b in self.bounds[self.start, self.game.residue]]

    def recursion(self, here: Belief, r: int) -> bool:
        """Whether the bound of a belief is no more than the recursion gives from the other bounds.

        With period * i + r steps to go; with fewer than m - 1 actions played, their number is known.
        """
        game, bound = self.game, self.bounds[here, r]
        later = [line for seen in self.moves[here] for line in self._lost(seen, (r - 1) % game.period)]
        if r == 0:  # one period less to go
            later = [(a - b, b) for a, b in later]
        turns, at = divmod(game.residue - len(here[1]), game.period)
        if len(here[1]) < game.memory - 1:
            return r != at or below(bound, later, [(game.first, [N + turns])])
        start, offset = 0 if r else 1, 0 if r <= game.residue else -1
        ends = bool(r) or below(bound, [(ZERO, ZERO)], [(game.first, [ZERO])])
        return ends and below(bound, later, places(game.first, start, offset))

    def _lost(self, seen: Seen, r: int) -> list[Line]:
        """The loss of an action and the bounds on the rest, of period * i + r steps: a minimum of lines."""
        found: list[Line] = [(ZERO, ZERO)]
        for loss, after in seen:
            now = self._weighed(after, (loss,) * len(after[0]))
            found = [(a + c + now, b + d) for (a, b), (c, d) in product(found, self.bounds[after, r])]
        return found


def _after(seen: Seen, before: Mapping[Belief, Losses]) -> Losses:
    """The losses of an action and of what follows, by table."""
    return {one: loss + before[after][one] for loss, after in seen for one in after[0]}


def _line(tables: tuple[Rows, ...], i: int, here: Losses, there: Losses) -> list[Piece]:
    """The line through the losses at i and i + 1, if they do not fall."""
    slope = tuple(there[one] - here[one] for one in tables)
    base = tuple(here[one] - i * rise for one, rise in zip(tables, slope, strict=True))
    return [(base, slope)] if min(slope) >= 0 else []
