"""Studies on the command line: run, status, table, plot, check."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tallyplan.cli import common as cli
from tallyplan.cli import printing
from tallyplan.errors import InvalidInput

if TYPE_CHECKING:
    from tallyplan.studies.runners import Workers
    from tallyplan.studies.store import Counts
    from tallyplan.studies.tables import Table

ROWS_SHOWN = 40  # of a table on the screen

study = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="""Many questions about many instances, on all cores or a cluster, kept in one file.

    A study is a TOML file with [[instances]] and [[questions]]; a list means every value. Rerun a
    study to resume it.""",
    epilog="Example: `tallyplan study run study.toml --store results.db`, then "
    "`tallyplan study table results.db`.",
)
cli.app.add_typer(study, name="study")
command = partial(cli.command, group=study)

Code = Annotated[list[str] | None, cli.option("MODULE", "A module of yours that may run; may be repeated.")]
StoreFile = Annotated[str, cli.argument("STORE", "The store that `study run` writes.")]


@command(
    "Examples: `tallyplan study run study.toml --store results.db`; "
    "`tallyplan study run study.toml --store results.db --certificates certificates`; "
    "`tallyplan study run study.toml --store results.db --scheduler tcp://10.0.0.1:8786`",
)
def run(
    spec: Annotated[str, cli.argument("SPEC", "The specification of the study (TOML).")],
    store: Annotated[str, cli.option("FILE", "Where the results are kept; made if needed.")],
    jobs: Annotated[str | None, cli.option("J", "Processes; by default all cores, after 2 s.")] = None,
    scheduler: Annotated[str | None, cli.option("ADDRESS", "Of a Dask scheduler, or its file.")] = None,
    certificates: Annotated[str | None, cli.option("FOLDER", "Also keep the certificates.")] = None,
    code: Code = None,
    limit: Annotated[str | None, cli.option("N", "Stop after N answers; rerun to resume.")] = None,
    retry: Annotated[bool, cli.flag("--retry", "Also repeat what failed.")] = False,
    as_json: cli.AsJson = False,
) -> None:
    """Answer everything that SPEC asks and that the store does not have yet.

    What was reported done is in the store, whatever happens next; rerun the command to resume. Nothing is
    computed twice, and the table does not depend on the order or on the machine. The exit status is 1 if
    something failed; `study table` says what and why.
    """
    from tallyplan.studies.runners import cluster, local_workers, resumable
    from tallyplan.studies.runners import run as run_study
    from tallyplan.studies.spec import read_spec

    asked = read_spec(spec, code or ())
    most = None if limit is None else cli.integer(limit, "--limit", least=1)
    if jobs is not None and scheduler is not None:
        raise InvalidInput("give --jobs or --scheduler, one of the two.")
    with ExitStack() as stack:
        workers: Workers = local_workers(None if jobs is None else cli.integer(jobs, "--jobs", least=1))
        if scheduler is not None:
            workers = stack.enter_context(cluster(scheduler))
        kept = stack.enter_context(resumable(store, asked))
        if retry:
            kept.store.forget_failures()
        folder = None if certificates is None else Path(certificates)
        with cli.shown_progress() as progress:
            ran = run_study(kept, workers, certificates=folder, limit=most, progress=progress)
        done, total = _done(kept.store.counts())
    if as_json:
        printing.json_document({"answered": ran.done, "failed": ran.failed, "done": done, "items": total})
    else:
        failed = f", {ran.failed} of them failed" if ran.failed else ""
        print(f"{ran.done} answered now{failed}; {done} of {total} items are done, in {store}")
    if ran.failed:
        raise typer.Exit(1)


def _done(counts: Counts) -> tuple[int, int]:
    """How many items are done, and how many there are."""
    total = sum(count for *_, count, _ in counts)
    return total - sum(count for _, status, count, _ in counts if status is None), total


@command("Example: `tallyplan study status results.db`")
def status(store: StoreFile, as_json: cli.AsJson = False) -> None:
    """How far a study is: by question, what is done, what failed, what is left."""
    from tallyplan.studies.store import Store

    with Store(store) as kept:
        counts = kept.counts()
    done, total = _done(counts)
    if as_json:
        names = ("question", "status", "items", "seconds")
        by = [
            dict(zip(names, (question, found or "to do", count, round(seconds, 3)), strict=True))
            for question, found, count, seconds in counts
        ]
        printing.json_document({"items": total, "done": done, "questions": by})
        return
    rows = [
        (question, f"{count} {found} ({seconds:.1f} s of work)" if found else f"{count} to do")
        for question, found, count, seconds in counts
    ]
    printing.table(("items", f"{done} of {total} done"), *rows)


@command(
    "Examples: `tallyplan study table results.db --csv results.csv`; "
    "`tallyplan study table results.db --over seed --latex regret.tex`; "
    "`tallyplan study table results.db --sort value`",
)
def table(
    store: StoreFile,
    over: Annotated[str | None, cli.option("NAME,...", "Summarise over columns such as seed.")] = None,
    sort: Annotated[str | None, cli.option("COLUMN", "Order by a column, rationals exactly.")] = None,
    csv: Annotated[str | None, cli.option("OUT", "Write it as CSV.")] = None,
    latex: Annotated[str | None, cli.option("OUT", "Write it as LaTeX (booktabs).")] = None,
    as_json: cli.AsJson = False,
) -> None:
    """The results, a row per item in the order of the spec."""
    from tallyplan.studies.store import Store
    from tallyplan.studies.tables import table as rows_of
    from tallyplan.studies.tables import write_table

    names = [] if over is None else [name.strip() for name in over.split(",")]
    outputs = {form: path for form, path in {"csv": csv, "latex": latex}.items() if path is not None}
    with Store(store) as kept:
        rows = rows_of(kept, sort=sort, over=names, limit=None if outputs or as_json else ROWS_SHOWN + 1)
    for form, path in outputs.items():
        write_table(rows, form, path)
        print(f"wrote {path}", file=sys.stderr)
    if as_json:
        printing.json_document([dict(zip(rows.columns, row, strict=True)) for row in rows.rows])
    elif not outputs:
        _print_table(rows)


def _print_table(rows: Table) -> None:
    """The first rows for people: above them what they share, below it the columns in which they differ."""
    from tallyplan.studies.tables import for_people

    shared, columns = for_people(rows._replace(rows=rows.rows[:ROWS_SHOWN]))
    if shared:
        print(f"in every row: {shared}")
    cells = ([cli.whole(str(cell)) if cell is not None else "" for cell in row] for row in columns.values())
    printing.grid([*columns], [*zip(*cells, strict=True)])
    if len(rows.rows) > ROWS_SHOWN:
        print(f"the first {ROWS_SHOWN} rows; --csv OUT or --json has all of them", file=sys.stderr)


@command(
    "Examples: `tallyplan study plot results.db --out regret.svg`; "
    "`tallyplan study plot results.db --out cost.png --question cycle --x memory`; "
    "`tallyplan study plot results.db --out regret.pdf --band confidence`",
)
def plot(
    store: StoreFile,
    out: Annotated[str, cli.option("PICTURE", "Where to write it; .svg, .png or .pdf.")],
    question: Annotated[str | None, cli.option("NAME", "Which, if there are several.")] = None,
    x: Annotated[str, cli.option("COLUMN", "Column for the x-axis.", "--x")] = "horizon",
    by: Annotated[str | None, cli.option("COLUMN", "A curve per value (default: learner).")] = None,
    band: Annotated[str, cli.option("BAND", "quantiles, or confidence.")] = "quantiles",
) -> None:
    """The values of one question against a parameter: the median, and a band around it.

    The band is over everything that is not on an axis, seeds and instances: from 5% to 95% of the values, or
    a 95% confidence band for the median, which assumes nothing but independent values.
    """
    from tallyplan.pictures.studies import draw_study
    from tallyplan.studies.store import Store

    with Store(store) as kept:
        draw_study(kept, out, question=question, x=x, by=by, band=band)
    print(f"wrote {out}", file=sys.stderr)


@command(
    "Examples: `tallyplan study check results.db`; `tallyplan study check results.db --limit 100`",
)
def check(
    store: StoreFile,
    code: Code = None,
    limit: Annotated[str | None, cli.option("N", "Check only the first N rows.")] = None,
    as_json: cli.AsJson = False,
) -> None:
    """Verify the rows with the independent checker; exit status 1 if one is wrong, 3 if one is undecided.

    Every question is asked again, and every game is played again; the checker verifies the certificates.
    """
    from tallyplan.studies.runners import check_study
    from tallyplan.studies.store import Store

    most = None if limit is None else cli.integer(limit, "--limit", least=1)
    with Store(store) as kept, cli.shown_progress() as progress:
        found = check_study(kept, code=code or (), limit=most, progress=progress)
    if as_json:
        document = {"verified": found.verified, "repeated": found.repeated}
        printing.json_document(document | {"wrong": list(found.wrong), "undecided": list(found.undecided)})
    else:
        print(
            f"{found.verified} rows verified by the checker, {found.repeated} without a certificate "
            f"repeated, {len(found.wrong)} wrong, {len(found.undecided)} undecided"
        )
        for sentence in (*found.wrong, *found.undecided):
            print(sentence)
    if found.wrong or found.undecided:
        raise typer.Exit(1 if found.wrong else cli.UNDECIDED)


@command("Example: `tallyplan study questions`")
def questions(as_json: cli.AsJson = False) -> None:
    """The questions that a study can ask, with their parameters."""
    from tallyplan.studies.questions import questions as known

    asked = ((name, one.summary, [p.name for p in one.parameters]) for name, one in known().items())
    entries = (
        {"name": name, "summary": f"{summary}. Parameters: {', '.join(taken)}", "parameters": taken}
        for name, summary, taken in asked
    )
    printing.listing(entries, as_json=as_json)
