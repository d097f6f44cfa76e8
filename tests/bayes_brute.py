"""Every deterministic learner of a tiny game, from full histories: no states, no symmetry, no merging."""

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from tallyplan import TallyingBandit


def all_tables(actions, memory, grid=1):
    """Every labelled table of the grid."""
    values = [Fraction(value, grid) for value in range(grid + 1)]
    rows = list(product(values, repeat=memory))
    return [TallyingBandit(table) for table in product(rows, repeat=actions)]


def loss_vectors(tables, horizon):
    """The loss on every table, for every deterministic learner (learners with equal losses count once)."""
    memory = tables[0].memory

    def losses(indices, played):
        if len(played) == horizon:
            return {(Fraction(0),) * len(indices)}
        found = set()
        for action in range(tables[0].actions):
            actions = (*played, action)
            tally = definitions.tally(actions, len(played), memory)
            parts = {}
            for index in indices:
                parts.setdefault(tables[index].losses[action][tally - 1], []).append(index)
            continuations = [losses(tuple(part), actions) for part in parts.values()]
            for chosen in product(*continuations):
                loss = {
                    index: now + later
                    for (now, part), laters in zip(parts.items(), chosen, strict=True)
                    for index, later in zip(part, laters, strict=True)
                }
                found.add(tuple(loss[index] for index in indices))
        return found

    return losses(tuple(range(len(tables))), ())


def regret_vectors(tables, horizon):
    best = [definitions.optimum(table, horizon) for table in tables]
    return {
        tuple(loss - optimum for loss, optimum in zip(vector, best, strict=True))
        for vector in loss_vectors(tables, horizon)
    }


def undominated(vectors):
    return [
        v
        for v in vectors
        if not any(w != v and all(a <= b for a, b in zip(w, v, strict=True)) for w in vectors)
    ]


def matrix_game_value(vectors):
    """The least worst-case regret of a mixture, by an exact linear program (z3)."""
    import z3

    rows = undominated(vectors)
    weights = [z3.Real(f"p{i}") for i in range(len(rows))]
    worst = z3.Real("worst")
    solver = z3.Optimize()
    solver.add(*(weight >= 0 for weight in weights), z3.Sum(weights) == 1)
    for column in set(zip(*rows, strict=True)):
        terms = [z3.Q(r.numerator, r.denominator) * w for r, w in zip(column, weights, strict=True) if r]
        solver.add(z3.Sum(terms) <= worst if terms else worst >= 0)
    solver.minimize(worst)
    assert solver.check() == z3.sat
    value = solver.model()[worst]
    return Fraction(value.numerator_as_long(), value.denominator_as_long())


def most_expected_hits(actions, memory, horizon, gap):
    """The largest expected hits of Theorem 2's construction: every full history has its own belief."""
    cells = [(x, memory) for x in range(actions)]

    def hits(played, weights):
        if len(played) == horizon:
            return Fraction(0)
        best = Fraction(0)
        for action in range(actions):
            longer = (*played, action)
            cell = (action, definitions.tally(longer, len(played), memory))
            total = weights.get(cell, Fraction(0))
            for loss in (0, 1):
                means = {c: Fraction(1, 2) - gap * (c == cell) for c in cells}
                later = {c: w * (means[c] if loss else 1 - means[c]) for c, w in weights.items()}
                total += hits(longer, later)
            best = max(best, total)
        return best

    return hits((), dict.fromkeys(cells, Fraction(1, len(cells))))


def most_hits(actions, memory, horizon):
    """How often a sequence of actions can hit the cell (0, m)."""
    return max(
        sum(x == 0 and definitions.tally(word, t, memory) == memory for t, x in enumerate(word))
        for word in product(range(actions), repeat=horizon)
    )
