"""Optimism, the epochs: the rotated start, what an epoch loses, and how many there are.

An epoch plays the m - 1 letters that come before a word when it is repeated, and then the word again and
again, so that from its first step on it has the period of the word. From its m-th step on the window lies in
the epoch, and the losses have this period, too. The word is rotated so that none of its beginnings loses more
than the mean; then no stretch of repetitions does, wherever it is cut, and only the m - 1 letters before may
cost up to 1 each (`optimism/epoch`). Such a rotation exists (`optimism/rotation`, the cycle lemma): begin
where the sums of (loss - mean) are largest.

An epoch ends when a cell has been met max(1, N) times in it, N being its count before. So the k-th epoch that
a cell ends leaves it with a count of at least 2^(k-1). Logarithms are concave: K m cells that share T steps
have ended at most K m log2(2 max(T, Km) / (Km)) epochs together (`optimism/epochs`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proofs_check.claim import Outcome, Request, claim
from proofs_check.steps import Fact, Given, Step, conclusions
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import (
    grows,
    log2_above_chord,
    log2_below_tangent,
    log2_of_power,
    power_of_sum,
)
from proofs_check.ways.sequences import SIZES, Play, alike, definition

WHERE = "Optimism (ours, docs/optimism.md)"
A = Play("a")
ROTATION = "n q k i j integer; total(integer) x(integer) top(integer) real"
EPOCH = f"{SIZES}; {A.variables}; p n length x i j integer; top(integer) low lost real"
COUNT = (
    "K m T i j c integer; visits(integer, integer) ended(integer) met(integer) all_ended(integer) "
    "all_met(integer) integer"
)


def never_above(
    variables: str,
    excess: Callable[[str], str],
    *,
    given: Sequence[Given],
    chosen: Callable[[str], Fact],
    shifted: Callable[[str], Fact],
    top: str,
) -> list[Step]:
    """No value of a sequence is above `top`, if none of the first n is and each is at most that n before.

    `chosen(j)` says that value j is at most `top` for 0 <= j < n, `shifted(i)` that value i + n is at most
    value i. The induction is on the largest value so far.
    """
    largest = (
        definition("the largest so far", f"top(0) == {excess('0')}", "top"),
        definition(
            "the largest so far", f"implies(j >= 0, top(j + 1) == max(top(j), {excess('j + 1')}))", "top"
        ),
    )
    below = induction(
        variables,
        on="j",
        start=0,
        given=["i >= 0", *largest],
        then=f"implies(i <= j, {excess('i')} <= top(j))",
        words="none of them is above the largest so far",
    )
    main = induction(
        variables,
        on="j",
        start=0,
        given=[*given, *largest, chosen("0"), chosen("j + 1"), shifted("j + 1 - n"), below.at(i="j + 1 - n")],
        then=f"top(j) <= {top}",
        words="the first n are not above, and each later one is at most the one n before",
    )
    return [below, main]


@claim(
    "optimism/rotation",
    statement="(the cycle lemma) Numbers x(1), x(2), .. of period n with total(n) <= 0, summed up: after q "
    "of them, where the sums total(0), .., total(n - 1) are largest, {stated} for every k.",
    where=WHERE,
    formulas={"stated": "total(q + k) - total(q) <= 0"},
    domain={"period": "total(n) <= 0", "later": "k >= 0"},
    integers="n q k",
    symbols={
        "total": "total(i), the sum of the first i numbers",
        "n": "the period, n >= 1",
        "q": "where the sums are largest, 0 <= q < n",
        "k": "a number of further steps",
    },
)
def rotation(request: Request) -> Outcome:
    """n further numbers add total(n); induction on the largest sum so far."""
    f = request.formulas
    largest = definition("q", "0 <= q and q < n", "q")
    shift = induction(
        ROTATION,
        on="i",
        start=0,
        given=[
            definition("the sums", "total(0) == 0"),
            largest,
            *(
                definition("the sums", f"implies({j} >= 0, total({j} + 1) == total({j}) + x({j} + 1))")
                for j in ("i", "i + n")
            ),
            definition("the period", "implies(i >= 0, x(i + n + 1) == x(i + 1))"),
        ],
        then="total(i + n) == total(i) + total(n)",
        words="n further numbers add total(n)",
    )
    below, main = never_above(
        ROTATION,
        lambda i: f"total({i})",
        given=[f.period, largest],
        chosen=lambda j: definition("q", f"implies(0 <= {j} and {j} < n, total({j}) <= total(q))", "q"),
        shifted=lambda i: shift.at(i=i),
        top="total(q)",
    )
    last = for_all(
        ROTATION,
        given=[f.period, f.later, largest, below.at(i="q + k", j="q + k"), main.at(j="q + k")],
        then=f.stated,
        words="so that no sum is above total(q)",
    )
    return request.conclude(request.show("stated", [shift, below, main, last]), method="induction, z3")


@claim(
    "optimism/epoch",
    statement="An epoch that begins after p steps satisfies {stated} under the table it was planned with.",
    where=WHERE,
    formulas={"stated": "lost <= length * low + (m - 1) * (1 - low)"},
    domain={"memory": "m >= 1", "before": "p >= 0", "word": "n >= 1", "steps": "length >= 0"},
    integers="m p n length",
    symbols={
        "lost": "what the epoch loses under the table that it was planned with, of losses in [0, 1]",
        "length": "the number of its steps",
        "low": "the loss per step of its word, repeated forever, under that table",
        "p": "the steps before the epoch",
        "n": "the length of its word",
    },
)
def epoch(request: Request) -> Outcome:
    """The m - 1 letters before the word cost at most 1 each; the word, cut anywhere, at most its mean."""
    f = request.formulas
    sizes = [f.memory, f.before, f.word]

    def repeats(i: str) -> Fact:
        return definition("an epoch", f"implies({i} >= 1, a(p + {i}) == a(p + n + {i}))", "a")

    mean = definition("the mean of the word", "n * low == a_total(p + n + m - 1) - a_total(p + m - 1)", "low")

    def excess(i: str) -> str:
        return f"a_total(p + m - 1 + {i}) - a_total(p + m - 1) - ({i}) * low"

    same = alike(EPOCH, A, "p", A, "p + n", agree=repeats, given=sizes)
    periods = induction(
        EPOCH,
        on="i",
        start=0,
        given=[*sizes, mean, A.adds("p + n + m + i"), A.adds("p + m + i"), same.losses.at(i="m + i")],
        then="a_total(p + n + m - 1 + i) - a_total(p + m - 1 + i) == n * low",
        words="after the m - 1 letters, every n steps lose the same",
    )
    one = induction(
        EPOCH,
        on="i",
        start=0,
        given=[*sizes, A.adds("p + i + 1"), A.bounded("p + i + 1")],
        then="a_total(p + i) - a_total(p) <= i and a_total(p + i) - a_total(p) >= 0",
        words="a step loses between 0 and 1",
    )
    below, main = never_above(
        EPOCH,
        excess,
        given=sizes,
        chosen=lambda j: definition(
            "the rotated start", f"implies(0 <= {j} and {j} < n, {excess(j)} <= 0)", "rotation"
        ),
        shifted=lambda i: periods.at(i=i),
        top="0",
    )
    at_most_one = for_all(
        EPOCH,
        given=[*sizes, mean, one.at(p="p + m - 1", i="n")],
        then="low <= 1",
        words="the mean is at most 1",
    )
    last = for_all(
        EPOCH,
        given=[
            *request.domain,
            *conclusions(at_most_one),
            definition("what the epoch loses", "lost == a_total(p + length) - a_total(p)", "lost"),
            *(one.at(i=i) for i in ("length", "m - 1")),
            below.at(i="length - m + 1", j="length - m + 1"),
            main.at(j="length - m + 1"),
        ],
        then=f.stated,
        words="m - 1 letters at most 1 each, the others at most the mean together",
    )
    steps = [*same.steps, periods, one, below, main, at_most_one, last]
    return request.conclude(
        request.show("stated", steps),
        method="windows, counts and totals of the played sequence, z3",
        remarks=("That there is such a rotation is the claim optimism/rotation, for x = loss - mean.",),
    )


@claim(
    "optimism/epochs",
    statement="The epochs that were ended by a cell are {stated}.",
    where=WHERE,
    formulas={
        "many": "2 * max(T, K * m) / (K * m)",
        "bound": "K * m * log2(many)",
        "stated": "all_ended(K * m) <= bound",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "counts": "all_met(K * m) <= T"},
    integers="K m T",
    symbols={
        "all_ended": "all_ended(i), the epochs that the first i cells have ended",
        "all_met": "all_met(i), the steps at which the first i cells were met",
    },
)
def epochs(request: Request) -> Outcome:
    """A cell that ended k epochs was met 2^(k-1) times; a tangent of the logarithm, and its chord below 4."""
    f = request.formulas
    doubled = induction(
        COUNT,
        on="j",
        start=1,
        given=[
            definition("the first epoch that a cell ends", "visits(c, 1) >= 1"),
            definition("a cell that ends an epoch", "implies(j >= 1, visits(c, j + 1) >= 2 * visits(c, j))"),
            power_of_sum("2", "j", "1"),
        ],
        then="2**j <= 2 * visits(c, j) and j <= visits(c, j)",
        words="every further epoch that a cell ends doubles its count",
    )
    cell: list[Given | str] = [
        definition("the epochs that a cell ended", "ended(c) >= 0 and met(c) >= 0"),
        definition("the count of a cell", "implies(ended(c) >= 1, met(c) >= visits(c, ended(c)))"),
        doubled.at(j="ended(c)"),
    ]
    few = for_all(COUNT, given=cell, then="ended(c) <= met(c)", words="at most its count")
    many = for_all(
        COUNT,
        given=[
            *cell,
            grows("log2", "2**ended(c)", "2 * met(c)"),
            log2_of_power("2**ended(c)", "ended(c)"),
            definition("a power", "2**ended(c) > 0"),
        ],
        then="implies(ended(c) >= 1, met(c) >= 1 and ended(c) <= log2(2 * met(c)))",
        words="and at most log2(2 N)",
    )
    y, log = f"({f.many})", f"log2({f.many})"
    sums = [
        definition("the sums", "all_ended(0) == 0 and all_met(0) == 0"),
        *(
            definition("the sums", f"implies(i >= 0, all_{one}(i + 1) == all_{one}(i) + {one}(i + 1))")
            for one in ("ended", "met")
        ),
    ]
    low = in_balls("69 / 100", "log(2)")
    tangent = for_all(
        "e y l l2 N lN real",
        given=[
            *("y > 4", "l >= 2", "N >= 0", "e >= 0", "69 / 100 < l2"),
            "implies(e > 0, e <= lN)",
            "implies(N > 0, (lN - l) * y * l2 <= 2 * N - y)",
            "implies(e > 0, N > 0)",
        ],
        then="y * l2 * e <= y * l2 * l - y + 2 * N",
        words="the logarithm lies below its tangent at y",
    )
    sized = for_all(
        COUNT,
        given=[f.actions, f.memory],
        then=f"{y} >= 2 and {y} * K * m == 2 * max(T, K * m)",
    )
    two = for_all(
        COUNT,
        given=[grows("log2", "4", str(f.many)), log2_of_power("4", "2")],
        then=f"implies({y} > 4, {log} >= 2)",
        words="log2(4) = 2",
    )
    above = for_all(
        COUNT,
        given=[
            f"{y} > 4",
            "c >= 1",
            *conclusions(low, two),
            few.at(),
            many.at(),
            tangent.at(y=y, l=log, l2="log(2)", N="met(c)", e="ended(c)", lN="log2(2 * met(c))"),
            log2_below_tangent("2 * met(c)", str(f.many)),
            definition("the epochs that a cell ended", "ended(c) >= 0 and met(c) >= 0"),
        ],
        then=f"{y} * log(2) * ended(c) <= {y} * log(2) * {log} - {y} + 2 * met(c)",
        words="each cell",
    )
    added = induction(
        COUNT,
        on="i",
        start=0,
        given=[f"{y} > 4", *conclusions(low, two), *sums, above.at(c="i + 1")],
        then=f"{y} * log(2) * all_ended(i) <= i * ({y} * log(2) * {log} - {y}) + 2 * all_met(i)",
        words="all cells",
    )
    divided = for_all(
        "y l l2 C t a T real",
        given=[
            "y > 4",
            "C >= 1",
            "69 / 100 < l2",
            "2 * t <= y * C",
            "y * l2 * a <= C * (y * l2 * l - y) + 2 * t",
        ],
        then="a <= C * l",
        words="divided by y log(2)",
    )
    plain = induction(
        COUNT,
        on="i",
        start=0,
        given=[*sums, few.at(c="i + 1")],
        then="all_ended(i) <= all_met(i)",
        words="all cells",
    )
    chord = for_all(
        "y l C a t real",
        given=["2 <= y", "y <= 4", "2 * l >= y", "a <= t", "2 * t <= y * C", "C >= 1"],
        then="a <= C * l",
        words="below 4 the logarithm lies above its chord",
    )
    last = for_all(
        COUNT,
        given=[
            *request.domain,
            *conclusions(low, two, sized),
            *(added.at(i="K * m"), plain.at(i="K * m")),
            divided.at(y=y, l=log, l2="log(2)", C="K * m", t="all_met(K * m)", a="all_ended(K * m)"),
            chord.at(y=y, l=log, C="K * m", t="all_met(K * m)", a="all_ended(K * m)"),
            log2_above_chord(str(f.many)),
        ],
        then=f.stated,
        words="the two cases, T above or below 2 K m",
    )
    steps = [doubled, few, many, low, tangent, sized, two, above, added, divided, plain, chord, last]
    return request.conclude(
        request.show("stated", steps),
        method="induction on the epochs of a cell, then on the cells; the logarithm is concave",
    )
