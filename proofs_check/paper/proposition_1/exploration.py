"""What ALG_det plays first, inside z3: the steps (x - 1)m + 1 .. xm play x, for x = 1 .. K.

Shown by induction, for all K and m: the y-th play of x in a row has tally y, so every cell is met once; and
the exploration loses at most mK - m more than any sequence loses in its first m steps. There the window holds
everything, so that a sequence meets the cells (x, 1), (x, 2), ... of each action x: with U(x, n) the loss of
the cells of x beyond its n-th, and P(x, t) the sum of U over the actions 1 .. x at the counts after t steps,
the first t steps lose what P has less than in the beginning, and P is at most the number of cells left.
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs_check.claim import Request
from proofs_check.steps import Fact, Given, Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.inductions import never_decreases, plays_at_most
from proofs_check.ways.sequences import SIZES, Play, alike, definition, needle
from tallyplan.formula import Formula


@dataclass(frozen=True)
class Explorer(Play):
    """A sequence that begins with every action m times in a row."""

    @property
    def variables(self) -> str:
        """The declaration of its functions; step t <= mK is play `col(t)` of action `row(t)`."""
        return f"{super().variables}; {self.name}_row(integer) {self.name}_col(integer) integer"

    def explores(self, x: str, y: str) -> Fact:
        """The y-th play of x in a row."""
        return definition(
            "the exploration",
            f"implies(1 <= {x} and {x} <= K and 1 <= {y} and {y} <= m, "
            f"{self.name}(({x}) * m - m + {y}) == {x})",
            f"the first mK steps of {self.name}",
        )

    def place(self, t: str) -> Fact:
        """Every step up to mK is a play of some action."""
        row, col = f"{self.name}_row({t})", f"{self.name}_col({t})"
        return definition(
            "division with remainder",
            f"implies(1 <= {t} and {t} <= m * K, "
            f"1 <= {row} and {row} <= K and 1 <= {col} and {col} <= m and {t} == {row} * m - m + {col})",
        )


E, A = Explorer("e"), Play("a")
VARIABLES = (
    f"{SIZES}; {E.variables}; {A.variables}; x y z i t integer; "
    "U(integer, integer) P(integer, integer) N(integer, integer) OPT loss real"
)


def tally_steps(memory: Given, explorer: Explorer = E, variables: str = VARIABLES) -> list[Step]:
    """Blocks of m plays; no play of x before its block; tally y at its y-th play."""
    e = explorer.name
    block = induction(
        variables,
        on="i",
        start=0,
        upto="m",
        given=[
            "1 <= x",
            "x <= K",
            explorer.counts("z", "x * m - m + i + 1"),
            explorer.explores("x", "i + 1"),
            memory,
        ],
        then=f"{e}_count(z, x * m - m + i) == {e}_count(z, x * m - m) + (i if z == x else 0)",
        words="a block plays its own action only",
    )
    blocks = induction(
        variables,
        on="x",
        start=0,
        upto="K",
        given=[explorer.begins_to_count("z"), memory, "z >= 1", block.at(x="x + 1", i="m")],
        then=f"{e}_count(z, x * m) == (m if z <= x else 0)",
        words="after x blocks, the first x actions have been played m times and the others not at all",
    )
    tally = for_all(
        variables,
        given=[
            *("1 <= x", "x <= K", "1 <= y", "y <= m", memory),
            *(block.at(z="x", i="y"), block.at(x="x - 1", z="x", i="y")),
            *(blocks.at(z="x", x="x - 1"), blocks.at(z="x", x="x - 2"), explorer.begins_to_count("x")),
        ],
        then=f"{e}_count(x, x * m - m + y) - {e}_count(x, max(x * m - m + y - m, 0)) == y",
        words="the y-th play of x in a row has tally y",
    )
    return [block, blocks, tally]


def cell(x: str, y: str) -> Fact:
    """Losses are in [0, 1]."""
    return definition(
        "a table of losses", f"implies(1 <= {y} and {y} <= m, 0 <= h({x}, {y}) and h({x}, {y}) <= 1)"
    )


def cells_beyond(x: str, n: str) -> Fact:
    """U(x, n) adds up h(x, n + 1) .. h(x, m)."""
    return definition(
        "U, a sum",
        f"U({x}, m) == 0 and implies(0 <= {n} and {n} < m, U({x}, {n}) == h({x}, {n} + 1) + U({x}, {n} + 1))",
    )


def cells_left(x: str, t: str) -> Fact:
    """P and N add up U, and the number of cells, over the actions 1 .. x, at the counts after t steps."""
    return definition(
        "P and N, sums",
        f"P(0, {t}) == 0 and N(0, {t}) == 0 and implies({x} >= 0, "
        f"P({x} + 1, {t}) == P({x}, {t}) + U({x} + 1, a_count({x} + 1, {t})) and "
        f"N({x} + 1, {t}) == N({x}, {t}) + m - a_count({x} + 1, {t}))",
    )


def cost_steps(actions: Given, memory: Given) -> list[Step]:
    """The last step: the exploration loses at most mK - m more than a in its first m steps."""
    *blocks, tally = tally_steps(memory)
    few = plays_at_most(VARIABLES, A, "z")
    beyond = induction(
        VARIABLES,
        on="i",
        start=0,
        upto="m",
        given=[cells_beyond("x", "m - i - 1"), cells_beyond("x", "m"), cell("x", "m - i")],
        then="U(x, m - i) <= i",
        words="i cells lose at most i",
    )
    left = induction(
        VARIABLES,
        on="x",
        start=0,
        given=[
            *("0 <= t", "t <= m", cells_left("x", "t"), few.at(z="x + 1")),
            beyond.at(x="x + 1", i="m - a_count(x + 1, t)"),
        ],
        then="P(x, t) <= N(x, t)",
        words="the cells left lose at most 1 each",
    )
    step = induction(
        VARIABLES,
        on="x",
        start=0,
        given=[
            *("0 <= t", "t < m", cells_left("x", "t"), cells_left("x", "t + 1"), few.at(z="x + 1")),
            *(A.counts("x + 1", "t + 1"), A.loses("t + 1"), A.begins_to_count("x + 1"), A.acts("t + 1")),
            cells_beyond("x + 1", "a_count(x + 1, t)"),
        ],
        then="P(x, t + 1) == P(x, t) - (a_loss(t + 1) if a(t + 1) <= x else 0) and "
        "N(x, t + 1) == N(x, t) - (1 if a(t + 1) <= x else 0)",
        words="a step of the first m meets one more cell of its action, and that is what it loses",
    )
    full = induction(
        VARIABLES,
        on="x",
        start=0,
        given=[cells_left("x", "0"), A.begins_to_count("x + 1")],
        then="N(x, 0) == m * x",
        words="in the beginning all cells are left",
    )
    played = induction(
        VARIABLES,
        on="t",
        start=0,
        upto="m",
        given=[actions, full.at(x="K"), A.begins(), A.adds("t + 1"), A.acts("t + 1"), step.at(x="K")],
        then="a_total(t) == P(K, 0) - P(K, t) and N(K, t) == m * K - t",
        words="t <= m steps lose what P has less than in the beginning",
    )
    row = induction(
        VARIABLES,
        on="i",
        start=0,
        upto="m",
        given=[
            *("1 <= x", "x <= K", memory, E.adds("x * m - m + i + 1"), E.loses("x * m - m + i + 1")),
            *(E.explores("x", "i + 1"), tally.at(y="i + 1"), cells_beyond("x", "i")),
        ],
        then="e_total(x * m - m + i) == e_total(x * m - m) + U(x, 0) - U(x, i)",
        words="a block meets the cells of its action, one after the other",
    )
    explored = induction(
        VARIABLES,
        on="x",
        start=0,
        upto="K",
        given=[
            *(memory, E.begins(), row.at(x="x + 1", i="m"), cells_left("x", "0"), A.begins_to_count("x + 1")),
            cells_beyond("x + 1", "m"),
        ],
        then="e_total(x * m) == P(x, 0)",
        words="x blocks meet all cells of the first x actions",
    )
    cost = for_all(
        VARIABLES,
        given=[actions, memory, explored.at(x="K"), played.at(t="m"), left.at(x="K", t="m")],
        then="e_total(m * K) <= a_total(m) + m * K - m",
        words="the exploration loses at most mK - m more than the first m steps of any sequence",
    )
    return [*blocks, tally, few, beyond, left, step, full, played, row, explored, cost]


def _follows(i: str) -> Fact:
    """After the exploration, e plays what the optimal sequence a plays."""
    return definition("OPT's own tail", f"implies({i} >= 1, e(m * K + {i}) == a(m * K + {i}))")


def regret_steps(request: Request, conclusion: Formula) -> list[Step]:
    """ALG_det against OPT's own tail after the exploration; only the last step knows the conclusion."""
    f = request.formulas
    actions, memory, horizon = f.actions, f.memory, f.horizon
    cost = cost_steps(actions, memory)
    plan = definition(
        "ALG_det: no sequence that begins with the exploration loses less",
        "e_any >= 1 and implies(1 <= e(e_any) and e(e_any) <= K, loss <= e_total(T))",
    )
    admitted = for_all(
        VARIABLES,
        given=[
            *(actions, memory, plan, E.place("e_any"), E.explores("e_row(e_any)", "e_col(e_any)")),
            *(_follows("(e_any - m * K)"), A.acts("e_any")),
        ],
        then="loss <= e_total(T)",
        words="ALG_det loses no more than the exploration followed by OPT's own tail",
    )
    tail = alike(VARIABLES, E, "m * K", A, "m * K", agree=_follows, given=[actions, memory])
    grows = never_decreases(VARIABLES, A, since="m", given=[memory])
    return [
        *(*cost, admitted, *tail.steps, grows),
        for_all(
            VARIABLES,
            given=[
                *(actions, memory, horizon, *conclusions(cost[-1], admitted)),
                *(A.is_optimal(), tail.totals.at(i="T - m * K"), grows.at(t="m * K")),
            ],
            then=conclusion,
            words="the exploration, and up to m - 1 more in the steps whose windows it enters",
        ),
    ]


D = Explorer("d")
NEEDLE_VARIABLES = f"{SIZES}; {D.variables}; x y z i t integer; OPT loss real"


def needle_steps(request: Request, optimum: Fact) -> list[Step]:
    """d is what ALG_det plays where h_1(m) = 0 and every other loss is 1; the last step is its regret."""
    f = request.formulas
    actions, memory, horizon = f.actions, f.memory, f.horizon
    *blocks, tally = tally_steps(memory, D, NEEDLE_VARIABLES)
    row = induction(
        NEEDLE_VARIABLES,
        on="i",
        start=0,
        upto="m",
        given=[
            *("1 <= x", "x <= K", memory, D.adds("x * m - m + i + 1"), D.loses("x * m - m + i + 1")),
            *(D.explores("x", "i + 1"), tally.at(y="i + 1"), needle("x", "i + 1")),
        ],
        then="d_total(x * m - m + i) == d_total(x * m - m) + i - (1 if x == 1 and i == m else 0)",
        words="a block loses 1 in every step, but for the last of action 1",
    )
    explored = induction(
        NEEDLE_VARIABLES,
        on="x",
        start=1,
        upto="K",
        given=[memory, D.begins(), row.at(x="1", i="m"), row.at(x="x + 1", i="m")],
        then="d_total(x * m) == x * m - 1",
        words="the exploration loses mK - 1",
    )
    few = induction(
        NEEDLE_VARIABLES,
        on="i",
        start=0,
        given=[actions, memory, D.counts("z", "m * K + i + 1")],
        then="d_count(z, m * K + i) <= d_count(z, m * K) + i",
        words="in i steps nothing is played more than i times",
    )
    played = "d(m * K + i + 1)"
    rest = induction(
        NEEDLE_VARIABLES,
        on="i",
        start=0,
        upto="m - 1",
        given=[
            *("K >= 2", memory, explored.at(x="K"), D.adds("m * K + i + 1"), D.loses("m * K + i + 1")),
            needle(
                played, f"d_count({played}, m * K + i + 1) - d_count({played}, max(m * K + i + 1 - m, 0))"
            ),
            *(few.at(z="1", i="i + 1"), blocks[0].at(x="K", z="1", i="i + 1")),
            *(blocks[1].at(z="1", x="K"), blocks[1].at(z="1", x="K - 1")),
        ],
        then="d_total(m * K + i) == m * K - 1 + i",
        words="the windows of the next m - 1 steps hold the last play of action K, so these steps lose 1",
    )
    later = induction(
        NEEDLE_VARIABLES,
        on="i",
        start="m - 1",
        given=["K >= 2", memory, rest.at(i="m - 1"), D.adds("m * K + i + 1"), D.bounded("m * K + i + 1")],
        then="d_total(m * K + i) >= m * K - 1 + m - 1",
        words="losses are not negative",
    )
    regret = for_all(
        NEEDLE_VARIABLES,
        given=[
            *(
                actions,
                memory,
                horizon,
                optimum,
                definition("ALG_det: d is what it plays", "loss == d_total(T)"),
            ),
            *(rest.at(i="T - m * K"), later.at(i="T - m * K")),
        ],
        then="implies(K >= 2, loss - OPT >= m * K - m + min(T - m * K, m - 1))",
        words="the regret on this table",
    )
    return [*blocks, tally, row, explored, few, rest, later, regret]
