"""Bombs among the certificates of claims: each ends within a few seconds and little memory."""

import json
from fractions import Fraction

import pytest
from bombs import MERSENNE, THOROUGH, USUAL, about, confined, flat, primes, verdict_of
from brute_force import document, text

ONCE = [[[0], 1]]


def worst(first, second, dual, play=(), instance=None, value="0/1"):
    claim = {"question": "worst-case", "first": first, "second": second, "value": value}
    return document(instance or flat(2, 2, "0/1"), claim, {"play": list(play)}, dual)


def klass(name, T, **more):
    return {"class": name, "horizon": T, **more}


def game(T, lines, actions=2, memory=1, grid=1):
    prior = [{"losses": [["0/1"] * memory] * actions, "probability": "1/1"}]
    body = {"actions": actions, "memory": memory, "horizon": T, "grid": grid}
    return about("game", body, {"question": "minimax", "value": "0/1"}, {"learner": lines}, {"prior": prior})


def cube_of_twenty_entries():
    once = [[[0], 1]]
    return worst(
        klass("constant", 0),
        klass("constant", 0),
        {"cuts": [once]},
        once,
        instance=flat(2, 10, "0/1"),
    )


def cube_with_long_planes():
    T = 10**4000
    once = [[[0], 1]]
    return worst(
        klass("constant", T),
        klass("constant", T),
        {"cuts": [once, [[[1], 1]]]},
        once,
        instance=flat(2, 6, "0/1"),
    )


def a_thousand_long_plays():
    T = 90_000
    plays = [[[[i % 2], T - 1], [[0], 1]] for i in range(1000)]
    return worst(klass("optimal", T), klass("constant", T), {"cuts": plays}, [[[0], 1]])


def long_histories():
    return worst(
        klass("optimal", 30), klass("optimal", 30), {"cuts": [[[[0], 30]]]}, [[[0], 30]], instance=flat(3, 12)
    )


def many_profiles():
    return worst(
        klass("constant", 60),
        klass("optimal", 60),
        {"plays": [[[[0], 1]]], "mixtures": [[[0, "1/1"]]]},
        [[[0], 60]],
        instance=flat(3, 4, "0/1"),
    )


def single_runs_for_ever():
    T = 10**4298
    run = [[[0], 1]]
    return worst(
        klass("single-run", T), klass("single-run", T), {"cuts": [run]}, run, instance=flat(4, 9, "0/1")
    )


def mixtures_of_coprime_weights():
    parts = [[0, text(Fraction(1, p))] for p in primes(1000, 40)]
    return worst(
        klass("constant", 3),
        klass("constant", 3),
        {"plays": [[[[0], 1]]], "mixtures": [parts * 2] * 10},
        [[[0], 1]],
    )


def steps_that_collide():
    line = {"known": [[], []], "recent": [], "play": {"0": "1/1"}}
    lines = [line | {"steps": i * MERSENNE} for i in range(9000)]
    return game(10**4000, lines)


def grid_of_a_million():
    line = {"steps": 0, "known": [[]], "recent": [], "play": {"0": "1/1"}}
    return game(1, [line], actions=1, memory=1, grid=10**5 - 2)


def shares_of_coprime_denominators():
    found = primes(300, 60)
    known = [[[], []], *([row, []] for row in (["0/1"], ["1/1"])), *([[], row] for row in (["0/1"], ["1/1"]))]
    known += [[[a], [b]] for a in ("0/1", "1/1") for b in ("0/1", "1/1")]
    lines = [
        {
            "steps": t,
            "known": rows,
            "recent": [],
            "play": {"0": text(Fraction(1, p)), "1": text(1 - Fraction(1, p))},
        }
        for t, p in enumerate(found)
        for rows in known
    ]
    return game(len(found), lines, memory=1)


def of_constants(where, instance, **dual):
    """Both classes are that of the constant words: what counts is the region of the tables."""
    bomb = worst(klass("constant", 1), klass("constant", 1), {"cuts": [ONCE]} | dual, ONCE, instance)
    bomb["claim"]["where"] = where
    return bomb


def cuts_without_end():
    return of_constants([], flat(1, 1, "0/1"), cuts=[ONCE] * 900_000)


def walls_without_end():
    walls = [{"coefficients": ["1/1"], "least": f"-{i}/1"} for i in range(1, 200_000)]
    return of_constants(walls, flat(1, 1, "0/1"))


def walls_through_one_corner():
    walls = [{"coefficients": ["1/1", f"{i}/1"], "least": "0/1"} for i in range(1, 3000)]
    return of_constants(walls, flat(2, 1, "0/1"))


def walls_on_many_corners():
    wall = {"coefficients": ["1/1", *["0/1"] * 11], "least": "0/1"}
    return of_constants([wall], flat(2, 6, "0/1"))


def walls_of_coprime_coefficients():
    coefficients = [text(Fraction(1, p)) for p in primes(1000, 40)]
    return of_constants([{"coefficients": coefficients, "least": "0/1"}] * 9, flat(2, 20, "0/1"))


def walls_that_collide():
    walls = [{"coefficients": [f"{i * MERSENNE}/1"], "least": "0/1"} for i in range(1, 100_000)]
    return of_constants(walls, flat(1, 1, "0/1"))


def rows_that_rise():
    return of_constants(["rising"], flat(1000, 3, "0/1"), ordered=1)


def listed_words_for_ever():
    words = [[int(digit) for digit in f"{i:b}"] for i in range(1, 500)]
    listed = klass("listed", 10**4000, words=words, repeated=True)
    return worst(listed, listed, {"cuts": [ONCE]}, ONCE)


def one_walk_for_ever():
    T = 9_000_000
    return worst(klass("optimal", T), klass("constant", T), {"cuts": [ONCE]}, ONCE, flat(1, 1, "0/1"))


def one_cycle_for_ever():
    L = 9_000_000
    first = klass("cyclic", L, period=L)
    return worst(first, klass("constant", L), {"cuts": [ONCE]}, ONCE, flat(1, 1, "0/1"))


def probabilities_of_many_digits():
    """The first line leads to 1001 situations, and each of these to 1001 of 4000 digits."""
    p = 10**4000 + 1
    play = {"0": f"1/{p}", "1": f"{p - 1}/{p}"}
    lines = [{"steps": 0, "known": [[], []], "recent": [], "play": {"0": "1/1"}}]
    losses = [text(Fraction(i, 1000)) for i in range(1001)]
    lines += [{"steps": 1, "known": [[loss], []], "recent": [], "play": play} for loss in losses]
    return game(2, lines, memory=1, grid=1000)


def mixtures_and_long_profiles():
    """Only the last of many mixtures will do for any of the profiles."""
    T = 10**4000
    listed = klass("listed", T, words=[[1] * i for i in range(1, 20)], repeated=True)
    dual = {"plays": [ONCE, [[[1], 1]]], "mixtures": [*[[[0, "1/1"]]] * 14_000, [[1, "1/1"]]]}
    bomb = worst(klass("constant", 2), listed, dual, [[[1], 1]])
    bomb["claim"]["upper"] = "1/1"
    return bomb


def one_wide_mixture():
    parts = [[0, "1/1"], *[[0, "0/1"]] * 10**6]
    dual = {"plays": [ONCE], "mixtures": [parts]}
    return worst(klass("constant", 3), klass("constant", 3), dual, ONCE, flat(4, 10, "0/1"))


def a_long_prior():
    bomb = game(1, [{"steps": 0, "known": [[]], "recent": [], "play": {"0": "1/1"}}], 1)
    bomb["dual"]["prior"] = [{"losses": [["0/1"]], "probability": "0/1"}] * 1_400_000
    return bomb


BOMBS = [
    cube_of_twenty_entries,
    cube_with_long_planes,
    a_thousand_long_plays,
    long_histories,
    many_profiles,
    single_runs_for_ever,
    mixtures_of_coprime_weights,
    steps_that_collide,
    grid_of_a_million,
    shares_of_coprime_denominators,
    walls_through_one_corner,
    walls_on_many_corners,
    walls_of_coprime_coefficients,
    listed_words_for_ever,
    one_walk_for_ever,
    one_cycle_for_ever,
    mixtures_and_long_profiles,
]
LARGE_BOMBS = [
    one_wide_mixture,
    a_long_prior,
    cuts_without_end,
    walls_without_end,
    walls_that_collide,
    rows_that_rise,
    probabilities_of_many_digits,
]


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_ends_in_a_verdict_within_the_limit(bomb, tmp_path):
    assert "there is" not in verdict_of(bomb(), tmp_path, USUAL)  # not by running out of memory


@pytest.mark.thorough
@pytest.mark.parametrize("bomb", BOMBS + LARGE_BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_ends_in_a_verdict_within_the_usual_limit(bomb, tmp_path):
    verdict_of(bomb(), tmp_path, THOROUGH)


def test_no_memory_is_undecided(tmp_path):
    """With little address space and a generous limit, Python's own error is no traceback."""
    path = tmp_path / "bomb.json"
    path.write_text(json.dumps(a_thousand_long_plays()))
    result = confined(path, 10**12, 60, 150 * 2**20)
    assert (result.returncode, result.stderr) == (3, "")
    assert "takes more memory" in result.stdout
