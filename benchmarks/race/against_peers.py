"""The questions on which solvers compete, each on its instances; a question is a function of the `Race`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.race.instances import (
    BELOW_1000,
    BELOW_10000,
    FAMILIES,
    LARGE,
    MIDDLE,
    SMALL,
    Instance,
    instances,
)
from benchmarks.race.participants import MEAN_CYCLE_PEERS, SOLVERS
from benchmarks.race.records import Records
from benchmarks.race.turns import Entrant, compete, measured, say, summary

HORIZON = 1000
SHORT_HORIZON, LONG_HORIZON = 10**4, 10**15
PERIODS = (1009, 4001)
HARDEST_CYCLIC = (2, 17)  # the size with a target
CYCLIC_SIZES = ((2, 14), HARDEST_CYCLIC, (3, 9), (3, 11), (5, 7))
TEXTBOOK_SIZES = ((2, 6), (3, 4))  # here the textbook program for closed walks finishes
QUICK_FAMILIES = ("uniform", "congested", "single-peaked")
FEW_FAMILIES = QUICK_FAMILIES[:2]  # where little depends on the losses

Makers = Iterable[tuple[Instance, Callable[[], list[Entrant]]]]


@dataclass(frozen=True)
class Race:
    """Where results go, and who takes part on how many instances."""

    records: Records
    full: bool
    peers: frozenset[str] = frozenset()  # if not empty: only these take part
    budget: float = 30.0  # seconds for all runs of a peer on one instance

    @property
    def families(self) -> tuple[str, ...]:
        return FAMILIES if self.full else QUICK_FAMILIES

    @property
    def seeds(self) -> tuple[int, ...]:
        return (1, 2, 3) if self.full else (1,)

    def run(self, question: str, contests: Makers, **how: bool) -> None:
        """Run every contest (instance, maker of its entrants) of which a record is missing."""
        contests = list(contests)
        for number, (instance, make_entrants) in enumerate(contests, start=1):
            entrants = [entrant for entrant in make_entrants() if self._takes_part(entrant)]
            if all(self._has(question, instance, entrant) for entrant in entrants):
                continue
            compete(instance, entrants, **how)
            for record in measured(question, instance, entrants):
                self.records.add(record)
            say(f"{question} {number}/{len(contests)} {instance.label}: {summary(entrants)}")

    def _takes_part(self, entrant: Entrant) -> bool:
        """Whether an entrant is wanted; peers get at most the budget."""
        if entrant.name == "tallyplan":
            return True
        entrant.budget = min(entrant.budget, self.budget)
        return not self.peers or entrant.name in self.peers

    def _has(self, question: str, instance: Instance, entrant: Entrant) -> bool:
        """Ours must have answered or run out of time; a peer that was skipped must still be unavailable."""
        key = instance.key() | {"solver": entrant.name, "argument": entrant.argument}
        record = self.records.get(question=question, **key)
        if record is None:
            return False
        if record["status"].startswith("skipped"):
            return SOLVERS[entrant.name].skipped() is not None
        return entrant.name != "tallyplan" or record["status"] in ("ok", "time limit")


def ours(question: str, argument: int | None = None, **settings: Any) -> Entrant:
    words = question if argument is None else f"{question} {argument}"
    text = None if argument is None else str(argument)
    settings = {"memory_limit": None} | settings
    return Entrant("tallyplan", words, argument=text, arguments=(question,), **settings)


def mean_cycle(race: Race) -> None:
    """LEMON everywhere; Boost and rustworkx up to middle sizes, one seed; everybody on small ones."""

    def against_lemon() -> list[Entrant]:
        return [ours("mmc"), Entrant("lemon-howard")]

    def fast() -> list[Entrant]:
        return [*against_lemon(), Entrant("boost-howard"), Entrant("rustworkx")]

    def everybody() -> list[Entrant]:
        return [ours("mmc"), *(Entrant(name, limit=20, budget=5) for name in MEAN_CYCLE_PEERS)]

    small = instances(SMALL if race.full else SMALL[1:2], seeds=(1,))
    rest = instances((*BELOW_1000, *BELOW_10000, *MIDDLE), race.families, race.seeds)
    large = instances(LARGE if race.full else ((2, 20), (5, 9)), race.families, race.seeds[:2])
    contests = [(i, everybody) for i in small] + [(i, fast if i.seed == 1 else against_lemon) for i in rest]
    race.run("mmc", contests + [(i, against_lemon) for i in large])


def horizon(race: Race) -> None:
    """T-step values; a run of numpy takes the same time whatever the losses, so few are enough."""

    def peer(name: str) -> Entrant:
        return Entrant(name, str(HORIZON), argument=str(HORIZON), limit=300, budget=10)

    def against_numpy() -> list[Entrant]:
        return [ours("values", HORIZON), peer("numpy")]

    def against_all() -> list[Entrant]:
        return [*against_numpy(), peer("quantecon")]

    sizes = LARGE if race.full else ((2, 20), (5, 9))
    chosen = instances(sizes, FEW_FAMILIES, seeds=(1,))
    race.run("horizon", [(i, against_all if i.family == "uniform" else against_numpy) for i in chosen])


def memory(race: Race) -> None:
    """Peaks of single solves, nothing else in the process."""

    def entrants() -> list[Entrant]:
        return [ours("mmc", repeats=1), Entrant("lemon-howard", repeats=1, limit=120)]

    chosen = instances(LARGE if race.full else ((2, 20), (5, 9)), FEW_FAMILIES, seeds=(1,))
    race.run("memory", [(i, entrants) for i in chosen], check=False)


def long_horizon(race: Race) -> None:
    """OPT_T for a T that no sweep count reaches, next to a T of 10^4."""

    def entrants() -> list[Entrant]:
        return [ours("horizon", T, limit=300, budget=20) for T in (SHORT_HORIZON, LONG_HORIZON)]

    middle = instances(MIDDLE if race.full else ((2, 16), (5, 8)), FEW_FAMILIES, seeds=(1,))
    large = instances(LARGE if race.full else (), FEW_FAMILIES, seeds=(1,))
    race.run("long-horizon", [(i, entrants) for i in middle])
    race.run("long-horizon", [(i, entrants) for i in large], check=False)  # that would take minutes each


def cyclic(race: Race) -> None:
    """Closed walks of length exactly L, and what the textbook program would take for them."""
    sizes = CYCLIC_SIZES if race.full else ((2, 14), (3, 9), (5, 7))
    chosen = instances((*TEXTBOOK_SIZES, *sizes), race.families, seeds=(1,))
    chosen += instances([size for size in sizes if size == HARDEST_CYCLIC], race.families, race.seeds[1:])
    for period in PERIODS if race.full else PERIODS[:1]:

        def entrants(period: int = period) -> list[Entrant]:
            textbook = Entrant("textbook", str(period), argument=str(period), arguments=("1",), repeats=1)
            return [ours("cyclic", period, limit=60 if race.full else 15, repeats=1), textbook]

        race.run("cyclic", [(i, entrants) for i in chosen])


def growth(race: Race) -> None:
    """K = 2 and more and more memory, until time or memory runs out; one process at a time."""
    given_up: set[str] = set()
    limit = 20 if race.full else 4
    for memory_length in range(11, 28 if race.full else 19):
        instance = Instance("uniform", 2, memory_length, 1)
        names = [name for name in MEAN_CYCLE_PEERS if name not in given_up]

        def entrants(names: list[str] = names) -> list[Entrant]:
            peers = [Entrant(n, limit=limit, budget=limit / 4, repeats=3) for n in names]
            return [ours("mmc", limit=300, repeats=3), *peers]

        race.run("growth", [(instance, entrants)], together=False)
        key = instance.key() | {"question": "growth", "argument": None}
        given_up |= {n for n in names if (race.records.get(**key, solver=n) or {}).get("status") != "ok"}
