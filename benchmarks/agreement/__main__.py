"""Ask the peers: `python -m benchmarks.agreement [--share 1/10]`, after `python -m benchmarks.build`.

Every answer of ours is compared with each peer's: as rationals, or within the error that the tool states. A
disagreement is printed with its instance, and ends the run with status 1; a peer that is absent, or gives no
answer, is named. The checker has to accept every certificate too.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, repeat
from typing import Any

from benchmarks import ROOT
from benchmarks.agreement import cases
from benchmarks.agreement.cases import Case
from benchmarks.build import BUILD, STATUS

SECONDS = 1800.0  # for all answers to one question
MEMORY = 4 * 2**30


@cache
def built() -> dict[str, Any]:
    """What `python -m benchmarks.build` found."""
    found: dict[str, Any] = {"python": None, "peers": {}}
    return found | (json.loads(STATUS.read_text("utf-8")) if STATUS.exists() else {})


@dataclass(frozen=True)
class Peer:
    """A tool, how many of the cases it is asked (every n-th), and the error that it may have."""

    name: str
    needs: str  # its entry in .build/peers.json
    command: tuple[str, ...]  # a program in .build, or a library of benchmarks/peers
    every: int = 1
    absolute: float = 0.0  # error, in units of the scaled value
    relative: float = 0.0  # error, as a share of the largest weight

    def absent(self) -> str | None:
        """Why it cannot be asked, or None."""
        found = built()["peers"].get(self.needs, {"skipped": "not built: run python -m benchmarks.build"})
        reason: str | None = found.get("skipped")
        return reason

    def version(self) -> str:
        return str(built()["peers"][self.needs]["version"])

    def answers(self, asked: list[Case]) -> Iterator[dict[str, Any]]:
        """One process answers all of them; where it ends early, the others have no answer."""
        program, *rest = self.command
        script = [built()["python"], str(ROOT / "benchmarks" / "peers" / program)]
        command = script if program.endswith(".py") else [str(BUILD / program)]
        lines = "".join(f"{case.line}\n" for case in asked)
        try:
            done = subprocess.run(
                [*command, *rest], input=lines.encode(), capture_output=True, timeout=SECONDS,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)), check=False,
            )  # fmt: skip
            said, words = done.stdout, done.stderr.decode().strip().splitlines()
            reason = words[-1] if words else f"it ended with status {done.returncode}"
        except subprocess.TimeoutExpired as error:
            said, reason = error.stdout or b"", f"no answer in {SECONDS:.0f} s"
        complete = said[: said.rfind(b"\n") + 1].splitlines()
        return chain(map(json.loads, complete), repeat({"failed": reason}, len(asked) - len(complete)))

    def agrees(self, case: Case, found: str | None) -> bool:
        if found is None or case.value is None:
            return found is None and case.value is None
        allowed = Fraction(self.absolute) + Fraction(self.relative) * (case.widest if self.relative else 0)
        return abs(Fraction(found) - case.value * case.scale) <= allowed

    def error(self) -> str:
        if self.relative:
            return f"within {self.relative:g} of the largest weight"
        return f"within {self.absolute:g}" if self.absolute else "equal as rationals"

    def compared(self, asked: list[Case]) -> Iterator[bool | None]:
        """Whether it agrees, by case; None if it gives no answer. At the end, figures are printed."""
        agreed, silent = 0, dict[str, int]()
        for case, found in zip(asked, self.answers(asked), strict=True):
            if "failed" in found:
                silent[found["failed"]] = silent.get(found["failed"], 0) + 1
                yield None
                continue
            agrees = self.agrees(case, found["value"])
            agreed += agrees
            if not agrees:
                report(case, self.name, found["value"])
            yield agrees
        print(f"  {self.name:28} {self.version():10} {agreed:6} agree, {self.error()}", flush=True)
        for reason, times in silent.items():
            print(f"  {'':28} {'':10} {times:6} without an answer: {reason}")


GRAPHS = [
    Peer("LEMON Howard", "lemon_graphs", ("lemon_graphs", "howard")),
    Peer("LEMON Hartmann-Orlin", "lemon_graphs", ("lemon_graphs", "hartmann-orlin")),
    Peer("LEMON Karp", "lemon_graphs", ("lemon_graphs", "karp")),
    Peer("Boost Howard", "boost_graphs", ("boost_graphs",)),
    Peer("rustworkx negative cycles", "rustworkx", ("libraries.py", "rustworkx")),
    Peer("networkx negative cycles", "networkx", ("libraries.py", "networkx"), every=11),
    Peer("LP by HiGHS", "scipy", ("libraries.py", "highs"), every=5, relative=1e-6),
]
STORM = Peer("Storm, exact", "stormpy", ("libraries.py", "storm"), every=41)
STEPS = [
    Peer("QuantEcon DiscreteDP", "quantecon", ("libraries.py", "quantecon-steps"), absolute=1e-9),
    Peer("networkx Dijkstra", "networkx", ("libraries.py", "networkx-steps")),
]
WORDS = [Peer("networkx Dijkstra", "networkx", ("libraries.py", "networkx-words"))]


def report(case: Case, name: str, found: object) -> None:
    asked = f"{case.question} (scale {case.scale})"
    print(f"DISAGREEMENT on the {asked}: ours is {case.value}, {name} says {found}.")
    print(json.dumps(case.shown))


def compare(question: str, cases: Iterable[Case], peers: list[Peer]) -> Iterator[bool | None]:
    """Ask about every case; False for a disagreement, None for no answer."""
    started, asked = time.monotonic(), list(cases)
    print(f"\n{question}: {len(asked)} instances, answered in {time.monotonic() - started:.0f} s", flush=True)
    for case in asked:
        if not case.accepted:
            report(case, "the checker, or its source,", "no")
            yield False
    for peer in peers:
        if (reason := peer.absent()) is not None:
            print(f"  {peer.name:28} absent: {reason}")
            continue
        yield from peer.compared(asked[:: peer.every])


def all_questions(share: Fraction) -> Iterator[bool | None]:
    def part(count: int) -> int:
        return max(1, int(count * share))

    everywhere = [replace(peer, every=1) for peer in GRAPHS]
    yield from compare("published figures", cases.published(), everywhere)
    yield from compare("mean cycles of tallying bandits", cases.cycles(part(5000)), [*GRAPHS, STORM])
    yield from compare("mean cycles of other bandits", cases.other_cycles(part(1000)), GRAPHS)
    yield from compare("mean cycles of arm bandits", cases.arms(part(1000)), GRAPHS)
    yield from compare("mean cycles of explicit graphs", cases.graphs(part(5000)), GRAPHS)
    yield from compare("mean cycles that Howard's iteration meets last", cases.shortcuts(11), GRAPHS)
    with_times = [peer for peer in GRAPHS if not peer.name.startswith("LEMON")]
    yield from compare("ratio cycles of explicit graphs", cases.ratios(part(2000)), with_times)
    yield from compare("least losses of T steps", cases.steps(part(1500)), STEPS)
    yield from compare("best words of L actions", cases.words(part(500)), WORDS)


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
