"""Questions about graphs of your own: cycles of least mean or ratio, all critical edges, negative cycles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from tallyplan.cli import printing
from tallyplan.cli.common import AsJson, Out, argument, command, option, shown_progress, write_certificate
from tallyplan.cli.printing import Line
from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.rationals import text
from tallyplan.model.weighted_graph import WeightedGraph

if TYPE_CHECKING:
    from tallyplan.planning.cycle_of_graph import CriticalGraph, CycleOfGraph, NegativeCycle

QUESTIONS = ("cycle", "ratio", "critical", "negative")


@command(
    "Examples: `tallyplan graph cycle roads.csv --certificate roads.cert && tallyplan check roads.cert`; "
    "`tallyplan graph ratio roads.graphml --weight toll --time hours --json`; "
    "`tallyplan graph negative rates.csv`"
)
def graph(
    question: Annotated[str, argument("QUESTION", "cycle, ratio, critical or negative; see above.")],
    file: Annotated[
        str, argument("FILE", "GraphML (.graphml), or CSV (.csv, - for standard input): tail, head, weight.")
    ],
    weight: Annotated[
        str, option("NAME", "The attribute of the edges, or the column of the CSV file.")
    ] = "weight",
    time: Annotated[str | None, option("NAME", "ratio, critical: the attribute with the times.")] = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """Cycles of a directed graph that a file lists, exactly.

    `cycle`: the least mean weight of a cycle, and a cycle that has it. `ratio`: the least ratio of weight to
    time. `critical`: all edges on cycles of least mean, or of least ratio with --time. `negative`: a cycle of
    negative weight, or the proof that there is none.

    Weights are integers, decimals or rationals of any sign (-3, 0.25, 1/3), taken as they are written. The
    first line of a CSV file names its columns, such as u,v,weight; tail and head come first.
    """
    from tallyplan.planning import cycle_of_graph as questions

    if question not in QUESTIONS:
        guess = did_you_mean(question, QUESTIONS)
        raise InvalidInput(f"there is no question {question!r}{guess} They are {', '.join(QUESTIONS)}.")
    if time is not None and question in ("cycle", "negative"):
        raise InvalidInput("--time is for ratio and critical.")
    time = "time" if question == "ratio" and time is None else time
    read = WeightedGraph.load(file, weight, time)
    least = f"least mean {weight}" if time is None else f"least ratio of {weight} to {time}"
    asked: dict[str, tuple[str, Callable[..., Any], Callable[[Any], list[Line]]]] = {
        "cycle": (f"{least} of a cycle", questions.minimum_mean_cycle_of, _cycle),
        "ratio": (f"{least} of a cycle", questions.minimum_ratio_cycle_of, _cycle),
        "critical": (f"edges on cycles of the {least}", partial(questions.critical_graph, time=time), _edges),
        "negative": (f"a cycle of negative {weight}", questions.negative_cycle_of, _negative),
    }
    words, ask, lines = asked[question]
    with shown_progress() as progress:
        answer = ask(read, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    about = Line("graph", f"{file}: {len(read.nodes)} nodes, {len(read.tails)} edges")
    proof = [Line("proof", answer.argument), *printing.certificate(certificate)]
    printing.answer([about, Line("question", words), *lines(answer), *proof], as_json=as_json)


def _cycle(answer: CycleOfGraph) -> list[Line]:
    numbers = {"weights": answer.graph.weights} | (
        {"times": answer.graph.times} if answer.graph.times else {}
    )
    return [
        printing.number_line("optimum", answer.value, "value"),
        Line("cycle", printing.nodes(answer.nodes), "nodes", answer.nodes),
        *(Line(key=key, value=[text(row[edge]) for edge in answer.cycle]) for key, row in numbers.items()),
    ]


def _edges(answer: CriticalGraph) -> list[Line]:
    words = ", ".join(f"{tail} -> {head}" for tail, head, *_ in answer.edges)
    shown = words if len(words) <= printing.LONGEST_TEXT else f"{len(answer.edges)} (--json has them all)"
    return [
        printing.number_line("optimum", answer.value, "value"),
        Line("edges", shown, "edges", answer.edges),
        Line("components", str(len(answer.components)), "components", answer.components),
    ]


def _negative(answer: NegativeCycle) -> list[Line]:
    found = _cycle(answer.cycle) if answer.cycle else [Line("answer", "there is none")]
    return [Line(key="exists", value=answer.exists), *found]
