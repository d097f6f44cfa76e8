"""The steps of an argument, and how far they show a formula.

A `Step` says *given |- then*: for all values of its variables, if the formulas `given` hold, so does `then`.
It holds what the tool saw, so that what is printed is what was checked; its words are an addition.

A formula is shown by a list of steps, the last of which concludes it. Everything that a step is given must
come from somewhere:

    the domain          a hypothesis of the claim
    an earlier step     its `then`, if all that it was given is accounted for too
    a `Fact`            what holds for all values: a definition, another claim (`Request.quote`), or an
                        instance of a step (`Step.at`)

A given that comes from nowhere leaves the formula undecided. A link that only words make is a step of its
own, `argued(words, then=...)`. The formula is *argued*, never *proved*: nobody checks that a definition is
one, and only the kernel proves (`proofs_check.proving`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from tallyplan.formula import Formula


class Verdict(StrEnum):
    """The five things that can be said of a claim, or of a formula.

    >>> [one.value for one in Verdict]
    ['proved', 'argued', 'checked', 'refuted', 'undecided']

    See Also
    --------
    proofs_check.Outcome : has one.
    """

    PROVED = "proved"
    ARGUED = "argued"
    CHECKED = "checked"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


SHOWN = (Verdict.PROVED, Verdict.ARGUED)  # for all values in the domain, the stronger first
BY_HAND = "its definitions are written by hand and not checked by the kernel"
IN_WORDS = "it is argued in words"


def weakest(*verdicts: Verdict) -> Verdict:
    """What can be said of something that rests on all of these.

    >>> weakest(Verdict.ARGUED, Verdict.PROVED), weakest(Verdict.PROVED, Verdict.REFUTED)
    (<Verdict.ARGUED: 'argued'>, <Verdict.UNDECIDED: 'undecided'>)
    """
    if Verdict.REFUTED in verdicts:
        return Verdict.UNDECIDED
    rising = (Verdict.UNDECIDED, Verdict.CHECKED, Verdict.ARGUED, Verdict.PROVED)
    return next((one for one in rising if one in verdicts), Verdict.UNDECIDED)


@dataclass(frozen=True)
class Fact:
    """A formula that holds for all values of its variables, and the reason."""

    formula: Formula
    because: str
    source: Step | None = field(default=None, repr=False)
    verdict: Verdict = Verdict.PROVED  # of the claim that is quoted
    integers: frozenset[str] = frozenset()  # it holds if these names are integers
    defines: str = ""  # the name that it gives a meaning; in one argument, a name has one meaning

    def __str__(self) -> str:
        return str(self.formula)


Given = Formula | Fact


@dataclass(frozen=True)
class Step:
    """One step: what was shown, by which tool, and whether it holds.

    Attributes
    ----------
    words : the step for people; never a substitute for the formulas.
    by : the tool and its answer.
    holds : yes, no, or None if the tool gave no answer.
    then, given, variables : what the tool saw. A step without `then` is only words, and argued.
    parts : the steps that the tool took, for example the two of an induction.

    >>> print(Step("a square", "z3", True, Formula("x * x >= 0")))
    a square: |- x * x >= 0: yes, by z3

    See Also
    --------
    proofs_check.Evidence : a list of steps.
    """

    words: str
    by: str
    holds: bool | None
    then: Formula | None = None
    given: tuple[Given, ...] = ()
    variables: str = ""
    parts: tuple[Step, ...] = ()
    prose: bool = False  # only words make this link

    @property
    def is_argued(self) -> bool:
        """Whether only words make this link."""
        return self.prose or self.then is None

    @property
    def formulas(self) -> str:
        """given |- then."""
        given = ", ".join(map(str, self.given))
        return f"{given} |- {self.then}".strip() if given else f"|- {self.then}"

    @property
    def hypotheses(self) -> tuple[Formula, ...]:
        """What is given and no fact."""
        return tuple(one for one in self.given if isinstance(one, Formula))

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts among what is given, also those of the parts."""
        own = tuple(one for one in self.given if isinstance(one, Fact))
        return own + tuple(fact for part in self.parts for fact in part.facts)

    @property
    def integers(self) -> frozenset[str]:
        """The names that must be integers: those declared so, and those of the facts."""
        groups = [group.replace(", ", ",").split() for group in self.variables.split(";") if group.strip()]
        own = [name for *names, kind in groups for name in names if kind == "integer" and "(" not in name]
        return frozenset(own).union(*(fact.integers for fact in self.facts))

    def at(self, **instance: Formula | str | int) -> Fact:
        """What the step shows at these values of its variables, as a fact for later steps.

        >>> square = Step("", "z3", True, Formula("n * n >= n"), (Formula("n >= 1"),))
        >>> print(square.at(n="K + 1"))
        implies(K + 1 >= 1, (K + 1) * (K + 1) >= K + 1)
        """
        if self.then is None:
            raise ValueError(f"the step {self.words!r} shows no formula.")
        whole = [Formula(f"integer({name})") for name in instance if name in self.integers]
        shown = implication([*whole, *self.hypotheses], self.then).where(**instance)
        at = ", ".join(f"{name} = {value}" for name, value in instance.items())
        because = f"the step '{self.words or self.then}'" + (f" at {at}" if at else "")
        return Fact(shown, because, self, integers=self.integers - set(instance))

    @property
    def answer(self) -> str:
        """Whether it holds, and by which tool; of a link that only words make, that it is argued."""
        answer = {True: "yes", False: "no", None: "undecided"}[self.holds]
        return "argued" if self.is_argued else f"{answer}, by {self.by}"

    def __str__(self) -> str:
        return ": ".join(part for part in (self.words, self.then and self.formulas, self.answer) if part)

    def to_json(self) -> dict[str, Any]:
        """Everything, formulas as text."""
        return {
            "words": self.words,
            "variables": self.variables,
            "given": [_given_to_json(one) for one in self.given],
            "then": self.then and str(self.then),
            "by": self.by,
            "holds": self.holds,
            "argued": self.is_argued,
            "parts": [part.to_json() for part in self.parts],
        }


def _given_to_json(one: Given) -> dict[str, str]:
    because = one.because if isinstance(one, Fact) else "hypothesis"
    return {"formula": str(one), "because": because}


def formula(text: Formula | str) -> Formula:
    """A formula, also from its text."""
    return text if isinstance(text, Formula) else Formula(text)


def givens(given: Iterable[Given | str]) -> tuple[Given, ...]:
    """What a step is given; a text is a formula."""
    return tuple(Formula(one) if isinstance(one, str) else one for one in given)


def implication(premises: Sequence[Formula], conclusion: Formula) -> Formula:
    """The conclusion if the premises hold."""
    if not premises:
        return conclusion
    names = {f"premise_{i}": one for i, one in enumerate(premises)}  # put in as trees, which need no parsing
    whole = Formula(f"implies({' and '.join(names)}, conclusion)")
    return whole.where(**names, conclusion=conclusion)


def conclusions(*steps: Step) -> list[Formula]:
    """What the steps show, for the `given` of a later one."""
    return [step.then for step in steps if step.then is not None]


def argued(words: str, then: Formula | str | None = None, given: Sequence[Given | str] = ()) -> Step:
    """A link that only words make, the formula that they are for, and what it needs.

    >>> print(argued("by Hoeffding's inequality", then="p <= delta"))
    by Hoeffding's inequality: |- p <= delta: argued
    """
    return Step(words, "words", None, None if then is None else formula(then), givens(given), prose=True)


@dataclass(frozen=True)
class Shown:
    """How far a formula was shown, by these steps, and what stands in the way of more."""

    formula: Formula
    verdict: Verdict
    steps: tuple[Step, ...]
    because: tuple[str, ...] = ()  # why it is not proved
    rocq: str = ""  # that Rocq proves it, in a sentence


def show(
    conclusion: Formula, steps: Sequence[Step], domain: Sequence[Formula] = (), integers: Sequence[str] = ()
) -> Shown:
    """How far the steps show the conclusion on the domain, where the named parameters are integers.

    >>> one = Step("", "z3", True, Formula("x >= 1"), (Formula("x >= 2"),))
    >>> two = Step("", "z3", True, Formula("x > 0"), (Formula("x >= 1"),))
    >>> show(Formula("x > 0"), [one, two], domain=[Formula("x >= 2")]).verdict
    <Verdict.ARGUED: 'argued'>
    >>> print(*show(Formula("x > 0"), [two]).because)
    no step shows x >= 1
    """
    open_ends = _open_ends(conclusion, steps, domain)
    stated = {name for one in (conclusion, *domain) for name in one.names}
    taken = {name for step in steps for name in step.integers & stated} - set(integers)
    open_ends += [f"the steps take {name} to be an integer" for name in sorted(taken)]
    open_ends += _two_meanings(steps)
    weak = [f"{words} is argued" for words in _argued_links(steps)]
    quoted = {
        fact.because: fact.verdict for step in steps for fact in _all_facts(step) if fact.source is None
    }
    weak += [f"{because} is {verdict}" for because, verdict in quoted.items() if verdict is Verdict.ARGUED]
    open_ends += [f"{because} is {verdict}" for because, verdict in quoted.items() if verdict not in SHOWN]
    verdict = Verdict.UNDECIDED if open_ends else Verdict.ARGUED
    return Shown(conclusion, verdict, tuple(steps), tuple(open_ends or [*weak, BY_HAND]))


def _open_ends(conclusion: Formula, steps: Sequence[Step], domain: Sequence[Formula]) -> list[str]:
    """Steps that do not hold; if no step concludes, why not."""
    broken = [one for step in steps for one in (step, *_sources(step)) if not (one.holds or one.is_argued)]
    known = {one.canonical for one in domain}
    concluding = []
    for step in steps:
        if step.then is None or not _stands(step):
            continue
        missing = [one for one in step.hypotheses if one.canonical not in known]
        if not missing:
            known.add(step.then.canonical)
        circular = conclusion.canonical in {one.canonical for one in step.hypotheses}
        if step.then.canonical == conclusion.canonical and not step.is_argued and not circular:
            concluding.append(missing)
    said = [f"this step does not hold: {step}" for step in dict.fromkeys(broken)]
    if said or [] in concluding:
        return said
    return [f"no step shows {one}" for missing in concluding for one in missing] or [
        f"no step concludes {conclusion}"
    ]


def _stands(step: Step) -> bool:
    """Whether the step, its parts, and the steps that its facts come from, hold or are argued."""
    seen, waiting = {id(step)}, [step]
    while waiting:
        one = waiting.pop()
        if not (one.holds or one.is_argued):
            return False
        sources = [fact.source for fact in one.facts if fact.source is not None]
        new = {id(other): other for other in (*one.parts, *sources) if id(other) not in seen}
        seen.update(new)
        waiting += new.values()
    return True


def _all_facts(step: Step) -> list[Fact]:
    """The facts of a step and of the steps that they come from, each step once: many share their sources."""
    seen: set[int] = set()

    def facts(one: Step) -> Iterator[Fact]:
        if id(one) not in seen:
            seen.add(id(one))
            for fact in one.facts:
                yield fact
                if fact.source is not None:
                    yield from facts(fact.source)

    return list(facts(step))


def _two_meanings(steps: Sequence[Step]) -> list[str]:
    """Names that are defined in two ways."""
    meanings: dict[str, set[str]] = {}
    for fact in (fact for step in steps for fact in _all_facts(step) if fact.defines):
        meanings.setdefault(fact.defines, set()).add(fact.because)
    return [f"{name} has two meanings: {', '.join(sorted(m))}" for name, m in meanings.items() if len(m) > 1]


def _sources(step: Step) -> list[Step]:
    """The steps that its facts come from."""
    return [fact.source for fact in _all_facts(step) if fact.source is not None]


def _argued_links(steps: Sequence[Step]) -> list[str]:
    links = [one for step in steps for one in (step, *_sources(step)) if one.is_argued]
    return list(dict.fromkeys(f"'{step.words or step.then}'" for step in links))


@cache
def kinds() -> dict[str, tuple[str, str]]:
    """Of each claim that is known to be refuted: slip, edge, constant or false, and a sentence."""
    text = files("proofs_check").joinpath("refuted.toml").read_text("utf-8")
    return {id: (kind, sentence) for id, (kind, sentence) in tomllib.loads(text).items()}


def because(verdict: Verdict, shown: Shown | None, checked_on: str | None) -> str:
    """Why this is the verdict, in one sentence."""
    reasons = shown.because if shown is not None else ()
    if verdict is Verdict.ARGUED and IN_WORDS in reasons:
        return "The argument is in words; the kernel does not prove it."
    words = "" if [*reasons] == [BY_HAND] else ", and links that only words make are named below"
    return {
        Verdict.PROVED: "The kernel rebuilds its proof from the axioms, and a case satisfies its hypotheses.",
        Verdict.ARGUED: f"Tools checked its steps, but {BY_HAND}{words}.",
        Verdict.CHECKED: f"It holds at every case that was tried: {checked_on}.",
        Verdict.REFUTED: "A case violates it, found by search and worked out again by other means.",
        Verdict.UNDECIDED: "No argument here shows it, and no case refutes it.",
    }[verdict]
