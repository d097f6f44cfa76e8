"""Questions about graphs of your own: cycles of least mean or ratio, all critical edges, negative cycles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

from tallyplan.cli import printing
from tallyplan.cli.common import AsJson, Out, argument, command, option, shown_progress, write_certificate
from tallyplan.cli.printing import Line
from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.rationals import text
from tallyplan.model.weighted_graph import WeightedGraph

if TYPE_CHECKING:
    from tallyplan.planning.cycle_of_graph import GraphAnswer


@command(
    "Examples: `tallyplan graph cycle roads.csv --certificate roads.cert && tallyplan check roads.cert`; "
    "`tallyplan graph ratio roads.graphml --weight toll --time hours --json`; "
    "`tallyplan graph negative rates.csv`"
)
def graph(
    question: Annotated[str, argument("QUESTION", "cycle, ratio, critical or negative; see above.")],
    file: Annotated[str, argument("FILE", "GraphML (.graphml) or CSV (.csv, -): tail, head, weight.")],
    weight: Annotated[str, option("NAME", "The attribute of the edges, or the column.")] = "weight",
    time: Annotated[str | None, option("NAME", "ratio, critical: the attribute with the times.")] = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """Optimal cycles of your own directed graph, exactly.

    `cycle`: the least mean weight of a cycle, and a cycle that has it. `ratio`: the least ratio of weight to
    time. `critical`: all edges on cycles of least mean, or of least ratio with --time. `negative`: a cycle of
    negative weight, or the proof that there is none.

    Weights are integers, decimals or rationals of any sign (-3, 0.25, 1/3), taken as they are written. The
    first line of a CSV file names its columns, such as u,v,weight; tail and head come first.
    """
    from tallyplan.planning import cycle_of_graph as questions

    timed = question == "ratio" or (question == "critical" and time is not None)
    least = f"least ratio of {weight} to {time or 'time'}" if timed else f"least mean {weight}"
    asked: dict[str, tuple[str, Callable[..., GraphAnswer]]] = {
        "cycle": (f"{least} of a cycle", questions.minimum_mean_cycle_of),
        "ratio": (f"{least} of a cycle", questions.minimum_ratio_cycle_of),
        "critical": (f"edges on cycles of the {least}", partial(questions.critical_graph, time=time)),
        "negative": (f"a cycle of negative {weight}", questions.negative_cycle_of),
    }
    if question not in asked:
        guess = did_you_mean(question, asked)
        raise InvalidInput(f"there is no question {question!r}{guess} They are {', '.join(asked)}.")
    if time is not None and not timed:
        raise InvalidInput("--time is for ratio and critical.")
    read = WeightedGraph.load(file, weight, (time or "time") if timed else None)
    words, ask = asked[question]
    with shown_progress() as progress:
        answer = ask(read, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    about = Line("graph", f"{file}: {len(read.nodes)} nodes, {len(read.tails)} edges")
    proof = [Line("proof", answer.argument), *printing.certificate(certificate)]
    printing.answer([about, Line("question", words), *_lines(answer), *proof], as_json=as_json)


def _lines(answer: GraphAnswer) -> list[Line]:
    found = [Line(key="exists", value=answer.exists)] if answer.question == "negative-cycle" else []
    if answer.value is None:
        return [*found, Line("answer", "there is none")]
    found.append(printing.number_line("optimum", answer.value, "value"))
    if answer.question == "critical-graph":
        words, parts = ", ".join(f"{u} -> {v}" for u, v, *_ in answer.edges), answer.components
        shown = words if len(words) <= printing.LONGEST_TEXT else f"{len(answer.edges)} (--json has them all)"
        listed = Line("edges", shown, "edges", answer.edges)
        return [*found, listed, Line("components", str(len(parts)), "components", parts)]
    rows = {"weights": answer.graph.weights, "times": answer.graph.times}
    numbers = {key: [text(row[edge]) for edge in answer.cycle] for key, row in rows.items() if row}
    found.append(Line("cycle", printing.nodes(answer.nodes), "nodes", answer.nodes))
    return found + [Line(key=key, value=value) for key, value in numbers.items()]
