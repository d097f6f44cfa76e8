"""The reference of the public names: which they are, and a page for each group, filled by autodoc."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Sequence
from pathlib import Path

import tallyplan.pictures
from building.docstrings import converted
from building.pages import GENERATED, write

GROUPS: dict[str, tuple[str, str]] = {
    "instances": (
        "Instances",
        """tallyplan: Bandit TallyingBandit WindowBandit WeightedTallyBandit ArmBandit Arm load make
        FAMILIES to_networkx
        tallyplan.model.families: Family Parameter""",
    ),
    "questions": (
        "Questions",
        """tallyplan: optimal_plan minimum_mean_cycle optimal_cyclic_policy
        best_single_run_word solve_many minimum_mean_cycle_of minimum_ratio_cycle_of critical_graph
        negative_cycle_of load_policy""",
    ),
    "answers": (
        "Answers",
        "tallyplan.answers: Answer Plan MeanCycle CyclicPolicy Policy Choice",
    ),
    "sequences": (
        "Losses of sequences",
        """tallyplan: replay replay_runs mean_of_word
        tallyplan.model.words: read written compress expand least_rotation""",
    ),
    "certificates": ("Certificates", "tallyplan: check\ntallyplan.check: Verdict"),
    "errors": (
        "Errors",
        "tallyplan: TallyplanError InvalidInput InstanceTooLarge OnlyAnInterval NoPlay InternalError",
    ),
    "games": (
        "Games and learners",
        """tallyplan.games.game: simulate Game Observed Played Learner
        tallyplan.games.feedback: Deterministic Bernoulli Beta feedback_named
        tallyplan.games.regret: complete_policy_regret regrets Regrets
        tallyplan.games.trials: play_repeatedly Setup Summary
        tallyplan.games.bounds: bounds_of Bound
        tallyplan.games.registry: learner
        tallyplan.games.learners.stepwise: Stepwise Follow
        tallyplan.games.learners.se_tb: SETB
        tallyplan.games.policy_set: PolicySet PolicyAnswer
        tallyplan.games.environment: TallyingBanditEnv""",
    ),
    "studies": (
        "Studies",
        """tallyplan.studies.spec: read_spec study_of Study
        tallyplan.studies.runners: resumable run local_workers cluster
        tallyplan.studies.store: Store
        tallyplan.studies.tables: table write_table to_pandas""",
    ),
    "claims": (
        "Claims and formulas",
        """proofs_check: verify claims Claim Result Outcome Verdict Evidence Step Better Witness
        proofs_check.claim: claim
        proofs_check.story: story
        proofs_check.latex: appendix
        tallyplan.formula: Formula
        proofs_check.typesetting: latex""",
    ),
    "constants": (
        "Best constants and minimax regret",
        """proofs_check.worst_case: worst_case WorstCase question constant Constant CLASSES
        PolicyClass Optimal Cyclic SingleRun BestConstant AlgDet Listed
        proofs_check.bayes: minimax_regret MinimaxRegret""",
    ),
    "pictures": ("Pictures", f"tallyplan.pictures: {' '.join(tallyplan.pictures.__all__)}"),
}

DATA = {
    "tallyplan.FAMILIES": """The families of instances by name: what `tallyplan families` lists.

>>> import tallyplan as tp
>>> tp.FAMILIES["counterexample-3"].build().losses[0]
(Fraction(0, 1), Fraction(1, 1))

See Also
--------
tallyplan.make : an instance of a family.
tallyplan.model.families.Family : what is known of each.
""",
    "proofs_check.worst_case.CLASSES": """The policy classes by name, for `tallyplan constants gap:ONE:OTHER`.

>>> from proofs_check.worst_case import CLASSES
>>> sorted(CLASSES)[:3]
['alg-det', 'constant', 'cyclic']

See Also
--------
proofs_check.worst_case.question : the gap between two of them.
proofs_check.worst_case.PolicyClass : what a class has to offer.
""",
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
        parts.append(f"```{{eval-rst}}\n{_directive(name)}\n```")
    return "\n\n".join(parts) + "\n"


def _directive(name: str) -> str:
    """What autodoc is asked for; of data, which have no docstring, what is said of them here."""
    if name in DATA:
        told = "\n".join(f"   {line}".rstrip() for line in converted(DATA[name].splitlines()))
        return f".. py:data:: {name}\n\n{told}"
    kind = "class" if inspect.isclass(found(name)) else "function"
    return f".. auto{kind}:: {name}" + ("\n   :members:" if kind == "class" else "")


def found(name: str) -> object:
    """The object of a public name."""
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


def told(name: str) -> str:
    """The docstring of a public name."""
    return DATA.get(name) or inspect.getdoc(found(name)) or ""


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
