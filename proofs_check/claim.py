"""What a claim is: its formulas, a statement made of them, and a function that derives an outcome.

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
from typing import TYPE_CHECKING, Any

from proofs_check.glossary import GLOSSARY
from proofs_check.outcome import Outcome
from tallyplan.errors import InternalError, InvalidInput, did_you_mean
from tallyplan.formula import Formula

if TYPE_CHECKING:
    from proofs_check.proving import Sequent, Setting

STATED = "stated"  # the formula that a claim is about
Box = Mapping[str, Sequence[Any]]  # values by name


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
        whole = [f"integers {', '.join(self._integers)}"] if self._integers else []
        if self.setting is not None:
            whole += [f"{name} = {text}" for name, text in self.setting.fixed.items()]
        return (*whole, *(formulas.whole(name) for name in self.domain), *self.assuming)

    @property
    def _integers(self) -> list[str]:
        """The parameters that are integers: by their sort, or without a setting by what is usual."""
        from proofs_check.theory.language import INTEGERS

        if self.setting is None:
            formulas = Formulas(self.texts)
            named = {
                name for one in (STATED, *self.domain) if self.texts for name in formulas.whole(one).names
            }
            return [name for name in INTEGERS if name in named]
        return self.closed(STATED).integers

    @property
    def on(self) -> str:
        """The domain for people."""
        return ", ".join(map(str, self.conditions)) or "always"

    @property
    def method(self) -> str:
        """How the claim is examined, in words."""
        return inspect.getdoc(self.derive) or ""


_REGISTRY: dict[str, Claim] = {}


def claim(
    id: str,
    *,
    statement: str,
    where: str,
    picture: Picture | None = None,
    formulas: Mapping[str, Formula | str] | None = None,
    domain: Mapping[str, Formula | str] | None = None,
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
    ...     return request.conclude(None, cases=1, checked_on="K = 1")

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
