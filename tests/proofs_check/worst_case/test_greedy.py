"""Greedy play: tables of zeros and ones suffice, ties are broken in the worst way, the checker agrees."""

import copy
import json
from fractions import Fraction
from itertools import product

import pytest
from brute_force import text
from exhaustive import optimal_values
from typer.testing import CliRunner

from proofs_check.worst_case import Constant, Cyclic, Greedy, Optimal, worst_greedy
from tallyplan.check import check
from tallyplan.cli import app
from tallyplan.model.instance import TallyingBandit, from_json
from tallyplan.model.replay import replay
from tallyplan.model.words import expand


def greedy_losses(bandit, T):
    """The losses of all greedy plays, all ties tried."""
    plays: list[tuple[int, ...]] = [()]
    for _ in range(T):
        longer = []
        for play in plays:
            costs = [replay(bandit, [x], play) for x in range(bandit.actions)]
            longer += [(*play, x) for x, cost in enumerate(costs) if cost == min(costs)]
        plays = longer
    return {replay(bandit, play) for play in plays}


def sign(document):
    """Give the document the hash of its instance, so that only what it claims can be wrong."""
    document["provenance"]["instance_sha256"] = from_json(document["instance"]).sha256()


def gap(bandit, T):
    return max(greedy_losses(bandit, T)) - optimal_values(bandit, T)[-1]


@pytest.mark.parametrize(("K", "m", "T"), [(2, 2, 4), (2, 2, 5), (2, 3, 5), (3, 2, 4), (1, 3, 4), (3, 1, 3)])
def test_no_table_of_halves_is_worse_and_one_of_zeros_and_ones_is_as_bad(K, m, T):
    found = worst_greedy(Greedy(K, m, T), Optimal(K, m, T)).value
    grid = [Fraction(0), Fraction(1, 2), Fraction(1)] if K * m <= 4 else [Fraction(0), Fraction(1)]
    gaps = [
        gap(TallyingBandit([row[x * m : (x + 1) * m] for x in range(K)]), T)
        for row in product(grid, repeat=K * m)
    ]
    assert max(gaps) == found


SIZES = [(1, 1, 2), (1, 3, 4), (2, 1, 3), (2, 2, 0), (2, 3, 7)]  # sizes that are easily confused


@pytest.mark.parametrize(
    "second", [Cyclic(2, 2, 9, 3), *(kind(*size) for kind in (Constant, Optimal) for size in SIZES)], ids=repr
)
def test_the_checker_accepts_the_answer_and_no_other(second):
    answer = worst_greedy(Greedy(second.actions, second.memory, second.horizon), second)
    document = answer.certificate
    assert check(document)
    assert len(expand(answer.play)) == second.horizon
    assert answer.value >= 0 or not isinstance(second, Optimal)
    for change in (Fraction(-1, 7), Fraction(1, 7)):
        claim = document["claim"] | {"value": text(answer.value + change)}
        assert check(document | {"claim": claim}).status == "refused"


def test_planted_errors_are_refused():
    answer = worst_greedy(Greedy(2, 2, 6), Optimal(2, 2, 6))
    honest, play = answer.certificate, expand(answer.play)
    assert check(honest)
    for change in (
        lambda d: d["claim"].update(value="4/1"),
        lambda d: d["claim"].update(value="6/1"),
        lambda d: d["primal"].update(play=[[[1 - play[0], *play[1:]], 1]]),
        lambda d: d["primal"].update(play=[[list(play[:-1]), 1]]),
        lambda d: d["instance"].update(losses=[["0/1", "0/1"]] * 2),
        lambda d: d.update(dual={"tables": "0/2"}),
        lambda d: d["claim"]["first"].update(horizon=5),
        lambda d: d["claim"]["second"].update(horizon=0),
    ):
        document = copy.deepcopy(honest)
        change(document)
        sign(document)
        assert check(document).status == "refused"


def test_the_command_and_its_certificate(tmp_path):
    out = str(tmp_path / "g.cert")
    arguments = ["constants", "gap:greedy:optimal", "--actions", "2", "--memory", "3", "--horizon", "8"]
    result = CliRunner().invoke(app, [*arguments, "--json", "--certificate", out], catch_exceptions=False)
    assert result.exit_code == 0
    assert (
        json.loads(result.stdout)["value"]
        == str(worst_greedy(Greedy(2, 3, 8), Optimal(2, 3, 8)).value) + "/1"
    )
    assert CliRunner().invoke(app, ["check", out]).exit_code == 0
    assert CliRunner().invoke(app, [*arguments, "--where", "rising"]).exit_code == 2
    wrong = CliRunner().invoke(app, ["constants", "gap:optimal:greedy", *arguments[2:]])
    assert wrong.exit_code == 2
    assert "the first may also be greedy" in wrong.stderr
