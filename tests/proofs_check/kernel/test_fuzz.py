"""Random claims and random applications of the rules make no theorem that a small model contradicts."""

import pytest
from kernel_fuzz import Fuzzer

from proofs_check.kernel import rules


def test_random_rules_prove_nothing_false():
    fuzzer = Fuzzer(1)
    assert fuzzer.run(600) == []
    assert fuzzer.counts["refused"] < 500


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_random_rules_prove_nothing_false_in_many_tries(seed):
    assert Fuzzer(seed).run(1000) == []


def test_the_fuzzer_notices_a_rule_that_is_wrong(monkeypatch):
    honest = rules.instantiate

    def keeps_its_hypotheses(one, values):
        return rules._theorem(one.hypotheses, honest(one, values).conclusion)

    monkeypatch.setattr(rules, "instantiate", keeps_its_hypotheses)
    assert Fuzzer(0).run(500) != []
