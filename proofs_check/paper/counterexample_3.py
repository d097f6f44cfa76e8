"""Counterexample 3: minimising the constant action regrets does not minimise the complete policy regret.

Stated (label counterexample:not_constant_action). Two actions, m = 2, h(1) = 0 and h(2) = 1 for both. A
constant policy loses T - 1, has zero constant action policy regret and zero constant action traditional
regret, and has complete policy regret T - 1, since alternating loses nothing.

Checked. The repeated words of the statement close after a few steps (`proofs_check.repeated_words`), so the
equations hold for every T once they hold on the first period; small T are replayed and planned as well. The
clause on the traditional regret is searched from T = 1 up, with the regret evaluated as the paper defines it.
The sentence that the clause was to support holds on another table, h_1 = (1/2, 1/2), h_2 = (1, 0).
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check import definitions
from proofs_check.certified import optimum
from proofs_check.claim import Evidence, Outcome, Repair, Request, Tight, Witness, claim
from proofs_check.repeated_words import Affine, losses_forever
from proofs_check.steps import Verdict
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

WHERE = "Counterexample 3 (counterexample:not_constant_action)"
BANDIT = TallyingBandit([[0, 1], [0, 1]])
CONSTANT_LOSS = Affine(1, -1)
ALTERNATING_LOSS = Affine(0, 0)
TRADITIONAL_REGRET = Affine(0, 0)
HORIZONS = range(1, 11)

# The conclusion that the traditional clause was to support, on another table: h_1 = (1/2, 1/2), h_2 = (1, 0).
OTHER = TallyingBandit([["1/2", "1/2"], [1, 0]])
OTHER_REGRET = Affine(Fraction(1, 2), -1)


@claim(
    "counterexample-3",
    statement=(
        "K = 2, m = 2, h_x(1) = 0 and h_x(2) = 1 for both actions. A policy that plays one fixed action at "
        f"every timestep incurs cumulative loss {CONSTANT_LOSS} but has zero constant action policy regret. "
        f"Meanwhile, its complete policy regret is {CONSTANT_LOSS}, since the policy that alternates the "
        f"actions incurs cumulative loss {ALTERNATING_LOSS}."
    ),
    where=WHERE,
)
def counterexample_3(request: Request) -> Outcome:
    """Search small T for a failure; then prove the equations for every T along the closed walks."""
    facts = {
        f"each constant policy loses {CONSTANT_LOSS}": all(
            losses_forever(BANDIT, [action]).always(CONSTANT_LOSS) for action in range(BANDIT.actions)
        ),
        f"alternating loses {ALTERNATING_LOSS}": losses_forever(BANDIT, [0, 1]).always(ALTERNATING_LOSS),
        "no loss is negative, so that nothing beats a total of 0": min(BANDIT.values()) >= 0,
    }
    failing = next((T for T in HORIZONS if not _holds_at(T)), None)
    steps = (
        *(f"For every T >= 1: {fact}: {'yes' if true else 'no'}." for fact, true in facts.items()),
        "The constant policies lose the same, so their constant action policy regret is 0; OPT_T = 0, so "
        "their complete policy regret is what they lose.",
        f"For T <= {HORIZONS[-1]} all of this was also replayed, planned and evaluated from the definitions.",
    )
    if failing is not None:
        return Outcome(
            Verdict.REFUTED if _refuted_by_definition(failing) else Verdict.UNDECIDED,
            f"T = {failing}",
            Evidence("search over T, evaluated from the definitions", failing, steps),
            Witness({"horizon": failing}, BANDIT),
        )
    verdict = Verdict.ARGUED if all(facts.values()) else Verdict.CHECKED
    return Outcome(
        verdict,
        "every T >= 1" if verdict is Verdict.ARGUED else f"T = 1..{HORIZONS[-1]}",
        Evidence("induction over T along closed walks, and small T directly", len(HORIZONS), steps),
    )


@claim(
    "counterexample-3/traditional-regret",
    statement=(
        "A policy that plays one fixed action at every timestep has "
        f"{'zero' if not TRADITIONAL_REGRET(1) else TRADITIONAL_REGRET} constant action traditional regret."
    ),
    where=WHERE,
)
def traditional_regret(request: Request) -> Outcome:
    """Evaluate the regret for T = 1, 2, ... until it differs; then find what it is for every T."""
    failing = next((T for T in HORIZONS if _traditional(BANDIT, T) != TRADITIONAL_REGRET(T)), None)
    if failing is None:
        return Outcome(
            Verdict.CHECKED, f"T = 1..{HORIZONS[-1]}", Evidence("evaluated for each T", len(HORIZONS))
        )
    competitors = list(definitions.constants(BANDIT, failing))
    loss = definitions.total_loss(BANDIT, competitors[0])
    regret = definitions.traditional_regret(BANDIT, competitors[0], competitors)
    confirmed = regret == _traditional(BANDIT, failing) != TRADITIONAL_REGRET(failing)
    return Outcome(
        Verdict.REFUTED if confirmed else Verdict.UNDECIDED,
        f"T < {failing}",
        Evidence(
            "search from T = 1 up; the witness evaluated again from the definition",
            failing,
            (
                f"At T = {failing} the policy loses {loss}; the other action, charged after the player's "
                "own history, has tally 1 at every step and loses 0.",
            ),
        ),
        witness=Witness({"horizon": failing, "policy": competitors[0], "regret": regret}, BANDIT),
        repair=_repair(),
    )


@claim(
    "counterexample-3/or-traditional",
    statement=(
        "Minimizing the constant action policy (or traditional) regret can lead to solutions whose "
        "cumulative loss is Omega(T) larger than the minimum achievable total loss."
    ),
    where="Section 3, before Counterexample 3",
)
def or_traditional(request: Request) -> Outcome:
    """Both regrets of always x_1 and its loss against OPT_T, for every T, on another table."""
    facts = _other_table_shows_it()
    T = HORIZONS[-1]
    player = (0,) * T
    confirmed = definitions.traditional_regret(
        OTHER, player, definitions.everything(OTHER, T)
    ) == 0 and definitions.policy_regret(OTHER, player, definitions.everything(OTHER, T)) == OTHER_REGRET(T)
    return Outcome(
        Verdict.ARGUED if confirmed and facts else Verdict.UNDECIDED,
        "every T >= 2, for the traditional regret; the other half is counterexample-3",
        Evidence(
            "induction over T along closed walks, on h_1 = (1/2, 1/2), h_2 = (1, 0), m = 2",
            1,
            (
                "Counterexample 3 itself does not show the traditional half: there the traditional regret "
                "is T - 1. On this table no step of always x_1 could have lost less after the same "
                "history, so its traditional regret is 0, even against all of X^T, while OPT_T stays at 1.",
                f"The complete policy regret is {OTHER_REGRET} for every T >= 2: "
                f"{'yes' if facts else 'no'}; evaluated from the definitions at T = {T}: "
                f"{'yes' if confirmed else 'no'}.",
            ),
        ),
        tight=Tight(
            f"complete policy regret {OTHER_REGRET} with traditional regret 0 against all of X^T",
            Verdict.ARGUED if facts else Verdict.UNDECIDED,
            Witness({"horizon": T, "policy": player, "complete policy regret": OTHER_REGRET(T)}, OTHER),
        )
        if confirmed and facts
        else None,
    )


def _holds_at(T: int) -> bool:
    """The statement at one T, by replay and planner."""
    losses = [replay(BANDIT, [action] * T) for action in range(BANDIT.actions)]
    alternating = replay(BANDIT, [t % 2 for t in range(T)])
    return (
        all(loss == CONSTANT_LOSS(T) for loss in losses)
        and alternating == ALTERNATING_LOSS(T) == optimum(BANDIT, T)
        and not _refuted_by_definition(T)
    )


def _refuted_by_definition(T: int) -> bool:
    """Does one of the constant policies break the statement at T, as the paper defines the regrets?"""
    return any(
        definitions.total_loss(BANDIT, policy) != CONSTANT_LOSS(T)
        or definitions.policy_regret(BANDIT, policy, definitions.constants(BANDIT, T)) != 0
        or definitions.policy_regret(BANDIT, policy, definitions.everything(BANDIT, T)) != CONSTANT_LOSS(T)
        for policy in definitions.constants(BANDIT, T)
    )


def _traditional(bandit: TallyingBandit, T: int) -> Fraction:
    """The constant action traditional regret of always playing the first action, by replay."""
    player = [0] * T
    comparators = (
        sum((replay(bandit, [y], player[:t]) for t in range(T)), Fraction(0)) for y in range(bandit.actions)
    )
    return replay(bandit, player) - min(comparators)


def _repair() -> Repair | None:
    """What holds instead, for every T: the true regret here, and a table that shows what was meant."""
    sentences = []
    other_action = losses_forever(BANDIT, [0], charged=1)
    if losses_forever(BANDIT, [0]).always(CONSTANT_LOSS) and other_action.always(Affine(0, 0)):
        sentences.append(f"The constant action traditional regret is {CONSTANT_LOSS}, for every T >= 1.")
    if _other_table_shows_it():
        sentences.append(
            "What the clause was to show is true on another table: for h_1 = (1/2, 1/2), h_2 = (1, 0), m = "
            "2 always playing x_1 has traditional regret 0, even against all of X^T, and complete policy "
            f"regret {OTHER_REGRET} for every T >= 2."
        )
    return Repair(" ".join(sentences), Verdict.ARGUED) if sentences else None


def _other_table_shows_it() -> bool:
    """No step of always x_1 can be bettered; OPT_T >= OPT_2 = what always x_2 loses, as losses are >= 0."""
    player, deviation = losses_forever(OTHER, [0]), losses_forever(OTHER, [0], charged=1)
    never_better = all(
        here <= there
        for here, there in zip(
            player.opening + player.cycle, deviation.opening + deviation.cycle, strict=True
        )
    )
    least = Affine(0, optimum(OTHER, 2))
    return (
        never_better
        and losses_forever(OTHER, [1]).always(least, since=2)
        and player.always(Affine(OTHER_REGRET.slope, OTHER_REGRET.intercept + least.intercept), since=2)
    )
