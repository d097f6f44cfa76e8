"""What not knowing the memory costs: `python -m benchmarks.unknown_memory`.

Mean regrets of five games (seeds 0 to 4, Bernoulli feedback, delta = 1/20) of the optimistic planner, who
knows the memory, of `optimistic-unknown-memory`, who knows M, and of the Discussion's scheme
(`se-tb-unknown-memory`, sharp, with the same M). As a table in Markdown.
"""

from __future__ import annotations

from fractions import Fraction

from tallyplan import TallyingBandit, make, optimal_plan
from tallyplan.games.game import Learner, simulate
from tallyplan.games.learners.optimistic_planner import OptimisticPlanner
from tallyplan.games.learners.optimistic_unknown_memory import OptimisticUnknownMemory
from tallyplan.games.learners.unknown_memory import SETBUnknownMemory
from tallyplan.model.instance import Bandit

SEEDS = range(5)
ROOTS = (72, 144, 288)  # sqrt(T)
TABLES: dict[str, tuple[Bandit, int]] = {
    "(1 1 0 1; 1 1 0 1)": (TallyingBandit([[1, 1, 0, 1]] * 2), 4),
    "counterexample 3": (make("counterexample-3"), 4),
    "uniform, K = 3, m = 2": (make("uniform", actions=3, memory=2, seed=4), 3),
    "memory 1, (1/2; 1/4)": (TallyingBandit([["1/2"], ["1/4"]]), 4),
}


def regret(bandit: Bandit, learner: Learner, horizon: int) -> float:
    """The mean over the seeds."""
    best = optimal_plan(bandit, horizon).value
    regrets = [simulate(bandit, learner, horizon, seed=seed).loss - best for seed in SEEDS]
    return float(sum(regrets, Fraction(0)) / len(regrets))


def main() -> None:
    """Print the table."""
    print("| table | m | M | T | memory known | optimistic, M known | the Discussion's scheme |")
    print("|---|---|---|---|---|---|---|")
    for name, (bandit, most) in TABLES.items():
        for root in ROOTS:
            players = (
                OptimisticPlanner(),
                OptimisticUnknownMemory(most_memory=most),
                SETBUnknownMemory(most_memory=most, sharp=True),
            )
            figures = " | ".join(f"{regret(bandit, one, root**2):.0f}" for one in players)
            print(f"| {name} | {bandit.memory} | {most} | {root**2} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
