"""What a report tells: claims examined, constants computed, games played, all of it now or from a store.

Every question is an item of a study, so that a report that was interrupted can be resumed. Without
a store of the user's, a temporary one is used.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from proofs_check.claim import Claim
from proofs_check.examining import Result
from proofs_check.kept import examined_and_kept
from proofs_check.worst_case.claims import BestConstant, Question
from proofs_check.worst_case.table import as_study, box, from_answers
from tallyplan.games.trials import Setup, Summary
from tallyplan.limits import Progress, silent
from tallyplan.model.families import make
from tallyplan.model.files import AnyPath
from tallyplan.studies.games import Games
from tallyplan.studies.runners import local_workers, resumable
from tallyplan.studies.spec import Instance, Study
from tallyplan.studies.store import Result as Answer
from tallyplan.studies.store import read_from


@dataclass(frozen=True)
class Constants:
    """A table of best constants: what it is about, the sizes, what computes it; once collected, its rows."""

    claim: str
    words: str
    sizes: tuple[Question, ...]
    command: str
    rows: tuple[BestConstant, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Races:
    """Learners on one instance, at several horizons, with several seeds each; once collected, their games."""

    family: str
    parameters: dict[str, int]
    learners: tuple[str, ...]
    horizons: tuple[int, ...]
    repeats: int
    summaries: tuple[Summary, ...] = field(default=(), repr=False)

    @property
    def games(self) -> Games:
        """The games, as items of a study."""
        bandit = make(self.family, **{name: str(value) for name, value in self.parameters.items()})
        setups = [Setup(name, T) for name in self.learners for T in self.horizons]
        return Games([Instance(self.family, bandit)], setups, self.repeats)

    @property
    def command(self) -> str:
        """The command that plays them."""
        given = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        horizons = ",".join(map(str, self.horizons))
        return (
            f"tallyplan new {self.family} {given} | tallyplan play {','.join(self.learners)} - "
            f"--horizons {horizons} --repeats {self.repeats} --plot regret.svg"
        )


@dataclass(frozen=True)
class Contents:
    """What a report asks: which claims, which constants, which games; once collected, with the answers."""

    claims: tuple[Claim, ...]
    constants: tuple[Constants, ...]
    races: tuple[Races, ...]
    thorough: bool = False
    results: tuple[Result, ...] = field(default=(), repr=False)


def usual_constants() -> tuple[Constants, ...]:
    """The tables of every report; some seconds of work."""
    tables = (
        ("lemma-3", "the largest T mu - OPT_T over all loss tables, T = L²", None),
        ("gap:optimal:cyclic", "the largest OPT_T - T mu over all loss tables, T = L²", None),
        ("proposition-1-upper", "the largest regret of ALG_det over all loss tables", None),
        ("gap:constant:optimal", "the largest gap of the best constant policy to the optimum", [4, 6, 8, 10]),
    )
    return tuple(
        Constants(
            claim,
            words,
            tuple(box(claim, [2, 3], [2, 3], T)),
            f"tallyplan constants {claim} --table" + (f" --horizon {','.join(map(str, T))}" if T else ""),
        )
        for claim, words, T in tables
    )


def usual_races() -> tuple[Races, ...]:
    """The games of every report; some seconds of work."""
    learners = ("alg-det", "alg-stoch", "optimistic-planner", "ucb1", "round-robin", "best-constant")
    cheap = tuple(one for one in learners if one != "ucb1")  # which plays step by step
    horizons = (10**2, 10**3, 10**4)
    return (
        Races("counterexample-3", {}, learners, horizons, 5),
        Races("congested", {"actions": 3, "memory": 3}, cheap, (*horizons, 10**5, 10**6, 10**7), 10),
        Races("uniform", {"actions": 2, "memory": 3}, cheap, (*horizons, 10**5, 10**6, 10**7), 10),
    )


def collect(
    asked: Contents, store: AnyPath | None = None, *, jobs: int | None = None, progress: Progress = silent
) -> Contents:
    """The contents with all answers; what the store has is not asked again, and without one nothing is kept.

    Raises
    ------
    InvalidInput : the store is damaged; or a question cannot be answered.
    KeyboardInterrupt : an interrupt, with words that say what is kept.
    """
    with _some_store(store) as path:
        results = examined_and_kept(asked.claims, path, thorough=asked.thorough, progress=progress)
        constants = tuple(_constants(path, asked.constants, jobs, progress))
        races = tuple(_played(path, one, jobs, progress) for one in asked.races)
    return replace(asked, results=tuple(results), constants=constants, races=races)


@contextmanager
def _some_store(path: AnyPath | None) -> Iterator[AnyPath]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            yield Path(folder) / "report.db"
        except KeyboardInterrupt:
            raise KeyboardInterrupt("nothing is kept; --store FILE keeps what is done") from None


def _constants(
    path: AnyPath, tables: Sequence[Constants], jobs: int | None, progress: Progress
) -> Iterator[Constants]:
    """The constants of all tables, asked together: fewer processes are started."""
    sizes = [size for one in tables for size in one.sizes]
    answers = _answers(path, as_study(sizes), "constants", jobs, progress)
    with read_from(path):
        found = from_answers(sizes, answers)
        for one in tables:
            yield replace(one, rows=tuple(islice(found, len(one.sizes))))


def _played(path: AnyPath, one: Races, jobs: int | None, progress: Progress) -> Races:
    games = one.games
    answers = _answers(path, games.study, f"games on {one.family}", jobs, progress)
    with read_from(path):
        return replace(one, summaries=tuple(games.summaries(answers)))


def _answers(
    path: AnyPath, study: Study, name: str, jobs: int | None, progress: Progress
) -> Sequence[Answer]:
    with resumable(path, study) as kept:
        return kept.answers(local_workers(jobs), progress=lambda words: progress(f"{name}: {words}"))
