"""Theorems 1 to 3 on two arms, for all memories: their algebra, step by step.

Notation of docs/large-memory.md: s ones in the window, psi = sum of (m-1-i) x_{t-i}, A = h_1(s), B =
h_0(m-s), lam a bound, t_k slopes, z_k = k (m-k) t_k, c_k = A_k + B_{k-1} - 2 lam. The window before a step
from level k-1 up to k holds its k-1 ones, and the window before a step from k down to k-1 holds its other k-1
ones, at positions of the weights 1 .. m-1; psi there lies in [low, high].
"""

from __future__ import annotations

from proofs_check.claim import Formulas
from proofs_check.steps import Fact, Step, argued, conclusions
from proofs_check.ways.for_all import equal_zero, for_all, identity, induction
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula

LOW, HIGH = Formula("k * (k - 1) / 2"), Formula("(k - 1) * (2 * m - k) / 2")
RISE = "max((t(k) - t(k - 1)) * low, (t(k) - t(k - 1)) * high)"
WINDOW = "m n t integer; x(integer) ones(integer, integer) weighted(integer, integer) integer"


def psi_steps(memory: Formula) -> list[Step]:
    """A step x to s ones changes psi by m x - s, from the window itself.

    ones(t, n) and weighted(t, n) are the sums of x(t - i) and of (m - 1 - i) x(t - i) over i < n: s and psi
    after step t are those with n = m.
    """
    shifted = induction(
        WINDOW,
        on="n",
        start=0,
        given=[
            *_sums("t", "n"),
            *_sums("t + 1", "n + 1"),
            *_sums("t + 1", "0"),
            *_empty("t"),
            *_empty("t + 1"),
        ],
        then="ones(t + 1, n + 1) == x(t + 1) + ones(t, n) and "
        "weighted(t + 1, n + 1) == (m - 1) * x(t + 1) + weighted(t, n) - ones(t, n)",
        words="one step later every action in the window counts one less",
    )
    return [
        shifted,
        for_all(
            WINDOW,
            given=[memory, shifted.at(n="m - 1"), *_sums("t", "m - 1")],
            then="weighted(t + 1, m) - weighted(t, m) == m * x(t + 1) - ones(t + 1, m)",
            words="a step x to s ones changes psi by m x - s",
        ),
    ]


def _sums(t: str, n: str) -> list[Fact]:
    """One term more of both sums."""
    return [
        definition("s", f"implies({n} >= 0, ones({t}, {n} + 1) == ones({t}, {n}) + x({t} - ({n})))"),
        definition(
            "psi",
            f"implies({n} >= 0, weighted({t}, {n} + 1) == weighted({t}, {n}) + (m - 1 - ({n})) * x({t} - "
            f"({n})))",
        ),
    ]


def _empty(t: str) -> list[Fact]:
    return [definition("s", f"ones({t}, 0) == 0"), definition("psi", f"weighted({t}, 0) == 0")]


def bounds_steps() -> list[Step]:
    """Where psi lies when a level is crossed."""
    import sympy

    i, k, m = sympy.symbols("i k m", positive=True, integer=True)
    return [
        equal_zero(
            sympy.summation(i, (i, 1, k - 1)) - LOW.sympy(k=k),
            "k-1 ones at the smallest of the weights 1 .. m-1 have psi = k(k-1)/2",
        ),
        equal_zero(
            sympy.summation(m - i, (i, 1, k - 1)) - HIGH.sympy(k=k, m=m),
            "k-1 ones at the largest of the weights 1 .. m-1 have psi = (k-1)(2m-k)/2",
        ),
        argued(
            "before a level is crossed, k-1 ones are at different places of the weights 1 .. m-1",
            then=f"{LOW} <= psi and psi <= {HIGH}",
        ),
    ]


def crossing_steps(f: Formulas) -> list[Step]:
    """Theorem 1: what psi does in one stay at the levels >= k, and in all of them."""
    changes, (*ends, before) = psi_steps(f.memory), bounds_steps()
    begin, end = (before.at(psi=name) for name in ("begin", "end"))
    stay = for_all(
        "begin end k m real",
        given=[begin, end],
        then="abs(begin - end) <= (k - 1) * (m - k)",
        words="in one stay psi changes by at most (k-1)(m-k)",
    )
    together = argued(
        "a closed walk enters the levels >= k by a step up to k, as often as it leaves them; over a stay the "
        "changes m x - s of psi add up",
        then="abs(total) <= stays * ((k - 1) * (m - k))",
        given=conclusions(stay, changes[-1]),
    )
    mean = definition("D and u", "steps >= 1 and D * steps == total and u * steps == stays and stays >= 0")
    variables = "m k D u total stays steps real"
    return [
        *(*changes, *ends, before, stay, together),
        for_all(variables, given=[mean, *conclusions(together)], then=f.stated, words="per step"),
    ]


def slope_steps(f: Formulas) -> list[Step]:
    """Theorem 3: on no edge does Phi = t_s psi + g(s) rise by more than the loss minus lam."""
    positive = for_all("m k integer", given=[f.level], then="m >= 1")
    changes, (*ends, before) = psi_steps(Formula("m >= 1")), bounds_steps()
    variables = "m k integer; A(integer) B(integer) t(integer) real; lam psi g low high mean total steps real"
    weights = definition("low and high", f"low == {LOW} and high == {HIGH}")
    rise = definition("g(k) - g(k-1)", f"g == A(k) - lam - (m - k) * t(k) - {RISE}")
    stay = for_all(
        variables,
        given=[f.within],
        then="t(k) * (m - k) <= A(k) - lam and t(k) * (0 - k) <= B(k) - lam",
        words="steps that stay at level k",
    )
    up = for_all(
        variables,
        given=[f.level, *conclusions(before), weights, rise],
        then="t(k) * (psi + m - k) - t(k - 1) * psi + g <= A(k) - lam",
        words="steps from level k-1 up to k, g = g(k) - g(k-1) as defined",
    )
    spread = for_all(
        variables,
        given=[f.level, weights],
        then="high - low == (k - 1) * (m - k)",
        words="the two ends differ by (k-1)(m-k)",
    )
    down = for_all(
        "m k A B B1 t1 t2 lam psi g low high real",
        given=[
            *("low <= psi", "psi <= high", "high - low == (k - 1) * (m - k)"),
            "g == A - lam - (m - k) * t2 - max((t2 - t1) * low, (t2 - t1) * high)",
            "A - lam - (m - k) * t2 + B - lam + (k - 1) * t1 >= abs(t2 - t1) * (k - 1) * (m - k)",
        ],
        then="t1 * (psi - (k - 1)) - t2 * psi - g <= B - lam",
        words="the same with numbers in place of functions",
    )
    at = down.at(A="A(k)", B="B(k - 1)", t1="t(k - 1)", t2="t(k)")
    downwards = for_all(
        variables,
        given=[f.coupled, *conclusions(before, spread), weights, rise, at],
        then="t(k - 1) * (psi - (k - 1)) - t(k) * psi - g <= B(k - 1) - lam",
        words="steps from level k down to k-1",
    )
    border = for_all(
        variables,
        given=[f.first, f.last, f.constant],
        then="t(1) * (m - 1) <= A(1) - lam and 0 <= B(0) - lam and 0 <= A(m) - lam and "
        "t(m - 1) * (1 - m) <= B(m - 1) - lam and 0 - t(1) <= B(1) - lam and t(m - 1) <= A(m - 1) - lam",
        words="steps that stay at the levels 1 and m-1, and steps into and out of the levels 0 and m, "
        "where slope and g are those of levels 1 and m-1",
    )
    closed = argued(
        "these are all edges, and along a closed walk Phi comes back",
        then="total >= steps * lam",
        given=conclusions(stay, up, downwards, border, changes[-1]),
    )
    mean = definition("the mean", "steps >= 1 and total == steps * mean")
    return [
        *(positive, *changes, *ends, before, stay, up, spread, downwards, border, closed),
        for_all(variables, given=[mean, *conclusions(closed)], then=f.stated, words="per step"),
    ]


def rising_steps(f: Formulas) -> list[Step]:
    """Theorem 2: slopes that satisfy the inequalities of Theorem 3 exist."""
    apart = for_all(
        "k l m Al Bk real",
        given=[f.levels, f.condition],
        then="Al / (m - l) >= -Bk / k",
        words="the condition reads p_l >= q_k",
    )
    algebra = _greedy_steps(f)
    exist = argued(
        "where the greedy z has no slack since it last was at its upper end, it is above its lower end, "
        "because "
        "no word 0^(m-lo) 1^k is better than lam; so slopes as in Theorem 3 exist, which says",
        then="total >= steps * lam",
        given=conclusions(apart),
    )
    mean = definition("the mean", "steps >= 1 and total == steps * mean")
    last = for_all("total steps mean lam real", given=[mean, *conclusions(exist)], then=f.stated)
    return [apart, *algebra, exist, last]


def _greedy_steps(f: Formulas) -> list[Step]:
    """The algebra of the greedy slopes and of lowering them."""
    neighbours = for_all(
        "k l m Al Bk t real",
        given=[f.levels, f.condition, "k == l - 1", "-Bk / k <= t"],
        then="Al + Bk + min(Al / (m - l), t) * (k * (m - l + 1) - l * (m - l)) >= 0",
        words="the greedy slope falls only to p_l, as p_l >= q_(l-1): theta_l >= min(p_l, theta_(l-1))",
    )
    bounds = ["m >= 3", "k >= 2", "k <= m - 1"]
    c = "(m - k) * p + (0 - (k - 1) * q)"
    return [
        neighbours,
        identity(
            "(A - (m - k) * t2) + (B + (k - 1) * t1) - (t2 - t1) * (k - 1) * (m - k)",
            "(A + B) - (k * (m - k) * t2 - (k - 1) * (m - k + 1) * t1)",
            words="for rising slopes the inequality of Theorem 3 reads z_k - z_{k-1} <= c_k",
        ),
        for_all(
            "j lo m integer",
            given=["1 <= j", "1 <= lo", "lo <= m"],
            then="j + max(0, m - j - (m - lo)) == max(j, lo)",
            words="in 0^(m-lo) 1^k, lo <= k, the j-th play of 1 has the tally max(j, lo), and so, with arms "
            "exchanged, the j-th play of 0 the tally max(j, m-k)",
        ),
        identity(
            "(S - zk + zlo) + (zk + (m - k) * Bk) + (lo * Alo - zlo)",
            "lo * Alo + S + (m - k) * Bk",
            words="the excess of that word over lam is the sum of the slacks c_j - (z_j - z_{j-1}), lo < j "
            "<= k, plus (t_k - q_k) k(m-k) plus (p_lo - t_lo) lo(m-lo); S is the sum of the c_j",
        ),
        identity(
            f"{c} + t * (k - 1) * (m - k + 1) - t * k * (m - k)",
            "(p - t) * (m - k) + (t - q) * (k - 1)",
            words="what the greedy slope of level k may exceed the one before by, times k(m-k)",
        ),
        for_all(
            "p q tau m k real",
            given=[*bounds, "tau <= p", "tau >= q"],
            then="(p - tau) * (m - k) + (tau - q) * (k - 1) >= 0",
            words="where the lowered slopes of two levels are equal, the inequality holds",
        ),
        for_all(
            "z1 z2 c tau2 theta2 w real",
            given=["w > 0", "z2 == w * theta2", "z2 <= z1 + c", "tau2 <= theta2"],
            then="w * tau2 <= z1 + c",
            words="where the slope before was not lowered, lowering this one keeps the inequality",
        ),
    ]  # fmt: skip
