"""What the sqrt(mKT) bound of optimism says about three sentences of the paper.

Stated. Congested bandits are tallying bandits with increasing h_x; "this additional assumption enables them
to provide an O(sqrt(mKT)) CPR bound" (Section 5). "A natural open question is resolving the gap between our
upper and lower bounds" (Section 6). Algorithm 1, and that of Awasthi et al., are "computationally
inefficient".

Found. No assumption on the h_x is needed for sqrt(mKT) up to a logarithm (`optimism`); the algorithm of
Awasthi et al. (CARMAB) is such an optimistic planner, and its section 2 takes any f. The gap is thereby
closed, up to the root of a logarithm and a constant, for T of the order m^3 K log T and more
(`optimism/range`). A notion of efficiency is not given; what the programs here cost is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.bounds import OPTIMISM_ENOUGH, OPTIMISM_GAP, OPTIMISM_GRID, OPTIMISM_LOG
from proofs_check.claim import Outcome, Repair, Request, claim
from proofs_check.paper.theorem_2.short import WORST
from proofs_check.steps import SHOWN, conclusions
from proofs_check.ways.balls import decimal, less
from proofs_check.ways.for_all import for_all
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import OPTIMISM, Setting
from tallyplan.games.game import simulate
from tallyplan.games.registry import find
from tallyplan.games.regret import complete_policy_regret
from tallyplan.model.instance import TallyingBandit

DELTA = Fraction(1, 20)
HORIZON = 10**6
SEEDS = range(5)


@dataclass(frozen=True)
class NotIncreasing:
    """A table that is not increasing, on which the bound is proved and says something."""

    bound: Formula
    bandit: TallyingBandit

    @property
    def values(self) -> dict[str, int | Fraction]:
        """For the bound."""
        return {"K": self.bandit.actions, "m": self.bandit.memory, "T": HORIZON, "delta": DELTA}

    def says_something(self) -> bool:
        """Whether the h_x are not increasing, and the bound is below T."""
        increasing = all(list(row) == sorted(row) for row in self.bandit.losses)
        return not increasing and less(self.bound, Formula("T"), **self.values) is True

    def witness(self) -> Witness:
        """For the reader."""
        facts = {"horizon": HORIZON, "delta": DELTA, "bound": decimal(self.bound, 6, **self.values)}
        return Witness(facts, self.bandit)

    def confirmed(self) -> bool:
        """By playing: the regret of every game is below the bound."""
        setting = Setting(self.bandit.actions, self.bandit.memory, HORIZON, DELTA)
        learner = find(OPTIMISM.algorithm).build(self.bandit, delta=DELTA)
        played = [simulate(self.bandit, learner, HORIZON, seed=seed) for seed in SEEDS]
        return not any(
            OPTIMISM.exceeded_by(complete_policy_regret(self.bandit, one.runs), setting) for one in played
        )


@claim(
    "theorem-2/congested",
    statement="(read: the bound needs it) That the h_x increase enables Awasthi et al. to provide an "
    "O(sqrt(mKT)) CPR bound.",
    where="Section 5, congested bandits",
    uses=("optimism", "optimism/range"),
)
def congested(request: Request) -> Outcome:
    """The same bound, up to a logarithm, for all tables; one that is not increasing, and games on it."""
    bound, within = request.result("optimism"), request.result("optimism/range")
    shown = all(one.outcome.verdict in SHOWN for one in (bound, within))
    example = NotIncreasing(bound.claim.formula("bound"), TallyingBandit([["1", "0"], ["1/2", "1/2"]]))
    return request.conclude(
        None,
        method="the claims optimism and optimism/range, which make no assumption on the h_x",
        cases=len(SEEDS),
        violation=example if shown and example.says_something() else None,
        remarks=(
            f"Without any assumption on the h_x, {bound.claim.formula('stated')} with probability 1 - delta: "
            f"{bound.outcome.verdict}.",
            "The sentence is about the proof of another paper: whether that proof uses monotonicity is not "
            "checked here.",
        ),
        repair=Repair(
            "An O(sqrt(mKT)) bound, up to a root of a logarithm, holds for every tallying bandit if T is at "
            f"least {within.claim.formula('enough')} (claim optimism/range).",
            within.outcome.verdict,
        ),
    )


@claim(
    "theorem-2/open-question",
    statement="(the paper leaves the gap between mK sqrt(T) and sqrt(mKT) open; not in the paper) It is "
    "closed up to the root of a logarithm for large T: the regret of optimistic-planner is {stated}.",
    where="Section 6, open directions",
    formulas={
        "enough": OPTIMISM_ENOUGH,
        "stated": f"loss - OPT <= {OPTIMISM_GAP} * sqrt({OPTIMISM_LOG}) * worst",
    },
    domain={
        "actions": "K >= 2",
        "memory": "m >= 1",
        "horizon": "T >= m * K",
        "long": "T >= enough",
        "probability": "0 < delta and delta < 1",
        "grid": OPTIMISM_GRID,
    },
    integers="K m T G",
    symbols={"worst": WORST, "G": "estimates are multiples of 1 / G, rounded down"},
    assuming=("on the event of optimism/event, of probability at least 1 - delta",),
    uses=("optimism", "optimism/range"),
)
def open_question(request: Request) -> Outcome:
    """The bound, and its range."""
    f = request.formulas
    variables, bound = "K m T G integer", request.run.claim("optimism").formula("stated")
    some = for_all(variables, given=[f.actions, f.memory, f.horizon], then="T >= 1")
    within = for_all(
        variables,
        given=[f.actions, f.memory, f.probability, f.grid, *conclusions(some), request.quote("optimism")],
        then=bound,
    )
    near = for_all(
        variables,
        given=[*request.domain, request.quote("optimism/range")],
        then=request.run.claim("optimism/range").formula("stated"),
    )
    last = for_all(variables, given=conclusions(within, near), then=f.stated)
    return request.conclude(
        request.show("stated", [some, within, near, last]),
        method="the claims optimism and optimism/range",
        remarks=("For T between the order of mK and of m^3 K it is open what is right.",),
    )


@claim(
    "theorem-1/computation",
    statement="Algorithm 1 is computationally inefficient (and so is that of Awasthi et al.).",
    where="Section 4.1, computational efficiency; Sections 5 and 6",
)
def computation(request: Request) -> Outcome:
    """No notion of efficiency is given; what the programs here cost."""
    return request.conclude(
        None,
        method="nothing to check: efficiency is not defined",
        remarks=(
            "As printed, Algorithm 1 lists K^sqrt(T) policies. It need not: the policies of A_s are those "
            "that satisfy a few linear inequalities, and the learner se-tb keeps only these (docs/se-tb.md).",
            "The optimistic planner makes at most Km log2(2 max(T, Km)/(Km)) + 1 plans (optimism/epochs), "
            "each over K^(m-1) histories: the horizon costs its logarithm, the memory is in the exponent.",
            "Whether time polynomial in K, m and log T suffices is open.",
        ),
    )
