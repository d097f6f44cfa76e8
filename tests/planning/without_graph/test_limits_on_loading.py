"""A time limit that leaves no time for the compiler does not even load it."""

import os
import subprocess
import sys

ASK = """
import sys
import tallyplan as tp
bandit = tp.make("congested", actions=5, memory=60, seed=1)
assert not tp.minimum_mean_cycle(bandit, time_limit=3).exact
assert not tp.optimal_plan(bandit, 10**6, time_limit=1).exact
print("numba" in sys.modules)
"""


def test_bounds_within_a_few_seconds_of_a_fresh_install_load_no_compiler(tmp_path):
    fresh = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", ASK], env=fresh, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
