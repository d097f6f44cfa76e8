"""The checker that is proved in Rocq: it judges the vectors and mutated proofs as the Python checker does."""

import copy
import json
import subprocess

import pytest
from brute_force import VECTORS, rehashed
from documents import about, mutations
from hypothesis import given, settings
from hypothesis import strategies as st

import tallyplan as tp
from proofs_check.verified import PROGRAM, STATUS

pytestmark = pytest.mark.usefixtures("compiled")

ACCEPTED = sorted((VECTORS / "accepted").glob("*.json"))
MANIFEST = json.loads((VECTORS / "manifest.json").read_text())
DOCUMENTS = {path.stem: json.loads(path.read_text()) for path in ACCEPTED}


def run(*arguments, text=None):
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=60, check=False
    )


def verified(document):
    return STATUS[run("-", "--limit", 10**6, text=json.dumps(document)).returncode]


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_proofs_are_accepted_and_the_statement_is_printed(path, tmp_path):
    done, document = run(path), json.loads(path.read_text())
    assert done.returncode == 0
    claim = document["claim"]
    proved = next(line for line in done.stdout.splitlines() if line.startswith("Proved: "))
    assert claim["value"] in proved
    assert claim.get("lower", claim["value"]) in proved
    assert done.stdout.endswith("accepted\n")
    instance = tmp_path / "instance.json"  # the same problem, given by itself
    instance.write_text(json.dumps(document[about(document)]))
    assert run(path, "--instance", instance).returncode == 0


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_near_misses_are_refused(name):
    instance = MANIFEST[name].get("instance")
    about = ["--instance", VECTORS / instance] if instance else []
    assert run(VECTORS / "refused" / name, *about).returncode == 1


@pytest.mark.parametrize("question", ["worst-case", "minimax", "arms"])
def test_questions_beyond_the_rules_are_undecided(question):
    accepted, refused = (sorted((VECTORS / question / one).glob("*.json")) for one in ("accepted", "refused"))
    assert accepted
    assert refused
    assert {run(path).returncode for path in accepted} == {3}
    assert {run(path).returncode for path in refused} <= {1, 3}


def test_bad_usage_is_neither_and_the_limit_limits():
    assert run(VECTORS / "no-such-file.json").returncode == 2
    assert run().returncode == 2
    assert run(VECTORS / "accepted" / "horizon.json", "--limit", 3).returncode == 3


def hostile():
    """Small documents that ask for a great deal of work."""
    powers = copy.deepcopy(DOCUMENTS["horizon-weighted"])
    powers["instance"] |= {"memory": 40, "weights": [f"{2**i}/1" for i in range(40)]}
    yield powers
    for jumps in ([], [[10**14, 1, 1]]):
        yield halves(2, 2, 10**15, over="histories", jumps=jumps)
    yield halves(40, 40, 50, over="counts")


def halves(K, m, T, **recursion):
    """All losses are 1/2, so T steps lose T/2."""
    return copy.deepcopy(DOCUMENTS["horizon"]) | {
        "instance": {"memory": m, "losses": [["1/2"] * m] * K},
        "claim": {"question": "horizon", "horizon": T, "start": [], "value": f"{T // 2}/1"},
        "primal": {"rule": "replay", "runs": [[[0], T]]},
        "dual": {"rule": "recursion", **recursion},
    }


@pytest.mark.parametrize("document", list(hostile()))
def test_hostile_documents_are_undecided_at_once(document):
    assert verified(rehashed(document)) == "undecided"


@pytest.mark.parametrize("examples", [400, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_both_checkers_judge_mutated_proofs_alike(examples):
    """The same verdict; only work is counted differently, and a true proof must not be lost to that."""

    @settings(max_examples=examples, deadline=None)
    @given(mutations([*DOCUMENTS.values()]))
    def agree(document):
        mine, other = verified(document), tp.check(json.loads(json.dumps(document)), limit=10**6).status
        assert mine == other or {mine, other} == {"undecided", "refused"}

    agree()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_certificates_of_our_own_answers_are_accepted(data):
    K, m = data.draw(st.sampled_from([(1, 3), (2, 1), (2, 4), (3, 3), (4, 2)]))
    losses = [[f"{data.draw(st.integers(0, 12))}/12" for _ in range(m)] for _ in range(K)]
    bandit = tp.TallyingBandit(losses)
    certificates = [
        tp.minimum_mean_cycle(bandit).certificate,
        tp.optimal_plan(bandit, horizon=data.draw(st.sampled_from([0, 1, 5, 10**15]))).certificate,
        tp.optimal_cyclic_policy(bandit, period=data.draw(st.integers(1, 7))).certificate,
    ]
    assert [verified(certificate) for certificate in certificates] == ["accepted"] * 3
