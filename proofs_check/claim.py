"""What a claim is: its formulas, a statement made of them, and a function that derives an outcome.

The two sides never mix. A `Claim` holds what is stated and where; an `Outcome` holds what the program found:
the verdict, the exact domain of the check, a witness, the best constant, a repair, and the evidence.

    proved      for all values in the domain: by the kernel, from its axioms and from definitions, or by Rocq,
                as the record of `make formal` has it
    argued      for all values in the domain, in words, beside what was evaluated
    checked     at every member of the box that is named as the domain
    refuted     with a witness that was found by search and evaluated again by other means
    undecided   none of these; the evidence says what stood in the way

The statement and the domain are printed from the formulas that are examined, and nothing else is: a claim
that has formulas states `{stated}`, one that it declares and does not use is an error, and a claim says in
advance which others it `uses`. Every formula can be replaced (`Claim.having`), so that tests can ask what
happens if it were another.
"""

from __future__ import annotations

import fnmatch
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from proofs_check.glossary import GLOSSARY
from proofs_check.steps import IN_WORDS, SHOWN, Shown, Step, Verdict, because, kinds
from proofs_check.witness import Witness
from tallyplan.errors import InternalError, InvalidInput, did_you_mean
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent
from tallyplan.model.display import LONGEST_SENTENCE, SmallTable, card, displayable

if TYPE_CHECKING:
    from proofs_check.proving import Proof, Sequent, Setting

STATED = "stated"  # the formula that a claim is about
Box = Mapping[str, Sequence[Any]]  # values by name


class Violation(Protocol):
    """A case that a search found to violate a statement."""

    def witness(self) -> Witness:
        """For the reader."""

    def confirmed(self) -> bool:
        """Whether it violates the statement, worked out by other means than those of the search."""


@dataclass(frozen=True)
class Tight:
    """The best constant or the exact domain, how far that was shown, and the case that attains it.

    >>> Tight("m - 1", Verdict.PROVED).to_json()
    {'statement': 'm - 1', 'verdict': 'proved', 'witness': None}

    See Also
    --------
    proofs_check.Repair : if the statement is false.
    proofs_check.Outcome : has it.
    """

    statement: str
    verdict: Verdict
    witness: Witness | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"statement": ..., "verdict": ..., "witness": ... or null}`."""
        return {
            "statement": self.statement,
            "verdict": self.verdict.value,
            "witness": self.witness and self.witness.to_json(),
        }


@dataclass(frozen=True)
class Repair:
    """The nearest true statement, and how far it was shown.

    >>> Repair("for T >= 2", Verdict.ARGUED).to_json()
    {'statement': 'for T >= 2', 'verdict': 'argued'}

    See Also
    --------
    proofs_check.Tight : if the statement is true.
    proofs_check.Outcome : has it.
    """

    statement: str
    verdict: Verdict

    def to_json(self) -> dict[str, Any]:
        """`{"statement": ..., "verdict": ...}`."""
        return {"statement": self.statement, "verdict": self.verdict.value}


@dataclass(frozen=True)
class Evidence:
    """What was done: `method` in a phrase, the number of `cases` evaluated, and the `steps`.

    A step is a `Step` of an argument that was carried out, or a remark, which proves nothing.

    >>> Evidence("every table of a box", 16).size
    '16 cases'

    See Also
    --------
    proofs_check.Outcome : has it.
    proofs_check.Step : what it consists of.
    """

    method: str
    cases: int = 0
    steps: tuple[str | Step, ...] = ()

    @property
    def size(self) -> str:
        """How much was done: the steps of an argument, or the cases of a search."""
        argument = self.cases == sum(isinstance(step, Step) for step in self.steps)
        noun = "step" if argument else "case"
        return f"{self.cases} {noun}{'' if self.cases == 1 else 's'}"

    def to_json(self) -> dict[str, Any]:
        """`{"method": ..., "cases": ..., "steps": [...]}`; a remark is `{"remark": ...}`."""
        steps = [step.to_json() if isinstance(step, Step) else {"remark": step} for step in self.steps]
        return {"method": self.method, "cases": self.cases, "steps": steps}


@dataclass(frozen=True)
class Outcome:
    """What the program found out about a claim.

    A witness accompanies a refutation; if undecided, it is the case that could not be confirmed.
    `because` says in a sentence why this is the verdict, `kind` what kind of refutation it is
    (`refuted.toml`), or that Rocq vouches for a proof; `shown` tells for each formula how far it was shown;
    `error` is the sentence of an examination that broke.

    >>> found = Outcome(Verdict.REFUTED, "T = 2", Evidence("search", 4), witness=Witness({"T": 2}))
    >>> print(found.verdict, "by", found.witness)
    refuted by T = 2

    See Also
    --------
    proofs_check.Result : the claim and its outcome.
    proofs_check.Evidence : what was done.
    """

    verdict: Verdict
    domain: str
    evidence: Evidence
    witness: Witness | None = None
    tight: Tight | None = None
    repair: Repair | None = None
    shown: Mapping[str, Verdict] = field(default_factory=dict)
    error: str | None = None
    because: str = ""
    kind: str = ""

    @property
    def told(self) -> str:
        """The verdict for people: of a proof what vouches for it, of a refutation what kind it is."""
        more = self.kind or ("kernel" if self.verdict is Verdict.PROVED else "")
        return f"{self.verdict} ({more})" if more else self.verdict.value


class Formulas:
    """The formulas of a claim by name; a name in a formula stands for the formula of that name.

    >>> f = Formulas({"bound": "m + 1", "stated": "2 * loss <= bound"})
    >>> print(f.stated)
    2 * loss <= m + 1
    >>> sorted(f.read)
    ['bound', 'stated']
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        self.read: set[str] = set()
        self._whole: dict[str, Formula] = {}

    def __getattr__(self, name: str) -> Formula:
        if name not in self.texts:
            raise AttributeError(f"the claim declares no formula {name!r}.")
        if name not in self.read:
            self.read.update(self._parts(name))
        return self.whole(name)

    def whole(self, name: str) -> Formula:
        """The formula with all names replaced, without a note that it was read."""
        if name not in self._whole:
            self._whole[name] = self._replaced(name)
        return self._whole[name]

    def _replaced(self, name: str) -> Formula:
        one = Formula(self.texts[name])
        inner = [other for other in one.names if other in self.texts and other != name]
        return one.where(**{other: self.whole(other) for other in inner}) if inner else one

    def _parts(self, name: str) -> Iterator[str]:
        yield name
        for other in Formula(self.texts[name]).names:
            if other in self.texts and other != name:
                yield from self._parts(other)


class Run:
    """One run: every claim is examined once, those that it uses before it.

    `known` are results from elsewhere; `instead` are claims to examine in place of the registered ones, and
    nothing is known about those that rest on them.
    """

    def __init__(self, known: Mapping[str, Result] | None = None, instead: Sequence[Claim] = ()) -> None:
        self._results: dict[str, Result] = {}
        self._known = known or {}
        self._instead = {one.id: one for one in instead}
        self._open: list[str] = []

    def claim(self, id: str) -> Claim:
        """The claim of this name in this run."""
        return self._instead.get(id) or named(id)

    def _rests_on_another(self, id: str) -> bool:
        return id in self._instead or any(map(self._rests_on_another, self.claim(id).uses))

    def result(self, id: str, request: Request) -> Result:
        """The result of the claim, derived now if it was not yet."""
        if id in self._open:
            raise InternalError(f"these claims rest on each other: {', '.join([*self._open, id])}.")
        if id not in self._results:
            self._open.append(id)
            try:
                old = id in self._known and not self._rests_on_another(id)
                self._results[id] = (
                    self._known[id] if old else self.claim(id).derived(replace(request, run=self))
                )
            finally:
                self._open.pop()
        return self._results[id]


@dataclass(frozen=True)
class Request:
    """How to examine a claim: on larger boxes if `thorough`, telling `progress` where it stands.

    While a claim is examined, it also holds the claim's formulas, and what other claims show.
    """

    thorough: bool = False
    progress: Progress = silent
    run: Run = field(default_factory=Run, repr=False)
    claim: Claim | None = field(default=None, repr=False)
    formulas: Formulas = field(default_factory=lambda: Formulas({}), repr=False)
    used: set[str] = field(default_factory=set, repr=False)
    shown: dict[str, Shown] = field(default_factory=dict, repr=False)

    @property
    def domain(self) -> tuple[Formula, ...]:
        """The hypotheses of the claim, for the steps that are given all of them."""
        return tuple(getattr(self.formulas, name) for name in self._claim.domain)

    @property
    def _claim(self) -> Claim:
        if self.claim is None:
            raise InternalError("no claim is being examined.")
        return self.claim

    def result(self, id: str) -> Result:
        """What the program finds about another claim, which this one must say that it uses."""
        self.used.add(id)
        return self.run.result(id, self)

    def borrow(self, id: str, name: str) -> Formula:
        """A formula of another claim, whatever is found about that."""
        self.used.add(id)
        return self.run.claim(id).formula(name)

    def argue(
        self,
        *sentences: str,
        name: str = STATED,
        on: Sequence[str] | None = None,
        given: Sequence[Shown] = (),
    ) -> Shown:
        """A written argument for the formula of that name, given some, `on` claims that it uses."""
        stated, _ = getattr(self.formulas, name), self.domain
        uses = self._claim.uses if on is None else on
        found: dict[object, Verdict] = {id: self.result(id).outcome.verdict for id in uses}
        found |= {one.formula: one.verdict for one in given}
        missing = tuple(f"{one} is {verdict}" for one, verdict in found.items() if verdict not in SHOWN)
        verdict = Verdict.UNDECIDED if missing else Verdict.ARGUED
        in_words = Shown(stated, verdict, tuple(map(Step, sentences)), missing or (IN_WORDS,))
        self.shown[name] = self._closed(stated, name, sentences) or in_words
        return self.shown[name]

    def _closed(self, stated: Formula, name: str, sentences: Sequence[str]) -> Shown | None:
        """The formula as Rocq proves it, by its record, if a case satisfies the domain."""
        one = self._claim
        found = [
            closing(one, name) for closing in CLOSINGS if one.setting is not None and one.model is not None
        ]
        theorem = next(filter(None, found), None)
        if theorem is None or not one.closed(name).holds(one.model or {}):
            return None
        step = Step(" ".join(sentences), stated, f"Rocq, {theorem[0]}")
        return Shown(stated, Verdict.PROVED, (step,), rocq=theorem[1])

    def proof(self, name: str = STATED, without: Sequence[str] = ()) -> Proof:
        """An argument for the formula of that name, on the domain without some hypotheses, for the kernel."""
        from proofs_check.proving import Proof

        stated = self.sequent(name, without)
        return Proof(self._claim.id, name, stated, self._claim.model, self.result, self.shown)

    def fails(self, box: Box) -> bool:
        """Whether a case of the box violates what is stated, so that no proof need be looked for."""
        from proofs_check.proving import violation

        return violation(self.sequent(), box)[0] is not None

    def sequent(self, name: str = STATED, without: Sequence[str] = ()) -> Sequent:
        """What the claim says, or what it would say with another formula in place of the stated one."""
        domain = [str(getattr(self.formulas, one)) for one in self._claim.domain if one not in without]
        return self._claim.sequent(str(getattr(self.formulas, name)), domain)

    def conclude(
        self,
        shown: Shown | None,
        *,
        box: Box | None = None,
        method: str,
        cases: int = 0,
        checked_on: str | None = None,
        violation: Violation | None = None,
        remarks: Sequence[str | Step] = (),
        tight: Tight | None = None,
        repair: Repair | None = None,
    ) -> Outcome:
        """The outcome: the verdict is derived, and the domain printed is the one that it is about.

        Parameters
        ----------
        shown : how far the stated formula was shown by steps; None if only a box was searched.
        box : values by name, at all of which the sequent of the claim is evaluated, by the definitions.
        checked_on : the box that was searched for a violation, in words; None if there was no search.
        violation : what the search found; it refutes the claim once it is confirmed by other means.
        """
        if box is not None:
            from proofs_check.proving import violation as violated

            violation, cases = violated(self.sequent(), box)
            checked_on = checked_on or ", ".join(f"{one} = {_range(values)}" for one, values in box.items())
        proved = shown is not None and shown.verdict in SHOWN
        confirmed = violation is not None and violation.confirmed()
        if confirmed and shown is not None and shown.verdict is Verdict.PROVED:
            raise InternalError(f"{self._claim.id} is shown and refuted; one of the two is wrong.")
        if violation is not None:
            verdict = Verdict.REFUTED if confirmed else Verdict.UNDECIDED
        elif shown is not None and proved:
            verdict = shown.verdict
        else:
            verdict = Verdict.UNDECIDED if checked_on is None else Verdict.CHECKED
        said = [
            f"{one.formula} is not proved: {reason}."
            for one in self.shown.values()
            for reason in one.because
            if reason != IN_WORDS
        ]
        searched = [f"Box: {checked_on}."] if checked_on and proved else []
        steps = self._told(shown)
        taken = sum(isinstance(step, Step) for step in steps)
        kind, sentence = kinds().get(self._claim.id, ("", "")) if verdict is Verdict.REFUTED else ("", "")
        return Outcome(
            verdict,
            self._claim.on if verdict in SHOWN else checked_on or "none",
            Evidence(method, cases or taken, (*steps, *said, *searched, *remarks)),
            witness=violation.witness() if violation is not None else None,
            tight=tight if tight and tight.verdict is not Verdict.UNDECIDED else None,
            repair=repair,
            shown={name: one.verdict for name, one in self.shown.items()},
            because=sentence or (verdict in SHOWN and shown and shown.rocq) or because(verdict, checked_on),
            kind="Rocq" if verdict is Verdict.PROVED and shown and shown.rocq else kind,
        )

    def _told(self, stated: Shown | None) -> list[str | Step]:
        """The steps for what is stated, and then for everything else that was shown, each step once."""
        told: list[str | Step] = [*stated.steps] if stated else []
        for one in self.shown.values():
            more = [step for step in one.steps if step not in told]
            told += [f"For {one.formula}:", *more] if more else []
        return told


def _range(values: Sequence[Any]) -> str:
    """The values of a parameter in a box, in words."""
    if isinstance(values, range) and len(values) > 2:
        return f"{values[0]}..{values[-1]}"
    return ", ".join(map(str, values)) if len(values) < 5 else f"{len(values)} of them"


Derive = Callable[[Request], Outcome]
CLOSINGS: list[Callable[[Claim, str], tuple[str, str] | None]] = []  # by `formal/theorems.py`: name, record
Picture = Callable[[str], None]  # writes the picture file of this name, .svg, .png or .pdf


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, or a step or a clause of one (`<id>/<name>`).

    Attributes
    ----------
    words : the statement, with `{name}` where a formula is printed.
    where : the result and its label in the source of the paper.
    derive : examines the claim; its docstring tells how.
    picture : draws what was found, if there is something to see.
    formulas : the formulas of the claim by name; `stated` is what it states.
    domain : the hypotheses under which it is stated, by name.
    integers : the parameters that are integers, "K m T".
    symbols : what its own names stand for; the others are in the glossary.
    assuming : hypotheses that are only words; a claim that has some is argued at best.
    uses : the claims that it rests on.
    setting : what its formulas are about, for the kernel: the domain and a formula are a sequent.
    model : a case that satisfies the domain, which the kernel's verdict needs.

    >>> formulas = {"stated": "gap <= bound", "bound": "m * sqrt(T)"}
    >>> one = Claim("x", "{stated}.", "nowhere", print, formulas=formulas, symbols={"gap": "a difference"})
    >>> one.statement
    'gap <= m * sqrt(T).'

    See Also
    --------
    proofs_check.claim.claim : registers one.
    proofs_check.verify : examines it.
    """

    id: str
    words: str
    where: str
    derive: Derive = field(repr=False)
    picture: Picture | None = field(default=None, repr=False)
    formulas: Mapping[str, str] = field(default_factory=dict)
    domain: Mapping[str, str] = field(default_factory=dict)
    integers: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)
    assuming: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    setting: Setting | None = None
    model: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.texts and (STATED not in self.formulas or f"{{{STATED}}}" not in self.words):
            raise ValueError(f"the claim {self.id!r} has formulas, so its statement must hold {{{STATED}}}.")
        unknown = set(re.findall(r"\{([a-z_]\w+)\}", self.words)) - set(self.texts)
        if self.texts and unknown:
            raise ValueError(f"the statement of {self.id!r} prints {unknown}, which it does not declare.")
        shared = set(self.symbols) & set(GLOSSARY)
        unexplained = shared or {name for name, meaning in self.meanings.items() if not meaning}
        if unexplained:
            raise ValueError(f"say once what these names in {self.id!r} stand for: {sorted(unexplained)}.")

    @property
    def texts(self) -> dict[str, str]:
        """All formulas, those of the domain included."""
        return {**self.formulas, **self.domain}

    def sequent(self, conclusion: str, domain: Sequence[str]) -> Sequent:
        """The sequent that is written here, in the setting of the claim."""
        from proofs_check.proving import Sequent

        if self.setting is None:
            raise InternalError(f"{self.id} has no setting; the kernel cannot read its formulas.")
        return Sequent.read(self.setting, domain, conclusion)

    def closed(self, name: str) -> Sequent:
        """The formula of that name, on the whole domain."""
        return self.sequent(str(self.formula(name)), [str(self.formula(one)) for one in self.domain])

    def formula(self, name: str) -> Formula:
        """The formula of that name, other formulas filled in."""
        return Formulas(self.texts).whole(name)

    def having(self, name: str, text: str) -> Claim:
        """The claim with another formula of that name, which it must have."""
        if name not in self.texts:
            raise ValueError(f"{self.id} has no formula named {name}; it has {', '.join(self.texts)}.")

        def changed(old: Mapping[str, str]) -> dict[str, str]:
            return {one: text if one == name else was for one, was in old.items()}

        return replace(self, formulas=changed(self.formulas), domain=changed(self.domain))

    @property
    def sentence(self) -> tuple[str | Formula, ...]:
        """The statement, words and formulas in their order."""
        formulas = Formulas(self.texts)
        parts = re.split(rf"\{{({'|'.join(self.texts)})\}}", self.words) if self.texts else [self.words]
        told = (formulas.whole(part) if number % 2 else part for number, part in enumerate(parts))
        return tuple(part for part in told if part)

    @property
    def statement(self) -> str:
        """The statement, formulas filled in."""
        return "".join(map(str, self.sentence))

    @property
    def meanings(self) -> dict[str, str]:
        """What the names in its formulas stand for, where an explanation exists."""
        formulas = Formulas(self.texts)
        whole = [formulas.whole(one) for one in self.texts]
        if self.setting is not None:
            return self.setting.meanings(map(str, whole), {**GLOSSARY, **self.symbols})
        names = dict.fromkeys(name for one in whole for name in (*one.names, *one.functions))
        known = {**GLOSSARY, **self.symbols}
        return {name: known.get(name, "") for name in names}

    @property
    def conditions(self) -> tuple[str | Formula, ...]:
        """Under which it is stated: which parameters are integers, formulas, hypotheses in words."""
        formulas = Formulas(self.texts)
        whole = [f"integers {', '.join(self.integers.split())}"] if self.integers else []
        if self.setting is not None:
            whole += [f"{name} = {text}" for name, text in self.setting.fixed.items()]
        return (*whole, *(formulas.whole(name) for name in self.domain), *self.assuming)

    @property
    def on(self) -> str:
        """The domain for people."""
        return ", ".join(map(str, self.conditions)) or "always"

    @property
    def method(self) -> str:
        """How the claim is examined, in words."""
        return inspect.getdoc(self.derive) or ""

    def examine(self, request: Request) -> Result:
        """Derive the outcome, those of the claims that it uses first."""
        return Run(instead=[self]).result(self.id, request)

    def derived(self, request: Request) -> Result:
        """The result in this run; an examination that breaks leaves the claim undecided, with the error."""
        request = replace(request, claim=self, formulas=Formulas(self.texts), used=set(), shown={})
        try:
            outcome = self.derive(request)
            self._require_all_used(request)
        except Exception as error:  # one claim that breaks must not end the run
            sentence = f"{type(error).__name__}: {error}"
            evidence = Evidence("the examination ended with an error", steps=(sentence,))
            outcome = Outcome(Verdict.UNDECIDED, "none", evidence, error=sentence, because=sentence)
        return Result(self, outcome)

    def _require_all_used(self, request: Request) -> None:
        idle = set(self.texts) - request.formulas.read
        if idle:
            raise InternalError(f"{self.id} declares formulas that nothing uses: {', '.join(sorted(idle))}.")
        if request.used != set(self.uses):
            raise InternalError(
                f"{self.id} says that it uses {sorted(self.uses)}; it uses {sorted(request.used)}."
            )


@displayable
@dataclass(frozen=True)
class Result:
    """A claim and its outcome, side by side.

    >>> one = Claim("two", "One and one is two.", "nowhere", derive=print)
    >>> result = Result(one, Outcome(Verdict.CHECKED, "one case", Evidence("counting", 1)))
    >>> result.to_json()["id"], result.to_json()["verdict"]
    ('two', 'checked')

    See Also
    --------
    proofs_check.verify : returns it.
    proofs_check.Outcome : what was found.
    """

    claim: Claim
    outcome: Outcome

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        found = self.outcome
        entries = {"verdict": found.told, "statement": self.claim.statement, "domain": found.domain}
        entries |= {"witness": str(found.witness)} if found.witness else {}
        entries |= {"repair": found.repair.statement} if found.repair else {}
        entries |= {"evidence": f"{found.evidence.method}, {found.evidence.size}"}
        return card(f"{self.claim.id}: {self.claim.where}", entries, LONGEST_SENTENCE)

    def to_json(self) -> dict[str, Any]:
        """The object that `tallyplan verify --json` lists."""
        found = self.outcome
        return {
            "id": self.claim.id,
            "verdict": found.told,
            "because": found.because,
            "statement": f"{self.claim.where}: {self.claim.statement}",
            "domain": found.domain,
            "witness": found.witness and found.witness.to_json(),
            "tight": found.tight and found.tight.to_json(),
            "repair": found.repair and found.repair.to_json(),
            "evidence": found.evidence.to_json(),
            "uses": list(self.claim.uses),
            "error": found.error,
        }


_REGISTRY: dict[str, Claim] = {}


def claim(
    id: str,
    *,
    statement: str,
    where: str,
    picture: Picture | None = None,
    formulas: Mapping[str, Formula | str] | None = None,
    domain: Mapping[str, Formula | str] | None = None,
    integers: str = "",
    symbols: Mapping[str, str] | None = None,
    assuming: Sequence[str] = (),
    uses: Sequence[str] = (),
    setting: Setting | None = None,
    model: Mapping[str, Any] | None = None,
) -> Callable[[Derive], Derive]:
    """Register the decorated function as the examination of a claim; see `Claim` for the arguments.

    >>> @claim("an-example", statement="Something holds.", where="nowhere")  # doctest: +SKIP
    ... def derive(request):
    ...     \"\"\"How it is examined.\"\"\"
    ...     return request.conclude(None, method="a search", cases=1, checked_on="K = 1")

    See Also
    --------
    proofs_check.Claim : what it makes.
    proofs_check.verify : examines all that are registered.
    """

    def register(derive: Derive) -> Derive:
        if id in _REGISTRY:
            raise ValueError(f"the claim {id!r} is registered twice.")
        _REGISTRY[id] = Claim(
            id,
            statement,
            where,
            derive,
            picture,
            {name: str(one) for name, one in (formulas or {}).items()},
            {name: str(one) for name, one in (domain or {}).items()},
            integers,
            dict(symbols or {}),
            tuple(assuming),
            tuple(uses),
            setting,
            model,
        )
        return derive

    return register


def registered() -> tuple[Claim, ...]:
    """All claims whose files have been imported, in the order of registration."""
    return tuple(_REGISTRY.values())


def matching(pattern: str) -> tuple[Claim, ...]:
    """The claims whose ids match a pattern such as `lemma-*`; an id matches itself.

    Raises
    ------
    InvalidInput : there is none; the sentence names the closest one.
    """
    found = tuple(one for id, one in _REGISTRY.items() if fnmatch.fnmatchcase(id, pattern))
    return found or (named(pattern),)


def with_steps(id: str) -> tuple[Claim, ...]:
    """The claim and its steps and clauses, `<id>/<name>`."""
    return (named(id), *(one for one in registered() if one.id.startswith(f"{id}/")))


def named(id: str) -> Claim:
    """The claim with this id.

    Raises
    ------
    InvalidInput : there is none; the sentence names the closest one.
    """
    if id not in _REGISTRY:
        every = "`tallyplan verify --list` names them all."
        raise InvalidInput(f"there is no claim {id!r}{did_you_mean(id, _REGISTRY)} {every}")
    return _REGISTRY[id]
