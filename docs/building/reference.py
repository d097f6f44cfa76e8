"""The reference of the public names: which they are, and a page for each group, filled by autodoc."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Sequence
from pathlib import Path

import tallyplan.pictures
from building.pages import GENERATED, write

GROUPS: dict[str, tuple[str, str]] = {
    "instances": (
        "Instances",
        """tallyplan: Bandit TallyingBandit WindowBandit WeightedTallyBandit load make FAMILIES to_networkx
        tallyplan.model.families: Family Parameter all_families find""",
    ),
    "questions": (
        "Questions",
        """tallyplan: optimal_plan optimal_values minimum_mean_cycle optimal_cyclic_policy
        best_single_run_word solve_many minimum_mean_cycle_of load_policy""",
    ),
    "answers": (
        "Answers",
        "tallyplan.answers: Answer Plan MeanCycle CyclicPolicy ValueFunction Policy Choice",
    ),
    "sequences": (
        "Losses of sequences",
        """tallyplan: replay replay_runs mean_of_word
        tallyplan.model.words: read written compress expand least_rotation""",
    ),
    "certificates": ("Certificates", "tallyplan: check\ntallyplan.check: Verdict"),
    "errors": (
        "Errors",
        "tallyplan: TallyplanError InvalidInput InstanceTooLarge OnlyAnInterval InternalError",
    ),
    "games": (
        "Games and learners",
        """tallyplan.games.game: simulate Game Observed Played Learner
        tallyplan.games.feedback: Deterministic Bernoulli Beta feedback_named
        tallyplan.games.regret: complete_policy_regret regrets Regrets
        tallyplan.games.trials: play_repeatedly Setup Summary
        tallyplan.games.bounds: bounds_of Bound
        tallyplan.games.registry: learner
        tallyplan.games.playing: Follow
        tallyplan.games.learners.stepwise: Stepwise
        tallyplan.games.learners.se_tb: SETB
        tallyplan.games.policy_set: PolicySet PolicyAnswer
        tallyplan.games.environment: TallyingBanditEnv""",
    ),
    "studies": (
        "Studies",
        """tallyplan.studies.spec: read_spec study_of Study
        tallyplan.studies.runners: run local_workers cluster
        tallyplan.studies.store: Store
        tallyplan.studies.tables: table write_table to_pandas to_polars""",
    ),
    "claims": (
        "Claims and formulas",
        """proofs_check: verify claims Claim Result Outcome Verdict Evidence Step Tight Repair Witness
        proofs_check.claim: claim
        proofs_check.story: story
        proofs_check.latex: appendix
        tallyplan.formula: Formula
        tallyplan.typesetting: latex""",
    ),
    "constants": (
        "Best constants and minimax regret",
        """proofs_check.worst_case: worst_case WorstCase question where Where constant Constant CLASSES
        PolicyClass Optimal Cyclic SingleRun BestConstant AlgDet Greedy Listed worst_greedy GreedyGap
        worst_case_by_mixtures Cover
        proofs_check.bayes: minimax_regret MinimaxRegret""",
    ),
    "pictures": ("Pictures", f"tallyplan.pictures: {' '.join(tallyplan.pictures.__all__)}"),
}


def write_pages(folder: Path = GENERATED) -> None:
    """A page for each group, and one that lists the groups with all their names."""
    rows = []
    for file, (title, names) in GROUPS.items():
        qualified = public_names(names)
        write(f"reference/{file}.md", page(title, qualified), folder)
        links = " ".join(f"{{py:obj}}`~{name}`" for name in qualified)
        rows.append(f"| [{title}]({file}.md) | {links} |")
    listed = "\n".join(["| | |", "|---|---|", *rows])
    pages = "\n".join(GROUPS)
    told = "Every public name, from its docstring. Examples are run by `make test`."
    hidden = f"```{{toctree}}\n:hidden:\n\n{pages}\n```"
    write("reference/index.md", f"# Reference\n\n{told}\n\n{listed}\n\n{hidden}\n", folder)


def page(title: str, names: Sequence[str]) -> str:
    """The page of a group."""
    parts = [f"# {title}"]
    for name in names:
        found = pydoc.locate(name)
        kind = "class" if inspect.isclass(found) else "function" if inspect.isroutine(found) else "data"
        members = "\n   :members:" if kind == "class" else ""
        parts.append(f"```{{eval-rst}}\n.. auto{kind}:: {name}{members}\n```")
    return "\n\n".join(parts) + "\n"


def public_names(text: str) -> list[str]:
    """The qualified names of a group."""
    return [
        f"{module}.{name}"
        for module, _, names in (line.strip().partition(":") for line in _joined(text).splitlines())
        for name in names.split()
    ]


def _joined(text: str) -> str:
    """A line without a module goes on with the one before."""
    joined = ""
    for line in text.splitlines():
        joined += f"\n{line.strip()}" if ":" in line else f" {line.strip()}"
    return joined.strip()


def every_public_name() -> list[str]:
    """All names of all groups, in their order."""
    return [name for _, names in GROUPS.values() for name in public_names(names)]
