"""What if a line of the code were another? `python tests/mutants.py PACKAGE [FILE ...] [--sample N]`.

Each comparison, operator, number, truth value, `and`, `or`, `not`, `min`, `max`, `any` and `all` is replaced
by its neighbour, and each `raise` and each call for its effect is left out, one at a time. For `check` the
documents of tests/vectors are judged by the changed checker, and what passes there goes through quick tests
of tests/check; for the other packages all their tests are run. A change is *caught* if a judgement differs, a
test fails or time runs out; *explained* if `mutants.json` says, under the line and the change, why it makes
no difference; and otherwise it *survives*. What is charged to a budget is not changed here: test_bombs.py and
test_accounts.py hold that.
Nor are the words of errors, and `strict=True`, which only says what was checked before.
The exit status is 1 if any change survives.
"""

import argparse
import ast
import copy
import fractions  # noqa: F401, once for all the processes that are forked
import hashlib  # noqa: F401
import json
import os
import random
import resource
import sys
from collections import Counter
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
VECTORS = TESTS / "vectors"
EXPLAINED = TESTS / "mutants.json"
SECONDS = {"check": 30}  # of the processor for one change; the tests of the other packages take longer
QUICK = ["accounts", "instances", "limits", "mutations"]
DOCUMENTS_OF = {"game": "minimax", "graph": "graph", "minimax": "minimax"} | dict.fromkeys(
    ("corners", "greedy", "policies", "where", "worst_case"), "worst-case"
)  # the folder of tests/vectors that is most likely to notice
NEXT_TO = {  # the quick tests of tests/check that are likely to notice a change of this file
    "__init__": ["graph", "minimax", "instances", "mutations"],
    "__main__": ["alone", "limits"],
    "corners": ["corners", "where", "worst_case"],
    "document": ["instances", "limits"],
    "game": ["minimax"],
    "graph": ["graph", "accounts"],
    "greedy": ["greedy"],
    "horizon": ["limits"],
    "long_memory": ["long_memory", "limits"],
    "minimax": ["minimax"],
    "per_arm": ["per_arm"],
    "policies": ["worst_case", "where", "minimax"],
    "problem": ["instances", "accounts", "limits"],
    "two_arms": ["two_arms"],
    "verdict": ["accounts", "limits"],
    "where": ["where"],
    "worst_case": ["worst_case", "where"],
}
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
CHARGES = {"_spend", "fit_edges"}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


def is_charge(node):
    """A call of a budget, such as `budget.spend(...)`, or of a function that does nothing but charge."""
    if not isinstance(node, ast.Call):
        return False
    *owner, name = ast.unparse(node.func).split(".")
    return owner[-1:] == ["budget"] or name in CHARGES


def is_for_charges(node, spent):
    """A charge; what computes a number of bits; or a name in `spent`, which only charges use."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AugAssign) else targets
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    names += [target.attr for target in targets if isinstance(target, ast.Attribute)]
    if isinstance(node, ast.FunctionDef):
        names = [node.name] if node.name.endswith("bits") else []
    return is_charge(getattr(node, "value", node)) or (
        bool(names) and all(name.endswith("bits") or name in spent for name in names)
    )


def only_spent(function):
    """The names that a function assigns and uses in charges alone, or for such names."""
    assigned = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    while True:
        used = set(names_used(function, assigned))
        if not assigned & used:
            return assigned
        assigned -= used


def names_used(node, spent):
    """The names that are read where neither a charge nor a name in `spent` is made."""
    for child in ast.iter_child_nodes(node):
        if is_for_charges(child, spent):
            continue
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
            yield child.id
        yield from names_used(child, spent)


def places(node, spent=frozenset()):
    """The nodes of code that runs, in order; types, charges, messages and `strict=True` are none."""
    if isinstance(node, ast.FunctionDef):
        spent = only_spent(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "exc"):
            continue
        for child in value if isinstance(value, list) else [value]:
            strict = isinstance(child, ast.keyword) and child.arg == "strict"
            if isinstance(child, ast.AST) and not strict and not is_for_charges(child, spent):
                yield child
                yield from places(child, spent)


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


def mutants(source):
    """All changed trees of a source, with a name for each: line and change."""
    tree = ast.parse(source)
    for number, node in enumerate(places(tree)):
        for field, value in changes(node):
            other = copy.deepcopy(tree)
            changed = next(place for i, place in enumerate(places(other)) if i == number)
            before = ast.unparse(changed)
            if field == "statement":
                changed.__class__, changed.__dict__ = ast.Pass, {"lineno": node.lineno, "col_offset": 0}
                after = "pass"
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                after = f"bool({ast.unparse(changed.operand)})"
                changed.operand = ast.UnaryOp(ast.Not(), changed.operand)
            else:
                setattr(changed, field, value)
                after = ast.unparse(changed)
            yield node.lineno, f"{before}  ->  {after}", ast.fix_missing_locations(other)


def judged_by_vectors(name):
    """Whether the checker, as it can be imported here, judges all documents as it should.

    Those that are most likely to notice a change of the file of this name come first.
    """
    sys.path[:0] = [str(ROOT)]
    folders = {path.parent for path in VECTORS.rglob("manifest.json")}
    return all(
        judged_in(folder)
        for folder in sorted(folders, key=lambda folder: (folder.name != DOCUMENTS_OF.get(name), folder))
    )


def judged_in(folder):
    from tallyplan.check import check

    for name, expected in json.loads((folder / "manifest.json").read_text()).items():
        instance = VECTORS / expected["instance"] if "instance" in expected else None
        path = folder / "refused" / name
        verdict = check(path if folder == VECTORS else json.loads(path.read_text()), instance=instance)
        if verdict.status != "refused" or expected["reason"] not in verdict.reason:
            return False
    return all(check(path).status == "accepted" for path in sorted((folder / "accepted").glob("*.json")))


def judged_by_tests(package, name):
    import pytest

    os.chdir(ROOT)
    tests = [f"tests/{package}"]
    if package == "check":
        tests = [f"tests/check/test_{test}.py" for test in NEXT_TO.get(name, QUICK)]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=--strict-markers --import-mode=importlib"]
    return pytest.main([*options, *tests]) == 0


def plant(path, tree):
    """From now on, the file at this path is imported as this tree."""

    class Planted(SourceFileLoader):
        def get_code(self, fullname):
            return compile(tree, self.path, "exec") if Path(self.path) == path else super().get_code(fullname)

    finders = (Planted, SOURCE_SUFFIXES), (SourcelessFileLoader, BYTECODE_SUFFIXES)
    extensions = (ExtensionFileLoader, EXTENSION_SUFFIXES)
    sys.path_hooks.insert(0, FileFinder.path_hook(extensions, *finders))
    sys.path_importer_cache.clear()


def survives(path, tree, package, documents_only=False):
    """Whether nothing notices the change, in a process of its own."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS.get(package, 600),) * 2)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        plant(path, tree)
        try:
            name = path.stem if path else ""
            fine = package != "check" or judged_by_vectors(name)
            fine = fine and (documents_only or judged_by_tests(package, name))
        except BaseException:
            fine = False
        os._exit(0 if fine else 1)
    return os.waitpid(child, 0)[1] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", help="a folder of tallyplan")
    parser.add_argument("files", nargs="*", help="only these files of it")
    parser.add_argument(
        "--sample", type=int, help="only so many changes per file, at random but always the same"
    )
    parser.add_argument(
        "--documents-only", action="store_true", help="for check: no tests, only the documents"
    )
    given = parser.parse_args()
    folder = ROOT / "tallyplan" / given.package
    explained = json.loads(EXPLAINED.read_text())
    fates = Counter()
    if not survives(None, None, given.package, given.documents_only):
        sys.exit("the judge is not content with the code as it is")
    for path in sorted(folder.rglob("*.py")):
        name = str(path.relative_to(folder))
        if given.files and name not in given.files:
            continue
        source = path.read_text()
        found = list(mutants(source))
        if given.sample and len(found) > given.sample:
            found = random.Random(name).sample(found, given.sample)
        here = Counter()
        for line, change, tree in found:
            alive = survives(path, tree, given.package, given.documents_only)
            place = f"{source.splitlines()[line - 1].strip()}  |  {change}"
            reason = explained.get(f"{given.package}/{name}", {}).get(place)
            fate = "explained" if alive and reason else "survives" if alive else "caught"
            here[fate] += 1
            if fate == "survives":
                print(f"{given.package}/{name}:{line}: {change}", flush=True)
        print(f"{given.package}/{name}: {dict(here)}", flush=True)
        fates += here
    print(dict(fates))
    return 1 if fates["survives"] else 0


if __name__ == "__main__":
    sys.exit(main())
