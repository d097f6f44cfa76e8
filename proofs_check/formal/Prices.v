(** * Prices

    docs/certificates.md, section 3, "Prices": a price c per step and an excess e_x for each action.  With
    H_x(l) = h_x(1) + .. + h_x(l), if

    1. H_x(l) - c l - (H_x(k) - c k) + k (h_x(k) - c) >= e_x (m + l - k) for all 0 <= k <= l <= m and every x,
    2. c + the sum of the excesses >= v,

    then no policy has a long-run loss per step below v.  A game loses, beyond c per step, the sum over x of what it loses by
    g = h_x - c at the plays of x; each is a two-armed problem whose other arm loses nothing.  For that one the slopes

        theta_k = (e (m-k) + N_k) / (k (m-k)),   N_k = min over 1 <= j <= k of the excess of the word that plays x in a run of
        k steps, of which the first still sees j plays of the run before,

    made to rise by tau_k = min over l >= k of theta_l, satisfy the two-arm rule. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Potentials TallyPlan.TwoArms TallyPlan.Opening.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** ** One arm against an arm that loses nothing *)

Lemma common_multiple n : exists F, 0 < F /\ forall k, 1 <= k <= Z.of_nat n -> (k | F).
Proof.
  induction n as [|n (F & P & D)]; [exists 1; split; [lia | intros k K; simpl in K; lia]|].
  exists (Z.of_nat (S n) * F). split; [lia|]. intros k K. destruct (Z.eq_dec k (Z.of_nat (S n))) as [->|].
  - apply Z.divide_factor_l.
  - apply Z.divide_mul_r, D. lia.
Qed.

Section OneArm.
Variables (m : nat) (g : nat -> Z) (e : Z).
Hypothesis some_memory : (0 < m)%nat.

Let M := Z.of_nat m.
Let G := gain g 0.

(** The excess of a word of the period m + l - k that plays the arm in one run of l steps. *)
Definition run_excess (k l : nat) : Z := G l - G k + Z.of_nat k * g k - e * (M + Z.of_nat l - Z.of_nat k).

Definition runs_fine : Prop :=
  0 <= - (e * M) /\ forall k l, (1 <= k <= l)%nat -> (l <= m)%nat -> 0 <= run_excess k l.

(** N_k. *)
Definition least_excess (k : nat) : Z := min_upto (fun j => run_excess (S j) k) (k - 1).

Lemma least_excess_nonnegative k : runs_fine -> (1 <= k <= m)%nat -> 0 <= least_excess k.
Proof. intros [_ R] K. apply min_upto_glb. intros j J. apply R; lia. Qed.

Lemma least_excess_constant k : (1 <= k)%nat -> least_excess k <= Z.of_nat k * g k - e * M.
Proof.
  intros K. eapply Z.le_trans; [apply (min_upto_le _ (k - 1) (k - 1)); lia|].
  cbv beta. replace (S (k - 1)) with k by lia. unfold run_excess. lia.
Qed.

Lemma least_excess_next k : (2 <= k)%nat -> least_excess k <= least_excess (k - 1) + g k - e.
Proof.
  intros K. destruct (min_upto_attained (fun j => run_excess (S j) (k - 1)) (k - 1 - 1)) as (j & J & E).
  unfold least_excess at 2. rewrite E. eapply Z.le_trans; [apply (min_upto_le _ (k - 1) j); lia|]. cbv beta.
  unfold run_excess, G. destruct k as [|k]; [lia|]. replace (S k - 1)%nat with k by lia. cbn [gain].
  replace (0 + S k)%nat with (S k) by lia. lia.
Qed.

Section Slopes.
Variables (F : Z) (c : nat -> Z).
Hypothesis F_positive : 0 < F.
Hypothesis c_spec : forall k, (1 <= k <= m - 1)%nat -> F = c k * (Z.of_nat k * (M - Z.of_nat k)).

(** F theta_k and F tau_k. *)
Definition theta (k : nat) : Z := (e * (M - Z.of_nat k) + least_excess k) * c k.
Definition tau (k : nat) : Z := min_upto (fun j => theta (k + j)) (m - 1 - k).

Lemma theta_spec k :
  (1 <= k <= m - 1)%nat -> Z.of_nat k * (M - Z.of_nat k) * theta k = F * (e * (M - Z.of_nat k) + least_excess k).
Proof. intros K. unfold theta. rewrite (c_spec k K). ring. Qed.

Lemma tau_le_theta k : (1 <= k <= m - 1)%nat -> tau k <= theta k.
Proof.
  intros K. unfold tau. eapply Z.le_trans; [apply (min_upto_le _ _ 0); lia|]. cbv beta. now rewrite Nat.add_0_r.
Qed.

Lemma tau_attained k : (1 <= k <= m - 1)%nat -> exists l, (k <= l <= m - 1)%nat /\ tau k = theta l.
Proof.
  intros K. unfold tau. destruct (min_upto_attained (fun j => theta (k + j)) (m - 1 - k)) as (j & J & ->).
  exists (k + j)%nat. split; [lia | reflexivity].
Qed.

Lemma tau_below k l : (1 <= k <= l)%nat -> (l <= m - 1)%nat -> tau k <= theta l.
Proof.
  intros K L. unfold tau. eapply Z.le_trans; [apply (min_upto_le _ _ (l - k)); lia|]. cbv beta.
  now replace (k + (l - k))%nat with l by lia.
Qed.

(** tau rises; where it does, the lower value is theta itself. *)
Lemma tau_step k : (2 <= k <= m - 1)%nat -> tau (k - 1) = tau k \/ (tau (k - 1) <= tau k /\ tau (k - 1) = theta (k - 1)).
Proof.
  intros K. destruct (tau_attained k ltac:(lia)) as (l & L & E).
  assert (R : tau (k - 1) <= tau k) by (rewrite E; apply tau_below; lia).
  destruct (tau_attained (k - 1) ltac:(lia)) as (j & J & E').
  destruct (Nat.eq_dec j (k - 1)) as [->|]; [right; now split|].
  left. pose proof (tau_below k j ltac:(lia) ltac:(lia)). lia.
Qed.

Definition other_free (x y : nat) : Z := if (x =? 1)%nat then g y else 0.

Let up_ := up m other_free (F * e) F tau.
Let down_ := down m other_free (F * e) F tau.

Lemma up_value k : up_ k = F * g k - F * e - (M - Z.of_nat k) * tau k.
Proof. reflexivity. Qed.

Lemma down_value k : down_ k = - (F * e) + Z.of_nat k * tau k.
Proof. unfold down_, down, excess_zero, other_free. simpl. lia. Qed.

Lemma up_nonnegative k : (1 <= k <= m - 1)%nat -> 0 <= up_ k.
Proof.
  intros K. rewrite up_value. pose proof (tau_le_theta k K) as T. pose proof (theta_spec k K) as S.
  pose proof (least_excess_constant k ltac:(lia)) as N. set (kz := Z.of_nat k) in *.
  assert (KP : 0 < kz) by (unfold kz; lia). assert (MK : 0 < M - kz) by (unfold kz, M; lia).
  assert (H : 0 <= kz * (F * g k - F * e - (M - kz) * tau k)).
  { assert (A : kz * (M - kz) * tau k <= kz * (M - kz) * theta k) by (apply Z.mul_le_mono_nonneg_l; nia).
    assert (B : F * least_excess k <= F * (kz * g k - e * M)) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  nia.
Qed.

Lemma down_nonnegative k : runs_fine -> (1 <= k <= m - 1)%nat -> 0 <= down_ k.
Proof.
  intros R K. rewrite down_value. destruct (tau_attained k K) as (l & L & ->).
  pose proof (theta_spec l ltac:(lia)) as S. pose proof (least_excess_nonnegative l R ltac:(lia)) as N.
  assert (E : e <= 0) by (destruct R as [E _]; unfold M in E; nia).
  set (lz := Z.of_nat l) in *. assert (LP : 0 < lz) by (unfold lz; lia).
  assert (ML : 0 < M - lz) by (unfold lz, M; lia).
  assert (A : F * e <= lz * theta l).
  { assert (B : (M - lz) * (F * e) <= (M - lz) * (lz * theta l)) by nia. nia. }
  assert (FE : F * e <= 0) by nia. assert (KL : Z.of_nat k <= lz) by (unfold lz; lia).
  destruct (Z.le_ge_cases 0 (theta l)); nia.
Qed.

Lemma tau_close k :
  runs_fine -> (2 <= k <= m - 1)%nat ->
  Z.abs (tau k - tau (k - 1)) * (Z.of_nat k - 1) * (M - Z.of_nat k) <= up_ k + down_ (k - 1).
Proof.
  intros R K. destruct (tau_step k K) as [E | [L E]].
  - rewrite <- E, Z.sub_diag. simpl (Z.abs 0). pose proof (up_nonnegative k ltac:(lia)).
    pose proof (down_nonnegative (k - 1) R ltac:(lia)). lia.
  - rewrite up_value, down_value, Z.abs_eq by lia.
    pose proof (tau_le_theta k ltac:(lia)) as T. pose proof (theta_spec k ltac:(lia)) as S.
    pose proof (theta_spec (k - 1) ltac:(lia)) as S'. rewrite <- E in S'.
    pose proof (least_excess_next k ltac:(lia)) as N.
    replace (Z.of_nat (k - 1)) with (Z.of_nat k - 1) in * by lia. set (kz := Z.of_nat k) in *.
    assert (KP : 0 < kz) by (unfold kz; lia). assert (MK : 0 < M - kz) by (unfold kz, M; lia).
    assert (A : kz * (M - kz) * tau k <= kz * (M - kz) * theta k) by (apply Z.mul_le_mono_nonneg_l; nia).
    assert (B : F * least_excess k <= F * (least_excess (k - 1) + g k - e)) by (apply Z.mul_le_mono_nonneg_l; lia).
    lia.
Qed.

End Slopes.

Theorem one_arm_sound : runs_fine -> long_run_at_least (tallying 2 m other_free) e 1.
Proof.
  intros R. destruct (common_multiple m) as (f & FP & D). set (F := f * f).
  set (c := fun k => (f / Z.of_nat k) * (f / (M - Z.of_nat k))).
  assert (CS : forall k, (1 <= k <= m - 1)%nat -> F = c k * (Z.of_nat k * (M - Z.of_nat k))).
  { intros k K. unfold c, F. pose proof (Z_div_exact_full_2 f (Z.of_nat k) ltac:(lia)) as A.
    pose proof (Z_div_exact_full_2 f (M - Z.of_nat k) ltac:(unfold M; lia)) as B.
    specialize (A (proj2 (Z.mod_divide f (Z.of_nat k) ltac:(lia)) (D (Z.of_nat k) ltac:(lia)))).
    specialize (B (proj2 (Z.mod_divide f (M - Z.of_nat k) ltac:(unfold M; lia)) (D (M - Z.of_nat k) ltac:(unfold M; lia)))).
    rewrite A at 1. rewrite B at 2. ring. }
  assert (F0 : 0 < F) by (unfold F; nia).
  apply (long_run_factor _ F); [exact F0|]. rewrite Z.mul_1_r.
  apply (two_arms_sound m other_free (F * e) F (tau c) some_memory F0).
  - destruct R as [E R]. unfold M in E. split.
    + unfold excess_one, other_free. simpl. specialize (R m m ltac:(lia) ltac:(lia)). unfold run_excess, M in R.
      assert (e <= g m) by nia. nia.
    + unfold excess_zero, other_free. simpl. assert (e <= 0) by nia. nia.
  - intros k K. split; [now apply (up_nonnegative F c F0 CS) | now apply (down_nonnegative F c F0 CS)].
  - intros k K. now apply (tau_close F c F0 CS).
Qed.

End OneArm.

(** ** A game, seen by one arm *)

Definition seen_by (x a : nat) : nat := if Nat.eq_dec a x then 1%nat else 0%nat.

Lemma tally_seen x w : tally 1 (map (seen_by x) w) = tally x w.
Proof.
  induction w as [|a w IH]; [reflexivity|]. cbn [map]. rewrite !tally_cons, IH. unfold seen_by.
  destruct (Nat.eq_dec a x); reflexivity.
Qed.

(** What arm x loses by g in a game. *)
Definition part_of (m : nat) (g : nat -> Z) (x : nat) (past word : list nat) : Z :=
  total (tallying 2 m (other_free g)) (map (seen_by x) past) (map (seen_by x) word).

Lemma loss_seen m g x past a :
  (0 < m)%nat ->
  loss (tallying 2 m (other_free g)) (map (seen_by x) past) (seen_by x a) =
  if Nat.eq_dec a x then g (tally x (window m past a)) else 0.
Proof.
  intros M. rewrite loss_tallying by assumption.
  replace (window m (map (seen_by x) past) (seen_by x a)) with (map (seen_by x) (window m past a))
    by (unfold window; now rewrite <- firstn_map).
  unfold seen_by at 1 2. destruct (Nat.eq_dec a x); [|reflexivity]. unfold other_free. simpl. f_equal. apply tally_seen.
Qed.

(** The loss of a game beyond c per step is the sum of the parts. *)
Lemma parts_of_game K m h q c word past :
  (0 < m)%nat -> (0 < K)%nat -> Forall (fun a => (a < K)%nat) word ->
  q * total (tallying K m h) past word - c * Z.of_nat (length word)
  = sum_upto (fun x => part_of m (fun y => q * h x y - c) x past word) (K - 1).
Proof.
  intros M HK V. revert past. induction V as [|a word A V IH]; intros past.
  - unfold part_of. simpl. induction (K - 1)%nat as [|k IHk]; simpl; lia.
  - specialize (IH (a :: past)). cbn [total length].
    rewrite (sum_upto_change _ (fun x => part_of m (fun y => q * h x y - c) x (a :: past) word) (K - 1) a
               (q * loss (tallying K m h) past a - c)).
    + rewrite <- IH. lia.
    + lia.
    + unfold part_of. cbn [map total]. rewrite loss_seen by assumption.
      destruct (Nat.eq_dec a a) as [_|]; [|congruence].
      rewrite loss_tallying by assumption. lia.
    + intros x X. unfold part_of. cbn [map total]. rewrite loss_seen by assumption.
      destruct (Nat.eq_dec a x); [congruence | lia].
Qed.

Lemma valid_seen m g x w : valid (tallying 2 m (other_free g)) (map (seen_by x) w).
Proof.
  unfold valid. apply Forall_forall. intros y Y. apply in_map_iff in Y. destruct Y as (a & <- & _).
  unfold seen_by. simpl. destruct (Nat.eq_dec a x); lia.
Qed.

Theorem prices_sound K m h p q c (e : nat -> Z) :
  (0 < m)%nat -> (0 < K)%nat ->
  (forall x, (x < K)%nat -> runs_fine m (fun y => q * h x y - c) (e x)) ->
  p <= c + sum_upto e (K - 1) -> long_run_at_least (tallying K m h) p q.
Proof.
  intros M HK R P start V.
  assert (all : forall k, (k < K)%nat -> exists C, forall w,
            Z.of_nat (length w) * sum_upto e k <= sum_upto (fun x => part_of m (fun y => q * h x y - c) x start w) k + C).
  { assert (one : forall x, (x < K)%nat -> exists C, forall w,
              Z.of_nat (length w) * e x <= part_of m (fun y => q * h x y - c) x start w + C).
    { intros x X. destruct (one_arm_sound m _ _ M (R x X) (map (seen_by x) start) (valid_seen m _ x start)) as (C & HC).
      exists C. intros w. specialize (HC _ (valid_seen m _ x w)). rewrite map_length in HC. unfold part_of. lia. }
    induction k as [|k IH]; intros L; [apply one; exact L|].
    destruct (IH ltac:(lia)) as (C & HC). destruct (one (S k) L) as (C' & HC'). exists (C + C'). intros w.
    specialize (HC w). specialize (HC' w). cbn [sum_upto]. lia. }
  destruct (all (K - 1)%nat ltac:(lia)) as (C & HC). exists C. intros w W. specialize (HC w).
  rewrite <- parts_of_game in HC by assumption. nia.
Qed.

(** ** The check: one pass over the row of an arm *)

(** [low] is the least k g(k) - G(k) + e k so far, [sum] is G(y-1). *)
Fixpoint row_pass (m : nat) (e : Z) (row : list Z) (y sum low : Z) : bool :=
  match row with
  | [] => true
  | v :: rest =>
      let sum' := sum + v in
      let low' := Z.min low (y * v - sum' + e * y) in
      (e * Z.of_nat m <=? sum' - e * y + low') && row_pass m e rest (y + 1) sum' low'
  end.

Definition row_check (m : nat) (e : Z) (row : list Z) : bool := (e * Z.of_nat m <=? 0) && row_pass m e row 1 0 0.

Lemma row_pass_spec m e (g : nat -> Z) n y low :
  row_pass m e (map g (seq (S y) n)) (Z.of_nat (S y)) (gain g 0 y) low = true ->
  (forall l, (y < l <= y + n)%nat -> e * Z.of_nat m <= gain g 0 l - e * Z.of_nat l + low) /\
  (forall k l, (y < k <= l)%nat -> (l <= y + n)%nat -> 0 <= run_excess m g e k l).
Proof.
  revert y low. induction n as [|n IH]; intros y low H; [split; intros; lia|].
  cbn [seq map row_pass] in H. apply andb_prop in H. destruct H as [H1 H2]. apply Z.leb_le in H1.
  replace (gain g 0 y + g (S y)) with (gain g 0 (S y)) in * by (simpl; lia).
  replace (Z.of_nat (S y) + 1) with (Z.of_nat (S (S y))) in H2 by lia.
  set (low' := Z.min low (Z.of_nat (S y) * g (S y) - gain g 0 (S y) + e * Z.of_nat (S y))) in *.
  destruct (IH (S y) low' H2) as [A B]. split.
  - intros l L. destruct (Nat.eq_dec l (S y)) as [->|]; [unfold low' in H1; lia|]. specialize (A l ltac:(lia)).
    unfold low' in A. lia.
  - intros k l K L. destruct (Nat.eq_dec k (S y)) as [->|]; [|apply B; lia].
    unfold run_excess. destruct (Nat.eq_dec l (S y)) as [->|]; [unfold low' in H1; lia|].
    specialize (A l ltac:(lia)). unfold low' in A. lia.
Qed.

Lemma row_check_spec m e g : row_check m e (map g (seq 1 m)) = true -> runs_fine m g e.
Proof.
  intros H. apply andb_prop in H. destruct H as [E H]. apply Z.leb_le in E.
  apply (row_pass_spec m e g m 0 0) in H. destruct H as [_ H]. split; [lia|]. intros k l K L. apply H; lia.
Qed.

Definition prices_check (K m : nat) (h : nat -> nat -> Z) (p q c : Z) (e : nat -> Z) : bool :=
  forallb (fun x => row_check m (e x) (map (fun y => q * h x y - c) (seq 1 m))) (seq 0 K) && (p <=? c + sum_upto e (K - 1)).

Theorem prices_check_sound K m h p q c e :
  (0 < m)%nat -> (0 < K)%nat -> prices_check K m h p q c e = true -> long_run_at_least (tallying K m h) p q.
Proof.
  intros M HK H. apply andb_prop in H. destruct H as [H P]. rewrite forallb_forall in H. apply Z.leb_le in P.
  apply (prices_sound K m h p q c e); try assumption. intros x X. apply row_check_spec, H, in_seq. lia.
Qed.
