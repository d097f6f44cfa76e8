"""Every play of a policy class, straight from its description in a certificate: no recursion, no planner."""

from fractions import Fraction
from itertools import product
from operator import mul


def paid(K, m, actions, start=()):
    """How often each loss h_x(y) is paid, straight from the definition of a tally."""
    played, counts = list(start), [0] * (K * m)
    for action in actions:
        played.append(action)
        counts[action * m + played[-m:].count(action) - 1] += 1
    return tuple(counts)


def per_period(K, m, word, T):
    return tuple(Fraction(T, len(word)) * count for count in paid(K, m, word, word * m))


def profiles(K, m, entry):
    """The plays of a class with their profiles."""
    name, T = entry["class"], entry["horizon"]
    if name == "optimal":
        return {word: paid(K, m, word) for word in product(range(K), repeat=T)}
    if name == "alg-det":
        explored = [x for x in range(K) for _ in range(m)]
        return {rest: paid(K, m, [*explored, *rest]) for rest in product(range(K), repeat=T - K * m)}
    if name == "constant":
        return {(x,): paid(K, m, [x] * T) for x in range(K)}
    if name == "cyclic":
        words = list(product(range(K), repeat=entry["period"]))
    elif name == "single-run":
        runs = [sum(((x,) * r for x, r in enumerate(rs)), ()) for rs in product(range(m + 1), repeat=K)]
        words = list(filter(None, runs))
    else:
        words = list(map(tuple, entry["words"]))
        if not entry["repeated"]:
            return {word: paid(K, m, word) for word in words}
    return {word: per_period(K, m, word, T) for word in words}


def least(one, losses):
    """The least loss of a class at a table in one row, every play tried."""
    return min(sum(map(mul, profile, losses)) for profile in set(listed(one)))


def listed(one):
    return profiles(one.actions, one.memory, one.to_json()).values()


def supremum(first, second):
    """The largest A(h) - B(h) over all tables: for each profile b of B, one exact linear program (z3)."""
    import z3

    h = [z3.Real(f"h{i}") for i in range(first.actions * first.memory)]
    height, largest = z3.Real("height"), None

    def lost(profile):
        return z3.Sum([z3.Q(*a.as_integer_ratio()) * x for a, x in zip(profile, h, strict=True)])

    for profile in set(listed(second)):
        solver = z3.Optimize()
        solver.add(*(height <= lost(one) for one in set(listed(first))))
        solver.add(*(x >= 0 for x in h), *(x <= 1 for x in h))
        solver.maximize(height - lost(profile))
        assert solver.check() == z3.sat
        found = solver.model().eval(height - lost(profile))
        value = Fraction(found.numerator_as_long(), found.denominator_as_long())
        largest = value if largest is None else max(largest, value)
    return largest
