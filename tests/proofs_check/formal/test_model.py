"""The model in Rocq and the model in Python are the same: small instances evaluated by both."""

import itertools
import random
import re
from fractions import Fraction

import tallyplan as tp
from proofs_check import definitions
from proofs_check.formal import theorems


def listed(values):
    return f"({' :: '.join([*values, 'nil'])})"


def word(actions):
    return f"{listed(map(str, actions))}%nat"


def rational(value):
    return f"(QArith_base.Qmake ({Fraction(value).numerator}) {Fraction(value).denominator})"


def row(values):
    return listed(map(rational, values))


def keyed(losses):
    """The pairs (weighted tally, loss) of an action."""
    return listed(f"({rational(tally)}, {rational(loss)})" for tally, loss in losses.items())


def evaluated(terms, compiled):
    """The values of rational terms, by Rocq."""
    ends = "(QArith_base.Qnum q :: Z.pos (QArith_base.Qden q) :: nil)"
    lines = [f"Compute let q := Qreduction.Qred ({term}) in {ends}." for term in terms]
    return [
        Fraction(int(above), int(below))
        for above, below in re.findall(r"= (-?\d+) :: (\d+) :: nil", theorems.asked(lines, compiled))
    ]


def cases():
    """(the instance in Rocq, the same in Python, start, word) for random tables of each kind."""
    rng = random.Random(8)

    def losses(count):
        return [Fraction(rng.randint(0, 12), 12) for _ in range(count)]

    def play(K, length):
        return [rng.randrange(K) for _ in range(length)]

    for K, m in itertools.product((1, 2, 3), (1, 2, 3, 4)):
        table = [losses(m) for _ in range(K)]
        windows = [losses(K**j) for j in range(1, m + 1)]
        weights = [Fraction(rng.randint(1, 3), 2) for _ in range(m)]
        tallies = sorted(
            {weights[0] + sum(held) for n in range(m) for held in itertools.combinations(weights[1:], n)}
        )
        weighted = [dict(zip(tallies, losses(len(tallies)), strict=True)) for _ in range(K)]
        weighing = f"Weighted {m} {row(weights)} {listed(map(keyed, weighted))}"
        for formal, bandit in (
            (weighing, tp.WeightedTallyBandit(weights, weighted)),
            (f"Tallying {m} {listed(map(row, table))}", tp.TallyingBandit(table)),
            (f"Windows {m} {K} {listed(map(row, windows))}", tp.WindowBandit(K, windows)),
        ):
            start, actions = play(K, rng.randint(0, m + 1)), play(K, rng.randint(1, 2 * m))
            yield f"(Claims.{formal})", bandit, start, actions


def test_losses_words_and_optima_are_the_same(compiled):
    found = {}
    for formal, bandit, start, actions in cases():
        past = f"(List.rev {word(start)})"
        found[f"Claims.qtotal {formal} {past} {word(actions)}"] = tp.replay(bandit, actions, start=start)
        often = bandit.memory + 1
        around = tp.replay(bandit, actions * often) - tp.replay(bandit, actions * (often - 1))
        found[f"Claims.qcycle_loss {formal} {word(actions)}"] = around
        best = f"Model.opt (Claims.scaled_bandit 12 {formal}) 4 {past}"
        found[f"QArith_base.Qmake ({best}) 12"] = tp.optimal_plan(bandit, horizon=4, start=start).value
    assert evaluated(found, compiled) == list(found.values())


def test_one_window_at_a_time(compiled):
    """The tally counts the current step, and what is m steps back is forgotten."""
    losses = [["1/7", "2/7"], ["3/7", "4/7"]]
    formal, bandit = f"(Claims.Tallying 2 {listed(map(row, losses))})", tp.TallyingBandit(losses)
    games = [[0], [1], [0, 0], [0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    terms = [f"Claims.qtotal {formal} (List.rev {word(game[:-1])}) {word(game[-1:])}" for game in games]
    expected = [Fraction(x, 7) for x in (1, 3, 2, 3, 2, 1, 3)]
    assert evaluated(terms, compiled) == expected
    assert [tp.replay(bandit, game[-1:], start=game[:-1]) for game in games] == expected


def test_the_notions_that_theorems_speak_of_are_those_of_the_paper(compiled):
    rng, terms, expected = random.Random("games"), [], []
    for _ in range(12):
        K, m, L = rng.randint(1, 3), rng.randint(1, 4), rng.randint(3, 6)
        rows = [[rng.randint(0, 9) for _ in range(m)] for _ in range(K)]
        actions, past = ([rng.randrange(K) for _ in range(L)] for _ in range(2))
        bandit = tp.TallyingBandit([[Fraction(entry, 9) for entry in row] for row in rows])
        table = f"(Model.entry {listed(listed(map(str, row)) for row in rows)})"
        terms.append(f"Lemma2.period_loss {K} {m} {table} {word(actions)}")
        expected.append(9 * definitions.mu(bandit, actions) * L)
        x, y = actions[-1], definitions.tally(actions, L - 1, m)
        period = f"{m} {x} {y} {word(actions)} 2 (List.rev {word(past)})"
        terms.append(f"Z.of_nat (Lemma2.period_count {period})")
        expected.append(definitions.period_counts(actions, m, n=2, past=past)[x, y])
        terms.append(f"Model.opt (Model.tallying {K} {m} {table}) {L} nil")
        expected.append(9 * definitions.optimum(bandit, L))
    assert evaluated([f"QArith_base.inject_Z ({term})" for term in terms], compiled) == expected
