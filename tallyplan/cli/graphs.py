"""Questions about graphs of your own: cycles of least mean or ratio, all critical edges, negative cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tallyplan.cli import printing
from tallyplan.cli.common import AsJson, Out, app, reports_errors, shown_progress, write_certificate
from tallyplan.cli.printing import Line
from tallyplan.model.rationals import text
from tallyplan.model.weighted_graph import WeightedGraph

if TYPE_CHECKING:
    from tallyplan.planning.cycle_of_graph import CycleOfGraph

graph = typer.Typer(
    no_args_is_help=True,
    help="""Cycles of a directed graph that a file lists, exactly, each answer with a certificate.

    GraphML (.graphml), or CSV (.csv, - for standard input) whose first line names the columns, such as
    u,v,weight; tail and head come first. Weights are integers, decimals or rationals of any sign (-3, 0.25,
    1/3), taken as they are written.
    """,
)
app.add_typer(graph, name="graph")

GraphFile = Annotated[
    str, typer.Argument(metavar="FILE", help="GraphML, or CSV with the columns tail, head, weight.")
]
Weight = Annotated[
    str, typer.Option(metavar="NAME", help="The attribute of the edges, or the column of the CSV file.")
]
Time = Annotated[str, typer.Option(metavar="NAME", help="The attribute or column of the times.")]
MaybeTime = Annotated[
    str | None, typer.Option(metavar="NAME", help="The attribute or column of the times: by ratio.")
]


@graph.command(epilog="Example: `tallyplan graph cycle roads.csv --certificate roads.cert`")
@reports_errors
def cycle(
    file: GraphFile, weight: Weight = "weight", as_json: AsJson = False, certificate: Out = None
) -> None:
    """The least mean weight of a cycle, and a cycle that has it."""
    from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of

    read = WeightedGraph.load(file, weight)
    with shown_progress() as progress:
        answer = minimum_mean_cycle_of(read, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    _print(file, read, f"least mean {weight} of a cycle", _cycle(answer), answer, certificate, as_json)


@graph.command(epilog="Example: `tallyplan graph ratio roads.csv --weight toll --time hours --json`")
@reports_errors
def ratio(
    file: GraphFile,
    weight: Weight = "weight",
    time: Time = "time",
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The least ratio of weight to time of a cycle, and a cycle that has it; times are positive."""
    from tallyplan.planning.cycle_of_graph import minimum_ratio_cycle_of

    read = WeightedGraph.load(file, weight, time)
    with shown_progress() as progress:
        answer = minimum_ratio_cycle_of(read, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    question = f"least {weight} per {time} of a cycle"
    _print(file, read, question, _cycle(answer), answer, certificate, as_json)


@graph.command(epilog="Example: `tallyplan graph critical roads.graphml`")
@reports_errors
def critical(
    file: GraphFile,
    weight: Weight = "weight",
    time: MaybeTime = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """All edges that lie on some cycle of least mean weight, or of least ratio of weight to time."""
    from tallyplan.planning.cycle_of_graph import critical_graph

    read = WeightedGraph.load(file, weight, time)
    with shown_progress() as progress:
        answer = critical_graph(read, time=time, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    edges = ", ".join(f"{tail} -> {head}" for tail, head, *_ in answer.edges)
    found = [
        *printing.optimum(answer.least),
        Line("edges", edges if len(edges) <= printing.LONGEST_TEXT else "too many to show (--json has them)"),
        Line(key="edges", value=[list(edge) for edge in answer.edges]),
        Line("components", str(len(answer.components)), "components", answer.components),
    ]
    _print(file, read, f"edges on cycles of least {weight}", found, answer, certificate, as_json)


@graph.command(epilog="Example: `tallyplan graph negative roads.csv --certificate none.cert`")
@reports_errors
def negative(
    file: GraphFile, weight: Weight = "weight", as_json: AsJson = False, certificate: Out = None
) -> None:
    """A cycle of negative weight, or the proof that there is none."""
    from tallyplan.planning.cycle_of_graph import negative_cycle_of

    read = WeightedGraph.load(file, weight)
    with shown_progress() as progress:
        answer = negative_cycle_of(read, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    found = [Line(key="exists", value=answer.exists)]
    if answer.total is None:
        found += [Line("answer", "there is none")]
    else:
        found += [
            printing.number_line("weight", answer.total, "value"),
            Line("cycle", printing.nodes(answer.nodes), "nodes", answer.nodes),
        ]
    _print(file, read, f"a cycle of negative {weight}", found, answer, certificate, as_json)


def _cycle(answer: CycleOfGraph) -> list[Line]:
    graph = answer.graph
    times = [] if graph.times is None else [text(graph.times[edge]) for edge in answer.cycle]
    return [
        *printing.optimum(answer),
        Line("cycle", printing.nodes(answer.nodes), "nodes", answer.nodes),
        Line(key="weights", value=[text(graph.weights[edge]) for edge in answer.cycle]),
        *([Line(key="times", value=times)] if times else []),
    ]


def _print(
    file: str,
    read: WeightedGraph,
    question: str,
    found: Sequence[Line],
    answer: Any,
    certificate: str | None,
    as_json: bool,
) -> None:
    lines = [
        Line("graph", f"{file}: {len(read.nodes)} nodes, {len(read.tails)} edges"),
        Line("question", question),
        *found,
        Line("proof", answer.argument),
        *printing.certificate(certificate),
    ]
    printing.answer(lines, as_json=as_json)
