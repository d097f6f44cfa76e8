"""The questions of planning: the best plan, cycle and word of a given length; the best cycle of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from tallyplan.cli import printing
from tallyplan.cli.common import (
    AsJson,
    File,
    Gap,
    Method,
    Out,
    Start,
    TimeLimit,
    argument,
    command,
    integer,
    option,
    read_start,
    shown_progress,
    undecided,
    why_stopped,
    write_certificate,
)
from tallyplan.cli.printing import Line
from tallyplan.model.instance import Bandit, load
from tallyplan.model.rationals import share, text

if TYPE_CHECKING:
    from tallyplan.answers import Answer


@command(
    "Examples: `tallyplan plan c3.json --horizon 10^15`; "
    "`tallyplan plan c3.json --horizon 40 --start 0,1 --json --certificate plan.cert`"
)
def plan(
    file: File,
    horizon: Annotated[str, option("T", "Number of steps: 1000, 10^15 or 1e15.")],
    start: Start = None,
    as_json: AsJson = False,
    certificate: Out = None,
    method: Method = "auto",
    gap: Gap = "0",
    time_limit: TimeLimit = None,
) -> None:
    """The least total loss of T steps, and an optimal action sequence as runs (word, repeats).

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum, with a plan at its upper end; the exit status is then 3.
    """
    from tallyplan.planning.horizon import optimal_plan

    bandit = load(file)
    steps = integer(horizon, "--horizon")
    history = read_start(start, bandit)
    with shown_progress() as progress:
        answer = optimal_plan(
            bandit,
            steps,
            history,
            method=method,
            gap=share(gap, "--gap"),
            time_limit=time_limit,
            progress=progress,
        )
        write_certificate(certificate, lambda: answer.certificate)
    runs = [[list(word), repeats] for word, repeats in answer.runs]
    attained = [
        *printing.original(bandit, answer, steps),
        Line("per step", printing.number(answer.upper / steps) if steps else "-"),
        Line(key="horizon", value=steps),
        Line("plan", lambda: printing.runs(answer.runs, bandit) or "nothing to play", "runs", runs),
        *printing.start(history),
    ]
    question = f"least total loss of {steps} steps{printing.after(history, bandit)}"
    _print(bandit, answer, question, attained, certificate, as_json, time_limit, gap)


@command(
    "Examples: `tallyplan cycle c3.json --certificate cycle.cert && tallyplan check cycle.cert`; "
    "`tallyplan cycle big.json --gap 1% --time-limit 60`"
)
def cycle(
    file: File,
    as_json: AsJson = False,
    certificate: Out = None,
    method: Method = "auto",
    gap: Gap = "0",
    time_limit: TimeLimit = None,
) -> None:
    """The least long-run loss per step (minimum mean cycle), and a word that attains it.

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    bandit = load(file)
    with shown_progress() as progress:
        answer = minimum_mean_cycle(
            bandit, method=method, gap=share(gap, "--gap"), time_limit=time_limit, progress=progress
        )
        write_certificate(certificate, lambda: answer.certificate)
    word = f"{printing.word(answer.word, bandit)}  (length {len(answer.word)}, repeated forever)"
    attained = [*printing.original(bandit, answer), Line("word", word, "word", list(answer.word))]
    _print(bandit, answer, "least long-run loss per step", attained, certificate, as_json, time_limit, gap)


@command(
    "Examples: `tallyplan cyclic c3.json --period 1001 --json`; "
    "`tallyplan cyclic big.json --period 4001 --time-limit 10`"
)
def cyclic(
    file: File,
    period: Annotated[str, option("L", "Length of the word, at least 1.")],
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The best word of exactly L actions, repeated forever: the optimal L-cyclic policy.

    With a time limit the answer may be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.cyclic import optimal_cyclic_policy

    bandit = load(file)
    length = integer(period, "--period")
    with shown_progress() as progress:
        answer = optimal_cyclic_policy(bandit, length, time_limit=time_limit, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    attained = [
        *printing.original(bandit, answer),
        Line("word", lambda: printing.word(answer.word, bandit), "word", list(answer.word)),
        Line(key="period", value=answer.period),
    ]
    question = f"least loss per step of a word of {answer.period} actions, repeated forever"
    _print(bandit, answer, question, attained, certificate, as_json, time_limit)


@command(
    "Examples: `tallyplan cycle-of roads.csv --certificate roads.cert && tallyplan check roads.cert`; "
    "`tallyplan cycle-of roads.graphml --weight toll --json`",
    name="cycle-of",
)
def cycle_of(
    file: Annotated[
        str, argument("FILE", "GraphML (.graphml), or CSV (.csv, - for standard input): tail, head, weight.")
    ],
    weight: Annotated[
        str, option("NAME", "The attribute of the edges, or the column of the CSV file.")
    ] = "weight",
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The least mean weight of a cycle of a directed graph that a file lists, and a cycle that has it.

    Weights are integers, decimals or rationals of any sign (-3, 0.25, 1/3), taken as they are written. The
    first line of a CSV file names its columns, such as u,v,weight; tail and head come first.
    """
    from tallyplan.model.weighted_graph import WeightedGraph
    from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of

    graph = WeightedGraph.load(file, weight)
    with shown_progress() as progress:
        answer = minimum_mean_cycle_of(graph, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    printing.answer(
        [
            Line("graph", f"{file}: {len(graph.nodes)} nodes, {len(graph.tails)} edges"),
            Line("question", f"least mean {weight} of a cycle"),
            *printing.optimum(answer),
            Line("cycle", printing.nodes(answer.nodes), "nodes", answer.nodes),
            Line(key="weights", value=[text(graph.weights[edge]) for edge in answer.cycle]),
            Line("proof", answer.argument),
            *printing.certificate(certificate),
        ],
        as_json=as_json,
    )


def _print(
    bandit: Bandit,
    answer: Answer,
    question: str,
    attained: Sequence[Line],
    certificate: str | None,
    as_json: bool,
    time_limit: float | None,
    gap: str = "0",
) -> None:
    """An answer to any of the three questions; the status is 3 if it is an interval."""
    printing.answer(
        [
            printing.instance(bandit),
            Line("question", question),
            *printing.optimum(answer),
            *attained,
            Line("proof", answer.argument),
            *printing.certificate(certificate),
        ],
        as_json=as_json,
    )
    if not answer.exact:
        close = answer.upper - answer.lower <= share(gap, "--gap") * answer.upper
        raise undecided("the gap that --gap allows was reached" if close else why_stopped(time_limit))
