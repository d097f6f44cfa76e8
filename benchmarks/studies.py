"""What a study costs: on all cores, next to a plain loop over the same questions.

python -m benchmarks.studies
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from tallyplan.limits import available_cores
from tallyplan.studies.runners import ask, local_workers, resumable, run
from tallyplan.studies.spec import study_of


def main() -> None:
    """Cycles, plans and games of some milliseconds each, less than a minute in all."""
    study = study_of(
        {
            "instances": [{"family": "uniform", "actions": 3, "memory": 7, "seed": list(range(1500))}],
            "questions": [
                {"ask": "cycle"},
                {"ask": "plan", "horizon": ["10^4", "10^6"]},
                {"ask": "play", "learner": ["ucb1", "exp3"], "horizon": 500, "seed": [0, 1]},
            ],
        }
    )
    with tempfile.TemporaryDirectory() as folder, resumable(Path(folder, "study.db"), study) as kept:
        tasks = [*map(kept.store.task, kept.keys)]
        began = time.perf_counter()
        for task in tasks:
            ask(task)
        loop = time.perf_counter() - began
        began = time.perf_counter()
        run(kept, local_workers())
        studied = time.perf_counter() - began
    print(
        f"{len(study)} items: a plain loop {loop:.2f} s, on {available_cores()} cores {studied:.2f} s, "
        f"{loop / studied:.2f} times as fast (load of the machine: {os.getloadavg()[0]:.1f})"
    )


if __name__ == "__main__":
    main()
