"""Lemma 3, the steps of its proof one by one, and what may hold when there are fewer actions than memory.

Stated in the proof. The lemma is trivial for m >= sqrt(T). A cyclic policy that repeats a block of the
optimal sequence loses in its first execution at most m more than the block did. And T mu(pi) is at most
sqrt(T) more than what pi loses from the start.

Shown. All three hold; in the last two only m - 1 steps can differ, so that m and sqrt(T) both become m - 1,
and that is attained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import needle, span
from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, after_search, by_proof, claim
from proofs_check.computations.cyclic_gap import Case, largest_gaps, well_defined
from proofs_check.computations.every_table import EveryTable
from proofs_check.repeated_words import losses_forever
from proofs_check.steps import Step, Verdict
from proofs_check.ways.arguments import losses_sum_to_at_most_their_number, settled, window_lies_inside
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import replay

WHERE = "Lemma 3, proof (lem:cyclic_approx_well)"
LARGE_MEMORY = Formula("(m + 1) * L")  # the bound of the lemma, L = sqrt(T)
FIRST_EXECUTION, FIRST_EXECUTION_SHARP = Formula("m"), Formula("m - 1")
STEADY_STATE, STEADY_STATE_SHARP = Formula("sqrt(T)"), Formula("m - 1")
FEWER_ACTIONS = Formula("(m - ceil(m / K)) * sqrt(T) + 1")


@dataclass(frozen=True)
class Excess:
    """A block and two histories: how much more it loses after `dear` than after `cheap`."""

    bandit: TallyingBandit
    block: tuple[int, ...]
    dear: tuple[int, ...]
    cheap: tuple[int, ...]
    value: Fraction

    def witness(self) -> Witness:
        """For the reader."""
        facts = {
            "block": self.block,
            "after": self.dear,
            "instead of after": self.cheap,
            "excess": self.value,
        }
        return Witness(facts, self.bandit)

    def confirmed(self) -> bool:
        """The same difference from the definitions."""

        def loss(start: tuple[int, ...]) -> Fraction:
            both = definitions.total_loss(self.bandit, start + self.block)
            return both - definitions.total_loss(self.bandit, start)

        return loss(self.dear) - loss(self.cheap) == self.value


@claim(
    "lemma-3/large-memory",
    statement=f"Since mu(pi*) is in [0, 1], T mu(pi*) - OPT_T <= {LARGE_MEMORY} is trivial for m >= L = "
    "sqrt(T).",
    where=WHERE,
)
def large_memory(request: Request) -> Outcome:
    """Ask z3 for a counterexample with mu in [0, 1], OPT >= 0 and m >= L; then find the least such m."""

    def trivial_from(least: str) -> Step:
        given = ["L >= 1", "0 <= mu", "mu <= 1", "OPT >= 0", "T == L * L", f"m >= {least}"]
        return for_all("L m T mu OPT real", given=given, then=f"T * mu - OPT <= {LARGE_MEMORY}")

    steps = [trivial_from("L")]
    earlier = trivial_from("L - 1")
    tight = Tight("trivial already for m >= sqrt(T) - 1", by_proof([earlier])) if earlier.holds else None
    return Outcome(
        by_proof(steps),
        "m >= sqrt(T), as an inequality; mu itself is well defined for m <= sqrt(T) + 1 (lemma-2)",
        Evidence("z3, for all real values", 1, tuple(steps)),
        tight=tight,
    )


@claim(
    "lemma-3/first-execution",
    statement=(
        f"The first execution of pi, from any state, loses at most {FIRST_EXECUTION} more than the block of "
        "the optimal sequence that pi repeats."
    ),
    where=WHERE,
)
def first_execution(request: Request) -> Outcome:
    """Only the steps whose window reaches before the block can differ; compare all histories on a box."""

    def steps_for(bound: Formula) -> list[Step]:
        return [
            window_lies_inside(
                "1",
                "m",
                where="s t m integer",
                given=["m >= 1"],
                words="from its m-th step on, a block loses the same after every history",
            ),
            losses_sum_to_at_most_their_number(),
            for_all(
                "m here there late real",
                given=["here <= m - 1", "there >= 0"],
                then=f"(here + late) - (there + late) <= {bound}",
                words="the first m - 1 steps lose at most m - 1 here and at least 0 there: a difference of "
                f"at most {bound}",
            ),
        ]

    cases = [_largest_excess(K, m) for K in (1, 2) for m in range(1, 5)]
    failing = next((case for case in cases if case.value > FIRST_EXECUTION(m=case.bandit.memory)), None)
    attained = all(case.value == FIRST_EXECUTION_SHARP(m=case.bandit.memory) for case in cases)
    example = next(case for case in cases if case.bandit.memory == 2)
    sharp = by_proof(steps_for(FIRST_EXECUTION_SHARP)) if attained and example.confirmed() else None
    statement = (
        f"{FIRST_EXECUTION_SHARP} instead of {FIRST_EXECUTION}; attained for all K and m by h_1(m) = 0, "
        "every other loss 1: a block of x_1 loses m - 1 from the start, and nothing after x_1, ..., x_1"
    )
    steps = steps_for(FIRST_EXECUTION)
    return Outcome(
        settled(failing, Excess.confirmed, steps),
        "all K, m, T and blocks",
        Evidence(
            "windows, step by step; blocks after all histories on a box",
            len(cases),
            (
                *steps,
                "In the displayed lines the losses l_k(pi) should be l_t(pi), a slip of the index.",
                "Box: h_1(m) = 0, every other loss 1, K <= 2, m <= 4, all blocks of m + 1 steps: the "
                f"largest difference is {', '.join(str(case.value) for case in cases[-4:])} for m = 1..4, K "
                "= 2.",
            ),
        ),
        witness=failing.witness() if failing else None,
        tight=Tight(statement, sharp, example.witness()) if sharp is Verdict.ARGUED else None,
    )


@claim(
    "lemma-3/steady-state",
    statement=f"T mu(pi) <= (what pi loses in T steps from the empty history) + {STEADY_STATE}.",
    where=WHERE,
)
def steady_state(request: Request) -> Outcome:
    """Only the first m - 1 steps can differ from the steady state; compare words on a box."""

    def steps_for(bound: str) -> list[Step]:
        return [
            window_lies_inside(
                "1",
                "m",
                where="s t m integer",
                given=["m >= 1"],
                words="from step m on, pi loses what it loses in its steady state",
            ),
            losses_sum_to_at_most_their_number(),
            for_all(
                "m L early steady late real",
                given=["L >= 1", "m <= L + 1", "early >= 0", "steady <= m - 1"],
                then=f"(steady + late) - (early + late) <= {bound}",
                words=f"T mu(pi) exceeds what pi loses by at most {bound}, L = sqrt(T), m <= L + 1",
            ),
        ]

    cases = [case for K in (1, 2) for m in range(1, 4) for case in _steady_excesses(K, m)]
    failing = next((case for case in cases if case.gap > case.bound(STEADY_STATE)), None)
    memories = sorted({case.bandit.memory for case in cases})
    most = {m: max((c for c in cases if c.bandit.memory == m), key=lambda c: c.gap) for m in memories}
    attained = all(case.gap == STEADY_STATE_SHARP(m=m) for m, case in most.items())
    sharp = by_proof(steps_for(str(STEADY_STATE_SHARP))) if attained else Verdict.UNDECIDED
    steps = steps_for(STEADY_STATE.text.replace("sqrt(T)", "L"))
    return Outcome(
        settled(failing, _steady_excess_confirmed, steps),
        "all K, m <= sqrt(T) + 1, square T and cyclic policies",
        Evidence(
            "windows, step by step; every word and {0,1} table of a box",
            len(cases),
            (*steps, "Box: K <= 2, m <= 3, every {0,1} table, every word with sqrt(T) <= 4."),
        ),
        witness=failing.witness() if failing else None,
        tight=Tight(
            f"{STEADY_STATE_SHARP} instead of {STEADY_STATE}; attained by h_1(m) = 1, h_1(y) = 0 for y < m",
            sharp,
            most[2].witness(),
        )
        if sharp is Verdict.ARGUED
        else None,
    )


@claim(
    "lemma-3/fewer-actions",
    statement=(f"If 2 <= K < m, then T mu(pi*) - OPT_T <= {FEWER_ACTIONS} (not in the paper: a conjecture)."),
    where=WHERE,
)
def fewer_actions(request: Request) -> Outcome:
    """Compute the largest gap over all tables of a grid of losses, {0, 1} and {0, 1/2, 1}, for K < m."""
    periods = range(1, 11)
    boxes = [(2, 3, 1), (2, 4, 1), (2, 5, 1), (2, 3, 2)]
    boxes += [(2, 6, 1), (3, 4, 1), (2, 4, 2), (2, 3, 4)] if request.thorough else []
    cases = [case for K, m, levels in boxes for case in largest_gaps(K, m, periods, request, levels)]
    violation = next((case for case in cases if case.gap > case.bound(FEWER_ACTIONS)), None)
    attained = [case for case in cases if case.gap == case.bound(FEWER_ACTIONS)]
    return Outcome(
        after_search(violation, Case.confirmed),
        f"every table on a grid: {_listed(boxes)}; sqrt(T) = {span(periods)}, m <= sqrt(T) + 1",
        Evidence(
            "every table of a grid, by the plain recursions in integers",
            sum(len(EveryTable(K, m, d).losses) * len(well_defined(m, periods)) for K, m, d in boxes),
            (
                f"The bound is attained in {len(attained)} of {len(cases)} sizes (K, m, sqrt(T), grid).",
                "No proof is known. For K >= m nothing below (m - 1) sqrt(T) holds (claim lemma-3).",
            ),
        ),
        witness=violation.witness() if violation else None,
    )


def _listed(boxes: Sequence[tuple[int, int, int]]) -> str:
    """Sizes by the grid of losses."""
    grids = sorted({levels for _, _, levels in boxes})
    sizes = {d: " ".join(f"({K},{m})" for K, m, levels in boxes if levels == d) for d in grids}
    return ", ".join(f"multiples of 1/{d}: (K,m) = {listed}" for d, listed in sizes.items())


def _largest_excess(actions: int, memory: int) -> Excess:
    """The block of m + 1 steps that loses most after one history over another, on the needle."""
    bandit = needle(actions, memory)
    histories = [(), *EveryTable(actions, memory).histories]
    excesses = []
    for block in definitions.everything(bandit, memory + 1):
        losses = {start: replay(bandit, block, start) for start in histories}
        dear, cheap = max(losses, key=losses.__getitem__), min(losses, key=losses.__getitem__)
        excesses.append(Excess(bandit, tuple(block), dear, cheap, losses[dear] - losses[cheap]))
    return max(excesses, key=lambda excess: excess.value)


def _steady_excesses(actions: int, memory: int) -> list[Case]:
    """For every {0,1} table and period: the largest T mu(pi) minus the loss of pi, over all words."""
    tables = EveryTable(actions, memory)
    bandits = [tables.bandit(row) for row in range(len(tables.losses))]
    return [
        Case(bandit, L, max(_steady_excess(bandit, word) for word in definitions.everything(bandit, L)))
        for bandit in bandits
        for L in well_defined(memory, range(1, 5))
    ]


def _steady_excess(bandit: TallyingBandit, word: definitions.Actions) -> Fraction:
    T = len(word) ** 2
    return T * definitions.mu(bandit, word) - losses_forever(bandit, word).total(T)


def _steady_excess_confirmed(case: Case) -> bool:
    """The same maximum when every sequence is evaluated from the definitions."""
    words = definitions.everything(case.bandit, case.period)
    T = case.period**2
    return case.gap == max(
        T * definitions.mu(case.bandit, word) - definitions.total_loss(case.bandit, tuple(word) * case.period)
        for word in words
    )
