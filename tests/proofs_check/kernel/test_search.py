"""A search finds the same proof in every process, however its sets are ordered there."""

import os
import subprocess
import sys

SEARCH = """
import json
from proofs_check.proving import Setting
from proofs_check.theory.argument import Argument
from proofs_check.theory.lines import proof
needle = {"always(x, t)": "x", "needle(p, x, y)": "0 if x == 1 and y == p else 1"}
setting, given = Setting(define=needle), ["m >= 1", "p >= 0 and q >= 0 and n >= 0"]
p = Argument(setting.language, list(map(setting.language.read, given)), setting.symbols)
p.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
p.induct("t", "total(always(1), needle(m), m, t) == min(t, m - 1)")
steps = ("n", "min(n, m - 1)"), ("m - 1 + n", "total(always(1), needle(m), m, m - 1)")
goal = " and ".join(f"total(always(1), needle(m), m, {t}) == {lost}" for t, lost in steps)
print(json.dumps(proof(p.so(goal))))
"""


def found(seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", SEARCH]
    return subprocess.run(command, env=environment, capture_output=True, check=True).stdout


def test_the_same_proof_is_found_whatever_the_hash_seed_is():
    proofs = {found(seed) for seed in range(1, 5)}
    assert len(proofs) == 1
    assert len(*proofs) > 1000
