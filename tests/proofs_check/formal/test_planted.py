"""Wrong statements do not compile: each is planted in a copy of the file that proves the right one."""

import shutil
import subprocess
from pathlib import Path

import pytest

FORMAL = Path(__file__).parents[3] / "proofs_check" / "formal"
BUILD = FORMAL / "_build"

pytestmark = [
    pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed"),
    pytest.mark.skipif(not (BUILD / "Checker.vo").exists(), reason="not compiled yet: `make formal` does it"),
]

PLANTS = {
    "a window of m+1 actions": ("Model", "firstn m (a :: past)", "firstn (m + 1) (a :: past)"),
    "a history of m-2 actions": ("Model", "firstn (memory b - 1) past.", "firstn (memory b - 2) past."),
    "an optimum that forgets the last action": (
        "Model",
        "loss b past a + opt b t (a :: past)) (actions b - 1)\n",
        "loss b past a + opt b t (a :: past)) (actions b - 2)\n",
    ),
    "potentials with the wrong sign": (
        "Potentials",
        "q * loss b s a + phi (history b (a :: s)) - phi s.",
        "q * loss b s a + phi s + phi (history b (a :: s)).",
    ),
    "a jump tested at 0 and k only": (
        "Jumps",
        "sweeps b p (along x G 1) s = along x G 2 s",
        "sweeps b p (along x G 0) s = along x G 1 s",
    ),
    "a jump tested at 0 and k only, by the checker": (
        "CheckHorizon",
        "(equal_lists (times p (one_sweep costs) (line x G 1)) (line x G 2) &&",
        "(equal_lists (times p (one_sweep costs) (line x G 0)) (line x G 1) &&",
    ),
    "a jump one round too far": (
        "CheckHorizon",
        "then Some (line x G (k + 1))",
        "then Some (line x G (k + 2))",
    ),
    "a sweep whose pieces do not start anew": (
        "Layers",
        "      | vs :: rest' => around costs' rest' all (least cs vs :: acc)\n      end",
        "      | vs :: rest' => around costs' all all (least cs vs :: acc)\n      end",
    ),
    "a budget rounded down": (
        "Stages",
        "Z := - ((- (Z.of_nat L * (pv * q - p * qv))) / qv).",
        "Z := (Z.of_nat L * (pv * q - p * qv)) / qv.",
    ),
    "last potentials with too small a mean": ("Stages", "pv * q <= p * qv ->", "p * q <= pv * qv ->"),
    "tables that repeat without being equal": (
        "CheckStages",
        "if same equal_entries (tables period x) x then",
        "if same equal_entries x x then",
    ),
    "slopes without condition 3": (
        "TwoArms",
        "    Z.abs (t k - t (k - 1)%nat) * (Z.of_nat k - 1) * (M - Z.of_nat k) <= up k + down (k - 1).",
        "    0 <= up k + down (k - 1).",
    ),
    "slopes without condition 1": ("TwoArms", "0 <= excess_one m /\\ 0 <= excess_zero 0.", "True /\\ True."),
    "an action replaced by one that rises": (
        "FewerActions",
        "  h' (f a) (S y) <= h' (f a) y.\n\nLemma tally_renamed a w",
        "  h' (f a) y <= h' (f a) y.\n\nLemma tally_renamed a w",
    ),
    "one cheap action too few": (
        "FewerActions",
        "| None => (2 * m - 1, 1)%nat",
        "| None => (2 * m - 2, 1)%nat",
    ),
    "cheap letters at their first tally": (
        "FewerActions",
        "(Nat.min L (2 * m - 1), (m + (L - 1)) / L)%nat",
        "(Nat.min L (2 * m - 1), 1)%nat",
    ),
    "a sum over the actions without the penalty": (
        "Separable",
        "loop x r - penalty x (S r) + c x (S r).",
        "loop x r + c x (S r).",
    ),
    "a knapsack that adds an action twice": (
        "Knapsack",
        "(0 <=? last_joined (of_left t) (added k)) &&",
        "(0 <=? last_joined (of_added t) (added k)) &&",
    ),
    "an opening at the least potential": ("CheckSeparable", "- Z.max (t * P)", "- Z.min (t * P)"),
    "ways home that are not tested": (
        "CheckStages",
        "removed X (fst edge) ||",
        "true || removed X (fst edge) ||",
    ),
    "counts of which nothing leaves": (
        "Counts",
        "let v := changed pred gone (fst sd) in",
        "let v := fst sd in",
    ),
    "a graph whose potentials have the wrong sign": (
        "Graphs",
        "(potential_at phi (head e) - potential_at phi (tail e)) *",
        "(potential_at phi (tail e) - potential_at phi (head e)) *",
    ),
    "weighted tallies that leave one out": (
        "Shapes",
        "if listed first keys then Some [first] else None",
        "if listed first keys then Some [] else None",
    ),
    "a closed walk without its way back": (
        "MeanBounds",
        "Z.of_nat (length w) * p - Z.of_nat (memory b - 1) * (q * hmax - p) <= q * total b s w.",
        "Z.of_nat (length w) * p <= q * total b s w.",
    ),
    "an opening that costs one step less": (
        "Opening",
        "gain h a n + h (a + c)%nat",
        "gain h a n + h (a + n)%nat",
    ),
    "a checker that forgets the word": (
        "Checker",
        "allowed_word (actions_of i) word && check_mean b D value word && mean_bound D j lower proof",
        "allowed_word (actions_of i) word && mean_bound D j lower proof",
    ),
    "a checker that forgets to test the denominator": (
        "Checker",
        "  well_formed i && all_fit D i &&\n",
        "  well_formed i && well_formed i &&\n",
    ),
}


QUICK = ("a window of m+1 actions", "a jump tested at 0 and k only", "slopes without condition 3")


def long_unless(quick, names):
    """The named ones always, the others with --thorough."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.thorough) for name in names]


def compiled(folder, name, text):
    (folder / f"{name}.v").write_text(text)
    command = ["coqc", "-q", "-R", str(BUILD), "TallyPlan", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("plant", long_unless(QUICK, PLANTS))
def test_a_wrong_statement_does_not_compile(plant, tmp_path):
    name, right, wrong = PLANTS[plant]
    text = (FORMAL / f"{name}.v").read_text()
    assert text.count(right) >= 1, "the plant names a line that is no longer there"
    done = compiled(tmp_path, name, text.replace(right, wrong))
    assert done.returncode != 0
    assert "Error" in done.stderr
    assert "Syntax error" not in done.stderr
    assert "Cannot find a physical path" not in done.stderr
    assert "not found in the current environment" not in done.stderr


@pytest.mark.parametrize("name", long_unless({"Jumps"}, sorted({name for name, *_ in PLANTS.values()})))
def test_the_right_statement_compiles(name, tmp_path):
    assert compiled(tmp_path, name, (FORMAL / f"{name}.v").read_text()).returncode == 0
