"""What the commands `bayes` and `minimax` say: documents for programs, lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from proofs_check.bayes.bernoulli import BernoulliRegret
from proofs_check.bayes.compare import comparisons, root_share
from proofs_check.bayes.constructions import needle_prior
from proofs_check.bayes.deterministic import bayes_regret, expected_queries, pure_regret
from proofs_check.bayes.minimax import MinimaxRegret, Situation
from proofs_check.bayes.states import tables_up_to_order
from tallyplan.limits import Progress
from tallyplan.model.rationals import plain, text

LISTED = 8  # tables of a prior and lines of a learner that people are shown

Document = dict[str, Any]


class AtHorizon(Protocol):
    """What a table over horizons shows of an answer."""

    @property
    def horizon(self) -> int:
        """T."""

    @property
    def lower(self) -> Fraction:
        """What the prior guarantees."""

    @property
    def value(self) -> Fraction:
        """What the learner guarantees."""

    @property
    def pure(self) -> Fraction:
        """The least worst-case regret of deterministic learners."""

    @property
    def exact(self) -> bool:
        """Whether the bounds meet."""


@dataclass(frozen=True)
class Row:
    """An answer that a store has kept, without the strategies."""

    horizon: int
    lower: Fraction
    value: Fraction
    pure: Fraction

    @property
    def exact(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.value


def needle_document(actions: int, memory: int, horizon: int, progress: Progress) -> Document:
    """Proposition 1: the Bayes regret, what goes into it, and what the learner plays for every x*."""
    prior = needle_prior(actions, memory)
    answer = bayes_regret(prior, horizon, progress=progress)
    return {
        "construction": "proposition-1",
        "actions": actions,
        "memory": memory,
        "horizon": horizon,
        "value": text(answer.value),
        "expected_loss": text(answer.loss),
        "expected_optimum": text(answer.optimum),
        "expected_queries": text(expected_queries(prior, horizon)),
        "deterministic_learners": text(pure_regret(prior, horizon)),
        **_compared(answer.value, actions, memory, horizon),
        "learner": {f"x* = {best}": list(answer.play(table)[0]) for best, (table, _) in enumerate(prior)},
    }


def bernoulli_document(answer: BernoulliRegret, *, name: str, searched: bool) -> Document:
    """Theorem 2: the Bayes regret, what goes into it, and two plays of the learner."""
    about = answer.construction
    plays = {f"all losses {loss}": list(answer.play((0, 0), _always(loss))[0]) for loss in (0, 1)}
    return {
        "construction": name,
        "actions": about.actions,
        "memory": about.memory,
        "horizon": about.horizon,
        "lowest_tally": about.lowest,
        "epsilon": text(about.epsilon),
        "epsilon_was": "searched" if searched else "given",
        "value": text(answer.value),
        "expected_hits": text(answer.hits),
        "most_hits": text(answer.most_hits),
        **_compared(answer.value, about.actions, about.memory, about.horizon),
        "learner": plays,
    }


def minimax_document(answer: MinimaxRegret) -> Document:
    """The minimax regret with both strategies."""
    certificate = answer.certificate
    return {
        **answer.game,
        **_bounds(answer),
        "deterministic_learners": text(answer.pure),
        **_compared(answer.value, answer.actions, answer.memory, answer.horizon),
        "prior": certificate["dual"]["prior"],
        "learner": certificate["primal"]["learner"],
    }


def minimax_rows(answers: Sequence[AtHorizon]) -> list[Document]:
    """One document per horizon, without the strategies."""
    return [
        {"horizon": one.horizon, **_bounds(one), "deterministic_learners": text(one.pure)} for one in answers
    ]


def document_lines(document: Document) -> Iterator[str]:
    """A document of `bayes` for people."""
    for key, value in document.items():
        if key == "learner":
            yield from (_line(f"plays if {case}", _word(play)) for case, play in value.items())
        elif key == "over_sqrt_mKT":
            yield _line("value / sqrt(mKT)", str(value))
        elif key == "compared":
            yield from _comparison_lines(value)
        else:
            yield _line(key.replace("_", " "), _number(value))


def minimax_lines(answer: MinimaxRegret) -> Iterator[str]:
    """The minimax regret for people."""
    K, m, g = answer.actions, answer.memory, answer.grid
    tables = tables_up_to_order(K, m, g)
    losses = "{0, 1}" if g == 1 else f"{{0, 1/{g}, ..., 1}}"
    yield _line("game", f"{K} actions, memory {m}, {answer.horizon} steps, losses in {losses}")
    yield _line("size", f"{tables} tables up to the order of their rows, {len(answer.graph.states)} states")
    for key, value in _bounds(answer).items():
        yield _line({"value": "minimax regret", "lower": "at least", "upper": "at most"}[key], _number(value))
    yield _line("deterministic learners", _number(text(answer.pure)))
    document = _compared(answer.value, K, m, answer.horizon)
    yield from _comparison_lines(document["compared"])
    yield _line("value / sqrt(mKT)", str(document["over_sqrt_mKT"]))
    for rows, probability in answer.prior[:LISTED]:
        shown = "  ".join(" ".join(map(str, row)) for row in rows)
        yield _line("hardest prior", f"{shown}   with probability {probability}, rows in random order")
    yield from _rest("hardest prior", len(answer.prior), "tables")
    number = len(answer.mixture)
    policies = "one policy" if number == 1 else f"a mixture of {number} policies"
    yield _line("learner", f"actions relabelled at random, then {policies}")
    for situation in answer.strategy[:LISTED]:
        yield _line("", _situation(situation))
    yield from _rest("", len(answer.strategy), "situations; all with --json or --certificate")


def minimax_table_lines(answers: Sequence[AtHorizon]) -> Iterator[str]:
    """The minimax regret by horizon for people."""
    yield f"{'T':>4}  {'minimax regret':<32}{'about':>10}  {'deterministic learners':>22}"
    for one in answers:
        value = plain(one.value) if one.exact else f"[{plain(one.lower)}, {plain(one.value)}]"
        yield f"{one.horizon:>4}  {value:<32}{float(one.value):>10.6f}  {plain(one.pure):>22}"


def _bounds(answer: AtHorizon) -> Document:
    if answer.exact:
        return {"value": text(answer.value)}
    return {"lower": text(answer.lower), "upper": text(answer.value)}


def _compared(value: Fraction, actions: int, memory: int, horizon: int) -> Document:
    return {
        "compared": [
            {"formula": one.formula, "bound": text(one.bound), "relation": one.relation}
            for one in comparisons(value, actions=actions, memory=memory)
        ],
        "over_sqrt_mKT": root_share(value, actions=actions, memory=memory, horizon=horizon),
    }


def _comparison_lines(compared: Sequence[dict[str, str]]) -> Iterator[str]:
    for one in compared:
        yield _line("compared", f"{one['relation']} {plain(Fraction(one['bound']))} = {one['formula']}")


def _situation(line: Situation) -> str:
    known = ", ".join(f"h_{x}: {' '.join(map(str, row))}" for x, row in enumerate(line.known) if row)
    play = ", ".join(
        f"{action} with {share}" if share < 1 else f"{action}" for action, share in line.play.items()
    )
    return f"step {line.steps}, last played {_word(line.recent) or '-'}, known {known or '-'}: play {play}"


def _rest(key: str, count: int, what: str) -> Iterator[str]:
    if count > LISTED:
        yield _line(key, f"... {count} {what}")


def _always(loss: int) -> Any:
    return lambda _: loss


def _word(actions: Sequence[int]) -> str:
    return ("" if max(actions, default=0) < 10 else " ").join(map(str, actions))


def _number(value: Any) -> str:
    number = Fraction(value) if isinstance(value, str) and "/" in value else None
    if number is None or number.denominator == 1:
        return str(value) if number is None else plain(number)
    exact = str(value) if len(value) <= 60 else f"{value[:28]}... ({len(value)} characters, --json has all)"
    return f"{exact}  (about {float(number):.10g})"


def _line(key: str, value: str) -> str:
    return f"{key:<24}{value}"
