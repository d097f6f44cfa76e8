"""Values that refute a statement: in the domain, exact, and never of what is not free."""

from fractions import Fraction

from proofs_check.ways.values import Falsified, falsified
from tallyplan.formula import Formula


def found(stated, domain=(), **rest):
    return falsified(
        Formula(stated), [Formula(one) for one in domain], **({"integers": "", "free": ""} | rest)
    )


def test_values_are_proposed_only_where_all_names_are_parameters():
    assert found("K * K > K", ["K >= 1"]).values == {"K": 1}
    assert found("K * K > K", ["K >= 2"]) is None
    assert found("loss <= K", ["K >= 1"]) is None  # what is lost is not free
    assert found("x <= K", ["K >= 1"], free="x").confirmed()
    assert found("tally(K) <= K", ["K >= 1"]) is None


def test_the_sizes_are_integers_and_the_probability_is_not():
    assert found("K <= 1 or K >= 2") is None
    assert found("delta <= 0 or delta >= 1").values["delta"].denominator > 1


def test_cases_are_tried_in_their_order_and_only_in_the_domain():
    cases = [
        {"S": S, "geometric(S)": " + ".join(f"2**({s} / 2)" for s in range(1, S + 1))} for S in (1, 2, 3)
    ]
    assert found("geometric(S) <= 4", ["S >= 1"], cases=cases).values["S"] == 3
    assert found("geometric(S) <= 4", ["S <= 2"], cases=cases) is None


def test_roots_and_logarithms_are_decided_in_balls_and_confirmed_by_sympy():
    case = found("log(T) <= sqrt(T) / 2", ["T >= 1"], cases=[{"T": T} for T in (1, 4, 9)])
    assert case.values == {"T": 4}
    assert case.confirmed()
    assert not Falsified(Formula("log(T) <= sqrt(T)"), (), {"T": 4}).confirmed()
    assert not Falsified(Formula("T <= 1"), (Formula("T <= 2"),), {"T": Fraction(5, 2)}).confirmed()
