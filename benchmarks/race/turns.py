"""One contest: several solvers take turns on one instance; ratios are to the first of them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from benchmarks.race.instances import Instance
from benchmarks.race.participants import SOLVERS
from benchmarks.race.records import Record
from benchmarks.race.worker import Failed, OutOfTime, Worker

REPEATS = 5
SOLVES_IN_A_ROW, SHORT = 5, 0.01  # in one turn, as long as they have taken fewer seconds together
CHECK_LIMIT = 180.0  # seconds
GIB = 2**30


@dataclass
class Entrant:
    """A solver, the words after `solve`, and what has come out so far."""

    name: str
    words: str = ""
    argument: str | None = None
    arguments: tuple[str, ...] = ()
    limit: float = 60.0  # seconds per run
    budget: float = 30.0  # seconds for all runs after which no further one is started
    repeats: int = REPEATS
    memory_limit: int | None = 12 * GIB
    runs: list[Record] = field(default_factory=list)
    status: str = "ok"
    verdict: str | None = None
    worker: Worker | None = None

    @property
    def seconds(self) -> float | None:
        """The best run, or the limit where that is all that is known."""
        if self.runs:
            return float(min(run["seconds"] for run in self.runs))
        return self.limit if self.status == "time limit" else None

    @property
    def done(self) -> bool:
        spent = sum(run["seconds"] for run in self.runs)
        return self.status != "ok" or len(self.runs) >= self.repeats or spent > self.budget

    def start(self, line: str) -> None:
        """Start the solver; a run of ours that does not count loads compiled kernels and fills caches."""
        skipped = SOLVERS[self.name].skipped()
        if skipped:
            self.status = f"skipped: {skipped}"
            return
        with_limits = (self.arguments, self.memory_limit)
        self._guarded(lambda: setattr(self, "worker", Worker(SOLVERS[self.name], line, *with_limits)))
        if self.name == "tallyplan" and not self.done and self.repeats > 1:
            self._guarded(lambda: self._ask(f"solve {self.words}", self.limit))

    def run(self) -> None:
        """A turn: the quickest of a few solves in a row, if they are short and there are to be several turns.

        Since the last turn all others have used the core, and the first short solve mostly waits for memory.
        """
        self._guarded(lambda: self.runs.append(min(self._turn(), key=lambda run: float(run["seconds"]))))

    def _turn(self) -> Iterator[Record]:
        spent, most = 0.0, SOLVES_IN_A_ROW if self.repeats > 1 else 1
        for _ in range(most):
            yield (run := self._ask(f"solve {self.words}", self.limit))
            spent += run["seconds"]
            if spent > SHORT:
                return

    def check(self) -> None:
        try:
            self.verdict = str(self._ask("check", CHECK_LIMIT)["verdict"])
        except OutOfTime:
            self.verdict = "undecided: the check took too long"
        except Failed as failure:
            self.verdict = f"failed: {failure}"

    def _ask(self, line: str, limit: float) -> Record:
        assert self.worker is not None
        return self.worker.ask(line, limit)

    def _guarded(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OutOfTime:
            self.status = "time limit" if not self.runs else "ok"
            self.repeats = len(self.runs)
        except Failed as failure:
            self.status = str(failure)

    def close(self) -> None:
        if self.worker:
            self.worker.close()
            self.worker = None


def compete(
    instance: Instance, entrants: list[Entrant], *, together: bool = True, check: bool = True
) -> None:
    """Run all entrants, in turns if `together`, else one after the other (so that memory is held once)."""
    groups = [entrants] if together else [[entrant] for entrant in entrants]
    for group in groups:
        try:
            for entrant in group:
                entrant.start(instance.line)
            while not all(entrant.done for entrant in group):
                for entrant in group:
                    if not entrant.done:
                        entrant.run()
            for entrant in group:
                if check and entrant.name == "tallyplan" and entrant.runs:
                    entrant.check()
        finally:
            for entrant in group:
                entrant.close()


def measured(question: str, instance: Instance, entrants: Sequence[Entrant]) -> Iterator[Record]:
    """A record for each entrant; the reference is the first."""
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
            "version": None if skipped else SOLVERS[entrant.name].version(),
        }


def difference(value: str | None, reference: Entrant, entrant: Entrant) -> str | None:
    """How far a value is from the reference: '0' means equal as rationals. None: nothing to compare."""
    if value is None or not reference.runs or entrant.argument != reference.argument:
        return None
    off = abs(Fraction(value) - Fraction(reference.runs[-1]["value"]))
    return "0" if off == 0 else f"{float(off):.3g}"


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def summary(entrants: Sequence[Entrant]) -> str:
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
