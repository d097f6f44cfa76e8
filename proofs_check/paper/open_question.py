"""What the sqrt(mKT) bound of optimism says about three sentences of the paper.

Stated. Congested bandits are tallying bandits with increasing h_x; "this additional assumption enables them
to provide an O(sqrt(mKT)) CPR bound" (Section 5). "A natural open question is resolving the gap between our
upper and lower bounds" (Section 6). Algorithm 1, and that of Awasthi et al., are "computationally
inefficient".

Found. No assumption on the h_x is needed for sqrt(mKT) up to a logarithm (`optimism`); the algorithm of
Awasthi et al. (CARMAB) is such an optimistic planner, and its section 2 takes any f. The gap is thereby
closed, up to the root of a logarithm and a constant, for T of the order m^3 K log T and more
(`optimism/range`). A notion of efficiency is not given. If it means that the K^sqrt(T) policies of Algorithm
1 have to be listed, that is not so: it is played here with 2^1008 of them, and all of its questions are
answered exactly. Whether polynomial time suffices is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.bounds import OPTIMISM_ENOUGH, OPTIMISM_GAP, OPTIMISM_GRID, OPTIMISM_LOG
from proofs_check.claim import Outcome, Repair, Request, claim
from proofs_check.paper.theorem_2.short import WORST
from proofs_check.steps import SHOWN, Verdict
from proofs_check.ways.balls import decimal, less
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import OPTIMISM, Setting
from tallyplan.games.game import Game, simulate
from tallyplan.games.learners.se_tb import SETB, Elimination
from tallyplan.games.registry import find
from tallyplan.games.regret import complete_policy_regret
from tallyplan.games.schedule import horizon_root
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

    def is_nontrivial(self) -> bool:
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
        violation=example if shown and example.is_nontrivial() else None,
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
    enough = request.formulas.enough
    return request.conclude(
        request.argue(
            "optimism bounds the regret with probability 1 - delta, on the domain here too.",
            f"For T >= {enough} this bound is at most what is stated (optimism/range).",
        ),
        method="the claims optimism and optimism/range",
        remarks=("For T between the order of mK and of m^3 K it is open what is right.",),
    )


@dataclass(frozen=True)
class NotListed:
    """A game of Algorithm 1, all of whose questions about its policies were answered exactly."""

    bandit: TallyingBandit
    epochs: int

    def played(self, epochs: int) -> tuple[int, Elimination]:
        """The period sqrt(T), and what happened in the game of so many epochs."""
        root = horizon_root(self.bandit.actions, self.bandit.memory, epochs)
        return root, SETB(delta=DELTA).eliminate(Game(self.bandit, root**2))

    def too_many_to_list(self) -> bool:
        """Whether everything was answered though there are more policies than anybody could list."""
        root, found = self.played(self.epochs)
        return found.exact and len(found.epochs) == self.epochs and self.bandit.actions**root > 10**100

    def witness(self) -> Witness:
        """For the reader."""
        root, found = self.played(self.epochs)
        policies = f"{self.bandit.actions}^{root}"
        return Witness({"horizon": root**2, "policies": policies, "epochs": len(found.epochs)}, self.bandit)

    def confirmed(self) -> bool:
        """By listing: where this can be done, in one epoch, the greatest counts are the same.

        K = m = 2: a policy is the binary number of its actions, next to the same one turned by a place.
        """
        root, found = self.played(1)
        every = 2**root - 1
        greatest = [0, 0, 0, 0]
        for ones in range(2**root):
            before = ones >> 1 | (ones & 1) << (root - 1)
            zeros, ones_twice = every ^ ones, (ones & before).bit_count()
            zeros_twice = (zeros & (every ^ before)).bit_count()
            counts = zeros.bit_count() - zeros_twice, zeros_twice, ones.bit_count() - ones_twice, ones_twice
            greatest = [max(pair) for pair in zip(greatest, counts, strict=True)]
        return [answer.value for answer in found.epochs[0].chosen] == greatest


@claim(
    "theorem-1/computation",
    statement="(read: whoever plays it has to list its K^sqrt(T) policies) Algorithm 1 is computationally "
    "inefficient.",
    where="Section 4.1, computational efficiency; Sections 5 and 6",
)
def computation(request: Request) -> Outcome:
    """A game with more policies than can be listed, all questions answered; where they can, by listing."""
    example = NotListed(TallyingBandit([["1/5", "9/10"], ["1/2", "2/5"]]), 6)
    repair = (
        "The policies of A_s are those that satisfy a few linear inequalities, and the learner se-tb keeps "
        "only these (docs/learners.md)."
    )
    return request.conclude(
        None,
        method="a game of Algorithm 1, and its questions answered by listing where that can be done",
        cases=2,
        violation=example if example.too_many_to_list() else None,
        repair=Repair(repair, Verdict.CHECKED),
        remarks=(
            "The paper gives no notion of efficiency. In time polynomial in K, m and log T it is open, for "
            "Algorithm 1 and for planning alone.",
            "The optimistic planner, and CARMAB, make at most Km log2(2 max(T, Km)/(Km)) + 1 plans "
            "(optimism/epochs), each over K^(m-1) histories: the horizon costs its logarithm, the memory is "
            "in the exponent.",
        ),
    )
