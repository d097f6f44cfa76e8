"""The suprema themselves: closed forms, brute force below them, two ways to the same value, symmetries."""

from fractions import Fraction
from itertools import product

import all_plays
import pytest

from proofs_check.worst_case import AlgDet, Constant, Cyclic, Listed, Optimal, SingleRun, worst_case
from proofs_check.worst_case.claims import BestConstant, constant, question
from proofs_check.worst_case.policies import Tables, loss
from proofs_check.worst_case.where import are_alike, inequalities
from tallyplan.check import check
from tallyplan.errors import InternalError
from tallyplan.model.instance import TallyingBandit

SMALL = [
    (Cyclic(2, 2, 4, 2), Optimal(2, 2, 4)),
    (Cyclic(2, 2, 9, 3), Optimal(2, 2, 9)),
    (Cyclic(2, 2, 7, 3), Optimal(2, 2, 7)),
    (Cyclic(2, 3, 4, 1), Optimal(2, 3, 4)),
    (Cyclic(2, 3, 9, 3), Optimal(2, 3, 9)),
    (Cyclic(3, 2, 4, 2), Optimal(3, 2, 4)),
    (Cyclic(2, 3, 5, 2), Constant(2, 3, 5)),
    (Optimal(2, 2, 5), Cyclic(2, 2, 5, 4)),
    (Optimal(2, 3, 4), Cyclic(2, 3, 4, 2)),
    (AlgDet(2, 2, 6), Optimal(2, 2, 6)),
    (AlgDet(2, 3, 8), Optimal(2, 3, 8)),
    (AlgDet(3, 2, 7), Optimal(3, 2, 7)),
    (Constant(2, 2, 6), Optimal(2, 2, 6)),
    (Constant(3, 2, 5), SingleRun(3, 2, 5)),
    (SingleRun(2, 3, 6), Cyclic(2, 3, 6, 3)),
    (SingleRun(3, 2, 4), AlgDet(3, 2, 6)),
    (Optimal(1, 3, 5), Cyclic(1, 3, 5, 2)),
    (Cyclic(3, 1, 4, 2), Optimal(3, 1, 4)),
    (Optimal(2, 2, 0), Constant(2, 2, 0)),
    (Optimal(2, 3, 5), Optimal(2, 3, 5)),
    (Listed(2, 2, 3, tuple(product((0, 1), repeat=3))), Optimal(2, 2, 3)),
    (Listed(2, 2, 4, ((0, 0, 1, 1), (1, 1, 1, 0))), Constant(2, 2, 4)),
    (Cyclic(2, 2, 6, 3), Listed(2, 2, 6, ((0, 1), (0, 0, 1)), True)),
]


def accepted(answer):
    verdict = check(answer.certificate)
    assert verdict, verdict.reason
    return answer


def grid(actions, memory, values):
    rows = [list(row) for row in product(values, repeat=actions * memory)]
    return Tables(rows, [2] * len(rows))


def test_actions_are_alike_if_each_two_may_change_places():
    assert are_alike(inequalities("rising; h(0,1) <= 1/2; h(1,1) <= 1/2", 2, 3), 2, 3)
    for x in range(4):
        assert not are_alike(inequalities(f"h({x},1) <= 1/2", 4, 3), 4, 3)


@pytest.mark.parametrize("classes", SMALL, ids=repr)
def test_the_supremum_is_accepted_and_attained_and_that_of_all_plays_and_of_no_table_of_halves(classes):
    first, second = classes
    answer = accepted(worst_case(first, second))
    assert answer.exact
    assert answer.value == all_plays.supremum(first, second)
    losses = list(answer.bandit.values())
    assert answer.value == all_plays.least(first, losses) - all_plays.least(second, losses)
    tables = grid(first.actions, first.memory, (0, 1, 2))
    differences = [a - b for a, b in zip(first.values(tables), second.values(tables), strict=True)]
    assert max(differences) <= answer.value


@pytest.mark.parametrize("one", sorted({one for classes in SMALL for one in classes}, key=repr), ids=repr)
def test_many_tables_at_once_have_the_values_of_the_planner_and_of_all_plays(one):
    rows = [[(5 * i + 7 * j * j + i * j) % 12 for i in range(one.actions * one.memory)] for j in range(4)]
    tables = Tables([*rows, [0] * len(rows[0]), [11] * len(rows[0])], [11] * 6)
    for row, value in zip(tables.rows, one.values(tables), strict=True):
        losses = [Fraction(x, 11) for x in row]
        bandit = TallyingBandit([losses[i : i + one.memory] for i in range(0, len(row), one.memory)])
        assert value == loss(one.profile(one.best(bandit)), bandit) == all_plays.least(one, losses)


PROPOSITION_1 = [(K, m, T) for K in (1, 2, 3) for m in (1, 2, 3) for T in range(m * K, m * K + m + 1)]
PROPOSITION_1 += [(2, 4, 11), (4, 2, 9), (2, 4, 12), (2, 3, 20)]


@pytest.mark.parametrize(("K", "m", "T"), PROPOSITION_1)
def test_the_regret_of_alg_det_has_its_closed_form(K, m, T):
    answer = constant(question("proposition-1-upper", K, m, horizon=T))
    assert answer.value == (min(T - m, m * K - 1) if K > 1 else 0)
    assert answer.exact
    assert all(known.status(answer) == "holds" for known in answer.expected)


LEMMA_3 = [(K, m, L) for K in (1, 2, 3) for m in (1, 2, 3) for L in range(1, 7)]
LEMMA_3 += [(2, 2, 20), (2, 3, 12), (2, 4, 7), (2, 5, 4)]


@pytest.mark.parametrize(("K", "m", "L"), LEMMA_3)
def test_lemma_3_satisfies_what_is_known(K, m, L):
    answer = constant(question("lemma-3", K, m, period=L))
    assert answer.value <= (m - 1) * L
    if K == 1:
        assert answer.value == min(L * L, m - 1)
    if m == K and (L + 1) % m == 0:
        assert answer.value == (m - 1) * L
    assert all(known.status(answer) == "holds" for known in answer.expected)


def test_a_time_limit_leaves_a_certified_interval():
    answer = accepted(worst_case(Cyclic(2, 3, 9, 3), Optimal(2, 3, 9), time_limit=0))
    assert answer.value < answer.bound
    assert not answer.exact
    assert answer.value <= Fraction(7, 3) <= answer.bound
    assert answer.certificate["claim"]["upper"]


@pytest.mark.parametrize(
    ("memory", "found", "bound", "statuses"),
    [  # at m = 3 at most 6, and as stated at most 12; at m = 2 exactly 3, and as stated at most 9
        (3, 2, 2, ["holds", "holds"]),
        (3, 2, 7, ["undecided", "holds"]),
        (3, 2, 5, ["holds", "holds"]),
        (3, 7, 7, ["refuted", "holds"]),
        (3, 8, 99, ["refuted", "undecided"]),
        (2, 3, 3, ["holds", "holds"]),
        (2, 2, 2, ["refuted", "holds"]),
        (2, 3, 4, ["undecided", "holds"]),
    ],
)
def test_an_interval_decides_a_bound_only_if_it_lies_on_one_side(memory, found, bound, statuses):
    asked = question("lemma-3", 2, memory, period=3)
    answer = BestConstant(Fraction(found), Fraction(bound), TallyingBandit([[0]]), {}, None, asked)
    assert [known.status(answer) for known in answer.expected] == statuses


def test_a_wrong_oracle_is_noticed():
    class Boastful(Cyclic):
        def values(self, tables):
            return [value / 2 for value in super().values(tables)]

    with pytest.raises(InternalError):
        worst_case(Boastful(2, 2, 9, 3), Optimal(2, 2, 9))

    class Lazy(Optimal):
        def best(self, bandit):
            return [((0,), self.horizon)]

    with pytest.raises(InternalError):
        worst_case(Cyclic(2, 2, 9, 3), Lazy(2, 2, 9))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("claim", "K", "m", "length"),
    [
        ("proposition-1-upper", 2, 5, 14),
        ("proposition-1-upper", 3, 3, 12),
        ("lemma-3", 2, 3, 20),
        ("lemma-3", 2, 4, 16),
        ("lemma-3", 2, 5, 10),
        ("lemma-3", 3, 2, 9),
        ("lemma-3", 3, 3, 9),
        ("lemma-3", 3, 4, 6),
    ],
)
def test_the_largest_sizes_are_proved_and_checked(claim, K, m, length):
    sizes = {"horizon": length} if claim == "proposition-1-upper" else {"period": length}
    answer = constant(question(claim, K, m, **sizes))
    assert all(known.status(answer) == "holds" for known in answer.expected)
    assert check(answer.certificate, limit=10**10)
