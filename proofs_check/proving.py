"""A claim as a sequent, and its proof: looked for once, kept in `proofs/`, rebuilt by the kernel each time.

`Setting` is what a claim is about: symbols that it defines, the table, the number of actions, the memory.
`Sequent` is what it says. `Proof` collects the steps of an argument; when it is asked for a verdict, it gives
the kernel the proof that is kept, and only if the claim or the argument has changed it looks for one anew.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from proofs_check.kernel.rules import free
from proofs_check.kernel.terms import INTEGER, Free, KernelError, Symbol, Term, Variable
from proofs_check.outcome import Shown, Step, Verdict, Violation
from proofs_check.sentences import sentence
from proofs_check.theory.argument import Argument, Told
from proofs_check.theory.evaluate import NoValue, value
from proofs_check.theory.language import Language, declared
from proofs_check.theory.lines import Line, distinct, names_in, proof, read_proof, sequent
from proofs_check.theory.models import contradiction
from proofs_check.theory.schemas import LANGUAGE, WORDS
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.rationals import rational

CASES = 400  # that are tried before a proof is looked for, or an argument in words counts
FOLDER = Path(__file__).with_name("proofs")
KEEPING: list[bool] = []  # not empty while claims are recorded: proofs that are found are kept


@dataclass(frozen=True)
class Setting:
    """What the words of a claim stand for.

    Attributes
    ----------
    define : symbols by their heads, `"always(x, t)": "x"`; a recursion on the last parameter is written
        "2 then 3 - before": 2 where it is 0 or less, elsewhere that, `before` being the value one earlier.
    h, K, m : the table, the number of actions and the memory, if they are not any.
    variables : names beyond the usual ones, "r real; C(integer) real".
    """

    define: Mapping[str, str] = field(default_factory=dict)
    h: str | None = None
    K: str | None = None
    m: str | None = None
    variables: str = ""

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbols that are defined, in their order."""
        language, found = self._names, []
        for head, body in self.define.items():
            name = head.partition("(")[0]
            if name in language.names:
                raise KernelError(f"{name} has a meaning already")
            base, recursive, step = body.rpartition(" then ")
            found.append(language.define(head, step, base if recursive else None))
            language = language.having(found[-1])
        return tuple(found)

    @property
    def _names(self) -> Language:
        return Language({**LANGUAGE.names, **declared(self.variables)}, LANGUAGE.setting)

    @cached_property
    def language(self) -> Language:
        """The language of the claim."""
        return self._names.having(*self.symbols).having(**self.fixed)

    def meanings(self, texts: Iterable[str], words: Mapping[str, str]) -> dict[str, str]:
        """What the names in these texts stand for, definitions in backticks, if a meaning is given."""
        defined = {head.partition("(")[0]: _definition(head, body) for head, body in self.define.items()}
        known = {**words, **WORDS, **defined}
        terms = [*map(self.language.read, texts), *(self.language.setting[name] for name in self.fixed)]
        names = [name for term in terms for name in names_in(term)]
        return {name: known.get(name, "") for name in dict.fromkeys([*self.fixed, *names])}

    @property
    def fixed(self) -> dict[str, str]:
        """What is not any table, number of actions or memory."""
        named = {"h": self.h, "K": self.K, "m": self.m}
        return {name: text for name, text in named.items() if text is not None}


def _definition(head: str, body: str) -> str:
    base, recursive, step = body.rpartition(" then ")
    last = head.removesuffix(")").replace("(", " ").split()[-1]
    start = f", `{base}` for `{last} <= 0`, `before` being its value one earlier" if recursive else ""
    return f"`{head}` = `{step}`{start}"


@dataclass(frozen=True)
class Sequent:
    """What a claim says: if the hypotheses hold, so does the conclusion."""

    setting: Setting
    hypotheses: tuple[Term, ...]
    conclusion: Term

    @classmethod
    def read(cls, setting: Setting, hypotheses: Sequence[str], conclusion: str) -> Sequent:
        """The sequent that is written in the language of the setting."""
        language = setting.language
        made = cls(setting, tuple(map(language.read, hypotheses)), language.read(conclusion))
        distinct([*made.hypotheses, made.conclusion])
        return made

    @property
    def free(self) -> frozenset[Free]:
        """Its variables and function variables."""
        return free([*self.hypotheses, self.conclusion])

    @property
    def sentence(self) -> str:
        """What it says, formulas in backticks."""
        return sentence(self.setting.language, self.setting.fixed, self.hypotheses, self.conclusion)

    @property
    def integers(self) -> list[str]:
        """The names of its integer variables."""
        return sorted(one.name for one in self.free if isinstance(one, Variable) and one.sort == INTEGER)

    def at(self, given: Mapping[str, Any]) -> dict[Free, Any]:
        """The values that are given by name: numbers, a word that is repeated, the rows of a table."""
        missing = [one.name for one in self.free if one.name not in given]
        if missing:
            raise KernelError(f"the case has no value for {', '.join(sorted(missing))}")
        return {one: _value(one, given[one.name]) for one in self.free}

    def holds(self, given: Mapping[str, Any]) -> bool | None:
        """Whether the conclusion holds in this case; None if a hypothesis does not."""
        values = self.at(given)
        if not all(value(one, values) for one in self.hypotheses):
            return None
        return bool(value(self.conclusion, values))

    def violated(self, cases: Iterable[Mapping[str, Any]]) -> tuple[Violation | None, int]:
        """The first case that violates it, by the definitions, and how many cases its hypotheses allow."""
        inside = 0
        for case in cases:
            try:
                found = self.holds(case)
            except NoValue:
                continue
            inside += found is not None
            if found is False:
                facts = {name: one for name, one in case.items() if not callable(one)}
                return Violation(Witness(facts), confirmed=True), inside
        return None, inside

    def contradicted(self, model: Mapping[str, Any] | None, tries: int = CASES) -> Violation | None:
        """A small case in which the hypotheses hold and the conclusion does not, met near the model."""
        near = self.at(model) if model else {}
        case = contradiction(self.hypotheses, self.conclusion, near, tries)
        return None if case is None else self.violated([{one.name: case[one] for one in case}])[0]

    def to_json(self) -> dict[str, Any]:
        """For the kernel."""
        return sequent(self.hypotheses, self.conclusion)


def _value(one: Free, given: Any) -> Any:
    if callable(given):
        return given

    def number(entry: Any) -> int | Fraction:
        return int(entry) if one.sort == INTEGER else rational(entry, one.name)

    if isinstance(one, Variable):
        return number(given)
    if one.arity == 1:
        word = list(map(number, given))
        return lambda t: word[(t - 1) % len(word)]
    inside = {(x, y): number(entry) for x, row in enumerate(given, 1) for y, entry in enumerate(row, 1)}
    return lambda x, y: inside.get((x, y), 0)


@dataclass
class Proof:
    """The steps of an argument for a sequent; see `Argument` for what they mean."""

    id: str
    name: str
    sequent: Sequent
    model: Mapping[str, Any] | None
    uses: Callable[[str], object]  # is told which claims it rests on
    results: dict[str, Shown]  # by the name of what was shown
    steps: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)
    used: dict[str, Any] = field(default_factory=dict)
    violation: Violation | None = None

    def induct(self, on: str, statement: str, **more: Any) -> None:
        """A statement for every integer from 0 (or `start`) on."""
        self.steps.append(("induct", (on, statement), more))

    def have(self, statement: str, **more: Any) -> None:
        """A statement that follows from what is there."""
        self.steps.append(("have", (statement,), more))

    def use(self, id: str, name: str = "stated", **values: str) -> None:
        """What another claim shows; its variables stand for anything, or have these values."""
        self.uses(id)
        self.used[f"{id} {name}"] = kept(id, name)
        self.steps.append(("use", (id, name), values))

    def shown(self, hints: Sequence[str] = ()) -> Shown:
        """How far the sequent was shown: proved if the kernel rebuilds the proof and a model satisfies it."""
        stated = Formula(self.sequent.setting.language.write(self.sequent.conclusion))
        try:
            told = self._rebuilt(hints)
            found = Shown(stated, Verdict.PROVED, tuple(_step(one) for one in told))
        except KernelError as error:
            found = Shown(stated, Verdict.UNDECIDED, (), (str(error),), violation=self.violation)
        found = self.results[self.name] = replace(found, sentence=self.sequent.sentence)
        return found

    def _require_model(self) -> None:
        """A claim without a case is not proved."""
        if self.model is None or not self.sequent.holds(self.model):
            raise KernelError("no case satisfies its hypotheses")

    def _rebuilt(self, hints: Sequence[str]) -> list[Told]:
        document = kept(self.id, self.name)
        wanted = self._digest(hints)
        if document is None or document["of"] != wanted:
            self.violation = self.sequent.contradicted(self.model)
            if self.violation is not None:
                raise KernelError("a small case contradicts it")
            document = {"of": wanted, **self.found(hints)}
            if KEEPING:
                FOLDER.mkdir(exist_ok=True)
                _path(self.id, self.name).write_text(json.dumps(document) + "\n", encoding="utf-8")
        self._require_model()
        reason = refusal(document["proof"], self.sequent.to_json())
        if reason is not None:
            raise KernelError(reason)
        return [Told(*one) for one in document["told"]]

    def found(self, hints: Sequence[str]) -> dict[str, Any]:
        """A proof that is looked for now."""
        language = self.sequent.setting.language
        argument = Argument(language, list(self.sequent.hypotheses), self.sequent.setting.symbols)
        for kind, arguments, more in self.steps:
            if kind == "use":
                document = self.used[" ".join(arguments)]
                if document is None:
                    raise KernelError(f"{arguments[0]} has no proof that is kept")
                argument.use(arguments[0], read_proof(document["proof"]), **more)
            else:
                getattr(argument, kind)(*arguments, **more)
        line: Line = argument.so(self.sequent.conclusion, hints=hints)
        return {"told": [list(one) for one in argument.told], "proof": proof(line)}

    def _digest(self, hints: Sequence[str]) -> str:
        rests_on = {name: one and one["of"] for name, one in self.used.items()}
        whole = [self.sequent.to_json(), self.steps, list(hints), rests_on]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def _step(told: Told) -> Step:
    """A statement among the premises is a formula; axioms, definitions and claims have names."""
    premises = (f"`{one}`" if set(one) & set("=<>") else one for one in told.premises)
    on, equals, start = told.how.partition(" = ")
    how = f"{on} = `{start}`" if equals else on
    return Step(how, Formula(told.statement), f"kernel, from {'; '.join(premises) or 'what is given'}")


def _path(id: str, name: str) -> Path:
    return FOLDER / f"{id.replace('/', '.')}{'' if name == 'stated' else '.' + name}.json"


def kept(id: str, name: str) -> dict[str, Any] | None:
    """The proof that is kept, if there is one."""
    path = _path(id, name)
    return json.loads(path.read_text("utf-8")) if path.exists() else None


@cache
def _kernel() -> subprocess.Popen[str]:
    """The kernel in a process of its own, which knows nothing of claims."""
    command = [sys.executable, "-m", "proofs_check.kernel.proof"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.kill)
    return process


def refusal(proof: Mapping[str, Any], claim: Mapping[str, Any]) -> str | None:
    """Why the kernel does not accept the proof of a claim; None if it does."""
    process = _kernel()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"proof": proof, "claim": claim}) + "\n")
    process.stdin.flush()
    answer: str | None = json.loads(process.stdout.readline())
    return answer
