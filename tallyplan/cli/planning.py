"""Plan an instance, replay a sequence, check a certificate."""

from __future__ import annotations

from typing import Annotated

import typer

from tallyplan.cli import show
from tallyplan.cli.common import (
    UNDECIDED,
    AsJson,
    File,
    Gap,
    Method,
    Out,
    Start,
    TimeLimit,
    action_list,
    app,
    integer,
    optimum_or_interval,
    share,
    speaks_in_sentences,
    write_certificate,
)
from tallyplan.cli.progress import shown_progress
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import load
from tallyplan.model.rationals import text


@app.command(
    epilog="Examples: `tallyplan plan c3.json --horizon 10^15`; "
    "`tallyplan plan c3.json --horizon 40 --start 0,1 --json --certificate plan.cert`"
)
@speaks_in_sentences
def plan(
    file: File,
    horizon: Annotated[str, typer.Option(metavar="T", help="Number of steps: 1000, 10^15 or 1e15.")],
    start: Start = "",
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
    history = action_list(start, "--start")
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
    if as_json:
        runs = [[list(word), repeats] for word, repeats in answer.runs]
        found = {"horizon": answer.horizon, "runs": runs}
        show.json_document(optimum_or_interval(answer.lower, answer.upper) | found)
    else:
        show.plan(answer, certificate)
    if not answer.exact:
        raise typer.Exit(UNDECIDED)


@app.command(
    epilog="Examples: `tallyplan cycle c3.json --certificate cycle.cert && tallyplan check cycle.cert`; "
    "`tallyplan cycle big.json --gap 1% --time-limit 60`"
)
@speaks_in_sentences
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
    if as_json:
        show.json_document(optimum_or_interval(answer.lower, answer.upper) | {"word": list(answer.word)})
    else:
        show.mean_cycle(answer, certificate)
    if not answer.exact:
        raise typer.Exit(UNDECIDED)


@app.command(
    epilog="Examples: `tallyplan cyclic c3.json --period 1001 --json`; "
    "`tallyplan cyclic big.json --period 4001 --time-limit 10`"
)
@speaks_in_sentences
def cyclic(
    file: File,
    period: Annotated[str, typer.Option(metavar="L", help="Length of the word, at least 1.")],
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The best word of exactly L actions, repeated for ever: the optimal L-cyclic policy.

    With a time limit the answer may be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.cyclic import optimal_cyclic_policy

    bandit = load(file)
    length = integer(period, "--period")
    with shown_progress() as progress:
        answer = optimal_cyclic_policy(bandit, length, time_limit=time_limit, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    found = {"word": list(answer.word), "period": answer.period}
    if as_json:
        show.json_document(optimum_or_interval(answer.lower, answer.upper) | found)
    else:
        show.cyclic_policy(answer, certificate)
    if not answer.exact:
        raise typer.Exit(UNDECIDED)


@app.command(epilog="Example: `tallyplan check cycle.cert --instance c3.json`")
@speaks_in_sentences
def check(
    certificate: Annotated[str, typer.Argument(help="Certificate file.", metavar="OUT")],
    instance: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also demand that it is about this instance.")
    ] = None,
    limit: Annotated[
        str, typer.Option(metavar="EDGES", help="Most edges the checker may evaluate before it gives up.")
    ] = "10^9",
    as_json: AsJson = False,
) -> None:
    """Verify a certificate with the independent checker: accepted (0), refused (1) or undecided (3)."""
    from tallyplan.check import check as check_certificate

    most = integer(limit, "--limit")
    try:
        with shown_progress() as progress:
            progress(f"checking {certificate}")
            verdict = check_certificate(certificate, instance=instance, limit=most)
    except OSError as error:
        raise InvalidInput(f"{error.filename or certificate} cannot be read: {error.strerror}.") from None
    if as_json:
        show.json_document({"status": verdict.status, "reason": verdict.reason})
    else:
        print(f"{verdict.status}: {verdict.reason}")
    raise typer.Exit({"accepted": 0, "refused": 1, "undecided": 3}[verdict.status])


@app.command(epilog="Example: `tallyplan replay c3.json 0,0,1 --start 1`")
@speaks_in_sentences
def replay(
    file: File,
    actions: Annotated[
        str, typer.Argument(help="Actions in the order of play: 0,1,0,...", metavar="ACTIONS")
    ],
    start: Start = "",
    as_json: AsJson = False,
) -> None:
    """The exact total loss of an action sequence."""
    from tallyplan.model.replay import replay as replay_actions

    bandit = load(file)
    played = action_list(actions, "ACTIONS")
    total = replay_actions(bandit, played, action_list(start, "--start"))
    if as_json:
        show.json_document({"value": text(total), "horizon": len(played)})
    else:
        show.replayed(bandit, len(played), total)
