"""How a claim is examined: a request asks it for an outcome, and knows those of the claims that it uses.

The verdict is derived. The domain that is printed is the one that was examined; a formula that a claim
declares and does not use is an error, and so is another claim that it uses without saying so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from proofs_check.boxes import Case, listed, members, violated
from proofs_check.claim import STATED, Claim, Formulas, named
from proofs_check.outcome import (
    IN_WORDS,
    SHOWN,
    Better,
    Evidence,
    Outcome,
    Shown,
    Step,
    Verdict,
    Violation,
    because,
    kinds,
    plain,
)
from tallyplan.errors import InternalError, TallyplanError
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent
from tallyplan.model.display import LONGEST_SENTENCE, SmallTable, card, displayable
from tallyplan.model.plugins import describe_error, users_code

if TYPE_CHECKING:
    from proofs_check.proving import Proof, Sequent

Box = Mapping[str, Sequence[Any]]  # values by name


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
            "meaning": plain(" ".join([self.claim.formally, *found.also])),
            "domain": found.domain,
            "witness": found.witness and found.witness.to_json(),
            "tight": found.tight and found.tight.to_json(),
            "repair": found.repair and found.repair.to_json(),
            "evidence": found.evidence.to_json(),
            "uses": list(self.claim.uses),
            "error": found.error,
        }


def examine(one: Claim, request: Request) -> Result:
    """Derive the outcome of a claim; an examination that breaks leaves it undecided, with the error."""
    request = replace(request, claim=one, formulas=Formulas(one.texts), used=set(), shown={})
    try:
        with users_code(one.id):
            outcome = one.derive(request)
        if not isinstance(outcome, Outcome):
            raise InternalError("the function does not return what `request.conclude(...)` makes.")
        _require_all_used(one, request)
    except TallyplanError as error:  # one claim that breaks must not end the run
        sentence = describe_error(error.__cause__ or error)
        evidence = Evidence("the examination ended with an error", steps=(sentence,))
        outcome = Outcome(Verdict.UNDECIDED, "none", evidence, error=sentence, because=sentence)
    return Result(one, outcome)


def _require_all_used(one: Claim, request: Request) -> None:
    idle = set(one.texts) - set(request.formulas.read)
    if idle:
        raise InternalError(f"{one.id} declares formulas that nothing uses: {', '.join(sorted(idle))}.")
    if request.used != set(one.uses):
        raise InternalError(f"{one.id} says that it uses {sorted(one.uses)}; it uses {sorted(request.used)}.")


@dataclass(frozen=True)
class Request:
    """How to examine a claim: on larger boxes if `thorough`, telling `progress` where it stands.

    While a claim is examined, it also holds the claim's formulas, and what is `known` of other claims.
    """

    thorough: bool = False
    progress: Progress = silent
    known: dict[str, Result] = field(default_factory=dict, repr=False)
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
        if id not in self.known:
            self.known[id] = examine(named(id), self)
        return self.known[id]

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
        shown = self._closed(stated, name, sentences)
        if shown is None:
            violation = self._contradicted() if name == STATED else None
            verdict = Verdict.UNDECIDED if missing or violation else Verdict.ARGUED
            steps, because = tuple(map(Step, sentences)), missing or (IN_WORDS,)
            shown = Shown(stated, verdict, steps, because, violation=violation)
        self.shown[name] = replace(shown, sentence=self._claim.sentence(name))
        return self.shown[name]

    def _contradicted(self) -> Violation | None:
        """A small case that contradicts what is argued, if the kernel's language can state all of it."""
        one = self._claim
        if one.setting is None or one.model is None or one.assuming:
            return None
        return one.closed(STATED).contradicted(one.model)

    def _closed(self, stated: Formula, name: str, sentences: Sequence[str]) -> Shown | None:
        """The formula as Rocq proves it, by its record."""
        from proofs_check.formal.recorded import closed_by, vouches

        theorem = closed_by(self._claim, name)
        if theorem is None:
            return None
        step = Step(" ".join(sentences), stated, f"Rocq, {theorem.qualified}")
        return Shown(stated, Verdict.PROVED, (step,), rocq=vouches(theorem, self._claim))

    def proof(self, name: str = STATED, without: Sequence[str] = ()) -> Proof:
        """An argument for the formula of that name, on the domain without some hypotheses, for the kernel."""
        from proofs_check.proving import Proof

        stated = self.sequent(name, without)
        return Proof(self._claim.id, name, stated, self._claim.model, self.result, self.shown)

    def _violation(self, box: Box | Sequence[Case]) -> tuple[Violation | None, int]:
        """The first case of a box that violates what is stated, and how many cases are in the domain."""
        if self._claim.setting is None:
            return violated(self.formulas.stated, self.domain, members(box))
        return self.sequent().violated(members(box))

    def sequent(self, name: str = STATED, without: Sequence[str] = ()) -> Sequent:
        """What the claim says, or what it would say with another formula in place of the stated one."""
        domain = [str(getattr(self.formulas, one)) for one in self._claim.domain if one not in without]
        return self._claim.sequent(str(getattr(self.formulas, name)), domain)

    def _missed(self) -> Iterator[str]:
        """Why formulas are not proved."""
        for one in self.shown.values():
            for reason in one.because:
                if reason != IN_WORDS:
                    yield f"`{one.formula}` is not proved: {reason}."

    def conclude(
        self,
        shown: Shown | Callable[[], Shown] | None,
        *,
        box: Box | Sequence[Case] | None = None,
        cases: int = 0,
        checked_on: str | None = None,
        violation: Violation | None = None,
        remarks: Sequence[str | Step] = (),
        tight: Better | None = None,
        repair: Better | None = None,
    ) -> Outcome:
        """The outcome: the verdict is derived, and the domain printed is the one that it is about.

        Parameters
        ----------
        shown : how far steps show the stated formula, or what finds that, asked if the box has no violation.
        box : values by name, at all of which the claim is evaluated: its sequent by the definitions, or
            without a setting its formulas; or a list of cases, each of which has values by name.
        checked_on : the box that was searched for a violation, in words; None if there was no search.
        violation : what the search found; it refutes the claim once it is confirmed by other means.
        """
        if box is not None:
            violation, cases = self._violation(box)
            if isinstance(box, Mapping):
                checked_on = ", ".join(_range(name, values) for name, values in box.items())
        if callable(shown):
            shown = shown() if violation is None else None
        if box is None and shown is not None and shown.violation is not None:
            violation, checked_on = shown.violation, "small random cases"
        proved = shown is not None and shown.verdict in SHOWN
        confirmed = violation is not None and violation.confirmed
        if confirmed and shown is not None and shown.verdict is Verdict.PROVED:
            raise InternalError(f"{self._claim.id} is shown and refuted; one of the two is wrong.")
        if violation is not None:
            verdict = Verdict.REFUTED if confirmed else Verdict.UNDECIDED
        elif shown is not None and proved:
            verdict = shown.verdict
        else:
            verdict = Verdict.CHECKED if checked_on and cases else Verdict.UNDECIDED
        searched = [f"Box: {checked_on}."] if checked_on and proved else []
        steps = self._told(shown)
        taken = sum(isinstance(step, Step) for step in steps)
        kind, sentence = kinds().get(self._claim.id, ("", "")) if verdict is Verdict.REFUTED else ("", "")
        return Outcome(
            verdict,
            plain(self._claim.on) if verdict in SHOWN else checked_on or "none",
            Evidence(self._claim.method, cases or taken, (*steps, *self._missed(), *searched, *remarks)),
            witness=violation.witness if violation is not None else None,
            tight=tight if tight and tight.verdict is not Verdict.UNDECIDED else None,
            repair=repair,
            shown={name: one.verdict for name, one in self.shown.items()},
            because=sentence or (verdict in SHOWN and shown and shown.rocq) or because(verdict, checked_on),
            kind="Rocq" if verdict is Verdict.PROVED and shown and shown.rocq else kind,
            also=tuple(
                f"{one.sentence.removesuffix('.')} ({one.verdict})."
                for name, one in self.shown.items()
                if name != STATED
            ),
        )

    def _told(self, stated: Shown | None) -> list[str | Step]:
        """The steps for what is stated, and then for everything else that was shown, each step once."""
        told: list[str | Step] = [*stated.steps] if stated else []
        for one in self.shown.values():
            more = [step for step in one.steps if step not in told]
            whole = [step.then for step in more] == [one.formula]  # the only step says what is shown
            told += [*([] if whole else [f"For `{one.formula}`:"]), *more] if more else []
        return told


def _range(name: str, values: Sequence[Any]) -> str:
    """The values of a parameter in a box, in words."""
    if isinstance(values, range) and len(values) > 2:
        return f"{name} = {values[0]}..{values[-1]}"
    few = listed(list(map(str, values)), "or")
    return f"{name} = {few}" if len(values) < 5 else f"{len(values)} values of {name}"
