"""What a study asks, read from a TOML file: instances x questions, each with every value of its lists.

    [[instances]]
    family = "uniform"
    actions = [2, 3]
    memory = 4
    seed = [0, 1, 2]

    [[instances]]
    files = ["mine/*.json"]

    [[questions]]
    ask = "cycle"

    [[questions]]
    ask = "play"
    learner = ["alg-det", "my_module:MyLearner"]
    horizon = [1000, "10^9"]
    seed = [0, 1]

A question about instances is asked about all of them. An item is one question about one instance; its key is
the SHA-256 of what determines the answer: the losses, the question, its parameters, the version of tallyplan
and the source of the user's own code. So items with the same key have the same answer, wherever and whenever
it is computed. A specification is data: it may name code, `my_module:MyLearner`, only of modules that
whoever runs it has named too.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, product
from pathlib import Path
from typing import Any

from tallyplan import __version__
from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.families import make
from tallyplan.model.files import AnyPath, json_text, read_text
from tallyplan.model.instance import Bandit, load
from tallyplan.model.plugins import load_plugin, only_code, source_sha256
from tallyplan.model.rationals import shown
from tallyplan.studies.questions import Question, find

MOST_ITEMS = 10**7
MOST_FILES = 10**5
LARGEST_STORED = 2**63 - 1  # an integer of SQLite


@dataclass(frozen=True)
class Asked:
    """A question with its parameters as the spec has them, one value each."""

    question: Question
    parameters: Mapping[str, Any]

    @cached_property
    def values(self) -> dict[str, Any]:
        """The parameters read, defaults filled in."""
        return self.question.read(self.parameters)

    @cached_property
    def text(self) -> str:
        """The parameters that were given, read, as JSON; what a worker reads them from."""
        return json_text({name: _stored(self.values[name]) for name in self.parameters})

    @cached_property
    def identity(self) -> str:
        """What determines the answer, but for the instance: also the source of the user's own code."""
        values = {name: str(value) for name, value in sorted(self.values.items())}
        sources = " ".join(source_sha256(load_plugin(name)) for name in self.question.code(self.values))
        return json_text([self.question.name, values, __version__, sources])


def _stored(value: Any) -> int | str:
    """A parameter as it is kept: what SQLite cannot hold as an integer is text."""
    return value if isinstance(value, int) and abs(value) <= LARGEST_STORED else str(value)


@dataclass(frozen=True)
class Instance:
    """An instance with the name that its rows show."""

    name: str
    bandit: Bandit

    @cached_property
    def sha256(self) -> str:
        """Of the losses."""
        return self.bandit.sha256()


@dataclass(frozen=True)
class Item:
    """One question about one instance, or by itself."""

    instance: Instance | None
    asked: Asked

    @property
    def key(self) -> bytes:
        """What determines the answer, hashed."""
        about = self.instance.sha256 if self.instance else ""
        return hashlib.sha256(f"{about}\n{self.asked.identity}".encode()).digest()


@dataclass(frozen=True)
class Study:
    """What is asked: instances, questions, and the items that they make.

    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> len(study.instances), len(study.asked)
    (1, 1)
    """

    instances: tuple[Instance, ...]
    asked: tuple[Asked, ...]

    def __len__(self) -> int:
        about = sum(asked.question.about_instances for asked in self.asked)
        return about * len(self.instances) + len(self.asked) - about

    @property
    def code(self) -> tuple[str, ...]:
        """The modules of the user's own code that its questions run."""
        names = (name for asked in self.asked for name in asked.question.code(asked.values))
        return tuple(dict.fromkeys(name.partition(":")[0] for name in names))

    def items(self) -> Iterator[Item]:
        """In the order of the spec: instance by instance, then what is asked by itself."""
        for instance in self.instances:
            yield from (Item(instance, asked) for asked in self.asked if asked.question.about_instances)
        yield from (Item(None, asked) for asked in self.asked if not asked.question.about_instances)


def read_spec(path: AnyPath, code: Sequence[str] = ()) -> Study:
    """Read a study and check all of it, before anything runs.

    Parameters
    ----------
    code : the modules of yours that it may name.

    Raises
    ------
    InvalidInput : the file cannot be read, is not TOML, contradicts itself, or names something unknown.

    >>> read_spec("study.toml")  # doctest: +SKIP
    """
    try:
        document = tomllib.loads(read_text(path), parse_float=str)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path} is not a valid TOML file: {error}.") from None
    try:
        return study_of(document, Path(path).parent, code)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def study_of(document: Mapping[str, Any], folder: Path = Path(), code: Sequence[str] = ()) -> Study:
    """The study of a document; patterns of files are relative to the folder.

    Parameters
    ----------
    code : the modules of yours that it may name.

    >>> document = {"instances": [{"family": "uniform", "actions": [2, 3], "memory": 2}],
    ...             "questions": [{"ask": "cycle"}, {"ask": "plan", "horizon": [10, "10^9"]}]}
    >>> len(study_of(document))
    6
    """
    _only(document, {"name", "instances", "questions"}, "a study")
    with only_code(code):
        asked = tuple(_each(document, "questions", _asked))
        if not asked:
            raise InvalidInput('nothing is asked; a study has [[questions]] with ask = "cycle", say.')
        instances = tuple(_each(document, "instances", partial(_instances, folder=folder)))
    if not instances and any(entry.question.about_instances for entry in asked):
        raise InvalidInput("there are no instances; a study has [[instances]] with a family or files.")
    study = Study(instances, asked)
    if len(study) > MOST_ITEMS:
        raise InvalidInput(f"the study has {len(study)} items; at most {MOST_ITEMS} are possible.")
    return study


def _each(document: Mapping[str, Any], name: str, read: Callable[..., Iterator[Any]]) -> Iterator[Any]:
    """What the tables of one name say, one after the other."""
    tables = document.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InvalidInput(f"{name} is no list of tables; they begin with [[{name}]].")
    for i, table in enumerate(tables):
        yield from read(table, f"{name}[{i}]")


def _asked(table: Mapping[str, Any], where: str) -> Iterator[Asked]:
    if "ask" not in table:
        raise InvalidInput(f'{where} does not say what to ask; it has a line such as ask = "cycle".')
    for name in _every(table["ask"], f"{where}.ask"):
        question = find(name)
        for parameters in _combinations(table, {"ask"}, where):
            question.read(parameters)
            yield Asked(question, parameters)


def _instances(table: Mapping[str, Any], where: str, folder: Path) -> Iterator[Instance]:
    if ("family" in table) == ("files" in table):
        raise InvalidInput(f"{where} has a family or files, one of the two.")
    if "files" in table:
        _only(table, {"files"}, where)
        for pattern in _every(table["files"], f"{where}.files"):
            yield from _files(pattern, where, folder)
        return
    for family in _every(table["family"], f"{where}.family"):
        for parameters in _combinations(table, {"family"}, where):
            bandit = make(_text(family, f"{where}.family"), **parameters)
            yield Instance(bandit.name or str(family), bandit)


def _files(pattern: Any, where: str, folder: Path) -> Iterator[Instance]:
    pattern = _text(pattern, f"{where}.files")
    outside = pattern.startswith("/") or ".." in pattern
    if outside and "**" in pattern:
        raise InvalidInput(f"{where}.files: ** in {shown(pattern)} would leave the folder of the spec.")
    root, relative = (Path("/"), pattern.lstrip("/")) if pattern.startswith("/") else (folder, pattern)
    try:
        found = sorted(islice(root.glob(relative), MOST_FILES + 1))
    except (ValueError, NotImplementedError, OSError) as error:
        raise InvalidInput(f"{where}.files: {shown(pattern)} is no pattern of files: {error}.") from None
    if not found or len(found) > MOST_FILES:
        many = f"more than {MOST_FILES} files match" if found else "no file matches"
        raise InvalidInput(f"{where}.files: {many} {shown(pattern)} in {folder.resolve()}.")
    for path in found:
        bandit = load(path)
        yield Instance(bandit.name or path.stem, bandit)


def _combinations(table: Mapping[str, Any], without: set[str], where: str) -> Iterator[dict[str, Any]]:
    """Every combination of the values of a table's lists, the last list moving fastest."""
    names = [name for name in table if name not in without]
    for values in product(*(_every(table[name], f"{where}.{name}") for name in names)):
        yield dict(zip(names, values, strict=True))


def _every(value: Any, where: str) -> Sequence[Any]:
    listed = value if isinstance(value, list) else [value]
    values = [one for entry in listed for one in _range(entry, where)]
    if not values:
        raise InvalidInput(f"{where} is an empty list; it needs a value.")
    for entry in values:
        if isinstance(entry, bool) or not isinstance(entry, int | str):
            raise InvalidInput(f"{where} is {shown(entry)}; a number or a text is needed.")
    return values


def _range(value: Any, where: str) -> Sequence[Any]:
    """The integers of a range such as "0-499", its ends included; everything else is one value."""
    ends = re.fullmatch(r"(\d{1,9})-(\d{1,9})", value) if isinstance(value, str) else None
    if ends is None:
        return [value]
    first, last = map(int, ends.groups())
    if not 0 <= last - first < MOST_ITEMS:
        raise InvalidInput(f"{where} is {shown(value)}; a range goes up, by at most {MOST_ITEMS} numbers.")
    return range(first, last + 1)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{where} is {shown(value)}; a text is needed.")
    return value


def _only(table: Mapping[str, Any], known: set[str], where: str) -> None:
    for name in table:
        if name not in known:
            guess = did_you_mean(name, known)
            raise InvalidInput(f"{where} has no {shown(name)}{guess} It has {', '.join(sorted(known))}.")
