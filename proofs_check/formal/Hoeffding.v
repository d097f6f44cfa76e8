(** * Hoeffding's inequality on finite probability spaces

    Used by the paper at line 542 (Lemma 7), quoted there.  Observations lie in [0,1]; given all earlier ones, the next one
    has some distribution with finitely many values.  Of the observations whose mean given the past is h, those that a
    rule counts (the rule sees the past only), at most N of them: the probability that their sum differs from its mean by
    a or more is at most 2 exp(-2 a^2 / N).

    The real numbers of the standard library are used, with their axioms. *)

Require Import List Lia Arith Reals Lra.
Import ListNotations.
Open Scope R_scope.

(** ** Finite distributions *)

(** Pairs of a probability and a value. *)
Definition distribution := list (R * R).

Fixpoint expectation (d : distribution) (f : R -> R) : R :=
  match d with
  | [] => 0
  | (p, v) :: r => p * f v + expectation r f
  end.

Definition proper (d : distribution) : Prop :=
  Forall (fun pv => 0 <= fst pv /\ 0 <= snd pv <= 1) d /\ expectation d (fun _ => 1) = 1.

Definition mean (d : distribution) : R := expectation d (fun v => v).

Lemma expectation_le d f g : Forall (fun pv => 0 <= fst pv /\ 0 <= snd pv <= 1) d ->
  (forall v, 0 <= v <= 1 -> f v <= g v) -> expectation d f <= expectation d g.
Proof.
  intros F H. induction F as [|[p v] d [P V] F IH]; [simpl; lra|]. cbn [expectation fst snd] in *. specialize (H v V).
  assert (p * f v <= p * g v) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma expectation_linear d a b f g : expectation d (fun v => a * f v + b * g v) = a * expectation d f + b * expectation d g.
Proof. induction d as [|[p v] d IH]; cbn [expectation]; [lra | rewrite IH; lra]. Qed.

Lemma expectation_ext d f g : (forall v, f v = g v) -> expectation d f = expectation d g.
Proof. intros H. induction d as [|[p v] d IH]; cbn [expectation]; [reflexivity | now rewrite H, IH]. Qed.

Lemma mean_bounds d : proper d -> 0 <= mean d <= 1.
Proof.
  intros [F E]. split.
  - replace 0 with (expectation d (fun _ => 0 * 1 + 0 * 1)) by (rewrite expectation_linear; lra).
    apply expectation_le; [exact F | intros; lra].
  - rewrite <- E. apply expectation_le; [exact F | intros; lra].
Qed.

(** ** Hoeffding's lemma *)

Lemma exp_above_line x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|N]; [rewrite exp_0; lra | left; now apply exp_ineq1]. Qed.

Lemma exp_monotone x y : x <= y -> exp x <= exp y.
Proof. intros [H|<-]; [left; now apply exp_increasing | right; reflexivity]. Qed.

(** exp lies below its chord over [0, l]. *)
Lemma exp_below_chord l v : 0 <= v <= 1 -> exp (l * v) <= 1 - v + v * exp l.
Proof.
  intros V. set (a := l * v). pose proof (exp_pos a) as P.
  assert (A : exp a * (1 - a) <= 1).
  { pose proof (exp_above_line (- a)) as H. apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ P)) in H.
    rewrite <- exp_plus in H. replace (a + - a) with 0 in H by lra. rewrite exp_0 in H. lra. }
  assert (B : exp a * (1 + (l - a)) <= exp l).
  { pose proof (exp_above_line (l - a)) as H. apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ P)) in H.
    rewrite <- exp_plus in H. replace (a + (l - a)) with l in H by lra. lra. }
  assert (A' : (1 - v) * (exp a * (1 - a)) <= (1 - v) * 1) by (apply Rmult_le_compat_l; lra).
  assert (B' : v * (exp a * (1 + (l - a))) <= v * exp l) by (apply Rmult_le_compat_l; lra).
  assert (E : (1 - v) * (exp a * (1 - a)) + v * (exp a * (1 + (l - a))) = exp a) by (unfold a; ring). lra.
Qed.

(** The logarithms of union bounds. *)
Lemma union_logarithm a b delta : 1 <= a -> 1 <= b -> 0 < delta < 1 -> let lg := ln (2 * a * b / delta) in
  1 / 2 <= lg /\ exp (- lg) = delta / (2 * a * b).
Proof.
  intros A B D lg. assert (1 * 1 <= a * b) by (apply Rmult_le_compat; lra). assert (X : 2 < 2 * a * b / delta).
  { apply (Rmult_lt_reg_r delta); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split; [pose proof ln_lt_2; apply ln_increasing in X; unfold lg; lra|]. unfold lg. rewrite exp_Ropp, exp_ln by lra.
  field. split; [lra|]. split; intros E; rewrite E in *; lra.
Qed.

Section Curve.
Variable u : R.
Hypothesis within : 0 <= u <= 1.

Let D (x : R) : R := 1 - u + u * exp x.
Let s (x : R) : R := u * exp x / D x.

Lemma D_pos x : 0 < D x.
Proof.
  unfold D. pose proof (exp_pos x). destruct (Req_dec u 0) as [->|N]; [lra|].
  assert (0 < u * exp x) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma u_exp_derivative x : derivable_pt_lim (fun x => u * exp x) x (u * exp x).
Proof. apply derivable_pt_lim_scal, derivable_pt_lim_exp. Qed.

Lemma D_derivative x : derivable_pt_lim D x (u * exp x).
Proof.
  replace (u * exp x) with (0 + u * exp x) by lra.
  apply (derivable_pt_lim_plus (fun _ => 1 - u) (fun x => u * exp x)); [apply derivable_pt_lim_const | apply u_exp_derivative].
Qed.

Lemma s_derivative x : derivable_pt_lim s x (s x * (1 - s x)).
Proof.
  pose proof (D_pos x) as P.
  replace (s x * (1 - s x)) with ((u * exp x * D x - u * exp x * (u * exp x)) / Rsqr (D x)).
  - apply (derivable_pt_lim_div (fun x => u * exp x) D); [apply u_exp_derivative | apply D_derivative | lra].
  - unfold s, Rsqr. field. lra.
Qed.

Lemma s_at_0 : s 0 = u.
Proof. unfold s, D. rewrite exp_0. field. lra. Qed.

Lemma s_slow x : 0 < x -> s x <= u + x / 4.
Proof.
  intros P. destruct (MVT_cor2 s (fun x => s x * (1 - s x)) 0 x P ltac:(intros; apply s_derivative)) as (c & E & _).
  rewrite s_at_0 in E. assert (Q : s c * (1 - s c) <= 1 / 4).
  { pose proof (Rle_0_sqr (s c - 1 / 2)) as S. unfold Rsqr in S. lra. }
  apply (Rmult_le_compat_r x) in Q; lra.
Qed.

Lemma ln_D_slow x : 0 < x -> ln (D x) <= u * x + x * x / 8.
Proof.
  intros P. set (G := fun x => ln (D x) - (u * x + / 8 * (x * x))).
  assert (DG : forall c, 0 <= c <= x -> derivable_pt_lim G c (s c - (u * 1 + / 8 * (1 * c + c * 1)))).
  { intros c _. apply (derivable_pt_lim_minus (fun x => ln (D x)) (fun x => u * x + / 8 * (x * x))).
    - replace (s c) with (/ D c * (u * exp c)) by (unfold s; field; pose proof (D_pos c); lra).
      apply (derivable_pt_lim_comp D ln); [apply D_derivative | apply derivable_pt_lim_ln, D_pos].
    - apply (derivable_pt_lim_plus (fun x => u * x) (fun x => / 8 * (x * x))).
      + apply (derivable_pt_lim_scal (fun x => x)), derivable_pt_lim_id.
      + apply (derivable_pt_lim_scal (fun x => x * x)), (derivable_pt_lim_mult (fun x => x) (fun x => x));
          apply derivable_pt_lim_id. }
  destruct (MVT_cor2 G _ 0 x P DG) as (c & E & C).
  assert (Z0 : G 0 = 0) by (unfold G, D; rewrite exp_0; replace (1 - u + u * 1) with 1 by lra; rewrite ln_1; lra).
  rewrite Z0 in E. pose proof (s_slow c (proj1 C)) as S.
  assert (N : (s c - (u * 1 + / 8 * (1 * c + c * 1))) * (x - 0) <= 0 * (x - 0)) by (apply Rmult_le_compat_r; lra).
  unfold G in E. lra.
Qed.

Lemma two_points_upward x : 0 < x -> 1 - u + u * exp x <= exp (u * x + x * x / 8).
Proof. intros P. rewrite <- (exp_ln (1 - u + u * exp x)) by apply D_pos. apply exp_monotone. now apply ln_D_slow. Qed.

End Curve.

(** A variable that is 1 with probability u and 0 otherwise. *)
Lemma two_points u x : 0 <= u <= 1 -> 1 - u + u * exp x <= exp (u * x + x * x / 8).
Proof.
  intros U. destruct (Rtotal_order 0 x) as [P|[<-|N]]; [now apply two_points_upward | |].
  - rewrite exp_0. replace (u * 0 + 0 * 0 / 8) with 0 by lra. rewrite exp_0. lra.
  - pose proof (two_points_upward (1 - u) ltac:(lra) (- x) ltac:(lra)) as H.
    apply (Rmult_le_compat_l (exp x)) in H; [|left; apply exp_pos]. rewrite <- exp_plus in H.
    replace (exp x * (1 - (1 - u) + (1 - u) * exp (- x))) with (u * exp x + (1 - u) * (exp x * exp (- x))) in H by ring.
    rewrite <- exp_plus in H. replace (x + - x) with 0 in H by lra. rewrite exp_0 in H.
    replace (x + ((1 - u) * - x + - x * - x / 8)) with (u * x + x * x / 8) in H by lra. lra.
Qed.

Theorem hoeffding_lemma d l : proper d -> expectation d (fun v => exp (l * (v - mean d))) <= exp (l * l / 8).
Proof.
  intros P. pose proof (mean_bounds d P) as B. destruct P as [F E]. set (u := mean d) in *.
  assert (C : expectation d (fun v => exp (l * (v - u))) <= expectation d (fun v => exp (- (l * u)) * 1 + exp (- (l * u)) *
      (exp l - 1) * v)).
  { apply expectation_le; [exact F|]. intros v V. replace (l * (v - u)) with (- (l * u) + l * v) by lra. rewrite exp_plus.
    pose proof (exp_below_chord l v V) as H. apply (Rmult_le_compat_l (exp (- (l * u)))) in H; [|left; apply exp_pos]. lra. }
  rewrite (expectation_linear d (exp (- (l * u))) (exp (- (l * u)) * (exp l - 1)) (fun _ => 1) (fun v => v)), E in C.
  fold (mean d) in C. fold u in C.
  apply (Rle_trans _ _ _ C). pose proof (two_points u l B) as T.
  apply (Rmult_le_compat_l (exp (- (l * u)))) in T; [|left; apply exp_pos]. rewrite <- exp_plus in T.
  replace (- (l * u) + (u * l + l * l / 8)) with (l * l / 8) in T by lra. lra.
Qed.

(** ** Games: the next observation given the past ones *)

Section Game.
Variable next : list R -> distribution.             (* given the observations so far, latest first *)
Hypothesis next_proper : forall past, proper (next past).

(** The expectation of f over n further observations. *)
Fixpoint expect (n : nat) (past : list R) (f : list R -> R) : R :=
  match n with
  | O => f past
  | S k => expectation (next past) (fun v => expect k (v :: past) f)
  end.

Lemma expect_le n f g : (forall past, f past <= g past) -> forall past, expect n past f <= expect n past g.
Proof.
  intros H. induction n as [|n IH]; intros past; [apply H|]. cbn [expect]. apply expectation_le; [apply next_proper|].
  intros v _. apply IH.
Qed.

Lemma expect_linear n a b f g : forall past,
  expect n past (fun xs => a * f xs + b * g xs) = a * expect n past f + b * expect n past g.
Proof.
  induction n as [|n IH]; intros past; [reflexivity|]. cbn [expect]. rewrite <- expectation_linear. apply expectation_ext.
  intros v. apply IH.
Qed.

Lemma expect_one n : forall past, expect n past (fun _ => 1) = 1.
Proof.
  induction n as [|n IH]; intros past; [reflexivity|]. cbn [expect].
  rewrite (expectation_ext _ _ (fun _ => 1)) by (intros; apply IH).
  apply next_proper.
Qed.

(** After n observations, [good] holds except with probability delta: where it fails, a nonnegative function of
    expectation at most delta is 1 or more. *)
Definition holds_but_for (n : nat) (delta : R) (good : list R -> Prop) : Prop :=
  exists off, (forall xs, 0 <= off xs) /\ (forall xs, length xs = n -> good xs \/ 1 <= off xs) /\ expect n [] off <= delta.

Lemma expect_le_later n f g : forall past, (forall xs, length xs = (n + length past)%nat -> f xs <= g xs) ->
  expect n past f <= expect n past g.
Proof.
  induction n as [|n IH]; intros past H; [now apply H|]. cbn [expect]. apply expectation_le; [apply next_proper|].
  intros v _. apply IH. intros xs L. apply H. simpl in *. lia.
Qed.

Lemma holds_but_for_weaken n delta (good good' : list R -> Prop) : (forall xs, length xs = n -> good xs -> good' xs) ->
  holds_but_for n delta good -> holds_but_for n delta good'.
Proof.
  intros H (off & P & B & E). exists off. split; [exact P|]. split; [|exact E].
  intros xs L. destruct (B xs L) as [G|G]; [left; now apply H | now right].
Qed.

Section Counted.
Variable counts : list R -> bool.                   (* does the next observation count? *)
Variable h : R.
Hypothesis same_mean : forall past, counts past = true -> mean (next past) = h.

(** The number of observations that counted, and the sum of their deviations. *)
Fixpoint counted (past : list R) : nat := match past with [] => 0 | _ :: r => (if counts r then 1 else 0) + counted r end.
Fixpoint deviation (past : list R) : R := match past with [] => 0 | v :: r => (if counts r then v - h else 0) + deviation r end.

Lemma supermartingale l n : forall past,
  expect n past (fun xs => exp (l * deviation xs - l * l / 8 * INR (counted xs)))
  <= exp (l * deviation past - l * l / 8 * INR (counted past)).
Proof.
  induction n as [|n IH]; intros past; [cbn [expect]; lra|]. cbn [expect].
  set (c := l * deviation past - l * l / 8 * INR (counted past)).
  apply (Rle_trans _ (expectation (next past) (fun v => exp (l * deviation (v :: past) - l * l / 8 * INR (counted (v ::
      past)))))).
  { apply expectation_le; [apply next_proper | intros v _; apply IH]. }
  cbn [deviation counted]. destruct (counts past) eqn:Y.
  - rewrite (expectation_ext _ _ (fun v => exp (c - l * l / 8) * exp (l * (v - mean (next past))) + 0 * 1)).
    + rewrite expectation_linear. pose proof (hoeffding_lemma (next past) l (next_proper past)) as H.
      apply (Rmult_le_compat_l (exp (c - l * l / 8))) in H; [|left; apply exp_pos]. rewrite <- exp_plus in H.
      replace (c - l * l / 8 + l * l / 8) with c in H by lra. lra.
    + intros v. rewrite (same_mean past Y), <- exp_plus, plus_INR. simpl (INR 1). rewrite Rmult_0_l, Rplus_0_r. f_equal.
      unfold c. lra.
  - rewrite (expectation_ext _ _ (fun v => exp c * 1 + 0 * 1)).
    + rewrite (expectation_linear _ (exp c) 0 (fun _ => 1) (fun _ => 1)), (proj2 (next_proper past)). lra.
    + intros v. rewrite Rmult_1_r, Rmult_0_l, Rplus_0_r. f_equal. rewrite Nat.add_0_l. unfold c. lra.
Qed.

(** 1 where at most N observations counted and their deviations have sum a or more in absolute value, else 0. *)
Definition deviates (N : nat) (a : R) (xs : list R) : R :=
  if le_dec (counted xs) N then if Rle_dec a (Rabs (deviation xs)) then 1 else 0 else 0.

Theorem hoeffding n N a : (0 < N)%nat -> 0 < a -> expect n [] (deviates N a) <= 2 * exp (- (2 * (a * a) / INR N)).
Proof.
  intros PN PA. assert (P : 0 < INR N) by now apply lt_0_INR. set (l := 4 * a / INR N).
  assert (PL : 0 < l) by (apply Rdiv_lt_0_compat; lra). set (c := exp (- (2 * (a * a) / INR N))).
  apply (Rle_trans _ (expect n [] (fun xs => c * exp (l * deviation xs - l * l / 8 * INR (counted xs))
                                           + c * exp (- l * deviation xs - - l * - l / 8 * INR (counted xs))))).
  - apply expect_le. intros xs. unfold deviates.
    assert (Z : 0 < c * exp (l * deviation xs - l * l / 8 * INR (counted xs)) /\
                0 < c * exp (- l * deviation xs - - l * - l / 8 * INR (counted xs)))
      by (split; apply Rmult_lt_0_compat; apply exp_pos).
    destruct (le_dec (counted xs) N) as [C|_]; [|lra]. destruct (Rle_dec a (Rabs (deviation xs))) as [B|_]; [|lra].
    apply le_INR in C.
    assert (large : forall y, a <= y -> 1 <= c * exp (l * y - l * l / 8 * INR (counted xs))).
    { intros y Y. unfold c. rewrite <- exp_plus, <- exp_0. apply exp_monotone.
      assert (l * a <= l * y) by (apply Rmult_le_compat_l; lra).
      assert (Q : 0 <= l * l / 8) by (pose proof (Rle_0_sqr l); unfold Rsqr in *; lra).
      assert (l * l / 8 * INR (counted xs) <= l * l / 8 * INR N) by (apply Rmult_le_compat_l; lra).
      assert (E : l * a - l * l / 8 * INR N = 2 * (a * a) / INR N) by (unfold l; field; lra). lra. }
    unfold Rabs in B. destruct (Rcase_abs (deviation xs)).
    + specialize (large (- deviation xs) B). replace (l * - deviation xs) with (- l * deviation xs) in large by lra.
      replace (- l * - l) with (l * l) by lra. replace (- l * - l) with (l * l) in Z by lra. lra.
    + specialize (large (deviation xs) B). lra.
  - rewrite expect_linear. pose proof (supermartingale l n []) as S1. pose proof (supermartingale (- l) n []) as S2.
    cbn [deviation counted INR] in S1, S2. rewrite !Rmult_0_r, Rminus_0_r, exp_0 in S1.
    rewrite !Rmult_0_r, Rminus_0_r, exp_0 in S2.
    assert (PC : 0 < c) by apply exp_pos.
    apply (Rmult_le_compat_l c) in S1; [|lra]. apply (Rmult_le_compat_l c) in S2; [|lra]. lra.
Qed.

(** With the radius sqrt(lg/(2N)) for the mean of N observations: probability at most 2 exp(-lg). *)
Corollary hoeffding_radius n N lg : (0 < N)%nat -> 0 < lg ->
  expect n [] (deviates N (INR N * sqrt (lg / (2 * INR N)))) <= 2 * exp (- lg).
Proof.
  intros PN PL. assert (P : 0 < INR N) by now apply lt_0_INR. assert (Q : 0 < lg / (2 * INR N)) by (apply Rdiv_lt_0_compat; lra).
  pose proof (hoeffding n N (INR N * sqrt (lg / (2 * INR N))) PN) as H.
  replace (2 * (INR N * sqrt (lg / (2 * INR N)) * (INR N * sqrt (lg / (2 * INR N)))) / INR N) with lg in H.
  - apply H. apply Rmult_lt_0_compat; [exact P | now apply sqrt_lt_R0].
  - pose proof (sqrt_sqrt (lg / (2 * INR N)) ltac:(lra)) as S. set (r := sqrt _) in *.
    replace (INR N * r * (INR N * r)) with (INR N * INR N * (r * r)) by ring. rewrite S. field. lra.
Qed.

End Counted.
End Game.
