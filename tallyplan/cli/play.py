"""Let a learner play, many times if you like."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tallyplan.cli import common as cli
from tallyplan.cli import printing
from tallyplan.cli.printing import Line
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import load
from tallyplan.model.logs import write_log
from tallyplan.model.rationals import text

if TYPE_CHECKING:
    from tallyplan.answers import Interval
    from tallyplan.games.bounds import Judgement
    from tallyplan.games.trials import Setup, Summary
    from tallyplan.model.instance import Bandit
    from tallyplan.studies.games import Games

ALGORITHMS = (
    "A learner that `tallyplan learners` lists, such as alg-stoch or se-tb, or your own as module:name; "
    "several with commas."
)


@cli.command(
    "Examples: `tallyplan play alg-stoch u.json --horizon 10^5 --seed 1`; "
    "`tallyplan play my_module:MyLearner u.json --horizon 1000`; "
    "`tallyplan play alg-stoch u.json --horizon 10^5 --repeats 1000 --plot regret.svg`; "
    "`tallyplan play alg-stoch,ucb1 a.json b.json --horizon 1000 --repeats 20`; "
    "`tallyplan play se-tb u.json --horizon 10^9 --repeats 10^4 --store games.db` (rerun to resume); "
    "`tallyplan play alg-stoch,optimistic-planner u.json --horizons 10^3,10^5,10^7 --repeats 20 --plot r.png`"
)
def play(
    algorithm: Annotated[str, cli.argument("ALGORITHM", ALGORITHMS)],
    files: Annotated[list[str], cli.argument("FILE...", "Instance files; several give one table.")],
    horizon: Annotated[str | None, cli.option("T", "Number of steps: 1000, 10^15 or 1e15.")] = None,
    seed: Annotated[str, cli.option("S", "Seed of the noise and of the learner's coins.")] = "0",
    delta: Annotated[str, cli.option("D", "Failure probability of learners and bounds.")] = "1/20",
    feedback: Annotated[str | None, cli.option("KIND", "deterministic, bernoulli or beta.")] = None,
    repeats: Annotated[str, cli.option("N", "Play the seeds S to S+N-1, and summarise.")] = "1",
    horizons: Annotated[str | None, cli.option("T1,T2,...", "Several horizons instead of one.")] = None,
    jobs: Annotated[str | None, cli.option("J", "Processes; by default all cores, after 2 s.")] = None,
    plot: Annotated[str | None, cli.option("PICTURE", "Draw the regret; .svg, .png or .pdf.")] = None,
    time_limit: Annotated[float | None, cli.option("SECONDS", "For each learner and T.", min=0)] = None,
    store: cli.StoreOption = None,
    log: Annotated[str | None, cli.option("OUT", "Write the actions; .json, .csv or a word.")] = None,
    as_json: cli.AsJson = False,
) -> None:
    """Run a learner on an instance and measure its complete policy regret exactly.

    The learner sees noisy losses; the regret sums the means along what it played, minus OPT_T. The same seed
    gives the same game. Where OPT_T is only known up to an interval, so is the regret; the exit status is
    then 3. It is also 3 if the time limit ends a game. A picture is against t, or against T if there are
    several horizons. `tallyplan regret` reads the actions of a log.
    """
    from tallyplan.studies.games import Games
    from tallyplan.studies.spec import Instance

    setups = _setups(algorithm, horizon, horizons, seed, delta, feedback)
    count = cli.integer(repeats, "--repeats", least=1)
    if log is not None and (count > 1 or len(setups) > 1):
        raise InvalidInput("--log is for one game: one learner, one horizon, no --repeats.")
    if len(files) > 1 and (log is not None or plot is not None):
        raise InvalidInput("--log and --plot are for one instance; several give a table.")
    if time_limit is not None and store is not None:
        raise InvalidInput("--time-limit is for games without --store, which can be interrupted and resumed.")
    cli.check_picture(plot)
    bandits = [load(file) for file in files]
    processes = None if jobs is None else cli.integer(jobs, "--jobs", least=1)
    over_time = plot is not None and horizons is None
    if store is None:
        summaries = _played(bandits, setups, count, over_time, processes, time_limit)
    else:
        named = zip(files, bandits, strict=True)
        instances = [Instance(bandit.name or Path(file).stem, bandit) for file, bandit in named]
        summaries = _kept(Games(instances, setups, count, over_time), store, processes)
    if log is not None:
        write_log(log, bandits[0], setups[0].play(bandits[0]).runs)
    if plot is not None:
        from tallyplan.pictures.regret import draw_regret

        draw_regret(summaries, plot)
        print(f"wrote {plot}", file=sys.stderr)
    as_list = len(files) > 1 or horizons is not None or "," in algorithm
    _print(files, summaries, as_list=as_list, as_json=as_json)
    if not all(summary.optimum.exact for summary in summaries):
        raise cli.undecided("the optimum is only known up to an interval")


def _played(
    bandits: Sequence[Bandit],
    setups: Sequence[Setup],
    count: int,
    over_time: bool,
    processes: int | None,
    seconds: float | None,
) -> list[Summary]:
    from tallyplan.games.trials import play_repeatedly, spread_times

    summaries = []
    with cli.shown_progress() as progress:
        for bandit, setup in product(bandits, setups):
            times = spread_times(setup.horizon) if over_time else ()
            how: dict[str, Any] = {"times": times, "jobs": processes, "time_limit": seconds}
            summaries.append(play_repeatedly(bandit, setup, count, progress=progress, **how))
    return summaries


def _kept(games: Games, store: str, processes: int | None) -> list[Summary]:
    from tallyplan.studies.runners import local_workers, resumable
    from tallyplan.studies.store import read_from

    with cli.shown_progress() as progress, resumable(store, games.study) as kept:
        answers = kept.answers(local_workers(processes), progress=progress)
    with read_from(store):
        return list(games.summaries(answers))


@cli.command("Example: `tallyplan learners`")
def learners(as_json: cli.AsJson = False) -> None:
    """The learners that `tallyplan play` knows."""
    from tallyplan.games.registry import learners as known

    entries = known().values()
    printing.listing(
        ({"name": e.name, "summary": e.summary, "feedback": e.feedback} for e in entries), as_json=as_json
    )


def _setups(
    algorithm: str, horizon: str | None, horizons: str | None, seed: str, delta: str, feedback: str | None
) -> list[Setup]:
    """The games of the first seed, one for each learner and horizon."""
    from tallyplan.games.feedback import feedback_named
    from tallyplan.games.registry import find
    from tallyplan.games.schedule import failure_probability
    from tallyplan.games.trials import Setup

    if (horizon is None) == (horizons is None):
        raise InvalidInput("give --horizon T or --horizons T1,T2,..., one of the two.")
    names = [find(name.strip()).name for name in algorithm.split(",")]
    if feedback is not None:
        feedback_named(feedback)
    confidence = failure_probability(delta)
    given = [horizon] if horizons is None else horizons.split(",")
    lengths = [cli.integer(str(one), "--horizon", least=0) for one in given]
    return [
        Setup(name, steps, cli.integer(seed, "--seed", least=0), feedback, confidence)
        for name in names
        for steps in lengths
    ]


def _print(files: Sequence[str], summaries: Sequence[Summary], *, as_list: bool, as_json: bool) -> None:
    """One learner at one horizon on one instance in full; more than that as one table."""
    each = range(len(summaries) // len(files))
    named = [{"file": file} if len(files) > 1 else {} for file in files for _ in each]
    if as_json and as_list:
        documents = (printing.document(_lines(summary)) for summary in summaries)
        printing.json_document([name | found for name, found in zip(named, documents, strict=True)])
    elif len(summaries) == 1:
        printing.answer(_lines(summaries[0]), as_json=as_json)
    else:
        rows = [name | _row(summary) for name, summary in zip(named, summaries, strict=True)]
        printing.grid(list(rows[0]), [list(row.values()) for row in rows])


def _row(summary: Summary) -> dict[str, str]:
    """A learner in a table: its regret, exactly and as a decimal, and where most of its games lie."""
    from tallyplan.answers import Interval

    regrets = _regret_rows(summary)
    name, found = next(iter(regrets.items()))
    row = {"learner": summary.setup.name, "steps": str(summary.setup.horizon)}
    row |= {
        "optimum": printing.decimals(summary.optimum),
        name: str(found).removeprefix("between ").replace(" and ", " to "),
    }
    row["about"] = printing.decimals(found)
    if len(summary.losses) > 1:
        low, high = (regrets[f"regret, {share}"] for share in ("5%", "95%"))
        row["5% to 95%"] = printing.decimals(Interval(low.lower, high.upper))
    return row


def _lines(summary: Summary) -> list[Line]:
    """One game of a learner, or the summary of many; programs then get means for loss and regret."""
    from tallyplan.games.bounds import bounds_of

    setup, count = summary.setup, len(summary.losses)
    seeds = f"seed {setup.seed}" if count == 1 else f"seeds {setup.seed} to {setup.seed + count - 1}"
    regrets = _regret_rows(summary)
    account = {"total": summary.mean_loss, "optimum": summary.optimum, "regret": summary.mean_regret}
    several = {name.removeprefix("regret, "): printing.in_json(found) for name, found in regrets.items()}
    judged = [summary.judged(bound) for bound in bounds_of(setup.name)]
    bounds = {judgement.bound.name: _for_programs(judgement) for judgement in judged}
    return [
        printing.instance(summary.bandit),
        Line("learner", f"{setup.name}, {setup.feedback_name} feedback, {seeds}", "algorithm", setup.name),
        Line("steps", str(setup.horizon), "horizon", setup.horizon),
        Line(key="seed", value=setup.seed),
        printing.number_line("loss" if count == 1 else "", summary.mean_loss, "loss"),
        printing.number_line("optimum", summary.optimum, "optimum"),
        *(printing.number_line(name, found) for name, found in regrets.items()),
        Line(key="regret", value=printing.in_json(summary.mean_regret)),
        Line(key="feedback", value=setup.feedback_name),
        Line(key="delta", value=text(setup.delta)),
        *printing.originals(summary.bandit, account, setup.horizon),
        *(Line(judgement.bound.name, _in_words(judgement, count)) for judgement in judged),
        Line(key="bounds", value=bounds),
        *([Line(key="repeats", value=count), Line(key="regrets", value=several)] if count > 1 else []),
    ]


def _regret_rows(summary: Summary) -> dict[str, Interval]:
    """The regret of a game; of several games the mean, the ends and some quantiles."""
    from tallyplan.games.regret import regret_of
    from tallyplan.games.trials import QUANTILES, quantile

    losses = summary.losses
    if len(losses) == 1:
        return {"regret": summary.mean_regret}
    rows = {"min": min(losses)}
    rows |= {f"{100 * share}%": quantile(losses, share) for share in QUANTILES}
    rows |= {"max": max(losses)}
    regrets = {f"regret, {name}": regret_of(loss, summary.optimum) for name, loss in rows.items()}
    return {"regret, mean": summary.mean_regret} | regrets


def _in_words(judgement: Judgement, count: int) -> str:
    from tallyplan.games.bounds import ALWAYS

    if not judgement.holds:
        return f"does not apply: {judgement.fails}"
    bound, setting = judgement.bound, judgement.setting
    value = bound(setting).str(6, radius=False)
    value = value if "e" in value else value.rstrip("0").rstrip(".")
    sure = "certain" if bound.probability == ALWAYS else f"with probability {bound.probability}"
    trivial = "" if bound.is_nontrivial(setting) else " (trivial: not below T)"
    return f"at most {value}, {sure}{trivial}; held in {count - judgement.exceeded} of {count} games"


def _for_programs(judgement: Judgement) -> dict[str, Any]:
    bound, setting = judgement.bound, judgement.setting
    stated = {
        "formula": str(bound),
        "probability": str(bound.probability),
        "hypotheses": list(bound.hypotheses),
        "holds": judgement.holds,
    }
    if judgement.holds:
        return stated | {
            "value": bound(setting).str(12, radius=False),
            "below_horizon": bound.is_nontrivial(setting),
            "exceeded": judgement.exceeded,
        }
    nearest = judgement.nearest_horizons
    return stated | {"fails": judgement.fails} | ({"nearest_horizons": nearest} if nearest else {})
