"""Random claims and random applications of the rules make no theorem that a small model contradicts."""

import tomllib
from pathlib import Path

import pytest
from kernel_fuzz import Fuzzer
from planting import plant

TRIES = 40_000  # until a planted fault shows itself; most do within the first 500


def test_random_rules_prove_nothing_false():
    fuzzer = Fuzzer(1)
    assert fuzzer.run(600) == []
    assert fuzzer.counts["refused"] < 500


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_random_rules_prove_nothing_false_in_many_tries(seed):
    assert Fuzzer(seed).run(1000) == []


TABLE = tomllib.loads((Path(__file__).parents[1] / "planted.toml").read_text(encoding="utf-8"))
FAVOURED = {"rules:induct": "induct", "z3_question:Reader._term": "compare"}  # where faults show late
FAULTS = [(name, *row) for name, rows in TABLE["kernel"].items() for row in rows]


@pytest.mark.parametrize(("path", "line", "instead"), FAULTS)
def test_the_fuzzer_notices_every_fault_that_is_planted(monkeypatch, path, line, instead):
    plant(monkeypatch, f"kernel.{path}", line, instead)
    favoured = FAVOURED.get(path)
    assert any(Fuzzer(seed, favoured).run(500) for seed in range(TRIES // 500))
