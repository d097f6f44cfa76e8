"""After Theorem 2: how far Algorithm 1 is from the best possible.

Stated. Algorithm 1 is nearly minimax optimal: its suboptimality is bounded by O(sqrt(mK) log(T, m, K)).

Shown, on the horizons of Algorithm 1. Theorem 1 bounds its regret there (`theorem-1/domain`), and Theorem 2
as repaired bounds the regret of every player from below (`theorem-2/repaired`); the quotient of the two is
sqrt(mK) times the root and the logarithm of Theorem 1, times a constant.
"""

from __future__ import annotations

from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.paper.theorem_1 import constants
from proofs_check.paper.theorem_2.short import WORST
from proofs_check.paper.theorem_2.statement import CONSTANT
from proofs_check.steps import Step, conclusions
from proofs_check.ways.for_all import for_all

LEAST = f"({CONSTANT}) * sqrt(m * K * T)"
TERMS = f"({constants.ROOT_TERM} + {constants.LOG_TERM})"


@claim(
    "theorem-2/near-optimal",
    statement="Algorithm 1 is nearly minimax optimal: on its horizons, with probability at least 1 - delta, "
    "its regret is at most sqrt(mK) times logarithms times what every player suffers somewhere, {stated}.",
    where="Section 4.2, after Theorem 2",
    formulas={
        "factor": f"1200 / ({CONSTANT})",
        "stated": f"loss - OPT <= factor * sqrt(m * K) * {TERMS} * worst",
        "quotient": f"{constants.STATED} == factor * sqrt(m * K) * {TERMS} * ({LEAST})",
    },
    domain={**constants.HORIZONS, "actions": "K >= 2"},
    integers="K m L T S",
    symbols={"worst": WORST},
    assuming=(constants.EVENT,),
    uses=("theorem-1/domain", "theorem-2/repaired"),
)
def near_optimal(request: Request) -> Outcome:
    """Divide the bound of Theorem 1 by the one of Theorem 2, on the horizons of Algorithm 1."""
    f = request.formulas
    stated = request.show("stated", _steps(request))
    product = _product()
    last = for_all(
        constants.VARIABLES,
        given=[f.actions, f.memory, *conclusions(constants.root_step(request)), product.at(a="m * K", t="T")],
        then=f.quotient,
    )
    quotient = request.show("quotient", [constants.root_step(request), product, last])
    return request.conclude(
        stated,
        method="Theorem 1 on its horizons, Theorem 2 as repaired, and z3",
        tight=Tight("the quotient of the two bounds, exactly", quotient.verdict),
        remarks=(
            "The probability is the one of Theorem 1; the regret of the other players is an expectation.",
        ),
    )


def _steps(request: Request) -> list[Step]:
    f = request.formulas
    root, terms = constants.root_step(request), constants.terms_steps()
    upper, lower = (
        for_all(
            constants.VARIABLES,
            given=[*request.domain, *conclusions(root), request.quote(id)],
            then=request.run.claim(id).formula("stated"),
            words=words,
        )
        for id, words in (("theorem-1/domain", "Theorem 1"), ("theorem-2/repaired", "Theorem 2"))
    )
    product = _product()
    larger = for_all(
        "g r b w real", given=["g >= 0", "r >= 0", "w >= b"], then="r * g * w >= r * g * b", words="multiply"
    )
    last = for_all(
        constants.VARIABLES,
        given=[
            *(f.actions, f.memory, f.probability, *conclusions(root, upper, lower)),
            *(step.at() for step in terms),
            product.at(a="m * K", t="T"),
            larger.at(g=TERMS, r="sqrt(m * K)", b=LEAST, w="worst"),
        ],
        then=f.stated,
        words="the quotient of the two bounds",
    )
    return [root, upper, lower, product, *terms, larger, last]


def _product() -> Step:
    return for_all(
        "a t real",
        given=["a >= 0", "t >= 0"],
        then="sqrt(a) * sqrt(a * t) == a * sqrt(t) and sqrt(a) >= 0",
        words="a product of roots",
    )
