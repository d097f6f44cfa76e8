"""Column generation for the minimax game: learners are found one by one until neither player can do better.

- The *restricted game* (`restricted`) has all orbits but only the learners found so far: an upper bound,
  with a mixture of learners that guarantees it.
- The learner's *best response* (`responses`) to a prior is a lower bound, and a new learner.

The prior that the restricted game proposes is mixed with a good older one before it is asked about: that
leaves no table without weight, so that the response is sensible everywhere, and it keeps the proposals from
jumping about. When floats find nothing new, the restricted game is solved in rationals and its prior is
answered exactly. If the response is as large as the value, both bounds meet and the value is proved;
otherwise the response is a new learner. There are finitely many, so this ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from proofs_check.bayes.responses import Policy, best_response, exact_response, losses, optima
from proofs_check.bayes.restricted import Proposal, RestrictedGame, rounded
from proofs_check.bayes.states import Graph

SHARES_OF_OLDER_PRIOR = (0.1, 1e-6)  # how much of the older prior goes into a question
NEARLY_EQUAL = 1e-9  # bounds this close in floats are compared in rationals

Strategies = tuple[Fraction, Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]
"""Lower bound, upper bound, the prior of the first, the mixture of learners of the second."""


class LearnerSearch:
    """The state of a search: the learners found, and the best prior so far."""

    def __init__(self, graph: Graph, horizon: int) -> None:
        self.graph, self.horizon = graph, horizon
        self.least = optima(graph, horizon)
        self.game = RestrictedGame(len(graph.orbits), graph.scale)
        self.learners: list[Policy] = []
        self.grew = False
        self.lower, self.upper = -float("inf"), float("inf")
        self.best = self.centre = np.full(len(graph.orbits), 1 / len(graph.orbits))
        self._meet(best_response(graph, self.centre, horizon)[1])
        self.proposal = Proposal(0.0, self.centre, [1.0], [], [])

    def __str__(self) -> str:
        return f"{len(self.learners)} learners, regret about [{max(self.lower, 0):.6f}, {self.upper:.6f}]"

    @property
    def close(self) -> bool:
        """Whether floats cannot tell the bounds apart."""
        return self.upper - self.lower <= NEARLY_EQUAL

    def look(self) -> bool:
        """One round in floats; whether it found a new learner."""
        before = len(self.learners)
        if not self._propose():
            return False
        for caution in SHARES_OF_OLDER_PRIOR:
            asked = (1 - caution) * self.proposal.prior + caution * self.centre
            response, policy = best_response(self.graph, asked, self.horizon)
            self._meet(policy)
            lower = (float(response) - float(self.least @ asked)) / self.graph.scale
            if lower > self.lower:
                self.lower, self.best, self.centre = lower, asked, (asked + self.centre) / 2
        return len(self.learners) > before

    def settled(self) -> Strategies | None:
        """Both strategies in rationals, if the bounds meet; otherwise `grew` says if the game did."""
        before = self.game.size
        found = self.game.solve_exactly(self.proposal) if self._propose() else None
        if found is not None:
            lower, policy = self._answered(found.prior)
            if lower == found.value:
                return lower, found.value, found.prior, found.mixture
            self._meet(policy)
        self.grew = self.game.size > before
        return None

    def interval(self) -> Strategies:
        """Certified bounds from the best strategies so far, rounded to rationals first."""
        self._propose()
        prior, mixture = rounded(self.best.tolist()), self.game.rounded_mixture(self.proposal)
        return self._answered(prior)[0], self.game.guaranteed(mixture), prior, mixture

    def _propose(self) -> bool:
        """Ask the solver; if it gives up, the last proposal stays."""
        proposal = self.game.propose()
        if proposal is not None:
            self.proposal, self.upper = proposal, proposal.value
        return proposal is not None

    def _answered(self, prior: Sequence[Fraction]) -> tuple[Fraction, Policy]:
        """The regret of the best response to a prior, exactly."""
        loss, policy = exact_response(self.graph, prior, self.horizon)
        expected = sum((p * int(best) for p, best in zip(prior, self.least, strict=True) if p), Fraction(0))
        return loss - expected / self.graph.scale, policy

    def _meet(self, policy: Policy) -> None:
        if self.game.add(losses(self.graph, policy, self.horizon) - self.least):
            self.learners.append(policy)
