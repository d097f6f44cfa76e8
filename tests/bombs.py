"""Short documents that ask for endless work or memory, run under limits of the operating system.

A bomb must end in a verdict: a limit that only seems to limit would end in a signal, or in a traceback and
status 1 with nothing on standard output.
"""

import json
import math
import resource
import subprocess
import sys
from itertools import count

MERSENNE = 2**61 - 1  # Python hashes integers modulo this
USUAL = (10**7, 10, 200 * 2**20)  # the checker's limit, seconds of CPU, bytes
THOROUGH = (10**9, 600, 3 * 2**29)


def flat(K, m, loss="1/1"):
    return {"memory": m, "losses": [[loss] * m for _ in range(K)]}


def primes(digits, how_many):
    """Pairwise coprime integers of so many digits."""
    found, product = [], 1
    for candidate in count(10**digits + 1, 2):
        if len(found) == how_many:
            return found
        if math.gcd(candidate, 15015) == 1 and math.gcd(candidate, product) == 1:
            found.append(candidate)
            product *= candidate


def confined(path, limit, seconds, memory):
    def confine():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    command = [sys.executable, "-m", "tallyplan.check", str(path), "--limit", str(limit)]
    return subprocess.run(command, preexec_fn=confine, capture_output=True, text=True, check=False)


def verdict_of(bomb, tmp_path, limits):
    path = tmp_path / "bomb.json"
    path.write_text(json.dumps(bomb, ensure_ascii=False), encoding="utf-8")
    result = confined(path, *limits)
    assert result.stderr == "" or result.stderr.startswith("checked by ")
    status = result.stdout.split(":")[0]
    assert {"accepted": 0, "refused": 1, "undecided": 3}[status] == result.returncode
    return result.stdout
