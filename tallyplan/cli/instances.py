"""Make instances, of the named families or from tables of numbers; draw one, or export its graph."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Annotated, Any

from tallyplan.cli import common as cli
from tallyplan.cli import printing
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import load

if TYPE_CHECKING:
    from tallyplan.model.families import Family


@cli.command("Examples: `tallyplan families`; `tallyplan families uniform`")
def families(
    family: Annotated[str | None, cli.argument("[FAMILY]", "Show one family in full.")] = None,
    as_json: cli.AsJson = False,
) -> None:
    """The named families of instances, with their parameters and sources."""
    from tallyplan.model.families import all_families, find

    chosen = list(all_families().values()) if family is None else [find(family)]
    if family is None or as_json:
        printing.listing(map(_described, chosen), as_json=as_json)
    else:
        print(f"{chosen[0].name}\n\n{inspect.getdoc(chosen[0].function)}")
    if family is None and not as_json:
        print("\nOne in full: tallyplan families NAME")
        print("An instance: tallyplan new NAME key=value ... > FILE")


def _described(family: Family) -> dict[str, Any]:
    parameters = [
        {"name": p.name, "type": p.type, "default": p.default_text, "meaning": p.meaning}
        for p in family.parameters
    ]
    described = {"name": family.name, "summary": f"{family.summary}.", "source": family.source}
    return described | {"parameters": parameters}


@cli.command(
    "Examples: `tallyplan new uniform actions=3 memory=5 seed=1 > u.json`; "
    "`tallyplan new my_module:my_family size=3 > mine.json`; "
    "`tallyplan new counterexample-3 | tallyplan cycle -`"
)
def new(
    family: Annotated[str, cli.argument("FAMILY", "A name of `tallyplan families`, or module:name.")],
    parameters: Annotated[list[str] | None, cli.argument("key=value ...", "Its parameters.")] = None,
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
    printing.json_document(make(family, **chosen).to_json())


@cli.command(
    "Examples: `tallyplan draw c3.json --out c3.svg`; "
    "`tallyplan draw c3.json --kind timeline --horizon 10^15 --out plan.svg`; "
    "`tallyplan draw c3.json --kind table --out losses.png`; "
    "`tallyplan draw c3.json --word 001 --out other-cycle.svg`"
)
def draw(
    file: cli.File,
    out: Annotated[str, cli.option("PICTURE", "Where to write it; .svg, .png or .pdf.")],
    kind: Annotated[str, cli.option("KIND", "graph, timeline or table; see above.")] = "graph",
    word: Annotated[str | None, cli.option("WORD", "graph: the word to mark, not an optimal one.")] = None,
    horizon: Annotated[str | None, cli.option("T", "timeline: the steps of the optimal plan.")] = None,
    start: cli.Start = None,
) -> None:
    """A picture of a small instance.

    `graph`: the state graph, an arrow for each action, the optimal cycle in yellow. `timeline`: an optimal
    plan of T steps, with arm, tally and loss of each. `table`: the losses as a heat map.
    """
    from tallyplan.pictures import draw_losses, draw_state_graph, draw_timeline
    from tallyplan.planning.horizon import optimal_plan

    _check_drawing(kind, word, horizon, start)
    bandit = load(file)
    with cli.shown_progress() as progress:
        progress(f"drawing the {kind}")
        if kind == "timeline":
            history = cli.read_actions(start, bandit, "--start")
            plan = optimal_plan(bandit, cli.integer(horizon or "", "--horizon"), history, progress=progress)
            told = "an optimal plan" if plan.exact else "a plan near the optimum"
            draw_timeline(bandit, plan.runs, out, start=history, title=told)
        elif kind == "table":
            draw_losses(bandit, out)
        else:
            marked = None if word is None else cli.read_actions(word, bandit, "--word")
            draw_state_graph(bandit, out, word=marked)
    print(f"wrote {out}", file=sys.stderr)


def _check_drawing(kind: str, word: str | None, horizon: str | None, start: str | None) -> None:
    if kind not in ("graph", "timeline", "table"):
        raise InvalidInput(f"--kind is {kind!r}; there are: graph, timeline, table.")
    if (horizon is None) == (kind == "timeline"):
        raise InvalidInput("a timeline needs --horizon T; the other kinds of picture do not take it.")
    if (word is not None and kind != "graph") or (start is not None and kind != "timeline"):
        raise InvalidInput("--word is for the graph, and --start is for a timeline.")


@cli.command(
    "Examples: `tallyplan export c3.json --out c3.dot && dot -Tsvg c3.dot > c3.svg`; "
    "`tallyplan export u.json --out u.drn && "
    "storm --exact --explicit-drn u.drn --prop 'R{\"loss\"}min=? [ LRA ]'`"
)
def export(
    file: cli.File,
    out: Annotated[str, cli.option("OUT", "A file .dot, .graphml or .drn (Storm).")],
    short_histories: Annotated[bool, cli.flag("--short-histories", "Add those of the first steps.")] = False,
) -> None:
    """The state graph for other tools, every loss an exact rational.

    Nodes are histories, edges are actions with their loss. In .drn the model begins with the empty history:
    its least long-run average loss is the answer of `tallyplan cycle`, its least total loss of T steps (C<=T)
    the answer of `tallyplan plan`.
    """
    from tallyplan.model.graph import export as write_graph

    bandit = load(file)
    with cli.shown_progress() as progress:
        progress("listing the state graph")
        write_graph(bandit, out, short_histories=short_histories)
    print(f"wrote {out}", file=sys.stderr)


@cli.command(
    "Examples: `tallyplan rescale rewards.csv --rewards > r.json && tallyplan cycle r.json`; "
    "`tallyplan rescale costs.csv --least 0 --most 100 > costs.json`"
)
def rescale(
    table: Annotated[str, cli.argument("TABLE", "A row per arm, a column per tally: CSV, or JSON lists.")],
    rewards: Annotated[bool, cli.flag("--rewards", "They are rewards: more is better.")] = False,
    least: Annotated[str | None, cli.option("X", "Range minimum (default: table minimum).")] = None,
    most: Annotated[str | None, cli.option("Y", "Range maximum (default: table maximum).")] = None,
    name: Annotated[str | None, cli.option("NAME", "What to call the instance.")] = None,
) -> None:
    """Make an instance file from rewards, or from losses outside [0, 1].

    The numbers are mapped to losses in [0, 1] by an affine map, which the file records under `units`. Answers
    are then given in losses and in your own numbers.
    """
    from tallyplan.model.files import is_csv, read_json
    from tallyplan.model.instance import TallyingBandit
    from tallyplan.model.tables import read_table

    rows = read_table(table) if is_csv(table) else read_json(table)
    make = TallyingBandit.from_rewards if rewards else TallyingBandit.from_losses
    printing.json_document(make(rows, least=least, most=most, name=name).to_json())
