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
import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

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
    def code(self) -> tuple[str, ...]:
        """The code of the user that it runs, module:name."""
        return tuple(self.question.check(**self.values))

    @cached_property
    def identity(self) -> str:
        """What determines the answer, but for the instance: also the source of the user's own code."""
        values = {name: str(value) for name, value in sorted(self.values.items())}
        sources = " ".join(source_sha256(load_plugin(name)) for name in self.code)
        return json_text([self.question.name, values, __version__, sources])


def _stored(value: Any) -> int | str:
    """A parameter as it is kept: what SQLite cannot hold as an integer is text."""
    return value if isinstance(value, int) and abs(value) <= LARGEST_STORED else str(value)


class Instance(NamedTuple):
    """An instance with the name that its rows show."""

    name: str
    bandit: Bandit


class Item(NamedTuple):
    """One question about one instance, or by itself; its key is the SHA-256 of what determines the answer."""

    key: bytes
    instance: Instance | None
    asked: Asked


@dataclass(frozen=True)
class Study:
    """What is asked: instances, questions, the items that they make, and the modules that the caller named.

    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> len(study.instances), len(study.asked), len(study)
    (1, 1, 1)
    """

    instances: tuple[Instance, ...]
    asked: tuple[Asked, ...]
    named: tuple[str, ...] = ()

    def __len__(self) -> int:
        return sum(len(self.instances) if asked.question.about_instances else 1 for asked in self.asked)

    @property
    def code(self) -> tuple[str, ...]:
        """The modules that a worker imports: those named, of the questions, and of the code that they run."""
        modules = (asked.question.function.__module__ for asked in self.asked)
        of_users = (name.partition(":")[0] for asked in self.asked for name in asked.code)
        return tuple(dict.fromkeys([*self.named, *modules, *of_users]))

    def items(self) -> Iterator[Item]:
        """In the order of the spec: instance by instance, then what is asked by itself."""
        for instance in (*self.instances, None):
            about = instance.bandit.sha256() if instance else ""
            for asked in self.asked:
                if asked.question.about_instances == (instance is not None):
                    key = hashlib.sha256(f"{about}\n{asked.identity}".encode()).digest()
                    yield Item(key, instance, asked)


def read_spec(path: AnyPath, code: Sequence[str] = ()) -> Study:
    """Read a study and check all of it, before anything runs.

    Parameters
    ----------
    code : the modules of yours that it may name.

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
        asked = tuple(one for table, where in _tables(document, "questions") for one in _asked(table, where))
        if not asked:
            raise InvalidInput('nothing is asked; a study has [[questions]] with ask = "cycle", say.')
        tables = _tables(document, "instances")
        instances = tuple(one for table, where in tables for one in _instances(table, where, folder))
    if not instances and any(entry.question.about_instances for entry in asked):
        raise InvalidInput("there are no instances; a study has [[instances]] with a family or files.")
    study = Study(instances, asked, tuple(code))
    if len(study) > MOST_ITEMS:
        raise InvalidInput(f"the study has {len(study)} items; at most {MOST_ITEMS} are possible.")
    return study


def _tables(document: Mapping[str, Any], name: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The tables of one name, and what each is called in an error."""
    tables = document.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InvalidInput(f"{name} is not a list of tables; they begin with [[{name}]].")
    return ((table, f"{name}[{i}]") for i, table in enumerate(tables))


def _asked(table: Mapping[str, Any], where: str) -> Iterator[Asked]:
    if "ask" not in table:
        raise InvalidInput(f'{where} does not say what to ask; it has a line such as ask = "cycle".')
    for given in _combinations(table, where):
        asked = Asked(find(given.pop("ask")), given)
        asked.question.read(given)
        yield asked


def _instances(table: Mapping[str, Any], where: str, folder: Path) -> Iterator[Instance]:
    if ("family" in table) == ("files" in table):
        raise InvalidInput(f"{where} has a family or files, one of the two.")
    if "files" in table:
        _only(table, {"files"}, where)
    for given in _combinations(table, where):
        if "files" in given:
            yield from _files(str(given["files"]), f"{where}.files", folder)
        else:
            bandit = make(given.pop("family"), **given)
            yield Instance(bandit.name or str(table["family"]), bandit)


def _files(pattern: str, where: str, folder: Path) -> Iterator[Instance]:
    if "**" in pattern and ".." in pattern:
        raise InvalidInput(f"{where}: ** in {shown(pattern)} would leave the folder of the spec.")
    try:
        found = sorted(islice(folder.glob(pattern), MOST_FILES + 1))
    except (ValueError, NotImplementedError, OSError) as error:
        raise InvalidInput(f"{where}: {shown(pattern)} is not a pattern of files: {error}.") from None
    if not found or len(found) > MOST_FILES:
        many = f"more than {MOST_FILES} files match" if found else "no file matches"
        raise InvalidInput(f"{where}: {many} {shown(pattern)} in {folder.resolve()}.")
    for path in found:
        bandit = load(path)
        yield Instance(bandit.name or path.stem, bandit)


def _combinations(table: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """Every combination of the values of a table's lists, the last list moving fastest."""
    lists = [_every(value, f"{where}.{name}") for name, value in table.items()]
    if (number := math.prod(map(len, lists))) > MOST_ITEMS:
        raise InvalidInput(f"{where} has {number} combinations; at most {MOST_ITEMS} are possible.")
    for values in product(*lists):
        yield dict(zip(table, values, strict=True))


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


def _only(table: Mapping[str, Any], known: set[str], where: str) -> None:
    for name in table:
        if name not in known:
            guess = did_you_mean(name, known)
            raise InvalidInput(f"{where} has no {shown(name)}{guess} It has {', '.join(sorted(known))}.")
