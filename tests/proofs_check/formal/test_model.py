"""The model in Rocq and the model in Python are the same: small instances evaluated by both."""

import itertools
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

import tallyplan as tp

BUILD = Path(__file__).parents[3] / "proofs_check" / "formal" / "_build"

pytestmark = [
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed"),
    pytest.mark.skipif(not (BUILD / "Claims.vo").exists(), reason="not compiled yet: `make formal` does it"),
]

HEADER = """
Require Import List ZArith QArith.
Require Import TallyPlan.Model TallyPlan.Claims.
Import ListNotations.
"""


def nats(values):
    return "[" + "; ".join(f"{value}%nat" for value in values) + "]"


def rationals(values):
    return (
        "["
        + "; ".join(f"({Fraction(value).numerator} # {Fraction(value).denominator})" for value in values)
        + "]"
    )


def rows(table):
    return "[" + "; ".join(rationals(row) for row in table) + "]"


def keyed(tables):
    """One list of pairs (weighted tally, loss) for each action."""
    pair = "({}, {})".format
    inner = (
        "; ".join(pair(rationals([k])[1:-1], rationals([v])[1:-1]) for k, v in t.items()) for t in tables
    )
    return "[" + "; ".join(f"[{pairs}]" for pairs in inner) + "]"


def cases():
    """(the instance in Rocq, the same in Python, start, word) for random tables of each kind."""
    rng = random.Random(8)

    def loss():
        return f"{rng.randint(0, 12)}/12"

    def play(K, length):
        return [rng.randrange(K) for _ in range(length)]

    for K, m in itertools.product((1, 2, 3), (1, 2, 3, 4)):
        table = [[loss() for _ in range(m)] for _ in range(K)]
        windows = [[loss() for _ in range(K**j)] for j in range(1, m + 1)]
        weights = [Fraction(rng.randint(1, 3), 2) for _ in range(m)]
        tallies = sorted(
            {weights[0] + sum(held) for n in range(m) for held in itertools.combinations(weights[1:], n)}
        )
        weighted = [{tally: loss() for tally in tallies} for _ in range(K)]
        pairs = [
            (
                f"(Weighted {m} {rationals(weights)} {keyed(weighted)})",
                tp.WeightedTallyBandit(
                    [str(w) for w in weights], [{str(k): v for k, v in t.items()} for t in weighted]
                ),
            ),
            (f"(Tallying {m} {rows(table)})", tp.TallyingBandit(table)),
            (f"(Windows {m} {K} {rows(windows)})", tp.WindowBandit(K, windows)),
        ]
        for formal, bandit in pairs:
            yield formal, bandit, play(K, rng.randint(0, m + 1)), play(K, rng.randint(1, 2 * m))


def evaluated(tmp_path, terms):
    """The values of rational terms, by Rocq."""
    lines = [f"Eval vm_compute in Qred ({term})." for term in terms]
    (tmp_path / "Values.v").write_text(HEADER + "\n".join(lines) + "\n")
    command = ["coqc", "-q", "-R", str(BUILD), "TallyPlan", "Values.v"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    found = re.findall(r"=\s*(?:\{\| Qnum := )?(-?\d+)(?:\s*#\s*|; Qden := )?(\d+)?", done.stdout)
    return [Fraction(int(p), int(q or 1)) for p, q in found]


def test_losses_words_and_optima_are_the_same(tmp_path):
    terms, expected = [], []
    for formal, bandit, start, word in cases():
        terms.append(f"qtotal {formal} (rev {nats(start)}) {nats(word)}")
        expected.append(tp.replay(bandit, word, start=start))
        terms.append(f"qcycle_loss {formal} {nats(word)}")
        often = bandit.memory + 1
        expected.append(tp.replay(bandit, word * often) - tp.replay(bandit, word * (often - 1)))
        terms.append(f"(opt (scaled_bandit 12 {formal}) 4 (rev {nats(start)}) # 12)")
        expected.append(tp.optimal_plan(bandit, horizon=4, start=start).value)
    assert evaluated(tmp_path, terms) == expected


def test_one_window_at_a_time(tmp_path):
    """The tally counts the current step, and what is m steps back is forgotten."""
    formal, bandit = (
        "(Tallying 2 [[(1 # 7); (2 # 7)]; [(3 # 7); (4 # 7)]])",
        tp.TallyingBandit([["1/7", "2/7"], ["3/7", "4/7"]]),
    )
    games = [[0], [1], [0, 0], [0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    terms = [f"qtotal {formal} (rev {nats(game[:-1])}) {nats(game[-1:])}" for game in games]
    assert evaluated(tmp_path, terms) == [Fraction(x, 7) for x in (1, 3, 2, 3, 2, 1, 3)]
    assert [tp.replay(bandit, game[-1:], start=game[:-1]) for game in games] == evaluated(tmp_path, terms)
