"""Exact Bayes regret of the paper's lower-bound constructions, and the minimax game at small sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
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
from tallyplan.limits import Progress
from tallyplan.model.rationals import natural, plain, rational, text

if TYPE_CHECKING:
    from proofs_check.bayes.minimax import MinimaxRegret

BOUNDS = tuple(map(Formula, ("m * K / 128", "m * (K - 1) / 2", "m * K - 1")))
SEARCHED = "the hardest multiple of 1/16, and then of 1/128 near it"
LISTED = 8  # tables of a prior and lines of a learner that people are shown
LONGEST = 60  # characters of a number that people are shown


class Lower(StrEnum):
    """The constructions of the paper's lower bounds."""

    PROPOSITION_1 = "proposition-1"
    THEOREM_2 = "theorem-2"
    GENERATIVE = "generative"


Actions = Annotated[str, option("K", "Number of actions.")]
Memory = Annotated[str, option("M", "Length of the window.")]
Horizon = Annotated[str, option("T", "Number of steps.")]


@command(
    "Examples: `tallyplan bayes proposition-1 --actions 4 --memory 3 --horizon 12`; "
    "`tallyplan bayes theorem-2 --actions 2 --memory 2 --horizon 80 --epsilon 7/50`; "
    "`tallyplan bayes theorem-2 --actions 2 --memory 3 --lowest 2 --horizon 10`; "
    "`tallyplan bayes generative --actions 4 --memory 1 --horizon 10 --json`"
)
def bayes(
    construction: Annotated[Lower, argument("CONSTRUCTION", "Which prior over the tables.")],
    actions: Actions,
    memory: Memory,
    horizon: Horizon,
    epsilon: Annotated[
        str | None, option("P/Q", "Gap of theorem-2 and generative (default: search for a hard one).")
    ] = None,
    lowest: Annotated[
        str | None, option("Y", "Lowest tally that y* may have; the paper's is ceil(23m/24).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The exact Bayes regret of a lower-bound construction of the paper, and a learner that attains it.

    **proposition-1**: h_{x*}(m) = 0, every other loss is 1; losses are seen.

    **theorem-2**: h_{x*}(y*) = 1/2 - epsilon, every other mean is 1/2; losses are Bernoulli.

    **generative**: the same for a learner who may sample any cell (x, y) at any time: a bandit with as many
    arms as there are cells.
    """
    K, m, T = integer(actions, "--actions"), integer(memory, "--memory"), integer(horizon, "--horizon")
    with shown_progress() as progress:
        if construction is not Lower.PROPOSITION_1:
            lines = _theorem_2(construction, (K, m, T), epsilon, lowest, progress)
        elif epsilon is not None or lowest is not None:
            raise InvalidInput("proposition-1 has neither an epsilon nor a lowest tally.")
        else:
            lines = _needle(K, m, T, progress)
    printing.answer(lines, as_json=as_json)


def _needle(K: int, m: int, T: int, progress: Progress) -> list[Line]:
    """Proposition 1: the Bayes regret, what goes into it, and what the learner plays for every x*."""
    from proofs_check.bayes.constructions import needle_prior
    from proofs_check.bayes.deterministic import bayes_regret, pure_regret

    prior = needle_prior(K, m)
    answer = bayes_regret(prior, T, progress=progress)
    facts = {
        "construction": "proposition-1",
        "actions": K,
        "memory": m,
        "horizon": T,
        "value": answer.value,
        "expected_loss": answer.loss,
        "expected_optimum": answer.optimum,
        "deterministic_learners": pure_regret(prior, T),
    }
    plays = {f"x* = {best}": answer.play(table)[0] for best, (table, _) in enumerate(prior)}
    return [*_facts(facts), *_compared(answer.value, K, m, T), *_plays(plays)]


def _theorem_2(
    kind: Lower, size: tuple[int, int, int], epsilon: str | None, lowest: str | None, progress: Progress
) -> list[Line]:
    """Theorem 2: the Bayes regret, what goes into it, and two plays of the learner."""
    from proofs_check.bayes.bernoulli import BernoulliRegret, bernoulli_regret, hardest_epsilon
    from proofs_check.bayes.constructions import construction

    K, m, T = size
    low = None if lowest is None else integer(lowest, "--lowest")

    def solve(gap: Fraction) -> BernoulliRegret:
        about = construction(K, m, T, gap, low)
        if kind is Lower.GENERATIVE:
            about = construction(len(about.cells), 1, T, gap)
        return bernoulli_regret(about, progress=progress)

    if epsilon is None:
        answer = solve(hardest_epsilon(lambda gap: solve(gap).value))
    else:
        answer = solve(rational(epsilon, "--epsilon"))
    about = answer.construction
    facts = {
        "construction": str(kind),
        "actions": about.actions,
        "memory": about.memory,
        "horizon": about.horizon,
        "lowest_tally": about.lowest,
        "epsilon": about.epsilon,
        "epsilon_is": "the one given" if epsilon is not None else SEARCHED,
        "value": answer.value,
        "expected_hits": answer.hits,
        "most_hits": answer.most_hits,
    }
    zeros, ones = (answer.play((0, 0), always)[0] for always in (lambda _: 0, lambda _: 1))
    compared = _compared(answer.value, about.actions, about.memory, about.horizon)
    return [*_facts(facts), *compared, *_plays({"all losses 0": zeros, "all losses 1": ones})]


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
    """The minimax regret with both strategies; people are shown the beginning of these."""
    K, m, T, g = answer.game.values()
    losses = "{0, 1}" if g == 1 else f"{{0, 1/{g}, ..., 1}}"
    tables, states, mixed = len(answer.graph.orbits), len(answer.graph.states), len(answer.mixture)
    policies = "one policy" if mixed == 1 else f"a mixture of {mixed} policies"
    prior = [
        f"{'  '.join(' '.join(map(str, row)) for row in rows)}   with probability {p}, rows in random order"
        for rows, p in answer.prior
    ]
    names = {"value": "minimax regret", "lower": "at least", "upper": "at most"}
    return [
        *(Line(key=name, value=number) for name, number in answer.game.items()),
        Line("game", f"{K} actions, memory {m}, {T} steps, losses in {losses}"),
        Line("size", f"{tables} tables up to the order of their rows, {states} states"),
        *(Line(names[key], _number(end), key, text(end)) for key, end in _ends(answer).items()),
        *_facts({"deterministic_learners": answer.pure}),
        *_compared(answer.value, K, m, T),
        *_listed("hardest prior", prior, "tables"),
        Line("learner", f"actions relabelled at random, then {policies}"),
        *_listed("learner", list(map(_situation, answer.strategy)), "situations"),
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


def _plays(plays: Mapping[str, Sequence[int]]) -> list[Line]:
    lines = [Line(f"plays if {case}", _word(play)) for case, play in plays.items()]
    return [*lines, Line(key="learner", value={case: list(play) for case, play in plays.items()})]


def _listed(label: str, entries: Sequence[str], what: str) -> list[Line]:
    """The first of many entries, and how many there are."""
    rest = [f"... {len(entries)} {what}; all with --json or --certificate"] if len(entries) > LISTED else []
    return [Line(label, words) for words in (*entries[:LISTED], *rest)]


def _situation(line: dict[str, Any]) -> str:
    rows = [" ".join(plain(Fraction(loss)) for loss in row) for row in line["known"]]
    known = ", ".join(f"h_{x}: {row}" for x, row in enumerate(rows) if row) or "-"
    shares = {action: plain(Fraction(share)) for action, share in line["play"].items()}
    play = ", ".join(action if share == "1" else f"{action} with {share}" for action, share in shares.items())
    return f"step {line['steps']}, last played {_word(line['recent']) or '-'}, known {known}: play {play}"


def _word(actions: Sequence[int]) -> str:
    return ("" if max(actions, default=0) < 10 else " ").join(map(str, actions))


def _number(value: Fraction) -> str:
    """A number, cut off if it is very long, and about how large it is."""
    exact = plain(value)
    if len(exact) <= LONGEST:
        return printing.number(value)
    return f"{exact[:28]}... ({len(exact)} characters, --json has all)  (about {float(value):.10g})"
