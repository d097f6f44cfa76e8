"""Counterexample 3: minimising the constant action regrets does not minimise the complete policy regret.

Stated (label counterexample:not_constant_action). Two actions, m = 2, h(1) = 0 and h(2) = 1 for both. A
constant policy loses T - 1, has zero constant action policy regret and zero constant action traditional
regret, and has complete policy regret T - 1, since alternating loses nothing. The related work adds that the
optimal policy has Theta(T) switches.

Shown. Everything but the clause on the traditional regret, for every T, with the model in the formulas; small
T are replayed, planned and evaluated from the definitions as well. The clause fails from T = 2 on: the other
action, charged after the player's own history, always has tally 1. What the clause was to support holds on
another table, h_1 = (1/2, 1/2), h_2 = (1, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_check import definitions
from proofs_check.boxes import first_failing
from proofs_check.certified import optimum
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.steps import Fact, Given, Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.inductions import never_decreases, plays_only
from proofs_check.ways.sequences import SIZES, Play, always, definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

WHERE = "Counterexample 3 (counterexample:not_constant_action)"
BANDIT = TallyingBandit([[0, 1], [0, 1]])
CONSTANT_LOSS = Formula("T - 1")
HORIZONS = range(1, 11)

# The conclusion that the traditional clause was to support, on another table: h_1 = (1/2, 1/2), h_2 = (1, 0).
OTHER = TallyingBandit([["1/2", "1/2"], [1, 0]])
OTHER_REGRET = Formula("T / 2 - 1")

SIZE = {"two": "K == 2", "memory": "m == 2"}
FIXED = "the least loss of a sequence that plays one action for ever"
CHARGED = "the least sum, over the competitors y, of what y_t would lose after the player's own actions"


@dataclass(frozen=True)
class Charged:
    """A competitor of the traditional regret: each action is charged after the history of another sequence.

    `d(t)` is its action, `d_charge(t)` what it is charged for it, `d_charged(t)` the sum of the first t.
    """

    name: str
    after: Play

    @property
    def variables(self) -> str:
        """The declaration of its functions."""
        d = self.name
        return f"{d}(integer) integer; {d}_charge(integer) {d}_charged(integer) real"

    def charge(self, t: str) -> Fact:
        """The loss at the tally that its action would have at step t."""
        d, a = self.name, self.after.name
        tally = f"1 + {a}_count({d}({t}), {t} - 1) - {a}_count({d}({t}), max({t} - m, 0))"
        return definition(
            f"the charges of {d}", f"implies({t} >= 1, {d}_charge({t}) == h({d}({t}), {tally}))"
        )

    def adds(self, t: str) -> Fact:
        """The sum up to step t + 1."""
        d = self.name
        return definition(
            f"the charges of {d}",
            f"{d}_charged(0) == 0 and {d}_charged({t} + 1) == {d}_charged({t}) + {d}_charge({t} + 1)",
        )


A, B, C, BEST = Play("a"), Play("b"), Play("c"), Play("o")
D, E = Charged("d", A), Charged("e", A)
VARIABLES = "; ".join(
    [SIZES, *(one.variables for one in (A, B, C, BEST, D, E)), "x z t i integer; switches(integer) integer"]
)


@dataclass(frozen=True)
class Case:
    """The regrets of always playing the first action at one horizon, by replay and planner."""

    bandit: TallyingBandit
    values: dict[str, int | Fraction]
    by_definition: Callable[[], dict[str, int | Fraction]]

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(**self.values)

    def confirmed(self) -> bool:
        """Are these the values, when they are worked out as the paper defines them?"""
        return self.by_definition() == self.values

    def witness(self) -> Witness:
        """For the reader."""
        T = int(self.values["T"])
        facts = {"horizon": T, "policy": (0,) * T, "loss": self.values["loss"], "OPT": self.values["OPT"]}
        if "charged" in self.values:
            facts["regret"] = self.values["loss"] - self.values["charged"]
        return Witness(facts, self.bandit)


@claim(
    "counterexample-3",
    statement=(
        "h_x(1) = 0 and h_x(2) = 1 for both actions. A policy that plays one fixed action x at every "
        "timestep incurs cumulative loss {constant} but has zero constant action policy regret. Meanwhile, "
        "its complete policy regret is {constant}, since alternating loses nothing: {stated}."
    ),
    where=WHERE,
    formulas={
        "constant": CONSTANT_LOSS,
        "stated": "loss == constant and loss - fixed == 0 and loss - OPT == constant",
    },
    domain={**SIZE, "action": "1 <= x <= K", "horizon": "T >= 1"},
    integers="K m T x",
    symbols={"x": "the action of the policy", "fixed": FIXED},
)
def counterexample_3(request: Request) -> Outcome:
    """Follow the tallies of the constant policies and of taking turns for every T; evaluate small T."""
    f = request.formulas
    least = definition(
        "the least loss of the constant sequences", "1 <= z <= K and fixed == c_total(T)", "fixed"
    )
    mine, theirs = _constant(request, A, "x", f.action), _constant(request, C, "z", least)
    turns = _taking_turns(request)
    never = never_decreases(VARIABLES, BEST)
    zero = for_all(
        VARIABLES,
        given=[
            *(f.two, f.memory, f.horizon),
            *(turns[-1].at(t="T"), B.is_at_least_optimal(), _turns("b_any")),
            *(never.at(t="T"), BEST.begins(), BEST.is_optimal()),
        ],
        then="OPT == 0",
        words="taking turns loses nothing, and nothing loses less",
    )
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            definition("the player", "loss == a_total(T)"),
            least,
            *(mine[-1].at(t="T"), theirs[-1].at(t="T")),
            *conclusions(zero),
        ],
        then=f.stated,
        words="every constant policy loses the same",
    )
    return request.conclude(
        request.show("stated", [*mine, *theirs, *turns, never, zero, last]),
        method="the tallies of repeated words, for every T; small T evaluated directly",
        checked_on=f"T = 1..{HORIZONS[-1]}, x the first action",
        violation=first_failing(map(_policy_case, HORIZONS), f.stated),
    )


@claim(
    "counterexample-3/traditional-regret",
    statement=(
        "A policy that plays one fixed action at every timestep has zero constant action traditional regret: "
        "{stated}."
    ),
    where=WHERE,
    formulas={"stated": "loss - charged == 0", "true": f"loss - charged == {CONSTANT_LOSS}"},
    domain={**SIZE, "action": "1 <= x <= K", "horizon": "T >= 1"},
    integers="K m T x",
    symbols={
        "x": "the action of the policy",
        "charged": f"{CHARGED}; the competitors play one action for ever",
    },
)
def traditional_regret(request: Request) -> Outcome:
    """Evaluate the regret for T = 1, 2, ... until it differs; then show what it is for every T."""
    f = request.formulas
    cases = [_traditional_case(BANDIT, T, definitions.constants) for T in HORIZONS]
    shown = request.show("true", _other_action_is_free(request, f.true))
    right = all(case.satisfies(f.true) for case in cases)
    return request.conclude(
        None,
        method="search from T = 1 up; the witness evaluated again from the definition",
        cases=len(cases),
        checked_on=f"T = 1..{HORIZONS[-1]}, x the first action",
        violation=first_failing(cases, f.stated),
        remarks=("The other action, charged after the player's own history, has tally 1 at every step.",),
        repair=Repair(
            f"{f.true}, for every T >= 1; what the clause was to show holds on another table "
            "(claim counterexample-3/or-traditional).",
            shown.verdict,
        )
        if right
        else None,
    )


@claim(
    "counterexample-3/or-traditional",
    statement=(
        "Minimizing the constant action policy (or traditional) regret can lead to solutions whose "
        "cumulative loss is Omega(T) larger than the minimum achievable total loss. The traditional half, "
        "for always x_1 on h_1 = (1/2, 1/2), h_2 = (1, 0) (this table is not in the paper): {stated}."
    ),
    where="Section 3, before Counterexample 3",
    formulas={"regret": OTHER_REGRET, "stated": "loss - charged == 0 and loss - OPT == regret"},
    domain={**SIZE, "horizon": "T >= 2"},
    integers="K m T",
    symbols={"charged": f"{CHARGED}; the competitors are all of X^T"},
)
def or_traditional(request: Request) -> Outcome:
    """Both regrets of always x_1 on another table, for every T; evaluate small T from the definitions."""
    f = request.formulas
    cases = [_traditional_case(OTHER, T, definitions.everything) for T in range(2, 8)]
    shown = request.show("stated", _other_table(request, f.stated))
    return request.conclude(
        shown,
        method="the tallies of always x_1 and always x_2, for every T; small T evaluated directly",
        checked_on="T = 2..7",
        violation=first_failing(cases, f.stated),
        remarks=(
            "Counterexample 3 itself shows the half on the constant action policy regret, not this one.",
        ),
        tight=Tight(f"complete policy regret {f.regret}", shown.verdict, cases[-1].witness()),
    )


@claim(
    "counterexample-3/switches",
    statement=(
        "The optimal policy in Counterexample 3 has Theta(T) switches. Every sequence that loses nothing has "
        "{stated}."
    ),
    where="Section 5, policy regret",
    formulas={"stated": "switches(T) == T - 1"},
    domain={**SIZE, "horizon": "T >= 1", "optimal": "a_total(T) == 0"},
    integers="K m T",
    symbols={
        "switches": "switches(t), how often neighbours among the first t actions differ",
        "a_total": "a_total(t), what the sequence loses in its first t steps",
    },
)
def switches(request: Request) -> Outcome:
    """A step loses 1 exactly if it repeats an action: t - 1 steps lose or switch; all small sequences."""
    f = request.formulas
    cases = [
        (T, word) for T in range(1, 9) for word in definitions.everything(BANDIT, T) if T == 1 or word[0] == 0
    ]
    loses = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.two, "t >= 2"),
            *(A.loses("t"), A.acts("t"), A.acts("t - 1")),
            *(A.counts("a(t)", "t"), A.counts("a(t)", "t - 1")),
            table(BANDIT),
        ],
        then="a_loss(t) == (1 if a(t) == a(t - 1) else 0)",
        words="with m = 2 a step loses 1 exactly if it repeats the action before",
    )
    first = _first_step(request, A)
    counted = induction(
        VARIABLES,
        on="t",
        start=1,
        given=[
            *(f.memory, f.two),
            *(A.begins(), A.adds("t + 1"), A.adds("1")),
            *conclusions(first),
            _switches("t"),
            loses.at(t="t + 1"),
        ],
        then="a_total(t) == t - 1 - switches(t)",
        words="each of the steps 2..t loses 1 or switches",
    )
    last = for_all(VARIABLES, given=[*request.domain, *conclusions(first), counted.at(t="T")], then=f.stated)

    def holds(T: int, word: Sequence[int]) -> bool:
        values: dict[str, Any] = {
            "K": 2,
            "m": 2,
            "T": T,
            "a_total": lambda t: definitions.total_loss(BANDIT, word[: int(t)]),
            "switches": lambda t: sum(word[i] != word[i + 1] for i in range(int(t) - 1)),
        }
        inside = all(one.holds(**values) for one in request.domain)
        return not inside or f.stated.holds(**values)

    failing = next((case for case in cases if not holds(*case)), None)
    return request.conclude(
        request.show("stated", [loses, first, counted, last]),
        method="lost steps and switches, counted; all sequences of up to 8 steps",
        checked_on="T = 1..8, every sequence that begins with the first action",
        violation=None if failing is None else LosesNothing(failing[1]),
        remarks=("A sequence that alternates loses nothing (claim counterexample-3), so the optimum is 0.",),
    )


@dataclass(frozen=True)
class LosesNothing:
    """A sequence that loses nothing and repeats an action."""

    word: Sequence[int]

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"word": tuple(self.word)}, BANDIT)

    def confirmed(self) -> bool:
        """By replay."""
        repeats = any(one == two for one, two in zip(self.word, self.word[1:], strict=False))
        return replay(BANDIT, self.word) == 0 and repeats


def table(bandit: TallyingBandit) -> Fact:
    """All losses of the bandit, its actions being 1, 2, ...

    >>> print(table(BANDIT))
    (h(1, 1) == 0 and h(1, 2) == 1) and (h(2, 1) == 0 and h(2, 2) == 1)
    """
    rows = [
        " and ".join(f"h({x}, {y}) == {loss}" for y, loss in enumerate(row, start=1))
        for x, row in enumerate(bandit.losses, start=1)
    ]
    return definition("the table", " and ".join(f"({row})" for row in rows))


def plays_no_other(play: Play, x: str, y: str) -> Step:
    """A constant sequence has never played another action."""
    return induction(
        VARIABLES,
        on="t",
        start=0,
        given=[play.begins_to_count(y), play.counts(y, "t + 1"), always(play, x, "t + 1")],
        then=f"implies({y} != {x}, {play.name}_count({y}, t) == 0)",
        words=f"always playing {x} has never played another action",
    )


def _constant(request: Request, play: Play, x: str, action: Given) -> list[Step]:
    """Always playing x loses t - 1 in t steps: nothing at first, then 1 each time."""
    f, p = request.formulas, play.name
    counts = plays_only(VARIABLES, play, x)
    loses = for_all(
        VARIABLES,
        given=[
            *(f.two, f.memory, action, "t >= 1"),
            *(play.loses("t"), always(play, x, "t"), table(BANDIT)),
            *(counts.at(), counts.at(t="max(t - m, 0)")),
        ],
        then=f"{p}_loss(t) == (0 if t == 1 else 1)",
        words="its first tally is 1, all later ones are 2",
    )
    totals = induction(
        VARIABLES,
        on="t",
        start=1,
        given=[
            *(f.two, f.memory, action),
            *(play.begins(), play.adds("1"), play.adds("t + 1"), loses.at(t="1"), loses.at(t="t + 1")),
        ],
        then=f"{p}_total(t) == t - 1",
        words=f"always playing {x} loses t - 1 in t steps",
    )
    return [counts, loses, totals]


def _turns(t: str) -> Fact:
    return definition(
        "taking turns", f"implies({t} >= 1, 1 <= b({t}) <= 2 and b({t} + 1) == 3 - b({t}))", "b"
    )


def _taking_turns(request: Request) -> list[Step]:
    """Taking turns has tally 1 at every step and loses nothing."""
    f = request.formulas
    loses = for_all(
        VARIABLES,
        given=[
            *(f.two, f.memory, "t >= 1"),
            *(B.loses("t"), _turns("t"), _turns("t - 1"), table(BANDIT)),
            *(B.begins_to_count("b(t)"), B.counts("b(t)", "t"), B.counts("b(t)", "t - 1")),
        ],
        then="b_loss(t) == 0",
        words="taking turns, every tally is 1",
    )
    totals = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[f.two, f.memory, B.begins(), B.adds("t + 1"), loses.at(t="t + 1")],
        then="b_total(t) == 0",
    )
    return [loses, totals]


def _first_step(request: Request, play: Play) -> Step:
    """The first tally is 1, and h(1) = 0."""
    f, p = request.formulas, play.name
    return for_all(
        VARIABLES,
        given=[
            *(f.two, f.memory, play.loses("1"), play.acts("1")),
            *(play.counts(f"{p}(1)", "1"), play.begins_to_count(f"{p}(1)"), table(BANDIT)),
        ],
        then=f"{p}_loss(1) == 0",
        words="the first step has tally 1",
    )


def _switches(t: str) -> Fact:
    return definition(
        "the switches",
        f"switches(1) == 0 and implies({t} >= 1, "
        f"switches({t} + 1) == switches({t}) + (1 if a({t} + 1) != a({t}) else 0))",
        "switches",
    )


def _other_action_is_free(request: Request, conclusion: Formula) -> list[Step]:
    """Charged after x, x, ..., the other action has tally 1; no competitor is charged less than 0."""
    f = request.formulas
    mine = _constant(request, A, "x", f.action)
    none = plays_no_other(A, "x", "3 - x")
    free = for_all(
        VARIABLES,
        given=[
            *(f.two, f.memory, f.action, "t >= 1", D.charge("t"), always(D, "3 - x", "t")),
            *(none.at(t="t - 1"), none.at(t="max(t - m, 0)"), table(BANDIT)),
        ],
        then="d_charge(t) == 0",
        words="the other action has tally 1 whenever it is charged",
    )
    nothing = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[f.two, f.memory, f.action, D.adds("t"), free.at(t="t + 1")],
        then="d_charged(t) == 0",
    )
    never = _never_charged_less(E)
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            definition("the player", "loss == a_total(T)"),
            definition(
                "the least charge",
                "charged == e_charged(T) and implies(3 - x <= K, charged <= d_charged(T))",
                "charged",
            ),
            *(mine[-1].at(t="T"), nothing.at(t="T"), never.at(t="T")),
        ],
        then=conclusion,
        words="the least charge is 0",
    )
    return [*mine, none, free, nothing, never, last]


def _never_charged_less(one: Charged) -> Step:
    d = one.name
    bounded = definition("a table of losses", f"implies(t >= 0, 0 <= {d}_charge(t + 1) <= 1)")
    return induction(
        VARIABLES,
        on="t",
        start=0,
        given=[one.adds("t"), bounded],
        then=f"{d}_charged(t) >= 0",
        words="no charge is negative",
    )


def _other_table(request: Request, conclusion: Formula) -> list[Step]:
    """On `OTHER`: always 1 loses 1/2 per step, and no action less after it; always 2 loses 1 in all."""
    f = request.formulas
    size = (f.two, f.memory)
    ones, twos = plays_only(VARIABLES, A), plays_only(VARIABLES, B, "2")
    half = for_all(
        VARIABLES,
        given=[
            *(*size, "t >= 1", A.loses("t"), always(A, "1", "t"), ones.at(), ones.at(t="max(t - m, 0)")),
            table(OTHER),
        ],
        then="a_loss(t) == 1 / 2",
    )
    player = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[*size, A.begins(), A.adds("t + 1"), half.at(t="t + 1")],
        then="a_total(t) == t / 2",
        words="always playing 1 loses t / 2",
    )
    none = plays_no_other(A, "1", "2")
    charge = for_all(
        VARIABLES,
        given=[
            *(*size, "t >= 1", E.charge("t"), _acts(E, "t"), table(OTHER)),
            *(ones.at(t="t - 1"), ones.at(t="max(t - m, 0)"), none.at(t="t - 1"), none.at(t="max(t - m, 0)")),
        ],
        then="e_charge(t) >= 1 / 2",
        words="after always playing 1, action 1 would lose 1/2 and action 2, at tally 1, would lose 1",
    )
    charged = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[*size, E.adds("t"), charge.at(t="t + 1")],
        then="e_charged(t) >= t / 2",
        words="no competitor is charged less than t / 2",
    )
    own = for_all(
        VARIABLES,
        given=[
            *(*size, "t >= 1", D.charge("t"), always(D, "1", "t"), table(OTHER)),
            *(ones.at(t="t - 1"), ones.at(t="max(t - m, 0)")),
        ],
        then="d_charge(t) == 1 / 2",
    )
    same = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[*size, D.adds("t"), own.at(t="t + 1")],
        then="d_charged(t) == t / 2",
        words="always 1, as a competitor, is charged t / 2",
    )
    once = for_all(
        VARIABLES,
        given=[
            *(*size, "t >= 1", B.loses("t"), always(B, "2", "t"), twos.at(), twos.at(t="max(t - m, 0)")),
            table(OTHER),
        ],
        then="b_loss(t) == (1 if t == 1 else 0)",
    )
    best = induction(
        VARIABLES,
        on="t",
        start=1,
        given=[*size, B.begins(), B.adds("1"), B.adds("t + 1"), once.at(t="1"), once.at(t="t + 1")],
        then="b_total(t) == 1",
        words="always playing 2 loses 1 in all",
    )
    two = for_all(
        VARIABLES,
        given=[
            *(*size, table(OTHER), BEST.begins(), BEST.adds("1"), BEST.adds("2")),
            *(fact for t in ("1", "2") for fact in (BEST.acts(t), BEST.loses(t))),
            *(BEST.counts("o(1)", "1"), BEST.begins_to_count("o(1)")),
            *(BEST.counts("o(2)", "1"), BEST.counts("o(2)", "2"), BEST.begins_to_count("o(2)")),
        ],
        then="o_total(2) >= 1",
        words="every sequence loses 1 in its first two steps",
    )
    least = induction(
        VARIABLES,
        on="t",
        start=2,
        given=[*conclusions(two), BEST.adds("t + 1"), BEST.bounded("t + 1")],
        then="o_total(t) >= 1",
    )
    optimal = for_all(
        VARIABLES,
        given=[
            *(*size, f.horizon, best.at(t="T"), B.is_at_least_optimal(), always(B, "2", "b_any")),
            *(least.at(t="T"), BEST.is_optimal()),
            *conclusions(two),
        ],
        then="OPT == 1",
    )
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            definition("the player", "loss == a_total(T)"),
            definition("the least charge", "charged == e_charged(T) and charged <= d_charged(T)", "charged"),
            *(player.at(t="T"), charged.at(t="T"), same.at(t="T")),
            *conclusions(optimal),
        ],
        then=conclusion,
    )
    return [ones, twos, half, player, none, charge, charged, own, same, once, best, two, least, optimal, last]


def _acts(one: Charged, t: str) -> Fact:
    return definition("a sequence of actions", f"implies({t} >= 1, 1 <= {one.name}({t}) <= K)")


def _policy_case(T: int) -> Case:
    """Always the first action against the constants and against everything."""
    loss = replay(BANDIT, [0] * T)
    fixed = min(replay(BANDIT, [action] * T) for action in range(BANDIT.actions))
    size: dict[str, int | Fraction] = {"K": BANDIT.actions, "m": BANDIT.memory, "x": 1, "T": T}

    def by_definition() -> dict[str, int | Fraction]:
        mine = definitions.total_loss(BANDIT, (0,) * T)
        others = min(definitions.total_loss(BANDIT, one) for one in definitions.constants(BANDIT, T))
        return {**size, "loss": mine, "fixed": others, "OPT": definitions.optimum(BANDIT, T)}

    return Case(BANDIT, {**size, "loss": loss, "fixed": fixed, "OPT": optimum(BANDIT, T)}, by_definition)


Competitors = Callable[[TallyingBandit, int], Iterable[definitions.Actions]]


def _traditional_case(bandit: TallyingBandit, T: int, competitors: Competitors) -> Case:
    """Always the first action against competitors that are charged after its history."""
    player = (0,) * T
    size: dict[str, int | Fraction] = {"K": bandit.actions, "m": bandit.memory, "x": 1, "T": T}
    loss, OPT = replay(bandit, player), optimum(bandit, T)
    if competitors is definitions.constants:
        sums = [sum(replay(bandit, [y], player[:t]) for t in range(T)) for y in range(bandit.actions)]
        charged = min(sums)
    else:  # the least charge of each step
        each = [min(replay(bandit, [y], player[:t]) for y in range(bandit.actions)) for t in range(T)]
        charged = sum(each, Fraction(0))

    def by_definition() -> dict[str, int | Fraction]:
        mine = definitions.total_loss(bandit, player)
        regret = definitions.traditional_regret(bandit, player, competitors(bandit, T))
        least = definitions.optimum(bandit, T)
        return {**size, "loss": mine, "charged": mine - regret, "OPT": least}

    return Case(bandit, {**size, "loss": loss, "charged": charged, "OPT": OPT}, by_definition)
