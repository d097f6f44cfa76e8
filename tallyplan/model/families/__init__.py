"""Named instances: the paper's constructions, the settings it generalises and those of other papers next to
it, and seeded random tables.

Every family is a function with keyword parameters that returns an instance; `FAMILIES` lists them, and `make`
builds one by name from Python values or from text (`tallyplan new FAMILY key=value ...`). The docstring of a
family is its only description: the summary, the source and the parameters in `FAMILIES` are read from it.

"Increasing", "decreasing" and "convex" are meant weakly: equal neighbours are allowed. Random families draw
integers n in 0 .. d and use the losses n/d, d the `denominator`; the same parameters give the same instance
on every platform, and the name of an instance holds all the parameters that rebuild it.
"""

# The list of families is in the order of these modules.
from tallyplan.model.families import paper, settings, automata, random_tables  # noqa: F401  # isort: skip
from tallyplan.model.families.registry import FAMILIES as FAMILIES
from tallyplan.model.families.registry import Family as Family
from tallyplan.model.families.registry import all_families as all_families
from tallyplan.model.families.registry import find as find
from tallyplan.model.families.registry import make as make
from tallyplan.model.plugins import Parameter as Parameter
