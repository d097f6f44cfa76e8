"""A fault, planted in a function: a line of its source is another, until the test ends."""

import inspect
import operator
import textwrap
from importlib import import_module


def plant(monkeypatch, path, line, instead):
    """In `path`, a module of proofs_check and a function in it such as `theory.evaluate:_count`."""
    place, _, name = path.partition(":")
    module = import_module(f"proofs_check.{place}")
    function = inspect.unwrap(operator.attrgetter(name)(module))
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(line) == 1, f"{path} has no line {line!r}, or several"
    made = dict(vars(module))
    exec(source.replace(line, instead), made)
    monkeypatch.setattr(function, "__code__", inspect.unwrap(made[function.__name__]).__code__)
