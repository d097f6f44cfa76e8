"""What if a line of the code were another? `python tests/mutants.py PACKAGE [FILE ...] [--sample N]`.

Each comparison, operator, number, truth value, `and`, `or`, `not`, `min`, `max`, `any` and `all` is replaced
by its neighbour, and each `raise` and each call for its effect is left out, one at a time. A change is
*caught* if a test of the package fails or takes far too long; *explained* if `mutants.json` says, under the
line and the change, why it makes no difference; and otherwise it *survives*. What is charged to a budget is
not changed here: test_bombs.py holds that, and test_memory.py what memory is asked for. Nor are the words of
errors, what is shown as progress, and `strict=True`. The exit status is 1 if any change survives.

Why it takes minutes. Every test is run once, in a process of its own, and its lines and its time are noted. A
change is then judged by the tests that run its line, the quickest first, in a fork of a process in which all
is imported and all tests are collected: the functions there get their changed code. What runs when a file is
imported, such as a constant, is not changed.
"""

import argparse
import ast
import functools
import gc
import importlib
import json
import os
import pickle
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

TESTS = Path(__file__).parent
ROOT = TESTS.parent
EXPLAINED = TESTS / "mutants.json"
SECONDS = 2  # of the processor for one test, besides ten times what it took on the code as it is
EFFORT = 60  # seconds of tests for one change, at most
CALLS = 1000  # of a function in a test: the lines of further ones are not noted
BYTES = 4 * 2**30  # that a process may take besides what it has
OPTIONS = ["-s", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "--tb=native"]
OTHER = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
UNCHANGED = ("budget", "meter", "progress", "require_memory")  # calls that only charge, or only show
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


def only_charges(node):
    """A statement that charges work or memory, or shows progress, and does nothing else."""
    call = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and any(name in ast.unparse(call.func) for name in UNCHANGED)


def own_lines(statement):
    """The lines of a statement without those of the statements inside it."""
    last = statement.body[0].lineno - 1 if getattr(statement, "body", None) else statement.end_lineno
    return range(statement.lineno, max(statement.lineno, last) + 1)


def places(node, lines=range(0), at_import=True):
    """The nodes of code inside functions, in order, each with the lines of its statement.

    Types, charges, messages and `strict=True` are left out.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc"):
            continue
        now = at_import and not (name == "body" and isinstance(node, ast.FunctionDef | ast.Lambda))
        for child in value if isinstance(value, list) else [value]:
            strict = isinstance(child, ast.keyword) and child.arg == "strict"
            if isinstance(child, ast.AST) and not strict and not only_charges(child):
                here = own_lines(child) if isinstance(child, ast.stmt) else lines
                if not now:
                    yield child, here
                yield from places(child, here, now)


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


@dataclass
class Mutant:
    """A changed file: what was changed, where, and the code of it all."""

    path: str
    line: int
    change: str
    lines: range
    code: CodeType

    @property
    def name(self):
        return str(Path(self.path).relative_to(ROOT / "tallyplan"))

    @property
    def key(self):
        """Under which `mutants.json` may explain it: the line and the change."""
        line = Path(self.path).read_text().splitlines()[self.line - 1].strip()
        return f"{line}  |  {self.change}"

    @property
    def explained(self):
        return self.key in explanations().get(self.name, {})


@functools.cache
def explanations():
    return json.loads(EXPLAINED.read_text())


def mutants(path, sample=None):
    """All changes of a file, or so many of them, at random but always the same."""
    tree = ast.parse(path.read_text())
    ways = [(node, lines, *way) for node, lines in places(tree) for way in changes(node)]
    chosen = set(range(len(ways)))
    if sample and len(ways) > sample:
        chosen = set(random.Random(path.name).sample(range(len(ways)), sample))
    seen = Counter()
    for number, (node, lines, field, value) in enumerate(ways):
        kept = type(node), dict(vars(node))
        line, told = node.lineno, change(node, field, value)
        seen[line, told] += 1
        if number in chosen:
            again = f" #{seen[line, told]}" if seen[line, told] > 1 else ""
            code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
            yield Mutant(str(path), line, told + again, lines, code)
        node.__class__, node.__dict__ = kept


def start(function, *arguments):
    """Call a function in a process of its own."""
    answer = tempfile.TemporaryFile()  # noqa: SIM115, closed when the process is finished
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            answer.write(pickle.dumps(function(*arguments)))
            answer.flush()
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        finally:
            os._exit(0)
    return child, answer


def finish(child, answer):
    """What the function returned; None if its process died."""
    try:
        os.waitpid(child, 0)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it started, too
    with answer:
        answer.seek(0)
        result = answer.read()
    return pickle.loads(result) if result else None


def in_child(function, *arguments):
    """What a function returns in a process of its own; None if that dies."""
    return finish(*start(function, *arguments))


def shared_out(function, work, jobs):
    """The function of each piece of work, by so many processes."""
    children = [start(lambda i=i: [function(piece) for piece in work[i::jobs]]) for i in range(jobs)]
    results = [None] * len(work)
    for i, child in enumerate(children):
        results[i::jobs] = finish(*child)
    return results


class Plugin:
    """Lets pytest collect the tests, and then does something else than run them all."""

    def __init__(self, work):
        self.work, self.result = work, None

    def pytest_collection(self):
        """Do not make failing examples simpler, which nobody reads here."""
        from hypothesis import Phase, settings

        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutants", settings(), phases=phases, report_multiple_bugs=False)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session):
        if not session.testsfailed:
            self.result = self.work(session)
        return True


def with_tests(tests, work):
    """What `work` returns when it gets pytest's session, with these tests collected."""
    import pytest

    plugin = Plugin(work)
    os.chdir(ROOT)
    pytest.main([*OPTIONS, *tests], plugins=[plugin])
    return plugin.result


def silently():
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    with open("/proc/self/statm") as sizes:
        size = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + BYTES,) * 2)


def passes(session, item, seconds, following=None):
    """Whether a test passes; the process dies if it takes longer than so many seconds."""
    latest = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (latest, resource.RLIM_INFINITY))
    signal.alarm(int(20 * seconds) + 1)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
    signal.alarm(0)
    return not session.testsfailed


@dataclass
class Judge:
    """A test that passes, the time that it takes, and the lines that it runs, by file."""

    item: object
    seconds: float
    lines: dict


def lines_run(session, item, folder):
    """The time that a test takes and the lines that it runs, by file; None if it fails."""
    silently()
    lines, calls = {}, Counter()

    def enter(frame, event, arg):
        file = frame.f_code.co_filename
        if not file.startswith(folder):
            return None
        calls[id(frame.f_code)] += 1
        if calls[id(frame.f_code)] > CALLS:
            return None
        here = lines.setdefault(file, set())

        def note(frame, event, arg):
            here.add(frame.f_lineno)
            return note

        return note

    threading.settrace(enter)
    sys.settrace(enter)
    passed = passes(session, item, EFFORT)
    sys.settrace(None)
    return (time.process_time(), lines) if passed else None


def judges(session, folder, jobs):
    """Every test that passes, after one run of it."""
    found = shared_out(lambda item: in_child(lines_run, session, item, folder), session.items, jobs)
    for item, known in zip(session.items, found, strict=True):
        if known is None:
            print(f"fails already, or takes too long: {item.nodeid}", flush=True)
    record = [Judge(item, *known) for item, known in zip(session.items, found, strict=True) if known]
    print(f"{len(record)} tests, {sum(judge.seconds for judge in record):.0f} seconds", flush=True)
    return record


def by_name(code):
    """The codes inside a code, by the names and first lines of their functions."""
    found = {}
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            found.setdefault((inner.co_qualname, inner.co_firstlineno), []).append(inner)
            for name, codes in by_name(inner).items():
                found.setdefault(name, []).extend(codes)
    return found


def replacements(mutant, functions):
    """The new code of each function of the file that is in use; None if that cannot be told."""
    codes, found = by_name(mutant.code), []
    for function in functions.get(mutant.path, ()):
        old = function.__code__
        new = codes.get((old.co_qualname, old.co_firstlineno), [])
        if len(new) != 1 or new[0].co_freevars != old.co_freevars:
            return None
        found.append((function, new[0]))
    return found


def in_use():
    """The functions of all files, with nothing remembered from before."""
    functions = {}
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()
        if isinstance(thing, FunctionType):
            functions.setdefault(thing.__code__.co_filename, []).append(thing)
    return functions


def judged(session, found, folder, jobs):
    """The fate of each change, but for those of functions that are no longer reached; None for them."""
    for path in {mutant.path for mutant in found}:  # what is imported by need alone is not in use yet
        parts = Path(path).relative_to(ROOT).with_suffix("").parts
        importlib.import_module(".".join(part for part in parts if part != "__init__"))
    functions = in_use()
    gc.freeze()
    record, noticed = judges(session, folder, jobs), Counter()

    def chosen(mutant):
        """The tests that run a changed line; the quickest, and those that noticed other changes, first."""
        changed, seconds = set(mutant.lines), 0
        able = [judge for judge in record if changed & judge.lines.get(mutant.path, set())]
        for judge in sorted(able, key=lambda judge: judge.seconds / (1 + noticed[judge.item])):
            seconds += judge.seconds
            if seconds <= EFFORT:
                yield judge

    def first_to_fail(mutant, tests):
        """The number of the first of the tests that fails, or -1. The process dies if one takes too long."""
        silently()
        for function, code in replacements(mutant, functions):
            function.__code__ = code
        for number, judge in enumerate(tests):
            following = tests[number + 1].item if number + 1 < len(tests) else None
            if not passes(session, judge.item, SECONDS + 10 * judge.seconds, following):
                return number
        return -1

    def fate(mutant):
        if replacements(mutant, functions) is None:
            return None
        if mutant.explained:
            return "explained"
        tests = list(chosen(mutant))
        first = in_child(first_to_fail, mutant, tests) if tests else -1
        if first == -1:
            alone = "" if tests else " (no test runs this)"
            print(f"{mutant.name}:{mutant.line}: {mutant.change}{alone}", flush=True)
            return "survives"
        if first is not None:
            noticed[tests[first].item] += 1
        return "caught"

    return shared_out(fate, found, jobs)


def fates(files, given):
    """The fate of each change of the files, counted by file."""
    import hypothesis  # noqa: F401, once for all the processes that are forked
    import pytest  # noqa: F401

    found = [mutant for path in files for mutant in mutants(path, given.sample)]
    folder = str(ROOT / "tallyplan" / given.package)
    tests = given.tests or [f"tests/{given.package}", f"tallyplan/{given.package}"]
    fate = in_child(with_tests, tests, lambda session: judged(session, found, folder, given.jobs))
    counted = {}
    for mutant, known in zip(found, fate, strict=True):
        if known is not None:
            counted.setdefault(mutant.name, Counter())[known] += 1
    for name in counted if not given.sample else ():
        for key in explanations().get(name, {}).keys() - {mutant.key for mutant in found}:
            print(f"{name}: explained, but no change: {key}")
    return counted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", help="a folder of tallyplan")
    parser.add_argument("files", nargs="*", help="only these files of it")
    parser.add_argument("--sample", type=int, help="only so many changes per file, always the same")
    parser.add_argument("--tests", nargs="+", help="judge by these files of tests, not by all of the package")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    given = parser.parse_args()
    folder = ROOT / "tallyplan" / given.package
    files = [
        path
        for path in sorted(folder.rglob("*.py"))
        if not given.files or str(path.relative_to(folder)) in given.files
    ]
    total = Counter()
    for name, here in in_child(fates, files, given).items():
        print(f"{name}: {dict(here)}", flush=True)
        total += here
    print(dict(total))
    return 1 if total["survives"] else 0


if __name__ == "__main__":
    sys.exit(main())
