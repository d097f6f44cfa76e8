r"""A formula in LaTeX as it is written, nothing simplified or reordered: what is typeset is what was checked.

>>> from tallyplan.formula import Formula
>>> print(latex(Formula("implies(m >= 2 and T == L * L, T * mu - OPT <= (m - 1) * sqrt(T))")))
m \ge 2 \wedge T = L\,L \Rightarrow T\,\mu - \mathrm{OPT} \le (m - 1)\,\sqrt{T}
"""

from __future__ import annotations

import ast

from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula

IMPLIES, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(10)  # what binds tighter is larger

GREEK = {"alpha", "beta", "gamma", "delta", "lambda", "mu", "nu", "pi", "rho", "sigma", "tau", "theta"}
RENAMED = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}
RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: r"\le",
    ast.Gt: ">",
    ast.GtE: r"\ge",
    ast.Eq: "=",
    ast.NotEq: r"\ne",
}
AROUND = {
    "sqrt": (r"\sqrt{", "}"),
    "floor": (r"\lfloor ", r" \rfloor"),
    "ceil": (r"\lceil ", r" \rceil"),
    "abs": ("|", "|"),
}
KNOWN = {"min": r"\min", "max": r"\max", "log": r"\ln", "log2": r"\log_2", "exp": r"\exp"}

Piece = tuple[str, int]  # LaTeX, and how tightly it binds


def latex(formula: Formula) -> str:
    r"""The formula in LaTeX, for mathematics mode.

    >>> latex(Formula("8 * K * m * n_s * C(s - 1) / 2**S"))
    '\\frac{8\\,K\\,m\\,n_{s}\\,C(s - 1)}{2^{S}}'
    >>> latex(Formula("a - (b - c) * 2 ** (x + 1)"))
    'a - (b - c) \\cdot 2^{x + 1}'

    See Also
    --------
    tallyplan.formula.Formula : the text that is printed, evaluated and proved.
    """
    return _piece(formula.tree)[0]


def name(text: str) -> str:
    r"""A name: letters are italic, words upright, and what follows the first underscore is an index.

    >>> name("K"), name("OPT"), name("a_total"), name("delta"), name("b_")
    ('K', '\\mathrm{OPT}', 'a_{\\mathrm{total}}', '\\delta', 'b')
    """
    head, _, rest = text.partition("_")
    index = f"_{{{name(rest)}}}" if rest else ""
    if head in RENAMED:
        return RENAMED[head] + index
    if head in GREEK:
        return rf"\{head}{index}"
    return (head if len(head) == 1 or head.isdigit() else rf"\mathrm{{{head}}}") + index


def _piece(node: ast.expr) -> Piece:
    match node:
        case ast.Constant(value=number):
            return str(number), ATOM
        case ast.Name(id=text):
            return name(text), ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_inside(operand, PRODUCT)}", SIGN
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return rf"\neg {_inside(operand, ATOM)}", NOT
        case ast.BinOp():
            return _operation(node)
        case ast.Compare(left=left, ops=signs, comparators=rights):
            links = [
                f" {RELATIONS[type(sign)]} {_inside(one, SUM)}"
                for sign, one in zip(signs, rights, strict=True)
            ]
            return _inside(left, SUM) + "".join(links), COMPARE
        case ast.BoolOp(op=ast.And(), values=parts):
            return r" \wedge ".join(_inside(part, COMPARE) for part in parts), AND
        case ast.BoolOp(values=parts):
            return r" \vee ".join(_inside(part, AND) for part in parts), OR
        case ast.IfExp(test=test, body=yes, orelse=no):
            rows = (
                rf"{_piece(yes)[0]} & \text{{if }} {_piece(test)[0]} \\ {_piece(no)[0]} & \text{{otherwise}}"
            )
            return rf"\begin{{cases}} {rows} \end{{cases}}", SUM
        case ast.Call(func=ast.Name(id=called), args=[ast.GeneratorExp(elt=body, generators=ranges)]):
            return _over(called, body, ranges)
        case ast.Call(func=ast.Name(id=called), args=arguments):
            return _call(called, arguments)
        case ast.Lambda(args=ast.arguments(args=names), body=body):
            return rf"{', '.join(one.arg for one in names)} \mapsto {_piece(body)[0]}", IMPLIES
    raise InvalidInput(f"{ast.unparse(node)!r} cannot be typeset.")


def _inside(node: ast.expr, least: int) -> str:
    """The part, in parentheses if it binds less tightly than `least`."""
    text, binds = _piece(node)
    return text if binds >= least else _parenthesised(text)


def _parenthesised(text: str) -> str:
    """In parentheses, which grow around what is higher than a line."""
    return rf"\left({text}\right)" if r"\frac" in text or r"\begin" in text else f"({text})"


def _operation(node: ast.BinOp) -> Piece:
    left, right = node.left, node.right
    match node.op:
        case ast.Add() | ast.Sub():
            second = _inside(right, PRODUCT)
            second = _parenthesised(second) if second.startswith("-") else second
            return f"{_inside(left, SUM)} {'+' if isinstance(node.op, ast.Add) else '-'} {second}", SUM
        case ast.Div():
            return rf"\frac{{{_piece(left)[0]}}}{{{_piece(right)[0]}}}", PRODUCT
        case ast.Pow():
            return f"{_inside(left, ATOM)}^{{{_piece(right)[0]}}}", POWER
        case ast.Mult():
            return _product(left, right), PRODUCT
    raise InvalidInput(f"{ast.unparse(node)!r} cannot be typeset.")


def _product(left: ast.expr, right: ast.expr) -> str:
    """Factors side by side; a dot where that could be read as a larger number or as a function."""
    first, second = _inside(left, PRODUCT), _inside(right, POWER)
    misread = second[0].isdigit() or (second.startswith(("(", r"\left(")) and first[-1] != ")")
    return f"{first} \\cdot {second}" if misread else f"{first}\\,{second}"


def _over(called: str, body: ast.expr, ranges: list[ast.comprehension]) -> Piece:
    """A sum, or a statement for all indices."""
    ends = [
        (_piece(one.target)[0], *(_piece(end)[0] for end in one.iter.args))
        for one in ranges
        if isinstance(one.iter, ast.Call)
    ]
    if called == "sum":
        sums = "".join(rf"\sum_{{{index}={low}}}^{{{high}}} " for index, low, high in ends)
        return sums + _inside(body, PRODUCT), PRODUCT
    indices = ", ".join(rf"{low} \le {index} \le {high}" for index, low, high in ends)
    return rf"{_inside(body, OR)} \text{{ for }} {indices}", IMPLIES


def _call(called: str, arguments: list[ast.expr]) -> Piece:
    if called == "implies":
        premise, conclusion = arguments
        return rf"{_inside(premise, OR)} \Rightarrow {_inside(conclusion, OR)}", IMPLIES
    if called == "power":
        base, exponent = arguments
        return f"{_inside(base, ATOM)}^{{{_piece(exponent)[0]}}}", POWER
    if called == "integer":
        return rf"{_inside(arguments[0], SUM)} \in \mathbb{{Z}}", COMPARE
    inner = ", ".join(_piece(one)[0] for one in arguments)
    if called in AROUND:
        before, after = AROUND[called]
        return before + inner + after, ATOM
    return (KNOWN.get(called) or name(called)) + _parenthesised(inner), ATOM
