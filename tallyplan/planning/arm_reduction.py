"""Many arms, few of which matter: the questions on the state graph of those.

A thousand arms with a memory of three have a graph of 10^9 edges; without the arms that are never needed
(`without_graph.bounds.fewer_arms`) it often has a few thousand. Small graphs are swept as they are, so that
words and proofs are about all the arms that there are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from fractions import Fraction
from functools import partial

from tallyplan.answers import CyclicPolicy, MeanCycle, Plan
from tallyplan.certificates import Proof
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning.on_graph.closed_walks import cyclic_policy_on_graph
from tallyplan.planning.on_graph.cycles import cycle_on_graph
from tallyplan.planning.on_graph.plans import plan_on_graph
from tallyplan.planning.policies import HorizonPolicy
from tallyplan.planning.without_graph.bounds.fewer_arms import (
    FewerArms,
    without_expensive_arms,
    without_useless_arms,
)

EDGES_WORTH_SAVING = 2**16  # a state graph of fewer edges is quick enough as it is
LEAST_SAVING = 2  # by which factor there must be fewer


def few_arms(
    bandit: TallyingBandit, played: Collection[int] = (), period: int | None = None
) -> FewerArms | None:
    """What is left of the arms, if the state graph is large and becomes much smaller without the others."""
    if bandit.actions**bandit.memory <= EDGES_WORTH_SAVING:
        return None
    return _if_much_smaller(bandit, without_useless_arms(bandit, played, period))


def _if_much_smaller(bandit: TallyingBandit, fewer: FewerArms) -> FewerArms | None:
    before, after = bandit.actions**bandit.memory, fewer.bandit.actions**bandit.memory
    return fewer if LEAST_SAVING * after <= before else None


def cycle_of_all(bandit: TallyingBandit, fewer: FewerArms, answer: MeanCycle) -> MeanCycle:
    """The answer about the arms that are left as one about all."""
    ask = (lambda: cycle_on_graph(bandit).policy) if answer.ask else None
    proof = Proof(fewer.dual(answer.proof.dual))
    return replace(answer, bandit=bandit, word=fewer.original(answer.word), proof=proof, ask=ask)


def plan_with_few_arms(bandit: TallyingBandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan, by sweeps over the state graph of the arms that matter."""
    fewer = few_arms(bandit, played=start)
    if fewer is None:
        return plan_on_graph(bandit, horizon, start, progress)
    plan = plan_on_graph(fewer.bandit, horizon, fewer.renamed(start), progress)
    runs = tuple((fewer.original(word), repeats) for word, repeats in plan.runs)
    ask, proof = partial(horizon_policy, bandit, horizon), Proof(fewer.dual(plan.proof.dual))
    return replace(plan, bandit=bandit, start=start, runs=runs, proof=proof, ask=ask)


def word_with_few_arms(
    bandit: TallyingBandit, period: int, deadline: float | None, progress: Progress
) -> CyclicPolicy:
    """The best word of a period, on the state graph of the arms that matter."""
    fewer = few_arms(bandit, period=period)
    if fewer is None:
        return cyclic_policy_on_graph(bandit, period, deadline, progress)
    found = cyclic_policy_on_graph(fewer.bandit, period, deadline, progress)
    proof = Proof(fewer.dual(found.proof.dual))
    return replace(found, bandit=bandit, word=fewer.original(found.word), proof=proof)


def horizon_policy(bandit: Bandit, horizon: int, progress: Progress = silent) -> HorizonPolicy:
    """What to play after any history, with any number of steps to go."""
    if isinstance(bandit, TallyingBandit) and bandit.actions**bandit.memory > EDGES_WORTH_SAVING:
        expensive = without_expensive_arms(bandit)
        if _if_much_smaller(bandit, expensive):
            return PolicyOfFew(bandit, horizon, progress, expensive)
    return HorizonPolicy(bandit, horizon, progress)


class PolicyOfFew(HorizonPolicy):
    """The same policy from the values of the arms that are not expensive, and one that is.

    No expensive arm is needed after any history; those in the history affect only their own tallies, and
    so one may stand for all.
    """

    def __init__(
        self, bandit: TallyingBandit, horizon: int, progress: Progress, expensive: FewerArms
    ) -> None:
        super().__init__(bandit, horizon, progress)
        out = next(x for x in range(bandit.actions) if x not in expensive.kept)
        few = TallyingBandit([*expensive.bandit.losses, bandit.losses[out]])
        self._of_few = HorizonPolicy(few, horizon, progress)
        self._names = {x: i for i, x in enumerate(expensive.kept)}

    def _value(self, state: Word, to_go: int | None) -> Fraction | None:
        return self._of_few._value(tuple(self._names.get(x, len(self._names)) for x in state), to_go)
