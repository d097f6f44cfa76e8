"""Short documents that ask for endless work or memory: each ends within a few seconds and little memory.

Every bomb runs in a process of its own under limits of the operating system on CPU seconds and address space,
and ends in a verdict: a limit that only seems to limit would end in a signal, or in a traceback and status 1
with nothing on standard output.
"""

import json
import resource
import subprocess
import sys
from fractions import Fraction
from itertools import combinations, count

import pytest
from check_build import document, rehashed, tallying, text

MERSENNE = 2**61 - 1  # Python hashes integers modulo this
ONCE = [[[0], 1]]
LIMIT, SECONDS, BYTES = 10**7, 3, 200 * 2**20
THOROUGH_LIMIT, THOROUGH_SECONDS, THOROUGH_BYTES = 10**9, 600, 3 * 2**29


def flat(K, m, loss="1/1"):
    return {"memory": m, "losses": [[loss] * m for _ in range(K)]}


def primes(digits, how_many):
    """Pairwise coprime integers of so many digits: most of them primes, and none shares a factor."""
    base, found = 10**digits, []
    product = 1
    for candidate in count(base + 1, 2):
        if len(found) == how_many:
            return found
        if all(candidate % p for p in (3, 5, 7, 11, 13)) and _coprime(candidate, product):
            found.append(candidate)
            product *= candidate
    raise AssertionError


def _coprime(a, b):
    while b:
        a, b = b, a % b
    return a == 1


def horizon(instance, T, value, dual, start=(), runs=None):
    claim = {"question": "horizon", "horizon": T, "start": list(start), "value": value}
    return document(instance, claim, {"runs": runs or [[[0], T]]}, dual)


def mean(instance, value, dual, **more):
    return document(instance, {"question": "mean-cycle", "value": value, **more}, {"word": [0]}, dual)


def worst(first, second, dual, play=(), instance=None, value="0/1"):
    claim = {"question": "worst-case", "first": first, "second": second, "value": value}
    return document(instance or flat(2, 2, "0/1"), claim, {"play": list(play)}, dual)


def klass(name, T, **more):
    return {"class": name, "horizon": T, **more}


def direct_with_a_long_start(K=3, m=60):
    start = [i % K for i in range(m - 1)]
    T = m - 1
    return horizon(flat(K, m), T, f"{T}/1", {"method": "direct"}, start)


def direct_with_ten_arms():
    return direct_with_a_long_start(10, 50)


def direct_with_many_beginnings():
    return horizon(flat(2, 40), 59, "59/1", {"method": "direct"})


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


def heights_of_coprime_slopes():
    slopes = [text(Fraction(1, p)) for p in primes(600, 100)]
    instance = tallying([1] * 101, [1] * 101)
    return mean(instance, "1/1", {"method": "two-arms", "slopes": slopes}, lower="1/2")


def prices_of_coprime_excesses():
    found = primes(1000, 100)
    excesses = [text(Fraction(-1, p)) for p in found]
    dual = {"method": "per-arm", "price": "1/1", "excesses": excesses}
    return mean(flat(100, 50), "1/1", dual, lower="1/2")


def losses_of_coprime_denominators():
    found = [text(Fraction(1, p)) for p in primes(1000, 90)]
    return mean({"memory": 90, "losses": [found, found]}, found[-1], {"method": "least-loss"})


def weights_of_coprime_denominators():
    weights = [text(Fraction(1, p)) for p in primes(900, 60)]
    table = {text(Fraction(i, 7)): "1/1" for i in range(1, 3000) if i % 7}
    return mean({"memory": 60, "weights": weights, "losses": [table]}, "1/1", {"scale": 1, "potentials": [0]})


def tallies_that_collide():
    table = {f"{i * MERSENNE}/1": "1/1" for i in range(1, 20_000)}
    weights = [f"{MERSENNE}/1"] * 3
    return mean({"memory": 3, "weights": weights, "losses": [table]}, "1/1", {"scale": 1, "potentials": [0]})


def losses_that_collide():
    """As a table of windows: there the costs of all edges are listed."""
    size = 20_000 * MERSENNE + 1
    losses = [text(Fraction(i * MERSENNE, size)) for i in range(1, 2**13)]
    windows = [losses[: 2**length] for length in range(1, 13)]
    instance = {"memory": 12, "actions": 2, "windows": windows}
    return mean(instance, losses[0], {"scale": 1, "potentials": [0] * 2**11})


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


def game(T, lines, actions=2, memory=1, grid=1):
    prior = [{"losses": [["0/1"] * memory] * actions, "probability": "1/1"}]
    body = {
        "format": "tallyplan-certificate",
        "version": 1,
        "game": {"actions": actions, "memory": memory, "horizon": T, "grid": grid},
        "claim": {"question": "minimax", "value": "0/1"},
        "primal": {"learner": lines},
        "dual": {"prior": prior},
    }
    return body | {"provenance": hashed("game", body["game"])}


def hashed(kind, body):
    provenance = document(body, {}, {}, {})["provenance"]
    provenance[f"{kind}_sha256"] = provenance.pop("instance_sha256")
    return provenance


def graph(weights, cycle, potentials, nodes=1, scale=1, value="0/1"):
    """All edges are loops of node 0."""
    ends = [0] * len(weights)
    body = {"nodes": nodes, "tails": ends, "heads": ends, "weights": weights}
    return {
        "format": "tallyplan-certificate",
        "version": 1,
        "graph": body,
        "claim": {"question": "graph-mean-cycle", "value": value},
        "primal": {"cycle": cycle},
        "dual": {"scale": scale, "potentials": potentials},
        "provenance": hashed("graph", body),
    }


def cycle_of_coprime_weights():
    weights = [text(Fraction(1, p)) for p in primes(1000, 30)]
    return graph(weights, list(range(30)) * 400, [0])


def loops_with_long_potentials():
    weights = [f"{10**4000 + i}/1" for i in range(2000)]
    return graph(weights, [0], [10**4200], scale=10**4200, value=weights[0])


def a_cycle_that_never_ends():
    return graph(["0/1"] * 2, [0, 1] * 10**6, [0])


def nodes_without_end():
    return graph(["0/1"], [0], [0], nodes=10**4000)


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


def tallies_of_many_digits():
    """Three weights of 2000 digits for a million histories."""
    weights = [10**2000 + 3**i for i in range(4)] + [0] * 9
    tallies = {weights[0] + sum(some) for r in range(4) for some in combinations(weights[1:4], r)}
    table = {f"{tally}/1": "1/1" for tally in tallies}
    instance = {"memory": 13, "weights": [f"{weight}/1" for weight in weights], "losses": [table] * 3}
    return horizon(instance, 40, "40/1", {"jumps": []})


def one_edge_for_ever():
    T = 9_000_000
    return horizon(flat(1, 1), T, f"{T}/1", {"jumps": []})


def many_actions_at_one_history():
    """Nothing to sweep but a turn for every action."""
    T = 520
    return horizon(flat(900, 1), T, f"{T}/1", {"jumps": []})


def one_walk_for_ever():
    T = 9_000_000
    return worst(klass("optimal", T), klass("constant", T), {"cuts": [ONCE]}, ONCE, flat(1, 1, "0/1"))


def one_cycle_for_ever():
    L = 9_000_000
    first = klass("cyclic", L, period=L)
    return worst(first, klass("constant", L), {"cuts": [ONCE]}, ONCE, flat(1, 1, "0/1"))


def one_table_for_ever():
    L = 300_000
    low, high = ({"mean": mean_, "scale": 1, "values": [0]} for mean_ in ("0/1", "1/1"))
    dual = {"potentials": [low, high], "stages": [{"root": 0, "potentials": 0}]}
    claim = {"question": "cyclic", "period": L, "value": "1/1"}
    return document(flat(1, 1), claim, {"word": [0] * L}, dual)


def ways_home_for_ever():
    """All histories are at once on the way home to each of the roots."""
    n = 2**11
    low, high = ({"mean": mean_, "scale": 1, "values": [0] * n} for mean_ in ("0/1", "1/1"))
    stages = [{"root": root, "potentials": 0, "home": True} for root in range(1, n)]
    claim = {"question": "cyclic", "period": 12, "value": "1/1"}
    return document(flat(2, 12), claim, {"word": [0] * 12}, {"potentials": [low, high], "stages": stages})


def probabilities_of_many_digits():
    """The first line leads to 1001 situations, and each of these to 1001 of 4000 digits."""
    p = 10**4000 + 1
    play = {"0": f"1/{p}", "1": f"{p - 1}/{p}"}
    lines = [{"steps": 0, "known": [[], []], "recent": [], "play": {"0": "1/1"}}]
    losses = [text(Fraction(i, 1000)) for i in range(1001)]
    lines += [{"steps": 1, "known": [[loss], []], "recent": [], "play": play} for loss in losses]
    return game(2, lines, memory=1, grid=1000)


def a_wide_document():
    return {"format": [[]] * 24_000_000}


def a_name_beyond_ascii():
    return mean(flat(1, 1) | {"name": "\U0001f4a3" * 10**7}, "1/1", {"method": "least-loss"})


def edges_of_many_actions():
    n = 15
    return mean(flat(n, 3), "1/1", {"scale": 1, "potentials": [10**4000 + i for i in range(n**2)]})


def deep_and_wide():
    return rehashed(mean(flat(2, 2), "1/1", {"method": [[[[[[[]]]]]]] * 1000}))


def short_runs_among_many_arms(arms=150, runs=14_000):
    dual = {"method": "mean-cycle", "mean": "0/1", "proof": {"method": "least-loss"}}
    return horizon(flat(arms, arms), runs, f"{runs}/1", dual, runs=ONCE * runs)


def more_runs_among_more_arms():
    return short_runs_among_many_arms(1000, 400_000)


def openings_after_a_long_start(m=8000, d=180):
    return horizon(flat(3, m), d, f"{d}/1", {"method": "direct"}, [i % 3 for i in range(m - d)])


def more_openings_after_a_longer_start():
    return openings_after_a_long_start(100_000, 1000)


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


def a_long_table():
    return mean(flat(1, 9_900_000), "1/1", {"method": "least-loss"})


def a_long_prior():
    bomb = game(1, [{"steps": 0, "known": [[]], "recent": [], "play": {"0": "1/1"}}], 1)
    bomb["dual"]["prior"] = [{"losses": [["0/1"]], "probability": "0/1"}] * 1_400_000
    return bomb


BOMBS = [
    short_runs_among_many_arms,
    openings_after_a_long_start,
    mixtures_and_long_profiles,
    direct_with_a_long_start,
    direct_with_ten_arms,
    direct_with_many_beginnings,
    cube_of_twenty_entries,
    cube_with_long_planes,
    a_thousand_long_plays,
    long_histories,
    many_profiles,
    single_runs_for_ever,
    mixtures_of_coprime_weights,
    heights_of_coprime_slopes,
    prices_of_coprime_excesses,
    losses_of_coprime_denominators,
    weights_of_coprime_denominators,
    tallies_that_collide,
    losses_that_collide,
    steps_that_collide,
    grid_of_a_million,
    shares_of_coprime_denominators,
    edges_of_many_actions,
    deep_and_wide,
    cycle_of_coprime_weights,
    loops_with_long_potentials,
    a_cycle_that_never_ends,
    nodes_without_end,
    walls_through_one_corner,
    walls_on_many_corners,
    walls_of_coprime_coefficients,
    listed_words_for_ever,
    tallies_of_many_digits,
    one_edge_for_ever,
    many_actions_at_one_history,
    one_walk_for_ever,
    one_cycle_for_ever,
    one_table_for_ever,
    ways_home_for_ever,
]
LARGE_BOMBS = [  # of megabytes, and most of them need the usual limit to do harm
    more_runs_among_more_arms,
    more_openings_after_a_longer_start,
    one_wide_mixture,
    a_long_table,
    a_long_prior,
    cuts_without_end,
    walls_without_end,
    walls_that_collide,
    rows_that_rise,
    probabilities_of_many_digits,
    a_wide_document,
    a_name_beyond_ascii,
]


def confined(path, limit, seconds, memory):
    def confine():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    command = [sys.executable, "-m", "tallyplan.check", str(path), "--limit", str(limit)]
    return subprocess.run(command, preexec_fn=confine, capture_output=True, text=True, check=False)


def verdict_of(bomb, tmp_path, *limits):
    path = tmp_path / "bomb.json"
    path.write_text(json.dumps(bomb(), ensure_ascii=False), encoding="utf-8")
    result = confined(path, *limits)
    assert result.stderr == ""
    status = result.stdout.split(":")[0]
    assert {"accepted": 0, "refused": 1, "undecided": 3}[status] == result.returncode
    return result.stdout


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_ends_in_a_verdict_within_the_limit(bomb, tmp_path):
    assert "there is" not in verdict_of(bomb, tmp_path, LIMIT, SECONDS, BYTES)  # not by running out of memory


@pytest.mark.thorough
@pytest.mark.parametrize("bomb", BOMBS + LARGE_BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_ends_in_a_verdict_within_the_usual_limit(bomb, tmp_path):
    verdict_of(bomb, tmp_path, THOROUGH_LIMIT, THOROUGH_SECONDS, THOROUGH_BYTES)


def test_no_memory_is_undecided(tmp_path):
    """With little address space and a generous limit, Python's own error is no traceback."""
    path = tmp_path / "bomb.json"
    path.write_text(json.dumps(a_thousand_long_plays()))
    result = confined(path, 10**12, 60, 150 * 2**20)
    assert (result.returncode, result.stderr) == (3, "")
    assert "needs more memory than there is" in result.stdout
