"""The verified checker: extracted from its proof in Rocq, built by `make formal`, run as a program."""

from __future__ import annotations

import subprocess
from pathlib import Path

from proofs_check.formal.theorems import COMPILED

PROGRAM = COMPILED / "verified-check"
STATUS = {0: "accepted", 1: "refused", 3: "undecided"}


def check(certificate: str | Path, instance: str | Path | None, limit: int) -> tuple[str, str]:
    """The verdict of the verified checker, and what it says: the statement that was proved, or the reason.

    Raises
    ------
    FileNotFoundError : it is not built.
    OSError : a file cannot be read.
    """
    if not PROGRAM.exists():
        raise FileNotFoundError(
            "the verified checker is not built here; `make formal` builds it (needs Rocq)"
        )
    about = [] if instance is None else ["--instance", str(instance)]
    done = subprocess.run(
        [str(PROGRAM), str(certificate), *about, "--limit", str(limit)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in STATUS:
        raise OSError(done.returncode, (done.stderr or done.stdout).strip() or "it ended", str(certificate))
    return STATUS[done.returncode], done.stdout.strip()
