"""Theorem 2: no player does better than sqrt(mKT), up to a constant.

Stated (label thm:lower). There exist a tallying bandit problem and a constant c > 0 such that the expected
complete policy regret of any algorithm on this problem is at least c max{mK, sqrt(mKT)}.

Found. As worded it fails on every problem: the algorithm that plays an optimal sequence of that problem,
whatever it sees, has no regret. If the problem may depend on the algorithm it still fails for K = 1, where
every policy is optimal, and for T < c mK, as no regret exceeds T. The proof needs small repairs, which are
separate claims: the set of y* (`/set-size`, `/number-of-arms`), the range of eps (`/epsilon`), and short
horizons (`/short-horizons`); the rest of it stands. Put together, for K >= 2 and T >= mK (`/repaired`):

- if m <= T/100, the construction of the paper with N = K (floor(m/24) + 1) >= mK/24 arms and eps^2 = N/(8T)
  has regret at least eps (T - 23m)/24 >= sqrt(mKT)/432;
- if m > T/100, the needle of Proposition 1 has regret m(K - 1)/2 >= mK/4 >= sqrt(mKT)/432.

For T < mK, fewer actions (floor(T/m) of them) or a lower threshold (`/short-horizons`) give a constant times
T (`/all-horizons`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.paper.theorem_2.short import BOUND, TINY_CONSTANT, WORST
from proofs_check.steps import SHOWN, Fact, Given, Step, Verdict, argued, conclusions, weakest
from proofs_check.ways.balls import decide
from proofs_check.ways.for_all import for_all
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula, exact_root
from tallyplan.model.instance import TallyingBandit

WHERE = "Theorem 2 (thm:lower)"
PROOF = "Theorem 2, proof (thm:lower)"
STATED = BOUND  # up to a constant
CONSTANT = Formula("1 / 432")
CONSTANT_FOR_ALL_HORIZONS = Formula("1 / 530")
LEAST_Y = Formula("23 * m / 24")
SET_SIZE, SET_SIZE_EXACT = Formula("m / 24"), Formula("floor(m / 24) + 1")
ARMS, ARMS_EXACT = Formula("m * K / 24"), Formula("K * (floor(m / 24) + 1)")
LOWEST_LOSS = Formula("1 / 2 - eps")
EPSILON_SQUARED = Formula("c * m * K / T")
IDENTIFIED = Fraction(1, 8)  # the constant c with which the best arm is missed often enough
SEVERAL_ACTIONS = {"actions": "K >= 2", "memory": "m >= 1"}
VARIABLES = "K m T y few integer; N eps P lost worst c real"


@dataclass(frozen=True)
class OneAction:
    """A problem with one action: nobody has any regret, so that no c > 0 will do."""

    stated: Formula
    bandit: TallyingBandit

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": 1, "largest regret": _largest_regret(self.bandit, 1)}, self.bandit)

    def confirmed(self) -> bool:
        """Every sequence of one step, by the definition of regret, against the right side in balls."""
        least = definitions.total_loss(self.bandit, (0,))
        loss = least + _largest_regret(self.bandit, 1)
        return decide(self.stated, K=1, m=1, T=1, c=TINY_CONSTANT, loss=loss, OPT=least) is False


@claim(
    "theorem-2",
    statement="There exist a tallying bandit problem and a constant c > 0 such that, for any (possibly "
    "randomized) algorithm on this problem, in expectation {stated}.",
    where=WHERE,
    formulas={
        "bound": STATED,
        "stated": "loss - OPT >= c * bound",
        "never": "not (loss - OPT >= c * bound)",
    },
    domain={"sizes": "K >= 1 and m >= 1 and T >= 1", "constant": "c > 0"},
    symbols={"c": "the constant"},
    uses=("theorem-2/all-horizons", "theorem-2/repaired"),
)
def theorem_2(request: Request) -> Outcome:
    """On every problem the algorithm that plays an optimal sequence has no regret, which is less."""
    f = request.formulas
    blind = for_all(
        "K m T c loss OPT real",
        given=[*request.domain, definition("an algorithm that plays an optimal sequence", "loss == OPT")],
        then=f.never,
        words="on every problem, and for every c > 0, an algorithm that plays an optimal sequence regrets "
        "less",
    )
    nobody = request.show("never", [blind])
    fails = nobody.verdict in SHOWN
    whole, long = (request.result(f"theorem-2/{name}") for name in ("all-horizons", "repaired"))
    return request.conclude(
        None,
        method="the algorithm that plays an optimal sequence; a problem with one action",
        cases=1,
        violation=OneAction(f.stated, TallyingBandit([[0]])) if fails else None,
        remarks=(
            *nobody.steps,
            "If the problem may depend on the algorithm, it still fails for K = 1, where every "
            "regret is 0, and wherever T < c mK, as no regret exceeds T.",
        ),
        repair=Repair(
            f"For every player there is a problem with {long.claim.formula('stated')}, for {long.claim.on}; "
            f"and with {whole.claim.formula('stated')}, for {whole.claim.on}.",
            weakest(long.outcome.verdict, whole.outcome.verdict),
        ),
    )


@claim(
    "theorem-2/repaired",
    statement="(not in the paper: the theorem with its constant and where it holds) For every player there "
    "is a problem with {stated}.",
    where=WHERE,
    formulas={"constant": CONSTANT, "bound": STATED, "stated": "worst >= constant * bound"},
    domain={**SEVERAL_ACTIONS, "horizon": "T >= m * K"},
    integers="K m T",
    symbols={"worst": WORST},
    uses=("theorem-2/identification", "theorem-2/number-of-arms", "theorem-2/optimal-loss"),
)
def repaired(request: Request) -> Outcome:
    """The proof of the paper with the repaired steps; the needle of Proposition 1 for m > T/100."""
    return request.conclude(request.show("stated", _repaired_steps(request)), method="the repaired steps")


def _repaired_steps(request: Request) -> list[Step]:
    f = request.formulas
    root = f"{f.constant} * sqrt(m * K * T)"
    arms = for_all(
        VARIABLES,
        given=[f.actions, f.memory, request.quote("theorem-2/number-of-arms", "exactly")],
        then="24 * N >= m * K and N >= 2 and N <= m * K",
        words="N is between mK/24 and mK",
    )
    eps = definition("eps", "implies(T >= 1, eps >= 0 and eps**2 * T == 1 / 8 * N)", "eps")
    positive = for_all(VARIABLES, given=request.domain, then="T >= 1")
    size = for_all(VARIABLES, given=[*conclusions(arms, positive), f.horizon, eps], then="eps <= 1 / 2")
    missed = for_all(
        VARIABLES,
        given=[*conclusions(arms, positive), f.horizon, eps, request.quote("theorem-2/identification")],
        then=request.run.claim("theorem-2/identification").formula("stated"),
        words="the player misses (x*, y*) so often",
    )
    y = definition("y*", "integer(y) and 23 * m <= 24 * y and y <= m", "y")
    optimal = for_all(
        VARIABLES,
        given=[f.memory, *conclusions(positive), eps, y, request.quote("theorem-2/optimal-loss")],
        then=request.run.claim("theorem-2/optimal-loss").formula("stated"),
    )
    player = argued(
        "at each step the player loses 1/2, or 1/2 - eps with probability 1 - P at most, on average over "
        "(x*, y*), also if he may choose the state; and OPT is at most what pi loses",
        then="worst >= T / 2 - (1 - P) * eps * T - lost",
        given=conclusions(size),
    )
    small = for_all(
        VARIABLES,
        given=conclusions(missed, optimal, player, positive),
        then="implies(eps >= 0, worst >= eps * (T - 23 * m) / 24)",
    )
    enough = for_all(
        VARIABLES,
        given=[*conclusions(arms, positive, small), eps, f.memory],
        then=f"implies(100 * m <= T, worst >= {root})",
        words="m <= T/100",
    )
    needle = argued(
        "the needle of Proposition 1 has Bayes regret m(K - 1)/2 for T >= mK (proposition-1-lower)",
        then="worst >= m * (K - 1) / 2",
        given=request.domain,
    )
    memory = for_all(
        VARIABLES,
        given=[*request.domain, *conclusions(needle)],
        then=f"implies(100 * m > T, worst >= {root})",
        words="m > T/100",
    )
    last = for_all(VARIABLES, given=[*request.domain, *conclusions(enough, memory)], then=f.stated)
    return [arms, positive, size, missed, optimal, player, small, enough, needle, memory, last]


@claim(
    "theorem-2/all-horizons",
    statement="(not in the paper: the theorem for every horizon) For every player there is a problem with "
    "{stated}.",
    where=WHERE,
    formulas={
        "constant": CONSTANT_FOR_ALL_HORIZONS,
        "bound": STATED,
        "stated": "worst >= constant * min(T, bound)",
    },
    domain={**SEVERAL_ACTIONS, "horizon": "T >= 1"},
    integers="K m T",
    symbols={"worst": WORST},
    uses=("theorem-2/repaired", "theorem-2/short-horizons"),
)
def all_horizons(request: Request) -> Outcome:
    """For T < mK, fewer actions or a lower threshold."""
    f = request.formulas
    long = request.run.claim("theorem-2/repaired")
    whole = for_all(
        VARIABLES,
        given=[*request.domain, request.quote("theorem-2/repaired")],
        then=f"implies(T >= m * K, {f.stated})",
        words="T >= mK",
    )
    fewer = argued(
        "floor(T/m) of the actions, the others always losing 1: theorem-2/repaired for these",
        then=f"implies(2 * m <= T and T < m * K, worst >= {long.formula('constant')} * sqrt(m * floor(T / "
        "m) * T))",
    )
    middle = for_all(
        VARIABLES,
        given=[f.actions, f.memory, *conclusions(fewer)],
        then=f"implies(2 * m <= T and T < m * K, worst >= {f.constant} * T)",
        words="2m <= T < mK",
    )
    short = for_all(
        VARIABLES,
        given=[*request.domain, request.quote("theorem-2/short-horizons", "repaired", c=1)],
        then=f"implies(T < 2 * m, worst >= {f.constant} * T)",
        words="T < 2m",
    )
    last = for_all(VARIABLES, given=[*request.domain, *conclusions(whole, middle, short)], then=f.stated)
    return request.conclude(
        request.show("stated", [whole, fewer, middle, short, last]), method="fewer actions, a lower threshold"
    )


@dataclass(frozen=True)
class Counted:
    """A size at which there are more pairs than stated."""

    stated: Formula
    values: dict[str, int]
    name: str
    found: int

    def witness(self) -> Witness:
        """For the reader; the right side of the equation is what is stated."""
        right = Formula(str(self.stated).split("==")[1].strip())
        return Witness(
            {
                **{name: self.values[name] for name in ("K", "m") if name in self.values},
                self.name: self.found,
                "stated": right(**self.values),
            }
        )

    def confirmed(self) -> bool:
        """Count from the top down, in place of listing all y."""
        m, y = self.values["m"], self.values["m"]
        while 24 * y >= 23 * m:
            y -= 1
        counted = {"count": m - y, "N": self.values.get("K", 1) * (m - y), **self.values}
        return not self.stated.holds(**counted)


def _count() -> Fact:
    """The number of integers from 23m/24 to m."""
    return definition("the number of elements", f"count == m - ceil({LEAST_Y}) + 1", "count")


@claim(
    "theorem-2/set-size",
    statement="(24 divides m) {23 * m / 24, 23 * m / 24 + 1, .., m}, from which y* is drawn, has {size} "
    "elements: {stated}.",
    where=PROOF,
    formulas={
        "size": SET_SIZE,
        "stated": "count == size",
        "exact": SET_SIZE_EXACT,
        "exactly": "count == exact",
        "enough": "count >= size",
    },
    domain={"memory": "m >= 1"},
    integers="m",
    symbols={"count": "the number of elements"},
)
def set_size(request: Request) -> Outcome:
    """Count the integers from 23m/24 to m for m up to 120; prove the count for all m."""
    f = request.formulas
    memories = [m for m in range(1, 121) if LEAST_Y(m=m).denominator == 1]
    failing = next((m for m in memories if not f.stated.holds(count=len(_heights(m)), m=m)), None)
    right = all(f.exactly.holds(count=len(_heights(m)), m=m) for m in range(1, 121))
    first = for_all(
        "m integer",
        given=[f.memory],
        then=f"{LEAST_Y} <= m - floor(m / 24) and m - floor(m / 24) - 1 < {LEAST_Y}",
        words="m - floor(m/24) is the first element",
    )
    rounded = for_all("m integer", given=conclusions(first), then=f"ceil({LEAST_Y}) == m - floor(m / 24)")
    exactly, enough = (
        request.show(
            name,
            [
                *(first, rounded),
                for_all("m integer", given=[*conclusions(rounded), _count()], then=getattr(f, name)),
            ],
        )
        for name in ("exactly", "enough")
    )
    return request.conclude(
        None,
        method="the elements counted, and for all m by z3",
        cases=120,
        checked_on="24 | m, m <= 120",
        violation=Counted(f.stated, {"m": failing}, "elements", len(_heights(failing))) if failing else None,
        remarks=(*exactly.steps, *enough.steps),
        tight=Tight(f"{f.exact}, exactly, taking ceil({LEAST_Y}) .. m", exactly.verdict) if right else None,
        repair=Repair(
            f"Draw y* from ceil({LEAST_Y}) .. m: {f.exactly}, and {f.enough}, for every m >= 1; no large m "
            "and no divisibility are needed.",
            weakest(exactly.verdict, enough.verdict) if right else Verdict.UNDECIDED,
        ),
    )


@claim(
    "theorem-2/number-of-arms",
    statement="(24 divides m) (x*, y*) is drawn from a set of cardinality {arms}; the number of arms is "
    "{stated}.",
    where=PROOF,
    formulas={
        "arms": ARMS,
        "stated": "N == arms",
        "exact": ARMS_EXACT,
        "exactly": "N == exact",
        "enough": "N >= arms",
    },
    domain={"actions": "K >= 0", "memory": "m >= 1"},
    integers="K m",
    symbols={"N": "the number of pairs (x*, y*), ceil(23m/24) <= y* <= m"},
    uses=("theorem-2/set-size",),
)
def number_of_arms(request: Request) -> Outcome:
    """Count the pairs for small K and m; the count errs in the harmless direction."""
    f = request.formulas
    sizes = [(K, m) for m in range(24, 97, 24) for K in range(1, 5)]
    counts = {(K, m): len([(x, y) for x in range(K) for y in _heights(m)]) for K, m in sizes}
    failing = next(((K, m) for K, m in sizes if not f.stated.holds(N=counts[K, m], K=K, m=m)), None)
    right = all(f.exactly.holds(N=counts[K, m], K=K, m=m) for K, m in sizes)
    given: list[Given | str] = [
        *request.domain,
        definition("N", "N == K * count", "N"),
        request.quote("theorem-2/set-size", "exactly"),
    ]
    exactly, enough = (
        request.show(name, [for_all("K m integer", given=given, then=getattr(f, name))])
        for name in ("exactly", "enough")
    )
    return request.conclude(
        None,
        method="the pairs counted; z3 for all K and m",
        cases=len(sizes),
        checked_on="K <= 4, m = 24, 48, 72, 96",
        violation=Counted(f.stated, {"K": failing[0], "m": failing[1]}, "arms", counts[failing])
        if failing
        else None,
        remarks=(*exactly.steps, *enough.steps),
        repair=Repair(
            f"{f.exactly} and {f.enough}, which is all that the lower bound needs.",
            weakest(exactly.verdict, enough.verdict) if right else Verdict.UNDECIDED,
        ),
    )


@dataclass(frozen=True)
class NegativeLoss:
    """An eps of the proof with which h_{x*}(y*) is no loss."""

    stated: Formula
    actions: int
    horizon: int
    eps: Fraction

    def witness(self) -> Witness:
        """For the reader."""
        sizes = {"c": IDENTIFIED, "m": 1, "K": self.actions, "T": self.horizon}
        return Witness({**sizes, "eps": self.eps, "h_{x*}(y*)": Fraction(1, 2) - self.eps})

    def confirmed(self) -> bool:
        """eps^2 T = c m K, and eps is above 1/2, in integers."""
        p, q = self.eps.numerator, self.eps.denominator
        scaled = IDENTIFIED.denominator * p * p * self.horizon
        return scaled == IDENTIFIED.numerator * self.actions * q * q and 2 * p > q


@claim(
    "theorem-2/epsilon",
    statement="h_{x*}(y*) = {lowest} is a loss for the eps in (0, 1) with eps**2 = {square}: {stated}.",
    where=PROOF,
    formulas={
        "lowest": LOWEST_LOSS,
        "square": EPSILON_SQUARED,
        "stated": "0 <= lowest and eps < 1",
        "enough_steps": "T >= 4 * c * m * K",
        "repaired": "(0 <= lowest and eps < 1) == (enough_steps)",
    },
    domain={
        "sizes": "c > 0 and m >= 1 and K >= 1",
        "horizon": "T >= 100 * m",
        "choice": "eps > 0 and eps**2 == square",
    },
    symbols={
        "eps": "what h_{x*}(y*) is below 1/2",
        "c": "the constant, which the proof takes from elsewhere",
    },
)
def epsilon(request: Request) -> Outcome:
    """Search K for an eps with which the loss is none; z3 for where it is one."""
    f = request.formulas
    tried = [(K, T) for T in (100, 200) for K in range(1, 1000)]
    found = [(K, T, eps) for K, T in tried if (eps := _eps(request, K, T)) is not None]
    failing = next((one for one in found if not f.stated.holds(eps=one[2])), None)
    given = [f.sizes, f.horizon, f.choice]
    exactly = request.show("repaired", [for_all("eps c m K T real", given=given, then=f.repaired)])
    return request.conclude(
        None,
        method="a search over K, and z3 for all real values",
        cases=len(found),
        checked_on=f"c = {IDENTIFIED}, m = 1, T = 100, 200, K < 1000, eps rational",
        violation=NegativeLoss(f.stated, *failing) if failing else None,
        remarks=exactly.steps,
        tight=Tight(f"a loss if and only if {f.enough_steps}", exactly.verdict),
        repair=Repair(f"eps in (0, 1/2], that is, {f.enough_steps}.", exactly.verdict),
    )


def _eps(request: Request, K: int, T: int) -> Fraction | None:
    """The eps of the proof if it is rational and the sentence is about it."""
    square = request.formulas.square(c=IDENTIFIED, m=1, K=K, T=T)
    try:
        eps = exact_root(square)
    except InvalidInput:  # no rational
        return None
    return eps if all(one.holds(c=IDENTIFIED, m=1, K=K, T=T, eps=eps) for one in request.domain) else None


def _heights(memory: int) -> list[int]:
    least = LEAST_Y(m=memory)
    return [y for y in range(1, memory + 1) if y >= least]


def _largest_regret(bandit: TallyingBandit, horizon: int) -> Fraction:
    """The most that any player can regret."""
    sequences = list(definitions.everything(bandit, horizon))
    return max(definitions.policy_regret(bandit, actions, sequences) for actions in sequences)
