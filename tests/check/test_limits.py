"""Hostile sizes end quickly, in "refused" or "undecided", and unreadable files in an error."""

import copy
import json
import signal
from fractions import Fraction
from itertools import product

import pytest
from check_build import ALTERNATE, GENERAL, document, horizon, mean_cycle, tallying, text

from tallyplan.check import Verdict, check
from tallyplan.check.__main__ import main
from tallyplan.check.tallies import compositions
from tallyplan.check.verdict import Budget, Undecided
from tallyplan.model.instance import TallyingBandit


@pytest.fixture(autouse=True)
def ends():
    """What these tests hold is that the checker ends at all: a size taken literally would take years."""
    signal.alarm(120)
    yield
    signal.alarm(0)


def long_horizon(instance, T, value, jumps=()):
    claim = {"question": "horizon", "horizon": T, "start": [], "value": value}
    return document(instance, claim, {"runs": [[[0], T]]}, {"jumps": list(jumps)})


def flat(K, m, loss="1/1"):
    return {"memory": m, "losses": [[loss] * m for _ in range(K)]}


def test_a_long_horizon_without_jumps_is_undecided():
    assert check(long_horizon(flat(2, 2), 10**30, f"{10**30}/1")).status == "undecided"


def test_a_game_shorter_than_the_memory_needs_no_list_of_full_histories():
    assert check(long_horizon(flat(2, 60), 2, "2/1"))


def test_a_short_proof_for_a_giant_horizon_is_accepted():
    jump = [0, 1, 10**4000 - 2]
    assert check(long_horizon(flat(2, 1), 10**4000, f"{10**4000}/1", [jump]))


@pytest.mark.parametrize(("K", "m"), [(2, 30), (2, 3000), (1000, 5), (300, 200)])
def test_too_many_histories_are_undecided(K, m):
    instance = flat(K, m)
    assert check(long_horizon(instance, m, f"{m}/1")).status == "undecided"
    claim: dict[str, object] = {"question": "mean-cycle", "value": "1/1"}
    dual: dict[str, object] = {"scale": 1, "potentials": [0]}
    assert check(document(instance, claim, {"word": [0]}, dual)).status == "undecided"
    dual = {"stages": [], "potentials": [{"mean": "1/1", "scale": 1, "values": [0]}]}
    claim = {"question": "cyclic", "period": 1, "value": "1/1"}
    assert check(document(instance, claim, {"word": [0]}, dual)).status == "undecided"


@pytest.mark.parametrize(
    ("K", "m", "T", "method"),
    [
        (10, 40, 60, "direct"),
        (300, 300, 301, "direct"),
        (2, 3000, 5999, "direct"),
        (100, 3000, 3000, "counts"),
    ],
)
def test_a_search_or_a_knapsack_beyond_the_limit_is_undecided(K, m, T, method):
    proof = long_horizon(flat(K, m), T, f"{T}/1") | {"dual": {"method": method}}
    assert check(proof, limit=10**8).status == "undecided"


def test_proofs_within_proofs_end():
    """A hundred levels are read and paid for, more are refused before anything is read."""
    dual: dict[str, object] = {"method": "least-loss"}
    for _ in range(90):
        dual = {"method": "fewer-arms", "removed": [], "proof": dual}
    claim = {"question": "mean-cycle", "value": "1/1"}
    proof = document(flat(3, 300), claim, {"word": [0]}, dual)
    assert check(proof)
    for layers in (20, 10**5):
        for _ in range(layers):
            dual = {"method": "fewer-arms", "removed": [], "proof": dual}
        assert check(proof | {"dual": dual}) == Verdict("refused", "The certificate is nested too deeply.")


def test_a_list_that_holds_itself_is_nested_too_deeply():
    """Only Python can make one; gone through as a tree it would double with every level."""
    twice: list[object] = []
    twice += [twice, twice]
    assert check({"format": twice}).reason == "The certificate is nested too deeply."


def test_few_steps_need_no_table_of_all_histories():
    assert check(long_horizon(flat(2, 3000), 5, "5/1"))


def test_one_action_with_a_long_memory_is_no_trouble():
    assert check(long_horizon(flat(1, 2000), 3000, "3000/1"))


def test_denominators_without_common_factors_are_undecided():
    primes = [p for p in range(2, 60000) if all(p % d for d in range(2, int(p**0.5) + 1))]
    instance = tallying(*([Fraction(1, p)] for p in primes))
    instance["losses"] *= 20
    assert check(long_horizon(instance, 1, "1/2"), limit=10**8).status == "undecided"


def test_many_possible_tallies_are_refused_as_soon_as_they_are_not_listed():
    weights = [text(Fraction(1, 2**i)) for i in range(1000)]
    instance = {"memory": 1000, "weights": weights, "losses": [{"1/1": "1/1"}]}
    assert "possible tallies" in check(long_horizon(instance, 1, "1/1")).reason


def test_the_limit_is_a_limit():
    assert check(horizon(GENERAL, 9), limit=200).status == "undecided"
    assert check(mean_cycle(GENERAL), limit=3000).status == "accepted"
    assert check(mean_cycle(GENERAL), limit=0).status == "undecided"


def test_what_does_not_fit_is_undecided_at_once():
    with pytest.raises(
        Undecided, match="tables of more than 10 entries, too many for the limit of 1099 edges"
    ):
        Budget(1099).hold(11)
    budget = Budget(1099)
    budget.hold(6)
    budget.fit(4)
    with pytest.raises(Undecided):
        budget.fit(5)
    with pytest.raises(Undecided):
        budget.hold(5)


def test_a_million_runs_are_undecided_or_counted():
    instance = flat(2, 5000)
    claim = {"question": "horizon", "horizon": 10**9 * 20000, "start": [], "value": "1/1"}
    runs = {"runs": [[[0], 10**9]] * 20000}
    assert check(document(instance, claim, runs, {"jumps": []})).status == "undecided"


def test_exit_statuses(tmp_path, capsys):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(mean_cycle(ALTERNATE)))
    assert main([str(path)]) == 0
    assert main([str(path), "--limit", "1"]) == 3
    assert capsys.readouterr().out.splitlines()[1].startswith("undecided: ")
    other = tmp_path / "other.json"
    other.write_text('{"memory": 1, "losses": [["0"]]}')
    assert main([str(path), "--instance", str(other)]) == 1
    assert main([str(tmp_path / "nothing.json")]) == 2
    assert main([str(tmp_path)]) == 2
    assert main(["\0"]) == 2
    assert main([str(path), "--instance", str(tmp_path / "nothing.json")]) == 2
    with pytest.raises(SystemExit, match="2"):
        main([])


def test_a_missing_file_is_an_error_not_a_verdict(tmp_path):
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "nothing.json")


def test_bytes_that_are_not_utf8_are_refused(tmp_path):
    path = tmp_path / "certificate.json"
    path.write_bytes(json.dumps(mean_cycle(ALTERNATE)).encode("utf-16"))
    assert check(path).status == "refused"


@pytest.mark.parametrize("junk", [None, 5, 1.5, [], {}, {1: 2}, object()])
def test_what_is_no_document_is_refused(junk):
    assert check(junk).status == "refused"


def test_an_accepted_verdict_is_true_and_the_others_false():
    assert Verdict("accepted", "").accepted
    assert not Verdict("undecided", "")


def test_the_instance_given_may_hold_anything():
    proof = mean_cycle(ALTERNATE)
    losses = ALTERNATE["losses"]
    for entry in (10**5000, -(10**5000), float("nan"), float("inf"), None, True, "1e-9999", [0]):
        given = {**ALTERNATE, "losses": [[entry, *losses[0][1:]], *losses[1:]]}
        assert check(proof, instance=given).status == "refused"
    assert check(proof, instance={**ALTERNATE, "memory": 10**5000}).status == "refused"


def test_a_bandit_may_be_given_as_it_is():
    proof = mean_cycle(ALTERNATE)
    assert check(proof, instance=TallyingBandit(ALTERNATE["losses"]))
    other = [["1/2", *ALTERNATE["losses"][0][1:]], *ALTERNATE["losses"][1:]]
    assert "losses differ" in check(proof, instance=TallyingBandit(other)).reason


def test_giant_numbers_in_a_parsed_document_are_refused_or_undecided():
    proof = horizon(GENERAL, 9)
    for place in (("claim", "horizon"), ("instance", "memory"), ("claim", "value")):
        changed = copy.deepcopy(proof)
        changed[place[0]][place[1]] = 10**5000
        assert not check(changed)


def test_many_actions_without_memory_have_tallies():
    """990 actions, m = 1: one vector of counts for each, and no limit on levels of calls in the way."""
    K = 990
    losses = [[text(Fraction(x, K))] for x in range(K)]
    dual = {"method": "tallies", "scale": 1, "slopes": [[]] * K, "potentials": [0] * K}
    claim = {"question": "mean-cycle", "value": "0/1"}
    proof = document({"memory": 1, "losses": losses}, claim, {"word": [0]}, dual)
    assert check(proof)
    assert check({**proof, "claim": {**claim, "lower": "1/990"}}).status == "refused"


@pytest.mark.parametrize(("total", "parts"), [(0, 1), (3, 1), (0, 4), (1, 5), (4, 3), (6, 2)])
def test_the_ways_to_divide_come_in_lexicographic_order(total, parts):
    ways = [way for way in product(range(total + 1), repeat=parts) if sum(way) == total]
    assert list(compositions(total, parts)) == ways


def test_a_file_without_end_is_undecided():
    assert check("/dev/zero", limit=10**6).status == "undecided"


def test_a_byte_order_mark_is_refused(tmp_path):
    path = tmp_path / "certificate.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(mean_cycle(ALTERNATE)).encode())
    assert check(path).status == "refused"


def test_the_least_loss_bounds_instances_of_every_kind():
    windows = {"memory": 1, "actions": 2, "windows": [["1/2", "1/3"]]}
    proof = mean_cycle(windows)
    assert check({**proof, "dual": {"method": "least-loss"}})
    assert not check({**proof, "claim": {**proof["claim"], "lower": "1/2"}, "dual": {"method": "least-loss"}})


def test_the_worst_case_is_for_tallying_instances_though_weights_be_equal():
    weighted = {"memory": 1, "weights": ["1/1"], "losses": [{"1/1": "0/1"}]}
    plain = {"memory": 1, "losses": [["0/1"]]}
    once, constant = [[[0], 1]], {"class": "constant", "horizon": 1}
    claim = {"question": "worst-case", "first": constant, "second": constant, "value": "0/1"}
    assert check(document(plain, claim, {"play": once}, {"cuts": [once]}))
    verdict = check(document(weighted, claim, {"play": once}, {"cuts": [once]}))
    assert "this instance is none" in verdict.reason


@pytest.mark.parametrize("limit", [True, False, -1, 1.5, "7", None])
def test_a_limit_is_an_integer_of_at_least_0(limit):
    with pytest.raises(ValueError, match="it must be an integer of at least 0"):
        check(mean_cycle(GENERAL), limit=limit)


def test_an_interrupt_is_no_refusal(tmp_path, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setitem(main.__globals__, "check", interrupted)
    assert main([str(tmp_path / "certificate.json")]) == 130
    assert capsys.readouterr().err
