"""One contest: several solvers on one instance, taking turns; the first is the reference of the ratios."""

import sys
from dataclasses import dataclass, field
from fractions import Fraction

from solvers import SOLVERS, Failed, OutOfTime, Worker

REPEATS = 5
GIB = 2**30


@dataclass
class Entrant:
    """A solver, the words after `solve`, and what has come out so far."""

    name: str
    words: str = ""
    argument: str | None = None
    arguments: tuple[str, ...] = ()
    limit: float = 60.0  # seconds a run
    budget: float = 30.0  # seconds for all runs after which no further one is started
    repeats: int = REPEATS
    memory_limit: int | None = 12 * GIB
    cores: int = 1
    threads: int = 1
    runs: list[dict] = field(default_factory=list)
    status: str = "ok"
    verdict: str | None = None
    worker: Worker | None = None

    @property
    def seconds(self):
        """The best run, or the limit where that is all that is known."""
        if self.runs:
            return min(run["seconds"] for run in self.runs)
        return self.limit if self.status == "time limit" else None

    @property
    def done(self):
        spent = sum(run["seconds"] for run in self.runs)
        return self.status != "ok" or len(self.runs) >= self.repeats or (self.runs and spent > self.budget)

    def start(self, line):
        skipped = SOLVERS[self.name].skipped()
        if skipped:
            self.status = f"skipped: {skipped}"
            return
        self._guarded(lambda: setattr(self, "worker", self._new_worker(line)))

    def _new_worker(self, line):
        return Worker(
            SOLVERS[self.name],
            line,
            arguments=self.arguments,
            memory_limit=self.memory_limit,
            cores=self.cores,
            threads=self.threads,
        )

    def run(self):
        self._guarded(lambda: self.runs.append(self.worker.ask(f"solve {self.words}".strip(), self.limit)))

    def warm(self):
        """A run that does not count: it loads compiled kernels and fills caches."""
        self._guarded(lambda: self.worker.ask(f"solve {self.words}".strip(), self.limit))

    def check(self, limit=180.0):
        try:
            self.verdict = self.worker.ask("check", limit)["verdict"]
        except OutOfTime:
            self.verdict = "undecided: the check took too long"
        except Failed as failure:
            self.verdict = f"failed: {failure}"

    def _guarded(self, action):
        try:
            action()
        except OutOfTime:
            self.status = "time limit" if not self.runs else "ok"
            self.repeats = len(self.runs)
        except Failed as failure:
            self.status = str(failure)

    def close(self):
        if self.worker:
            self.worker.close()
            self.worker = None


def compete(instance, entrants, *, together=True, check=True):
    """Run all entrants, in turns if `together`, else one after the other (so that memory is held once)."""
    groups = [entrants] if together else [[entrant] for entrant in entrants]
    for group in groups:
        try:
            _take_turns(instance, group)
            for entrant in group:
                if check and entrant.name == "tallyplan" and entrant.runs:
                    entrant.check()
        finally:
            for entrant in group:
                entrant.close()


def _take_turns(instance, group):
    for entrant in group:
        entrant.start(instance.line)
        if entrant.name == "tallyplan" and not entrant.done and entrant.repeats > 1:
            entrant.warm()
    while not all(entrant.done for entrant in group):
        for entrant in group:
            if not entrant.done:
                entrant.run()


def records(question, instance, entrants):
    """What goes to the ledger; the reference is the first entrant."""
    reference = entrants[0]
    for entrant in entrants:
        last = entrant.runs[-1] if entrant.runs else {}
        skipped = entrant.status.startswith("skipped")
        yield instance.key() | {
            "question": question,
            "solver": entrant.name,
            "argument": entrant.argument,
            "status": entrant.status,
            "seconds": entrant.seconds,
            "runs": [run["seconds"] for run in entrant.runs],
            "reference_seconds": reference.seconds if reference.status == "ok" else None,
            "value": last.get("value"),
            "difference": difference(last.get("value"), reference, entrant),
            "verdict": entrant.verdict,
            "peak": last.get("peak"),
            "baseline": last.get("baseline"),
            "sweep": last.get("sweep"),
            "version": None if skipped else SOLVERS[entrant.name].version(),
        }


def difference(value, reference, entrant):
    """How far a value is from the reference: '0' means equal as rationals. None: nothing to compare."""
    if value is None or not reference.runs or entrant.argument != reference.argument:
        return None
    off = abs(Fraction(value) - Fraction(reference.runs[-1]["value"]))
    return "0" if off == 0 else f"{float(off):.3g}"


def say(text):
    print(text, file=sys.stderr, flush=True)


def summary(entrants):
    reference = entrants[0].seconds
    parts = []
    for entrant in entrants:
        name = entrant.name if entrant.argument is None else f"{entrant.name} [{entrant.argument}]"
        if entrant.seconds is None:
            parts.append(f"{name} {entrant.status}")
            continue
        mark = ">" if entrant.status == "time limit" else ""
        ratio = f" ({entrant.seconds / reference:.3g}x)" if reference and entrant is not entrants[0] else ""
        parts.append(f"{name} {mark}{entrant.seconds:.4g} s{ratio}")
    verdict = entrants[0].verdict
    return "; ".join(parts) + (f"; {verdict}" if verdict else "")
