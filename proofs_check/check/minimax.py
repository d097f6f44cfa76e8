"""The minimax regret over all tables of a grid: a learner that guarantees it, a prior that no learner beats.

Losses are counted in units of 1/g. What is known of a row is a *prefix* of it: between two plays of an action
its tally grows by at most one, and it starts at one.

- *The learner.* Losses are not noisy, so the probability of being in a situation is the same on every table
  that agrees with it: it is computed once, forwards. What is lost on the way is written down under what is
  known then, and the loss on a table is the sum of what stands under its prefixes. Averaged over the orders
  of the rows, minus OPT_T, it must be at most the value, for every table.
- *The prior.* A belief is the set of tables that agree with what was seen. All beliefs that any learner can
  reach are listed forwards, and the least expected loss is computed backwards; minus the expected OPT_T, it
  must be at least the lower bound.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

from tallyplan.check.problem import in_units
from tallyplan.check.reading import Meter, Refused, array, choices, fields, integer, rational, shown, typed

from .accounts import STEPS_PER_FRACTION, hold, wide
from .policies import Column, Size, Walks

Row = tuple[int, ...]
Table = tuple[Row, ...]
Actions = tuple[int, ...]
Situation = tuple[Table, Actions]
"""The known prefixes, and the last m-1 actions."""
Play = dict[int, Fraction]
Learner = dict[tuple[int, Situation], Play]
Prior = list[tuple[Table, Fraction]]
Belief = tuple[int, Actions]
"""A bit for each table that agrees with what was seen, and the last m-1 actions."""


@dataclass(frozen=True)
class Game(Size):
    """K actions, memory m, T steps, losses in {0, 1/g, ..., 1}."""

    T: int
    g: int
    tables: int
    """How many tables there are: (g+1)^(K m), few enough to go through."""

    def __str__(self) -> str:
        losses = "{0, 1}" if self.g == 1 else f"{{0, 1/{self.g}, ..., 1}}"
        return f"K = {self.K}, m = {self.m}, losses in {losses}"

    @property
    def start(self) -> Situation:
        """Nothing known, nothing played."""
        return ((),) * self.K, ()

    def outcomes(self, situation: Situation, action: int) -> Iterator[tuple[int, Situation]]:
        """What the action may cost, and where that leads."""
        known, recent = situation
        row, tally, later = known[action], recent.count(action), self.step(recent, action)[1]
        if tally < len(row):
            yield row[tally], (known, later)
            return
        for loss in range(self.g + 1):
            yield loss, ((*known[:action], (*row, loss), *known[action + 1 :]), later)

    def optima(self, tables: list[Table], meter: Meter) -> Column:
        """OPT_T of each of the tables, in units of 1/g."""
        hold(meter, len(tables) * self.K * self.m)
        columns = [[table[x][y] for table in tables] for x in range(self.K) for y in range(self.m)]
        everything = Walks(self, self.T, (), [0] * (self.K * self.m))
        return [int(loss) for loss in everything.least(columns, meter)]


def read_game(value: object, meter: Meter) -> Game:
    """The game of a certificate; there must be few enough tables to go through."""
    found = fields(value, "game", {"actions", "memory", "horizon", "grid"})
    K = integer(found["actions"], "number of actions of the game", 1)
    m = integer(found["memory"], "memory of the game", 1)
    T = integer(found["horizon"], "horizon of the game", 0)
    g = integer(found["grid"], "grid of the game", 1)
    return Game(K, m, T, g, meter.power(g + 1, K * m))


def check_minimax(written: object, claim: Any, primal: Any, dual: Any, meter: Meter) -> str:
    """Refuse, or say what was proved."""
    game = read_game(written, meter)
    fields(claim, "claim", {"question", "value"}, {"lower"})
    value = rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    learner = _read_learner(fields(primal, "primal side", {"learner"})["learner"], game, meter)
    prior = _read_prior(fields(dual, "dual side", {"prior"})["prior"], game)
    _check_learner(game, learner, value, meter)
    _check_prior(game, prior, lower, meter)
    least = f"the minimax regret of {shown(game.T)} steps, {game},"
    if lower == value:
        return f"{least} is {claim['value']}"
    return f"{least} is at least {claim['lower']} and at most {claim['value']}"


def _check_learner(game: Game, learner: Learner, value: Fraction, meter: Meter) -> None:
    """Refuse if the regret on some table, its rows in random order, is above the value."""
    paid = _losses_by_knowledge(game, learner, meter)
    unit = in_units([*paid.values(), value], meter)[1]
    hold(meter, wide(2 * len(paid), unit.bit_length()))
    whole = {known: int(loss * unit) for known, loss in paid.items()}
    depths = {tuple(map(len, known)) for known in whole}
    meter.spend(wide(game.tables * (1 + len(depths)) * (1 + game.K), unit.bit_length()))
    hold(meter, wide(game.tables, unit.bit_length()))
    totals: dict[Table, list[int]] = {}
    for table in product(product(range(game.g + 1), repeat=game.m), repeat=game.K):
        seen = (tuple(row[:d] for row, d in zip(table, depth, strict=True)) for depth in depths)
        lost = sum(whole.get(known, 0) for known in seen)
        totals.setdefault(tuple(sorted(table)), []).append(lost)
    allowed = int(value * unit) * game.g
    for (rows, lost_in), least in zip(totals.items(), game.optima(list(totals), meter), strict=True):
        if sum(lost_in) - least * unit * len(lost_in) > allowed * len(lost_in):
            written = " | ".join(" ".join(str(Fraction(loss, game.g)) for loss in row) for row in rows)
            raise Refused(f"On the table {written} the learner's regret is above the claimed value.")


def _losses_by_knowledge(game: Game, learner: Learner, meter: Meter) -> dict[Table, Fraction]:
    """What the learner loses on average, in units of 1/g, by what he knows once he has lost it."""
    paid: dict[Table, Fraction] = {}
    flow = {game.start: Fraction(1)}
    for step in range(game.T):
        following: dict[Situation, Fraction] = {}
        for situation, probability in flow.items():
            play = learner.get((step, situation))
            if play is None:
                raise Refused(f"The learner does not say what to play in a situation after {step} steps.")
            for action, share in play.items():
                _charge(meter, probability, share)
                moved = probability * share
                hold(meter, wide((game.g + 1) * (1 + game.K), _bits(moved)))
                for loss, there in game.outcomes(situation, action):
                    known = there[0]
                    _charge(meter, moved, following.get(there, 0))
                    _charge(meter, moved, paid.get(known, 0))
                    following[there] = following.get(there, 0) + moved
                    paid[known] = paid.get(known, 0) + loss * moved
        flow = following
    return paid


def _charge(meter: Meter, x: Fraction, y: Fraction | int) -> None:
    """For a sum or product of two fractions."""
    meter.spend(wide(STEPS_PER_FRACTION, _bits(x), _bits(y)))


def _bits(x: Fraction | int) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()


def _check_prior(game: Game, prior: Prior, lower: Fraction, meter: Meter) -> None:
    """Refuse if some learner's expected regret against the prior is below the lower bound."""
    meter.spend(len(prior) * factorial(game.K) * game.K)
    hold(meter, len(prior) * factorial(game.K))
    orders = [set(permutations(rows)) for rows, _ in prior]
    chances = [p / len(some) for (_, p), some in zip(prior, orders, strict=True)]
    unit = in_units([*chances, lower], meter)[1]
    tables = [table for some in orders for table in some]
    weights = [int(p * unit) for p, some in zip(chances, orders, strict=True) for _ in some]
    if sum(weights) != unit:
        raise Refused("The probabilities of the prior do not add up to 1.")
    least = _Beliefs(game, tables, weights, unit.bit_length(), meter).least_loss()
    optima = game.optima(tables, meter)
    expected = sum(weight * optimum for weight, optimum in zip(weights, optima, strict=True))
    if least - expected < int(lower * unit) * game.g:
        raise Refused("Some learner's expected regret against the prior is below the claimed bound.")


class _Beliefs:
    """The beliefs against a prior over tables, with the least expected losses; nothing is normalised."""

    def __init__(self, game: Game, tables: list[Table], weights: list[int], bits: int, meter: Meter):
        self.game, self.weights, self.meter = game, weights, meter
        self.bits = bits + len(tables)
        meter.spend(wide(len(tables) * game.K * game.m, self.bits))
        self.costing = [
            [_members(table[x][y] for table in tables) for y in range(game.m)] for x in range(game.K)
        ]
        self.known_weights: dict[int, int] = {}

    def least_loss(self) -> int:
        """The least expected loss of T steps, times the unit of the weights, in units of 1/g."""
        T = self.game.T
        plays, reach = self._explored()
        values = [0] * reach[-1]
        for done in range(T - 1, -1, -1):
            count = reach[min(done, len(reach) - 1)]
            self.meter.spend(wide(count * self.game.K * 2, self.bits))
            values[:count] = [
                min(cost + sum(values[there] for there in after) for cost, after in plays[here])
                for here in range(count)
            ]
        return values[0]

    def _explored(self) -> tuple[list[list[tuple[int, list[int]]]], list[int]]:
        """For each belief and action the expected loss and the beliefs after it; how many are within t steps.

        Beliefs come in the order of the steps that it takes to get there.
        """
        start: Belief = ((1 << len(self.weights)) - 1, ())
        numbers: dict[Belief, int] = {start: 0}
        found, reach, plays = [start], [1], list[list[tuple[int, list[int]]]]()
        while len(reach) <= self.game.T and len(plays) < len(found):
            for belief, recent in found[len(plays) : reach[-1]]:
                options = []
                for action in range(self.game.K):
                    cost, parts = self._split(belief, action, recent.count(action))
                    later = self.game.step(recent, action)[1]
                    for part in parts:
                        if (part, later) not in numbers:
                            numbers[part, later] = len(found)
                            found.append((part, later))
                    options.append((cost, [numbers[part, later] for part in parts]))
                plays.append(options)
            reach.append(len(found))
        return plays, reach

    def _split(self, belief: int, action: int, tally: int) -> tuple[int, list[int]]:
        """The expected loss of the action, and the beliefs that its possible losses lead to."""
        costing = self.costing[action][tally]
        self.meter.spend(wide(2 * len(costing), self.bits))
        hold(self.meter, wide(2 * len(costing), self.bits))
        parts = [(loss, belief & members) for loss, members in costing.items() if belief & members]
        return sum(loss * self._weight(part) for loss, part in parts), [part for _, part in parts]

    def _weight(self, belief: int) -> int:
        if belief not in self.known_weights:
            self.meter.spend(wide(len(self.weights), self.bits))
            held = (w for i, w in enumerate(self.weights) if belief >> i & 1)
            self.known_weights[belief] = sum(held)
        return self.known_weights[belief]


def _members(losses: Iterable[int]) -> dict[int, int]:
    """For each loss a number with a bit for each table that has it."""
    members: dict[int, int] = {}
    for index, loss in enumerate(losses):
        members[loss] = members.get(loss, 0) | 1 << index
    return members


def _read_learner(entries: object, game: Game, meter: Meter) -> Learner:
    learner: Learner = {}
    lines = array(entries, "list of the learner's lines")
    for entry in lines:
        line = fields(entry, "line of the learner", {"steps", "known", "recent", "play"})
        steps = integer(line["steps"], "number of steps in a line of the learner", 0)
        if steps >= len(lines):
            raise Refused("A line of the learner is for more steps than he has lines to get there.")
        rows = array(line["known"], "list of known losses", game.K)
        known = tuple(_read_row(row, game, "row of known losses") for row in rows)
        if max(map(len, known)) > game.m:
            raise Refused("A row of known losses is longer than the memory.")
        recent = tuple(choices(line["recent"], "list of recent actions", game.K))
        if (steps, (known, recent)) in learner:
            raise Refused("The learner has two lines for the same situation.")
        learner[steps, (known, recent)] = _read_play(line["play"], game, meter)
    return learner


def _read_play(value: object, game: Game, meter: Meter) -> Play:
    names = {str(action): action for action in range(game.K)}
    play: Play = {}
    for name, share in typed(value, dict, "play of a line of the learner").items():
        if name not in names:
            raise Refused(f"A line of the learner plays {shown(name)}, which is not an action.")
        play[names[name]] = rational(share, "probability in a line of the learner")
    total = Fraction(0)
    for share in play.values():
        if share < 0:
            raise Refused("A line of the learner has a negative probability.")
        _charge(meter, share, total)
        total += share
    if total != 1:
        raise Refused("The probabilities of a line of the learner do not add up to 1.")
    return play


def _read_prior(entries: object, game: Game) -> Prior:
    prior = []
    for entry in array(entries, "list of the prior's tables"):
        found = fields(entry, "entry of the prior", {"losses", "probability"})
        rows = array(found["losses"], "table of the prior", game.K)
        table = tuple(_read_row(row, game, "row of a table of the prior", game.m) for row in rows)
        prior.append((table, rational(found["probability"], "probability of a table of the prior")))
    if any(p < 0 for _, p in prior):
        raise Refused("The prior has a negative probability.")
    return prior


def _read_row(value: object, game: Game, where: str, length: int | None = None) -> Row:
    """Losses, in units of 1/g."""
    losses = [rational(loss, "loss") for loss in array(value, where, length)]
    if any(not 0 <= loss <= 1 or game.g % loss.denominator for loss in losses):
        raise Refused(f"The {where} has a loss that is not on the grid of the game.")
    return tuple(int(loss * game.g) for loss in losses)
