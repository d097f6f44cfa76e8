"""The theorems' bounds on regret, each with its hypotheses, and whether games keep to them.

A bound is one formula that is printed, evaluated and, by the claims, proved or argued. It is a statement
about one learner, under hypotheses that are data here: the kind of bandit, the feedback, the algorithm with
its options, and conditions on K = actions, m = memory, T = horizon, delta = the failure probability, S = the
number of whole epochs of SE-TB and gap = what a learner's plans may lose, by its own account. Where one of
them fails, the formula is only a number: `Bound.failing` says which one, and nothing is claimed.

Values are Arb balls: a comparison that a ball cannot decide does not count in the bound's favour.

**What the programs do differently.** `AlgDet` is Algorithm 2 as printed. SE-TB rounds its estimates and
widens its confidence radii by that rounding (`schedule`); what is proved for the program is
`Schedule.guarantee`, a rational number, and a bound of Theorem 1 holds where it is at least that number. The
sharpened bounds leave too little room for the rounding from about S = 17 epochs on. The optimistic planner
rounds its estimates, too, finer as T grows, and its bound has room for that at every T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from tallyplan.errors import InternalError
from tallyplan.formula import Formula, as_ball
from tallyplan.games.feedback import FEEDBACKS
from tallyplan.games.schedule import ESTIMATE_GRID, Schedule, horizon_root

# --- Algorithm 1 (SE-TB) as it is printed: epochs, periods, steps, confidence radii -----------------------

EPOCHS = Formula("log2(sqrt(T) / (4 * K * m) + 1)")
"""S, the number of epochs; the horizons of Algorithm 1 are those where it is an integer S >= 1."""
ROOT = Formula("4 * K * m * (2**S - 1)")
"""sqrt(T) on the horizon with S epochs."""
PERIODS = Formula("2**s")
"""n_s: in epoch s a policy is executed for n_s periods that are forgotten and n_s that count."""
EPOCH_STEPS = Formula("2 * 2**s * K * m * sqrt(T)")
"""T_s, the steps of epoch s."""
WIDTH = Formula("sqrt(32 * K * m / (2**s * sqrt(T)) * log(2 * K * m * S / delta))")
"""C_s, the confidence radius of epoch s."""

SOME_DELTA = Formula("0 < delta and delta < 1")
SEVERAL_ACTIONS = Formula("K >= 2")
ALWAYS = Formula("1")
UP_TO_DELTA = Formula("1 - delta")
NEGLIGIBLE = Fraction(1, 10**9)
"""Games that exceed a proved bound with a smaller probability than this are taken for a bug, not bad luck."""


@dataclass(frozen=True)
class Setting:
    """What a bound may depend on: the sizes, and how the game was played.

    Attributes
    ----------
    actions, memory, horizon, delta : K, m, T and the failure probability.
    bandit, feedback, algorithm : the kind of bandit (its class), and the feedback and the learner by name;
        empty if nothing was played.
    departures : where the learner could not keep to its algorithm, in words.
    gap : what the learner's plans may lose beyond the best ones, summed over the steps.
    """

    actions: int
    memory: int
    horizon: int
    delta: Fraction
    bandit: str = ""
    feedback: str = ""
    algorithm: str = ""
    departures: tuple[str, ...] = ()
    gap: Fraction = Fraction(0)

    @property
    def sizes(self) -> dict[str, int | Fraction]:
        """The values of K, m, T, delta, S and gap; S is the number of whole epochs.

        >>> Setting(2, 2, (16 * 7) ** 2, Fraction(1, 20)).sizes["S"]
        3
        """
        whole_epochs = Schedule(self.actions, self.memory, self.horizon, self.delta).epochs
        numbers = {"K": self.actions, "m": self.memory, "T": self.horizon, "S": whole_epochs}
        return {**numbers, "delta": self.delta, "gap": self.gap}


Nearest = tuple[int | None, int | None]


@dataclass(frozen=True)
class Horizons:
    """For which T a theorem is proved: from `least` on, or where the epochs of SE-TB are whole (None)."""

    least: Formula | None

    @property
    def apart(self) -> bool:
        """Whether they are isolated; otherwise every T from the least on is one."""
        return self.least is None

    @property
    def condition(self) -> Formula:
        """On T, given K, m and S."""
        return Formula(f"T == ({ROOT})**2 and S >= 1" if self.least is None else f"T >= {self.least}")

    def nearest(self, setting: Setting) -> Nearest:
        """The last that is at most T, if any, and the next; where T is too small, None and the least."""
        K, m = setting.actions, setting.memory
        if self.least is not None:
            return None, int(self.least(K=K, m=m))
        epochs = int(setting.sizes["S"])
        below, above = (horizon_root(K, m, S) ** 2 for S in (epochs, epochs + 1))
        return below or None, above


@dataclass(frozen=True)
class Bound:
    """An upper bound on the complete policy regret of one learner, with its hypotheses.

    Attributes
    ----------
    name : of the theorem.
    formula : in K, m, T, delta, S and gap.
    algorithm : the learner, options included, as the command line calls it.
    feedback : the kinds of feedback under which it is proved.
    horizons : the T for which it is proved.
    conditions : further conditions on the sizes.
    probability : with at least this probability the bound holds; 1 means always.
    guarantee : what is proved for the program if it departs from the printed algorithm, or None.
    bandit : the kind of bandit, the name of its class.

    >>> print(PROPOSITION_1)
    (m + 1) * K
    >>> played = Setting(2, 3, 100, Fraction(1, 20), "TallyingBandit", "bernoulli", "alg-det")
    >>> PROPOSITION_1(played)
    8.00000000000000
    >>> PROPOSITION_1.failing(played)
    'it needs deterministic feedback, and this is bernoulli feedback'
    """

    name: str
    formula: Formula
    algorithm: str
    feedback: tuple[str, ...] = tuple(FEEDBACKS)
    horizons: Horizons = Horizons(ALWAYS)
    conditions: tuple[Formula, ...] = (SOME_DELTA,)
    probability: Formula = UP_TO_DELTA
    guarantee: Callable[[Setting], Fraction] | None = None
    bandit: str = "TallyingBandit"

    def __str__(self) -> str:
        return str(self.formula)

    def __call__(self, setting: Setting) -> arb:
        """The value of the formula; not finite where it is undefined."""
        sizes = setting.sizes
        return arb(self.formula.ball(**sizes | {"S": EPOCHS.ball(**sizes)}))

    @property
    def domain(self) -> tuple[Formula, ...]:
        """The conditions on K, m, T, delta, S and gap."""
        return (self.horizons.condition, *self.conditions)

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """All hypotheses, for people."""
        return (
            self.bandit,
            f"{' or '.join(self.feedback)} feedback",
            f"algorithm {self.algorithm}",
            *map(str, self.domain),
        )

    def failing(self, setting: Setting) -> str:
        """Which hypothesis fails, as a sentence; empty if all hold."""
        if setting.bandit != self.bandit:
            return f"it is about a {self.bandit}, and this is a {setting.bandit or 'bandit unknown'}"
        if setting.algorithm != self.algorithm:
            return f"it is about {self.algorithm}, and {setting.algorithm or 'no algorithm'} played"
        if setting.feedback not in self.feedback:
            return f"it needs {' or '.join(self.feedback)} feedback, and this is {setting.feedback} feedback"
        for condition in self.conditions:
            if not condition.holds(**setting.sizes):
                return f"it needs {condition}"
        if not self.allows_horizon(setting):
            below, above = self.horizons.nearest(setting)
            which = f"is {above}" if below is None else f"are {below} and {above}"
            return f"it needs {self.horizons.condition}; the nearest T {which}"
        if setting.departures:
            return f"the learner could not keep to its algorithm: {'; '.join(setting.departures)}"
        if self.guarantee is not None and not as_ball(self.guarantee(setting)) <= self(setting):
            return f"estimates are rounded to multiples of 1/{ESTIMATE_GRID}, which is too coarse for this T"
        return ""

    def allows_horizon(self, setting: Setting) -> bool:
        """Whether T is one of those for which the bound is proved."""
        return self.horizons.condition.holds(**setting.sizes)

    def exceeded_by(self, regret: Fraction, setting: Setting) -> bool:
        """Whether the regret is certainly above the bound.

        >>> PROPOSITION_1.exceeded_by(Fraction(17, 2), Setting(2, 3, 100, Fraction(1, 20)))
        True
        """
        return bool(as_ball(regret) > self(setting))

    def is_nontrivial(self, setting: Setting) -> bool:
        """Whether the bound is below T, which no regret exceeds."""
        return bool(self(setting) < setting.horizon)


@dataclass(frozen=True)
class Judgement:
    """A bound, held against games.

    Attributes
    ----------
    fails : which hypothesis fails, empty if all hold; then nothing is claimed, and nothing counted.
    exceeded : how many games have a regret that is certainly above the bound.
    """

    bound: Bound
    setting: Setting
    fails: str
    exceeded: int

    @property
    def holds(self) -> bool:
        """Whether all hypotheses hold."""
        return not self.fails

    @property
    def nearest_horizons(self) -> Nearest | None:
        """If T does not qualify: the nearest that do, below and above."""
        allowed = self.bound.allows_horizon(self.setting)
        return None if allowed else self.bound.horizons.nearest(self.setting)


def judge(bound: Bound, setting: Setting, regrets: Sequence[Fraction]) -> Judgement:
    """Hold a bound against the regrets of independent games.

    Raises
    ------
    InternalError : all hypotheses hold, and the bound is exceeded more often than it allows: at all, if it
        always holds; or, if it holds with probability 1 - delta, so often that n independent games would do
        so with a probability below 10^-9 (the binomial tail, in balls).
    """
    fails = bound.failing(setting)
    if fails:
        return Judgement(bound, setting, fails, 0)
    exceeded = sum(bound.exceeded_by(regret, setting) for regret in regrets)
    allowed = 1 - bound.probability(**setting.sizes)
    if exceeded and binomial_tail(len(regrets), allowed, exceeded) < as_ball(NEGLIGIBLE):
        raise InternalError(
            f"{bound.name} holds for these games of {bound.algorithm}, at most {bound(setting)} with "
            f"probability {bound.probability}, and was exceeded in {exceeded} of {len(regrets)}: the proof, "
            "the learner or the account is wrong; please report this."
        )
    return Judgement(bound, setting, fails, exceeded)


def binomial_tail(trials: int, chance: Fraction, successes: int) -> arb:
    """The probability of at least k >= 1 successes in n independent trials, as a ball.

    >>> binomial_tail(2, Fraction(1, 2), 2), binomial_tail(20, Fraction(0), 1)
    (0.250000000000000, 0)
    """
    if not chance:
        return arb(0)
    return arb(as_ball(chance).beta_lower(successes, trials - successes + 1, regularized=True))


def _of_se_tb(name: str, formula: str, *, sharp: bool = False) -> Bound:
    """A bound on the regret of SE-TB, or of its sharp variant, with the hypotheses of Theorem 1."""

    def guarantee(setting: Setting) -> Fraction:
        sizes = (setting.actions, setting.memory, setting.horizon, setting.delta)
        return Schedule(*sizes, sharp=sharp, short_burn_in=sharp).guarantee

    algorithm = "se-tb-sharp" if sharp else "se-tb"
    return Bound(name, Formula(formula), algorithm, horizons=Horizons(None), guarantee=guarantee)


SHARPENED_TEXT = (
    "{} * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta))"
    " + 4 * K * m * sqrt(T) + (S - 1) * K * m * (m - 1) + (m - 1) * sqrt(T)"
)

THEOREM_1 = _of_se_tb(
    "Theorem 1",
    "1200 * K * m * sqrt(T) * (sqrt(log(2 * K * m * log(T) / delta)) + log2(sqrt(T) / (2 * K * m)))",
)
SHARPENED = _of_se_tb("Theorem 1, sharpened", SHARPENED_TEXT.format(32))
SHARPENED_HOEFFDING = _of_se_tb("Theorem 1, sharpened, C_s / 8", SHARPENED_TEXT.format(4), sharp=True)


def _of_alg_det(name: str, formula: str, *conditions: Formula) -> Bound:
    """A bound that always holds, without noise."""
    long_enough = Horizons(Formula("m * K"))  # to see every loss
    return Bound(name, Formula(formula), "alg-det", ("deterministic",), long_enough, conditions, ALWAYS)


PROPOSITION_1 = _of_alg_det("Proposition 1", "(m + 1) * K")
PROPOSITION_1_SHARP = _of_alg_det("Proposition 1, sharp", "min(T - m, m * K - 1)", SEVERAL_ACTIONS)

# --- optimism: for every T, with probability 1 - delta -----------------------------------------------------

RADII = "(2 + sqrt(2)) * sqrt(K * m * T * log(2 * K * m * T / delta))"
DOUBLINGS = "K * m * log2(2 * max(T, K * m) / (K * m))"

OPTIMISM = Bound("Optimism", Formula(f"{RADII} + (m - 1) * ({DOUBLINGS} + 2)"), "optimistic-planner")
OPTIMISM_ANYTIME = Bound(
    "Optimism, any time",
    Formula(
        f"(2 + sqrt(2)) * sqrt(K * m * T * log(K * m * sqrt(T + 1) / delta)) + (m - 1) * ({DOUBLINGS} + 2)"
    ),
    "optimistic-planner-anytime",
)
OPTIMISM_WITHIN_GAPS = Bound(
    "Optimism, plans within gaps",
    Formula(f"{RADII} + (m - 1) * ({DOUBLINGS} + 2) + gap"),
    "optimistic-planner-within-gaps",
)
OPTIMISM_FEW_EPOCHS = Bound(
    "Optimism, few epochs",
    Formula(
        "(3 + 2 * sqrt(2)) * (sqrt(K * m * T * log(2 * K * m * T / delta)) + K * m**2)"
        " + (1 + sqrt(2)) * K * m**2 * log2(log2(max(2, m**2 / log(2 * K * m * T / delta)))) + 2 * m - 1"
    ),
    "optimistic-planner-few-epochs",
)
CARMAB = Bound("CARMAB, as programmed", Formula(f"{RADII} + (m - 1) * (2 * {DOUBLINGS} + 3)"), "carmab")
UNKNOWN_MEMORY = Bound(
    "Optimism, unknown memory",
    Formula(
        "(2 + sqrt(2)) * sqrt(K * m * (m + 1) / 2 * T * log(6 * K * m * T / delta))"
        " + sqrt(m * T * log(3 * T / delta) / 2) + sqrt(T * log(3 / delta) / 2)"
        " + K * (m**3 - m) / 3 * log2(2 * max(T, K) / K) + m * (m - 1) / 2 + 2 * m"
    ),
    "optimistic-unknown-memory",
)
"""m is the upper bound on the memory that the learner knows: by default the game's own memory."""

BOUNDS = tuple(one for one in list(globals().values()) if isinstance(one, Bound))
"""All of the above; a learner without a bound has no entry."""


def bounds_of(algorithm: str) -> tuple[Bound, ...]:
    """The bounds that are about this learner.

    >>> [bound.name for bound in bounds_of("alg-det")], bounds_of("ucb1")
    (['Proposition 1', 'Proposition 1, sharp'], ())
    """
    return tuple(bound for bound in BOUNDS if bound.algorithm == algorithm)
