"""What if a formula of a claim were another? `python -m proofs_check.mutate [CLAIM ...] [--sample N]`.

Every formula of a claim is changed mechanically: each integer by one up and down, doubled and halved; each
relation weakened, strengthened and turned round; each hypothesis of the domain left out. The claim is
examined again with the changed formula, and so are the claims that use it. A change is

    caught      the verdict, what was shown, the best constant or the repair is not what it was, or the
                examination ends with an error
    false too   the claim is refuted, and so is its statement with this change, or on the changed domain, by a
                case that violates it and was confirmed
    follows     from what was shown of the claim, as z3 finds: a weaker statement or a smaller domain
    explained   in `survivors.json`, with the reason why the changed claim is as true as the first
    survives    none of these: a statement that is printed and not checked
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

import proofs_check
from proofs_check.claim import STATED, Claim, Formulas, Request, Result, Run
from proofs_check.report import chosen_claims, differences
from proofs_check.steps import SHOWN, Verdict, implication
from proofs_check.ways.for_all import for_all
from tallyplan.cli.common import shown_progress
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent

OTHER_RELATIONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.Eq: (ast.LtE, ast.GtE, ast.NotEq),
    ast.NotEq: (ast.Eq,),
}
ALWAYS = "0 == 0"
FATES = ("caught", "false too", "follows", "explained", "survives")


@dataclass(frozen=True)
class Mutant:
    """A claim with one formula changed; a hypothesis that is left out becomes one that always holds."""

    claim: Claim
    name: str
    text: str

    @property
    def key(self) -> str:
        """How `survivors.json` names it."""
        return f"{self.claim.id}: {self.name}: {'left out' if self.text == ALWAYS else self.text}"


@dataclass(frozen=True)
class Finding:
    """A mutant and what became of it."""

    mutant: Mutant
    fate: str


def mutants_of(one: Claim) -> Iterator[Mutant]:
    """All changes of its formulas."""
    for name, text in one.texts.items():
        yield from (Mutant(one, name, changed) for changed in changes(text))
        if name in one.domain:
            yield Mutant(one, name, ALWAYS)


def changes(text: str) -> list[str]:
    """The texts that differ from a formula in one integer or one relation.

    >>> changes("m <= 2")
    ['m < 2', 'm >= 2', 'm <= 3', 'm <= 1', 'm <= 4']
    """
    places = sum(1 for _ in ast.walk(ast.parse(text, mode="eval")))
    found = [changed for place in range(places) for changed in _changed_at(text, place)]
    return [one for one in dict.fromkeys(found) if one != Formula(text).canonical]


def _changed_at(text: str, place: int) -> Iterator[str]:
    """The changes of one node of the syntax tree."""
    node = list(ast.walk(ast.parse(text, mode="eval")))[place]
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        n = node.value
        others: Sequence[Any] = [n + 1, n - 1, 2 * n, *([n // 2] if n % 2 == 0 else [])]
        yield from (_with(text, place, "value", other) for other in others if other >= 0)
    if isinstance(node, ast.Compare):
        for number, sign in enumerate(node.ops):
            for other in OTHER_RELATIONS[type(sign)]:
                ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
                yield _with(text, place, "ops", ops)


def _with(text: str, place: int, field: str, value: Any) -> str:
    tree = ast.parse(text, mode="eval")
    setattr(list(ast.walk(tree))[place], field, value)
    return Formula(ast.unparse(tree)).canonical


def signature(result: Result) -> tuple[Any, ...]:
    """What a change must change: verdicts, and whether there is a best constant or a repair."""
    found = result.outcome
    parts = (found.tight, found.repair)
    return (found.verdict, dict(found.shown), [part and part.verdict for part in parts], bool(found.error))


class Bench:
    """Examines mutants; the results of unchanged claims are shared, and may be brought along (`known`)."""

    def __init__(self, progress: Progress = silent, known: Mapping[str, Result] | None = None) -> None:
        self._request = Request(progress=progress)
        self._base = Run(known)

    def finding(self, mutant: Mutant) -> Finding:
        """What becomes of the mutant."""
        self._request.progress(mutant.key)
        try:
            changed = mutant.claim.having(mutant.name, mutant.text)
        except (ValueError, InvalidInput):
            return Finding(mutant, "caught")
        if any(self._changed(changed, id) for id in (changed.id, *_users(changed.id))):
            return Finding(mutant, "caught")
        outcome = self._base.result(changed.id, self._request).outcome
        if outcome.verdict is Verdict.REFUTED and mutant.name in stated_by(mutant.claim):
            return Finding(mutant, "false too")  # else the verdict would have changed
        if mutant.key in survivors():
            return Finding(mutant, "explained")
        shown = [name for name, verdict in outcome.shown.items() if verdict in SHOWN]
        return Finding(mutant, "follows" if follows(mutant.claim, changed, shown) else "survives")

    def _changed(self, changed: Claim, id: str) -> bool:
        """Whether the outcome of the claim `id` is another in a run with the changed claim."""
        new = Run(_Known(self._base, self._request), [changed]).result(id, self._request)
        return signature(new) != signature(self._unchanged(id))

    def _unchanged(self, id: str) -> Result:
        """The result of the claim as it is; if it is not the recorded one, mutants tell nothing."""
        result = self._base.result(id, self._request)
        different = differences([result])
        if different:
            raise InternalError(f"before any change, {different[0]}")
        return result


class _Known(Mapping[str, Result]):
    """The results of a run, derived when they are asked for."""

    def __init__(self, run: Run, request: Request) -> None:
        self._run, self._request = run, request

    def __getitem__(self, id: str) -> Result:
        return self._run.result(id, self._request)

    def __iter__(self) -> Iterator[str]:
        return (one.id for one in proofs_check.claims())

    def __len__(self) -> int:
        return len(proofs_check.claims())


def stated_by(one: Claim) -> set[str]:
    """The names of the formulas that its statement and its domain are made of."""
    formulas = Formulas(one.texts)
    for name in (STATED, *one.domain):
        if name in one.texts:
            getattr(formulas, name)
    return formulas.read


def _users(id: str) -> list[str]:
    """The claims that use this one themselves."""
    return [one.id for one in proofs_check.claims() if id in one.uses]


def follows(one: Claim, changed: Claim, shown: Sequence[str]) -> bool:
    """Whether all that was shown of the claim implies what the changed claim says of the same formulas.

    A formula that is no part of what was shown does not follow from anything.
    """
    known, new = ([_statement(each, name) for name in shown] for each in (one, changed))
    if [str(statement) for statement in known] == [str(statement) for statement in new]:
        return False
    declared = "; ".join(sorted({one for statement in (*known, *new) for one in _functions(statement)}))
    integers = f"{one.integers} integer; " if one.integers else ""
    try:
        steps = [for_all(integers + declared, given=known, then=statement) for statement in new]
    except Exception:  # z3 has no words for it
        return False
    return all(step.holds is True for step in steps)


def _functions(statement: Formula) -> Iterator[str]:
    """The declarations of its functions: `n(real, real) real`."""
    for node in ast.walk(statement.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in statement.functions:
            yield f"{ast.unparse(node.func)}({', '.join(['real'] * len(node.args))}) real"


def _statement(one: Claim, name: str) -> Formula:
    return implication([one.formula(each) for each in one.domain], one.formula(name))


@cache
def survivors() -> dict[str, str]:
    """Mutants that change nothing, each with the reason."""
    found: dict[str, str] = json.loads(files("proofs_check").joinpath("survivors.json").read_text("utf-8"))
    return found


def heading() -> str:
    """The names of the columns."""
    return f"{'claim':<37} mutants " + " ".join(f"{fate:>9}" for fate in FATES)


def rows(name: str, findings: Sequence[Finding]) -> str:
    """One line for these findings, and one for each mutant that survives."""
    counts = Counter(one.fate for one in findings)
    line = f"{name:<37} {len(findings):>7} " + " ".join(f"{counts[fate]:>9}" for fate in FATES)
    left = [f"survives: {one.mutant.key}" for one in findings if one.fate == "survives"]
    return "\n".join([line, *left])


def examine(
    claims: Sequence[Claim],
    *,
    sample: int | None = None,
    progress: Progress = silent,
    known: Mapping[str, Result] | None = None,
) -> Iterator[Finding]:
    """What becomes of all mutants of the claims, or of a sample that is the same in every run."""
    every = [mutant for one in claims for mutant in mutants_of(one)]
    chosen = every if sample is None else random.Random(0).sample(every, min(sample, len(every)))
    bench = Bench(progress, known)
    order = {one.id: place for place, one in enumerate(claims)}
    chosen.sort(key=lambda mutant: order[mutant.claim.id])
    return (bench.finding(mutant) for mutant in chosen)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the status is 1 if a mutant survives without an explanation."""
    parser = argparse.ArgumentParser(prog="python -m proofs_check.mutate", description=__doc__)
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="ids or patterns; all by default")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, always the same")
    options = parser.parse_args(arguments)
    try:
        claims = chosen_claims(options.claims)
    except InvalidInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(heading(), flush=True)
    found: list[Finding] = []
    with shown_progress() as progress:
        for id, group in _by_claim(examine(claims, sample=options.sample, progress=progress)):
            print(rows(id, group), flush=True)
            found += group
    print(rows("all", found).splitlines()[0])
    return 1 if any(one.fate == "survives" for one in found) else 0


def _by_claim(findings: Iterable[Finding]) -> Iterator[tuple[str, list[Finding]]]:
    """The findings of each claim, as soon as they are complete."""
    for id, group in groupby(findings, key=lambda one: one.mutant.claim.id):
        yield id, list(group)


if __name__ == "__main__":
    sys.exit(main())
