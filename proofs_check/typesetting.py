r"""A formula in LaTeX or MathML as it is written, nothing simplified or reordered: this is what was checked.

One fold over the formula makes both; the tables have the two spellings of every sign and every form.

>>> from tallyplan.formula import Formula
>>> print(latex(Formula("implies(m >= 2 and T == L * L, T * mu - OPT <= (m - 1) * sqrt(T))")))
m \ge 2 \wedge T = L\,L \Rightarrow T\,\mu - \mathrm{OPT} \le (m - 1)\,\sqrt{T}
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from html import escape

from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula

IMPLIES, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(10)  # what binds tighter is larger

GREEK = {"alpha", "beta", "gamma", "delta", "lambda", "mu", "nu", "pi", "rho", "sigma", "tau", "theta"}
RENAMED = {"eps": "varepsilon", "epsilon": "varepsilon", "lam": "lambda"}
SIGNS = {  # in LaTeX and in MathML
    ast.Add: ("+", "+"),
    ast.Sub: ("-", "−"),
    ast.Lt: ("<", "&lt;"),
    ast.LtE: (r"\le", "≤"),
    ast.Gt: (">", "&gt;"),
    ast.GtE: (r"\ge", "≥"),
    ast.Eq: ("=", "="),
    ast.NotEq: (r"\ne", "≠"),
    ast.And: (r"\wedge", "∧"),
    ast.Or: (r"\vee", "∨"),
    "dot": (r"\cdot", "·"),
    "implies": (r"\Rightarrow", "⇒"),
    "lambda": (r"\mapsto", "↦"),
    "in": (r"\in", "∈"),
}
TEMPLATES = {
    "number": ("%s", "<mn>%s</mn>"),
    "letter": ("%s", "<mi>%s</mi>"),
    "word": (r"\mathrm{%s}", "<mi>%s</mi>"),
    "greek": (r"\%s", "<mi>&%s;</mi>"),
    "index": ("%s_{%s}", "<msub><mrow>%s</mrow><mrow>%s</mrow></msub>"),
    "sign": (" %s ", "<mo>%s</mo>"),
    "minus": ("-%s", '<mo form="prefix">−</mo>%s'),
    "not": (r"\neg %s", "<mo>¬</mo>%s"),
    "beside": (r"%s\,%s", '%s<mspace width="0.15em"></mspace>%s'),
    "fraction": (r"\frac{%s}{%s}", "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>"),
    "power": ("%s^{%s}", "<msup><mrow>%s</mrow><mrow>%s</mrow></msup>"),
    "brackets": ("(%s)", "<mrow><mo>(</mo>%s<mo>)</mo></mrow>"),
    "comma": (", ", "<mo>,</mo>"),
    "for": (r" \text{ for } ", "<mtext>&nbsp;for&nbsp;</mtext>"),
    "integers": (r"\mathbb{Z}", "<mi>ℤ</mi>"),
    "sum": (
        r"\sum_{%s=%s}^{%s} ",
        "<munderover><mo>∑</mo><mrow>%s<mo>=</mo>%s</mrow><mrow>%s</mrow></munderover>",
    ),
    "cases": (
        r"\begin{cases} %s & \text{if } %s \\ %s & \text{otherwise} \end{cases}",
        "<mrow><mo>{</mo><mtable><mtr><mtd>%s</mtd><mtd><mtext>if&nbsp;</mtext>%s</mtd></mtr>"
        "<mtr><mtd>%s</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>",
    ),
}
AROUND = {
    "sqrt": (r"\sqrt{%s}", "<msqrt>%s</msqrt>"),
    "floor": (r"\lfloor %s \rfloor", "<mo>⌊</mo>%s<mo>⌋</mo>"),
    "ceil": (r"\lceil %s \rceil", "<mo>⌈</mo>%s<mo>⌉</mo>"),
    "abs": ("|%s|", "<mo>|</mo>%s<mo>|</mo>"),
}
KNOWN = {
    "min": (r"\min", "<mi>min</mi>"),
    "max": (r"\max", "<mi>max</mi>"),
    "log": (r"\ln", "<mi>ln</mi>"),
    "log2": (r"\log_2", "<msub><mi>log</mi><mn>2</mn></msub>"),
    "exp": (r"\exp", "<mi>exp</mi>"),
}

LATEX, MATHML = 0, 1
Piece = tuple[str, int]  # what is typeset, and how tightly it binds


def latex(formula: Formula) -> str:
    r"""The formula in LaTeX, for mathematics mode.

    >>> latex(Formula("8 * K * m * n_s * C(s - 1) / 2**S"))
    '\\frac{8\\,K\\,m\\,n_{s}\\,C(s - 1)}{2^{S}}'
    >>> latex(Formula("a - (b - c) * 2 ** (x + 1)"))
    'a - (b - c) \\cdot 2^{x + 1}'
    """
    return _Fold(LATEX).piece(formula.tree)[0]


def mathml(formula: Formula) -> str:
    """The formula for a browser, with its text beside it, which is what a search looks for.

    >>> mathml(Formula("m <= 2"))[:60]
    '<math><semantics><mrow><mi>m</mi><mo>≤</mo><mn>2</mn></mrow>'
    """
    text = f'<annotation encoding="text/plain">{escape(str(formula))}</annotation>'
    return f"<math><semantics><mrow>{_Fold(MATHML).piece(formula.tree)[0]}</mrow>{text}</semantics></math>"


def name(text: str, spelling: int = LATEX) -> str:
    r"""A name: letters are italic, words upright, and what follows the first underscore is an index.

    >>> name("K"), name("OPT"), name("a_total"), name("delta"), name("b_")
    ('K', '\\mathrm{OPT}', 'a_{\\mathrm{total}}', '\\delta', 'b')
    """
    head, _, rest = text.partition("_")
    head = RENAMED.get(head, head)
    greek = head in GREEK or head in RENAMED.values()
    kind = "greek" if greek else "letter" if len(head) == 1 or head.isdigit() else "word"
    own = TEMPLATES[kind][spelling] % head
    return TEMPLATES["index"][spelling] % (own, name(rest, spelling)) if rest else own


@dataclass(frozen=True)
class _Fold:
    spelling: int

    def form(self, kind: str, *parts: object) -> str:
        return TEMPLATES[kind][self.spelling] % parts

    def sign(self, kind: object) -> str:
        return self.form("sign", SIGNS[kind][self.spelling])

    def piece(self, node: ast.expr) -> Piece:
        match node:
            case ast.Constant(value=number):
                return self.form("number", number), ATOM
            case ast.Name(id=text):
                return name(text, self.spelling), ATOM
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.form("minus", self.inside(operand, PRODUCT)), SIGN
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.form("not", self.inside(operand, ATOM)), NOT
            case ast.BinOp():
                return self.operation(node)
            case ast.Compare(left=left, ops=signs, comparators=rights):
                links = zip(signs, rights, strict=True)
                more = (self.sign(type(sign)) + self.inside(one, SUM) for sign, one in links)
                return self.inside(left, SUM) + "".join(more), COMPARE
            case ast.BoolOp(op=joint, values=parts):
                binds, least = (AND, COMPARE) if isinstance(joint, ast.And) else (OR, AND)
                sides = (self.inside(part, least) for part in parts)
                return self.sign(type(joint)).join(sides), binds
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self.form("cases", *(self.piece(one)[0] for one in (yes, test, no))), SUM
            case ast.Call(func=ast.Name(id=called), args=[ast.GeneratorExp(elt=body, generators=ranges)]):
                return self.over(called, body, ranges)
            case ast.Call(func=ast.Name(id=called), args=arguments):
                return self.call(called, arguments)
            case ast.Lambda(args=ast.arguments(args=names), body=body):
                listed = self.form("comma").join(name(one.arg, self.spelling) for one in names)
                return listed + self.sign("lambda") + self.piece(body)[0], IMPLIES
        raise InvalidInput(f"{ast.unparse(node)!r} cannot be typeset.")

    def inside(self, node: ast.expr, least: int) -> str:
        """The part, in brackets if it binds less tightly than `least`."""
        text, binds = self.piece(node)
        return text if binds >= least else self.brackets(text)

    def brackets(self, text: str) -> str:
        """In brackets, which grow around what is higher than a line."""
        high = r"\frac" in text or r"\begin" in text
        return rf"\left({text}\right)" if high else self.form("brackets", text)

    def operation(self, node: ast.BinOp) -> Piece:
        left, right = node.left, node.right
        match node.op:
            case ast.Add() | ast.Sub():
                second = self.inside(right, PRODUCT)
                second = self.brackets(second) if second.startswith(self.form("minus", "")) else second
                return self.inside(left, SUM) + self.sign(type(node.op)) + second, SUM
            case ast.Div():
                return self.form("fraction", self.piece(left)[0], self.piece(right)[0]), PRODUCT
            case ast.Pow():
                return self.power(left, right)
            case ast.Mult():
                return self.product(left, right), PRODUCT
        raise InvalidInput(f"{ast.unparse(node)!r} cannot be typeset.")

    def power(self, base: ast.expr, exponent: ast.expr) -> Piece:
        return self.form("power", self.inside(base, ATOM), self.piece(exponent)[0]), POWER

    def product(self, left: ast.expr, right: ast.expr) -> str:
        """Factors side by side; a dot where that could be read as a larger number or as a function."""
        written = _Fold(LATEX)
        first, second = written.inside(left, PRODUCT), written.inside(right, POWER)
        misread = second[0].isdigit() or (second.startswith(("(", r"\left(")) and first[-1] != ")")
        sides = self.inside(left, PRODUCT), self.inside(right, POWER)
        return self.sign("dot").join(sides) if misread else self.form("beside", *sides)

    def over(self, called: str, body: ast.expr, ranges: list[ast.comprehension]) -> Piece:
        """A sum, or a statement for all indices."""
        ends = [
            tuple(self.piece(end)[0] for end in (one.target, *one.iter.args))
            for one in ranges
            if isinstance(one.iter, ast.Call)
        ]
        if called == "sum":
            return "".join(self.form("sum", *one) for one in ends) + self.inside(body, PRODUCT), PRODUCT
        at_most = self.sign(ast.LtE)
        indices = self.form("comma").join(at_most.join((low, index, high)) for index, low, high in ends)
        return self.inside(body, OR) + self.form("for") + indices, IMPLIES

    def call(self, called: str, arguments: list[ast.expr]) -> Piece:
        if called == "implies":
            return self.sign("implies").join(self.inside(one, OR) for one in arguments), IMPLIES
        if called == "power":
            return self.power(*arguments)
        if called == "integer":
            return self.inside(arguments[0], SUM) + self.sign("in") + self.form("integers"), COMPARE
        inner = self.form("comma").join(self.piece(one)[0] for one in arguments)
        if called in AROUND:
            return AROUND[called][self.spelling] % inner, ATOM
        head = KNOWN[called][self.spelling] if called in KNOWN else name(called, self.spelling)
        return head + self.brackets(inner), ATOM
