"""The questions of planning: the best plan, cycle and word of a given length; cycles of a graph."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tallyplan.certificates import in_words
from tallyplan.cli import common as cli
from tallyplan.cli import printing
from tallyplan.cli.printing import Line
from tallyplan.errors import InvalidInput, NoPlay, did_you_mean
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import Bandit, load
from tallyplan.model.rationals import share, text

if TYPE_CHECKING:
    from tallyplan.answers import Answer, CyclicPolicy, MeanCycle, Plan
    from tallyplan.planning.cycle_of_graph import GraphAnswer

Found = TypeVar("Found", bound="Answer")


@cli.command(
    "Examples: `tallyplan plan c3.json --horizon 10^15`; "
    "`tallyplan plan c3.json --horizon 40 --start 0,1 --json --certificate plan.cert`"
)
def plan(
    file: cli.File,
    horizon: Annotated[str, cli.option("T", "Number of steps: 1000, 10^15 or 1e15.")],
    start: cli.Start = None,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
    method: cli.Method = "auto",
    gap: cli.Gap = "0",
    time_limit: cli.TimeLimit = None,
) -> None:
    """The least total loss of T steps, and an optimal action sequence as runs (word, repeats).

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum, with a plan at its upper end; the exit status is then 3.
    """
    from tallyplan.planning.horizon import optimal_plan

    bandit, steps = load(file), cli.integer(horizon, "--horizon")
    history = cli.read_actions(start, bandit, "--start")

    def attained(answer: Plan) -> list[Line]:
        runs = [[list(word), repeats] for word, repeats in answer.runs]
        return [
            *printing.original(bandit, answer, steps),
            Line("per step", printing.number(answer.upper / steps) if steps else "-"),
            Line(key="horizon", value=steps),
            Line("plan", lambda: printing.runs(answer.runs, bandit) or "nothing to play", "runs", runs),
            *printing.start(history),
        ]

    question = f"least total loss of {steps} steps{printing.after(history, bandit)}"
    ask = partial(optimal_plan, bandit, steps, history, method=method, gap=share(gap, "--gap"))
    _answer(bandit, question, ask, attained, certificate, as_json, time_limit, gap)


@cli.command(
    "Examples: `tallyplan cycle c3.json --certificate cycle.cert && tallyplan check cycle.cert`; "
    "`tallyplan cycle big.json --gap 1% --time-limit 60`"
)
def cycle(
    file: cli.File,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
    method: cli.Method = "auto",
    gap: cli.Gap = "0",
    time_limit: cli.TimeLimit = None,
) -> None:
    """The least long-run loss per step (minimum mean cycle), and a word that attains it.

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    bandit = load(file)

    def attained(answer: MeanCycle) -> list[Line]:
        return _repeated(bandit, answer, f"  (length {len(answer.word)}, repeated forever)")

    ask = partial(minimum_mean_cycle, bandit, method=method, gap=share(gap, "--gap"))
    question = "least long-run loss per step"
    _answer(bandit, question, ask, attained, certificate, as_json, time_limit, gap)


@cli.command(
    "Examples: `tallyplan cyclic c3.json --period 1001 --json`; "
    "`tallyplan cyclic big.json --period 4001 --time-limit 10`"
)
def cyclic(
    file: cli.File,
    period: Annotated[str, cli.option("L", "Length of the word, at least 1.")],
    time_limit: cli.TimeLimit = None,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
) -> None:
    """The best word of exactly L actions, repeated forever: the optimal L-cyclic policy.

    With a time limit the answer may be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.cyclic import optimal_cyclic_policy

    bandit, length = load(file), cli.integer(period, "--period")

    def attained(answer: CyclicPolicy) -> list[Line]:
        return [*_repeated(bandit, answer), Line(key="period", value=answer.period)]

    question = f"least loss per step of a word of {length} actions, repeated forever"
    ask = partial(optimal_cyclic_policy, bandit, length)
    _answer(bandit, question, ask, attained, certificate, as_json, time_limit)


def _repeated(bandit: Bandit, answer: MeanCycle | CyclicPolicy, more: str = "") -> list[Line]:
    """A word that is repeated forever, and what arms play before it."""
    opening = printing.word(answer.opening, bandit) or "none"
    before = [Line("opening", opening, "opening", list(answer.opening))]
    return [
        *printing.original(bandit, answer),
        *(before if isinstance(bandit, ArmBandit) else []),
        Line("word", lambda: printing.word(answer.word, bandit) + more, "word", list(answer.word)),
    ]


def _answer(
    bandit: Bandit,
    question: str,
    ask: Callable[..., Found],
    attained: Callable[[Found], list[Line]],
    certificate: str | None,
    as_json: bool,
    time_limit: float | None,
    gap: str = "0",
) -> None:
    """Ask and print the answer. The status is 3 if it is an interval, 1 if arms forbid every play."""
    asked = [printing.instance(bandit), Line("question", question)]
    end = printing.certificate(certificate)
    try:
        with cli.shown_progress() as progress:
            answer = ask(time_limit=time_limit, progress=progress)
            cli.write_certificate(certificate, lambda: answer.certificate)
    except NoPlay as none:
        proved, told = none.certificate, str(none)
        cli.write_certificate(certificate, lambda: proved)
        found = [Line("answer", told, "answer", told), Line(key="value", value=None)]
        proof = Line("proof", in_words(proved["dual"], "states"))
        printing.answer([*asked, *found, proof, *end], as_json=as_json)
        raise typer.Exit(cli.REFUTED) from None
    found = [*printing.optimum(answer), *attained(answer)]
    printing.answer([*asked, *found, Line("proof", answer.argument), *end], as_json=as_json)
    if not answer.exact:
        close = answer.upper - answer.lower <= share(gap, "--gap") * answer.upper
        raise cli.undecided("the gap that --gap allows was reached" if close else cli.why_stopped(time_limit))


@cli.command(
    "Examples: `tallyplan graph cycle roads.csv --certificate roads.cert && tallyplan check roads.cert`; "
    "`tallyplan graph ratio roads.graphml --weight toll --time hours --json`; "
    "`tallyplan graph negative rates.csv`"
)
def graph(
    question: Annotated[str, cli.argument("QUESTION", "cycle, ratio, critical or negative; see above.")],
    file: Annotated[str, cli.argument("FILE", "GraphML (.graphml) or CSV (.csv, -): tail, head, weight.")],
    weight: Annotated[str, cli.option("NAME", "The attribute of the edges, or the column.")] = "weight",
    time: Annotated[str | None, cli.option("NAME", "ratio, critical: the attribute with the times.")] = None,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
) -> None:
    """Optimal cycles of your own directed graph, exactly.

    `cycle`: the least mean weight of a cycle, and a cycle that has it. `ratio`: the least ratio of weight to
    time. `critical`: all edges on cycles of least mean, or of least ratio with --time. `negative`: a cycle of
    negative weight, or the proof that there is none.

    Weights are integers, decimals or rationals of any sign (-3, 0.25, 1/3), taken as they are written. The
    first line of a CSV file names its columns, such as u,v,weight; tail and head come first.
    """
    from tallyplan.model.weighted_graph import WeightedGraph
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
    with cli.shown_progress() as progress:
        answer = ask(read, progress=progress)
        cli.write_certificate(certificate, lambda: answer.certificate)
    about = Line("graph", f"{file}: {len(read.nodes)} nodes, {len(read.tails)} edges")
    proof = [Line("proof", answer.argument), *printing.certificate(certificate)]
    printing.answer([about, Line("question", words), *_about_graph(answer), *proof], as_json=as_json)


def _about_graph(answer: GraphAnswer) -> list[Line]:
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
