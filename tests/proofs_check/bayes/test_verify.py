"""The judge of minimax certificates: planted errors are refused, and it stands alone."""

import ast
import copy
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from proofs_check.bayes import minimax_regret
from proofs_check.bayes import verify as judge
from proofs_check.bayes.verify import verify
from tallyplan.model.rationals import text

FILE = Path(judge.__file__)


@pytest.fixture(scope="module")
def honest():
    return json.loads(json.dumps(minimax_regret(2, 3, 7).certificate))


def changed(certificate, change):
    other = copy.deepcopy(certificate)
    change(other)
    return other


def test_the_honest_one_is_accepted(honest):
    verdict = verify(honest)
    assert verdict.reason.endswith("K = 2, m = 3, losses in multiples of 1/1, is 17/10.")


@pytest.mark.parametrize("shift", [Fraction(1, 10**9), Fraction(-1, 10**9), Fraction(1)])
def test_a_changed_value_is_refused(honest, shift):
    value = text(Fraction(17, 10) + shift)
    verdict = verify(changed(honest, lambda c: c.update(lower=value, upper=value)))
    assert verdict.status == "refused"
    broken = "less than the lower bound" if shift > 0 else "more than the upper bound"
    assert broken in verdict.reason


def test_a_weaker_claim_is_accepted(honest):
    assert verify(changed(honest, lambda c: c.update(lower="16/10", upper="18/10")))


def move_probability(certificate):
    first, second = certificate["prior"][:2]
    some = Fraction(1, 1000)
    first["probability"] = text(Fraction(first["probability"]) + some)
    second["probability"] = text(Fraction(second["probability"]) - some)


def another_table(certificate):
    certificate["prior"][0]["losses"] = [["0/1"] * 3] * 2


def another_horizon(certificate):
    certificate["game"]["horizon"] = 6


def mixed_line(certificate):
    return next(line for line in certificate["learner"] if len(line["play"]) > 1)


def other_shares(certificate):
    play = mixed_line(certificate)["play"]
    first, second = play
    play[first], play[second] = play[second], play[first]


def slightly_other_shares(certificate):
    play = mixed_line(certificate)["play"]
    first, second = play
    some = Fraction(1, 10**6)
    play[first], play[second] = (
        text(Fraction(play[first]) + some),
        text(Fraction(play[second]) - some),
    )


def not_a_distribution(certificate):
    play = mixed_line(certificate)["play"]
    play[next(iter(play))] = "1/1"


def negative_share(certificate):
    mixed_line(certificate)["play"].update({"0": "2/1", "1": "-1/1"})


def prior_too_heavy(certificate):
    certificate["prior"][0]["probability"] = "1/1"


def line_missing(certificate):
    certificate["learner"].pop(3)


def line_twice(certificate):
    certificate["learner"].append(certificate["learner"][0])


def unknown_action(certificate):
    certificate["learner"][0]["play"] = {"2": "1/1"}


def loss_off_the_grid(certificate):
    certificate["prior"][0]["losses"][0][0] = "1/2"


def row_too_short(certificate):
    certificate["prior"][0]["losses"][0].pop()


def a_float(certificate):
    certificate["upper"] = 1.7


def extra_key(certificate):
    certificate["remark"] = "trust me"


def other_format(certificate):
    certificate["version"] = 2


def a_truth_value(certificate):
    certificate["game"]["actions"] = True


PLANTED = [
    move_probability,
    another_table,
    another_horizon,
    other_shares,
    slightly_other_shares,
    not_a_distribution,
    negative_share,
    prior_too_heavy,
    line_missing,
    line_twice,
    unknown_action,
    loss_off_the_grid,
    row_too_short,
    a_float,
    extra_key,
    other_format,
    a_truth_value,
]


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_planted_error_is_refused(honest, plant):
    assert verify(changed(honest, plant)).status == "refused"


@pytest.mark.parametrize("plant", [move_probability, another_table])
def test_a_changed_prior_is_refused_by_the_best_response(honest, plant):
    assert "less than the lower bound" in verify(changed(honest, plant)).reason


@pytest.mark.parametrize("plant", [other_shares, slightly_other_shares])
def test_a_changed_learner_is_refused_by_a_table(honest, plant):
    assert "more than the upper bound" in verify(changed(honest, plant)).reason


@pytest.mark.parametrize("plant", [negative_share, not_a_distribution, prior_too_heavy])
def test_what_is_not_a_distribution_is_named(honest, plant):
    assert "not a distribution" in verify(changed(honest, plant)).reason


@pytest.mark.parametrize("nonsense", [None, [], {}, "certificate", 7])
def test_nonsense_is_refused(nonsense):
    assert verify(nonsense).status == "refused"


def test_a_game_that_is_too_large_is_undecided(honest):
    assert verify(honest, limit=63).status == "undecided"
    huge = changed(honest, lambda c: c["game"].update(actions=10**9, memory=10**9))
    assert verify(huge).status == "undecided"


def test_only_the_standard_library_is_imported():
    names = set()
    for node in ast.walk(ast.parse(FILE.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module.split(".")[0])
    assert names <= sys.stdlib_module_names


def test_a_copy_of_the_file_judges_on_its_own(honest, tmp_path):
    alone = tmp_path / "judge.py"
    alone.write_text(FILE.read_text())
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(honest))
    bad.write_text(json.dumps(changed(honest, other_shares)))

    def run(*arguments):
        command = [sys.executable, "-S", str(alone), *map(str, arguments)]
        return subprocess.run(command, env={}, capture_output=True, text=True, check=False)

    assert run(good).returncode == 0
    assert run(good).stdout.startswith("accepted: Proved")
    assert run(bad).returncode == 1
    assert run().returncode == run(tmp_path / "missing.json").returncode == 2
