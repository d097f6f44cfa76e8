"""Formulas are written and changed on their trees; Python's own parser and writer are what they meet."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula

OPERATORS = st.sampled_from(["+", "-", "*", "/", "**", "and", "or", "<", "<=", ">", ">=", "==", "!="])


def larger(part):
    return st.one_of(
        st.builds("({} {} {})".format, part, OPERATORS, part),
        st.builds(
            "({} {} {} {} {})".format, part, OPERATORS, part, OPERATORS, part
        ),  # comparisons may be chains
        st.builds("({} if {} else {})".format, part, part, part),
        st.builds("({}{})".format, st.sampled_from(["-", "not "]), part),
        st.builds("f({}, {})".format, part, part) | st.just("f()"),
    )


TEXTS = st.recursive(st.sampled_from("abc") | st.integers(0, 20).map(str), larger, max_leaves=12)
TREES = TEXTS.map(lambda text: ast.parse(text, mode="eval").body)


def python_writes(tree):
    return ast.unparse(tree).replace(" ** ", "**")


@given(TREES)
def test_a_formula_is_written_as_python_writes_it_but_for_needless_parentheses(tree):
    text = python_writes(tree)
    short, parentheses = Formula(text).canonical, str.maketrans("", "", "()")
    assert Formula(short).canonical == short
    assert (short.translate(parentheses), len(short) <= len(text)) == (text.translate(parentheses), True)
    assert ast.dump(Formula(text).tree) == ast.dump(ast.parse(text, mode="eval").body)


SUMS = st.recursive(
    st.sampled_from("abc123"), lambda part: st.builds("({}{}{})".format, part, st.sampled_from("+-*"), part)
)


@given(SUMS, st.tuples(*[st.integers(-9, 9)] * 3))
def test_without_needless_parentheses_the_value_is_the_same(text, values):
    given = dict(zip("abc", values, strict=True))
    assert eval(Formula(text).canonical, given) == eval(text, given)


@given(TREES, TREES)
def test_what_replaces_a_name_stands_where_the_name_stood(whole, part):
    one = Formula(python_writes(whole))
    if "a" not in one.names:
        with pytest.raises(InvalidInput, match="does not occur"):
            one.where(a=python_writes(part))
        return

    class Replaced(ast.NodeTransformer):
        def visit_Name(self, node):
            return part if node.id == "a" else node

    changed = one.where(a=python_writes(part))
    expected = python_writes(Replaced().visit(ast.parse(one.text, mode="eval").body))
    assert changed.text == Formula(expected).canonical  # which may have fewer parentheses
    assert len(changed.text) <= len(expected)


@given(TREES)
def test_names_come_in_the_order_of_the_text(tree):
    one = Formula(python_writes(tree))
    nodes = [node for node in ast.walk(ast.parse(one.text, mode="eval")) if isinstance(node, ast.Name)]
    in_text = sorted((node for node in nodes if node.id != "f"), key=lambda node: node.col_offset)
    assert one.names == tuple(dict.fromkeys(node.id for node in in_text))


def test_the_part_without_a_value_is_named_with_its_formula():
    with pytest.raises(InvalidInput, match=r"'c' in the formula 'a \+ c' has no value here"):
        Formula("a + c")(a=1)
