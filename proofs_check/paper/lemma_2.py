"""Lemma 2: the count N_xy of a cyclic policy is well defined.

Stated (label lem:N_welldef). Play any past, then a sqrt(T)-cyclic policy for n + 1 periods, and count in the
last period how often x is played at tally y. If m <= sqrt(T), the count depends neither on n (1 <= n <=
sqrt(T) - 1) nor on the past.

Shown. Write L = sqrt(T). In the last period, n >= 1, a window reaches back m - 1 <= L steps, so that it stays
in the last two periods, whose actions depend neither on n nor on the past: m <= L + 1 is enough. It is also
needed: for m >= L + 2 a constant word has the tally L + 1 once in its second period, and never if one play of
the same action precedes.

Every word, every past and every n on a box of (K, m, sqrt(T)) are gone through as well, also beyond the
stated m. Pasts of length up to m - 1 are all pasts, since no window sees more. The first word beyond the
domain whose counts differ is evaluated again by replay, with losses that are 1 at the cell (x, y) and 0
elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

from proofs_check import definitions
from proofs_check.boxes import span
from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.steps import Step, Verdict
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

STATED = Formula("sqrt(T)")
EXACT = Formula("sqrt(T) + 1")
BEYOND = 3  # m is taken up to sqrt(T) + BEYOND

Actions = tuple[int, ...]
Size = tuple[int, int, int]  # (K, sqrt(T), m)
Box = dict[int, range]  # the periods sqrt(T) for each number of actions


@claim(
    "lemma-2",
    statement=(
        f"If m <= {STATED}, then for any sqrt(T)-cyclic policy pi, any x and any y, N_xy(pi) is well defined "
        "for any 1 <= n <= sqrt(T) - 1, and independent of any action sequence played before."
    ),
    where="Lemma 2 (lem:N_welldef)",
)
def lemma_2(request: Request) -> Outcome:
    """Show that windows stay in two periods; compare the counts of all words, pasts and n on a box."""
    box = _box(request)
    sizes = _sizes(box)
    differences = {size: _first_difference(*size, request) for size in sizes}
    failures = {size: witness for size, witness in differences.items() if witness is not None}
    violation = next((failures[K, L, m] for K, L, m in failures if m <= STATED(T=L**2)), None)
    steps = _enough(STATED)
    verdict = settled(violation, _confirmed, steps)
    described = ", ".join(f"K = {actions}: sqrt(T) = {span(periods)}" for actions, periods in box.items())
    everything = f"every word, n and past for {described}"
    return Outcome(
        verdict,
        f"all K, T and m <= {STATED}" if verdict is Verdict.ARGUED else f"{everything}; 1 <= m <= {STATED}",
        Evidence(
            "windows stay in the last two periods; exhaustive enumeration on a box",
            sum(K**L * len(list(_ways(K, L, m))) for K, L, m in sizes if (K, L, m) not in failures),
            (
                *steps,
                f"Box: {everything}, m up to sqrt(T) + {BEYOND}; the counts differ at {len(failures)} of "
                f"{len(sizes)} sizes (K, sqrt(T), m).",
            ),
        ),
        witness=violation,
        tight=_tight(sizes, failures),
    )


def _enough(largest: Formula) -> list[Step]:
    """If m <= largest, the windows of the last period stay in the last two, where n does not matter."""
    memory = largest.text.replace("sqrt(T)", "L")
    return [
        for_all(
            "s t n L m integer",
            given=["L >= 1", f"m <= {memory}", "t >= n * L + 1", "s >= t - m + 1"],
            then="s >= (n - 1) * L + 1",
            words=f"for m <= {largest} a window of period n + 1 reaches back to period n at most",
        ),
        for_all(
            "place j n k L integer",
            given=["1 <= place", "place <= L"],
            then="(place + j * L) + (n - k) * L == place + (j + n - k) * L",
            words="moved by (n - k) L steps, periods k and k + 1 become periods n and n + 1, place by place",
        ),
    ]


def _needed(largest: Formula) -> list[Step]:
    """If m > largest: a constant word meets the tally L + 1 in period 2, but not after one more play."""
    memory = largest.text.replace("sqrt(T)", "L")
    return [
        for_all(
            "L m integer",
            given=["L >= 1", f"m > {memory}"],
            then="min(m, L + 1) == L + 1",
            words=f"for m > {largest} the first step of period 2 of a constant word has tally L + 1",
        ),
        for_all(
            "L m t past integer",
            given=["L >= 1", f"m > {memory}", "past >= 1", "t >= L + 1"],
            then="min(m, t + past) > L + 1",
            words="after one more play of the same action no step of period 2 has that tally",
        ),
    ]


def _tight(sizes: list[Size], failures: dict[Size, Witness]) -> Tight | None:
    """The exact domain: enough and needed, by proof, and the counts of the box differ only beyond it."""
    exact = all((size in failures) == (size[2] > EXACT(T=size[1] ** 2)) for size in sizes)
    smallest = next(iter(failures.values()), None)
    shown = by_proof(_enough(EXACT) + _needed(EXACT))
    if not exact or smallest is None or not _confirmed(smallest) or shown is not Verdict.ARGUED:
        return None
    return Tight(f"m <= {EXACT}, exactly; a constant word shows it, whatever K", shown, smallest)


def _box(request: Request) -> Box:
    more = 1 if request.thorough else 0
    return {1: range(2, 7), 2: range(2, 6 + more), 3: range(2, 4 + more)}


def _sizes(box: Box) -> list[Size]:
    """All (K, sqrt(T), m), small ones first."""
    return [(K, L, m) for K, periods in box.items() for L in periods for m in range(1, L + BEYOND + 1)]


def _first_difference(actions: int, period: int, memory: int, request: Request) -> Witness | None:
    """The first word with two ways to play it that end in different counts, or None."""
    request.progress(f"lemma-2: K = {actions}, sqrt(T) = {period}, m = {memory}")
    for word in product(range(actions), repeat=period):
        reference = definitions.period_counts(word, memory, n=1)
        for n, past in _ways(actions, period, memory):
            counts = definitions.period_counts(word, memory, n, past)
            if counts != reference:
                return _witness(actions, memory, word, n, past, reference, counts)
    return None


def _ways(actions: int, period: int, memory: int) -> Iterator[tuple[int, Actions]]:
    """All n and all pasts that a window can tell apart, short pasts first."""
    for length in range(memory):
        for past in product(range(actions), repeat=length):
            for n in range(1, period):
                yield n, past


def _witness(
    actions: int,
    memory: int,
    word: Actions,
    n: int,
    past: Actions,
    reference: Counter[tuple[int, int]],
    counts: Counter[tuple[int, int]],
) -> Witness:
    """The case as an instance: losses 1 at the first cell whose counts differ, 0 elsewhere."""
    x, y = next(cell for cell in sorted(reference | counts) if reference[cell] != counts[cell])
    losses = [[int((a, b) == (x, y)) for b in range(1, memory + 1)] for a in range(actions)]
    facts = {
        "horizon": len(word) ** 2,
        "word": word,
        "x": x,
        "y": y,
        "n": n,
        "past": past,
        "count": counts[x, y],
        "count with n = 1 and no past": reference[x, y],
    }
    return Witness(facts, TallyingBandit(losses))


def _confirmed(witness: Witness) -> bool:
    """Replay both ways on the indicator losses: the loss of the last period is the count."""
    facts, bandit = witness.facts, witness.bandit
    assert bandit is not None
    word, past, n = facts["word"], facts["past"], facts["n"]
    plain = replay(bandit, word, start=word)
    other = replay(bandit, word, start=past + word * n)
    return plain == facts["count with n = 1 and no past"] and other == facts["count"] and plain != other
