"""The game of section 7: a table of a grid is chosen, and a learner who does not know it plays T steps.

Losses are counted in units of 1/g. What is known of a row is a *prefix* of it: between two plays of an action
its tally grows by at most one, and it starts at one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tallyplan.check.reading import Meter, fields, integer

from .accounts import hold
from .policies import Column, Size, Walks

Row = tuple[int, ...]
Table = tuple[Row, ...]
Actions = tuple[int, ...]
Situation = tuple[Table, Actions]
"""The known prefixes, and the last m-1 actions."""


@dataclass(frozen=True)
class Game:
    """K actions, memory m, T steps, losses in {0, 1/g, ..., 1}."""

    K: int
    m: int
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

    def later(self, recent: Actions, action: int) -> Actions:
        """The last m-1 actions after one more."""
        played = (*recent, action)
        return played[max(0, len(played) - self.m + 1) :]

    def outcomes(self, situation: Situation, action: int) -> Iterator[tuple[int, Situation]]:
        """What the action may cost, and where that leads."""
        known, recent = situation
        row, tally, later = known[action], recent.count(action), self.later(recent, action)
        if tally < len(row):
            yield row[tally], (known, later)
            return
        for loss in range(self.g + 1):
            yield loss, ((*known[:action], (*row, loss), *known[action + 1 :]), later)

    def optima(self, tables: list[Table], meter: Meter) -> Column:
        """OPT_T of each of the tables, in units of 1/g."""
        hold(meter, len(tables) * self.K * self.m)
        columns = [[table[x][y] for table in tables] for x in range(self.K) for y in range(self.m)]
        everything = Walks(Size(self.K, self.m), self.T, (), [0] * (self.K * self.m))
        return [int(loss) for loss in everything.least(columns, meter)]


def read_game(value: object, meter: Meter) -> Game:
    """The game of a certificate; there must be few enough tables to go through."""
    found = fields(value, "game", {"actions", "memory", "horizon", "grid"})
    K = integer(found["actions"], "number of actions of the game", 1)
    m = integer(found["memory"], "memory of the game", 1)
    T = integer(found["horizon"], "horizon of the game", 0)
    g = integer(found["grid"], "grid of the game", 1)
    return Game(K, m, T, g, meter.power(g + 1, K * m))
