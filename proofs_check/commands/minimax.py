"""Exact Bayes regret of the paper's lower-bound constructions, and the minimax game at small sizes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from tallyplan.cli import printing
from tallyplan.cli.common import (
    AsJson,
    Out,
    StoreOption,
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
from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import natural, rational

if TYPE_CHECKING:
    from proofs_check.bayes.report import AtHorizon


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
    from proofs_check.bayes import report

    K, m, T = integer(actions, "--actions"), integer(memory, "--memory"), integer(horizon, "--horizon")
    if construction is Lower.PROPOSITION_1:
        if epsilon is not None or lowest is not None:
            raise InvalidInput("proposition-1 has neither an epsilon nor a lowest tally.")
        with shown_progress() as progress:
            document = report.needle_document(K, m, T, progress)
    else:
        document = _theorem_2(construction, (K, m, T), epsilon, lowest)
    if as_json:
        printing.json_document(document)
    else:
        print("\n".join(report.document_lines(document)))


def _theorem_2(
    kind: Lower, size: tuple[int, int, int], epsilon: str | None, lowest: str | None
) -> dict[str, object]:
    from proofs_check.bayes.bernoulli import BernoulliRegret, bernoulli_regret, hardest_epsilon
    from proofs_check.bayes.constructions import construction
    from proofs_check.bayes.report import bernoulli_document

    K, m, T = size
    low = None if lowest is None else integer(lowest, "--lowest")

    def solve(gap: Fraction) -> BernoulliRegret:
        about = construction(K, m, T, gap, low)
        if kind is Lower.GENERATIVE:
            about = construction(len(about.cells), 1, T, gap)
        return bernoulli_regret(about, progress=progress)

    with shown_progress() as progress:
        gap = (
            hardest_epsilon(lambda gap: solve(gap).value)
            if epsilon is None
            else rational(epsilon, "--epsilon")
        )
        return bernoulli_document(solve(gap), name=kind, searched=epsilon is None)


@command(
    "Examples: `tallyplan minimax --actions 2 --memory 3 --horizon 13`; "
    "`tallyplan minimax --actions 2 --memory 2 --horizon 12 --grid 3 --json`; "
    "`tallyplan minimax --actions 2 --memory 4 --horizon 16 --table --plot by-T.svg`; "
    "`tallyplan minimax --actions 2 --memory 5 --horizon 20 --table --store minimax.db` (rerun to resume)"
)
def minimax(
    actions: Actions,
    memory: Memory,
    horizon: Horizon,
    grid: Annotated[str, option("G", "Losses are 0, 1/G, ..., 1; with 1 they are 0 and 1.")] = "1",
    table: Annotated[bool, flag("--table", "All horizons from 0 to T, one line each.")] = False,
    plot: Annotated[str | None, option("PICTURE", "Also draw the table; .svg, .png or .pdf.")] = None,
    store: StoreOption = None,
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
    T = integer(horizon, "--horizon")
    if not table:
        if plot is not None or store is not None:
            raise InvalidInput("--plot and --store are for a table over horizons; add --table.")
        exact = _one_horizon((K, m, T, g), certificate, time_limit, as_json)
    else:
        if certificate is not None:
            raise InvalidInput("a certificate is about one horizon; leave out --table.")
        exact = _by_horizon((K, m, T, g), plot, store, time_limit, as_json)
    if not exact:
        raise undecided(why_stopped(time_limit))


Size = tuple[int, int, int, int]


def _one_horizon(size: Size, certificate: str | None, time_limit: float | None, as_json: bool) -> bool:
    """Print the minimax regret; whether it is exact."""
    from proofs_check.bayes import report
    from proofs_check.bayes.minimax import minimax_regret

    K, m, T, g = size
    with shown_progress() as progress:
        answer = minimax_regret(K, m, T, grid=g, time_limit=time_limit, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    if as_json:
        printing.json_document(report.minimax_document(answer))
    else:
        print("\n".join(report.minimax_lines(answer)))
    return answer.exact


def _by_horizon(
    size: Size, plot: str | None, store: str | None, time_limit: float | None, as_json: bool
) -> bool:
    """Print the table over horizons; whether it is exact."""
    from proofs_check.bayes import report

    check_picture(plot)
    if store is not None and time_limit is not None:
        raise InvalidInput("--store keeps exact values alone; leave out --time-limit.")
    rows = _computed(size, time_limit) if store is None else _kept(size, store)
    if plot is not None:
        from proofs_check.pictures.minimax import draw_minimax

        K, m, _, g = size
        points = [(one.horizon, one.lower, one.value, one.pure) for one in rows]
        draw_minimax(points, plot, actions=K, memory=m, grid=g)
    if as_json:
        printing.json_document(report.minimax_rows(rows))
    else:
        print("\n".join(report.minimax_table_lines(rows)))
    return all(one.exact for one in rows)


def _computed(size: Size, time_limit: float | None) -> Sequence[AtHorizon]:
    from proofs_check.bayes.minimax import minimax_by_horizon

    K, m, T, g = size
    with shown_progress() as progress:
        horizons = range(natural(T, "the horizon") + 1)
        return list(minimax_by_horizon(K, m, horizons, grid=g, time_limit=time_limit, progress=progress))


def _kept(size: Size, store: str) -> Sequence[AtHorizon]:
    from proofs_check.bayes.report import Row
    from tallyplan.studies.runners import ResumableStudy, facts_of, interval_of, local_workers, read_from
    from tallyplan.studies.spec import study_of

    K, m, T, g = size
    horizons = range(natural(T, "the horizon") + 1)
    question = {"ask": "minimax", "actions": K, "memory": m, "horizon": list(horizons), "grid": g}
    with shown_progress() as progress, ResumableStudy(store, study_of({"questions": [question]})) as kept:
        answers = kept.answers(local_workers(), progress=progress)
    with read_from(store):
        both = zip(horizons, answers, strict=True)
        return [Row(t, *interval_of(one), Fraction(facts_of(one)["pure"])) for t, one in both]
