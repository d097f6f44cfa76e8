"""Every parser, and what must hold whatever it is given; `python tests/fuzz/parsers.py NAME SECONDS`.

A parser reads the bytes or raises an error of ours, and what it reads is written and read back as the same.
Each function here asserts that for one parser. Run as a program, atheris looks for bytes that break one of
them, starting from `corpus/NAME`; certificates are those of tests/vectors. What it finds is to be kept there,
with a name that says what it is: the test of this folder tries the corpus.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
READERS = ["tallyplan.model", "tallyplan.check", "tallyplan.cli.measuring", "tallyplan.formula"]
READERS += ["tallyplan.studies.spec", "tallyplan.planning.policies"]
watched = nullcontext()
if __name__ == "__main__":
    import atheris

    sys.path[:0] = [str(HERE.parent.parent)]

    watched = atheris.instrument_imports(include=READERS)

with watched:
    import tallyplan.check.certificate  # noqa: F401  what `check` loads with its first document
    from tallyplan.check import check
    from tallyplan.check.certificate import fingerprint
    from tallyplan.check.problem import read_graph
    from tallyplan.check.reading import Meter
    from tallyplan.cli.common import read_actions
    from tallyplan.cli.measuring import read_sequence
    from tallyplan.errors import InstanceTooLarge, InvalidInput, TallyplanError
    from tallyplan.formula import Formula
    from tallyplan.model.files import json_text, parse_json
    from tallyplan.model.instance import TallyingBandit, from_json
    from tallyplan.model.rationals import digits, integer_from_text, rational, text
    from tallyplan.model.weighted_graph import WeightedGraph
    from tallyplan.model.words import expand, length, read, written
    from tallyplan.planning.policies import load_policy
    from tallyplan.studies.spec import read_spec

BANDIT = TallyingBandit([["0", "1"], ["1", "0"], ["1/2", "1/3"]])
FEW = 10**4  # actions, of a sequence that is listed


def as_text(data):
    return data.decode("utf-8", "surrogateescape")


def certificate(data):
    document = parse_json(as_text(data), "the certificate")
    with_the_right_hash(document if isinstance(document, dict) else {})
    verdict = check(document, limit=10**5)
    assert verdict.status in ("accepted", "refused", "undecided")
    assert verdict.reason.endswith(".")


def with_the_right_hash(document):
    """Otherwise no change of what it is about would get beyond the hash."""
    provenance = document.get("provenance")
    for about in ("instance", "game", "graph"):
        if isinstance(provenance, dict) and isinstance(document.get(about), dict):
            provenance[f"{about}_sha256"] = fingerprint(document[about])


def actions_of(runs):
    """How many actions, and which, if they are few."""
    return length(runs), expand(runs) if length(runs) <= FEW else None


ROUND_TRIPS = {  # how a text is read, how that is written, and what of it is the same when read again
    "instance": (lambda text: from_json(parse_json(text, "it")), lambda it: json_text(it.to_json()), None),
    "word": (
        lambda text: read(text, 3, "it"),
        lambda runs: written(runs, 3),
        lambda runs: (written(runs, 3), actions_of(runs)),
    ),
    "start": (lambda text: read_actions(text, BANDIT, "--start"), lambda it: ",".join(map(str, it)), None),
    "sequence": (
        lambda text: read_sequence(text, BANDIT, None, "it"),
        lambda it: json.dumps({"runs": it[0], "start": it[1]}),
        lambda it: (actions_of(it[0]), it[1]),
    ),
    "number": (lambda text: rational(text, "it"), text, None),
    "horizon": (lambda text: integer_from_text(text, "it"), digits, None),
    "formula": (Formula, lambda it: it.canonical, lambda it: (it.canonical, {*it.names})),
}


def read_back(name, data):
    reads, writes, same = ROUND_TRIPS[name]
    found = reads(as_text(data))
    if name != "start" or len(found) <= FEW:
        again = reads(writes(found))
        assert same(again) == same(found) if same else again == found


def study(data):
    if b":" in data:  # names code of one's own, which is imported
        return
    with file_of(data, "study.toml") as path:
        assert len(read_spec(path)) > 0


@contextmanager
def file_of(data, name):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


def edges(data, name="graph.csv"):
    with file_of(data, name) as path:
        graph = WeightedGraph.load(path)
    if not graph.nodes:  # of which there is no certificate
        return
    again = read_graph(graph.to_json(), Meter(10**7))
    assert (again.tails, again.heads) == (list(graph.tails), list(graph.heads))
    weights = [graph.weights[edge] for edge in range(len(graph.tails))]
    assert [Fraction(cost, again.D) for cost in again.costs] == weights


def graphml(data):
    edges(data, "graph.graphml")


def policy(data):
    with file_of(data, "policy.json") as path:
        try:
            found = load_policy(path)
        except InstanceTooLarge:
            return
        first = found.action([])
        found.save(path)
        assert load_policy(path).action([]) == first


BY_NAME: dict[str, Callable] = {name: partial(read_back, name) for name in ROUND_TRIPS}
BY_NAME |= {one.__name__: one for one in (certificate, study, edges, graphml, policy)}


def corpus(name):
    """The folders of what is kept for a parser."""
    if name == "certificate":
        return sorted((HERE.parent / "vectors").rglob("accepted"))
    return [HERE / "corpus" / name]


def hold(parser, data):
    """Nothing but an error of ours, and a bug of ours is none; whether it was read."""
    try:
        parser(data)
    except TallyplanError as error:
        if not isinstance(error, InvalidInput):
            raise
        return False
    return True


def main(name, seconds):
    options = [f"-max_total_time={seconds}", "-max_len=4096", "-timeout=20", "-rss_limit_mb=2000"]
    with tempfile.TemporaryDirectory() as found:
        folders = [found, *map(str, corpus(name))]
        atheris.Setup(["fuzz", *options, *folders], lambda data: (hold(BY_NAME[name], data), None)[1])
        atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
