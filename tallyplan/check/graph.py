"""An explicit graph that a certificate is about: its edges are written down."""

from collections.abc import Iterator
from dataclasses import dataclass

from .instance import Edges, in_units
from .reading import Reader, array, choices, fields, integer
from .verdict import Meter


@dataclass(frozen=True)
class Graph:
    """Edge e leads from node `tails[e]` to node `heads[e]` and costs `costs[e]`/D; nodes are 0 .. n-1."""

    n: int
    D: int
    tails: list[int]
    heads: list[int]
    costs: list[int]
    kind = "graph"

    def values(self) -> Iterator[int]:
        """Every cost."""
        return iter(self.costs)

    def bits(self) -> int:
        """No cost has more."""
        return max(map(int.bit_length, [self.D, *self.costs]))

    def states(self, meter: Meter) -> int:
        """The number of nodes."""
        return self.n

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """All of them at once."""
        yield self.tails, self.heads, self.costs


def read(value: object, number: Reader, meter: Meter, where: str = "graph") -> Graph:
    """The graph of a certificate, or one to compare it with."""
    found = fields(value, where, {"nodes", "tails", "heads", "weights"}, {"names"})
    n = integer(found["nodes"], f"number of nodes of the {where}", 1)
    tails = choices(found["tails"], f"tails of the {where}", n)
    heads = choices(array(found["heads"], f"heads of the {where}", len(tails)), f"heads of the {where}", n)
    listed = array(found["weights"], f"list of weights of the {where}", len(tails))
    costs, D = in_units([number(weight, f"weight in the {where}") for weight in listed], meter)
    return Graph(n, D, tails, heads, costs)
