"""Wrong statements, planted one at a time in copies of the formal files: they must not compile."""

import subprocess

import pytest

from proofs_check.ways import formal

PLANTED = [
    ("Model.v", "firstn m (a :: past)", "firstn (S m) (a :: past)"),
    (
        "Lemma1.v",
        "lemma1_state (m : nat) : nat := (m - 1)%nat",
        "lemma1_state (m : nat) : nat := (m - 2)%nat",
    ),
    (
        "Lemma2.v",
        "lemma2_exact (L : nat) : nat := (L + 1)%nat",
        "lemma2_exact (L : nat) : nat := (L + 2)%nat",
    ),
    (
        "Lemma3.v",
        "lemma3_sharp (m L : nat) : Z := (Z.of_nat m - 1)",
        "lemma3_sharp (m L : nat) : Z := (Z.of_nat m - 2)",
    ),
    (
        "Lemma3.v",
        "lemma3_lower (m : nat) : Z := - (Z.of_nat m - 1)",
        "lemma3_lower (m : nat) : Z := - (Z.of_nat m - 2)",
    ),
    (
        "Proposition1Upper.v",
        "(Z.of_nat m * Z.of_nat K - 1).\n\n(** ** The alg",
        "(Z.of_nat m * Z.of_nat K - 2).\n\n(** ** The alg",
    ),
    ("Proposition1Upper.v", "Z.min (Z.of_nat T - Z.of_nat m)", "Z.min (Z.of_nat T - Z.of_nat m - 1)"),
    ("Lemma8.v", "lemma8_factor : nat := 2", "lemma8_factor : nat := 1"),
    ("Lemma6.v", "lemma6_factor : nat := 4", "lemma6_factor : nat := 3"),
]

MORE = [
    ("Lemma1.v", "lemma1_state (m : nat) : nat := (m - 1)%nat", "lemma1_state (m : nat) : nat := m"),
    ("Lemma2.v", "(1 <= n)%nat -> (1 <= n')%nat ->", "(0 <= n)%nat -> (1 <= n')%nat ->"),
    ("Lemma3.v", "L = (q * m - 1)%nat", "L = (q * m)%nat"),
    ("Lemma3.v", "(m <= K)%nat -> 0 <= D -> (1 <= q)%nat", "(m <= K + 1)%nat -> 0 <= D -> (1 <= q)%nat"),
    ("Proposition1Upper.v", "(0 < m)%nat -> (2 <= K)%nat", "(0 < m)%nat -> (1 <= K)%nat"),
    (
        "Proposition1Upper.v",
        "plays (tallying K m h) (T - m * K) rest /\\",
        "plays (tallying K m h) (T - m * K - 1) rest /\\",
    ),
    (
        "Counterexample3.v",
        "(constants counterexample3 T) (repeat x T) (counterexample3_loss T).",
        "(constants counterexample3 T) (repeat x T) 0.",
    ),
    (
        "Counterexample3.v",
        "other_regret (T : nat) : Z := Z.of_nat T - 2",
        "other_regret (T : nat) : Z := Z.of_nat T - 1",
    ),
    ("Lemma6.v", "(2 <= s <= S + 1)%nat", "(1 <= s <= S + 1)%nat"),
    (
        "Lemma5.v",
        "lemma5_widths (n : nat) : nat := (8 * n)%nat",
        "lemma5_widths (n : nat) : nat := (7 * n)%nat",
    ),
    (
        "Lemma5.v",
        "lemma5_start_sharp (m L : nat) : Z := Z.of_nat m - 1",
        "lemma5_start_sharp (m L : nat) : Z := Z.of_nat m - 2",
    ),
    ("Proposition1Lower.v", "(Z.of_nat m * (Z.of_nat K - 1))", "(Z.of_nat m * Z.of_nat K)"),
    ("Proposition1Lower.v", "Nat.min K (T / m)", "Nat.min K ((T + 1) / m)"),
    ("Proposition1Lower.v", "(m - 1 <= T)%nat ->\n  is_optimum", "(m - 2 <= T)%nat ->\n  is_optimum"),
    ("Optimism.v", "(Z.of_nat m - 1) * (Z.of_nat epochs + 1)", "(Z.of_nat m - 1) * Z.of_nat epochs"),
    ("OptimismEpochs.v", "Z := (2 * Z.max", "Z := (Z.max"),
    ("OptimismEpochs.v", "(Nat.max 1 (met m past c) <=", "(Nat.max 1 (met m past c - 1) <="),
    ("OptimismRadii.v", "factor (Lg : R) : R := (2 + sqrt 2)", "factor (Lg : R) : R := (1 + sqrt 2)"),
    ("Hoeffding.v", "<= 2 * exp (- (2 * (a", "<= 2 * exp (- (3 * (a"),
    (
        "Lemma7.v",
        "cell_radius (kappa lg : R) (N : nat) : R := sqrt (kappa",
        "cell_radius (kappa lg : R) (N : nat) : R := sqrt (2 * kappa",
    ),
    (
        "Theorem1OnEvents.v",
        "  8 * (1 + root2) * sqrt (kappa * lg) * INR (K * m) * INR L + 4",
        "  7 * (1 + root2) * sqrt (kappa * lg) * INR (K * m) * INR L + 4",
    ),
    ("TwoArmsRising.v", "(m <= i + j)%nat ->\n    Z.of_nat", "(m < i + j)%nat ->\n    Z.of_nat"),
    ("TwoArmsMonotone.v", "row y <= row y'.", "row y' <= row y."),
    ("Statements.v", "(loss - fixed =? 0)", "(loss - fixed =? 1)"),
    (
        "Statements.v",
        "[1 <=? K; 1 <=? m; T =? L * L; m <=? L + 1]",
        "[1 <=? K; 1 <=? m; T =? L * L; m <=? L + 2]",
    ),
    ("Statements.v", "[1 <=? K; 1 <=? m; 1 <=? T; 2 <=? s]", "[1 <=? K; 1 <=? m; 1 <=? T; 1 <=? s]"),
    ("RealStatements.v", "(Whole 1200)", "(Whole 100)"),
    (
        "RealStatements.v",
        "(Over delta (Times (whole (K * m)) (whole S)))",
        "(Over delta (whole (2 * (K * m) * S)))",
    ),
]


def coqc(text, name, tmp_path, compiled):
    """What the compiler says of a file with this text, next to the compiled true ones."""
    copy = tmp_path / name
    copy.write_text(text)
    command = ["coqc", "-q", "-R", str(compiled), "TallyPlan", str(copy)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def refused(name, right, wrong, tmp_path, compiled):
    text = (formal.FOLDER / name).read_text()
    assert text.count(right) == 1
    done = coqc(text.replace(right, wrong), name, tmp_path, compiled)
    return done.returncode != 0 and "Error" in done.stderr and "Syntax error" not in done.stderr


@pytest.mark.parametrize(("name", "right", "wrong"), PLANTED)
def test_a_wrong_statement_does_not_compile(name, right, wrong, tmp_path, compiled):
    assert refused(name, right, wrong, tmp_path, compiled)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "right", "wrong"), MORE)
def test_more_wrong_statements_do_not_compile(name, right, wrong, tmp_path, compiled):
    assert refused(name, right, wrong, tmp_path, compiled)


def test_the_right_file_compiles_in_the_same_way(tmp_path, compiled):
    text = (formal.FOLDER / "Lemma8.v").read_text()
    assert coqc(text, "Lemma8.v", tmp_path, compiled).returncode == 0


def test_an_axiom_is_noticed(tmp_path, compiled, monkeypatch):
    text = "Axiom wrong : False.\nLemma so : 1 = 2.\nProof. destruct wrong. Qed.\n"
    assert coqc(text, "Planted.v", tmp_path, tmp_path).returncode == 0
    planted = formal.Theorem(None, "part", "Planted.v", "so", "a lemma that rests on an axiom")
    monkeypatch.setattr(formal, "theorems", lambda: (planted,))
    assert formal.axioms_of([planted], tmp_path) == ("Planted.wrong",)
