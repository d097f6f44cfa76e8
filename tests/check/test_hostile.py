"""Proofs that leave out arms or histories, whichever they like: what is accepted must be true.

What is left has a right proof, as strong as there is. So nothing but the rule that leaves things out stands
between the document and a false claim; brute force on the whole instance tells which claims are false.
"""

from collections import Counter
from fractions import Fraction

import pytest
from brute_force import (
    best_cycle,
    best_plan,
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
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check

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


MET = Counter()


@pytest.fixture(autouse=True)
def met():
    """Each test meets claims that are accepted, and false ones."""
    MET.clear()
    yield
    assert MET[True, "accepted"]
    assert MET[False, "refused"]


def judged(doc, best):
    """Fail if a false claim is accepted."""
    verdict, claim = check(doc), doc["claim"]
    true = Fraction(claim.get("lower", claim["value"])) <= best <= Fraction(claim["value"])
    MET[true, verdict.status] += 1
    assert true or not verdict


@settings(max_examples=150, deadline=None)
@given(fewer([(2, 1), (4, 1), (3, 2), (4, 2), (5, 2), (4, 3)]), st.data())
def test_cycles_and_horizons_of_the_arms_left(drawn, data):
    instance, steps, left, few = drawn
    if len(histories(few)) <= 4:
        inside = mean_cycle(few)
        word = [left[a] for a in inside["primal"]["word"]]
        lower = Fraction(inside["claim"]["value"])
        claim = {"question": "mean-cycle", "value": text(mean(instance, word)), "lower": text(lower)}
        doc = document(instance, claim, {"rule": "replay", "word": word}, wrapped(steps, inside["dual"]))
        judged(doc, best_cycle(instance, ())[0])
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
    doc = document(instance, claim, {"rule": "replay", "runs": runs}, wrapped(steps, dual))
    judged(doc, best_plan(instance, T, start)[0])


@settings(max_examples=150, deadline=None)
@given(fewer([(2, 1), (4, 1), (3, 2), (4, 2), (3, 3), (2, 4)]), st.integers(1, 4))
def test_words_of_the_arms_left(drawn, L):
    instance, steps, left, few = drawn
    inside = cyclic(few, L)
    word = [left[a] for a in inside["primal"]["word"]]
    claim = {"question": "cyclic", "period": L, "lower": inside["claim"]["value"]}
    claim["value"] = text(mean(instance, word))
    doc = document(instance, claim, {"rule": "replay", "word": word}, wrapped(steps, inside["dual"]))
    judged(doc, best_word(instance, [L])[0])


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
    judged(document(instance, claim, {"rule": "replay", "word": list(word)}, dual), best)
