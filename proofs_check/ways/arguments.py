"""Steps that several proofs share, each carried out anew: sums of losses, averages, and windows.

An argument by induction on the number of terms is its induction step, which z3 proves for all values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from proofs_check.claim import Case, after_search, by_proof
from proofs_check.steps import Step, Verdict
from proofs_check.ways.for_all import for_all


def settled(violation: Case | None, confirmed: Callable[[Case], bool], steps: Sequence[Step]) -> Verdict:
    """Refuted if the search met a confirmed violation; else argued if every step holds; else undecided."""
    return by_proof(steps) if violation is None else after_search(violation, confirmed)


def losses_sum_to_at_most_their_number() -> Step:
    """n losses in [0, 1] sum to a number in [0, n]; the induction step."""
    return for_all(
        "sum loss real; n integer",
        given=["0 <= sum", "sum <= n", "0 <= loss", "loss <= 1"],
        then="0 <= sum + loss and sum + loss <= n + 1",
        words="n losses in [0, 1] sum to between 0 and n (from n to n + 1)",
    )


def smallest_is_at_most_the_mean() -> Step:
    """n numbers, none below b, sum to at least n b; the induction step."""
    return for_all(
        "sum b next real; n integer",
        given=["sum >= n * b", "next >= b"],
        then="sum + next >= (n + 1) * b",
        words="n numbers, the smallest of them b, sum to at least n b (from n to n + 1)",
    )


def window_lies_inside(first: str, at: str, *, where: str, given: Sequence[str], words: str) -> Step:
    """A step at a time >= `at` has its whole window in `first`, `first` + 1, ...: index arithmetic."""
    return for_all(
        where,
        given=[*given, f"t >= {at}", "s >= t - m + 1", "s <= t"],
        then=f"s >= {first}",
        words=words,
    )
