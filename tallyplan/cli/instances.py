"""Make instances, of the named families or from tables of numbers; draw one, or export its graph."""

from __future__ import annotations

import inspect
import sys
from typing import TYPE_CHECKING, Annotated, Any

from tallyplan.cli import printing
from tallyplan.cli.common import (
    AsJson,
    File,
    Start,
    argument,
    command,
    completed_from,
    flag,
    integer,
    option,
    read_start,
    shown_progress,
)
from tallyplan.errors import InvalidInput
from tallyplan.limits import Progress
from tallyplan.model.instance import Bandit, load
from tallyplan.model.words import expand, length, read

if TYPE_CHECKING:
    from tallyplan.model.families import Family


@command("Examples: `tallyplan families`; `tallyplan families uniform`")
def families(
    family: Annotated[
        str | None,
        argument(
            "[FAMILY]",
            "Show one family in full.",
            autocompletion=completed_from("tallyplan.model.families:all_families"),
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The named families of instances, with their parameters and sources."""
    from tallyplan.model.families import all_families, find

    chosen = list(all_families().values()) if family is None else [find(family)]
    if as_json:
        printing.json_document([_family_as_json(entry) for entry in chosen])
    elif family is None:
        printing.table(*((entry.name, f"{entry.summary}.") for entry in chosen))
        print("\nOne in full: tallyplan families NAME")
        print("An instance: tallyplan new NAME key=value ... > FILE")
    else:
        print(f"{chosen[0].name}\n\n{inspect.getdoc(chosen[0].function)}")


def _family_as_json(family: Family) -> dict[str, Any]:
    parameters = [
        {"name": p.name, "type": p.type, "default": p.default_text, "meaning": p.meaning}
        for p in family.parameters
    ]
    described = {"name": family.name, "summary": f"{family.summary}.", "source": family.source}
    return described | {"parameters": parameters}


@command(
    "Examples: `tallyplan new uniform actions=3 memory=5 seed=1 > u.json`; "
    "`tallyplan new my_module:my_family size=3 > mine.json`; "
    "`tallyplan new counterexample-3 | tallyplan cycle -`"
)
def new(
    family: Annotated[
        str,
        argument(
            "FAMILY",
            "A name from `tallyplan families`, or your own function as module:name.",
            autocompletion=completed_from("tallyplan.model.families:all_families"),
        ),
    ],
    parameters: Annotated[list[str] | None, argument("key=value ...", "Parameters of the family.")] = None,
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


@command(
    "Examples: `tallyplan draw c3.json --out c3.svg`; "
    "`tallyplan draw c3.json --kind ring --out ring.pdf`; "
    "`tallyplan draw c3.json --kind timeline --horizon 10^15 --out plan.svg`; "
    "`tallyplan draw c3.json --kind table --out losses.png`; "
    "`tallyplan draw c3.json --word 001 --out other-cycle.svg`"
)
def draw(
    file: File,
    out: Annotated[str, option("PICTURE", "Where to write it; .svg, .png or .pdf.")],
    kind: Annotated[str, option("KIND", "graph, ring, timeline or table; see above.")] = "graph",
    word: Annotated[
        str | None, option("WORD", "graph, ring: the word to show in place of an optimal one.")
    ] = None,
    horizon: Annotated[str | None, option("T", "timeline: the number of steps of the optimal plan.")] = None,
    start: Start = None,
) -> None:
    """A picture of a small instance.

    `graph`: the state graph, an arrow for each action, the optimal cycle in yellow. `ring`: the optimal cycle
    alone, with the tally and the loss of every step. `timeline`: an optimal plan of T steps, with arm,
    tally and loss of each. `table`: the losses as a heat map.
    """
    from tallyplan.pictures import draw_losses, draw_ring, draw_state_graph

    _check_drawing(kind, word, horizon, start)
    bandit = load(file)
    marked = None if word is None else _short_word(word, bandit)
    with shown_progress() as progress:
        progress(f"drawing the {kind}")
        if kind == "timeline":
            _draw_plan(bandit, integer(horizon or "", "--horizon"), start, out, progress)
        elif kind == "table":
            draw_losses(bandit, out)
        else:
            {"graph": draw_state_graph, "ring": draw_ring}[kind](bandit, out, word=marked)
    print(f"wrote {out}", file=sys.stderr)


LONGEST_WORD = 10**4
KINDS = ("graph", "ring", "timeline", "table")


def _check_drawing(kind: str, word: str | None, horizon: str | None, start: str | None) -> None:
    if kind not in KINDS:
        raise InvalidInput(f"--kind is {kind!r}; there are: {', '.join(KINDS)}.")
    if word is not None and kind not in ("graph", "ring"):
        raise InvalidInput("--word is for the graph and the ring.")
    if (horizon is None) == (kind == "timeline"):
        raise InvalidInput("a timeline needs --horizon T; the other kinds of picture do not take it.")
    if start is not None and kind != "timeline":
        raise InvalidInput("--start is for a timeline.")


def _short_word(given: str, bandit: Bandit) -> list[int]:
    runs = read(given, bandit.actions, "--word")
    if length(runs) > LONGEST_WORD:
        raise InvalidInput(f"--word has more than {LONGEST_WORD} actions, too many for a picture.")
    return expand(runs)


def _draw_plan(bandit: Bandit, horizon: int, start: str | None, out: str, progress: Progress) -> None:
    from tallyplan.pictures import draw_timeline
    from tallyplan.planning.horizon import optimal_plan

    history = read_start(start, bandit)
    plan = optimal_plan(bandit, horizon, history, progress=progress)
    told = "an optimal plan" if plan.exact else "a plan near the optimum"
    draw_timeline(bandit, plan.runs, out, start=history, title=told)


@command(
    "Examples: `tallyplan export c3.json --out c3.dot && dot -Tsvg c3.dot > c3.svg`; "
    "`tallyplan export u.json --out u.drn && "
    "storm --exact --explicit-drn u.drn --prop 'R{\"loss\"}min=? [ LRA ]'`"
)
def export(
    file: File,
    out: Annotated[str, option("OUT", "Where to write it; .dot, .graphml or .drn (Storm).")],
    short_histories: Annotated[
        bool, flag("--short-histories", "Add the histories of the first steps; .drn has them.")
    ] = False,
) -> None:
    """The state graph for other tools, every loss an exact rational.

    Nodes are histories, edges are actions with their loss. In .drn the model begins with the empty history:
    its least long-run average loss is the answer of `tallyplan cycle`, its least total loss of T steps (C<=T)
    the answer of `tallyplan plan`.
    """
    from tallyplan.model.graph import export as write_graph

    bandit = load(file)
    with shown_progress() as progress:
        progress("listing the state graph")
        write_graph(bandit, out, short_histories=short_histories)
    print(f"wrote {out}", file=sys.stderr)


@command(
    "Examples: `tallyplan rescale rewards.csv --rewards > r.json && tallyplan cycle r.json`; "
    "`tallyplan rescale costs.csv --least 0 --most 100 > costs.json`"
)
def rescale(
    table: Annotated[
        str,
        argument(
            "TABLE",
            "Numbers of any size, a row per arm and a column per tally: CSV, or a JSON list of lists.",
        ),
    ],
    rewards: Annotated[bool, flag("--rewards", "They are rewards: more is better.")] = False,
    least: Annotated[str | None, option("X", "Range minimum (default: table minimum).")] = None,
    most: Annotated[str | None, option("Y", "Range maximum (default: table maximum).")] = None,
    name: Annotated[str | None, option("NAME", "What to call the instance.")] = None,
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
