"""Bombs among the certificates of claims: each ends within a few seconds and little memory."""

import json
from fractions import Fraction

import pytest
from bombs import MERSENNE, THOROUGH, USUAL, about, confined, flat, primes, verdict_of
from brute_force import document, text

ONCE = [[[0], 1]]
OTHER = [[[1], 1]]
ONE_MIXTURE = {"plays": [ONCE], "mixtures": [[[0, "1/1"]]]}


def worst(first, second, dual, play=ONCE, instance=None):
    claim = {"question": "worst-case", "first": first, "second": second, "value": "0/1"}
    return document(instance or flat(2, 2, "0/1"), claim, {"play": play}, dual)


def klass(name, T, **more):
    return {"class": name, "horizon": T, **more}


def listed(T, words):
    return klass("listed", T, words=words, repeated=True)


def constants(T, dual, instance=None):
    """Both classes are that of the constant words."""
    return worst(klass("constant", T), klass("constant", T), dual, instance=instance)


def region(where, instance, **dual):
    """What counts is the region of the tables."""
    bomb = constants(1, {"cuts": [ONCE]} | dual, instance)
    bomb["claim"]["where"] = where
    return bomb


def walls(rows, instance):
    return region([{"coefficients": [*map(str, row)], "least": least} for row, least in rows], instance)


def situation(steps, known, play):
    return {"steps": steps, "known": known, "recent": [], "play": play}


ONLY = situation(0, [[]], {"0": "1/1"})


def game(T, lines, actions=2, memory=1, grid=1):
    prior = [{"losses": [["0/1"] * memory] * actions, "probability": "1/1"}]
    body = {"actions": actions, "memory": memory, "horizon": T, "grid": grid}
    return about("game", body, {"question": "minimax", "value": "0/1"}, {"learner": lines}, {"prior": prior})


def shares_of_coprime_denominators():
    ends = ("0/1", "1/1")
    known = [[[], []], *([[a], []] for a in ends), *([[], [a]] for a in ends)]
    known += [[[a], [b]] for a in ends for b in ends]
    shares = [{"0": text(Fraction(1, p)), "1": text(1 - Fraction(1, p))} for p in primes(300, 60)]
    return game(60, [situation(t, rows, play) for t, play in enumerate(shares) for rows in known])


def probabilities_of_many_digits():
    """The first line leads to 1001 situations, and each of these to 1001 of 4000 digits."""
    p = 10**4000 + 1
    play = {"0": f"1/{p}", "1": f"{p - 1}/{p}"}
    losses = [text(Fraction(i, 1000)) for i in range(1001)]
    lines = [situation(0, [[], []], {"0": "1/1"}), *(situation(1, [[loss], []], play) for loss in losses)]
    return game(2, lines, grid=1000)


def mixtures_and_long_profiles():
    """Only the last of many mixtures will do for any of the profiles."""
    words = [[1] * i for i in range(1, 20)]
    dual = {"plays": [ONCE, OTHER], "mixtures": [*[[[0, "1/1"]]] * 14_000, [[1, "1/1"]]]}
    bomb = worst(klass("constant", 2), listed(10**4000, words), dual, OTHER)
    bomb["claim"]["upper"] = "1/1"
    return bomb


def a_thousand_long_plays():
    T = 90_000
    plays = [[[[i % 2], T - 1], [[0], 1]] for i in range(1000)]
    return worst(klass("optimal", T), klass("constant", T), {"cuts": plays})


def listed_words():
    words = listed(10**4000, [[int(digit) for digit in f"{i:b}"] for i in range(1, 500)])
    return worst(words, words, {"cuts": [ONCE]})


def a_long_prior():
    bomb = game(1, [ONLY], 1)
    bomb["dual"]["prior"] = [{"losses": [["0/1"]], "probability": "0/1"}] * 1_400_000
    return bomb


BOMBS = {
    "a cube of twenty entries": lambda: constants(0, {"cuts": [ONCE]}, flat(2, 10, "0/1")),
    "a cube with long planes": lambda: constants(10**4000, {"cuts": [ONCE, OTHER]}, flat(2, 6, "0/1")),
    "a thousand long plays": a_thousand_long_plays,
    "long histories": lambda: worst(
        klass("optimal", 30), klass("optimal", 30), {"cuts": [[[[0], 30]]]}, [[[0], 30]], flat(3, 12)
    ),
    "many profiles": lambda: worst(
        klass("constant", 60), klass("optimal", 60), ONE_MIXTURE, [[[0], 60]], flat(3, 4, "0/1")
    ),
    "single runs forever": lambda: worst(
        klass("single-run", 10**4298),
        klass("single-run", 10**4298),
        {"cuts": [ONCE]},
        ONCE,
        flat(4, 9, "0/1"),
    ),
    "mixtures of coprime weights": lambda: constants(
        3, {"plays": [ONCE], "mixtures": [[[0, text(Fraction(1, p))] for p in primes(1000, 40)] * 2] * 10}
    ),
    "mixtures and long profiles": mixtures_and_long_profiles,
    "steps that collide": lambda: game(
        10**4000, [situation(i * MERSENNE, [[], []], {"0": "1/1"}) for i in range(9000)]
    ),
    "a grid of a million": lambda: game(1, [ONLY], 1, grid=10**5 - 2),
    "shares of coprime denominators": shares_of_coprime_denominators,
    "walls through one corner": lambda: walls(
        [(("1/1", f"{i}/1"), "0/1") for i in range(1, 3000)], flat(2, 1, "0/1")
    ),
    "walls on many corners": lambda: walls([(["1/1", *["0/1"] * 11], "0/1")], flat(2, 6, "0/1")),
    "walls of coprime coefficients": lambda: walls(
        [([text(Fraction(1, p)) for p in primes(1000, 40)], "0/1")] * 9, flat(2, 20, "0/1")
    ),
    "listed words forever": listed_words,
    "one walk forever": lambda: worst(
        klass("optimal", 9_000_000),
        klass("constant", 9_000_000),
        {"cuts": [ONCE]},
        instance=flat(1, 1, "0/1"),
    ),
    "one cycle forever": lambda: worst(
        klass("cyclic", 9_000_000, period=9_000_000),
        klass("constant", 9_000_000),
        {"cuts": [ONCE]},
        instance=flat(1, 1, "0/1"),
    ),
}
LARGE = {
    "one wide mixture": lambda: constants(
        3, {"plays": [ONCE], "mixtures": [[[0, "1/1"], *[[0, "0/1"]] * 10**6]]}, flat(4, 10, "0/1")
    ),
    "a long prior": a_long_prior,
    "cuts without end": lambda: region([], flat(1, 1, "0/1"), cuts=[ONCE] * 900_000),
    "walls without end": lambda: walls([(["1/1"], f"-{i}/1") for i in range(1, 200_000)], flat(1, 1, "0/1")),
    "walls that collide": lambda: walls(
        [([f"{i * MERSENNE}/1"], "0/1") for i in range(1, 100_000)], flat(1, 1, "0/1")
    ),
    "rows that rise": lambda: region(["rising"], flat(1000, 3, "0/1"), ordered=1),
    "probabilities of many digits": probabilities_of_many_digits,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_ends_in_a_verdict_within_the_limit(bomb, tmp_path):
    assert "more memory" not in verdict_of(BOMBS[bomb](), tmp_path, USUAL)


@pytest.mark.thorough
@pytest.mark.parametrize("bomb", BOMBS | LARGE)
def test_a_bomb_ends_in_a_verdict_within_the_usual_limit(bomb, tmp_path):
    verdict_of((BOMBS | LARGE)[bomb](), tmp_path, THOROUGH)


def test_no_memory_is_undecided(tmp_path):
    """With little address space and a generous limit, Python's own error is no traceback."""
    path = tmp_path / "bomb.json"
    path.write_text(json.dumps(a_thousand_long_plays()))
    result = confined(path, 10**12, 60, 150 * 2**20)
    assert (result.returncode, result.stderr) == (3, "")
    assert "takes more memory" in result.stdout
