(** * Lemma 6 at s = 1, on a horizon of Algorithm 1

    Paper, lem:opt_gap (line 471), widths of Algorithm 1 (line 274): C_s = sqrt(32 Km / (n_s sqrt(T)) log(2KmS/delta)), n_s = 2^s.
    The event of Lemma 6 is claimed for s = 1 too, where it says mu(pi) - mu(pi_star) <= 4 C_0 for all cyclic policies pi.
    With K = 2, m = 1, h_0 = 0, h_1 = 1 it fails, whatever is observed, as soon as 512 Km log(2KmS/delta) < sqrt(T); for
    example on the horizon of S = 9, sqrt(T) = 4 Km (2^9 - 1) = 4088, with delta = 7/10.

    The widths are real numbers here, with the axioms of the standard library. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.Lemma2 TallyPlan.Elimination TallyPlan.Lemma6.
Open Scope R_scope.

Definition reals : numbers.
Proof.
  refine (Numbers R Rplus Rle IZR Rle_refl Rle_trans _ Rplus_comm _ Rplus_0_r plus_IZR IZR_le).
  - intros. now apply Rplus_le_compat.
  - intros. symmetry. apply Rplus_assoc.
Defined.

(** C_s, with lg for log(2KmS/delta). *)
Definition confidence_width (K m L : nat) (lg : R) (s : nat) : R := sqrt (32 * INR (K * m) / (2 ^ s * INR L) * lg).

Lemma narrow_at_0 K m L lg : (0 < K * m)%nat -> (0 < L)%nat -> 0 <= lg -> 512 * INR (K * m) * lg < INR L ->
  4 * confidence_width K m L lg 0 < 1.
Proof.
  intros HK HL PL N. unfold confidence_width. cbn [pow]. assert (P : 0 < INR L) by now apply lt_0_INR.
  assert (PK : 0 < INR (K * m)) by now apply lt_0_INR.
  enough (sqrt (32 * INR (K * m) / (1 * INR L) * lg) < 1 / 4) by lra.
  replace (1 / 4) with (sqrt (1 / 4 * (1 / 4))) by (apply sqrt_square; lra). apply sqrt_lt_1; [| lra |].
  - apply Rmult_le_pos; [|exact PL]. apply Rlt_le, Rdiv_lt_0_compat; lra.
  - apply (Rmult_lt_reg_r (16 * INR L)); [lra|].
    replace (32 * INR (K * m) / (1 * INR L) * lg * (16 * INR L)) with (512 * INR (K * m) * lg) by (field; lra). lra.
Qed.

(** Whatever is estimated and chosen, some policy of A_1 is more than 4 C_0 away from pi_star. *)
Theorem lemma6_fails_at_1_for_long_horizons L D lg estimate chosen star : (1 <= L)%nat -> (0 < D)%Z -> 0 <= lg ->
  512 * INR (2 * 1) * lg < INR L -> best_policy 2 1 (zero_and_one D) L star ->
  let width s := IZR (Z.of_nat L * D) * confidence_width 2 1 L lg s in
  exists pi, survivors reals 2 1 (zero_and_one D) L estimate chosen width 1 pi /\
    ~ at_most_above reals (times reals lemma6_factor (width 0%nat))
        (mu reals 2 1 (zero_and_one D) pi) (mu reals 2 1 (zero_and_one D) star).
Proof.
  intros HL PD PL N best width. apply lemma6_fails_at_1; [exact HL | lia | exact best|]. cbn.
  pose proof (narrow_at_0 2 1 L lg ltac:(lia) ltac:(lia) PL N) as C. unfold width.
  assert (P : 0 < IZR (Z.of_nat L * D)) by (apply IZR_lt; nia).
  apply (Rmult_lt_compat_l _ _ _ P) in C. lra.
Qed.

(** ** S = 9, sqrt(T) = 4088, delta = 7/10 *)

Lemma exp_squared c d x : 0 < c -> c < exp x -> d <= c * c -> d < exp (2 * x).
Proof.
  intros P H B. replace (2 * x) with (x + x) by lra. rewrite exp_plus. apply (Rle_lt_trans _ _ _ B).
  apply Rmult_le_0_lt_compat; lra.
Qed.

(** log(36 / 0.7) < 511/128, by eight squarings of 1 + x < exp x. *)
Lemma small_logarithm : ln (2 * INR (2 * 1) * INR 9 / (7 / 10)) < 511 / 128.
Proof.
  rewrite <- (ln_exp (511 / 128)). apply ln_increasing; [simpl; lra|].
  assert (E : 1 + 511 / 32768 < exp (511 / 32768)) by (apply exp_ineq1; lra).
  apply (exp_squared _ (103143 / 100000)) in E; [|lra | lra].
  apply (exp_squared _ (6649 / 6250)) in E; [|lra | lra].
  apply (exp_squared _ (4527 / 4000)) in E; [|lra | lra].
  apply (exp_squared _ (25617 / 20000)) in E; [|lra | lra].
  apply (exp_squared _ (164057 / 100000)) in E; [|lra | lra].
  apply (exp_squared _ (134573 / 50000)) in E; [|lra | lra].
  apply (exp_squared _ (144879 / 20000)) in E; [|lra | lra].
  apply (exp_squared _ (5247481 / 100000)) in E; [|lra | lra].
  replace (511 / 128) with (2 * (2 * (2 * (2 * (2 * (2 * (2 * (2 * (511 / 32768))))))))) by lra.
  apply (Rlt_trans _ (5247481 / 100000)); [simpl; lra | exact E].
Qed.

Theorem lemma6_fails_at_1_when_S_is_9 D estimate chosen star : (0 < D)%Z -> best_policy 2 1 (zero_and_one D) 4088 star ->
  let width s := IZR (Z.of_nat 4088 * D) * confidence_width 2 1 4088 (ln (2 * INR (2 * 1) * INR 9 / (7 / 10))) s in
  exists pi, survivors reals 2 1 (zero_and_one D) 4088 estimate chosen width 1 pi /\
    ~ at_most_above reals (times reals lemma6_factor (width 0%nat))
        (mu reals 2 1 (zero_and_one D) pi) (mu reals 2 1 (zero_and_one D) star).
Proof.
  intros PD best. apply lemma6_fails_at_1_for_long_horizons; [lia | exact PD | | | exact best].
  - rewrite <- ln_1. apply Rlt_le, ln_increasing; simpl; lra.
  - pose proof small_logarithm as S. rewrite (INR_IZR_INZ 4088). change (IZR (Z.of_nat 4088)) with 4088.
    set (lg := ln _) in *. simpl INR. lra.
Qed.
