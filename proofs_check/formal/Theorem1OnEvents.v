(** * Theorem 1, repaired and sharpened, on the events of Lemma 7

    Paper, thm:upper (line 302; proof at line 391), with Lemma 4 (line 405).  Algorithm 1 plays S epochs; epoch s executes Km
    policies of A_s for 2 n_s = 2^{s+1} periods each.  The schedule fits the horizon exactly if sqrt(T) = 4Km (2^S - 1) with an
    integer S >= 1, which the paper does not say; then m <= sqrt(T).  On the events B_1, ..., B_S, with L = sqrt(T),
    lg = log(2KmS/delta) and widths C_s = sqrt(kappa Km lg / (n_s L)):

        CPR <= 8 (1 + sqrt 2) sqrt(kappa lg) Km L + 4 Km L + (S-1) Km (m-1) + (m-1) L.

    For the paper's kappa = 32 the first factor is 32 (2 + sqrt 2) = 109.25...; kappa = 1/2 suffices for Lemma 7 and makes it
    4 (2 + sqrt 2) = 13.65...

    The real numbers of the standard library are used, with their axioms. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Lemma3 TallyPlan.Elimination
  TallyPlan.Lemma6AtOne TallyPlan.Lemma5.
Import ListNotations.
Open Scope R_scope.

Lemma times_reals n (x : R) : times reals n x = INR n * x.
Proof. induction n as [|n IH]; [cbn; lra|]. cbn [times]. rewrite IH, S_INR. cbn. lra. Qed.

(** sqrt(2)^i, i = 1, ..., j, add up to (1 + sqrt 2)(sqrt(2)^(j+1) - sqrt 2). *)
Definition root2 : R := sqrt 2.
Definition geometric (j : nat) : R := (1 + root2) * (root2 ^ (j + 1) - root2).

Lemma root2_squared : root2 * root2 = 2.
Proof. apply sqrt_sqrt. lra. Qed.

Lemma root2_above_1 : 1 < root2.
Proof. unfold root2. rewrite <- sqrt_1. apply sqrt_lt_1; lra. Qed.

Lemma geometric_step j : geometric (S j) = geometric j + root2 ^ (j + 1).
Proof.
  unfold geometric. replace (S j + 1)%nat with (S (j + 1)) by lia. cbn [pow]. pose proof root2_squared as E.
  replace ((1 + root2) * (root2 * root2 ^ (j + 1) - root2))
    with (root2 * root2 * root2 ^ (j + 1) + root2 * root2 ^ (j + 1) - (1 + root2) * root2) by ring.
  rewrite E. ring.
Qed.

Section Theorem1.

Variables (K m : nat) (h : nat -> nat -> Z) (D : Z) (L S : nat) (kappa lg : R).
Variable estimate : nat -> list nat -> R.
Variable chosen : nat -> list nat.
Variable policies : nat -> list (list nat).         (* what epoch s executes *)
Hypothesis some_action : (0 < K)%nat.
Hypothesis some_memory : (0 < m)%nat.
Hypothesis positive : (0 < D)%Z.
Hypothesis losses : table_within K m h D.
Hypothesis some_epoch : (1 <= S)%nat.
Hypothesis horizon : L = (4 * (K * m) * (2 ^ S - 1))%nat.
Hypothesis kappa_pos : 0 <= kappa.
Hypothesis lg_pos : 0 <= lg.

(** C_s, and C_s times L D. *)
Definition radius (s : nat) : R := sqrt (kappa * INR (K * m) / (2 ^ s * INR L) * lg).
Definition width (s : nat) : R := IZR (Z.of_nat L * D) * radius s.

(** What Algorithm 1 plays. *)
Definition algorithm1 : list nat := flat_map (fun s => epoch (2 ^ s) (policies s)) (seq 1 S).

Definition executes (s : nat) : Prop :=
  length (policies s) = (K * m)%nat /\ Forall (survivors reals K m h L estimate chosen width s) (policies s).

Lemma horizon_pos : (0 < L)%nat.
Proof.
  rewrite horizon. assert (2 ^ 1 <= 2 ^ S)%nat by (apply Nat.pow_le_mono_r; lia). simpl in H. assert (0 < K * m)%nat by nia. nia.
Qed.

Lemma memory_fits : (m <= lemma2_exact L)%nat.
Proof.
  unfold lemma2_exact. rewrite horizon. assert (2 ^ 1 <= 2 ^ S)%nat by (apply Nat.pow_le_mono_r; lia). simpl in H.
  assert (m <= K * m)%nat by nia. nia.
Qed.

Lemma epoch_plays s : executes s -> plays (tallying K m h) (K * m * (2 * 2 ^ s) * L) (epoch (2 ^ s) (policies s)).
Proof.
  intros [E F]. rewrite <- E. clear E. induction F as [|pi ps P F IH]; [split; [reflexivity | constructor]|].
  change (epoch (2 ^ s) (pi :: ps)) with (repeated (2 * 2 ^ s) pi ++ epoch (2 ^ s) ps).
  apply (survivors_are_policies reals) in P as [LP V].
  replace (length (pi :: ps) * (2 * 2 ^ s) * L)%nat with (2 * 2 ^ s * L + length ps * (2 * 2 ^ s) * L)%nat by (cbn [length]; lia).
  apply plays_app; [|exact IH]. split; [now rewrite length_repeated, LP | now apply valid_repeated].
Qed.

(** 2^s C_{s-1} = 2 C sqrt(2)^(s-1). *)
Definition unit_width : R := IZR (Z.of_nat L * D) * sqrt (kappa * INR (K * m) / INR L * lg).

Lemma width_of j : 2 ^ (j + 2) * width (j + 1) = 2 * unit_width * root2 ^ (j + 1).
Proof.
  assert (PL : 0 < INR L) by (apply lt_0_INR, horizon_pos). assert (R1 : 0 < root2) by (pose proof root2_above_1; lra).
  assert (P2 : forall i, 2 ^ i = root2 ^ i * root2 ^ i) by (intros i; rewrite <- Rpow_mult_distr, root2_squared; reflexivity).
  unfold width, radius, unit_width. replace (kappa * INR (K * m) / (2 ^ (j + 1) * INR L) * lg)
    with (kappa * INR (K * m) / INR L * lg / 2 ^ (j + 1)) by (field; split; first [apply pow_nonzero; lra | lra]).
  rewrite sqrt_div_alt by (apply pow_lt; lra). rewrite (P2 (j + 1)%nat). rewrite sqrt_square by (left; now apply pow_lt).
  replace (2 ^ (j + 2)) with (2 * (root2 ^ (j + 1) * root2 ^ (j + 1))) by (rewrite <- P2;
    replace (j + 2)%nat with (Datatypes.S (j + 1)) by lia; reflexivity).
  field. apply pow_nonzero. lra.
Qed.

Definition theorem1_bound : R :=
  8 * (1 + root2) * sqrt (kappa * lg) * INR (K * m) * INR L + 4 * INR (K * m) * INR L
  + (INR S - 1) * INR (K * m) * (INR m - 1) + (INR m - 1) * INR L.

(** (sqrt(2)^S - sqrt 2) / sqrt(2^S - 1) <= 1. *)
Lemma last_step : 16 * INR (K * m) * unit_width * geometric (S - 1)
  <= IZR D * (8 * (1 + root2) * sqrt (kappa * lg) * INR (K * m) * INR L).
Proof.
  assert (PL : 0 < INR L) by (apply lt_0_INR, horizon_pos). pose proof root2_above_1 as R1. pose proof root2_squared as R2.
  assert (PK : 0 < INR (K * m)) by (apply lt_0_INR; nia). assert (PD : 0 < IZR D) by now apply IZR_lt.
  set (u := root2 ^ S). assert (U : root2 <= u).
  { unfold u. rewrite <- (pow_1 root2) at 1. apply Rle_pow; [lra | exact some_epoch]. }
  assert (U2 : u * u = 2 ^ S) by (unfold u; rewrite <- Rpow_mult_distr, R2; reflexivity).
  assert (EL : INR L = 4 * INR (K * m) * (u * u - 1)).
  { rewrite horizon, !mult_INR, minus_INR, pow_INR by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia). rewrite U2.
    replace (INR 4) with 4 by (simpl; lra). change (INR 2) with 2. change (INR 1) with 1. ring. }
  set (z := sqrt (u * u - 1)). assert (UU : 2 <= u * u) by (rewrite <- R2; apply Rmult_le_compat; lra).
  assert (Z2 : z * z = u * u - 1) by (apply sqrt_sqrt; lra). assert (PZ : 0 < z) by (apply sqrt_lt_R0; lra).
  assert (UZ : u - root2 <= z).
  { unfold z. rewrite <- (sqrt_square (u - root2)) by lra. apply sqrt_le_1; [apply Rle_0_sqr | lra |].
    assert (X : root2 * root2 <= root2 * u) by (apply Rmult_le_compat_l; lra). lra. }
  assert (W : unit_width = INR L * IZR D * sqrt (kappa * lg) * / (2 * z)).
  { unfold unit_width. rewrite mult_IZR, <- INR_IZR_INZ.
    replace (kappa * INR (K * m) / INR L * lg) with (kappa * lg * / (2 * z * (2 * z))).
    - rewrite sqrt_mult_alt by (now apply Rmult_le_pos). rewrite sqrt_inv, sqrt_square by lra. ring.
    - rewrite EL, <- Z2. field. lra. }
  rewrite W. unfold geometric. replace (S - 1 + 1)%nat with S by lia. fold u.
  replace (16 * INR (K * m) * (INR L * IZR D * sqrt (kappa * lg) * / (2 * z)) * ((1 + root2) * (u - root2)))
    with (IZR D * (8 * (1 + root2) * sqrt (kappa * lg) * INR (K * m) * INR L) * ((u - root2) * / z)) by (field; lra).
  rewrite <- (Rmult_1_r (IZR D * _)) at 2. apply Rmult_le_compat_l.
  - repeat apply Rmult_le_pos; try lra. apply sqrt_pos.
  - apply (Rmult_le_reg_r z); [exact PZ|]. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Theorem theorem1_on_events star opt : best_policy K m h L star ->
  (forall s, (1 <= s <= S)%nat ->
     chosen_well reals K m h L estimate chosen width s /\ event reals K m h L estimate chosen width s) ->
  (forall s, (1 <= s <= S)%nat -> executes s) -> is_optimum (tallying K m h) (L * L) [] opt ->
  IZR (total (tallying K m h) [] algorithm1 - opt) <= IZR D * theorem1_bound.
Proof.
  intros best run ex O. set (b := tallying K m h). set (v := period_loss K m h star).
  assert (SW : steps_within b D) by now apply tallying_steps_within.
  assert (PV : (0 <= v)%Z).
  { unfold v, period_loss, N. rewrite <- total_by_counts; [|exact some_memory | apply best].
    apply (total_within b D SW). apply best. }
  assert (later : forall j past, (j <= S - 1)%nat ->
    IZR (total b past (flat_map (fun s => epoch (2 ^ s) (policies s)) (seq 2 j)))
    <= INR (K * m) * IZR v * (2 ^ (j + 3) - 8) + INR j * INR (K * m) * (INR m - 1) * IZR D
       + 16 * INR (K * m) * unit_width * geometric j).
  { induction j as [|j IH]; intros past J.
    - cbn [seq flat_map total]. unfold geometric. cbn [Nat.add pow INR]. lra.
    - rewrite seq_S, flat_map_app, total_app, plus_IZR. cbn [flat_map]. rewrite app_nil_r. specialize (IH past ltac:(lia)).
      set (past' := after past _). replace (2 + j)%nat with (j + 2)%nat by lia. set (s := (j + 2)%nat).
      destruct (ex s ltac:(unfold s; lia)) as [EL EF].
      pose proof (lemma5 reals K m h D L estimate chosen width star S some_memory ltac:(lia) losses memory_fits best run
                    s (2 ^ s) (policies s) past' ltac:(unfold s; lia) EL EF) as X.
      unfold at_most_above in X. rewrite times_reals in X. cbn [plus le of_Z reals] in X. fold b in X. fold v in X.
      replace (s - 1)%nat with (j + 1)%nat in X by (unfold s; lia).
      unfold lemma5_start_sharp, lemma5_widths in X.
      rewrite mult_IZR, plus_IZR, !mult_IZR, minus_IZR, <- !INR_IZR_INZ, !mult_INR in X.
      change (INR 2) with 2 in X. replace (INR (2 ^ s)) with (2 ^ s) in X by (rewrite pow_INR; reflexivity).
      replace (INR 8) with 8 in X by (simpl; lra). rewrite <- mult_INR in X.
      pose proof (width_of j) as WJ. fold s in WJ. rewrite geometric_step, S_INR.
      replace (2 ^ (Datatypes.S j + 3)) with (2 ^ (j + 3) + 2 * 2 ^ s).
      2:{ unfold s. replace (Datatypes.S j + 3)%nat with (Datatypes.S (Datatypes.S (j + 2))) by lia.
          replace (j + 3)%nat with (Datatypes.S (j + 2)) by lia. cbn [pow]. lra. }
      assert (Y : INR (K * m) * (8 * 2 ^ s) * width (j + 1) = 16 * INR (K * m) * unit_width * root2 ^ (j + 1)).
      { replace (INR (K * m) * (8 * 2 ^ s) * width (j + 1)) with (8 * INR (K * m) * (2 ^ s * width (j + 1))) by ring.
        rewrite WJ. ring. }
      lra. }
  assert (first : IZR (total b [] (epoch (2 ^ 1) (policies 1))) <= 4 * INR (K * m) * INR L * IZR D).
  { destruct (epoch_plays 1 (ex 1%nat ltac:(lia))) as [LE VE]. pose proof (total_within b D SW _ [] VE) as [_ B]. rewrite LE in B.
    apply IZR_le in B. rewrite mult_IZR, <- INR_IZR_INZ, !mult_INR in B. rewrite <- mult_INR in B. simpl (INR 2) in B.
    replace (INR (2 ^ 1)) with 2 in B by (simpl; lra). lra. }
  assert (EA : algorithm1 = epoch (2 ^ 1) (policies 1%nat) ++ flat_map (fun s => epoch (2 ^ s) (policies s)) (seq 2 (S - 1))).
  { unfold algorithm1. replace S with (Datatypes.S (S - 1)) at 1 by lia. reflexivity. }
  specialize (later (S - 1)%nat (after [] (epoch (2 ^ 1) (policies 1%nat))) (le_n _)).
  assert (LEAST : is_least_period K m h L v) by (split; [exists star; split; [apply best | reflexivity] | apply best]).
  pose proof (lemma3 K m h D L v opt some_memory ltac:(lia) losses LEAST O) as L3. apply IZR_le in L3. unfold lemma3_sharp in L3.
  rewrite minus_IZR, !mult_IZR, minus_IZR, <- !INR_IZR_INZ in L3.
  assert (EL : INR L = 4 * INR (K * m) * (2 ^ S - 1)).
  { rewrite horizon, !mult_INR, minus_INR, pow_INR by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
    replace (INR 4) with 4 by (simpl; lra). change (INR 2) with 2. change (INR 1) with 1. ring. }
  assert (VV : INR (K * m) * IZR v * (2 ^ (S - 1 + 3) - 8) <= INR L * IZR v).
  { replace (2 ^ (S - 1 + 3)) with (4 * 2 ^ S).
    - rewrite EL. assert (0 <= INR (K * m) * IZR v) by (apply Rmult_le_pos; [apply pos_INR | now apply IZR_le]). lra.
    - replace (S - 1 + 3)%nat with (S + 2)%nat by lia. rewrite pow_add. cbn [pow]. lra. }
  pose proof last_step as LS. rewrite EA, total_app, minus_IZR, plus_IZR. fold b. rewrite minus_INR in later by exact some_epoch.
  change (INR 1) with 1 in later. unfold theorem1_bound. lra.
Qed.

End Theorem1.

(** With the paper's constant 32, and with 1/2. *)
Lemma theorem1_bound_at_32 K m L S lg :
  theorem1_bound K m L S 32 lg = 32 * (2 + sqrt 2) * INR (K * m) * INR L * sqrt lg + 4 * INR (K * m) * INR L
    + (INR S - 1) * INR (K * m) * (INR m - 1) + (INR m - 1) * INR L.
Proof.
  unfold theorem1_bound. rewrite sqrt_mult_alt by lra. replace (sqrt 32) with (4 * root2).
  - fold root2. pose proof root2_squared as E.
    replace (8 * (1 + root2) * (4 * root2 * sqrt lg)) with (32 * (root2 + root2 * root2) * sqrt lg) by ring.
    rewrite E. ring.
  - unfold root2. replace 4 with (sqrt (4 * 4)) by (apply sqrt_square; lra). rewrite <- sqrt_mult_alt by lra. f_equal. lra.
Qed.
