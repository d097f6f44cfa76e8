"""What a study costs beyond its answers: `python -m benchmarks.studies [overhead|million|throughput]`.

- overhead: the time of a run minus the seconds that its answers took, per item, in one process;
- million: `study status` and `study table --csv` on a store of 10^6 rows;
- throughput: a study on all cores against a plain loop over the same questions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tallyplan.studies.runners import ask, local_workers, run
from tallyplan.studies.spec import Study, study_of
from tallyplan.studies.store import Store
from tallyplan.workers import cores


def tables(count: int, **sizes: int) -> Study:
    family = {"family": "uniform", "seed": list(range(count))} | sizes
    return study_of({"instances": [family], "questions": [{"ask": "cycle"}]})


def overhead(folder: Path) -> None:
    study = tables(3000, actions=2, memory=3)
    with Store(folder / "overhead.db", write=True) as store:
        began = time.perf_counter(), time.process_time()
        store.add(study)
        added = time.perf_counter(), time.process_time()
        run(store, local_workers(1))
        ended = time.perf_counter(), time.process_time()
        ((answers,),) = store.select("SELECT total(seconds) FROM results")
    each = 1000 / len(study)
    print(
        f"{len(study)} items: adding {(added[0] - began[0]) * each:.3f} ms per item, answers "
        f"{answers * each:.3f} ms, everything else {(ended[0] - added[0] - answers) * each:.3f} ms "
        f"(processor time, answers included: {(ended[1] - added[1]) * each:.3f} ms)"
    )


def million(folder: Path) -> None:
    path = folder / "million.db"
    study = study_of(
        {
            "instances": [{"family": "uniform", "actions": 2, "memory": 3, "seed": list(range(1000))}],
            "questions": [{"ask": "play", "learner": "ucb1", "horizon": [10, 100], "seed": list(range(500))}],
        }
    )
    with Store(path, write=True) as store:
        began = time.perf_counter()
        store.add(study)
        print(f"adding {len(study)} items: {time.perf_counter() - began:.1f} s")
        facts = json.dumps({"loss": "220899/1000", "optimum": "218101/1000"})
        store.database.execute(
            "INSERT INTO results SELECT id, 'exact', id || '/1001', id || '/1001', id / 1001.0, ?, "
            "lower(hex(key)), NULL, 0.001 FROM works",
            (facts,),
        )
    for arguments in (["status", str(path)], ["table", str(path), "--csv", str(folder / "million.csv")]):
        began = time.perf_counter()
        before = _processor_time()
        subprocess.run([sys.executable, "-m", "tallyplan", "study", *arguments], check=True)
        spent = _processor_time() - before
        print(f"study {arguments[0]}: {time.perf_counter() - began:.2f} s ({spent:.2f} s of processor time)")
    print(f"{(folder / 'million.csv').stat().st_size / 1e6:.0f} MB of CSV")


def throughput(folder: Path) -> None:
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
    with Store(folder / "throughput.db", write=True) as store:
        store.add(study)
        tasks = [*map(store.task, store.works(done=False))]
        for task in tasks[:20]:  # compilers and caches, which every process needs once
            ask(task)
        began = time.perf_counter(), _processor_time()
        for task in tasks:
            ask(task)
        loop = time.perf_counter() - began[0], _processor_time() - began[1]
        began = time.perf_counter(), _processor_time()
        run(store, local_workers())
        studied = time.perf_counter() - began[0], _processor_time() - began[1]
    number, each = cores(), 1000 / len(study)
    print(
        f"{len(study)} items: a plain loop {loop[0]:.2f} s, a study on {number} cores {studied[0]:.2f} s, "
        f"{loop[0] / studied[0]:.2f} times as fast (load of the machine: {os.getloadavg()[0]:.1f})"
    )
    print(
        f"processor time per item {loop[1] * each:.2f} and {studied[1] * each:.2f} ms, starting processes "
        f"included: on {number} cores of one's own {number * loop[1] / studied[1]:.2f} times as fast"
    )


def _processor_time() -> float:
    """Of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


MEASURES = {"overhead": overhead, "million": million, "throughput": throughput}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or MEASURES:
            MEASURES[name](Path(folder))


if __name__ == "__main__":
    main()
