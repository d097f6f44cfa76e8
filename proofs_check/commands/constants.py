"""The best constants: exact suprema over all loss tables, one or a whole table of them."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tallyplan.cli import printing
from tallyplan.cli.common import (
    REFUTED,
    UNDECIDED,
    AsJson,
    Out,
    TimeLimit,
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
from tallyplan.model.rationals import plain, text

if TYPE_CHECKING:
    from proofs_check.worst_case.claims import BestConstant, Bound, Question

SIZES = ("actions", "memory", "horizon", "period")
MOST_SIZES = 1000  # numbers in a range like 2-4


@command(
    "Examples: `tallyplan constants proposition-1-upper --actions 2 --memory 3 --horizon 8`; "
    "`tallyplan constants lemma-3 --actions 2 --memory 5 --period 10 --certificate l3.cert`; "
    "`tallyplan constants gap:constant:cyclic --actions 2 --memory 2 --period 3 --horizon 10 --json`; "
    "`tallyplan constants gap:constant:optimal --actions 2 --memory 4 --horizon 9 --where convex`; "
    "`tallyplan constants gap:single-run:optimal --actions 2 --memory 3 --horizon 12 --bound 'T/4'`; "
    "`tallyplan constants gap:cyclic:optimal --table --memory 2-4 --period 2-5 --bound 'm * sqrt(T) / 2'`; "
    "`tallyplan constants gap:my_module:my_class:optimal --actions 2 --memory 2 --horizon 6`; "
    "`tallyplan constants lemma-3 --actions 2 --memory 3 --period 8 --plot worst.svg`; "
    "`tallyplan constants lemma-3 --table --actions 2,3 --memory 2-4 --period 2-6 --plot table.svg`"
)
def constants(
    claim: Annotated[
        str,
        argument(
            "CLAIM",
            "proposition-1-upper, lemma-3, or gap:CLASS:CLASS with the classes optimal, cyclic, constant, "
            "single-run, alg-det, or your own as module:name.",
        ),
    ],
    actions: Annotated[str | None, option("K", "Number of actions.")] = None,
    memory: Annotated[str | None, option("M", "Length of the window.")] = None,
    horizon: Annotated[str | None, option("T", "Number of steps.")] = None,
    period: Annotated[
        str | None, option("L", "Length of the cyclic words; if only T or L is given, T = L^2.")
    ] = None,
    where: Annotated[
        list[str] | None,
        option(
            "TABLES",
            "Restrict the tables: rising, falling, convex, concave, 'differences <= 1/4', an inequality "
            "such as 'h(0,1) <= h(1,2) + 1/4' (h(x,y) is h_x(y)). May be repeated.",
        ),
    ] = None,
    bound: Annotated[
        str | None,
        option(
            "FORMULA",
            "Your conjecture: is the constant at most this, as 'T/4' or 'm * sqrt(K * T)'? A formula in "
            "K, m, T and L. Exit status 0 if it holds at every size asked, 1 if a table refutes it.",
        ),
    ] = None,
    as_json: AsJson = False,
    certificate: Out = None,
    time_limit: TimeLimit = None,
    table: Annotated[
        bool, flag("--table", "A table over a box of sizes such as 2-4 or 2,3,5; each has a default.")
    ] = False,
    plot: Annotated[
        str | None,
        option("FILE", "Also draw the table (.svg, .png or .pdf); for one size, the losses that attain it."),
    ] = None,
) -> None:
    """The exact worst case over all loss tables: the best constant, and a table that attains it.

    The answer is a rational, a table h in [0,1]^(K*M) that attains it, and a proof that no table does better;
    `--certificate` writes both for the independent checker.

    `proposition-1-upper` is the largest regret of ALG_det; `lemma-3` the largest T mu - OPT_T, mu being the
    best mean of a word of L actions; `gap:CLASS:CLASS` the largest difference between the least losses of
    the first and the second class:
    `optimal` any T actions, `cyclic` a word of L actions forever (T times its mean), `constant` one action
    T times, `single-run` a word 0^i 1^j 2^k ... forever, `alg-det` exploration and then any actions.
    A class of your own is a function of K, M and T that lists words of T actions (with `repeated = True` on
    it, words repeated forever); the certificate lists them too.

    `--bound` tests a conjecture of your own: the certificate then proves it at this size, or it holds the
    table that refutes it.

    Next to the value: closed forms and proved bounds. The exit status is 1 if a value contradicts one of
    them or your bound, 3 if a time limit left an interval that does not decide.
    """
    from proofs_check.cones import ADVICE, has_library
    from proofs_check.worst_case.claims import class_names, conjectured

    class_names(claim)  # refuses an unknown claim before the sizes are read
    conjecture = None if bound is None else conjectured(bound)
    if table and certificate is not None:
        raise InvalidInput("--certificate is for one size; leave out --table.")
    check_picture(plot)
    asked = _asked(claim, (actions, memory, horizon, period), "; ".join(where or []), table)
    rows = _computed(asked, time_limit, certificate)
    if plot is not None:
        _draw(rows, plot, table)
    if as_json:
        documents = [_document(row, conjecture) for row in rows]
        printing.json_document(documents if table else documents[0])
    elif table:
        printing.grid(*_table(rows, conjecture))
    else:
        lines = [printing.Line(*line) for line in _lines(rows[0], conjecture)]
        printing.answer([*lines, *printing.certificate(certificate)], as_json=False)
    if not has_library():
        print(f"note: {ADVICE}.", file=sys.stderr)
    status = _status(rows, conjecture)
    if status == UNDECIDED and all(row.exact for row in rows):
        raise undecided("interval arithmetic does not tell the bound from the value")
    raise undecided(why_stopped(time_limit)) if status == UNDECIDED else typer.Exit(status)


def _asked(claim: str, given: Sequence[str | None], tables: str, table: bool) -> list[Question]:
    """The question, or those of the table."""
    from proofs_check.worst_case.claims import question
    from proofs_check.worst_case.table import box

    sizes = {name: value for name, value in zip(SIZES, given, strict=True) if value is not None}
    if table:
        K, m, T, L = (numbers_in(sizes[name], f"--{name}") if name in sizes else None for name in SIZES)
        return box(claim, K or [2, 3], m or [2, 3], T, L, tables)
    if not {"actions", "memory"} <= sizes.keys():
        raise InvalidInput("--actions and --memory are needed.")
    return [
        question(claim, **{name: integer(size, f"--{name}") for name, size in sizes.items()}, where=tables)
    ]


def _computed(
    asked: Sequence[Question], time_limit: float | None, certificate: str | None
) -> list[BestConstant]:
    """The constants one after the other; the time limit is for each."""
    from proofs_check.worst_case.claims import constant

    rows: list[BestConstant] = []
    with shown_progress() as progress:

        def told(words: str) -> None:
            progress(f"{len(rows) + 1} of {len(asked)}: {asked[len(rows)].size}: {words}")

        for one in asked:
            rows.append(constant(one, time_limit=time_limit, progress=told if len(asked) > 1 else progress))
        write_certificate(certificate, lambda: rows[0].certificate or {})
    return rows


def numbers_in(value: str, what: str) -> list[int]:
    """Sizes as people write them.

    >>> numbers_in("2-4,7", "--memory")
    [2, 3, 4, 7]
    """
    result: list[int] = []
    for part in value.split(","):
        ends = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", part)
        low, high = (ends[1], ends[2]) if ends else (part, part)
        first, last = integer(low, what), integer(high, what)
        if not 0 <= last - first < MOST_SIZES:
            raise InvalidInput(f"{what} is {value[:60]!r}; a range goes up, by at most {MOST_SIZES} numbers.")
        result += range(first, last + 1)
    return result


def _draw(rows: Sequence[BestConstant], plot: str, table: bool) -> None:
    """A heat map of the constants; of one, the losses that attain it."""
    from proofs_check.pictures.constants import draw_constants
    from tallyplan.pictures import draw_losses

    if table:
        draw_constants(rows, plot)
        return
    title = f"{rows[0].asked.claim}: {plain(rows[0].value)} at {rows[0].asked.size}"
    draw_losses(rows[0].bandit, plot, title=title)


def _document(row: BestConstant, conjecture: Bound | None) -> dict[str, Any]:
    if conjecture is None:
        return row.to_json()
    status, value = conjecture.status(row), conjecture.value(row.asked, text)
    judged = {"formula": str(conjecture.formula), "value": value, "status": status}
    plays = {"plays": row.plays()} if status == "refuted" else {}
    return row.to_json() | {"conjecture": judged | plays}


def _lines(row: BestConstant, conjecture: Bound | None) -> list[tuple[str, str]]:
    """One constant, for people."""
    from proofs_check.worst_case.policies import Listed

    asked = row.asked
    lines = [("claim", asked.claim), ("size", asked.size)]
    lines += [("tables", asked.where)] if asked.where else []
    for one in asked.classes():
        if isinstance(one, Listed):
            words = _counted(len(one.words), "words") + (", repeated" if one.repeated else "")
            lines.append(("own class", f"{words}; the certificate covers exactly these"))
    lines += [] if conjecture is None else [("conjecture", f"<= {conjecture.judged(row)}")]
    if row.exact:
        lines.append(("supremum", plain(row.value)))
    else:
        lines += [("found", plain(row.value)), ("at most", plain(row.bound))]
    lines += [(f"h_{x}", " ".join(map(plain, losses))) for x, losses in enumerate(row.bandit.losses)]
    if conjecture is not None and conjecture.status(row) == "refuted":
        lines += [(f"{name} plays", play) for name, play in row.plays().items()]
    lines.append(("proof", ", ".join(_counted(count, what) for what, count in row.effort.items())))
    return lines + [(known.kind, f"{known.judged(row)}  ({known.source})") for known in row.expected]


def _counted(count: int, what: str) -> str:
    """A number of cuts, words or vertices, one of them in the singular."""
    singular = {"cuts": "cut", "words": "word", "vertices": "vertex"}
    return f"{count} {singular[what] if count == 1 else what}"


def _table(rows: Sequence[BestConstant], conjecture: Bound | None) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table, for people."""
    header, lines = ["K", "m", "T", "L", "value"], []
    known = any(row.expected for row in rows)
    for row in rows:
        sizes = (getattr(row.asked, name) for name in SIZES)
        line = ["-" if size is None else str(size) for size in sizes]
        line.append(plain(row.value) if row.exact else f"{plain(row.value)} .. {plain(row.bound)}")
        line += [] if conjecture is None else [f"<= {conjecture.judged(row)}"]
        line += [f"{one.kind} {one.judged(row)}" for one in row.expected[:1]] or ["-"] * known
        lines.append(line)
    return [*header, *([] if conjecture is None else ["conjecture"]), *(["known"] if known else [])], lines


def _status(rows: Sequence[BestConstant], conjecture: Bound | None) -> int:
    judged = [] if conjecture is None else [conjecture.status(row) for row in rows]
    if "refuted" in judged or any(known.status(row) == "refuted" for row in rows for known in row.expected):
        return REFUTED
    decided = "undecided" not in judged if judged else all(row.exact for row in rows)
    return 0 if decided else UNDECIDED
