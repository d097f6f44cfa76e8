"""Proposition 1, lower bound: a needle that takes m plays in a row to find.

Stated (label prop1). An action x* is drawn at random, h_{x*}(m) = 0, every other loss is 1. An optimal policy
loses m - 1; a player makes at least mK/64 queries before he observes h_{x*}(m); so E[CPR] >= mK/64 - (m - 1)
>= mK/128 for K above some constant c, and "there exists a problem such that any algorithm" has that regret.

Shown. To *test* an action is to play it m times in a row. Tests of different actions share no step, so the
j-th test ends at step jm or later. All losses are 1 until x* is tested, so the order of the tests is fixed in
advance, and x* is equally likely to be any of them. With q = min(K, floor(T/m)) tests, the least expected
loss is

    ( sum over j = 1..q of (jm - 1)  +  (K - q) T ) / K,

attained by testing the actions in turn; minus OPT = min(T, m - 1) this is the exact Bayes regret, m(K - 1)/2
for T >= mK. So mK/128 holds for every K >= 2 and T >= mK. It fails for short T whatever c is: at T = m the
regret is 1 - 1/K, and mK/128 is as large as one likes. And the quantifiers should read "for every algorithm
there is a problem". A recursion over beliefs gives the same numbers on a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.bayes.constructions import needle_prior, uniform
from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.boxes import first_failing, needle
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.computations.alg_det import exploration
from proofs_check.steps import SHOWN, Fact, Given, Step, argued, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import SIZES, Play, definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

WHERE = "Proposition 1, lower bound (prop1)"
STATED = Formula("m * K / 128")
QUERIES, QUERIES_EXACT = Formula("m * K / 64"), Formula("m * (K + 1) / 2")
TESTS = Formula("min(K, floor(T / m))")
BAYES_LOSS = Formula("(q * (q + 1) / 2 * m - q + (K - q) * T) / K")
BAYES_REGRET = Formula("m * (K - 1) / 2")
RANDOM_ORDER = (
    "all losses are 1 until x* is tested, so the order of the tests is fixed in advance, and x* is each of "
    "the K tests with probability 1/K"
)
POSITIVE = {"actions": "K >= 1", "memory": "m >= 1"}
A = Play("a")
VARIABLES = (
    f"{SIZES}; {A.variables}; end(integer) which(integer) j integer; ends(integer) early(integer) OPT real"
)

Size = tuple[int, int, int]  # (K, m, T)


def bayes_regret(actions: int, memory: int, horizon: int) -> Fraction:
    """The exact Bayes regret of the construction, by the formula."""
    q = TESTS(K=actions, m=memory, T=horizon)
    return BAYES_LOSS(q=q, K=actions, m=memory, T=horizon) - min(horizon, memory - 1)


def bayes_regret_by_beliefs(actions: int, memory: int, horizon: int) -> Fraction:
    """The same by the recursion over what a player can know."""
    known = uniform([needle(actions, memory)])
    return least_expected_loss(needle_prior(actions, memory), horizon) - least_expected_loss(known, horizon)


@dataclass(frozen=True)
class Short:
    """The construction on a horizon that is too short for more than one test."""

    actions: int
    memory: int
    horizon: int
    bound: Fraction

    @property
    def regret(self) -> Fraction:
        """The exact Bayes regret."""
        return bayes_regret(self.actions, self.memory, self.horizon)

    def witness(self) -> Witness:
        """For the reader."""
        sizes = (self.actions, self.memory, self.horizon)
        names = ("K", "m", "horizon")
        facts = {"Bayes regret": self.regret, "stated": self.bound}
        return Witness({**dict(zip(names, sizes, strict=True)), **facts})

    def confirmed(self) -> bool:
        """The player who always plays the first action has less regret, by replay; no tally is m before m."""
        plays = [0] * self.horizon
        first, other = (
            replay(needle(self.actions, self.memory, best), plays) for best in (0, self.actions - 1)
        )
        mean = (first + (self.actions - 1) * other) / self.actions
        return mean - min(self.horizon, self.memory - 1) < self.bound


@claim(
    "proposition-1-lower",
    statement=(
        "With x* uniform, h_{x*}(m) = 0 and every other loss 1, the expected complete policy regret of every "
        "player is at least {bound}, where K is larger than some numerical constant: {stated}."
    ),
    where=WHERE,
    formulas={
        "bound": STATED,
        "stated": "regret >= bound",
        "q": TESTS,
        "least_loss": BAYES_LOSS,
        "exact": BAYES_REGRET,
        "attained": "implies(T >= m * K, regret == exact)",
        "repaired": "implies(K >= 2 and T >= m * K, regret >= m * K / 4 and m * K / 4 >= bound)",
        "fails": "implies(T == m and m * K >= 128, regret < bound)",
    },
    domain={**POSITIVE, "horizon": "T >= 1", "constant": "K >= c"},
    integers="K m T",
    symbols={
        "regret": "the least expected complete policy regret of a player",
        "c": "the constant that the paper does not name",
        "q": "the number of tests that fit",
    },
    uses=("proposition-1-lower/optimum",),
)
def lower(request: Request) -> Outcome:
    """The exact Bayes regret, confirmed by beliefs on a box; where it is below mK/128, whatever c is."""
    f = request.formulas
    sizes = list(_box(request))
    differing = [size for size in sizes if bayes_regret(*size) != bayes_regret_by_beliefs(*size)]
    steps = _regret_steps(request)
    arguments = {name: [*steps, *_from_regret(request, name)] for name in ("attained", "repaired", "fails")}
    shown = {name: request.show(name, [] if differing else one) for name, one in arguments.items()}
    short = _short(request)
    return request.conclude(
        None,
        method="the exact Bayes regret; a recursion over beliefs on a box",
        cases=len(sizes),
        checked_on=f"K = c = {CONSTANT}, T = m among {', '.join(map(str, MEMORIES))}",
        violation=short if shown["fails"].verdict in SHOWN else None,
        remarks=(
            *steps,
            f"Formula and beliefs agree at {len(sizes) - len(differing)} of {len(sizes)} sizes (K,m,T).",
            f"It fails for every c: {f.fails} ({shown['fails'].verdict}).",
            f"For K = 2, m = 1000 it fails up to T = {_last_failing_horizon(f.bound, 2, 1000)}; "
            "for T < m every regret is 0.",
            "Against a deterministic player the worst x* is the one he tests last: regret m(K - 1).",
        ),
        tight=Tight(
            f"{f.exact} for T >= mK: the exact Bayes regret, attained by testing the actions in turn",
            shown["attained"].verdict,
            Witness({"horizon": 2, "Bayes regret": bayes_regret_by_beliefs(2, 1, 2)}, needle(2, 1)),
        ),
        repair=Repair(
            f"For every K >= 2 and T >= mK it is at least {f.exact} >= m * K / 4, with no large K.",
            shown["repaired"].verdict,
        ),
    )


CONSTANT = 128  # the least c for which the inequality of the proof holds for all m (claim large-K)
MEMORIES = (1, 10, 100, 1000)


def _short(request: Request) -> Short | None:
    """K = c = 128 and T = m: the case that misses the bound by most."""
    f = request.formulas
    cases = [
        Short(CONSTANT, m, m, f.bound(K=CONSTANT, m=m))
        for m in MEMORIES
        if all(one.holds(K=CONSTANT, m=m, T=m, c=CONSTANT) for one in request.domain)
    ]
    failing = [one for one in cases if not f.stated.holds(K=CONSTANT, m=one.memory, regret=one.regret)]
    return max(failing, key=lambda one: one.bound, default=None)


def test_steps() -> list[Step]:
    """which(j) is the j-th action to be tested, end(j) the step where its test ends; ends(j) adds up."""
    tested = [
        definition(
            "a test: m plays in a row",
            f"implies(j >= 1 and {end} - m + 1 <= end(j) and end(j) <= {end}, a(end(j)) == {which})",
        )
        for end, which in (("end(j)", "which(j)"), ("end(j + 1)", "which(j + 1)"))
    ]
    order = definition(
        "the order of the tests",
        "implies(j >= 1, which(j) != which(j + 1) and end(j) < end(j + 1)) and end(1) - m + 1 >= 1",
    )
    apart = induction(
        VARIABLES,
        on="j",
        start=1,
        given=["m >= 1", order, *tested],
        then="end(j) >= j * m",
        words="tests of different actions share no step, so the j-th ends at step jm or later",
    )
    total = induction(
        VARIABLES,
        on="j",
        start=0,
        given=["m >= 1", apart.at(j="j + 1"), _adds("ends", "end(j + 1)")],
        then="2 * ends(j) >= m * j * (j + 1)",
        words="the first j tests end at steps that add up to m j(j + 1)/2 or more",
    )
    return [apart, total]


def _adds(name: str, term: str) -> Fact:
    """The function adds up the terms."""
    return definition(
        f"{name}, a sum", f"{name}(0) == 0 and implies(j >= 0, {name}(j + 1) == {name}(j) + {term})"
    )


def regret_steps() -> list[Step]:
    """What is checked of the exact Bayes loss: when tests end, and the sum of jm - 1."""
    early = induction(
        VARIABLES,
        on="j",
        start=0,
        given=[_adds("early", "(j + 1) * m - 1")],
        then="early(j) == j * (j + 1) / 2 * m - j",
        words="jm - 1, added up over the first j tests",
    )
    return [*test_steps(), early]


def _regret_steps(request: Request) -> list[Step]:
    """The exact Bayes loss; two links are words."""
    f = request.formulas
    *tests, early = regret_steps()
    link = argued(
        f"{RANDOM_ORDER}: found by the j-th, it has cost jm - 1 or more, and found by none T; testing in "
        "turn costs no more",
        then=f"K * expected == early({f.q}) + (K - {f.q}) * T",
        given=[f.actions, f.memory],
    )
    loss = for_all(
        VARIABLES,
        given=[f.actions, f.memory, f.horizon, *conclusions(link), early.at(j=f.q)],
        then=f"expected == {f.least_loss}",
        words="the least expected loss",
    )
    optimum = for_all(
        VARIABLES,
        given=[f.actions, f.memory, f.horizon, request.quote("proposition-1-lower/optimum", "exact")],
        then="OPT == min(T, m - 1)",
        words="OPT is the same for every x*",
    )
    return [*tests, early, link, loss, optimum]


def _from_regret(request: Request, name: str) -> list[Step]:
    """The regret is the expected loss minus OPT; what is repaired follows from the exact regret."""
    f = request.formulas
    given: list[Given | str] = [
        *(f.actions, f.memory, f.horizon, f"expected == {f.least_loss}", "OPT == min(T, m - 1)"),
        definition("the expected regret", "regret == expected - OPT"),
    ]
    if name != "repaired":
        return [for_all(VARIABLES, given=given, then=getattr(f, name))]
    attained = for_all(VARIABLES, given=given, then=f.attained)
    return [attained, for_all(VARIABLES, given=[f.memory, f.attained], then=f.repaired)]


@dataclass(frozen=True)
class Fixed:
    """One table, an optimal sequence, and the regret of the algorithm that plays it without looking."""

    bandit: TallyingBandit
    actions: tuple[int, ...]
    bound: Fraction

    @property
    def regret(self) -> Fraction:
        """By replay, against always x*."""
        return replay(self.bandit, self.actions) - replay(self.bandit, [0] * len(self.actions))

    def witness(self) -> Witness:
        """For the reader."""
        facts = {"horizon": len(self.actions), "algorithm plays": self.actions, "regret": self.regret}
        return Witness(facts | {"stated": self.bound}, self.bandit)

    def confirmed(self) -> bool:
        """Against every sequence, by the definitions, its regret is below the bound."""
        others = definitions.everything(self.bandit, len(self.actions))
        return definitions.policy_regret(self.bandit, self.actions, others) < self.bound


@claim(
    "proposition-1-lower/quantifiers",
    statement=(
        "There exists a problem such that the expected complete policy regret of any (possibly randomized) "
        "algorithm on this problem is at least {bound}: {stated}."
    ),
    where=WHERE,
    formulas={"bound": STATED, "stated": "best >= bound", "zero": "best <= 0", "never": "not (stated)"},
    domain=POSITIVE,
    integers="K m",
    symbols={"best": "the least expected complete policy regret of an algorithm on the problem"},
    uses=("proposition-1-lower",),
)
def quantifiers(request: Request) -> Outcome:
    """On every fixed problem, playing an optimal sequence without looking has regret 0; one example."""
    f = request.formulas
    blind = definition(
        "an algorithm: it may play a fixed sequence, whatever it sees", "best <= a_total(T) - OPT"
    )
    zero = for_all(VARIABLES, given=[A.is_optimal(), blind], then=f.zero)
    never = for_all(VARIABLES, given=[*request.domain, *conclusions(zero)], then=f.never)
    request.show("zero", [zero])
    shown = request.show("never", [zero, never])
    example = Fixed(needle(2, 2), (0, 0, 0), f.bound(K=2, m=2))
    return request.conclude(
        None,
        method="the algorithm that plays an optimal sequence of the fixed problem, whatever it sees",
        cases=1,
        violation=example if shown.verdict in SHOWN else None,
        remarks=("On every problem, for all K, m and T:", zero, never),
        repair=Repair(
            "For every algorithm there exists a problem: what is proved is a bound on the average over x*, "
            f"which is {BAYES_REGRET} for T >= mK (claim proposition-1-lower).",
            request.result("proposition-1-lower").outcome.shown["attained"],
        ),
    )


@dataclass(frozen=True)
class Queries:
    """The least expected number of queries, by beliefs."""

    actions: int
    memory: int
    queries: Fraction

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        K, m = self.actions, self.memory
        return formula.holds(K=K, m=m, T=m * K, queries=self.queries)

    def witness(self) -> Witness:
        """For the reader."""
        facts = {"horizon": self.actions * self.memory, "queries": self.queries}
        return Witness(facts, needle(self.actions, self.memory))

    def confirmed(self) -> bool:
        """As many as testing the actions in turn takes, by the definitions."""
        explored = exploration(self.actions, self.memory)
        first = [
            next(t for t in range(len(explored)) if definitions.step_loss(h, explored, t) == 0)
            for h, _ in needle_prior(self.actions, self.memory)
        ]
        return self.queries == Fraction(sum(first) + len(first), self.actions)


@claim(
    "proposition-1-lower/queries",
    statement="In expectation the player makes at least {few} queries before observing h_{x*}(m): {stated}.",
    where=WHERE,
    formulas={
        "few": QUERIES,
        "stated": "queries >= few",
        "exactly": QUERIES_EXACT,
        "exact": "queries == exactly",
    },
    domain={**POSITIVE, "long": "T >= m * K"},
    integers="K m T",
    symbols={"queries": "the least expected number of queries up to the one that observes h_{x*}(m)"},
)
def queries(request: Request) -> Outcome:
    """The j-th test ends at step jm at the earliest; average over the place of x* among the tests."""
    f = request.formulas
    boxes = [(K, m) for K in range(1, 5) for m in range(1, 4 if K < 4 else 3)]
    cases = [Queries(K, m, least_expected_loss(needle_prior(K, m), m * K) + 1) for K, m in boxes]
    exact = request.show("exact", _query_steps(request, f.exact))
    return request.conclude(
        request.show("stated", _query_steps(request, f.stated)),
        method="tests in a row, by induction; a recursion over beliefs on a box",
        cases=len(cases),
        checked_on="K <= 4, m <= 3 (2 if K = 4), T = mK",
        violation=first_failing(cases, f.stated),
        tight=Tight(
            f"{f.exactly}, exactly, attained by testing the actions in turn",
            exact.verdict,
            next(case for case in cases if (case.actions, case.memory) == (2, 2)).witness(),
        )
        if all(case.satisfies(f.exact) for case in cases)
        else None,
    )


def _query_steps(request: Request, conclusion: Formula) -> list[Step]:
    """The mean over the place of x* among the tests; only the last step knows the conclusion."""
    f = request.formulas
    tests = test_steps()
    enough = for_all(VARIABLES, given=[f.long], then="T >= m * K", words="all tests fit")
    links = [
        argued(
            RANDOM_ORDER,
            then="K * queries >= ends(K)",
            given=[f.actions, f.memory, "T >= m * K"],
        ),
        argued(
            "testing the actions in turn, the j-th test ends at step jm",
            then="2 * K * queries <= m * K * (K + 1)",
            given=[f.actions, f.memory, "T >= m * K"],
        ),
    ]
    return [
        *(*tests, enough, *links),
        for_all(
            VARIABLES,
            given=[f.actions, f.memory, *conclusions(*links), tests[-1].at(j="K")],
            then=conclusion,
            words="the mean",
        ),
    ]


def _box(request: Request) -> Iterator[Size]:
    """Small K, m, T first."""
    memories = {1: 4, 2: 4, 3: 3, 4: 2} if not request.thorough else {1: 5, 2: 5, 3: 4, 4: 3}
    return (
        (K, m, T) for K, most in memories.items() for m in range(1, most + 1) for T in range(1, m * K + 3)
    )


def _last_failing_horizon(bound: Formula, actions: int, memory: int) -> int:
    """The last T at which the Bayes regret is below the stated bound."""
    least = bound(K=actions, m=memory)
    failing = (T for T in range(memory * actions) if bayes_regret(actions, memory, T) < least)
    return max(failing, default=0)
