"""Named instances: the paper's constructions, the settings it generalises, and seeded random tables.

Every family is a function with keyword parameters that returns an instance; `FAMILIES` lists them, and `make`
builds one by name from Python values or from text (`tallyplan new FAMILY key=value ...`). The docstring of a
family is its only description: the summary, the source and the parameters in `FAMILIES` are read from it.

"Increasing", "decreasing" and "convex" are meant weakly: equal neighbours are allowed. Random families draw
integers n in 0 .. d and use the losses n/d, d the `denominator`; the same parameters give the same instance
on every platform, and the name of an instance holds all the parameters that rebuild it.
"""

from __future__ import annotations

import difflib
import inspect
import re
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from itertools import accumulate, pairwise
from random import Random
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from tallyplan.errors import InvalidInput
from tallyplan.instance import Bandit, TallyingBandit, WeightedTallyBandit, WindowBandit, integer
from tallyplan.rationals import MAX_DIGITS, rational

MAX_ENTRIES = 2**24
"""No family builds a table with more entries: it would take gigabytes as a file and in memory."""

# ---------------------------------------------------------------------------------------------------------
# The registry
# ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Parameter:
    """One keyword parameter of a family.

    `type` says in words what is accepted, `default` is what omission means (None: see `meaning`), and
    `read(value, name)` converts a Python value or a text, or raises InvalidInput.
    """

    name: str
    type: str
    default: Any
    required: bool
    meaning: str
    read: Callable[[Any, str], Any]

    @property
    def default_text(self) -> str:
        """The default as one would type it: `required`, `optional` or the value."""
        if self.required:
            return "required"
        return "optional" if self.default is None else _typed(self.default)


@dataclass(frozen=True)
class Family:
    """A named family: `build(**parameters)` returns the instance."""

    name: str
    summary: str
    source: str
    build: Callable[..., Bandit]
    parameters: tuple[Parameter, ...]


FAMILIES: dict[str, Family] = {}
"""All families by name, the paper's constructions first."""


def make(family: str, /, **parameters: Any) -> Bandit:
    """Build an instance of a family by name; values may be Python objects or text.

    Parameters
    ----------
    family : a key of `FAMILIES`.
    parameters : the keyword parameters of that family.

    Raises
    ------
    InvalidInput : the family or a parameter is unknown, a required parameter is missing, or a value is not a
        number of the right kind and range.

    >>> make("uniform", actions="2", memory="3").name
    'uniform(actions=2, memory=3, denominator=1000, seed=0)'
    >>> make("unifrom", actions=2, memory=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: there is no family 'unifrom'; did you mean 'uniform'? The families are ...
    """
    return find(family).build(**parameters)


def find(name: str) -> Family:
    """The family of this name.

    Raises
    ------
    InvalidInput : there is none; the message names the closest and lists all.
    """
    if name not in FAMILIES:
        raise InvalidInput(
            f"there is no family {_shown(name)}{_closest(name, FAMILIES)} "
            f"The families are {', '.join(FAMILIES)}."
        )
    return FAMILIES[name]


@dataclass(frozen=True)
class _Kind:
    """What the values of a parameter are: in words, and how to read one."""

    words: str
    read: Callable[[Any, str], Any]


def _integers(low: int, high: int, words: str) -> _Kind:
    def read(value: Any, what: str) -> int:
        number = _integer(value, what)
        if not low <= number <= high:
            raise InvalidInput(f"{what} is {_shown(number)}; it must be an {words}.")
        return number

    return _Kind(words, read)


def _rationals(inside: Callable[[Fraction], bool], words: str) -> _Kind:
    def read(value: Any, what: str) -> Fraction:
        number = rational(value, what)
        if not inside(number):
            raise InvalidInput(f"{what} is {_shown(str(value))}; it must be a {words}.")
        return number

    return _Kind(words, read)


def _lists(item: _Kind, words: str) -> _Kind:
    def read(value: Any, what: str) -> tuple[Any, ...]:
        items = ([] if not value.strip() else value.split(",")) if isinstance(value, str) else value
        if not isinstance(items, Sequence) or isinstance(items, bytes):
            raise InvalidInput(f"{what} is {_shown(value)}; it must be a {words}.")
        return tuple(item.read(entry, f"{what}[{i}]") for i, entry in enumerate(items))

    return _Kind(words, read)


def _integer(value: Any, what: str) -> int:
    if not isinstance(value, str):
        return integer(value, what)
    digits = value.strip()
    if re.fullmatch(r"[+-]?\d+", digits, re.ASCII) is None or len(digits) > MAX_DIGITS:
        raise InvalidInput(f"{what} is {_shown(value)}; an integer is needed.")
    return int(digits)


_unit = _rationals(lambda number: 0 <= number <= 1, "rational in [0, 1]")

Count = Annotated[int, _integers(1, MAX_ENTRIES, "integer from 1 to 2^24")]
Action = Annotated[int, _integers(0, MAX_ENTRIES - 1, "integer from 0 to K - 1")]
Tally = Annotated[int, _integers(1, MAX_ENTRIES, "integer from ceil(23m/24) to m")]
Spread = Annotated[int, _integers(0, 10**100, "integer from 0 to d/2")]
Seed = Annotated[int, _integers(0, 2**64 - 1, "integer from 0 to 2^64 - 1")]
Denominator = Annotated[int, _integers(1, 10**100, "integer from 1 to 10^100")]
Gap = Annotated[Fraction, _rationals(lambda gap: 0 < 2 * gap <= 1, "rational in (0, 1/2]")]
Share = Annotated[Fraction, _unit]
Ratio = Annotated[Fraction, _rationals(lambda ratio: 0 < ratio <= 1, "rational in (0, 1]")]
Bits = Annotated[Sequence[int], _lists(_integers(0, 1, "integer 0 or 1"), "list such as 0,1,0")]
Means = Annotated[Sequence[Fraction], _lists(_unit, "list such as 1/2,0.3,1")]

BuildFunction = TypeVar("BuildFunction", bound=Callable[..., Bandit])


def family(name: str) -> Callable[[BuildFunction], BuildFunction]:
    """Register a function under `name`; calls then check their arguments, and name the instance."""

    def register(plain: BuildFunction) -> BuildFunction:
        description = inspect.getdoc(plain) or ""
        parameters = _parameters(plain, description)

        @wraps(plain)
        def build(**given: Any) -> Bandit:
            values = _read(name, parameters, given)
            bandit = plain(**values)
            bandit._set(name=_label(name, values))
            return bandit

        summary = description.partition("\n")[0]
        FAMILIES[name] = Family(name, summary, _source(description), build, parameters)
        return cast(BuildFunction, build)

    return register


def _parameters(plain: Callable[..., Bandit], description: str) -> tuple[Parameter, ...]:
    hints = get_type_hints(plain, include_extras=True)
    meanings = dict(re.findall(r"^(\w+) : (.+)$", description, re.MULTILINE))
    result = []
    for name, parameter in inspect.signature(plain).parameters.items():
        kind = _kind(hints[name])
        required = parameter.default is parameter.empty
        default = None if required else parameter.default
        result.append(Parameter(name, kind.words, default, required, meanings.get(name, ""), kind.read))
    return tuple(result)


def _kind(hint: Any) -> _Kind:
    if get_origin(hint) in (Union, types.UnionType):  # X | None
        hint = get_args(hint)[0]
    return cast(_Kind, hint.__metadata__[0])


def _source(description: str) -> str:
    found = re.search(r"^Source: (.+?)(?:\n\n|\Z)", description, re.MULTILINE | re.DOTALL)
    return " ".join(found.group(1).split()) if found else ""


def _read(family: str, parameters: Sequence[Parameter], given: dict[str, Any]) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            takes = f"Its parameters are {', '.join(known)}." if known else "It has no parameters."
            raise InvalidInput(f"{family} has no parameter {_shown(name)}{_closest(name, known)} {takes}")
    values = {}
    for name, parameter in known.items():
        if name not in given and parameter.required:
            raise InvalidInput(f"{family} needs {name} ({parameter.type}): {parameter.meaning}")
        value = given.get(name, parameter.default)
        omitted = value is None and not parameter.required
        values[name] = None if omitted else parameter.read(value, name)
    return values


def _label(family: str, values: dict[str, Any]) -> str:
    shown = ", ".join(f"{name}={_typed(value)}" for name, value in values.items() if value is not None)
    return f"{family}({shown})" if values else family


def _typed(value: Any) -> str:
    return ",".join(str(item) for item in value) if isinstance(value, tuple) else str(value)


def _closest(word: str, known: dict[str, Any]) -> str:
    near = difflib.get_close_matches(str(word), known, n=1)
    return f"; did you mean {near[0]!r}?" if near else "."


def _shown(value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > 400:
        return "an integer of more than 120 digits"
    shown = repr(value)
    return shown if len(shown) <= 120 else shown[:117] + "..."


# ---------------------------------------------------------------------------------------------------------
# Building tables
# ---------------------------------------------------------------------------------------------------------


def _tallying(actions: int, memory: int, row: Callable[[int], Sequence[Fraction]]) -> TallyingBandit:
    _check_entries(actions * memory)
    return TallyingBandit([row(action) for action in range(actions)])


def _drawn(
    actions: int, memory: int, denominator: int, seed: int, row: Callable[[Random], Sequence[int]]
) -> TallyingBandit:
    """One row of numerators an action, drawn in the order of the actions."""
    rng = Random(seed)
    return _tallying(actions, memory, lambda action: [Fraction(n, denominator) for n in row(rng)])


def _check_entries(entries: int, bits: int = 24) -> None:
    if entries > 2**bits:
        raise InvalidInput(
            f"the table would have more than 2^{bits} entries; choose fewer actions or a shorter memory."
        )


def _uniform(rng: Random, count: int, low: int, high: int) -> list[int]:
    """Independent integers, uniform in low .. high; `randrange` is the only source of randomness here."""
    return [low + rng.randrange(high - low + 1) for _ in range(count)]


def _climb(rng: Random, length: int, low: int, high: int) -> list[int]:
    """An increasing row of `length` integers from low to high; a row of one is low."""
    return [low] if length == 1 else [low, *sorted(_uniform(rng, length - 2, low, high)), high]


def _convex_descent(rng: Random, length: int, high: int, low: int) -> list[int]:
    """A decreasing and convex row of `length` integers from high to low; a row of one is low."""
    steps = sorted(after - before for before, after in pairwise(_climb(rng, length, low, high)))
    return list(accumulate(steps, initial=low))[::-1]


def _ends(rng: Random, denominator: int) -> tuple[int, int]:
    low, high = sorted(_uniform(rng, 2, 0, denominator))
    return low, high


def _arm(best: int | None, drawn: int, actions: int) -> int:
    if best is not None and best >= actions:
        raise InvalidInput(f"best is {best}; the actions are 0 to {actions - 1}.")
    return drawn if best is None else best


# ---------------------------------------------------------------------------------------------------------
# The paper's constructions
# ---------------------------------------------------------------------------------------------------------


@family("counterexample-2")
def counterexample_2(*, memory: Count, secret: Bits | None = None, seed: Seed = 0) -> WindowBandit:
    """A needle in a haystack: zero loss only for the secret word followed by action 0.

    Two actions and a secret b of m - 1 actions. With a the window and |a| its length,

        loss(a) = 0  if |a| = m, a_m = 0 and (a_1, ..., a_{m-1}) = b;   loss(a) = 1 otherwise.

    Playing b, 0 cyclically has a zero at least once in every m steps from step m on, but finding b takes of
    the order of 2^m steps: no learner is efficient without the tallying structure. For m = 1 the secret is
    empty and action 0 costs nothing. The table has 2 + 4 + ... + 2^m entries.

    Source: Counterexample 2 of the paper (the action x_1 is 0 here, x_2 is 1).

    Parameters
    ----------
    memory : length m of the window, at most 23 here.
    secret : the m - 1 actions of b, oldest first; omitted, it is drawn uniformly from the seed.
    seed : seed of the draw.

    >>> bandit = counterexample_2(memory=3, secret=(0, 1))
    >>> [int(bandit.loss(window)) for window in [(0,), (0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0)]]
    [1, 1, 0, 1, 1]
    """
    if memory >= MAX_ENTRIES.bit_length() - 1:
        raise InvalidInput(
            f"memory is {memory}; it must be at most 23, for the table has 2^(m+1) - 2 entries."
        )
    rng = Random(seed)
    word = tuple(rng.randrange(2) for _ in range(memory - 1)) if secret is None else tuple(secret)
    if len(word) != memory - 1:
        raise InvalidInput(f"secret has {len(word)} actions; with memory={memory} it needs {memory - 1}.")
    one = Fraction(1)
    windows = [[one] * 2**length for length in range(1, memory + 1)]
    windows[-1][sum(2 ** (memory - 1 - i) for i, action in enumerate(word) if action)] = Fraction(0)
    return WindowBandit(2, windows)


@family("counterexample-3")
def counterexample_3() -> TallyingBandit:
    """Two actions that are free unless repeated: constant policies lose T - 1, alternation loses nothing.

    K = m = 2 and, for both actions, h(1) = 0, h(2) = 1. It is the smallest member of `round-robin`.

    Source: Counterexample 3 of the paper.

    >>> [[int(loss) for loss in row] for row in counterexample_3().losses]
    [[0, 1], [0, 1]]
    """
    return round_robin(actions=2)


@family("proposition-1-lower")
def proposition_1_lower(
    *, actions: Count, memory: Count, best: Action | None = None, seed: Seed = 0
) -> TallyingBandit:
    """One arm pays off after m plays in a row, and nothing tells before.

    With x* the best arm,

        h_{x*}(m) = 0,   h_x(y) = 1 for every other (x, y).

    Always playing x* is optimal and loses min(T, m - 1).

    Source: proof of the lower bound of Proposition 1 of the paper.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    best : the arm x*; omitted, it is drawn uniformly from the seed.
    seed : seed of the draw.

    >>> [[int(loss) for loss in row] for row in proposition_1_lower(actions=2, memory=3, best=1).losses]
    [[1, 1, 1], [1, 1, 0]]
    """
    arm = _arm(best, Random(seed).randrange(actions), actions)
    one, zero = Fraction(1), Fraction(0)
    return _tallying(actions, memory, lambda x: [one] * (memory - 1) + [zero if x == arm else one])


@family("theorem-2-lower")
def theorem_2_lower(
    *,
    actions: Count,
    memory: Count,
    epsilon: Gap,
    best: Action | None = None,
    tally: Tally | None = None,
    seed: Seed = 0,
) -> TallyingBandit:
    """All losses are 1/2, but one arm at one high tally is better by epsilon.

    With x* the best arm and y* in {ceil(23m/24), ..., m} its best tally,

        h_{x*}(y*) = 1/2 - epsilon,   h_x(y) = 1/2 for every other (x, y).

    Repeating "x* for y* steps, another arm for m - y* steps" loses at most T/2 - epsilon y* (T - m)/m
    for every T >= m. The paper writes {23m/24, ..., m}; rounding up makes sense of it for every m, and leaves
    floor(m/24) + 1 tallies.

    Source: proof of Theorem 2 of the paper; there epsilon = sqrt(c m K / T), which must not exceed 1/2.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    epsilon : how much better the best entry is.
    best : the arm x*; omitted, it is drawn uniformly from the seed.
    tally : the tally y*, from ceil(23m/24) to m; omitted, it is drawn uniformly from the seed.
    seed : seed of the draws.

    >>> bandit = theorem_2_lower(actions=2, memory=3, epsilon=Fraction(1, 10), best=0)
    >>> [[str(loss) for loss in row] for row in bandit.losses]
    [['1/2', '1/2', '2/5'], ['1/2', '1/2', '1/2']]
    """
    rng = Random(seed)
    arm = _arm(best, rng.randrange(actions), actions)
    lowest = -(-23 * memory // 24)
    drawn = lowest + rng.randrange(memory - lowest + 1)
    if tally is not None and not lowest <= tally <= memory:
        raise InvalidInput(f"tally is {tally}; with memory={memory} it must be from {lowest} to {memory}.")
    cell = (arm, drawn if tally is None else tally)
    half = Fraction(1, 2)
    return _tallying(
        actions, memory, lambda x: [half - epsilon if (x, y) == cell else half for y in range(1, memory + 1)]
    )


@family("round-robin")
def round_robin(*, actions: Count, memory: Count | None = None) -> TallyingBandit:
    """An arm is free when it is fresh and costs 1 otherwise; with enough arms, taking turns costs nothing.

    For every arm, h(1) = 0 and h(y) = 1 for y >= 2. With K >= m arms, playing them in turn loses nothing.
    With K = m, a cyclic policy whose period L is -1 modulo m loses (m - 1)/L a step at least, so that
    T mu(pi*) - OPT_T = (m - 1) sqrt(T) at L = sqrt(T): the worst case of Lemma 3. (The free plays of an arm
    are m steps apart, so a period has at most m floor(L/m) = L - (m - 1) of them.)

    Source: Lemma 3 of the paper, whose sharp constant m - 1 it attains; K = m = 2 is Counterexample 3.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window; omitted, it equals actions.

    >>> [[int(loss) for loss in row] for row in round_robin(actions=2, memory=3).losses]
    [[0, 1, 1], [0, 1, 1]]
    """
    m = actions if memory is None else memory
    return _tallying(actions, m, lambda x: [Fraction(0)] + [Fraction(1)] * (m - 1))


# ---------------------------------------------------------------------------------------------------------
# Settings that tallying bandits generalise
# ---------------------------------------------------------------------------------------------------------


@family("stochastic")
def stochastic(
    *,
    actions: Count | None = None,
    means: Means | None = None,
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> TallyingBandit:
    """The classical stochastic bandit: memory 1, every arm has one mean loss.

    m = 1 and h_x(1) = means[x]; random means are uniform on {0, 1/d, ..., 1}.

    Source: the case m = 1 of the paper; Lai and Robbins (1985), Auer et al. (2002).

    Parameters
    ----------
    actions : number K of arms; needed unless the means are given.
    means : the K mean losses, such as 1/2,0.3,1; omitted, they are drawn.
    denominator : random means are integers over this number d.
    seed : seed of the draws.

    >>> stochastic(means=["1/2", "0.3"]).losses
    ((Fraction(1, 2),), (Fraction(3, 10),))
    """
    if means is None and actions is None:
        raise InvalidInput("stochastic needs actions=K or means=a list such as 1/2,0.3,1.")
    if means is None:
        count = cast(int, actions)
        return _drawn(count, 1, denominator, seed, lambda rng: _uniform(rng, 1, 0, denominator))
    if not means or len(means) != (actions or len(means)):
        needed = "at least 1" if actions is None else f"actions={actions}"
        raise InvalidInput(f"means has {len(means)} entries; {needed} are needed.")
    return _tallying(len(means), 1, lambda x: [means[x]])


@family("rotting")
def rotting(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """Arms that wear out: every loss increases with the tally, from a start to an end of its own.

    h_x(1) <= h_x(2) <= ... <= h_x(m). The ends a_x <= b_x are two sorted uniform draws, h_x(1) = a_x,
    h_x(m) = b_x, and the losses between are sorted uniform draws from [a_x, b_x].

    In the literature an arm never recovers: m = T. Take memory = T to play that game over the horizon T; with
    a smaller memory the arms rest while they leave the window, as in `congested`.

    Source: Heidari et al. (2016), Levine et al. (2017), Seznec et al. (2019, 2020), cited in the paper's
    related work.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window; equal to the horizon T in the literature.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in rotting(actions=2, memory=3, denominator=100).losses]
    [['49/100', '3/4', '97/100'], ['1/20', '21/100', '33/100']]
    """
    return _drawn(
        actions, memory, denominator, seed, lambda rng: _climb(rng, memory, *_ends(rng, denominator))
    )


@family("improving")
def improving(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """Arms that learn: every loss is decreasing and convex in the tally.

    h_x(y) - h_x(y+1) >= h_x(y+1) - h_x(y+2) >= 0. The ends b_x >= a_x are two sorted uniform draws, sorted
    uniform draws cut [a_x, b_x] into m - 1 steps, and the longest steps come first. In the literature m = T.

    Source: Heidari et al. (2016), rewards increasing and concave, cited in the paper's related work.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window; equal to the horizon T in the literature.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in improving(actions=2, memory=3, denominator=100).losses]
    [['97/100', '71/100', '49/100'], ['33/100', '17/100', '1/20']]
    """

    def row(rng: Random) -> list[int]:
        low, high = _ends(rng, denominator)
        return _convex_descent(rng, memory, high, low)

    return _drawn(actions, memory, denominator, seed, row)


@family("single-peaked")
def single_peaked(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """Arms that learn and then wear out: the loss is decreasing and convex up to a tally, then increasing.

    The reward 1 - h_x peaks at p_x, uniform on 1 .. m. On 1 .. p_x the loss descends as in `improving`, to a
    lowest value a_x; after p_x it is sorted uniform draws from [a_x, 1]. p_x = m is an improving arm, p_x = 1
    an arm that only wears out. In the literature m = T.

    Source: Lindner et al. (2021), rewards increasing and concave, then decreasing, cited in the paper's
    related work.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window; equal to the horizon T in the literature.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> bandit = single_peaked(actions=2, memory=4, denominator=100, seed=5)
    >>> [[str(loss) for loss in row] for row in bandit.losses]
    [['79/100', '7/20', '8/25', '99/100'], ['59/100', '3/100', '9/100', '43/50']]
    """

    def row(rng: Random) -> list[int]:
        low, high = _ends(rng, denominator)
        peak = 1 + rng.randrange(memory)
        descent = _convex_descent(rng, peak, high, low)
        return descent + sorted(_uniform(rng, memory - peak, low, denominator))

    return _drawn(actions, memory, denominator, seed, row)


@family("congested")
def congested(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """Arms that are worse when used much recently: uniform random rows sorted up, any memory.

    h_x(1) <= h_x(2) <= ... <= h_x(m) are m sorted uniform draws from {0, 1/d, ..., 1}. The assumption on h is
    that of `rotting`; the difference is the memory: m is arbitrary here, so congestion clears after m steps,
    while m = T there, so that an arm never recovers. This is also the family of all-increasing tables.

    Source: Awasthi et al. (2022), cited in the paper's related work.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window, usually far below the horizon.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in congested(actions=2, memory=3, denominator=100).losses]
    [['49/100', '53/100', '97/100'], ['1/20', '33/100', '13/20']]
    """
    return _drawn(
        actions, memory, denominator, seed, lambda rng: sorted(_uniform(rng, memory, 0, denominator))
    )


@family("weighted-recency")
def weighted_recency(
    *,
    actions: Count,
    memory: Count,
    ratio: Ratio = Fraction(1, 2),
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> WeightedTallyBandit:
    """A play counts less the longer ago it was, and the loss increases with the weighted tally.

    The weights are 1, r, r^2, ..., r^(m-1), the current step first; the weighted tally w of an arm is the sum
    of the weights of its plays in the window. Each arm's losses, in the order of w, are sorted uniform draws
    from {0, 1/d, ..., 1}. There are 2^(m-1) weighted tallies, or m if r = 1, the plain ones; K times their
    number is at most 2^20 here.

    Source: the generalisation proposed in the Discussion of the paper.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    ratio : r, how much of its weight a play keeps from one step to the next.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> bandit = weighted_recency(actions=1, memory=2, denominator=100)
    >>> [str(weight) for weight in bandit.weights]
    ['1', '1/2']
    >>> {str(tally): str(loss) for tally, loss in bandit.losses[0].items()}
    {'1': '49/100', '3/2': '97/100'}
    """
    # For r = p/q < 1 no two sets of powers have the same sum (rational root theorem), so the count is exact.
    _check_entries(actions * (memory if ratio == 1 else 2 ** min(memory - 1, 24)), bits=20)
    weights = [ratio**age for age in range(memory)]
    tallies = {weights[0]}
    for weight in weights[1:]:
        tallies |= {tally + weight for tally in tallies}
    rng = Random(seed)
    order = sorted(tallies)
    rows = []
    for _ in range(actions):
        numerators = sorted(_uniform(rng, len(order), 0, denominator))
        rows.append({w: Fraction(n, denominator) for w, n in zip(order, numerators, strict=True)})
    return WeightedTallyBandit(weights, rows)


# ---------------------------------------------------------------------------------------------------------
# Random tables
# ---------------------------------------------------------------------------------------------------------


@family("uniform")
def uniform(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """Independent uniform losses without any structure.

    Every h_x(y) is uniform on {0, 1/d, ..., 1}.

    Source: a standard test instance of this package.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in uniform(actions=2, memory=3, denominator=100).losses]
    [['49/100', '97/100', '53/100'], ['1/20', '33/100', '13/20']]
    """
    return _drawn(actions, memory, denominator, seed, lambda rng: _uniform(rng, memory, 0, denominator))


@family("decreasing")
def decreasing(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """Uniform random rows sorted down: the loss falls with the tally, convex or not.

    h_x(1) >= h_x(2) >= ... >= h_x(m) are m sorted uniform draws from {0, 1/d, ..., 1}. The counterpart, rows
    sorted up, is `congested`; with convexity it is `improving`.

    Source: a standard test instance of this package.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in decreasing(actions=2, memory=3, denominator=100).losses]
    [['97/100', '53/100', '49/100'], ['13/20', '33/100', '1/20']]
    """
    return _drawn(
        actions,
        memory,
        denominator,
        seed,
        lambda rng: sorted(_uniform(rng, memory, 0, denominator), reverse=True),
    )


@family("sparse")
def sparse(
    *,
    actions: Count,
    memory: Count,
    cheap: Share = Fraction(3, 20),
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> TallyingBandit:
    """A few cheap entries in a table of ones.

    Exactly ceil(cheap * K * m) entries, a uniform random set of them, are uniform on {0, 1/d, ..., (d-1)/d};
    all others are 1. Good plans must find the tallies that are worth their set-up.

    Source: a standard test instance of this package.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    cheap : share of the K * m entries that cost less than 1.
    denominator : cheap losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in sparse(actions=2, memory=3, cheap="1/3").losses]
    [['1', '1', '1'], ['97/125', '41/1000', '1']]
    """
    entries = actions * memory
    _check_entries(entries)
    rng = Random(seed)
    cells = list(range(entries))
    losses = [Fraction(1)] * entries
    for i in range(-(-cheap.numerator * entries // cheap.denominator)):
        j = i + rng.randrange(entries - i)
        cells[i], cells[j] = cells[j], cells[i]
        losses[cells[i]] = Fraction(rng.randrange(denominator), denominator)
    return _tallying(actions, memory, lambda x: losses[x * memory : (x + 1) * memory])


@family("near-tie")
def near_tie(
    *,
    actions: Count,
    memory: Count,
    spread: Spread = 2,
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> TallyingBandit:
    """Losses that hardly differ: all within a few units of 1/2.

    h_x(y) = (floor(d/2) + j)/d with j uniform on {-s, ..., s}, s the spread. Ties and near ties are where a
    planner that rounds goes wrong; spread=0 makes every plan optimal.

    Source: a standard test instance of this package.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    spread : s, the largest deviation in units of 1/d; at most d/2.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in near_tie(actions=2, memory=3).losses]
    [['501/1000', '501/1000', '249/500'], ['1/2', '251/500', '501/1000']]
    """
    if 2 * spread > denominator:
        raise InvalidInput(
            f"spread is {spread}; with denominator={denominator} it must be at most {denominator // 2}."
        )
    middle = denominator // 2
    return _drawn(
        actions,
        memory,
        denominator,
        seed,
        lambda rng: _uniform(rng, memory, middle - spread, middle + spread),
    )


@family("equal-arms")
def equal_arms(
    *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> TallyingBandit:
    """All arms share one uniform random row.

    h_x = h for every x, and every h(y) is uniform on {0, 1/d, ..., 1}. Only the rhythm of play matters, and
    every relabelling of the arms of an optimal plan is optimal.

    Source: a standard test instance of this package.

    Parameters
    ----------
    actions : number K of arms.
    memory : length m of the window.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [[str(loss) for loss in row] for row in equal_arms(actions=2, memory=3, denominator=100).losses]
    [['49/100', '97/100', '53/100'], ['49/100', '97/100', '53/100']]
    """
    rng = Random(seed)
    row = [Fraction(n, denominator) for n in _uniform(rng, memory, 0, denominator)]
    return _tallying(actions, memory, lambda x: row)
