"""Bombs among the certificates of claims: each ends within a few seconds and little memory."""

import json
from fractions import Fraction

import pytest
from bombs import MERSENNE, THOROUGH, USUAL, confined, flat, primes, verdict_of
from brute_force import document, text

ONCE = [[[0], 1]]
FIRST = {"steps": 0, "known": [[]], "recent": [], "play": {"0": "1/1"}}


def worst(first, second, dual, play=(), instance=None, value="0/1"):
    claim = {"question": "worst-case", "first": first, "second": second, "value": value}
    return document(instance or flat(2, 2, "0/1"), claim, {"play": list(play)}, dual)


def klass(name, T, **more):
    return {"class": name, "horizon": T, **more}


def game(T, lines, actions=2, memory=1, grid=1):
    prior = [{"losses": [["0/1"] * memory] * actions, "probability": "1/1"}]
    body = {"actions": actions, "memory": memory, "horizon": T, "grid": grid}
    return document(
        body, {"question": "minimax", "value": "0/1"}, {"learner": lines}, {"prior": prior}, "game"
    )


def constants(instance, T=1, where=None, **dual):
    """Both classes are the constant words."""
    bomb = worst(klass("constant", T), klass("constant", T), {"cuts": [ONCE]} | dual, ONCE, instance)
    bomb["claim"] |= {} if where is None else {"where": where}
    return bomb


def a_thousand_long_plays(T=90_000):
    plays = [[[[i % 2], T - 1], [[0], 1]] for i in range(1000)]
    return worst(klass("optimal", T), klass("constant", T), {"cuts": plays}, ONCE)


def long_histories(T=30):
    optimal = klass("optimal", T)
    return worst(optimal, optimal, {"cuts": [[[[0], T]]]}, [[[0], T]], flat(3, 12))


def single_runs_for_ever(T=10**4298):
    runs = klass("single-run", T)
    return worst(runs, runs, {"cuts": [ONCE]}, ONCE, flat(4, 9, "0/1"))


def steps_that_collide():
    line = {"known": [[], []], "recent": [], "play": {"0": "1/1"}}
    lines = [line | {"steps": i * MERSENNE} for i in range(9000)]
    return game(10**4000, lines)


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


def wall(*coefficients, least="0/1"):
    return {"coefficients": list(coefficients), "least": least}


def walls_of_coprime_coefficients():
    coefficients = [text(Fraction(1, p)) for p in primes(1000, 40)]
    return constants(flat(2, 20, "0/1"), where=[wall(*coefficients)] * 9)


def listed_words_for_ever():
    words = [[int(digit) for digit in f"{i:b}"] for i in range(1, 500)]
    listed = klass("listed", 10**4000, words=words, repeated=True)
    return worst(listed, listed, {"cuts": [ONCE]}, ONCE)


def one_history(first, T=9_000_000):
    return worst(first(T), klass("constant", T), {"cuts": [ONCE]}, ONCE, flat(1, 1, "0/1"))


def probabilities_of_many_digits():
    """The first line leads to 1001 situations, and each of these to 1001 of 4000 digits."""
    p = 10**4000 + 1
    play = {"0": f"1/{p}", "1": f"{p - 1}/{p}"}
    lines = [{"steps": 0, "known": [[], []], "recent": [], "play": {"0": "1/1"}}]
    losses = [text(Fraction(i, 1000)) for i in range(1001)]
    lines += [{"steps": 1, "known": [[loss], []], "recent": [], "play": play} for loss in losses]
    return game(2, lines, memory=1, grid=1000)


def a_long_prior():
    bomb = game(1, [FIRST], 1)
    bomb["dual"]["prior"] = [{"losses": [["0/1"]], "probability": "0/1"}] * 1_400_000
    return bomb


ONE = flat(1, 1, "0/1")
BOMBS = {
    "a cube of twenty entries": lambda: constants(flat(2, 10, "0/1"), T=0),
    "a cube with long planes": lambda: constants(flat(2, 6, "0/1"), T=10**4000, cuts=[ONCE, [[[1], 1]]]),
    "a thousand long plays": a_thousand_long_plays,
    "long histories": long_histories,
    "single runs for ever": single_runs_for_ever,
    "steps that collide": steps_that_collide,
    "a grid of a million": lambda: game(1, [FIRST], actions=1, memory=1, grid=10**5 - 2),
    "shares of coprime denominators": shares_of_coprime_denominators,
    "walls through one corner": lambda: constants(
        flat(2, 1, "0/1"), where=[wall("1/1", f"{i}/1") for i in range(1, 3000)]
    ),
    "walls on many corners": lambda: constants(flat(2, 6, "0/1"), where=[wall("1/1", *["0/1"] * 11)]),
    "walls of coprime coefficients": walls_of_coprime_coefficients,
    "listed words for ever": listed_words_for_ever,
    "one walk for ever": lambda: one_history(lambda T: klass("optimal", T)),
    "one cycle for ever": lambda: one_history(lambda T: klass("cyclic", T, period=T)),
}
LARGE = {
    "a long prior": a_long_prior,
    "cuts without end": lambda: constants(ONE, where=[], cuts=[ONCE] * 900_000),
    "walls without end": lambda: constants(
        ONE, where=[wall("1/1", least=f"-{i}/1") for i in range(1, 200_000)]
    ),
    "walls that collide": lambda: constants(
        ONE, where=[wall(f"{i * MERSENNE}/1") for i in range(1, 100_000)]
    ),
    "probabilities of many digits": probabilities_of_many_digits,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_ends_in_a_verdict_within_the_limit(bomb, tmp_path):
    assert "more memory" not in verdict_of(BOMBS[bomb](), tmp_path, USUAL)  # not by running out of memory


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
