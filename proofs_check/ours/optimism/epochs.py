"""Optimism, the epochs: the rotated start, what an epoch loses, and how many a cell can end.

An epoch plays the m - 1 letters that come before a word when it is repeated, and then the word again and
again. The word is rotated so that no prefix has a mean loss above the word's. An epoch ends when a cell
has been seen max(1, N) times in it, N being its count before.
"""

from proofs_check.stating import Outcome, Request, Setting, claim

WHERE = "Optimism (ours, docs/optimism.md)"
ROTATED = Setting(
    define={
        "sums(f, i)": "0 then before + f(i)",
        "fallen(f, i)": "-sums(f, i)",
        "peak(f, n)": "least(fallen(f), 0, n - 1)",
    }
)
EPOCH = Setting(
    define={"rate(a, h, m, p, n)": "(total(a, p + m - 1 + n) - total(a, p + m - 1)) / n"},
)


@claim(
    "optimism/rotation",
    statement="(the cycle lemma) If a sequence has period n and the sum of a period is at most 0, no sum "
    "from the place where the first n partial sums are largest exceeds 0: {stated}.",
    formulas={"stated": "sums(f, peak(f, n) + k) <= sums(f, peak(f, n))"},
    domain={
        "period": "n >= 1",
        "later": "k >= 0",
        "repeats": "all(f(s + n) == f(s) for s in between(1, n + k))",
        "falls": "sums(f, n) <= 0",
    },
    setting=ROTATED,
    symbols={"n": "the period", "k": "a number of further steps", "f": "f(s), the numbers"},
    model={"n": 2, "k": 3, "f": [1, -2]},
)
def rotation(request: Request) -> Outcome:
    """n further numbers add at most 0, so that no later sum is above the largest of the first n."""
    p = request.proof()
    p.induct("i", "sums(f, i + n) == sums(f, i) + sums(f, n)", upto="n + k")
    p.have(
        "implies(0 <= i and i < n, sums(f, i) <= sums(f, peak(f, n)))",
        all="i",
        hints=["fallen(f, i)", "fallen(f, peak(f, n))"],
    )
    p.induct(
        "j",
        "implies(0 <= i and i <= j, sums(f, i) <= sums(f, peak(f, n)))",
        upto="n + k",
        all="i",
        hints=["sums(f, i - n)"],
    )
    return request.conclude(p.shown())


@claim(
    "optimism/epoch",
    statement="An epoch of i steps that repeats a word of n letters, with a rotated start, loses under the "
    "table that it was planned with {stated}.",
    formulas={
        "low": "rate(a, p, n)",
        "stated": "total(a, p + i) - total(a, p) <= i * low + (m - 1) * (1 - low)",
    },
    domain={
        "memory": "m >= 1",
        "before": "p >= 0",
        "word": "n >= 1",
        "steps": "i >= 0",
        "table": "table(h)",
        "actions": "plays(a, p + i + n + m)",
        "repeats": "all(a(p + s + n) == a(p + s) for s in between(1, i))",
        "rotated": "all(total(a, p + m - 1 + s) - total(a, p + m - 1) <= s * rate(a, p, n) "
        "for s in between(0, n - 1))",
    },
    setting=EPOCH,
    symbols={
        "a": "a(t), the actions; those after the epoch go on with its word",
        "p": "the steps before the epoch",
        "n": "the length of its word",
        "i": "the number of its steps",
    },
    model={"K": 2, "m": 2, "p": 1, "n": 2, "i": 3, "a": [1, 2], "h": [[0, 1], [1, 0]]},
    uses=("definition-1",),
)
def epoch(request: Request) -> Outcome:
    """The m - 1 letters before the word cost at most 1 each; the word, cut anywhere, at most its mean."""
    p = request.proof()
    low = "rate(a, p, n)"
    p.have(f"n * {low} == total(a, p + m - 1 + n) - total(a, p + m - 1)")
    p.have(f"implies(i <= m - 1 and {low} <= 1, i * (1 - {low}) <= (m - 1) * (1 - {low}))")
    same = "count(a, x, p + n + j) - count(a, x, p + n) == count(a, x, p + j) - count(a, x, p)"
    p.induct("j", same, upto="i", all="x")
    p.have("a(p + n + j) == a(p + j)", all="j", given=["m <= j", "j <= i"])
    p.have("loss(a, p + n + j) == loss(a, p + j)", all="j", given=["m <= j", "j <= i"])
    p.use("definition-1", "bounded")
    p.induct(
        "t",
        "implies(0 <= s and s <= t, 0 <= total(a, t) - total(a, s) <= t - s)",
        upto="p + i + n + m",
        all="s",
    )
    steady = f"total(a, p + n + m - 1 + j) - total(a, p + m - 1 + j) == n * {low}"
    p.induct("j", steady, upto="i - m + 1")
    below = f"total(a, p + m - 1 + k) - total(a, p + m - 1) <= k * {low}"
    p.induct(
        "j",
        f"implies(0 <= k and k <= j, {below})",
        upto="i - m + 1",
        all="k",
        hints=["total(a, p + m - 1 + k - n)"],
    )
    p.have(f"{low} <= 1")
    p.have("total(a, p + i) - total(a, p) <= i")
    p.have("implies(i >= m - 1, total(a, p + m - 1) - total(a, p) <= m - 1)")
    p.have(
        f"implies(i >= m - 1, total(a, p + i) - total(a, p + m - 1) <= (i - m + 1) * {low})",
        hints=["i - m + 1"],
    )
    return request.conclude(
        p.shown(),
        remarks=("That there is such a rotation is the claim optimism/rotation, for loss - mean.",),
    )


@claim(
    "optimism/epochs",
    statement="A cell that has ended j epochs, each of which at least doubled its count, has been seen so "
    "often that {stated}.",
    formulas={"stated": "2**j <= 2 * b(j)"},
    domain={
        "epochs": "j >= 1",
        "first": "b(1) >= 1",
        "doubled": "all(b(s + 1) >= 2 * b(s) for s in between(1, j))",
    },
    setting=Setting(),
    symbols={"b": "b(j), how often it was seen when it ended its j-th epoch", "j": "the number of epochs"},
    model={"j": 3, "b": [1, 2, 4, 8]},
)
def epochs(request: Request) -> Outcome:
    """Every further epoch that a cell ends doubles its count."""
    p = request.proof()
    p.induct("i", "2**i <= 2 * b(i)", start=1, upto="j")
    return request.conclude(
        p.shown(),
        remarks=(
            "log2(2 N) is concave: K m cells that share T steps have ended at most "
            "K m log2(2 max(T, Km) / (Km)) epochs together.",
        ),
    )
