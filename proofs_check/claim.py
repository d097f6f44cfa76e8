"""What a claim is: its formulas, a statement made of them, and a function that derives an outcome.

The words of a claim are the paper's, or ours, around the formulas that are examined: a claim that has
formulas states `{stated}`. Beside them stands the sentence that is generated from the closed formula
(`formally`). A formula that is declared and not used is an error, and a claim says in advance which others it
`uses`. Every formula can be replaced (`Claim.having`), so that tests can ask what happens if it were another.
"""

from __future__ import annotations

import fnmatch
import inspect
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from proofs_check.outcome import Outcome, plain
from tallyplan.errors import InternalError, InvalidInput, did_you_mean
from tallyplan.formula import Formula

if TYPE_CHECKING:
    from proofs_check.proving import Sequent, Setting

STATED = "stated"  # the formula that a claim is about
GLOSSARY = {  # what names stand for, unless the `symbols` of a claim say something else
    "K": "the number of actions",
    "m": "the memory",
    "T": "the horizon",
    "L": "the root of the horizon, and the period of a cyclic policy",
    "S": "the number of epochs of Algorithm 1",
    "delta": "the probability with which the bound may fail",
    "OPT": "the least loss of T steps",
    "mu": "the least loss per step, in its second period, of a policy that repeats L actions",
    "loss": "what the player loses in T steps",
    "s": "the number of an epoch",
    "C": "C(s), how far the estimates of epoch s may be off",
    "cost": "cost(s), what epoch s loses beyond mu per step",
    "mean": "the loss per step of a cyclic policy in its second period",
    "a": "a(t), the action of step t",
    "x": "an action",
    "y": "a tally",
    "t": "a timestep",
    "regret": "the complete policy regret",
    "worst": "the largest expected regret of the player on a problem with these K, m and T",
    "M": "the upper bound on the memory",
    "G": "the grid: estimates and lower bounds are rounded down to multiples of `1 / G`",
}


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
        self.read: dict[str, Formula] = {}

    def __getattr__(self, name: str) -> Formula:
        if name not in self.texts:
            raise AttributeError(f"the claim declares no formula {name!r}.")
        if name not in self.read:
            one = Formula(self.texts[name])
            inner = {
                other: getattr(self, other) for other in one.names if other in self.texts and other != name
            }
            self.read[name] = one.where(**inner) if inner else one
        return self.read[name]


Derive = Callable[[Any], Outcome]  # of a `Request`
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
    symbols : what names stand for that are not in the glossary, or mean something else here.
    assuming : hypotheses that are only words; a claim that has some is argued at best, unless Rocq states it.
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
        unexplained = [name for name, meaning in self.meanings.items() if not meaning]
        if unexplained:
            raise ValueError(f"{self.id} does not say what these names stand for: {', '.join(unexplained)}")

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
        found: Formula = getattr(Formulas(self.texts), name)
        return found

    def having(self, name: str, text: str) -> Claim:
        """The claim with another formula of that name, which it must have."""
        if name not in self.texts:
            raise ValueError(f"{self.id} has no formula named {name}; it has {', '.join(self.texts)}.")

        def changed(old: Mapping[str, str]) -> dict[str, str]:
            return {one: text if one == name else was for one, was in old.items()}

        return replace(self, formulas=changed(self.formulas), domain=changed(self.domain))

    @property
    def told(self) -> str:
        """The statement, formulas filled in, in backticks."""
        formulas = Formulas(self.texts)
        return re.sub(
            r"\{(\w+)\}",
            lambda found: f"`{getattr(formulas, found[1])}`" if found[1] in self.texts else found[0],
            self.words,
        )

    @property
    def statement(self) -> str:
        """The statement, formulas filled in."""
        return plain(self.told)

    @property
    def is_ours(self) -> bool:
        """Whether the words are ours or a user's, not the paper's."""
        return "not in the paper" in self.words or not self.derive.__module__.startswith(
            "proofs_check.paper."
        )

    @property
    def formally(self) -> str:
        """What is stated, in a sentence that is generated from its formula."""
        return self.sentence(STATED) if self.texts else "In words only."

    def sentence(self, name: str) -> str:
        """The formula of that name in a sentence generated from it: what the kernel reads, or would."""
        from proofs_check.boxes import listed
        from proofs_check.formal.gallina import statements

        if self.id in statements() and name in statements()[self.id].shows:
            return f"In Rocq: `$ {' '.join(statements()[self.id].proposition(name).split())}`"
        if self.setting is not None and not self.assuming:
            return self.closed(name).sentence
        subject = [f"for all integers {', '.join(f'`{one}`' for one in self.integers)}"] * bool(self.integers)
        premise = [f"if {listed(self.given)}"] * bool(self.given)
        then = f"{'then ' if premise else ''}`{self.formula(name)}`."
        return f"In words only: {', '.join([*subject, *premise, then])}"

    @property
    def meanings(self) -> dict[str, str]:
        """What the names in its formulas stand for, where an explanation exists."""
        formulas = Formulas(self.texts)
        whole = [getattr(formulas, one) for one in self.texts]
        if self.setting is not None:
            return self.setting.meanings(map(str, whole), {**GLOSSARY, **self.symbols})
        names = dict.fromkeys(name for one in whole for name in (*one.names, *one.functions))
        known = {**GLOSSARY, **self.symbols}
        return {name: known.get(name, "") for name in names}

    @property
    def given(self) -> list[str]:
        """The hypotheses under which it is stated: formulas in backticks, others in words."""
        fixed = self.setting.fixed if self.setting else {}
        domain = [self.formula(name) for name in self.domain]
        texts = [*(f"{name} == {text}" for name, text in fixed.items()), *domain]
        return [*(f"`{text}`" for text in texts), *self.assuming]

    @property
    def integers(self) -> list[str]:
        """The names in the statement and the domain that are integers in the kernel's language."""
        from proofs_check.theory.language import INTEGERS

        if self.setting:
            return self.closed(STATED).integers
        told = [self.formula(one) for one in (STATED, *self.domain)] if self.texts else []
        return sorted(name for name in INTEGERS if any(name in one.names for one in told))

    @property
    def on(self) -> str:
        """The domain for people, formulas in backticks."""
        whole = [f"integers {', '.join(self.integers)}"] * bool(self.integers)
        return ", ".join([*whole, *self.given]) or "always"

    @property
    def address(self) -> str:
        """What names it on the command line: its id, or the file or function of one's own that states it."""
        place = self.derive.__module__
        if place.partition(".")[0] == "proofs_check":
            return self.id
        own = f"{place}:{self.derive.__name__}" if place in sys.modules else inspect.getfile(self.derive)
        return shlex.quote(own)

    @property
    def method(self) -> str:
        """How the claim is examined, in words."""
        return inspect.getdoc(self.derive) or ""


_REGISTRY: dict[str, Claim] = {}


def claim(id: str, *, statement: str, where: str = "", **more: Any) -> Callable[[Derive], Derive]:
    """Register the decorated function as the examination of a claim; see `Claim` for the other arguments.

    Where it is stated need not be said again in a file that has a `WHERE`.

    >>> @claim("an-example", statement="Something holds.", where="nowhere")  # doctest: +SKIP
    ... def derive(request):
    ...     \"\"\"How it is examined.\"\"\"
    ...     return request.conclude(None, cases=1, checked_on="K = 1")

    See Also
    --------
    proofs_check.Claim : what it makes.
    proofs_check.verify : examines all that are registered.
    """

    def register(derive: Derive) -> Derive:
        if id in _REGISTRY:
            raise ValueError(f"the claim {id!r} is registered twice.")
        for name in ("formulas", "domain"):
            more[name] = {key: str(one) for key, one in more.get(name, {}).items()}
        place = where or derive.__globals__.get("WHERE")
        if not place:
            raise ValueError(f"the claim {id!r} does not say `where` it is stated.")
        _REGISTRY[id] = Claim(id, statement, place, derive, **more)
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
