"""Named instances: the paper's constructions, the settings it generalises and those of other papers next to
it, and seeded random tables.

Every family is a function with keyword parameters that returns an instance; `FAMILIES` lists them, and `make`
builds one by name from Python values or from text (`tallyplan new FAMILY key=value ...`). The docstring of a
family is its only description: the summary, the source and the parameters in `FAMILIES` are read from it.

"Increasing", "decreasing" and "convex" are meant weakly: equal neighbours are allowed. Random families draw
integers n in 0 .. d and use the losses n/d, d the `denominator`; the same parameters give the same instance
on every platform, and the name of an instance holds all the parameters that rebuild it.
"""

from tallyplan.model.families import paper, settings, automata, random_tables  # isort: skip (the order of the list)
from tallyplan.model.families.registry import FAMILIES, Family, all_families, find, make
from tallyplan.model.plugins import Parameter

__all__ = [
    "FAMILIES",
    "Family",
    "Parameter",
    "all_families",
    "automata",
    "find",
    "make",
    "paper",
    "random_tables",
    "settings",
]
