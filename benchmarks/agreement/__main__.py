"""Ask the peers: `python -m benchmarks.agreement [--share 1/10]`, after `python -m benchmarks.build`.

Every answer of ours is compared with each peer's: as rationals, or within the error that the tool states. A
disagreement is printed with its instance, and ends the run with status 1; a peer that is absent, or gives no
answer, is named. The checker has to accept every certificate too.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from benchmarks.agreement import cases
from benchmarks.agreement.cases import Case
from benchmarks.agreement.worker import Failed, OutOfTime, Tool, Worker

SECONDS = 60.0  # for one answer
MEMORY = 4 * 2**30


@dataclass
class Peer:
    """A tool, how many of the cases it is asked (every n-th), and the error that it may have."""

    name: str
    needs: str
    command: tuple[str, ...]
    every: int = 1
    absolute: float = 0.0  # error, in units of the scaled value
    relative: float = 0.0  # error, as a share of the largest weight
    table: bool = False  # asked about the bandit's table, not about its state graph
    agreed: int = 0
    silent: dict[str, int] = field(default_factory=dict)  # no answer, by reason
    worker: Worker | None = None

    @property
    def tool(self) -> Tool:
        return Tool(self.needs, self.command)

    def start(self) -> str | None:
        """Start the process; or say why that cannot be."""
        reason = self.tool.skipped()
        if reason is None:
            try:
                self.worker = Worker(self.tool, MEMORY)
            except (Failed, OutOfTime) as error:
                reason = str(error) or "it did not start in time"
        return reason

    def answer(self, case: Case) -> dict[str, Any]:
        assert self.worker is not None
        try:
            return self.worker.ask(case.table if self.table else case.line, SECONDS)
        except (Failed, OutOfTime) as error:
            self.worker.close()
            self.start()
            return {"failed": str(error) or f"no answer in {SECONDS:.0f} s"}

    def agrees(self, case: Case, found: str | None) -> bool:
        if found is None or case.value is None:
            return found is None and case.value is None
        scaled = case.value if self.table else case.value * case.scale
        allowed = Fraction(self.absolute) + Fraction(self.relative) * (case.widest if self.relative else 0)
        return abs(Fraction(found) - scaled) <= allowed

    def ask(self, case: Case) -> bool | None:
        """Whether the peer agrees; None if it gives no answer."""
        found = self.answer(case)
        if "failed" in found:
            self.silent[found["failed"]] = self.silent.get(found["failed"], 0) + 1
            return None
        if self.agrees(case, found["value"]):
            self.agreed += 1
            return True
        report(case, self.name, found["value"])
        return False

    def error(self) -> str:
        if self.relative:
            return f"within {self.relative:g} of the largest weight"
        return f"within {self.absolute:g}" if self.absolute else "equal as rationals"


def on_graphs() -> list[Peer]:
    return [
        Peer("LEMON Howard", "lemon_graphs", ("lemon_graphs", "howard")),
        Peer("LEMON Hartmann-Orlin", "lemon_graphs", ("lemon_graphs", "hartmann-orlin")),
        Peer("LEMON Karp", "lemon_graphs", ("lemon_graphs", "karp")),
        Peer("Boost Howard", "boost_graphs", ("boost_graphs",)),
        Peer("rustworkx negative cycles", "rustworkx", ("libraries.py", "rustworkx")),
        Peer("networkx negative cycles", "networkx", ("libraries.py", "networkx"), every=11),
        Peer("LP by HiGHS", "scipy", ("libraries.py", "highs"), every=5, relative=1e-6),
    ]


def storm() -> Peer:
    return Peer("Storm, exact", "stormpy", ("libraries.py", "storm_exact"), every=41, table=True)


def on_steps() -> list[Peer]:
    return [
        Peer("QuantEcon DiscreteDP", "quantecon", ("libraries.py", "quantecon_horizon"), absolute=1e-9),
        Peer("networkx Dijkstra", "networkx", ("libraries.py", "networkx-steps")),
    ]


def on_words() -> list[Peer]:
    return [Peer("networkx Dijkstra", "networkx", ("libraries.py", "networkx-cyclic"))]


def report(case: Case, name: str, found: object) -> None:
    asked = f"{case.question} (scale {case.scale})"
    print(f"DISAGREEMENT on the {asked}: ours is {case.value}, {name} says {found}.")
    print(json.dumps(case.shown))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def compare(question: str, asked: Iterable[Case], peers: list[Peer]) -> Iterator[bool | None]:
    """Ask about every case; False for a disagreement, None for no answer. At the end, figures are printed."""
    absent = {peer.name: reason for peer in peers if (reason := peer.start()) is not None}
    present = [peer for peer in peers if peer.name not in absent]
    started, count = time.monotonic(), 0
    for count, case in enumerate(asked, start=1):
        if not case.accepted:
            report(case, "the checker", "no")
            yield False
        for peer in present:
            if (count - 1) % peer.every == 0:
                yield peer.ask(case)
        if count % 250 == 0:
            say(f"{question}: {count} instances, {time.monotonic() - started:.0f} s")
    print(f"\n{question}: {count} instances, every certificate checked, {time.monotonic() - started:.0f} s")
    for peer in present:
        print(f"  {peer.name:28} {peer.tool.version():10} {peer.agreed:6} agree, {peer.error()}")
        for reason, times in peer.silent.items():
            print(f"  {'':28} {'':10} {times:6} without an answer: {reason}")
        if peer.worker is not None:
            peer.worker.close()
    for name, reason in absent.items():
        print(f"  {name:28} absent: {reason}")


def figures() -> Iterator[Case]:
    """The published figures; a source that disagrees counts as a peer."""
    for case, value in cases.published():
        if case.value != value:
            report(case, "the source", value)
            raise SystemExit(1)
        yield case


def all_questions(share: Fraction) -> Iterator[bool | None]:
    def part(count: int) -> int:
        return max(1, int(count * share))

    everywhere = on_graphs()
    for peer in everywhere:
        peer.every = 1
    yield from compare("published figures", figures(), everywhere)
    yield from compare("mean cycles of tallying bandits", cases.cycles(part(5000)), [*on_graphs(), storm()])
    yield from compare("mean cycles of other bandits", cases.other_cycles(part(1000)), on_graphs())
    yield from compare("mean cycles of arm bandits", cases.arms(part(1000)), on_graphs())
    yield from compare("mean cycles of explicit graphs", cases.graphs(part(5000)), on_graphs())
    yield from compare("mean cycles that Howard's iteration meets last", cases.shortcuts(11), on_graphs())
    with_times = [peer for peer in on_graphs() if not peer.name.startswith("LEMON")]
    yield from compare("ratio cycles of explicit graphs", cases.ratios(part(2000)), with_times)
    yield from compare("least losses of T steps", cases.steps(part(1500)), on_steps())
    yield from compare("best words of L actions", cases.words(part(500)), on_words())


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare our answers with those of other tools.")
    parser.add_argument("--share", type=Fraction, default=Fraction(1), help="share of the instances, as 1/10")
    verdicts = list(all_questions(parser.parse_args().share))
    wrong = verdicts.count(False)
    answers = len(verdicts) - verdicts.count(None)
    print(f"\n{answers} comparisons, {wrong} disagreement{'' if wrong == 1 else 's'}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
