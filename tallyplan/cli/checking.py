"""The independent checker on the command line."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer

from tallyplan.check import LIMIT
from tallyplan.cli import common as cli
from tallyplan.cli import printing
from tallyplan.errors import InvalidInput
from tallyplan.model.files import is_csv
from tallyplan.model.instance import load

STATUS = {"accepted": 0, "refused": 1, "undecided": 3}


@cli.command(
    "Examples: `tallyplan check cycle.cert --instance c3.json`; `tallyplan check cycle.cert --verified`"
)
def check(
    certificate: Annotated[str, cli.argument("FILE", "Certificate file.")],
    instance: Annotated[str | None, cli.option("FILE", "Also demand that it is about this instance.")] = None,
    limit: Annotated[str | None, cli.option("STEPS", "Give up after this many steps (10^9).")] = None,
    verified: Annotated[bool, cli.flag("--verified", "Use the Rocq-verified checker (make formal).")] = False,
    as_json: cli.AsJson = False,
) -> None:
    """Verify a certificate with the independent checker: accepted (0), refused (1) or undecided (3).

    --verified uses a second checker, which was extracted from its own correctness proof in Rocq and prints
    the statement that it proved. If it is not built, the answer is undecided.
    """
    most = LIMIT if limit is None else cli.integer(limit, "--limit", least=0)
    try:
        with cli.shown_progress() as progress:
            progress(f"checking {certificate}")
            status, reason, by = (_by_proof if verified else _by_python)(certificate, instance, most)
    except OSError as error:
        if error.strerror is None:
            raise cli.complaint(f"{error}.", cli.UNDECIDED) from None
        raise InvalidInput(f"{error.filename or certificate} cannot be read: {error.strerror}.") from None
    if status == "refused" and not _is_certificate(certificate):
        raise InvalidInput(f"{certificate} is not a certificate. {reason}")
    if as_json:
        printing.json_document({"status": status, "reason": reason})
    else:
        print(reason if verified else f"{status}: {cli.whole(reason)}")
        if by:
            typer.echo(f"checked by {by}", err=True)
    raise typer.Exit(STATUS[status])


def _is_certificate(path: str) -> bool:
    """Whether a file that was refused says that it is a certificate."""
    try:
        document = json.loads(Path(path).read_bytes())
    except OSError:  # standard input, which can be read only once
        return True
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("format") == "tallyplan-certificate"


def _by_python(certificate: str, instance: str | None, limit: int) -> tuple[str, str, str]:
    """The instance is read as every command does; a graph is not one, and is read by the checker."""
    from tallyplan.check.certificate import verdict_on

    about: Any = instance
    with suppress(InvalidInput):
        about = None if instance is None else load(instance).to_json()
    return verdict_on(certificate, about, limit)


def _by_proof(certificate: str, instance: str | None, limit: int) -> tuple[str, str, str]:
    """The verified checker belongs to another package, which names it in the group `tallyplan.checkers`."""
    if instance is not None and is_csv(instance):
        raise InvalidInput("with --verified the instance is a JSON file; `tallyplan rescale` makes one.")
    for point in entry_points(group="tallyplan.checkers", name="verified"):
        status, reason = point.load()(certificate, instance, limit)
        return status, reason, ""
    raise FileNotFoundError("there is no verified checker; it comes with the package proofs_check")
