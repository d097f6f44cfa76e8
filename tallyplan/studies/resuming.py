"""Long commands that go on where they stopped: what they ask are items of a study, kept in its store.

>>> from tallyplan.studies.spec import study_of
>>> from tallyplan.studies.runners import local_workers
>>> import tempfile
>>> study = study_of({"instances": [{"family": "uniform", "actions": 2, "memory": 2}],
...                   "questions": [{"ask": "plan", "horizon": [1, 2, 3]}]})
>>> with tempfile.TemporaryDirectory() as folder, ResumableStudy(f"{folder}/plans.db", study) as resumed:
...     [answer.status for answer in resumed.answers(local_workers(1))]
['exact', 'exact', 'exact']
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from tallyplan.errors import InvalidInput, TallyplanError
from tallyplan.limits import Progress, silent
from tallyplan.model.files import AnyPath
from tallyplan.studies.runners import Workers, run
from tallyplan.studies.spec import Study
from tallyplan.studies.store import FAILED, Result, Store


class ResumableStudy:
    """A study whose answers are kept in a store; use it as a context manager.

    Parameters
    ----------
    also : further questions that the store may be about; None for any.

    Raises
    ------
    InvalidInput : the store is no sound one of this version, or about something else; it stays as it was.
    KeyboardInterrupt : an interrupt of the block, with words that say what is kept.
    """

    def __init__(self, path: AnyPath, study: Study, also: Collection[str] | None = ()) -> None:
        self.store, self.study = Store(path, write=True), study
        try:
            if also is not None:
                self.store.require_only({*also, *(asked.question.name for asked in study.asked)})
            self.works = self.store.add(study)
        except BaseException:
            self.store.database.close()
            raise

    def __enter__(self) -> ResumableStudy:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        kept = f"{len(self.known())} of {len(set(self.works))} items" if interrupted else ""
        self.store.database.close()
        if interrupted:
            words = f"{kept} are kept in {self.store.path}, and the same command goes on"
            raise KeyboardInterrupt(words) from None

    def known(self) -> dict[int, Result]:
        """What the store has, by work."""
        return self.store.known(set(self.works))

    def answers(
        self, workers: Workers, *, certificates: Path | None = None, progress: Progress = silent
    ) -> list[Result]:
        """The answers to all items in their order; those that the store has are not computed again.

        Raises
        ------
        InvalidInput : an item cannot be answered; those that were answered before are kept.
        """
        self.store.forget_failures()
        run(
            self.store,
            workers,
            code=self.study.code,
            certificates=certificates,
            only=self.works,
            progress=progress,
        )
        known = self.known()
        for work in self.works:
            if known[work].status == FAILED:
                self.store.forget_failures()
                raise InvalidInput(known[work].message or "a question cannot be answered.")
        return [known[work] for work in self.works]


def facts_of(answer: Result) -> dict[str, Any]:
    """What an answer says beside its value."""
    facts: dict[str, Any] = json.loads(answer.facts or "")
    return facts


def interval_of(answer: Result) -> tuple[Fraction, Fraction]:
    """The two ends of an answer, equal if it is exact."""
    return Fraction(answer.lower or ""), Fraction(answer.upper or "")


@contextmanager
def read_from(path: AnyPath) -> Iterator[None]:
    """Report answers of a store that cannot be read as bad input: the file was changed."""
    try:
        yield
    except (TallyplanError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        raise InvalidInput(
            f"{path} is not a sound store: an answer in it makes no sense ({type(error).__name__})."
        ) from None
