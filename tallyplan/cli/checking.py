"""The independent checker on the command line."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Annotated

import typer

from tallyplan.cli import printing
from tallyplan.cli.common import UNDECIDED, AsJson, app, complaint, integer, reports_errors, shown_progress
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import load
from tallyplan.model.table_files import is_csv

STATUS = {"accepted": 0, "refused": 1, "undecided": 3}


@app.command(
    epilog="Examples: `tallyplan check cycle.cert --instance c3.json`; "
    "`tallyplan check cycle.cert --verified`"
)
@reports_errors
def check(
    certificate: Annotated[str, typer.Argument(help="Certificate file.", metavar="OUT")],
    instance: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also demand that it is about this instance.")
    ] = None,
    limit: Annotated[
        str, typer.Option(metavar="EDGES", help="Most edges the checker may evaluate before it gives up.")
    ] = "10^9",
    verified: Annotated[
        bool, typer.Option("--verified", help="By the checker that is proved right in Rocq (make formal).")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Verify a certificate with the independent checker: accepted (0), refused (1) or undecided (3).

    With --verified another program decides, one that was extracted from a proof that it accepts nothing
    false; it says the statement that was proved. Where it is not built nothing is decided.
    """
    most = integer(limit, "--limit", least=0)
    try:
        with shown_progress() as progress:
            progress(f"checking {certificate}")
            status, reason = (_by_proof if verified else _by_python)(certificate, instance, most)
    except OSError as error:
        if error.strerror is None:
            raise complaint(f"{error}.", UNDECIDED) from None
        raise InvalidInput(f"{error.filename or certificate} cannot be read: {error.strerror}.") from None
    if as_json:
        printing.json_document({"status": status, "reason": reason})
    else:
        print(reason if verified else f"{status}: {reason}")
    raise typer.Exit(STATUS[status])


def _by_python(certificate: str, instance: str | None, limit: int) -> tuple[str, str]:
    from tallyplan.check import check as check_certificate

    about = load(instance).to_json() if instance is not None and is_csv(instance) else instance
    verdict = check_certificate(certificate, instance=about, limit=limit)
    return verdict.status, verdict.reason


def _by_proof(certificate: str, instance: str | None, limit: int) -> tuple[str, str]:
    """The verified checker belongs to another package, which names it in the group `tallyplan.checkers`."""
    if instance is not None and is_csv(instance):
        raise InvalidInput("with --verified the instance is a JSON file; `tallyplan rescale` makes one.")
    for point in entry_points(group="tallyplan.checkers", name="verified"):
        answer: tuple[str, str] = point.load()(certificate, instance, limit)
        return answer
    raise FileNotFoundError("there is no verified checker; it comes with the package proofs_check")
