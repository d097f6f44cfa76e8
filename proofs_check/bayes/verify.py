"""Judge a minimax certificate: both players' strategies, evaluated again from the rules of the game.

Standard library only, and nothing of the solver: this file runs wherever it is copied,
`python verify.py CERTIFICATE`. docs/minimax.md specifies the document. Two evaluations decide.

- *Upper bound.* The learner relabels the actions uniformly at random and then follows his lines. For every
  table of the grid his expected loss is added up step by step; averaged over the orders of the rows, minus
  OPT_T, it is at most `upper`.
- *Lower bound.* Against the prior, rows in uniformly random order, a learner's belief is the set of tables
  that agree with what he saw. All beliefs that any learner can reach are listed forwards, and the least
  expected loss is computed backwards; minus the expected OPT_T, it is at least `lower`.

Neither uses that knowledge is made of prefixes, or that new actions may be taken in order.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from typing import Any, Literal

Row = tuple[Fraction, ...]
Table = tuple[Row, ...]
Actions = tuple[int, ...]
Seen = tuple[tuple[Fraction | None, ...], ...]
Line = tuple[int, Seen, Actions]  # steps played, what was seen, the last m-1 actions

RATIONAL = re.compile(r"-?\d{1,4000}/[1-9]\d{0,3999}", re.ASCII)
LIMIT = 10**5  # tables of the grid


@dataclass(frozen=True)
class Verdict:
    """Whether the certificate proves its bounds, and why not."""

    status: Literal["accepted", "refused", "undecided"]
    reason: str

    def __bool__(self) -> bool:
        return self.status == "accepted"


class Refused(Exception):
    """What is wrong, as a sentence."""


@dataclass(frozen=True)
class Game:
    """K, m, T and g."""

    K: int
    m: int
    T: int
    g: int

    def later(self, recent: Actions, action: int) -> Actions:
        """The last m-1 actions."""
        played = (*recent, action)
        return played[max(0, len(played) - self.m + 1) :]

    def optimum(self, table: Table) -> Fraction:
        """OPT_T, forwards: the least loss with which T steps can end in each window."""
        least: dict[Actions, Fraction] = {(): Fraction(0)}
        for _ in range(self.T):
            following: dict[Actions, Fraction] = {}
            for recent, loss in least.items():
                for action in range(self.K):
                    total = loss + table[action][recent.count(action)]
                    window = self.later(recent, action)
                    following[window] = min(total, following.get(window, total))
            least = following
        return min(least.values())


def verify(document: Any, *, limit: int = LIMIT) -> Verdict:
    """Judge a certificate, given as the parsed JSON document.

    Parameters
    ----------
    document : what `MinimaxRegret.certificate` holds.
    limit : tables of the grid beyond which the answer is "undecided".

    Examples
    --------
    >>> from proofs_check.bayes import minimax_regret
    >>> verify(minimax_regret(2, 2, 2).certificate).reason
    'Proved: the minimax regret of 2 steps, K = 2, m = 2, losses in multiples of 1/1, is 4/5.'
    """
    try:
        game, lower, upper = _read_game(document)
        tables = (game.g + 1) ** (game.K * game.m) if game.K * game.m * game.g < 1000 else None
        if tables is None or tables > limit:
            return Verdict("undecided", f"There are more than {limit} tables to go through.")
        prior = _read_prior(document["prior"], game)
        learner = _read_learner(document["learner"], game)
        if (worst := _worst_regret(game, learner)) > upper:
            raise Refused(f"The learner's regret reaches {worst}, more than the upper bound {upper}.")
        if (bayes := _bayes_regret(game, prior)) < lower:
            raise Refused(
                f"A learner has regret {bayes} against the prior, less than the lower bound {lower}."
            )
    except Refused as refusal:
        return Verdict("refused", str(refusal))
    return Verdict("accepted", f"Proved: the minimax regret {game_words(game)}, {_bounds(lower, upper)}.")


def game_words(game: Game) -> str:
    """The game in words."""
    return f"of {game.T} steps, K = {game.K}, m = {game.m}, losses in multiples of 1/{game.g}"


def _bounds(lower: Fraction, upper: Fraction) -> str:
    return f"is {lower}" if lower == upper else f"lies in [{lower}, {upper}]"


# -- the learner's guarantee --------------------


def _worst_regret(game: Game, learner: Mapping[Line, Mapping[int, Fraction]]) -> Fraction:
    """The largest regret over all tables, each with its rows in random order."""
    losses = [Fraction(value, game.g) for value in range(game.g + 1)]
    rows = list(product(losses, repeat=game.m))
    sums: dict[Table, list[Fraction]] = {}
    for table in product(rows, repeat=game.K):
        sums.setdefault(tuple(sorted(table)), []).append(_expected_loss(game, table, learner))
    return max(sum(found, Fraction(0)) / len(found) - game.optimum(table) for table, found in sums.items())


def _expected_loss(game: Game, table: Table, learner: Mapping[Line, Mapping[int, Fraction]]) -> Fraction:
    total = Fraction(0)
    nothing: Seen = ((None,) * game.m,) * game.K
    flow: dict[tuple[Seen, Actions], Fraction] = {(nothing, ()): Fraction(1)}
    for step in range(game.T):
        following: dict[tuple[Seen, Actions], Fraction] = {}
        for (seen, recent), probability in flow.items():
            if (step, seen, recent) not in learner:
                raise Refused(
                    f"The learner does not say what to play after {step} steps in {seen}, {recent}."
                )
            for action, share in learner[step, seen, recent].items():
                tally = recent.count(action)
                loss = table[action][tally]
                total += probability * share * loss
                there = (_with(seen, action, tally, loss), game.later(recent, action))
                following[there] = following.get(there, Fraction(0)) + probability * share
        flow = {there: probability for there, probability in following.items() if probability}
    return total


def _with(seen: Seen, action: int, tally: int, loss: Fraction) -> Seen:
    row = (*seen[action][:tally], loss, *seen[action][tally + 1 :])
    return (*seen[:action], row, *seen[action + 1 :])


# -- the adversary's guarantee --------------------


def _bayes_regret(game: Game, prior: Sequence[tuple[Table, Fraction]]) -> Fraction:
    """The least expected regret of any learner against the prior."""
    spread = [(order, p / count) for rows, p in prior for order, count in _orders(rows)]
    tables, chances = [table for table, _ in spread], [p for _, p in spread]
    optimum = sum((p * game.optimum(rows) for rows, p in prior), Fraction(0))
    return _least_expected_loss(game, tables, chances) - optimum


def _orders(rows: Table) -> Iterator[tuple[Table, int]]:
    different = set(permutations(rows))
    return ((order, len(different)) for order in different)


def _least_expected_loss(game: Game, tables: Sequence[Table], chances: Sequence[Fraction]) -> Fraction:
    """Beliefs are tuples of the tables that agree with what was seen; chances are not renormalised."""
    layers: list[dict[tuple[Actions, Actions], list[Any]]] = []
    frontier: Iterable[tuple[Actions, Actions]] = [(tuple(range(len(tables))), ())]
    for _ in range(game.T):
        layer = {
            here: [_outcomes(game, tables, chances, here, a) for a in range(game.K)] for here in frontier
        }
        layers.append(layer)
        frontier = {there for plays in layer.values() for _, theres in plays for there in theres}
    values = dict.fromkeys(frontier, Fraction(0))
    for layer in reversed(layers):
        values = {
            here: min(cost + sum(values[there] for there in theres) for cost, theres in plays)
            for here, plays in layer.items()
        }
    return next(iter(values.values()))


def _outcomes(
    game: Game,
    tables: Sequence[Table],
    chances: Sequence[Fraction],
    here: tuple[Actions, Actions],
    action: int,
) -> tuple[Fraction, list[tuple[Actions, Actions]]]:
    belief, recent = here
    tally, split, cost = recent.count(action), dict[Fraction, list[int]](), Fraction(0)
    for index in belief:
        loss = tables[index][action][tally]
        cost += chances[index] * loss
        split.setdefault(loss, []).append(index)
    return cost, [(tuple(part), game.later(recent, action)) for part in split.values()]


# -- reading --------------------


def _read_game(document: Any) -> tuple[Game, Fraction, Fraction]:
    _keys(document, "certificate", {"format", "version", "game", "lower", "upper", "prior", "learner"})
    if (document["format"], document["version"]) != ("tallyplan-minimax", 1):
        raise Refused("This is not a minimax certificate of version 1.")
    game = document["game"]
    _keys(game, "game", {"actions", "memory", "horizon", "grid"})
    sizes = [_integer(game[name], name, 1) for name in ("actions", "memory", "grid")]
    T = _integer(game["horizon"], "horizon", 0)
    return Game(sizes[0], sizes[1], T, sizes[2]), _rational(document["lower"]), _rational(document["upper"])


def _read_prior(entries: Any, game: Game) -> list[tuple[Table, Fraction]]:
    prior = []
    for entry in _list(entries, "prior"):
        _keys(entry, "entry of the prior", {"losses", "probability"})
        rows = tuple(_row(row, game) for row in _list(entry["losses"], "table"))
        if len(rows) != game.K or any(len(row) != game.m for row in rows):
            raise Refused("A table of the prior does not have K rows of m losses.")
        prior.append((rows, _rational(entry["probability"])))
    if any(p < 0 for _, p in prior) or sum(p for _, p in prior) != 1:
        raise Refused("The probabilities of the prior are not a distribution.")
    return prior


def _read_learner(entries: Any, game: Game) -> dict[Line, dict[int, Fraction]]:
    learner: dict[Line, dict[int, Fraction]] = {}
    for entry in _list(entries, "learner"):
        _keys(entry, "line of the learner", {"steps", "known", "recent", "play"})
        rows = [_row(row, game) for row in _list(entry["known"], "list of known losses")]
        recent = tuple(_integer(a, "action", 0) for a in _list(entry["recent"], "list of recent actions"))
        seen = tuple((*row, *(None,) * (game.m - len(row))) for row in rows)
        line = (_integer(entry["steps"], "number of steps", 0), seen, recent)
        if line in learner:
            raise Refused("A situation of the learner occurs twice.")
        learner[line] = _read_play(entry["play"], game)
    return learner


def _read_play(play: Any, game: Game) -> dict[int, Fraction]:
    names = {str(action): action for action in range(game.K)}
    if not isinstance(play, dict) or not play.keys() <= names.keys():
        raise Refused("A line of the learner does not give probabilities of actions.")
    shares = {names[name]: _rational(share) for name, share in play.items()}
    if any(share < 0 for share in shares.values()) or sum(shares.values()) != 1:
        raise Refused("The probabilities of a line of the learner are not a distribution.")
    return shares


def _row(values: Any, game: Game) -> Row:
    row = tuple(_rational(value) for value in _list(values, "row"))
    if any(not 0 <= loss <= 1 or game.g % loss.denominator for loss in row):
        raise Refused("A loss is not on the grid.")
    return row


def _keys(value: Any, what: str, names: set[str]) -> None:
    if not isinstance(value, dict) or value.keys() != names:
        raise Refused(f"The {what} does not have exactly the keys {', '.join(sorted(names))}.")


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise Refused(f"The {what} is not a list.")
    return value


def _integer(value: Any, what: str, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise Refused(f"The {what} is not an integer of at least {least}.")
    return value


def _rational(value: Any) -> Fraction:
    if not isinstance(value, str) or RATIONAL.fullmatch(value) is None:
        raise Refused("A number is not a string p/q.")
    return Fraction(value)


def main(arguments: Sequence[str]) -> int:
    """Judge the file named on the command line: exit status 0 accepted, 1 refused, 2 usage, 3 undecided."""
    if len(arguments) != 1:
        print("usage: verify.py CERTIFICATE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            verdict = verify(json.load(file))
    except (OSError, ValueError) as error:
        print(f"error: {arguments[0]} cannot be read: {error}", file=sys.stderr)
        return 2
    print(f"{verdict.status}: {verdict.reason}")
    return {"accepted": 0, "refused": 1, "undecided": 3}[verdict.status]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
