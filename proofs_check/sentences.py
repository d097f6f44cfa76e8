"""The sentence that a closed formula is: for all ..., if ..., then ...; formulas in it stand in backticks.

It is generated from the sequent that the kernel reads, so that it says what is proved, whatever the words of
the paper are. Two hypotheses have a phrase: that a play plays actions, and that losses are between 0 and 1.
What the defined symbols in it are is part of the notation, which is printed with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from proofs_check.boxes import listed
from proofs_check.kernel.rules import free
from proofs_check.kernel.terms import INTEGER, Free, Function, Term
from proofs_check.theory.language import Language
from tallyplan.formula import Formula

SORTS = {INTEGER: "integers", "real": "real numbers"}


def sentence(
    language: Language, fixed: Mapping[str, str], hypotheses: Sequence[Term], conclusion: Term
) -> str:
    """What a sequent says; `fixed` is what is not any table, number of actions or memory.

    >>> from proofs_check.proving import Sequent, Setting
    >>> print(Sequent.read(Setting(), ["K >= 1", "plays(a, T)"], "count(a, 1, T) <= T").sentence)
    For all integers `K`, `T` and all sequences `a` of integers: if `K >= 1` and `a` plays actions of 1..`K` \
in its first `T` steps, then `count(a, 1, T) <= T`.
    """
    known = [f"`{name} == {text}`" for name, text in fixed.items()]
    given, then = [_hypothesis(one, language) for one in hypotheses], conclusion
    while then.op == "implies":
        given.append(f"`{language.write(then.parts[0])}`")
        then = then.parts[1]
    subject = listed([*known, *_variables(free([*hypotheses, conclusion]))])
    premise = f"if {listed(given)}, then " if given else ""
    return f"{f'For {subject}' if subject else 'Always'}: {premise}`{language.write(then)}`."


def _variables(found: Iterable[Free]) -> list[str]:
    """The variables, those of a kind together."""
    kinds: dict[tuple[int, str], list[str]] = {}
    for one in sorted(found, key=lambda one: (getattr(one, "arity", 0), one.sort, one.name)):
        kinds.setdefault((getattr(one, "arity", 0), one.sort), []).append(f"`{one.name}`")
    phrases = ("all {1} {0}", "all sequences {0} of {1}", "all tables {0} of {1}")  # by the arity
    return [phrases[arity].format(", ".join(names), SORTS[sort]) for (arity, sort), names in kinds.items()]


def _hypothesis(one: Term, language: Language) -> str:
    if one is language.read("table(h)"):
        return "all losses `h(x, y)` are between 0 and 1"
    for play in (play for play in one.free if isinstance(play, Function) and one.op == "all"):
        last = language.write(one.parts[1])
        if play.arity == 1 and one is language.read(f"plays({play.name}, {last})"):
            actions = language.write(language.setting["K"])
            return f"`{play.name}` plays actions of 1..`{actions}` in its first `{last}` steps"
    return _for_each(language.write(one))


def _for_each(text: str) -> str:
    """The formula, the range of its indices after it: "`a(t) == 1` for t = `1`..`T`"."""
    match Formula(text).tree:
        case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(elt=body, generators=ranges)]):
            ends = [(ast.unparse(one.target), *map(ast.unparse, one.iter.args)) for one in ranges]  # type: ignore[attr-defined]
            return f"`{ast.unparse(body)}` for " + ", ".join(f"`{i}` = `{lo}`..`{hi}`" for i, lo, hi in ends)
    return f"`{text}`"
