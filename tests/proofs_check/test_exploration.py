"""What z3 is told about the exploration of Proposition 1 is true of explorations."""

from fractions import Fraction
from itertools import product

import pytest

from proofs_check.computations.alg_det import exploration
from proofs_check.paper.proposition_1 import exploration as model


def functions(K, m, h, rest):
    """The functions of the model for the exploration followed by `rest`, and an arbitrary sequence."""
    e = [*exploration(K, m), *rest, *rest, *rest]
    a = [*rest, *exploration(K, m), *rest, *rest]

    def count(actions, x, t):
        return actions[: int(t)].count(int(x) - 1)

    def beyond(x, n):
        return sum(h[int(x) - 1][int(n) :], Fraction(0))

    return {
        "e": lambda t: e[int(t) - 1] + 1,
        "e_count": lambda x, t: count(e, x, t),
        "a": lambda t: a[int(t) - 1] + 1,
        "a_count": lambda x, t: count(a, x, t),
        "e_row": lambda t: (int(t) - 1) // m + 1,
        "e_col": lambda t: (int(t) - 1) % m + 1,
        "h": lambda x, y: h[int(x) - 1][int(y) - 1],
        "U": beyond,
        "P": lambda x, t: sum((beyond(z, count(a, z, t)) for z in range(1, int(x) + 1)), Fraction(0)),
        "N": lambda x, t: sum(m - count(a, z, t) for z in range(1, int(x) + 1)),
    }


@pytest.mark.parametrize(("K", "m"), [(1, 1), (1, 3), (2, 2), (3, 2), (2, 3)])
def test_the_facts_about_the_exploration_hold(K, m):
    h = [[Fraction(x + 2 * y, 3 * K + 2 * m) for y in range(m)] for x in range(K)]
    given = functions(K, m, h, [K - 1] * m)
    facts = [
        *(
            (model.E.explores("x", "y"), {"x": x, "y": y})
            for x, y in product(range(1, K + 2), range(1, m + 2))
        ),
        *((model.E.place("t"), {"t": t}) for t in range(1, m * K + m)),
        *((model.cell("x", "y"), {"x": x, "y": y}) for x in range(1, K + 1) for y in range(1, m + 1)),
        *((model.cells_beyond("x", "n"), {"x": x, "n": n}) for x in range(1, K + 1) for n in range(m)),
        *((model.cells_left("x", "t"), {"x": x, "t": t}) for x in range(K) for t in range(m + 1)),
    ]
    for fact, values in facts:
        everything = {"K": K, "m": m, **values, **given}
        used = (*fact.formula.names, *fact.formula.functions)
        assert fact.formula.holds(**{name: everything[name] for name in used}), (str(fact), values)
