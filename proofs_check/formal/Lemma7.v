(** * Lemma 7: the estimates of an epoch

    Paper, lem:mu_conc (line 502; proof at line 538).
    Epoch s executes, for each cell (x, y), a policy pi_sxy of A_s that meets the
    cell most often, and records n_s N_xy(pi_sxy) sqrt(T) observations of h_x(y).  If each of their means is within
    C_sxy = sqrt(kappa log(2KmS/delta) / (n_s N_xy(pi_sxy) sqrt(T))), then all estimates muhat_s(pi), pi in A_s, are within
    C_s = sqrt(kappa Km log(2KmS/delta) / (n_s sqrt(T))) of mu(pi); and the former has probability at least 1 - delta/S.

    The paper has kappa = 32; kappa = 1/2 suffices.  What is needed of the noise, and what Definition 1 omits: the mean of an
    observation given the past is h_x(y).  The epoch starts from a given past, which fixes A_s and the policies.
    Cells that no policy of A_s meets have no estimate, and none is needed.

    The real numbers of the standard library are used, with their axioms. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Elimination
    TallyPlan.OptimismEpochs
  TallyPlan.OptimismRadii TallyPlan.Hoeffding.
Import ListNotations.
Open Scope R_scope.

(** ** From cells to policies: steps (i) and (ii) of the proof *)

(** The half-width for N observations, and C_s, for lg = log(2KmS/delta). *)
Definition cell_radius (kappa lg : R) (N : nat) : R := sqrt (kappa * lg / INR N).
Definition policy_width (kappa lg : R) (K m L n : nat) : R := sqrt (kappa * INR (K * m) / (INR n * INR L) * lg).

Lemma periods_have_L_cells K m pi : (0 < m)%nat -> Forall (fun a => (a < K)%nat) pi ->
  over _ (fun c => N m pi (fst c) (snd c)) (cells K m) = length pi.
Proof.
  intros M V. apply Nat2Z.inj. unfold cells. rewrite over_cells. cbn [fst snd].
  transitivity (total (tallying K m (fun _ _ => 1%Z)) (rev pi) pi).
  - rewrite total_by_counts by assumption. apply sum_ext. intros x _. apply sum_ext. intros y _. unfold N. lia.
  - generalize (rev pi). clear V. induction pi as [|a pi IH]; intros past; [reflexivity|]. cbn [total length].
    rewrite IH, loss_tallying by assumption. lia.
Qed.

Section Estimates.
Variables (K m : nat) (h : nat * nat -> R) (estimate : nat * nat -> R) (L n : nat) (kappa lg : R).
Variable most : nat * nat -> nat.                   (* sqrt(T) N_xy(pi_sxy) *)

(** mu(pi) and muhat_s(pi). *)
Definition true_mean (pi : list nat) : R := Rover (fun c => INR (N m pi (fst c) (snd c)) / INR L * h c) (cells K m).
Definition estimated_mean (pi : list nat) : R := Rover (fun c => INR (N m pi (fst c) (snd c)) / INR L * estimate c) (cells K m).

Lemma Rover_abs {A} (f g : A -> R) l : Rabs (Rover f l - Rover g l) <= Rover (fun c => Rabs (f c - g c)) l.
Proof.
  induction l as [|c l IH]; cbn [Rover]; [rewrite Rminus_0_r, Rabs_R0; lra|].
  replace (f c + Rover f l - (g c + Rover g l)) with (f c - g c + (Rover f l - Rover g l)) by lra.
  pose proof (Rabs_triang (f c - g c) (Rover f l - Rover g l)). lra.
Qed.

(** Step (i): N / sqrt(N_max) <= sqrt(N). *)
Lemma step_i k M : (k <= M)%nat -> INR k * / sqrt (INR M) <= sqrt (INR k).
Proof.
  intros H. destruct k as [|k]; [simpl INR; rewrite sqrt_0; lra|]. set (x := INR (S k)).
  assert (P : 0 < x) by (apply lt_0_INR; lia). assert (Q : x <= INR M) by (apply le_INR; lia).
  assert (R1 : 0 < sqrt x) by now apply sqrt_lt_R0. assert (R2 : sqrt x <= sqrt (INR M)) by (apply sqrt_le_1; lra).
  apply (Rmult_le_reg_r (sqrt (INR M))); [lra|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite <- (sqrt_sqrt x) at 1 by lra. apply Rmult_le_compat_l; lra.
Qed.

Theorem lemma7_subset pi : (0 < m)%nat -> (0 < L)%nat -> (0 < n)%nat -> 0 <= kappa -> 0 <= lg ->
  plays (tallying K m (fun _ _ => 0%Z)) L pi ->
  (forall c, In c (cells K m) -> (N m pi (fst c) (snd c) <= most c)%nat) ->
  (forall c, In c (cells K m) -> (0 < most c)%nat -> Rabs (h c - estimate c) <= cell_radius kappa lg (n * most c)) ->
  Rabs (estimated_mean pi - true_mean pi) <= policy_width kappa lg K m L n.
Proof.
  intros M PL PN PK PG [LP V] argmax close. unfold estimated_mean, true_mean.
  assert (QL : 0 < INR L) by now apply lt_0_INR. assert (QN : 0 < INR n) by now apply lt_0_INR.
  apply (Rle_trans _ _ _ (Rover_abs _ _ _)). set (r := sqrt (kappa * lg / INR n)).
  apply (Rle_trans _ (Rover (fun c => r / INR L * sqrt (INR (N m pi (fst c) (snd c)))) (cells K m))).
  - apply Rover_le. intros c I. set (k := N m pi (fst c) (snd c)). specialize (argmax c I). fold k in argmax.
    replace (INR k / INR L * estimate c - INR k / INR L * h c) with (INR k / INR L * - (h c - estimate c)) by lra.
    rewrite Rabs_mult, Rabs_Ropp.
    assert (P : 0 <= INR k / INR L) by (apply Rmult_le_pos; [apply pos_INR | left; now apply Rinv_0_lt_compat]).
    rewrite (Rabs_pos_eq _ P). destruct (Nat.eq_dec k 0) as [->|NZ].
    + simpl INR. rewrite sqrt_0. lra.
    + specialize (close c I ltac:(lia)). assert (QM : 0 < INR (most c)) by (apply lt_0_INR; lia).
      unfold cell_radius in close. rewrite mult_INR in close.
      replace (kappa * lg / (INR n * INR (most c))) with (kappa * lg / INR n / INR (most c)) in close by (field; lra).
      rewrite sqrt_div_alt in close by exact QM. fold r in close. pose proof (step_i k (most c) argmax) as S.
      assert (R0 : 0 <= r) by apply sqrt_pos. apply (Rmult_le_compat_l _ _ _ P) in close. apply (Rle_trans _ _ _ close).
      replace (INR k / INR L * (r / sqrt (INR (most c)))) with (r / INR L * (INR k * / sqrt (INR (most c)))).
      2:{ field. split; [|lra]. pose proof (sqrt_lt_R0 _ QM). lra. }
      apply Rmult_le_compat_l; [|exact S]. apply Rmult_le_pos; [exact R0 | left; now apply Rinv_0_lt_compat].
  - rewrite Rover_scale. pose proof (sum_of_roots (fun c => N m pi (fst c) (snd c)) (cells K m)) as S.
    rewrite periods_have_L_cells, LP in S by assumption. unfold cells in S at 2. rewrite prod_length, !seq_length in S.
    assert (R0 : 0 <= r / INR L) by (apply Rmult_le_pos; [apply sqrt_pos | left; now apply Rinv_0_lt_compat]).
    apply (Rmult_le_compat_l _ _ _ R0) in S. apply (Rle_trans _ _ _ S). right.
    assert (KM : 0 <= INR (K * m)) by apply pos_INR.
    rewrite sqrt_mult_alt by exact KM. unfold r, policy_width.
    replace (kappa * INR (K * m) / (INR n * INR L) * lg) with (INR (K * m) * (kappa * lg / INR n) * / INR L) by (field; lra).
    assert (P1 : 0 <= kappa * lg / INR n) by (apply Rmult_le_pos; [now apply Rmult_le_pos | left; now apply Rinv_0_lt_compat]).
    rewrite sqrt_mult_alt by (now apply Rmult_le_pos). rewrite sqrt_mult_alt by exact KM. rewrite sqrt_inv.
    pose proof (sqrt_sqrt (INR L) ltac:(lra)) as SL. pose proof (sqrt_lt_R0 _ QL) as PS. set (s := sqrt (INR L)) in *.
    rewrite <- SL. field. lra.
Qed.

End Estimates.

(** What is recorded: in the latter n of 2n periods of a policy each cell is met n N_xy sqrt(T) times, whatever was played
    before. *)
Theorem recorded_in_latter_half m x y pi n past : (0 < m)%nat -> (m <= lemma2_exact (length pi))%nat -> (1 <= n)%nat ->
  count m x y (after past (repeated n pi)) (repeated n pi) = (n * N m pi x y)%nat.
Proof.
  intros M X P. assert (G : forall j, count m x y (after past (repeated n pi)) (repeated j pi) = (j * N m pi x y)%nat).
  { induction j as [|j IH]; [reflexivity|]. rewrite repeated_S', count_app, IH, <- after_app, <- repeated_add.
    pose proof (lemma2 m (length pi) M X pi x y (n + j)%nat 1%nat past [] eq_refl ltac:(lia) ltac:(lia)) as E.
    unfold period_count in E. rewrite E. unfold N, after. rewrite app_nil_r. change (repeated 1 pi) with (pi ++ []).
    rewrite app_nil_r. lia. }
  apply G.
Qed.

(** ** The probability *)

Section Epoch.
Variables (K m n : nat) (h : nat * nat -> R) (lg : R).
Variable next : list R -> distribution.             (* the next observation of the epoch, given the earlier ones *)
Hypothesis next_proper : forall past, Hoeffding.proper (next past).
Variable recorded : nat * nat -> list R -> bool.    (* is the next observation recorded for this cell? *)
Hypothesis mean_given_past : forall c past, recorded c past = true -> mean (next past) = h c.
Variable most : nat * nat -> nat.
Variable steps : nat.                               (* the epoch has so many, T_s *)

(** n_s N_xy(pi_sxy) sqrt(T) observations are recorded for each cell. *)
Hypothesis number_recorded : forall c xs, In c (cells K m) -> length xs = steps -> counted (recorded c) xs = (n * most c)%nat.

(** The recorded observations of a cell, summed up, and their mean. *)
Fixpoint recorded_sum (c : nat * nat) (past : list R) : R :=
  match past with [] => 0 | v :: r => (if recorded c r then v else 0) + recorded_sum c r end.
Definition cell_estimate (xs : list R) (c : nat * nat) : R := recorded_sum c xs / INR (n * most c).

Lemma deviation_of_sum c xs : deviation (recorded c) (h c) xs = recorded_sum c xs - INR (counted (recorded c) xs) * h c.
Proof.
  induction xs as [|v xs IH]; [simpl; lra|]. cbn [deviation recorded_sum counted]. rewrite IH, plus_INR.
  destruct (recorded c xs); simpl (INR 1); simpl (INR 0); lra.
Qed.

(** 1 if the mean of some cell is off by the radius or more, else 0. *)
Fixpoint some_cell_off (l : list (nat * nat)) (xs : list R) : R :=
  match l with
  | [] => 0
  | c :: r => Rmax (if Nat.eq_dec (most c) 0 then 0
                    else deviates (recorded c) (h c) (n * most c) (INR (n * most c) * sqrt (lg / (2 * INR (n * most c)))) xs)
                   (some_cell_off r xs)
  end.

Lemma off_or_not l xs : 0 <= some_cell_off l xs.
Proof. induction l as [|c l IH]; cbn [some_cell_off]; [lra | apply (Rle_trans _ _ _ IH), Rmax_r]. Qed.

Theorem cells_off_seldom l : (0 < n)%nat -> 0 < lg -> expect next steps [] (some_cell_off l) <= INR (length l) * (2 * exp (- lg)).
Proof.
  intros PN PL. induction l as [|c l IH].
  - cbn [some_cell_off length INR]. rewrite Rmult_0_l. right.
    pose proof (expect_linear next steps 0 0 (fun _ => 0) (fun _ => 0) []) as E. cbv beta in E.
    replace (0 * 0 + 0 * 0) with 0 in E by lra. lra.
  - set (f := fun xs => if Nat.eq_dec (most c) 0 then 0
                        else deviates (recorded c) (h c) (n * most c) (INR (n * most c) * sqrt (lg / (2 * INR (n * most c)))) xs).
    apply (Rle_trans _ (expect next steps [] (fun xs => 1 * f xs + 1 * some_cell_off l xs))).
    + apply expect_le; [exact next_proper|]. intros xs. cbn [some_cell_off]. fold (f xs). pose proof (off_or_not l xs) as P.
      assert (F : 0 <= f xs).
      { unfold f. destruct (Nat.eq_dec (most c) 0); [lra|]. unfold deviates. destruct (le_dec _ _); [|lra].
        destruct (Rle_dec _ _); lra. }
      unfold Rmax. destruct (Rle_dec (f xs) (some_cell_off l xs)); lra.
    + rewrite expect_linear. assert (B : expect next steps [] f <= 2 * exp (- lg)).
      { unfold f. destruct (Nat.eq_dec (most c) 0) as [Z|NZ].
        - pose proof (expect_linear next steps 0 0 (fun _ => 0) (fun _ => 0) []) as E. cbv beta in E.
          replace (0 * 0 + 0 * 0) with 0 in E by lra. pose proof (exp_pos (- lg)). lra.
        - apply hoeffding_radius; [exact next_proper | intros past; apply mean_given_past | nia | exact PL]. }
      change (length (c :: l)) with (S (length l)). rewrite S_INR. lra.
Qed.

(** Where no cell is off, every cell is within its radius. *)
Lemma no_cell_off l xs c : length xs = steps -> (0 < n)%nat -> (forall c, In c l -> In c (cells K m)) ->
  some_cell_off l xs < 1 -> In c l ->
  (0 < most c)%nat -> Rabs (h c - cell_estimate xs c) <= cell_radius (1 / 2) lg (n * most c).
Proof.
  intros LX PN SUB. induction l as [|d l IH]; [intros _ []|]. intros B I P. cbn [some_cell_off] in B.
  set (a := if Nat.eq_dec (most d) 0 then 0 else _) in B.
  pose proof (Rmax_l a (some_cell_off l xs)). pose proof (Rmax_r a (some_cell_off l xs)).
  destruct I as [->|I]; [|apply IH; [intros; apply SUB; now right | lra | exact I | exact P]].
  pose proof (number_recorded c xs (SUB c (or_introl eq_refl)) LX) as NR.
  subst a. destruct (Nat.eq_dec (most c) 0); [lia|]. unfold deviates in *. unfold cell_estimate. rewrite NR in *.
  assert (PK : 0 < INR (n * most c)) by (apply lt_0_INR; nia). revert NR PK H H0 B. generalize (n * most c)%nat as k.
  intros k NR PK H H0 B. destruct (le_dec k k); [|lia].
  destruct (Rle_dec _ (Rabs (deviation (recorded c) (h c) xs))) as [|F]; [lra|]. apply Rnot_le_lt in F.
  rewrite deviation_of_sum, NR in F. unfold cell_radius. replace (1 / 2 * lg / INR k) with (lg / (2 * INR k)) by (field; lra).
  apply (Rmult_le_reg_l (INR k)); [exact PK|]. left.
  replace (INR k * Rabs (h c - recorded_sum c xs / INR k)) with (Rabs (recorded_sum c xs - INR k * h c)); [exact F|].
  rewrite <- (Rabs_pos_eq (INR k)) at 2 by lra. rewrite <- Rabs_mult, <- Rabs_Ropp. f_equal. field. lra.
Qed.

End Epoch.
