"""Changed proofs, and proofs that leave out arms or histories as they like: what is accepted must be true.

Brute force on the whole instance tells which claims are true. Where something is left out, what is left has a
right proof, as strong as there is: nothing but the rule that leaves it out stands before a false claim.
"""

import json
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from brute_force import (
    VECTORS,
    about,
    best_cycle,
    best_of_arms,
    best_plan,
    best_ratio,
    best_word,
    cyclic,
    document,
    histories,
    horizon,
    longest,
    mean,
    mean_cycle,
    potential,
    size,
    tallying,
    text,
    total,
)
from documents import mutations
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check

DOCUMENTS = {
    path.stem: json.loads(path.read_text())
    for folder in ("accepted", "arms/accepted")
    for path in sorted((VECTORS / folder).glob("*.json"))
}


def is_small(document):
    """Whether brute force finds the answer."""
    claim = document["claim"]
    steps = max(claim.get(name, 0) for name in ("horizon", "period"))
    if "graph" in document or "arms" in document["instance"]:
        return steps <= 2000
    (K, m), most = size(document["instance"]), 2000 if document["dual"].get("jumps") else 40
    return K ** (m - 1) <= 16 and steps <= most and K ** claim.get("period", 0) <= 3000


SMALL = [document for document in DOCUMENTS.values() if is_small(document)]


@cache
def _optimum(about, claim):
    """The true answer to the question, by brute force; None if there is none."""
    about, claim = json.loads(about), json.loads(claim)
    if "tails" in about:
        return best_ratio(about, claim)
    if "arms" in about:
        return best_of_arms(about, claim)
    if claim["question"] == "horizon":
        return best_plan(about, claim["horizon"], claim["start"])[0]
    if claim["question"] == "cyclic":
        return best_word(about, [claim["period"]])[0]
    return best_cycle(about, ())[0]


def true(document):
    claim = {key: part for key, part in document["claim"].items() if key not in ("value", "lower")}
    best = _optimum(json.dumps(document[about(document)]), json.dumps(claim))
    value = document["claim"]["value"]
    if value is None or best is None:
        return value == best
    if claim["question"] == "negative-cycle":
        return best <= Fraction(value) < 0
    return Fraction(document["claim"].get("lower", value)) <= best <= Fraction(value)


MET = Counter()


@pytest.fixture
def met():
    """Each test meets claims that are accepted, and false ones."""
    MET.clear()
    yield
    assert MET[True, "accepted"]
    assert MET[False, "refused"]


def truthful(document):
    """The verdict on a changed document is a sentence, and what is accepted is true."""
    verdict = check(document, limit=10**6)
    MET[bool(verdict), verdict.status] += 1
    assert verdict.reason.endswith(".")
    assert not verdict or not is_small(document) or true(document), document


@pytest.mark.usefixtures("met")
@settings(max_examples=1000, deadline=None)
@given(mutations(SMALL))
def test_no_change_makes_the_checker_accept_a_false_claim(document):
    """Values by 10^-9, words, jumps, roots, horizons by one, instance and hash together."""
    truthful(document)


@pytest.mark.thorough
@settings(max_examples=30_000, deadline=None)
@given(mutations(SMALL))
def test_nor_does_any_of_many_changes(document):
    truthful(document)


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5)
)
def test_no_value_in_place_of_a_part_makes_the_checker_raise(junk):
    for part in ("instance", "claim", "primal", "dual", "provenance", "format", "version"):
        assert not check({**DOCUMENTS["cyclic-stages"], part: junk})


LEVELS = st.sampled_from([0, 0, Fraction(1, 3), Fraction(1, 2), 1])


@st.composite
def instances(draw, sizes):
    """Few levels, and arms that equal another: ties are common."""
    K, m = draw(st.sampled_from(sizes))
    rows = draw(st.lists(st.lists(LEVELS, min_size=m, max_size=m), min_size=min(2, K), max_size=K))
    return tallying(*rows, *(draw(st.sampled_from(rows)) for _ in range(K - len(rows))))


@st.composite
def fewer(draw, sizes):
    """An instance, one or two steps that leave out arms, the arms left, and the instance of these."""
    instance, steps = draw(instances(sizes)), []
    left = list(range(size(instance)[0]))
    for _ in range(draw(st.integers(1, 2))):
        kept = sorted(draw(st.sets(st.sampled_from(range(len(left))), min_size=1)))
        if draw(st.integers(0, 2)):
            steps.append({"rule": "fewer-actions", "kept": kept})
        else:
            gone = set(range(len(left))) - set(kept)
            replaced = [[x, draw(st.sampled_from(kept))] for x in sorted(gone)]
            steps.append({"rule": "fewer-actions", "replaced": replaced})
        left = [left[x] for x in kept]
    return instance, steps, left, {**instance, "losses": [instance["losses"][x] for x in left]}


def wrapped(steps, dual):
    for step in reversed(steps):
        dual = {**step, "proof": dual}
    return dual


def judged(document):
    """Fail if a false claim is accepted."""
    verdict, is_true = check(document), true(document)
    MET[is_true, verdict.status] += 1
    assert is_true or not verdict


@pytest.mark.usefixtures("met")
@settings(max_examples=150, deadline=None)
@given(fewer([(2, 1), (4, 1), (3, 2), (4, 2), (5, 2), (4, 3)]), st.data())
def test_cycles_and_horizons_of_the_arms_left(drawn, data):
    instance, steps, left, few = drawn
    if len(histories(few)) <= 4:
        inside = mean_cycle(few)
        word = [left[a] for a in inside["primal"]["word"]]
        lower = Fraction(inside["claim"]["value"])
        claim = {"question": "mean-cycle", "value": text(mean(instance, word)), "lower": text(lower)}
        judged(document(instance, claim, {"rule": "replay", "word": word}, wrapped(steps, inside["dual"])))
    T = data.draw(st.integers(0, 7))
    start = data.draw(st.lists(st.sampled_from(range(size(instance)[0])), max_size=3))
    named = [left.index(a) if a in left else 0 for a in start]
    value, plan = best_plan(few, T, named)
    played = [left[a] for a in plan]
    claim = {"question": "horizon", "horizon": T, "start": start}
    claim["value"] = text(total(instance, start, played))
    dual = horizon(few, T, named)["dual"]
    if instance["memory"] - len(start) >= T and data.draw(st.booleans()):
        claim, dual = {**claim, "lower": text(value)}, {"rule": "recursion", "over": "counts"}
    runs = [[played, 1]] if T else []
    judged(document(instance, claim, {"rule": "replay", "runs": runs}, wrapped(steps, dual)))


@pytest.mark.usefixtures("met")
@settings(max_examples=150, deadline=None)
@given(fewer([(2, 1), (4, 1), (3, 2), (4, 2), (3, 3), (2, 4)]), st.integers(1, 4))
def test_words_of_the_arms_left(drawn, L):
    instance, steps, left, few = drawn
    inside = cyclic(few, L)
    word = [left[a] for a in inside["primal"]["word"]]
    claim = {"question": "cyclic", "period": L, "lower": inside["claim"]["value"]}
    claim["value"] = text(mean(instance, word))
    judged(document(instance, claim, {"rule": "replay", "word": word}, wrapped(steps, inside["dual"])))


@pytest.mark.usefixtures("met")
@settings(max_examples=200, deadline=None)
@given(instances([(2, 1), (1, 3), (2, 2), (3, 2), (2, 3)]), st.integers(1, 6), st.data())
def test_roots_in_any_order(instance, L, data):
    """Until no cycle below the bound is left; a word below it may have gone through any of the roots."""
    best, _, word = best_word(instance, [L])
    other = data.draw(st.lists(st.sampled_from(range(size(instance)[0])), min_size=L, max_size=L))
    bound = data.draw(st.sampled_from([best, mean(instance, other), best + Fraction(1, 10**6)]))
    cases, roots = [], []
    for root in data.draw(st.permutations(range(len(histories(instance))))):
        cycle = best_cycle(instance, roots)
        if cycle is None or cycle[0] >= bound:
            break
        case = {"root": root}
        if data.draw(st.booleans()):
            t = data.draw(st.integers(0, L - 1))
            case["repeat"] = [t, data.draw(st.integers(1, L - t))]
        cases.append(case)
        roots.append(root)
    low = best_cycle(instance, ())[0] - data.draw(st.sampled_from([0, Fraction(1, 7)]))
    rest = potential(longest(instance, bound, roots))
    dual = {"rule": "cases", "stages": [longest(instance, low) | {"roots": cases}], "proof": rest}
    claim = {"question": "cyclic", "period": L, "value": text(best), "lower": text(bound)}
    judged(document(instance, claim, {"rule": "replay", "word": list(word)}, dual))
