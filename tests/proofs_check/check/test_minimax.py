"""Minimax certificates: right ones are accepted, and no planted error passes.

`PYTHONPATH=tests:. python tests/check/test_minimax.py` writes the documents of `tests/vectors/minimax`; they
are kept in the repository, so that another checker can be tried on them too.
"""

import copy
import hashlib
import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from documents import mutated, places
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.bayes import minimax_regret
from tallyplan.check import check
from tallyplan.check.__main__ import main
from tallyplan.errors import TallyplanError
from tallyplan.model.rationals import text

VECTORS = Path(__file__).parents[2] / "vectors" / "minimax"
SIZES = {
    "no-steps": (2, 2, 0),
    "one-action": (1, 3, 4),
    "one-step": (3, 2, 1),
    "memory-1": (3, 1, 3),
    "two-arms": (2, 3, 7),
    "halves": (2, 2, 6, 2),
    "three-actions": (3, 2, 4),
    "longer": (2, 2, 17),
}


def solved(actions, memory, horizon, grid=1, **options):
    return json.loads(json.dumps(minimax_regret(actions, memory, horizon, grid=grid, **options).certificate))


@cache
def _honest():
    return solved(2, 3, 7)


@pytest.fixture
def honest():
    return copy.deepcopy(_honest())


def rehashed(document):
    text = json.dumps(document["game"], sort_keys=True, separators=(",", ":"))
    document["provenance"]["game_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return document


def accepted():
    documents = {name: solved(*size) for name, size in SIZES.items()}
    documents["interval"] = solved(2, 3, 5, time_limit=0)
    unused = copy.deepcopy(documents["one-step"])
    unused["primal"]["learner"].append(
        {"steps": 1, "known": [["0/1"], [], []], "recent": [2], "play": {"1": "1/1", "2": "0/1"}}
    )
    return documents | {"line-never-reached": unused}


def move_probability(document):
    first, second = document["dual"]["prior"][:2]
    some = Fraction(1, 1000)
    first["probability"] = text(Fraction(first["probability"]) + some)
    second["probability"] = text(Fraction(second["probability"]) - some)


def another_table(document):
    document["dual"]["prior"][0]["losses"] = [["0/1"] * 3] * 2


def another_horizon(document):
    document["game"]["horizon"] = 6


def longer_horizon(document):
    document["game"]["horizon"] = 8


def another_memory(document):
    document["game"]["memory"] = 2


def mixed_line(document):
    return next(line for line in document["primal"]["learner"] if len(line["play"]) > 1)


def other_shares(document):
    play = mixed_line(document)["play"]
    first, second = play
    play[first], play[second] = play[second], play[first]


def slightly_other_shares(document):
    play = mixed_line(document)["play"]
    first, second = play
    some = Fraction(1, 10**6)
    play[first], play[second] = text(Fraction(play[first]) + some), text(Fraction(play[second]) - some)


def shares_above_one(document):
    play = mixed_line(document)["play"]
    play[next(iter(play))] = "1/1"


def shares_below_one(document):
    play = mixed_line(document)["play"]
    play[next(iter(play))] = "0/1"


def negative_share(document):
    mixed_line(document)["play"].update({"0": "2/1", "1": "-1/1"})


def prior_too_heavy(document):
    document["dual"]["prior"][0]["probability"] = "1/1"


def negative_prior(document):
    first, second = document["dual"]["prior"][:2]
    total = Fraction(first["probability"]) + Fraction(second["probability"])
    first["probability"], second["probability"] = text(total + 1), "-1/1"


def no_prior(document):
    document["dual"]["prior"] = []


def line_missing(document):
    document["primal"]["learner"].pop(3)


def no_lines(document):
    document["primal"]["learner"] = []


def line_out_of_reach(document):
    document["primal"]["learner"][-1]["steps"] = 10**6


def line_twice(document):
    document["primal"]["learner"].append(document["primal"]["learner"][0])


def unknown_action(document):
    document["primal"]["learner"][0]["play"] = {"2": "1/1"}


def padded_action(document):
    document["primal"]["learner"][0]["play"] = {"00": "1/1"}


def plays_nothing(document):
    document["primal"]["learner"][0]["play"] = {}


def loss_off_the_grid(document):
    document["dual"]["prior"][0]["losses"][0][0] = "1/2"


def loss_above_one(document):
    document["dual"]["prior"][0]["losses"][0][0] = "2/1"


def row_too_short(document):
    document["dual"]["prior"][0]["losses"][0].pop()


def row_too_few(document):
    document["dual"]["prior"][0]["losses"].pop()


def known_too_long(document):
    document["primal"]["learner"][0]["known"][0] = ["0/1"] * 4


def a_float(document):
    document["claim"]["value"] = 1.7


def extra_key(document):
    document["remark"] = "trust me"


def extra_key_of_the_claim(document):
    document["claim"]["remark"] = "trust me"


def steps_as_many_as_lines(document):
    lines = document["primal"]["learner"]
    lines.append(lines[0] | {"steps": len(lines) + 1})


def extra_key_of_a_line(document):
    document["primal"]["learner"][0]["note"] = 1


def instance_as_well(document):
    document["instance"] = {"memory": 1, "losses": [["0/1"]]}


def other_version(document):
    document["version"] = 1


def a_truth_value(document):
    document["game"]["actions"] = True


def no_actions(document):
    document["game"]["actions"] = 0


def other_question(document):
    document["claim"]["question"] = "mean-cycle"


def value_a_hair_below(document):
    document["claim"] = {"question": "minimax", "value": text(Fraction(17, 10) - Fraction(1, 10**9))}


def value_a_hair_above(document):
    document["claim"] = {"question": "minimax", "value": text(Fraction(17, 10) + Fraction(1, 10**9))}


def lower_above(document):
    document["claim"]["lower"] = "171/100"


ABOVE, BELOW = "learner's regret is above the claimed value", "against the prior is below the claimed bound"
PLANTED = {
    move_probability: BELOW,
    another_table: BELOW,
    another_horizon: ABOVE,
    longer_horizon: "does not say what to play in a situation after 7 steps",
    another_memory: "longer than the memory",
    other_shares: ABOVE,
    slightly_other_shares: ABOVE,
    shares_above_one: "do not add up to 1",
    shares_below_one: "do not add up to 1",
    negative_share: "negative probability",
    prior_too_heavy: "do not add up to 1",
    negative_prior: "negative probability",
    no_prior: "do not add up to 1",
    line_missing: "does not say what to play",
    no_lines: "does not say what to play",
    line_out_of_reach: "more steps than he has lines",
    line_twice: "two lines for the same situation",
    unknown_action: "not an action",
    padded_action: "not an action",
    plays_nothing: "do not add up to 1",
    loss_off_the_grid: "not on the grid",
    loss_above_one: "not on the grid",
    row_too_short: "2 entries where 3",
    row_too_few: "1 entries where 2",
    known_too_long: "longer than the memory",
    a_float: "is not an integer",
    extra_key: "unknown key 'remark'",
    extra_key_of_the_claim: "unknown key 'remark'",
    steps_as_many_as_lines: "more steps than he has lines",
    extra_key_of_a_line: "unknown key 'note'",
    instance_as_well: "unknown key 'instance'",
    other_version: "version is 1",
    a_truth_value: "not an integer",
    no_actions: "below 1",
    other_question: "knows the question 'mean-cycle' about the game",
    value_a_hair_below: ABOVE,
    value_a_hair_above: BELOW,
    lower_above: BELOW,
}


def planted(plant):
    document = copy.deepcopy(_honest())
    plant(document)
    return rehashed(document)


def named(plant):
    return plant.__name__.replace("_", "-")


def test_the_honest_one_is_accepted(honest):
    verdict = check(honest)
    assert verdict.reason == (
        "Proved: the minimax regret of 7 steps, K = 2, m = 3, losses in multiples of 1/1, is 17/10."
    )


@pytest.mark.parametrize("plant", PLANTED, ids=named)
def test_a_planted_error_is_refused_for_the_right_reason(plant):
    verdict = check(planted(plant))
    assert verdict.status == "refused"
    assert PLANTED[plant] in verdict.reason


def test_a_weaker_claim_is_an_interval(honest):
    honest["claim"] |= {"value": "9/5", "lower": "8/5"}
    assert check(honest).reason.endswith("is at least 8/5 and at most 9/5.")


def test_a_table_of_probability_nothing_changes_nothing(honest):
    prior = honest["dual"]["prior"]
    prior.append(prior[0] | {"probability": "0/1"})
    assert check(honest)


def test_another_game_needs_another_hash(honest):
    honest["game"]["grid"] = 2
    assert "hash in the provenance is not that of the game" in check(honest).reason


def test_a_belief_may_come_back():
    assert check(solved(1, 1, 2))


def test_a_game_that_cannot_be_written_proves_nothing(honest):
    honest["game"]["horizon"] = 10**5000
    assert check(honest).status == "undecided"


def test_a_game_is_no_instance(honest):
    verdict = check(honest, instance={"memory": 1, "losses": [[0]]})
    assert verdict.status == "refused"
    assert "about another problem than the game given" in verdict.reason


def test_more_tables_or_work_than_the_limit_are_undecided(honest):
    assert check(honest, limit=1000).status == "undecided"
    assert check(honest, limit=20_000).status == "undecided"
    for size in ({"actions": 10**9, "memory": 10**9}, {"grid": 10**30}, {"actions": 10**4000}):
        assert check(rehashed(honest | {"game": honest["game"] | size})).status == "undecided"


@pytest.mark.parametrize("path", sorted((VECTORS / "accepted").glob("*.json")), ids=lambda path: path.stem)
def test_the_documents_kept_for_other_checkers_are_accepted(path, capsys):
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("accepted: Proved: the minimax regret of ")


def test_the_documents_kept_for_other_checkers_are_these():
    manifest = json.loads((VECTORS / "manifest.json").read_text())
    assert {path.stem for path in (VECTORS / "accepted").glob("*.json")} == accepted().keys()
    assert manifest == {f"{named(plant)}.json": {"reason": words} for plant, words in PLANTED.items()}
    for plant in PLANTED:
        kept = json.loads((VECTORS / "refused" / f"{named(plant)}.json").read_text())
        assert PLANTED[plant] in check(kept).reason


@cache
def truth(*size, grid):
    return minimax_regret(*size, grid=grid).value


@st.composite
def mutations(draw):
    document = copy.deepcopy(draw(st.sampled_from([_honest(), *map(_small, ((2, 2, 3), (3, 1, 2)))])))
    for _ in range(draw(st.integers(1, 2))):
        part = draw(st.sampled_from(["claim", "primal", "dual", "game"]))
        *way, last = draw(st.sampled_from(list(places(document[part], (part,)))))
        place = document
        for step in way:
            place = place[step]
        place[last] = mutated(draw, place[last])
    return rehashed(document)


@cache
def _small(size):
    return solved(*size)


@settings(max_examples=400)
@given(mutations())
def test_no_mutation_makes_the_checker_accept_a_false_value(document):
    verdict = check(document, limit=10**7)
    if verdict:
        game, claim = document["game"], document["claim"]
        try:
            value = truth(*(game[name] for name in ("actions", "memory", "horizon")), grid=game["grid"])
        except TallyplanError as error:  # pragma: no cover
            raise AssertionError("accepted, though the game makes no sense") from error
        assert Fraction(claim.get("lower", claim["value"])) <= value <= Fraction(claim["value"])


def write():
    for folder in ("accepted", "refused"):
        (VECTORS / folder).mkdir(parents=True, exist_ok=True)
    for name, document in accepted().items():
        (VECTORS / "accepted" / f"{name}.json").write_text(json.dumps(document) + "\n")
    for plant in PLANTED:
        (VECTORS / "refused" / f"{named(plant)}.json").write_text(json.dumps(planted(plant)) + "\n")
    manifest = {f"{named(plant)}.json": {"reason": words} for plant, words in PLANTED.items()}
    (VECTORS / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    write()
