(** * What the claims with roots and logarithms state

    As in [Statements.v]: each claim of the package is a domain and a formula, here for Lemmas 6 and 7 and Theorem 1, whose
    bounds are real numbers.  These cannot be evaluated by Rocq, so they are written as expressions, [number], and
    statements about them, [statement]; [value] and [holds] say what they mean.  At given parameters Rocq prints the
    expression, and it is evaluated next to the formula in Python.

    The real numbers of the standard library are used, with their axioms. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Elimination TallyPlan.Lemma6 TallyPlan.Lemma6AtOne TallyPlan.OptimismEpochs TallyPlan.OptimismRadii TallyPlan.OptimismEvent
  TallyPlan.Hoeffding TallyPlan.Lemma7 TallyPlan.Theorem1OnEvents TallyPlan.Theorem1.
Import ListNotations.
Open Scope R_scope.

Inductive number :=
  | Whole (z : Z) | Real (x : R) | Plus (a b : number) | Minus (a b : number) | Times (a b : number) | Over (a b : number)
  | Root (a : number) | Log (a : number) | Abs (a : number).

Fixpoint value (a : number) : R :=
  match a with
  | Whole z => IZR z | Real x => x
  | Plus a b => value a + value b | Minus a b => value a - value b
  | Times a b => value a * value b | Over a b => value a / value b
  | Root a => sqrt (value a) | Log a => ln (value a) | Abs a => Rabs (value a)
  end.

Inductive statement :=
  | Decided (b : bool) | AtMost (a b : number) | Less (a b : number) | Equal (a b : number) | Both (s t : statement)
  | If (s t : statement).

Fixpoint holds (s : statement) : Prop :=
  match s with
  | Decided b => b = true
  | AtMost a b => value a <= value b | Less a b => value a < value b | Equal a b => value a = value b
  | Both s t => holds s /\ holds t
  | If s t => holds s -> holds t
  end.

Definition all (conditions : list statement) : Prop := Forall holds conditions.

Definition whole (n : nat) : number := Whole (Z.of_nat n).

Lemma value_whole n : value (whole n) = INR n.
Proof. symmetry. apply INR_IZR_INZ. Qed.

Ltac conditions H := unfold all in H; repeat rewrite Forall_cons_iff in H; cbn [holds value] in H;
  rewrite ?Nat.leb_le, ?Nat.eqb_eq in H.

(** ** The widths *)

(** log(2KmS/delta). *)
Definition lg_number (K m S : nat) (delta : number) : number :=
  Log (Over (Times (Times (Whole 2) (whole (K * m))) (whole S)) delta).

(** C_s, and C_sxy where the largest share of the cell is [most]; L = sqrt(T). *)
Definition policy_width_number (K m L S : nat) (delta : number) (s : nat) : number :=
  Root (Times (Over (Times (Whole 32) (whole (K * m))) (Times (whole (2 ^ s)) (whole L))) (lg_number K m S delta)).
Definition cell_width_number (K m L S : nat) (delta : number) (s : nat) (most : number) : number :=
  Root (Times (Over (Whole 32) (Times (Times (whole (2 ^ s)) most) (whole L))) (lg_number K m S delta)).

Lemma value_lg K m S delta : value (lg_number K m S delta) = ln (2 * INR (K * m) * INR S / value delta).
Proof. cbn [lg_number value]. now rewrite !value_whole. Qed.

Lemma value_policy_width K m L S delta s :
  value (policy_width_number K m L S delta s) = policy_width 32 (ln (2 * INR (K * m) * INR S / value delta)) K m L (2 ^ s).
Proof. cbn [policy_width_number value]. rewrite !value_whole, value_lg. reflexivity. Qed.

Lemma value_cell_width K m L S delta s most : (0 < L)%nat -> (0 < most)%nat ->
  value (cell_width_number K m L S delta s (Over (whole most) (whole L)))
  = cell_radius 32 (ln (2 * INR (K * m) * INR S / value delta)) (2 ^ s * most).
Proof.
  intros PL PM. cbn [cell_width_number value]. rewrite !value_whole, value_lg. unfold cell_radius. set (lg := ln _).
  rewrite mult_INR. f_equal.
  assert (0 < INR L) by now apply lt_0_INR. assert (0 < INR most) by now apply lt_0_INR.
  assert (0 < INR (2 ^ s)) by (apply lt_0_INR, Nat.neq_0_lt_0, Nat.pow_nonzero; lia). field. lra.
Qed.

Definition positive_sizes (K m L S : nat) : list statement :=
  [Decided (1 <=? K)%nat; Decided (1 <=? m)%nat; Decided (1 <=? L * L)%nat; Decided (1 <=? S)%nat].
Definition probability (delta : number) : statement := Both (Less (Whole 0) delta) (Less delta (Whole 1)).

(** The logarithm is positive. *)
Lemma lg_positive K m S delta : (1 <= K)%nat -> (1 <= m)%nat -> (1 <= S)%nat -> 0 < delta < 1 ->
  0 < ln (2 * INR (K * m) * INR S / delta) /\
  exp (- ln (2 * INR (K * m) * INR S / delta)) = delta / (2 * INR (K * m) * INR S).
Proof.
  intros HK M HS D. assert (Q : 1 <= INR (K * m)) by (apply (le_INR 1); nia).
  assert (QS : 1 <= INR S) by (apply (le_INR 1); lia).
  assert (P : 1 <= INR (K * m) * INR S) by (rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
  assert (B : 1 < 2 * INR (K * m) * INR S / delta).
  { apply (Rmult_lt_reg_r delta); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra. }
  split; [rewrite <- ln_1; apply ln_increasing; lra|]. rewrite exp_Ropp, exp_ln by lra. field. lra.
Qed.

(** ** Lemma 6 *)

Definition lemma_6_domain (m L s S : nat) : list statement :=
  [Decided (m <=? L)%nat; Decided (1 <=? s)%nat; Decided (s <=? S)%nat].
Definition lemma_6_stated (K m L S : nat) (delta : number) (s : nat) (mean mu : number) : statement :=
  AtMost (Minus mean mu) (Times (whole lemma6_factor) (policy_width_number K m L S delta (s - 1))).

(** At s = 1, where A_1 holds all cyclic policies, it fails on long horizons, whatever is observed. *)
Lemma lemma_6_fails_on_long_horizons L S D star delta : (1 <= L)%nat -> (0 < D)%Z ->
  let lg := value (lg_number 2 1 S delta) in 0 <= lg -> 512 * INR (2 * 1) * lg < INR L ->
  best_policy 2 1 (zero_and_one D) L star ->
  let mean pi := Real (IZR (period_loss 2 1 (zero_and_one D) pi) / IZR (Z.of_nat L * D)) in
  exists pi, plays (tallying 2 1 (zero_and_one D)) L pi /\ ~ holds (lemma_6_stated 2 1 L S delta 1 (mean pi) (mean star)).
Proof.
  intros PL P lg PG long best mean.
  destruct (lemma6_fails_at_1_for_long_horizons L D lg (fun _ _ => 0) (fun _ => []) star PL P PG long best) as (pi & A & F).
  exists pi. split; [exact A|]. intros H. apply F. unfold at_most_above. rewrite times_reals. cbn [plus le mu of_Z reals].
  unfold lemma_6_stated in H. cbn [holds value mean] in H. rewrite value_whole, value_policy_width, <- value_lg in H.
  fold lg in H. change (policy_width 32 lg 2 1 L (2 ^ (1 - 1))) with (confidence_width 2 1 L lg 0) in H.
  assert (Q : 0 < IZR (Z.of_nat L * D)) by (apply IZR_lt; nia).
  apply (Rmult_le_compat_l (IZR (Z.of_nat L * D))) in H; [|lra].
  unfold mu. cbn [of_Z reals]. revert H.
  generalize (IZR (period_loss 2 1 (zero_and_one D) pi)) (IZR (period_loss 2 1 (zero_and_one D) star)). intros x y H.
  replace (IZR (Z.of_nat L * D) * (x / IZR (Z.of_nat L * D) - y / IZR (Z.of_nat L * D))) with (x - y) in H
    by (field; lra).
  lra.
Qed.

(** For example K = 2, m = 1, S = 9, sqrt(T) = 4Km (2^S - 1) = 4088, delta = 7/10. *)
Theorem lemma_6_fails : exists K m L S s delta,
  all (lemma_6_domain m L s S) /\ L = (4 * (K * m) * (2 ^ S - 1))%nat /\ 0 < value delta < 1 /\
  forall D star, (0 < D)%Z -> best_policy K m (zero_and_one D) L star ->
  let mean pi := Real (IZR (period_loss K m (zero_and_one D) pi) / IZR (Z.of_nat L * D)) in
  exists pi, plays (tallying K m (zero_and_one D)) L pi /\ ~ holds (lemma_6_stated K m L S delta s (mean pi) (mean star)).
Proof.
  exists 2%nat, 1%nat, (8 * (2 ^ 9 - 1))%nat, 9%nat, 1%nat, (Over (Whole 7) (Whole 10)). split; [repeat constructor|].
  split; [reflexivity|]. split; [cbn [value]; lra|]. intros D star P best mean.
  apply lemma_6_fails_on_long_horizons; [apply Nat.leb_le; reflexivity | exact P | | | exact best]; rewrite value_lg;
    cbn [value].
  - rewrite <- ln_1. apply Rlt_le, ln_increasing; simpl; lra.
  - pose proof small_logarithm as E. rewrite (INR_IZR_INZ (8 * (2 ^ 9 - 1))).
    change (Z.of_nat (8 * (2 ^ 9 - 1))) with 4088%Z. set (lg := ln _) in *. simpl INR. lra.
Qed.

(** ** Lemma 7 *)

Definition hoeffding_domain (K m L S : nat) (delta most : number) : list statement :=
  positive_sizes K m L S ++ [probability delta; Less (Whole 0) most].
Definition hoeffding_stated (K m L S : nat) (delta : number) (s : nat) (most : number) (failing : number -> number)
  : statement :=
  AtMost (failing (cell_width_number K m L S delta s most)) (Over delta (Times (whole (K * m)) (whole S))).

(** Of observations whose mean given the past is h, 2^s [most] are counted. *)
Theorem hoeffding_claim K m L S delta s most next counts h steps :
  all (hoeffding_domain K m L S delta (Over (whole most) (whole L))) ->
  (forall past, Hoeffding.proper (next past)) -> (forall past, counts past = true -> mean (next past) = h) ->
  holds (hoeffding_stated K m L S delta s (Over (whole most) (whole L))
    (fun width => Real (expect next steps [] (deviates counts h (2 ^ s * most) (INR (2 ^ s * most) * value width))))).
Proof.
  intros H NP MP. unfold hoeffding_domain, positive_sizes, probability in H. cbn [app] in H. conditions H.
  destruct H as (HK & HM & HL & HS & HD & PM & _). rewrite !value_whole in PM.
  assert (PL : (0 < L)%nat) by nia. assert (QL : 0 < INR L) by now apply lt_0_INR.
  assert (QM : (0 < most)%nat).
  { destruct most; [|lia]. simpl INR in PM. unfold Rdiv in PM. rewrite Rmult_0_l in PM. lra. }
  unfold hoeffding_stated. cbn [holds value]. rewrite value_cell_width, !value_whole by assumption. unfold cell_radius.
  destruct (lg_positive K m S (value delta) HK HM HS HD) as [PG EG]. set (lg := ln _) in *. set (n := (2 ^ s * most)%nat).
  assert (N0 : (0 < n)%nat) by (unfold n; apply Nat.mul_pos_pos; [apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia | exact QM]).
  assert (N1 : 0 < INR n) by now apply lt_0_INR. assert (Q : 0 < 32 * lg / INR n) by (apply Rdiv_lt_0_compat; lra).
  assert (A : 0 < INR n * sqrt (32 * lg / INR n)) by (apply Rmult_lt_0_compat; [exact N1 | now apply sqrt_lt_R0]).
  apply (Rle_trans _ _ _ (Hoeffding.hoeffding next NP counts h MP steps n _ N0 A)).
  pose proof (sqrt_sqrt (32 * lg / INR n) ltac:(lra)) as E. set (r := sqrt _) in *.
  replace (2 * (INR n * r * (INR n * r)) / INR n) with (64 * lg).
  2:{ replace (INR n * r * (INR n * r)) with (INR n * INR n * (r * r)) by ring. rewrite E. field. lra. }
  apply (Rle_trans _ (2 * exp (- lg))); [apply Rmult_le_compat_l; [lra | apply exp_monotone; lra]|]. rewrite EG. right.
  assert (1 <= INR (K * m)) by (apply (le_INR 1); nia). assert (1 <= INR S) by (apply (le_INR 1); lia). field. lra.
Qed.

Definition lemma_7_domain (K m L S : nat) (delta : number) : list statement := positive_sizes K m L S ++ [probability delta].
Definition lemma_7_stated (S : nat) (delta missing : number) : statement := AtMost missing (Over delta (whole S)).

(** In words: the hypotheses on what is observed are those of [lemma7_as_stated]; [off] tells when an estimate is off. *)
Theorem lemma_7_claim K m L S delta s h next recorded most steps (A : list nat -> Prop) (off : list R -> bool) :
  all (lemma_7_domain K m L S delta) ->
  (forall past, Hoeffding.proper (next past)) ->
  (forall c past, recorded c past = true -> mean (next past) = h c) ->
  (forall c xs, In c (cells K m) -> length xs = steps -> counted (recorded c) xs = (2 ^ s * most c)%nat) ->
  (forall pi, A pi -> plays (tallying K m (fun _ _ => 0%Z)) L pi /\ forall c, In c (cells K m) ->
    (N m pi (fst c) (snd c) <= most c)%nat) ->
  (forall xs, off xs = true -> exists pi, A pi /\
    value (policy_width_number K m L S delta s)
    < Rabs (estimated_mean K m (cell_estimate (2 ^ s) recorded most xs) L pi - true_mean K m h L pi)) ->
  holds (lemma_7_stated S delta (Real (expect next steps [] (fun xs => if off xs then 1 else 0)))).
Proof.
  intros H NP MP NR AR O. unfold lemma_7_domain, positive_sizes, probability in H. cbn [app] in H. conditions H.
  destruct H as (HK & HM & HL & HS & HD & _). assert (PL : (0 < L)%nat) by nia.
  destruct (lemma7_as_stated K m (2 ^ s) L S (value delta) h next recorded most steps A HK HM
              ltac:(apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia) PL HS HD NP MP NR AR) as (bad & PB & B & E).
  unfold lemma_7_stated. cbn [holds value]. rewrite value_whole. apply (Rle_trans _ _ _) with (2 := E).
  apply expect_le_later; [exact NP|]. intros xs LX. cbn [length] in LX. rewrite Nat.add_0_r in LX.
  destruct (off xs) eqn:OX; [|apply PB]. destruct (B xs LX) as [good|]; [|assumption]. exfalso.
  destruct (O xs OX) as (pi & I & far). specialize (good pi I). rewrite value_policy_width in far. lra.
Qed.

(** ** Theorem 1, on the horizons of Algorithm 1 *)

Definition theorem_1_domain (K m L T S : nat) (delta : number) : list statement :=
  [ Decided (1 <=? K)%nat; Decided (1 <=? m)%nat; probability delta; Decided (1 <=? S)%nat; Decided (T =? L * L)%nat;
    Decided (L =? 4 * (K * m) * (2 ^ S - 1))%nat ].

Definition sharp_number (K m L S : nat) (delta : number) : number :=
  Plus (Plus (Plus
    (Times (Times (Times (Times (Whole 32) (Plus (Whole 2) (Root (Whole 2)))) (whole (K * m))) (whole L))
           (Root (lg_number K m S delta)))
    (Times (Times (Whole 4) (whole (K * m))) (whole L)))
    (Times (Times (Minus (whole S) (Whole 1)) (whole (K * m))) (Minus (whole m) (Whole 1))))
    (Times (Minus (whole m) (Whole 1)) (whole L)).

Definition printed_number (K m L : nat) (delta : number) : number :=
  Times (Times (Times (Whole 1200) (whole (K * m))) (whole L))
    (Plus (Root (Log (Over (Times (Times (Whole 2) (whole (K * m))) (Log (whole (L * L)))) delta)))
          (Over (Log (Over (whole L) (Times (Whole 2) (whole (K * m))))) (Log (Whole 2)))).

Definition regret_stated (loss opt bound : number) : statement := AtMost (Minus loss opt) bound.

Lemma value_sharp K m L S delta :
  value (sharp_number K m L S delta) = theorem1_bound K m L S 32 (ln (2 * INR (K * m) * INR S / value delta)).
Proof. rewrite theorem1_bound_at_32. cbn [sharp_number value]. rewrite !value_whole, value_lg. reflexivity. Qed.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros P [H | ->]; [left; now apply ln_increasing | lra]. Qed.

Lemma exp_below_power n : exp (INR n) <= 3 ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite exp_0; lra|]. rewrite S_INR, exp_plus. cbn [pow]. pose proof exp_le_3.
  pose proof (exp_pos (INR n)). pose proof (exp_pos 1). rewrite Rmult_comm. apply Rmult_le_compat; lra.
Qed.

(** S <= log(T) and S <= log2(sqrt(T)/(2Km)), since sqrt(T) = 4Km (2^S - 1) >= 2^S. *)
Lemma epochs_few K m L S : (1 <= K)%nat -> (1 <= m)%nat -> (1 <= S)%nat -> L = (4 * (K * m) * (2 ^ S - 1))%nat ->
  INR S <= ln (INR (L * L)) /\ INR S <= ln (INR L / (2 * INR (K * m))) / ln 2.
Proof.
  intros HK HM HS EL. assert (Q : 1 <= INR (K * m)) by (apply (le_INR 1); nia).
  assert (T2 : 2 <= 2 ^ S) by (rewrite <- (pow_1 2) at 1; apply Rle_pow; [lra | exact HS]).
  assert (E : INR L = 4 * INR (K * m) * (2 ^ S - 1)).
  { rewrite EL, !mult_INR, minus_INR, pow_INR by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
    replace (INR 4) with 4 by (simpl; lra). change (INR 2) with 2. change (INR 1) with 1. ring. }
  assert (B : 2 ^ S <= INR L).
  { rewrite E. apply (Rle_trans _ (4 * 1 * (2 ^ S - 1))); [lra|]. apply Rmult_le_compat_r; lra. }
  split.
  - rewrite <- (ln_exp (INR S)). apply ln_le; [apply exp_pos|]. apply (Rle_trans _ _ _ (exp_below_power S)).
    rewrite mult_INR. apply (Rle_trans _ (4 ^ S)); [apply pow_incr; lra|].
    replace 4 with (2 * 2) by lra. rewrite Rpow_mult_distr. apply Rmult_le_compat; lra.
  - assert (P2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
    apply (Rmult_le_reg_r (ln 2)); [exact P2|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite <- ln_pow by lra. apply ln_le; [apply pow_lt; lra|]. rewrite E.
    replace (4 * INR (K * m) * (2 ^ S - 1) / (2 * INR (K * m))) with (2 * (2 ^ S - 1)) by (field; lra). lra.
Qed.

(** The sharp bound is below the printed one. *)
Lemma sharp_below_printed K m L T S delta : all (theorem_1_domain K m L T S delta) ->
  value (sharp_number K m L S delta) <= value (printed_number K m L delta).
Proof.
  intros H. unfold theorem_1_domain, probability in H. conditions H. destruct H as (HK & HM & HD & HS & _ & EL & _).
  destruct (epochs_few K m L S HK HM HS EL) as [few few2].
  rewrite value_sharp, theorem1_bound_at_32. cbn [printed_number value]. rewrite !value_whole.
  assert (Q : 1 <= INR (K * m)) by (apply (le_INR 1); nia). assert (QS : 1 <= INR S) by (apply (le_INR 1); lia).
  assert (P2 : (2 ^ 1 <= 2 ^ S)%nat) by (apply Nat.pow_le_mono_r; lia). simpl in P2.
  assert (m <= K * m)%nat by nia. assert (MK : INR m <= INR (K * m)) by now apply le_INR.
  assert (ML : INR m <= INR L) by (apply le_INR; nia).
  assert (M1 : 1 <= INR m) by (apply (le_INR 1); lia).
  set (root := sqrt (ln (2 * INR (K * m) * INR S / value delta))).
  set (root' := sqrt (ln (2 * INR (K * m) * ln (INR (L * L)) / value delta))).
  assert (R : root <= root').
  { apply sqrt_le_1_alt, ln_le.
    - apply Rdiv_lt_0_compat; [|lra]. repeat apply Rmult_lt_0_compat; lra.
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | apply Rmult_le_compat_l; lra]. }
  assert (P0 : 0 <= root) by apply sqrt_pos. assert (two : sqrt 2 <= 2).
  { rewrite <- (sqrt_square 2) at 2 by lra. apply sqrt_le_1; lra. }
  revert few2. generalize (ln (INR L / (2 * INR (K * m))) / ln 2). intros many few2.
  set (k := INR (K * m)) in *. set (l := INR L) in *. set (e := INR S) in *. set (M := INR m) in *.
  assert (KL : 1 <= k * l) by (rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
  assert (A : 32 * (2 + sqrt 2) * k * l * root <= 1200 * k * l * root').
  { replace (32 * (2 + sqrt 2) * k * l * root) with (32 * (2 + sqrt 2) * (k * l * root)) by ring.
    replace (1200 * k * l * root') with (1200 * (k * l * root')) by ring.
    assert (k * l * root <= k * l * root') by (apply Rmult_le_compat_l; lra).
    assert (0 <= k * l * root) by (apply Rmult_le_pos; lra).
    apply (Rle_trans _ (1200 * (k * l * root))); [apply Rmult_le_compat_r; lra | lra]. }
  assert (B : (e - 1) * k * (M - 1) <= (e - 1) * (k * l)).
  { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra | apply Rmult_le_compat_l; lra]. }
  assert (C : (M - 1) * l <= k * l) by (apply Rmult_le_compat_r; lra).
  assert (F : k * l * (e + 4) <= 1200 * (k * l * many)).
  { assert (k * l * e <= k * l * many) by (apply Rmult_le_compat_l; lra).
    assert (k * l * 1 <= k * l * e) by (apply Rmult_le_compat_l; lra).
    lra. }
  lra.
Qed.

Section Theorem1.
Variables (K m : nat) (h : nat -> nat -> Z) (D : Z) (L T S : nat) (delta : R).
Variable pick : nat -> list R -> nat * nat -> list nat.
Variable select : nat -> list R -> list nat.
Variable act : list R -> nat.
Variable next : list R -> distribution.
Variables (star : list nat) (opt : Z).
Hypothesis domain : all (theorem_1_domain K m L T S (Real delta)).
Hypothesis positive : (0 < D)%Z.
Hypothesis losses : table_within K m h D.
Hypothesis follows : follows_algorithm1 K m h D L S 32 delta pick select act.
Hypothesis next_proper : forall past, Hoeffding.proper (next past).
Hypothesis mean_given_past : forall past,
  mean (next past) = IZR (h (fst (next_cell m act past)) (snd (next_cell m act past))) / IZR D.
Hypothesis best : best_policy K m h L star.
Hypothesis optimum : is_optimum (tallying K m h) T [] opt.
Let loss (xs : list R) : number := Real (IZR (total (tallying K m h) [] (rev (path act xs))) / IZR D).
Let OPT : number := Real (IZR opt / IZR D).

Theorem theorem_1_sharpened :
  holds_but_for next T delta (fun xs => holds (regret_stated (loss xs) OPT (sharp_number K m L S (Real delta)))).
Proof.
  unfold theorem_1_domain, probability in domain. pose proof domain as H. conditions H.
  destruct H as (HK & HM & HD & HS & ET & EL & _). rewrite ET in *.
  refine (holds_but_for_weaken next _ _ _ _ _ (theorem1 K m h D L S 32 delta pick select act next HK HM positive losses HS EL
            ltac:(lra) HD follows next_proper mean_given_past star opt best optimum)).
  intros xs _ B. unfold regret_stated, loss, OPT. cbn [holds value]. rewrite value_sharp. cbn [value].
  assert (PD : 0 < IZR D) by now apply IZR_lt. rewrite minus_IZR in B. apply (Rmult_le_reg_l (IZR D)); [exact PD|].
  revert B. generalize (IZR (total (tallying K m h) [] (rev (path act xs)))) (IZR opt). intros x y B.
  replace (IZR D * (x / IZR D - y / IZR D)) with (x - y) by (field; lra). exact B.
Qed.

Theorem theorem_1_as_printed :
  holds_but_for next T delta (fun xs => holds (regret_stated (loss xs) OPT (printed_number K m L (Real delta)))).
Proof.
  refine (holds_but_for_weaken next _ _ _ _ _ theorem_1_sharpened). intros xs _ B. unfold regret_stated in *.
  cbn [holds] in *.
  pose proof (sharp_below_printed K m L T S (Real delta) domain). lra.
Qed.
End Theorem1.
