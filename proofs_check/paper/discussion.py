"""Discussion: running Algorithm 1 for every m up to a bound, when m is unknown.

The true m can be discarded, without any noise: K = 2, m = 4, h_x = (1, 1, 0, 1). With m' = 3, the cell (x, 2)
is met most often by xxy xxy .., where the true tally is 3 and the loss 0. So m' = 3 believes that
alternating, which consists of (x, 2) cells only, loses 0; it loses 1. Cyclic policies are closed walks, so
the simple cycles of the graph of histories settle this for every period divisible by 12.
"""

from math import isqrt, lcm

from proofs_check.computations import wrong_memory
from proofs_check.computations.wrong_memory import DELTA, after_epoch, simple_cycles
from proofs_check.stating import Better, Outcome, Request, Witness, claim, weakest
from tallyplan.check import check
from tallyplan.games.bounds import WIDTH
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.mean_cycle import minimum_mean_cycle

WHERE = "Discussion, unknown memory (sec:discussion)"
TRUTH, WRONG = TallyingBandit([[1, 1, 0, 1], [1, 1, 0, 1]]), 3


@claim(
    "discussion-unknown-memory",
    statement="If after each epoch the instantiations are discarded whose least estimated loss is above the "
    "smallest one by more than the confidence width, the true m is never discarded: {stated}.",
    formulas={
        "C": WIDTH,
        "stated": "own - other <= 2 * C",
        "repaired": "implies(other_true >= mu and abs(own_seen - mu) <= C and "
        "abs(other_seen - other_true) <= C, own_seen - other_seen <= 2 * C)",
    },
    domain={"epoch": "1 <= s and s <= S"},
    symbols={
        "own": "the least loss per step that the instantiation with the true m estimates after epoch s",
        "other": "the least loss per step that another instantiation estimates",
        "own_seen": "what is seen while the policy plays that the true m believes to be best",
        "other_seen": "the same for another instantiation",
        "other_true": "what the policy of the other instantiation truly loses per step",
    },
)
def unknown_memory(request: Request) -> Outcome:
    """What a wrong memory makes one believe, exactly, without noise, for every period divisible by 12."""
    cycles, best = simple_cycles(2, WRONG), minimum_mean_cycle(TRUTH)
    most = [wrong_memory.most_frequent(cycles, WRONG, (x, y)) for x in (0, 1) for y in range(1, WRONG + 1)]
    table = wrong_memory.believed(TRUTH, WRONG, cycles)
    least, word = wrong_memory.least_belief(TRUTH, WRONG, cycles)
    certified = bool(check(best.certificate, instance=TRUTH.to_json()))
    period = lcm(*(len(words[0]) for words in most), len(word), len(best.word))
    facts = {"m'": WRONG, "period": period, "word": word, "its true loss": mean_of_word(TRUTH, word)}
    losses = {"own": best.value, "other": least}
    horizons = [after_epoch(1, S, TRUTH.memory) for S in range(1, 40)]
    cases = [{**facts, **losses, **one} for one in horizons if isqrt(int(one["T"])) % period == 0]
    unique = certified and all(len(words) == 1 for words in most)
    repaired = request.argue(
        "own_seen <= mu + C <= other_true + C <= other_seen + 2 C, two linear inequalities.", name="repaired"
    )
    return request.conclude(
        None,
        box=cases if unique else [],
        checked_on=str(Witness({"m": TRUTH.memory, "m'": WRONG, "s": 1, "delta": DELTA}, TRUTH)),
        remarks=(
            f"m' = {WRONG} believes {Witness({}, table)}, whatever the period divisible by {period}: each "
            "cell is met most often by one simple cycle only.",
        ),
        repair=Better(
            "Compare what is seen while each instantiation plays its own best policy (01 shows 1 at once): "
            "if these means err by at most C, the true m is never above the least by more than `2 * C`.",
            repaired.verdict,
        ),
    )


@claim(
    "discussion-unknown-memory/regret",
    statement="This approach yields an O~(sqrt(T)) upper bound on the CPR when m is unknown.",
)
def unknown_memory_regret(request: Request) -> Outcome:
    """No proof is printed."""
    others = [wrong_memory.least_belief(TRUTH, m, simple_cycles(2, m))[0] for m in range(1, TRUTH.memory + 1)]
    return request.conclude(
        None,
        remarks=(
            "The approach is sketched (how time is shared and the constant in Omega are left open), "
            "and its key step fails (claim discussion-unknown-memory): on that instance the least estimates "
            f"of m' = 1..{TRUTH.memory} after epoch 1 are {', '.join(map(str, others))}.",
        ),
    )


@claim(
    "discussion-unknown-memory/set-accuracy",
    statement="The policies in A_s have loss per step within O~({rate}) of the best: for some constants c "
    "and p, here 10^6 and 10, {stated}.",
    formulas={
        "rate": "2**(-s) / sqrt(sqrt(T))",
        "stated": "gap <= 10**6 * log(T)**10 * rate",
        "right": "2**(-s / 2) / sqrt(sqrt(T))",
        "repaired": "C(s - 1)**2 == 64 * K * m * log(2 * K * m * S / delta) * (right)**2",
    },
    domain={"epoch": "s >= 2"},
    symbols={"gap": "what a policy of A_s loses per step beyond the best"},
    uses=("lemma-6/chain",),
)
def set_accuracy(request: Request) -> Outcome:
    """Without noise A_s holds every policy within 2 C_{s-1}; compare with the stated rate, h = (0), (1)."""
    repaired = request.argue("Only a root of the logarithm is hidden, as C_(s-1) shows.", name="repaired")
    return request.conclude(
        None,
        box=[{**after_epoch(S, S, 1), "gap": wrong_memory.gap_after(S)} for S in range(2, 300)],
        checked_on="h = (0 | 1), s = S < 300",
        remarks=("The gap exceeds 5 times 2^(s/2) times the stated rate, whatever c and p are.",),
        repair=Better(
            f"Within 4 C_(s-1) (claim lemma-6/chain), which is O~(`{request.formulas.right}`).",
            weakest(repaired.verdict, request.result("lemma-6/chain").outcome.verdict),
        ),
    )
