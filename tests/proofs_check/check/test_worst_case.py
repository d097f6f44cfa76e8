"""Suprema over all loss tables: true ones are accepted, and no planted error passes."""

import copy
from fractions import Fraction
from functools import cache

import pytest
from all_plays import least
from brute_force import rehashed, tallying, text
from documents import mutations
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.worst_case import CLASSES, AlgDet, Constant, Cyclic, Optimal, SingleRun, worst_case
from proofs_check.worst_case.policies import loss
from tallyplan.check import check
from tallyplan.errors import TallyplanError
from tallyplan.model.instance import from_json

CASES = [
    (Cyclic(2, 2, 4, 2), Optimal(2, 2, 4)),
    (Cyclic(2, 2, 9, 3), Optimal(2, 2, 9)),
    (Cyclic(2, 3, 7, 3), Optimal(2, 3, 7)),
    (Optimal(2, 2, 9), Cyclic(2, 2, 9, 3)),
    (Cyclic(2, 3, 4, 1), Optimal(2, 3, 4)),
    (AlgDet(2, 2, 6), Optimal(2, 2, 6)),
    (AlgDet(3, 1, 5), Optimal(3, 1, 5)),
    (Constant(2, 2, 5), Cyclic(2, 2, 5, 3)),
    (SingleRun(2, 2, 6), Constant(2, 2, 6)),
    (Cyclic(1, 3, 4, 2), Optimal(1, 3, 4)),
    (Optimal(2, 2, 0), Constant(2, 2, 0)),
]
NAMES = ["-".join((a.name, b.name, str(a.actions), str(a.memory), str(a.horizon))) for a, b in CASES]


@cache
def _documents():
    return [worst_case(*classes).certificate for classes in CASES]


def documents():
    return copy.deepcopy(_documents())


@pytest.mark.parametrize("index", range(len(CASES)), ids=NAMES)
def test_a_computed_supremum_is_accepted_and_no_other(index):
    document = documents()[index]
    verdict, claim = check(document), document["claim"]
    value = Fraction(claim["value"])
    assert verdict, verdict.reason
    assert str(value) in verdict.reason
    assert check(document | {"claim": claim | {"upper": text(value + 1)}})
    for false in (
        {"value": value + Fraction(1, 7)},
        {"value": value - Fraction(1, 7)},
        {"upper": value - Fraction(1, 50)},
    ):
        changed = claim | {name: text(number) for name, number in false.items()}
        assert check(document | {"claim": changed}).status == "refused"


def difference(document, classes):
    """Of all plays of the first class, the least loss, minus that of the play given, at the table given."""
    first, second = classes
    bandit = from_json(document["instance"])
    return least(first, bandit.values()) - loss(second.profile(document["primal"]["play"]), bandit)


def test_another_table_is_accepted_only_if_it_attains_the_value_too():
    seen = set()
    for document, classes in zip(documents(), CASES, strict=True):
        losses = document["instance"]["losses"]
        for x, y in ((x, y) for x, row in enumerate(losses) for y in range(len(row))):
            changed = copy.deepcopy(document)
            changed["instance"]["losses"][x][y] = text((Fraction(losses[x][y]) + Fraction(2, 3)) % 1)
            attains = difference(changed, classes) == Fraction(document["claim"]["value"])
            assert bool(check(rehashed(changed))) == attains
            seen.add(attains)
    assert seen == {True, False}


def change(document, path, value):
    *way, last = path
    place = document
    for step in way:
        place = place[step]
    place[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("claim", "second", "class"), "greedy", "'greedy', which is not a class of policies"),
        (("claim", "first", "class"), "optimal", "unknown key 'period'"),
        (("claim", "first", "period"), 0, "below 1"),
        (("claim", "second", "horizon"), -1, "below 0"),
        (("claim", "second", "horizon"), 5, "another length"),
        (("claim", "first", "horizon"), 5, "not the claimed value"),
        (("claim", "second"), {"class": "alg-det", "horizon": 3}, "too short for the exploration"),
        (("claim", "second"), {"class": "constant", "horizon": 4}, "not a word of its class"),
        (("primal", "play"), [[[0, 1], 0]], "below 1"),
        (("primal", "play"), [[[0, 2], 2]], "not in 0..1"),
        (("primal", "play"), [], "another length"),
        (("dual", "cuts"), [], "list of cuts is empty"),
        (("dual", "cuts", 0), [[[0, 1], 3]], "another length than the period"),
        (("dual",), {}, "lacks the key"),
        (("dual", "ordered"), 0, "below 1"),
        (("dual", "ordered"), 3, "larger than the memory"),
        (("dual", "ordered"), "1/1", "not an integer"),
    ],
)
def test_a_malformed_proof_is_refused_with_its_reason(path, value, reason):
    verdict = check(change(documents()[0], path, value))
    assert verdict.status == "refused"
    assert reason in verdict.reason


def test_hostile_sizes_are_undecided_at_once():
    document = documents()[0]
    for path, value in [
        (("claim", "first", "horizon"), 10**30),
        (("claim", "second", "horizon"), 10**30),
        (("claim", "first", "period"), 10**30),
        (("primal", "play", 0, 1), 10**30),
    ]:
        assert check(change(copy.deepcopy(document), path, value)).status in ("undecided", "refused")
    wide = rehashed(document | {"instance": tallying(*[[0] * 6] * 6)})  # a cube with 2^36 corners
    wide["claim"] = {
        "question": "worst-case",
        "first": {"class": "constant", "horizon": 0},
        "second": {"class": "constant", "horizon": 0},
        "value": "0/1",
    }
    wide["primal"], wide["dual"] = {"play": [[[0], 1]]}, {"cuts": [[[[0], 1]]]}
    assert check(wide).status == "undecided"


@cache
def supremum(*classes):
    return worst_case(*classes).value


def class_of(description, actions, memory):
    size = actions, memory, description["horizon"]
    period = [description["period"]] if description["class"] == "cyclic" else []
    return CLASSES[description["class"]](*size, *period)


@settings(max_examples=300, deadline=None)
@given(st.deferred(lambda: mutations(_documents())))
def test_no_mutation_makes_the_checker_accept_a_false_supremum(document):
    if not check(document, limit=10**6):
        return
    instance, claim = document["instance"], document["claim"]
    size = len(instance["losses"]), instance["memory"]
    try:
        truth = supremum(class_of(claim["first"], *size), class_of(claim["second"], *size))
    except TallyplanError as error:  # pragma: no cover
        raise AssertionError("accepted, though the classes make no sense") from error
    assert Fraction(claim["value"]) <= truth <= Fraction(claim.get("upper", claim["value"]))
