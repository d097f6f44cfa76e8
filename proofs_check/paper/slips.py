"""Slips and trivia, a row each: an index, an edge, an inequality that the authors leave to the reader.

A row states what is printed. Where that fails, a case of its box says so, and the row has the repair, proved;
where it holds, the row has a proof of a line or two. None of them touches a result of the paper.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofs_check.balls import decimal
from proofs_check.stating import Better, Outcome, Request, Setting, Shown, claim
from tallyplan.formula import Formula

POSITIVE = {"actions": "K >= 1", "memory": "m >= 1"}


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    says : what is printed, with {stated} where the formula is.
    steps : lemmas of all proofs, in their order.
    repair, repaired : the words and the formula of what is true instead.
    best, exactly : the words and the formula of the best constant or the exact domain.
    without : the hypotheses that this does not need.
    """

    id: str
    where: str
    says: str
    stated: str
    domain: Mapping[str, str]
    model: Mapping[str, Any]
    box: Mapping[str, Sequence[Any]] | None = None
    steps: Sequence[str] = ()
    repair: str = ""
    repaired: str = ""
    best: str = ""
    exactly: str = ""
    without: Sequence[str] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    setting: Setting = field(default_factory=Setting)

    def register(self) -> None:
        """As a claim."""
        more = {"repaired": self.repaired, "exactly": self.exactly}
        claim(
            self.id,
            statement=self.says,
            where=self.where,
            formulas={"stated": self.stated, **{name: text for name, text in more.items() if text}},
            domain=self.domain,
            symbols=self.symbols,
            setting=self.setting,
            model=self.model,
        )(self.examined)

    def examined(self, request: Request) -> Outcome:
        """A row of the table of slips: a box, and a proof of what is printed or of its repair."""
        shown = self._proved(request, "repaired" if self.repaired else "stated", self.steps)
        exactly = self._proved(request, "exactly", self.steps, self.without) if self.exactly else None
        return request.conclude(
            None if self.repaired else shown,
            box=self.box,
            tight=Better(self.best, exactly.verdict) if exactly else None,
            repair=Better(self.repair, shown.verdict) if self.repaired else None,
        )

    def _proved(
        self, request: Request, name: str, steps: Sequence[str], without: Sequence[str] = ()
    ) -> Shown:
        p = request.proof(name, without)
        for step in steps:
            p.have(step)
        return p.shown()


ROWS = (
    Row(
        "definition-1/cyclic",
        "Section 4.1, before Algorithm 1",
        "pi is sqrt(T)-cyclic if pi_(k sqrt(T) + t) = pi_t for all k and t; nothing is said about T, but the "
        "index must be an integer: {stated}.",
        "floor(k * sqrt(T) + t) == k * sqrt(T) + t",
        {"horizon": "T >= 1", "place": "1 <= t and t <= sqrt(T)", "period": "0 <= k and k <= sqrt(T) - 1"},
        {"T": 4, "t": 1, "k": 1, "L": 2},
        {"T": range(1, 30), "t": range(1, 6), "k": range(5), "L": [1]},
        steps=["implies(L >= 1 and T == L * L, sqrt(T) == L)"],
        repair="T a square; otherwise play `L * L` steps, `L == floor(sqrt(T))`, and at most `2 * L` are "
        "left.",
        repaired="implies(L >= 1 and T == L * L, k * sqrt(T) + t == k * L + t)",
        symbols={"t": "a place in a period", "k": "a number of periods"},
    ),
    Row(
        "counterexample-2/index",
        "Counterexample 2 (counterexample2)",
        "f_t(a_(1:t)) is a function of the actions from step t - m + 1 on, for every t: {stated}.",
        "t - m + 1 >= 1",
        {"memory": "m >= 1", "time": "t >= 1"},
        {"m": 2, "t": 2},
        {"m": range(1, 6), "t": range(1, 6)},
        repair="A slip: the index is `max(1, t - m + 1)`, as in the definition above it.",
        repaired="1 <= max(1, t - m + 1) <= t",
        best="`t >= m`, exactly",
        exactly="implies(t >= m, t - m + 1 >= 1) and implies(t < m, t - m + 1 < 1)",
    ),
    Row(
        "algorithm-2/horizon",
        "Algorithm 2 (alg:alg_det)",
        "For any memory m, number of actions K and horizon T there are T - mK steps left to plan: {stated}.",
        "T - m * K >= 0",
        {**POSITIVE, "horizon": "T >= 1"},
        {"K": 2, "m": 2, "T": 4},
        {"K": range(1, 4), "m": range(1, 4), "T": range(1, 10)},
        repair="ALG_det is defined for `T >= m * K` (the paper does not say so).",
        repaired="implies(T >= m * K, T - m * K >= 0)",
        best="`T >= m * K`, exactly",
        exactly="implies(T >= m * K, T - m * K >= 0) and implies(T < m * K, T - m * K < 0)",
    ),
    Row(
        "lemma-1/transition",
        "Lemma 1 (lem:bandit_mdp)",
        "T_M(s, i) = (s_2, s_2 .. s_{m-1}, s_m, i) is a state: it has as many entries as s, {stated}.",
        "1 + (m - 2) + 1 + 1 == m",
        {"memory": "m >= 2"},
        {"m": 2},
        {"m": range(2, 6)},
        repair="T_M(s, i) = (s_2, s_3, .., s_m, i), with which the lemma holds (claim lemma-1).",
        repaired="(m - 1) + 1 == m",
    ),
    Row(
        "lemma-1/initial-reward",
        "Lemma 1 (lem:bandit_mdp)",
        "R_M(s), 1 minus the loss of s_m at the number of its occurrences in s, is defined for each state: "
        "its last entry x is an action, {stated}.",
        "1 <= x <= K",
        {**POSITIVE, "entry": "0 <= x <= K"},
        {"K": 2, "m": 2, "x": 1},
        {"K": [1, 2], "m": [1, 2], "x": [0, 1, 2]},
        repair="Collect R of the state that a step leads to: there s_m is the action just played. The "
        "initial state needs no reward (claim lemma-1).",
        repaired="implies(x != 0, 1 <= x <= K)",
        symbols={"x": "s_m, the last entry of a state"},
    ),
    Row(
        "lemma-4/five-s",
        "Lemma 4, proof (eqn:help4)",
        "In units of Km sqrt(T), {stated}.",
        "4 + (r - 1) <= 5 * r",
        {"epochs": "r >= 1"},
        {"r": "1"},
        best="`4 * S`, attained at `S == 1`; the inequality holds from `S == 3 / 4` on",
        exactly="4 + (r - 1) <= 4 * r",
        symbols={"r": "S, which need not be an integer"},
        setting=Setting(variables="r real"),
    ),
    Row(
        "lemma-4/root",
        "Lemma 4, proof (eqn:help5)",
        "The root of 2^S is at most the root of sqrt(T)/(Km), where an epoch is run: {stated}.",
        "sqrt(L / (4 * K * m) + 1) * sqrt(K * m) <= sqrt(L)",
        {**POSITIVE, "runs": "L >= 4 * K * m"},
        {"K": 1, "m": 1, "L": 4},
        best="`sqrt(T) >= 4 * K * m / 3`, exactly",
        exactly="implies(3 * L >= 4 * K * m, sqrt(L / (4 * K * m) + 1) * sqrt(K * m) <= sqrt(L)) and "
        "implies(L >= 0 and 3 * L < 4 * K * m, sqrt(L / (4 * K * m) + 1) * sqrt(K * m) > sqrt(L))",
        steps=[
            "K * m >= 1",
            "implies(L >= 0, L / (4 * K * m) >= 0)",
            "implies(L >= 0, sqrt(K * m) > 0 and sqrt(L / (4 * K * m) + 1) >= 0 and sqrt(L) >= 0)",
            "(L / (4 * K * m) + 1) * (K * m) == L / 4 + K * m",
            "implies(L >= 0, (sqrt(L / (4 * K * m) + 1) * sqrt(K * m)) * (sqrt(L / (4 * K * m) + 1) * "
            "sqrt(K * m)) == L / 4 + K * m)",
        ],
        without=["runs"],
    ),
    Row(
        "lemma-4/log-t",
        "Lemma 4, proof (eqn:help5)",
        "The number of epochs is at most log(T); times log(2), {stated}.",
        "log(sqrt(T) / (4 * K * m) + 1) <= log(2) * log(T)",
        {**POSITIVE, "horizon": "T >= 2"},
        {"K": 2, "m": 1, "T": 64},
        best=f"`S <= log2(T) / 2`, about {decimal(Formula('1 / (2 * log(2))'), 4)} `log(T)`, for `T >= 2`; "
        "no smaller factor, as it is at least that less `log2(4 * K * m)`",
        exactly="log(T) / 2 - log(4 * K * m) <= log(sqrt(T) / (4 * K * m) + 1) <= log(T) / 2",
        steps=[
            "K * m >= 1",
            "sqrt(T) >= 0 and sqrt(T) * sqrt(T) == T",
            "sqrt(T) >= 14 / 10",
            "sqrt(T) / (4 * K * m) <= sqrt(T) / 4 and sqrt(T) / (4 * K * m) > 0",
            "log(sqrt(T) / (4 * K * m) + 1) <= log(sqrt(T))",
            "log(T) == 2 * log(sqrt(T))",
            "(sqrt(T) / (4 * K * m)) * (4 * K * m) == sqrt(T)",
            "log((sqrt(T) / (4 * K * m)) * (4 * K * m)) == log(sqrt(T) / (4 * K * m)) + log(4 * K * m)",
            "log(sqrt(T) / (4 * K * m)) <= log(sqrt(T) / (4 * K * m) + 1)",
        ],
    ),
    Row(
        "proposition-1-lower/large-K",
        "Proposition 1, proof of the lower bound (prop1)",
        "{stated}, where K is larger than some numerical constant.",
        "m * K / 64 - (m - 1) >= m * K / 128",
        {"memory": "m >= 1", "large": "K >= 128"},
        {"K": 128, "m": 2},
        best="`K >= 128 * (m - 1) / m`, exactly: 64 for `m == 2`, 86 for `m == 3`, 128 from `m == 129` on",
        exactly="implies(m * K >= 128 * (m - 1), m * K / 64 - (m - 1) >= m * K / 128) and "
        "implies(m * K < 128 * (m - 1), m * K / 64 - (m - 1) < m * K / 128)",
    ),
    Row(
        "theorem-2/set-size",
        "Theorem 2, proof",
        "The set {23 m / 24, .., m} of the tallies y* has m / 24 elements: {stated}.",
        "m - 23 * n + 1 == n",
        {"divides": "m == 24 * n", "some": "n >= 1"},
        {"m": 24, "n": 1},
        {"m": [24, 48], "n": [1, 2]},
        repair="It has `m / 24 + 1` elements. Draw y* from `ceil(23 * m / 24)` .. m: these are "
        "`floor(m / 24) + 1` values, and 24 need not divide m. So there are `K * (floor(m / 24) + 1)` arms, "
        "not `m * K / 24`, and more arms are harmless.",
        repaired="m - 23 * n + 1 == n + 1",
        best="`floor(m / 24) + 1`, exactly, taking `ceil(23 * m / 24)` .. m; that is at least `m / 24`",
        exactly="m + quotient(-23 * m, 24) + 1 == quotient(m, 24) + 1 and 24 * (quotient(m, 24) + 1) >= m",
        without=["divides", "some"],
        symbols={"n": "m / 24"},
    ),
    Row(
        "theorem-2/epsilon",
        "Theorem 2, proof",
        "h_{x*}(y*) = 1/2 - eps is a loss for any eps in (0, 1): {stated}.",
        "0 <= 1 / 2 - r",
        {"eps": "0 < r and r < 1"},
        {"r": "1/4", "u": "1/8", "K": 2, "m": 1, "T": 4},
        {"r": ["1/4", "1/2", "3/4"]},
        repair="`0 < eps <= 1 / 2`, that is, `T >= 4 * c * m * K` for `eps == sqrt(c * m * K / T)`.",
        repaired="implies(r <= 1 / 2, 0 <= 1 / 2 - r)",
        best="a loss if and only if `T >= 4 * c * m * K`, for `eps == sqrt(c * m * K / T)`",
        exactly="implies(T >= 1 and r * r * T == u * m * K and T >= 4 * u * m * K, 0 <= 1 / 2 - r) and "
        "implies(T >= 1 and r * r * T == u * m * K and T < 4 * u * m * K, 1 / 2 - r < 0)",
        symbols={"r": "eps", "u": "c"},
        setting=Setting(variables="r u real"),
    ),
    Row(
        "theorem-2/algebra",
        "Theorem 2, proof (help4)",
        "The player loses T/2 - 11 eps T / 12 at least and pi T/2 - 23 eps (T - m) / 24 at most, so the "
        "regret is at least eps (T - 23m) / 24: {stated}.",
        "r * (T - m) * 23 / 24 - r * T * 11 / 12 == r * (T - 23 * m) / 24",
        {"memory": "m >= 1", "horizon": "T >= 1"},
        {"m": 1, "T": 100, "r": "1/4"},
        best="positive if and only if `23 * m < T`",
        exactly="implies(r > 0 and 23 * m < T, r * (T - 23 * m) / 24 > 0)",
        symbols={"r": "eps"},
        setting=Setting(variables="r real"),
    ),
    Row(
        "theorem-2/rules-out",
        "Section 4.2, before Theorem 2",
        "The bound c sqrt(mKT) rules out a regret of poly(m, K) + K sqrt(T): for large m it is n times as "
        "large, whatever n, {stated}.",
        "sqrt(m * K * T) >= n * (K * sqrt(T))",
        {**POSITIVE, "horizon": "T >= 1", "large_memory": "m >= n * n * K", "factor": "n >= 1"},
        {"K": 1, "m": 4, "T": 4, "n": 2},
        steps=[
            "m * K >= n * n * K * K",
            "m * K * T >= n * n * K * K * T",
            "sqrt(m * K * T) >= 0 and sqrt(m * K * T) * sqrt(m * K * T) == m * K * T",
            "(n * (K * sqrt(T))) * (n * (K * sqrt(T))) <= sqrt(m * K * T) * sqrt(m * K * T)",
        ],
        best="nothing is ruled out for `m <= K`, where the bound is at most `K * sqrt(T)`",
        exactly="implies(m <= K, m * K * T <= K * K * T)",
        symbols={"n": "a factor"},
    ),
    Row(
        "theorem-2/transition-time",
        "Section 4.2, before Theorem 2",
        "In the MDP it takes at most m timesteps to transition from any state to any other state, also to "
        "(x, x, .., x) with x = 0: after a step the last entry is an action, {stated}.",
        "i == x",
        {**POSITIVE, "entry": "0 <= x <= K", "played": "1 <= i <= K"},
        {"K": 2, "m": 2, "x": 1, "i": 1, "n": 1, "a": [2]},
        {"K": [1, 2], "m": [1, 2], "x": [0], "i": [1, 2]},
        repair="From any state to any state in X^m it takes at most m timesteps: play its entries. Nothing "
        "leads back to a state with a 0.",
        repaired="implies(x == 0, i != x)",
        best="m is attained from (1, .., 1) to (2, .., 2), `K >= 2`: after `n < m` steps the first entry is "
        "1",
        exactly="implies(0 <= n and n < m, from_ones(a, n - m + 1) == 1)",
        symbols={
            "x": "the last entry of the state that is to be reached",
            "i": "the action just played",
            "n": "a number of steps",
            "a": "a(t), the actions that are played from (1, .., 1) on",
        },
        setting=Setting(define={"from_ones(a, t)": "1 if t <= 0 else a(t)"}),
    ),
)

for _row in ROWS:
    _row.register()
