"""The optimistic planner next to SE-TB and ALG_stoch: what is proved, and what is measured.

    python -m benchmarks.optimism useful     the least T at which each bound is below T
    python -m benchmarks.optimism regrets    bounds and mean regrets from T = 10^2 to 10^12
    python -m benchmarks.optimism picture    the same as docs/images/optimism.svg, for K = m = 2

delta = 1/20, Bernoulli feedback. *uniform* is the family of that name; *hard* is Theorem 2's construction,
every mean 1/2 but for one cell (x, m) that is better by eps, at the worst of five eps around sqrt(Km/T).
SE-TB plays, and its bounds hold, only at sqrt(T) = 4Km(2^S - 1): the largest such T up to that of the line.
--write puts the table into docs/optimism.md.
"""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import isqrt

import tallyplan as tp
from benchmarks import ROOT
from benchmarks.se_tb import write
from tallyplan.games.bounds import OPTIMISM, SHARPENED, SHARPENED_HOEFFDING, THEOREM_1, Bound, Setting
from tallyplan.games.game import simulate
from tallyplan.games.registry import find
from tallyplan.games.regret import complete_policy_regret
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit

PAGE = ROOT / "docs" / "optimism.md"
PICTURE = ROOT / "docs" / "images" / "optimism.svg"
DELTA = Fraction(1, 20)
SIZES = [(2, 2), (3, 3), (2, 6), (5, 3)]
MOST_EPOCHS = {(2, 2): 12, (3, 3): 10, (2, 6): 4, (5, 3): 6}  # of SE-TB, so that a game takes seconds
EXPONENTS = (2, 4, 6, 8, 10, 12)
BOUNDS = (OPTIMISM, THEOREM_1, SHARPENED, SHARPENED_HOEFFDING)
SEEDS = range(5)


def least_useful(bound: Bound, actions: int, memory: int) -> int:
    """The least T at which the bound is below T and proved."""

    def useful(at: int) -> bool:
        return bound.says_something(Setting(actions, memory, horizon(at), DELTA))

    def horizon(at: int) -> int:
        return horizon_root(actions, memory, at) ** 2 if bound.horizons.apart else at

    low, high = 0, 1
    while not useful(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if useful(middle) else (middle, high)
    return horizon(high)


def useful() -> Iterator[str]:
    yield "| (K, m) | optimistic planner | SE-TB, Theorem 1 | SE-TB, sharpened | SE-TB sharp, sharpened |"
    yield "|---|---|---|---|---|"
    for size in SIZES:
        least = [f"{least_useful(bound, *size):,}" for bound in BOUNDS]
        yield f"| {size} | {' | '.join(least)} |"


def hard(actions: int, memory: int, eps: Fraction) -> TallyingBandit:
    """Every mean 1/2, but for the last action in a full window."""
    half = Fraction(1, 2)
    plain, better = [half] * memory, [half] * (memory - 1) + [half - eps]
    return TallyingBandit([plain] * (actions - 1) + [better])


def hard_tables(actions: int, memory: int, steps: int) -> list[TallyingBandit]:
    """Five eps around sqrt(Km/T)."""
    root = isqrt(steps // (actions * memory))
    return [hard(actions, memory, Fraction(2**j, max(2 ** (j + 1), 4 * root))) for j in range(1, 6)]


@cache
def mean_regret(learner: str, bandit: TallyingBandit, steps: int) -> Fraction:
    """Over the seeds."""
    player = find(learner).build(bandit, delta=DELTA)
    regrets = [
        complete_policy_regret(bandit, simulate(bandit, player, steps, seed=seed).runs) for seed in SEEDS
    ]
    return sum(regrets, Fraction(0)) / len(regrets)


def played(learner: str, actions: int, memory: int, steps: int) -> str:
    """The mean regret on a uniform table, and on the worst hard one."""
    uniform = mean_regret(learner, tp.make("uniform", actions=actions, memory=memory, seed=0), steps)
    worst = max(mean_regret(learner, one, steps) for one in hard_tables(actions, memory, steps))
    return f"{float(uniform):.3g} / {float(worst):.3g}"


def of_se_tb(learner: str, actions: int, memory: int, steps: int) -> str:
    """One game on the uniform table, at the largest horizon of Algorithm 1 up to T."""
    epochs = Setting(actions, memory, steps, DELTA).sizes["S"]
    if not epochs or epochs > MOST_EPOCHS[actions, memory]:
        return "-"
    bandit = tp.make("uniform", actions=actions, memory=memory, seed=0)
    player = find(learner).build(bandit, delta=DELTA)
    horizon = horizon_root(actions, memory, int(epochs)) ** 2
    return f"{float(complete_policy_regret(bandit, simulate(bandit, player, horizon).runs)):.3g}"


def value(bound: Bound, actions: int, memory: int, steps: int) -> str:
    """The bound at the largest T up to this one for which it is proved; in parentheses if it says nothing."""
    setting = Setting(actions, memory, steps, DELTA)
    below = bound.horizons.nearest(setting)[0]
    if below is None:
        return "-"
    there = Setting(actions, memory, below, DELTA)
    text = f"{float(bound(there)):.3g}"
    return text if bound.says_something(there) else f"({text})"


def regrets() -> Iterator[str]:
    yield (
        "| (K, m) | T | bound of optimism | optimistic planner, uniform / hard | ALG_stoch, uniform / hard | "
        "Theorem 1 | SE-TB | sharpened, C_s/8 | SE-TB sharp |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for size in SIZES:
        for exponent in EXPONENTS:
            steps = 10**exponent
            cells = [
                value(OPTIMISM, *size, steps),
                played("optimistic-planner", *size, steps),
                played("alg-stoch", *size, steps),
                value(THEOREM_1, *size, steps),
                of_se_tb("se-tb", *size, steps),
                value(SHARPENED_HOEFFDING, *size, steps),
                of_se_tb("se-tb-sharp", *size, steps),
            ]
            yield f"| {size} | 10^{exponent} | {' | '.join(cells)} |"


def picture() -> Iterator[str]:
    """K = m = 2: bounds as lines where they say something, regrets as points."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "optimism"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    size, horizons = (2, 2), [10**exponent for exponent in range(2, 13)]
    axes.plot(horizons, horizons, color="0.7", label="T")
    for bound, style in zip(BOUNDS, ("C0-", "C3-", "C1-", "C2-"), strict=True):
        settings = [Setting(*size, steps, DELTA) for steps in horizons]
        if bound.horizons.apart:
            settings = [Setting(*size, horizon_root(*size, S) ** 2, DELTA) for S in range(1, 17)]
        useful = [one for one in settings if bound.says_something(one) and one.horizon <= horizons[-1]]
        axes.plot(
            [one.horizon for one in useful], [float(bound(one)) for one in useful], style, label=bound.name
        )
    for learner, style in (("optimistic-planner", "C0o"), ("alg-stoch", "C4s")):
        worst = [
            max(mean_regret(learner, one, steps) for one in hard_tables(*size, steps)) for steps in horizons
        ]
        axes.plot(horizons, [float(one) for one in worst], style, label=f"{learner}, hard tables")
    axes.set(xscale="log", yscale="log", xlabel="T", ylabel="complete policy regret")
    axes.legend(fontsize="small")
    figure.savefig(PICTURE, metadata={"Date": None})
    yield f"wrote {PICTURE.name}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tables = {"useful": useful, "regrets": regrets, "picture": picture}
    parser.add_argument("table", choices=list(tables))
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    options = parser.parse_args()
    lines = []
    for line in tables[options.table]():
        print(line, flush=True)
        lines.append(line)
    if options.write:
        write(options.table, lines, PAGE)


if __name__ == "__main__":
    main()
