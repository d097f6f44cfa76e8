"""What if a line of the code were another? `python tests/mutants.py PACKAGE [FILE ...] [--of-all N]`.

Each comparison, operator, number, truth value, `and`, `or`, `not`, `min`, `max`, `any` and `all` is replaced
by its neighbour, and each `raise` and each call for its effect is left out, one at a time. A change is
*caught* if a test of the package fails or takes far too long; *explained* if `mutants.json` says, under the
line and the change, why it makes no difference; and otherwise it *survives*. What is charged to a budget is
not changed here: test_bombs.py holds that, and test_memory.py what memory is asked for. Nor are the words of
errors, what is shown as progress, and `strict=True`. The exit status is 1 if any change survives.

Why it takes minutes. All tests run once, and the functions that each calls are noted. A change is then judged
by the tests that call its function, the quickest first, in a fork of a process in which everything is
imported: the functions there get their changed code. What runs at import is not changed.
"""

import argparse
import ast
import functools
import gc
import importlib
import json
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from hypothesis import Phase, settings

TESTS = Path(__file__).parent
ROOT = TESTS.parent
BYTES = 16 * 2**30  # that a process may take
EXPLAINED = json.loads((TESTS / "mutants.json").read_text())
OPTIONS = ["-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "--tb=native"]
PAIRS: list[tuple[type, type]] = [
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
]
PAIRS += [(ast.Is, ast.IsNot), (ast.Add, ast.Sub), (ast.And, ast.Or)]
OTHER: dict[type, type] = {
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
}
OTHER |= {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}
UNCHANGED = ("budget", "meter", "progress", "require_memory")  # calls that only charge, or only show


def only_charges(node):
    """A statement that charges work or memory, or shows progress, and does nothing else."""
    call = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and any(name in ast.unparse(call.func) for name in UNCHANGED)


def places(node, at_import=True):
    """The nodes of code inside functions, in order, without types, charges, messages and `strict=True`."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc"):
            continue
        now = at_import and not (name == "body" and isinstance(node, ast.FunctionDef | ast.Lambda))
        for child in value if isinstance(value, list) else [value]:
            strict = isinstance(child, ast.keyword) and child.arg == "strict"
            if isinstance(child, ast.AST) and not strict and not only_charges(child):
                yield from () if now else (child,)
                yield from places(child, now)


def changes(node):
    """The ways to change a node: the field and its other value; or that the statement is left out."""
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            if type(operator) in OTHER:
                yield "ops", [*node.ops[:i], OTHER[type(operator)](), *node.ops[i + 1 :]]
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in OTHER:
        yield "op", OTHER[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield "op", ast.UAdd() if isinstance(node.op, ast.USub) else ast.Not()
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "value", not node.value
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "value", node.value + 1
    elif isinstance(node, ast.Name) and node.id in OTHER_NAME:
        yield "id", OTHER_NAME[node.id]
    elif isinstance(node, ast.Raise) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "statement", None


def change(node, field, value):
    """Change a node in its tree, and tell how."""
    before = ast.unparse(node)
    if field == "statement":
        node.__class__, node.__dict__ = ast.Pass, {"lineno": node.lineno, "col_offset": 0}
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        after = f"bool({ast.unparse(node.operand)})"
        node.operand = ast.UnaryOp(ast.Not(), node.operand)
        return f"{before}  ->  {after}"
    else:
        setattr(node, field, value)
    return f"{before}  ->  {ast.unparse(node)}"


@dataclass(eq=False)
class Mutant:
    """A changed file: where, how, and the codes of the functions that are others now."""

    path: Path
    line: int
    change: str
    codes: dict

    @property
    def file(self):
        return str(self.path.relative_to(ROOT)).removeprefix("tallyplan/")

    @property
    def key(self):
        """Under which `mutants.json` may explain it: the line and the change."""
        return f"{self.path.read_text().splitlines()[self.line - 1].strip()}  |  {self.change}"


def mutants(path):
    """All changes of a file."""
    tree, seen = ast.parse(path.read_text()), Counter()
    before = codes(compile(tree, path, "exec", dont_inherit=True))
    ways = [(node, *way) for node in places(tree) for way in changes(node)]
    for node, field, value in ways:
        kept = type(node), dict(vars(node))
        line, told = node.lineno, change(node, field, value)
        seen[line, told] += 1
        again = f" #{seen[line, told]}" if seen[line, told] > 1 else ""
        after = codes(compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True))
        changed = {name: code for name, code in after.items() if code != before[name]}
        yield Mutant(path, line, told + again, changed)
        node.__class__, node.__dict__ = kept


def codes(code):
    """The codes inside a code, by where their functions are; of two functions in one line, the last."""
    found = {}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found |= {name_of(inner): inner} | codes(inner)
    return found


def name_of(code):
    return f"{code.co_filename}:{code.co_firstlineno}:{code.co_qualname}"


def in_child(work, *arguments):
    """Whether a function returns true in a process of its own, which prints nothing and may die."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
        try:
            os._exit(0 if work(*arguments) else 1)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what it started, too
    return status == 0


class Judge:
    """What pytest does with the tests of a package instead of running them: judge all changes by them."""

    def __init__(self, found, seconds):
        self.found, self.seconds = dict.fromkeys(found, ""), seconds

    @pytest.fixture(scope="session")
    def worker_id(self):
        """As xdist says it where there is one process."""
        return "master"

    def pytest_collection(self):
        """Do not make failing examples simpler, which nobody reads here."""
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(), phases=phases, report_multiple_bugs=False)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session):
        for path in {mutant.path for mutant in self.found}:  # what is imported by need alone, too
            parts = path.relative_to(ROOT).with_suffix("").parts
            importlib.import_module(".".join(part for part in parts if part != "__init__"))
        self.session, self.functions = session, []
        for thing in gc.get_objects():
            if isinstance(thing, functools._lru_cache_wrapper):
                thing.cache_clear()
            elif isinstance(thing, FunctionType):
                self.functions.append(thing)
        gc.freeze()
        with tempfile.TemporaryFile("r+") as notes:
            in_child(self.note, notes)
            notes.seek(0)
            self.known = {session.items[number]: told for number, *told in json.load(notes)}
        for item in {*session.items} - {*self.known}:
            print("fails already:", item.nodeid)
        for mutant in self.found:
            if mutant.key in EXPLAINED.get(mutant.file, {}):
                self.found[mutant] = "explained"
            elif in_child(self.survives, mutant):
                self.found[mutant] = "survives"
                print(f"{mutant.file}:{mutant.line}: {mutant.change}", flush=True)
            else:
                self.found[mutant] = "caught"
        return True

    def passes(self, item, seconds, following):
        """Whether a test passes; the process dies if it takes longer than so many seconds."""
        latest = int(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (latest, resource.RLIM_INFINITY))
        signal.alarm(int(20 * seconds) + 1)
        before = self.session.testsfailed
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return self.session.testsfailed == before

    def note(self, out):
        """For every test that passes, write how long it takes and which functions it calls."""
        known, called = [], set()
        concerned = {name for mutant in self.found for name in mutant.codes}

        def enter(frame, event, arg):
            called.add(name_of(frame.f_code))

        threading.settrace(enter)
        for number, (item, following) in enumerate(in_order(self.session.items)):
            called.clear()
            before = time.process_time()
            sys.settrace(enter)
            passed = self.passes(item, 600, following)
            sys.settrace(None)
            if passed:
                known.append((number, time.process_time() - before, [*(called & concerned)]))
        json.dump(known, out)
        out.flush()
        return True

    def survives(self, mutant):
        """Change the functions; whether the tests that call them pass, the quickest first."""
        for function in self.functions:
            if (name := name_of(function.__code__)) in mutant.codes:
                function.__code__ = mutant.codes[name]
        able = [item for item, (_, called) in self.known.items() if mutant.codes.keys() & called]
        able.sort(key=lambda item: self.known[item][0])
        limits = [self.seconds + 10 * self.known[item][0] for item in able]
        return all(
            self.passes(one, limit, then) for limit, (one, then) in zip(limits, in_order(able), strict=True)
        )


def in_order(items):
    """Each test with the one that follows, which pytest wants to know."""
    return zip(items, [*items[1:], None], strict=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", help="a folder of tallyplan; tallyplan: its own files; proofs_check")
    parser.add_argument("files", nargs="*", help="only these files of it")
    parser.add_argument("--sample", type=int, help="only so many changes per file, always the same")
    parser.add_argument("--of-all", type=int, help="only so many changes of all files together")
    parser.add_argument("--seed", type=int, default=0, help="of the changes that --of-all picks")
    parser.add_argument("--seconds", type=int, default=2, help="for a test, besides ten times what it takes")
    parser.add_argument("--tests", nargs="+", help="judge by these files of tests, not by all of the package")
    given = parser.parse_args()
    os.chdir(ROOT)
    folder, found = ROOT / "tallyplan" / given.package, []
    if not folder.is_dir():
        folder = ROOT / given.package
    for path in sorted(folder.glob("*.py") if given.package == "tallyplan" else folder.rglob("*.py")):
        if not given.files or str(path.relative_to(folder)) in given.files:
            every = list(mutants(path))
            few = given.sample and len(every) > given.sample
            found += random.Random(path.name).sample(every, given.sample) if few else every
    if given.of_all:
        found = random.Random(given.seed).sample(found, given.of_all)
    judge = Judge(found, given.seconds)
    tests = given.tests or [f"tests/{given.package}", str(folder)]
    pytest.main([*OPTIONS, *tests], plugins=[judge])
    fates = Counter(("", fate) for fate in judge.found.values())
    fates += Counter((mutant.file, fate) for mutant, fate in judge.found.items())
    for (file, fate), number in sorted(fates.items()):
        print(f"{file or 'all'}: {number} {fate}")
    return int(("", "survives") in fates)


if __name__ == "__main__":
    sys.exit(main())
