"""Theorems 1 to 3 on two arms, for all memories: their algebra, step by step.

Notation of docs/large-memory.md: s ones in the window, psi = sum of (m-1-i) x_{t-i}, A = h_1(s), B =
h_0(m-s), lam a bound, t_k slopes, z_k = k (m-k) t_k, c_k = A_k + B_{k-1} - 2 lam. The window before a step
from level k-1 up to k holds its k-1 ones, and the window before a step from k down to k-1 holds its other k-1
ones, at positions of the weights 1 .. m-1; psi there lies in [low, high].
"""

from __future__ import annotations

from proofs_check.steps import Step
from proofs_check.ways.for_all import equal_zero, for_all, identity

ENDS = ["low <= psi", "psi <= high", "high - low == (k - 1) * (m - k)", "k >= 1", "m >= k"]
RISE = "g == A - lam - (m - k) * t2 - max((t2 - t1) * low, (t2 - t1) * high)"


def crossing_steps() -> list[Step]:
    """Theorem 1: what psi does in a step, and where it lies when a level is crossed."""
    import sympy

    i, k, m = sympy.symbols("i k m", positive=True, integer=True)
    low, high = k * (k - 1) / 2, (k - 1) * (2 * m - k) / 2
    return [
        identity(
            "(m - 1 - j) - (m - j)", "-1",
            words="a play of 1 enters psi with the weight m-1 and loses 1 a step until it has none, so a "
            "step x to s ones changes psi by m x - s",
        ),
        equal_zero(
            sympy.summation(i, (i, 1, k - 1)) - low,
            "k-1 ones at the smallest of the weights 1 .. m-1 have psi = k(k-1)/2",
        ),
        equal_zero(
            sympy.summation(m - i, (i, 1, k - 1)) - high,
            "k-1 ones at the largest of the weights 1 .. m-1 have psi = (k-1)(2m-k)/2",
        ),
        equal_zero(high - low - (k - 1) * (m - k), "the two differ by (k-1)(m-k)"),
        for_all(
            "begin end low high k m real",
            given=["low <= begin", "begin <= high", "low <= end", "end <= high",
                   "high - low == (k - 1) * (m - k)"],
            then="abs(begin - end) <= (k - 1) * (m - k)",
            words="one stay at the levels >= k contributes psi(before it) - psi(before its end) to D_k, at "
            "most (k-1)(m-k) in absolute value",
        ),
    ]  # fmt: skip


def slope_steps() -> list[Step]:
    """Theorem 3: on no edge does Phi = t_s psi + g(s) rise by more than the loss minus lam."""
    return [
        for_all(
            "m k A B lam t real",
            given=["A - lam - (m - k) * t >= 0", "B - lam + k * t >= 0"],
            then="t * (m - k) <= A - lam and t * (0 - k) <= B - lam",
            words="steps that stay at level k",
        ),
        for_all(
            "m k A lam t1 t2 psi low high g real",
            given=[*ENDS, RISE],
            then="t2 * (psi + m - k) - t1 * psi + g <= A - lam",
            words="steps from level k-1 up to k, g = g(k) - g(k-1) as defined",
        ),
        for_all(
            "m k A B lam t1 t2 psi low high g real",
            given=[
                *ENDS, RISE,
                "A - lam - (m - k) * t2 + B - lam + (k - 1) * t1 >= abs(t2 - t1) * (k - 1) * (m - k)",
            ],
            then="t1 * (psi - (k - 1)) - t2 * psi - g <= B - lam",
            words="steps from level k down to k-1",
        ),
        for_all(
            "m A1 B0 Am Bm lam t1 tm real",
            given=["A1 - lam >= (m - 1) * t1", "Bm - lam >= 0 - (m - 1) * tm", "B0 >= lam", "Am >= lam"],
            then="t1 * (m - 1) <= A1 - lam and 0 <= B0 - lam and 0 <= Am - lam and tm * (1 - m) <= Bm - lam",
            words="steps into and out of the levels 0 and m, where slope and g are those of levels 1 and m-1",
        ),
    ]  # fmt: skip


def rising_steps() -> list[Step]:
    """Theorem 2: the rising slopes satisfy the inequalities of Theorem 3."""
    bounds = ["m >= 3", "k >= 2", "k <= m - 1"]
    c = "(m - k) * p + (0 - (k - 1) * q)"
    return [
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
        for_all(
            "zk low excess real",
            given=["excess == zk - low", "excess >= 0"],
            then="zk >= low",
            words="so where the greedy z has no slack since it last was at its upper end, it is above its "
            "lower end, because no such word is better than lam",
        ),
        identity(
            f"{c} + t * (k - 1) * (m - k + 1) - t * k * (m - k)",
            "(p - t) * (m - k) + (t - q) * (k - 1)",
            words="what the greedy slope of level k may exceed the one before by, times k(m-k)",
        ),
        for_all(
            "p q t m k real",
            given=[*bounds, "q <= t", "p >= q"],
            then=f"{c} + min(p, t) * ((k - 1) * (m - k + 1) - k * (m - k)) >= 0",
            words="the greedy slope falls only to p_k: theta_k >= min(p_k, theta_{k-1})",
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


def monotone_steps() -> list[Step]:
    """The condition of Theorem 2 on excesses A, B over lam: k A_l + (m-l) B_k >= 0 for k < l."""
    levels = ["1 <= k", "k < l", "l < m", "l * Al + (m - l) * Bl >= 0"]
    return [
        for_all(
            "k l m Ak Al Bk Bl real",
            given=[*levels, "k * Ak + (m - k) * Bk >= 0", "Al >= Ak", "Bl <= Bk"],
            then="k * Al + (m - l) * Bk >= 0",
            words="both losses rise with the tally; the words 0^(m-k) 1^k and 0^(m-l) 1^l lose at least lam",
        ),
        for_all(
            "k l m Al Bk Bl real",
            given=[*levels, "Bl == Bk", "Bk >= 0"],
            then="k * Al + (m - l) * Bk >= 0",
            words="the losses of 0 are constant, and at least lam",
        ),
    ]
