"""Make instances of the named families, and draw one."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tallyplan.cli import show
from tallyplan.cli.common import AsJson, File, app, speaks_in_sentences
from tallyplan.cli.progress import shown_progress
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import load

if TYPE_CHECKING:
    from tallyplan.model.families import Family


@app.command(epilog="Examples: `tallyplan families`; `tallyplan families uniform`")
@speaks_in_sentences
def families(
    family: Annotated[str | None, typer.Argument(help="Show one family in full.", metavar="[FAMILY]")] = None,
    as_json: AsJson = False,
) -> None:
    """The named families of instances, with their parameters and sources."""
    from tallyplan.model.families import all_families, find

    chosen = list(all_families().values()) if family is None else [find(family)]
    if as_json:
        show.json_document([_family_as_json(entry) for entry in chosen])
    elif family is None:
        show.table(*((entry.name, entry.summary) for entry in chosen))
        print("\nOne in full: tallyplan families NAME")
        print("An instance: tallyplan new NAME key=value ... > FILE")
    else:
        print(f"{chosen[0].name}\n\n{inspect.getdoc(chosen[0].build)}")


def _family_as_json(family: Family) -> dict[str, Any]:
    parameters = [
        {"name": p.name, "type": p.type, "default": p.default_text, "meaning": p.meaning}
        for p in family.parameters
    ]
    described = {"name": family.name, "summary": family.summary, "source": family.source}
    return described | {"parameters": parameters}


@app.command(
    epilog="Examples: `tallyplan new uniform actions=3 memory=5 seed=1 > u.json`; "
    "`tallyplan new my_module:my_family size=3 > mine.json`; "
    "`tallyplan new counterexample-3 | tallyplan cycle -`"
)
@speaks_in_sentences
def new(
    family: Annotated[
        str,
        typer.Argument(
            help="A name from `tallyplan families`, or your own function as module:name.", metavar="FAMILY"
        ),
    ],
    parameters: Annotated[
        list[str] | None, typer.Argument(help="Parameters of the family.", metavar="key=value ...")
    ] = None,
) -> None:
    """Print an instance of a family as an instance file."""
    from tallyplan.model.families import make

    chosen: dict[str, str] = {}
    for parameter in parameters or []:
        key, equals, value = parameter.partition("=")
        if not equals:
            raise InvalidInput(f"{parameter!r} is not of the form key=value.")
        if key in chosen:
            raise InvalidInput(f"the parameter {key!r} is given twice.")
        chosen[key] = value
    show.json_document(make(family, **chosen).to_json())


@app.command(epilog="Example: `tallyplan draw c3.json --out c3.svg`")
@speaks_in_sentences
def draw(
    file: File,
    out: Annotated[str, typer.Option(metavar="PICTURE", help="Where to write it; .svg, .png or .pdf.")],
) -> None:
    """A picture of the state graph with the optimal cycle highlighted (small instances)."""
    from tallyplan.pictures import draw_state_graph

    bandit = load(file)
    with shown_progress() as progress:
        progress("drawing the state graph")
        draw_state_graph(bandit, out)
    print(f"wrote {out}", file=sys.stderr)
