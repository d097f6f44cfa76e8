"""The independent checker on the command line."""

from __future__ import annotations

from typing import Annotated

import typer

from tallyplan.cli import show
from tallyplan.cli.common import AsJson, app, integer, speaks_in_sentences
from tallyplan.cli.progress import shown_progress
from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import shown

STATUS = {"accepted": 0, "refused": 1, "undecided": 3}


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
    if most < 0:
        raise InvalidInput(f"--limit is {shown(most)}; it must be at least 0.")
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
    raise typer.Exit(STATUS[verdict.status])
