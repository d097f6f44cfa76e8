"""Proposition 1: deterministic feedback, ALG_det and its lower bound.

Stated (label prop1). ALG_det plays every action m times in a row, learns every h_x(y), and then plays an
optimal plan for the remaining T - mK steps; its complete policy regret is at most (m + 1) K. The last line of
the proof bounds mK + m - (what OPT loses in the steps mK+1 .. m(K+1)) by (m + 1) K. In the lower bound,
h_{x*}(m) = 0 and every other loss is 1, and the optimal policy loses precisely m - 1.

Checked. ALG_det is played on every {0,1} table of a box: exploration by replay, the rest by the planner from
the history (K, ..., K), OPT_T by the planner. The largest regret at each (K, m, T) gives the best constant on
the box. The last line of the proof is evaluated on the same tables, from the smallest K and m up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import binary_tables, binary_tables_with_last, needle, span
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Verdict,
    Witness,
    after_search,
    claim,
)
from proofs_check.exact import certified_plan, optimum
from proofs_check.forever import Affine, losses_forever
from proofs_check.formula import Formula
from tallyplan.instance import TallyingBandit
from tallyplan.sequences import expand, replay

STATED = Formula("(m + 1) * K")
SHARP = Formula("min(T - m, m * K - 1)")
LAST_STEP = Formula("m * K + m - tail")
EXPLORATION = Formula("head + m * (K - 1)")
OPTIMUM = Formula("m - 1")
OPTIMUM_SINCE = Formula("m - 1")

ACTIONS, MEMORIES = range(1, 4), range(1, 4)
Size = tuple[int, int]


@dataclass(frozen=True)
class Case:
    """One instance, one horizon, and the regret of ALG_det there."""

    bandit: TallyingBandit
    horizon: int
    regret: Fraction

    @property
    def size(self) -> tuple[int, int, int]:
        """(K, m, T)."""
        return self.bandit.actions, self.bandit.memory, self.horizon

    def bound(self, formula: Formula) -> Fraction:
        """A formula in K, m and T, here."""
        return formula(K=self.bandit.actions, m=self.bandit.memory, T=self.horizon)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.horizon, "regret": self.regret}, self.bandit)

    def confirmed(self) -> bool:
        """Is this the regret when every continuation and every sequence is tried, by the definitions?"""
        explored = tuple(exploration(self.bandit.actions, self.bandit.memory))
        rest = definitions.everything(self.bandit, self.horizon - len(explored))
        loss = min(definitions.total_loss(self.bandit, (*explored, *actions)) for actions in rest)
        return self.regret == loss - definitions.optimum(self.bandit, self.horizon)


def exploration(actions: int, memory: int) -> list[int]:
    """What ALG_det plays first: every action m times in a row."""
    return [x for x in range(actions) for _ in range(memory)]


def regret_of_alg_det(bandit: TallyingBandit, horizon: int) -> Fraction:
    """The complete policy regret of ALG_det, T >= mK."""
    explored = exploration(bandit.actions, bandit.memory)
    rest = optimum(bandit, horizon - len(explored), start=explored)
    return replay(bandit, explored) + rest - optimum(bandit, horizon)


@claim(
    "proposition-1-upper",
    statement=(
        "For any problem with deterministic feedback, the complete policy regret of ALG_det is at most "
        f"{STATED}."
    ),
    where="Proposition 1, upper bound (prop1)",
)
def upper(request: Request) -> Outcome:
    """Play ALG_det on every {0,1} table of the box; compare with the bound and with the exact supremum."""
    memories = range(1, 5) if request.thorough else MEMORIES
    cases = list(_cases(request, memories))
    violation = next((case for case in cases if case.regret > case.bound(STATED)), None)
    explores = all(_sees_every_cell(K, m) for K in range(1, 7) for m in range(1, 7))
    return Outcome(
        after_search(violation, Case.confirmed),
        f"every {{0,1}} table with {_listed_sizes(memories)} (up to the order of the actions before "
        "the last), T = mK..mK+m",
        Evidence(
            "ALG_det played on every {0,1} table of the box",
            len(cases),
            (
                "ALG_det needs T >= mK. Its first mK steps meet every (x, y) once and end in (K, ..., K), "
                f"for all K, m <= 6: {'yes' if explores else 'no'}.",
                f"The largest regret on the box is {max(case.regret for case in cases)}.",
            ),
        ),
        witness=violation.witness() if violation else None,
        tight=_tight(cases),
    )


@claim(
    "proposition-1-upper/last-step",
    statement=(
        f"{LAST_STEP} <= {STATED}, where tail is the loss of an optimal policy in the steps mK+1 .. m(K+1) "
        "(the last line of the proof)."
    ),
    where="Proposition 1, proof of the upper bound (prop1)",
)
def last_step(request: Request) -> Outcome:
    """Evaluate the line at T = m(K+1) on every {0,1} table, smallest K and m first; find where it holds."""
    failures: dict[Size, Witness] = {}
    cases = 0
    explored_within = True
    for bandit in _tables(request):
        K, m = bandit.actions, bandit.memory
        losses = _optimal_losses(bandit)
        tail, head = sum(losses[m * K :], Fraction(0)), sum(losses[:m], Fraction(0))
        cases += 1
        explored_within &= sum(bandit.values()) <= EXPLORATION(K=K, m=m, head=head)
        left, right = LAST_STEP(K=K, m=m, tail=tail), STATED(K=K, m=m)
        if left > right and (K, m) not in failures:
            facts = {"horizon": m * (K + 1), "tail": tail, "left": left, "right": right}
            failures[K, m] = Witness(facts, bandit)
    sizes = [(K, m) for K in ACTIONS for m in MEMORIES]
    smallest = next(iter(failures.values()), None)
    exact = all((size in failures) == (size[1] > size[0]) for size in sizes)
    return Outcome(
        after_search(smallest, _fails_for_every_optimal_policy),
        f"every {{0,1}} table with {_listed_sizes(MEMORIES)} (up to the order of the actions), T = m(K+1)",
        Evidence(
            "search over {0,1} tables; the witness tried on every optimal policy",
            cases,
            (f"The line fails at (K,m) = {', '.join(str(size) for size in failures) or 'no size'}.",),
        ),
        witness=smallest,
        tight=Tight("m <= K, exactly, on the box", Verdict.CHECKED, smallest) if smallest and exact else None,
        repair=_repair() if smallest and explored_within else None,
    )


@claim(
    "proposition-1-lower/optimum",
    statement=(
        "If h_{x*}(y) = 1 for y < m, h_{x*}(m) = 0 and h_x = 1 for x != x*, then the optimal policy always "
        f"plays x*, and its cumulative loss is precisely {OPTIMUM}."
    ),
    where="Proposition 1, proof of the lower bound (prop1)",
)
def lower_optimum(request: Request) -> Outcome:
    """For each (K, m): always x* loses m - 1 for every T >= m - 1, and OPT_T >= OPT_{m-1} = m - 1 there."""
    actions, memories = range(1, 5), range(1, 7 if request.thorough else 6)
    sizes = [(K, m) for K in actions for m in memories]
    holds = {size: _optimum_holds(*size) for size in sizes}
    failing = next((size for size in sizes if not holds[size]), None)
    earlier = all(optimum(needle(K, m), T) == T for K, m in sizes for T in range(m))
    domain = f"K = {span(actions)}, m = {span(memories)}, every T >= {OPTIMUM_SINCE}"
    steps = (
        "Always x*: the walk closes, so that its loss is known for every T.",
        "No policy is better: losses are never negative, so OPT_T >= OPT_{m-1}, which the planner computes.",
    )
    evidence = Evidence(
        "induction over T along a closed walk, and the planner at T = m - 1", len(sizes), steps
    )
    if failing is not None:
        return _optimum_fails(failing, domain, evidence)
    tight = Tight(
        f"OPT_T = min(T, {OPTIMUM}): precisely {OPTIMUM} from T = {OPTIMUM_SINCE} on", Verdict.CHECKED
    )
    return Outcome(Verdict.CHECKED, domain, evidence, tight=tight if earlier else None)


def _cases(request: Request, memories: range) -> Iterator[Case]:
    for m in memories:
        for K in ACTIONS if m < 4 else range(1, 3):
            for T in range(m * K, m * K + m + 1):
                request.progress(f"proposition-1-upper: K = {K}, m = {m}, T = {T}")
                for bandit in binary_tables_with_last(K, m):
                    yield Case(bandit, T, regret_of_alg_det(bandit, T))


def _tables(request: Request) -> Iterator[TallyingBandit]:
    for K in ACTIONS:
        for m in MEMORIES:
            request.progress(f"proposition-1-upper/last-step: K = {K}, m = {m}")
            yield from binary_tables(K, m)


def _listed_sizes(memories: range) -> str:
    more = ", and K <= 2 for m = 4" if memories[-1] == 4 else ""
    return f"K = {span(ACTIONS)}, m = {span(MEMORIES)}{more}"


def _tight(cases: Sequence[Case]) -> Tight | None:
    """The exact supremum on the box, if the formula gives it at every (K, m, T) and the needle attains it."""
    largest: dict[tuple[int, int, int], Case] = {}
    for case in cases:
        if case.size not in largest or case.regret > largest[case.size].regret:
            largest[case.size] = case
    several = [case for case in largest.values() if case.bandit.actions > 1]
    single = [case for case in largest.values() if case.bandit.actions == 1]
    by_needle = all(
        regret_of_alg_det(needle(K, m), T) == SHARP(K=K, m=m, T=T) for K, m, T in largest if K > 1
    )
    if any(case.regret for case in single) or any(case.regret != case.bound(SHARP) for case in several):
        return None
    first = several[0]
    if not (by_needle and first.confirmed()):
        return None
    statement = f"{SHARP} for K >= 2, and 0 for K = 1; attained by h_1(m) = 0, every other loss 1"
    return Tight(statement, Verdict.CHECKED, first.witness())


def _sees_every_cell(actions: int, memory: int) -> bool:
    """Do the first mK steps of ALG_det meet every (x, y) once, and end in (K, ..., K)?"""
    explored = exploration(actions, memory)
    cells = [(x, definitions.tally(explored, t, memory)) for t, x in enumerate(explored)]
    every_cell = [(x, y) for x in range(actions) for y in range(1, memory + 1)]
    return sorted(cells) == every_cell and explored[-memory:] == [actions - 1] * memory


def _optimal_losses(bandit: TallyingBandit) -> list[Fraction]:
    """The losses, step by step, of the planner's optimal policy for T = m(K+1)."""
    actions = expand(certified_plan(bandit, bandit.memory * (bandit.actions + 1)).runs)
    return [replay(bandit, [action], actions[:t]) for t, action in enumerate(actions)]


def _fails_for_every_optimal_policy(witness: Witness) -> bool:
    """Whichever optimal policy the proof takes, the line fails there, by the definitions."""
    bandit = witness.bandit
    assert isinstance(bandit, TallyingBandit)
    K, m, T = bandit.actions, bandit.memory, witness.facts["horizon"]
    least = definitions.optimum(bandit, T)
    optimal = [a for a in definitions.everything(bandit, T) if definitions.total_loss(bandit, a) == least]
    tails = [
        sum((definitions.step_loss(bandit, actions, t) for t in range(m * K, T)), Fraction(0))
        for actions in optimal
    ]
    return all(LAST_STEP(K=K, m=m, tail=tail) > STATED(K=K, m=m) for tail in tails)


def _repair() -> Repair:
    return Repair(
        "The proposition stands (claim proposition-1-upper). Bound the exploration by what OPT itself pays: "
        f"the sum of all h_x(y) is at most {EXPLORATION}, head being OPT's loss in its first m steps "
        "(checked on the same tables). Then the same proof gives m * (K - 1) + m = m * K, for all m and K.",
        Verdict.CHECKED,
    )


def _optimum_holds(actions: int, memory: int) -> bool:
    bandit = needle(actions, memory)
    loss, since = OPTIMUM(m=memory), int(OPTIMUM_SINCE(m=memory))
    always = losses_forever(bandit, [0]).always(Affine(0, loss), since=max(1, since))
    return always and optimum(bandit, since) == loss and min(bandit.values()) >= 0


def _optimum_fails(size: Size, domain: str, evidence: Evidence) -> Outcome:
    """The smallest horizon at which the definitions contradict the formula, or undecided."""
    K, m = size
    bandit = needle(K, m)
    for T in range(max(1, int(OPTIMUM_SINCE(m=m))), m + 3):
        least = definitions.optimum(bandit, T)
        if least != OPTIMUM(m=m):
            return Outcome(
                Verdict.REFUTED, domain, evidence, Witness({"horizon": T, "optimum": least}, bandit)
            )
    return Outcome(Verdict.UNDECIDED, domain, evidence)
