"""The questions that are contests between solvers on instances. Each function takes the ledger and `full`."""

from contest import Entrant, compete, records, say, summary
from instances import FAMILIES, LARGE, MIDDLE, SMALL, Instance, instances
from solvers import MEAN_CYCLE_PEERS, SOLVERS

HORIZON = 1000
SHORT, LONG = 10**4, 10**15
PERIODS = (1009, 4001)
CYCLIC_SIZES = ((2, 14), (2, 17), (3, 9), (3, 11), (5, 7))
CYCLIC_LIMIT, QUICK_CYCLIC_LIMIT = 60.0, 15.0
QUICK_FAMILIES = ("uniform", "congested", "single-peaked")


def ours(question, argument=None, **settings):
    words = question if argument is None else f"{question} {argument}"
    text = None if argument is None else str(argument)
    settings = {"memory_limit": None} | settings
    return Entrant("tallyplan", words, argument=text, arguments=(question,), **settings)


PEERS: set[str] = set()  # if not empty: only these take part
BUDGET = 30.0  # seconds for all runs of a peer on one instance


def takes_part(entrant):
    """Whether an entrant is wanted; peers get at most the budget."""
    if entrant.name != "tallyplan":
        entrant.budget = min(entrant.budget, BUDGET)
    return entrant.name == "tallyplan" or not PEERS or entrant.name in PEERS


def run(ledger, question, contests, **how):
    """Run every contest (instance, maker of its entrants) that the ledger does not have in full."""
    contests = list(contests)
    for number, (instance, make_entrants) in enumerate(contests, start=1):
        entrants = [entrant for entrant in make_entrants() if takes_part(entrant)]
        if all(_measured(ledger, question, instance, entrant) for entrant in entrants):
            continue
        compete(instance, entrants, **how)
        for record in records(question, instance, entrants):
            ledger.add(record)
        say(f"{question} {number}/{len(contests)} {instance.label}: {summary(entrants)}")


def _measured(ledger, question, instance, entrant):
    """Ours must have answered or run out of time; a peer that was skipped must still be unavailable."""
    key = instance.key() | {"solver": entrant.name, "argument": entrant.argument}
    record = ledger.get(question=question, **key)
    if record is None:
        return False
    if record["status"].startswith("skipped"):
        return SOLVERS[entrant.name].skipped() is not None
    return entrant.name != "tallyplan" or record["status"] in ("ok", "time limit")


def mean_cycle(ledger, full):
    """LEMON and Boost everywhere, rustworkx too where its graph is quickly built; everybody on small ones."""

    def compiled():
        return [ours("mmc"), Entrant("lemon-howard"), Entrant("boost-howard")]

    def fast():
        return [*compiled(), Entrant("rustworkx")]

    def everybody():
        return [ours("mmc"), *(Entrant(name, limit=20, budget=5) for name in MEAN_CYCLE_PEERS)]

    seeds = (1, 2, 3) if full else (1,)
    contests = [(instance, everybody) for instance in instances(SMALL if full else SMALL[1:2], seeds=(1,))]
    contests += [(i, fast) for i in instances(MIDDLE, FAMILIES if full else QUICK_FAMILIES, seeds)]
    large = instances(LARGE if full else ((2, 20), (5, 9)), FAMILIES if full else QUICK_FAMILIES, seeds)
    contests += [(i, fast if i.seed == 1 else compiled) for i in large]
    run(ledger, "mmc", contests)


def horizon(ledger, full):
    """T-step values; a run of numpy takes the same time whatever the losses, so few are enough."""

    def against_numpy():
        return [ours("values", HORIZON), _horizon_peer("numpy")]

    def against_all():
        return [*against_numpy(), _horizon_peer("quantecon")]

    first = [(Instance("uniform", *size, 1), against_all) for size in (LARGE if full else ((5, 9),))]
    rest = instances(LARGE if full else ((2, 20),), seeds=(1, 2, 3) if full else (1,))
    rest = [i for i in rest if (i.family, i.seed) != ("uniform", 1)] if full else rest[1:4:2]
    run(ledger, "horizon", first + [(i, against_numpy) for i in rest])


def _horizon_peer(name):
    return Entrant(name, str(HORIZON), argument=str(HORIZON), limit=300, budget=10)


def memory(ledger, full):
    """Peaks of single solves, nothing else in the process."""

    def entrants():
        return [ours("mmc", repeats=1), Entrant("lemon-howard", repeats=1, limit=120)]

    sizes = (*MIDDLE, *LARGE) if full else ((2, 20), (5, 9))
    families = FAMILIES if full else ("uniform", "congested")
    contests = [(instance, entrants) for instance in instances(sizes, families, seeds=(1,))]
    run(ledger, "memory", contests, check=False)


def long_horizon(ledger, full):
    """OPT_T for a T that no sweep count reaches, next to a T of 10^4."""

    def entrants():
        return [ours("horizon", T, limit=300, budget=20) for T in (SHORT, LONG)]

    sizes = (*MIDDLE, *LARGE) if full else ((2, 16), (5, 8))
    families = FAMILIES if full else QUICK_FAMILIES
    run(
        ledger,
        "long-horizon",
        [(i, entrants) for i in instances(sizes, families, (1, 2, 3) if full else (1,))],
    )


def cyclic(ledger, full):
    """Closed walks of length exactly L, and what the textbook program would take for them."""
    for period in PERIODS if full else PERIODS[:1]:

        def entrants(period=period):
            textbook = Entrant("textbook", str(period), argument=str(period), arguments=("1",), repeats=1)
            limit = CYCLIC_LIMIT if full else QUICK_CYCLIC_LIMIT
            return [ours("cyclic", period, limit=limit, repeats=1), textbook]

        sizes = CYCLIC_SIZES if full else ((2, 14), (3, 9), (5, 7))
        families = FAMILIES if full else QUICK_FAMILIES
        seeds = (1, 2, 3) if full else (1,)
        small = instances(((2, 6), (3, 4)), families, (1,))  # here the textbook program finishes
        contests = [(i, entrants) for i in [*small, *instances(sizes, families, seeds)]]
        run(ledger, "cyclic", contests)


def growth(ledger, full):
    """K = 2 and more and more memory, until time or memory runs out; one process at a time."""
    given_up = set()
    for memory_length in range(11, 28 if full else 19):
        instance = Instance("uniform", 2, memory_length, 1)
        names = [name for name in MEAN_CYCLE_PEERS if name not in given_up]

        def entrants(names=names):
            limit = 20 if full else 4
            peers = [Entrant(n, limit=limit, budget=limit / 4, repeats=3) for n in names]
            return [ours("mmc", limit=300, repeats=3), *peers]

        run(ledger, "growth", [(instance, entrants)], together=False)
        given_up |= {name for name in names if not _finished(ledger, instance, name)}


def _finished(ledger, instance, name):
    record = ledger.get(question="growth", **instance.key(), solver=name, argument=None)
    return record is not None and record["status"] == "ok"
