"""Exact Bayes regret of the paper's lower-bound constructions, and the minimax game at small sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any

from tallyplan.cli import printing
from tallyplan.cli.common import (
    AsJson,
    Out,
    argument,
    check_picture,
    command,
    flag,
    integer,
    option,
    shown_progress,
    undecided,
    why_stopped,
    write_certificate,
)
from tallyplan.cli.printing import Line
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.model.rationals import natural, plain, rational, text

if TYPE_CHECKING:
    from proofs_check.bayes.minimax import MinimaxRegret

BOUNDS = tuple(map(Formula, ("m * K / 128", "m * (K - 1) / 2", "m * K - 1")))
LISTED = 8  # tables of a prior that people are shown
LONGEST = 60  # characters of a number that people are shown


class Lower(StrEnum):
    """The constructions of the paper's lower bounds."""

    PROPOSITION_1 = "proposition-1"
    THEOREM_2 = "theorem-2"


Actions = Annotated[str, option("K", "Number of actions.")]
Memory = Annotated[str, option("M", "Length of the window.")]
Horizon = Annotated[str, option("T", "Number of steps.")]


@command(
    "Examples: `tallyplan bayes proposition-1 --actions 4 --memory 3 --horizon 12`; "
    "`tallyplan bayes theorem-2 --actions 2 --memory 2 --horizon 80 --epsilon 7/50`"
)
def bayes(
    construction: Annotated[Lower, argument("CONSTRUCTION", "Which prior over the tables.")],
    actions: Actions,
    memory: Memory,
    horizon: Horizon,
    epsilon: Annotated[
        str | None, option("P/Q", "Gap of theorem-2 (default: the hardest multiple of 1/32).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The exact Bayes regret of a lower-bound construction of the paper: no learner has less.

    **proposition-1**: h_{x*}(m) = 0, every other loss is 1, x* uniform; losses are seen.

    **theorem-2**: h_{x*}(m) = 1/2 - epsilon, every other mean is 1/2, x* uniform; losses are Bernoulli. With
    memory 1 this is the learner of the paper's proof, who may sample any of K cells at any time.
    """
    K, m, T = integer(actions, "--actions"), integer(memory, "--memory"), integer(horizon, "--horizon")
    facts: dict[str, Any] = {"construction": str(construction), "actions": K, "memory": m, "horizon": T}
    if construction is Lower.THEOREM_2:
        facts |= _theorem_2(K, m, T, epsilon)
    elif epsilon is not None:
        raise InvalidInput("proposition-1 has no epsilon.")
    else:
        facts |= _needle(K, m, T)
    printing.answer([*_facts(facts), *_compared(facts["value"], K, m, T)], as_json=as_json)


def _needle(K: int, m: int, T: int) -> dict[str, Any]:
    """Proposition 1: the Bayes regret, and what goes into it."""
    from proofs_check.bayes.deterministic import least_expected_loss, needle_prior, pure_regret
    from proofs_check.certified import optimum

    prior = needle_prior(K, m)
    loss = least_expected_loss(prior, T)
    best = sum((p * optimum(table, T) for table, p in prior), Fraction(0))
    return {
        "value": loss - best,
        "expected_loss": loss,
        "expected_optimum": best,
        "deterministic_learners": pure_regret(prior, T),
    }


def _theorem_2(K: int, m: int, T: int, epsilon: str | None) -> dict[str, Any]:
    """Theorem 2: the same."""
    from proofs_check.bayes.bernoulli import bernoulli_regret, most_hits

    with shown_progress() as progress:
        regret = cache(partial(bernoulli_regret, K, m, T, progress=progress))
        tried = (Fraction(i, 32) for i in range(1, 17))
        gap = max(tried, key=regret) if epsilon is None else rational(epsilon, "--epsilon")
        most = Fraction(most_hits(m, T))
        return {
            "epsilon": gap,
            "epsilon_is": "the hardest multiple of 1/32" if epsilon is None else "the one given",
            "value": regret(gap),
            "expected_hits": most - regret(gap) / gap,
            "most_hits": most,
        }


@command(
    "Examples: `tallyplan minimax --actions 2 --memory 3 --horizon 13`; "
    "`tallyplan minimax --actions 2 --memory 2 --horizon 12 --grid 3 --json`; "
    "`tallyplan minimax --actions 2 --memory 4 --horizon 16 --table --plot by-T.svg`"
)
def minimax(
    actions: Actions,
    memory: Memory,
    horizon: Horizon,
    grid: Annotated[str, option("G", "Losses are 0, 1/G, ..., 1; with 1 they are 0 and 1.")] = "1",
    table: Annotated[bool, flag("--table", "All horizons from 0 to T, one line each.")] = False,
    plot: Annotated[str | None, option("PICTURE", "Also draw the table; .svg, .png or .pdf.")] = None,
    certificate: Out = None,
    time_limit: Annotated[
        float | None, option("SECONDS", "End each horizon with a certified interval after this.", min=0)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The minimax regret over all loss tables of a grid when losses are seen, with both optimal strategies.

    The value is exact, or else a certified interval; the exit status is then 3.
    """
    K, m, g = integer(actions, "--actions"), integer(memory, "--memory"), integer(grid, "--grid")
    T = natural(integer(horizon, "--horizon"), "the horizon")
    if not table:
        if plot is not None:
            raise InvalidInput("--plot is for a table over horizons; add --table.")
        answer = _computed(K, m, [T], g, time_limit)[0]
        rows: Sequence[MinimaxRegret] = [answer]
        write_certificate(certificate, lambda: answer.certificate)
        printing.answer([*_minimax_lines(answer), *printing.certificate(certificate)], as_json=as_json)
    else:
        if certificate is not None:
            raise InvalidInput("a certificate is about one horizon; leave out --table.")
        check_picture(plot)
        rows = _computed(K, m, list(range(T + 1)), g, time_limit)
        if plot is not None:
            from proofs_check.pictures.minimax import draw_minimax

            points = [(row.horizon, row.lower, row.value, row.pure) for row in rows]
            draw_minimax(points, plot, actions=K, memory=m, grid=g)
        if as_json:
            printing.json_document(list(map(_document, rows)))
        else:
            header = ["T", "minimax regret", "about", "deterministic learners"]
            printing.grid(header, list(map(_cells, rows)))
    if any(row.lower < row.value for row in rows):
        raise undecided(why_stopped(time_limit))


def _computed(K: int, m: int, horizons: list[int], g: int, time_limit: float | None) -> list[MinimaxRegret]:
    from proofs_check.bayes.minimax import minimax_by_horizon

    with shown_progress() as progress:
        return list(minimax_by_horizon(K, m, horizons, grid=g, time_limit=time_limit, progress=progress))


def _minimax_lines(answer: MinimaxRegret) -> list[Line]:
    """The minimax regret with both strategies; people are shown the beginning of the prior."""
    K, m, T, g = answer.game.values()
    losses = "{0, 1}" if g == 1 else f"{{0, 1/{g}, ..., 1}}"
    tables, states, mixed = len(answer.graph.orbits), len(answer.graph.states), len(answer.mixture)
    policies = "one policy" if mixed == 1 else f"a mixture of {mixed} policies"
    prior = [
        f"{'  '.join(' '.join(map(str, row)) for row in rows)}   with probability {p}, rows in random order"
        for rows, p in answer.prior
    ]
    rest = [f"... {len(prior)} tables; all with --json"] if len(prior) > LISTED else []
    names = {"value": "minimax regret", "lower": "at least", "upper": "at most"}
    return [
        *(Line(key=name, value=number) for name, number in answer.game.items()),
        Line("game", f"{K} actions, memory {m}, {T} steps, losses in {losses}"),
        Line("size", f"{tables} tables up to the order of their rows, {states} states"),
        *(Line(names[key], _number(end), key, text(end)) for key, end in _ends(answer).items()),
        *_facts({"deterministic_learners": answer.pure}),
        *_compared(answer.value, K, m, T),
        *(Line("hardest prior", words) for words in (*prior[:LISTED], *rest)),
        Line("learner", f"actions relabelled at random, then {policies} (--json has them)"),
        Line(key="prior", value=answer.certificate["dual"]["prior"]),
        Line(key="learner", value=answer.strategy),
    ]


def _cells(row: MinimaxRegret) -> list[str]:
    ends = " to ".join(map(plain, _ends(row).values()))
    return [str(row.horizon), ends, f"{float(row.value):.6f}", plain(row.pure)]


def _document(row: MinimaxRegret) -> dict[str, Any]:
    ends = {name: text(end) for name, end in _ends(row).items()}
    return {"horizon": row.horizon, **ends, "deterministic_learners": text(row.pure)}


def _ends(answer: MinimaxRegret) -> dict[str, Fraction]:
    if answer.lower == answer.value:
        return {"value": answer.value}
    return {"lower": answer.lower, "upper": answer.value}


def _facts(facts: Mapping[str, Any]) -> list[Line]:
    """Names and numbers."""
    return [
        Line(key.replace("_", " "), _number(value), key, text(value))
        if isinstance(value, Fraction)
        else Line(key.replace("_", " "), str(value), key, value)
        for key, value in facts.items()
    ]


def _compared(value: Fraction, K: int, m: int, T: int) -> list[Line]:
    """A regret next to mK/128, m(K-1)/2, mK-1 and sqrt(mKT), whose share is cut off after four digits."""
    lines, compared = [], []
    for formula in BOUNDS:
        bound = formula(K=K, m=m)
        relation = "=" if value == bound else "<" if value < bound else ">"
        lines.append(Line("compared", f"{relation} {plain(bound)} = {formula}"))
        compared.append({"formula": str(formula), "bound": text(bound), "relation": relation})
    cut = math.isqrt(math.floor(value**2 * 10**8 / (m * K * T))) if T else None
    share = None if cut is None else f"{cut // 10**4}.{cut % 10**4:04d}"
    lines.append(Line("value / sqrt(mKT)", str(share), "over_sqrt_mKT", share))
    return [*lines, Line(key="compared", value=compared)]


def _number(value: Fraction) -> str:
    """A number; if it is very long, about how large it is."""
    if len(plain(value)) <= LONGEST:
        return printing.number(value)
    return f"about {printing.decimals(value)}  (--json has all digits)"
