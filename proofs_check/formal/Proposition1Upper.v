(** * Proposition 1, upper bound: the regret of ALG_det

    Paper, prop1 (line 246), Algorithm 2 (line 744), proof at line 764: under deterministic feedback the complete policy
    regret of ALG_det is at most (m+1) K.

    ALG_det plays every action m times in a row, so that it sees every h_x(y) once, and then an optimal plan for the
    remaining T - mK steps (T >= mK).  Sharper: its regret is at most min(T - m, mK - 1), and for K >= 2 this is attained for
    every T >= mK by h_0(m) = 0, every other loss 1. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3.
Import ListNotations.
Open Scope Z_scope.

(** The bounds. *)
Definition prop1_sharp (K m T : nat) : Z := Z.min (Z.of_nat T - Z.of_nat m) (Z.of_nat m * Z.of_nat K - 1).

(** ** The algorithm *)

Definition exploration (K m : nat) : list nat := flat_map (fun x => repeat x m) (seq 0 K).

(** w is what ALG_det plays: the exploration, then an optimal continuation. *)
Definition alg_det_plays (K m : nat) (h : nat -> nat -> Z) (T : nat) (w : list nat) : Prop :=
  exists rest, w = exploration K m ++ rest /\ plays (tallying K m h) (T - m * K) rest /\
    forall other, plays (tallying K m h) (T - m * K) other ->
      total (tallying K m h) (rev (exploration K m)) rest <= total (tallying K m h) (rev (exploration K m)) other.

(** The losses that a word sees. *)
Fixpoint observed (b : bandit) (past word : list nat) : list Z :=
  match word with
  | [] => []
  | a :: rest => loss b past a :: observed b (a :: past) rest
  end.

Lemma observed_app b past u w : observed b past (u ++ w) = observed b past u ++ observed b (after past u) w.
Proof.
  revert past. induction u as [|a u IH]; intros past; [reflexivity|]. rewrite after_cons. simpl. now rewrite IH.
Qed.

Definition add_up (l : list Z) : Z := fold_right Z.add 0 l.

Lemma add_up_observed b past w : add_up (observed b past w) = total b past w.
Proof. revert past. induction w as [|a w IH]; intros past; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma tally_firstn_0 x k l : tally x l = 0%nat -> tally x (firstn k l) = 0%nat.
Proof.
  unfold tally. intros H. apply count_occ_not_In in H. apply count_occ_not_In. intros I. apply H.
  rewrite <- (firstn_skipn k l). apply in_or_app. now left.
Qed.

Lemma tally_app x u w : tally x (u ++ w) = (tally x u + tally x w)%nat.
Proof. apply count_occ_app. Qed.

(** An action that is new: its tallies are 1, 2, ... *)
Lemma observed_new K m h x past j j0 : (j0 + j <= m)%nat -> tally x past = 0%nat ->
  observed (tallying K m h) (repeat x j0 ++ past) (repeat x j) = map (h x) (seq (S j0) j).
Proof.
  revert j0. induction j as [|j IH]; intros j0 M N; [reflexivity|]. cbn [repeat observed seq map].
  rewrite loss_tallying by lia. f_equal; [|exact (IH (S j0) ltac:(lia) N)]. f_equal. unfold window.
  change (x :: repeat x j0 ++ past) with (repeat x (S j0) ++ past).
  rewrite firstn_app, firstn_all2, tally_app, tally_repeat, tally_firstn_0 by (assumption || rewrite repeat_length; lia).
  lia.
Qed.

Lemma observed_explorations K m h n : forall a past, (forall x, (a <= x < a + n)%nat -> tally x past = 0%nat) ->
  observed (tallying K m h) past (flat_map (fun x => repeat x m) (seq a n))
  = flat_map (fun x => map (h x) (seq 1 m)) (seq a n).
Proof.
  induction n as [|n IH]; intros a past N; [reflexivity|]. cbn [seq flat_map]. rewrite observed_app. f_equal.
  - apply (observed_new K m h a past m 0); [lia | apply N; lia].
  - apply IH. intros x X. unfold after. rewrite rev_repeat, tally_app, (N x) by lia.
    unfold tally. rewrite count_occ_repeat_neq by lia. reflexivity.
Qed.

(** The exploration sees every h_x(y), once. *)
Theorem exploration_sees_every_cell K m h :
  observed (tallying K m h) [] (exploration K m) = flat_map (fun x => map (h x) (seq 1 m)) (seq 0 K).
Proof. apply observed_explorations. reflexivity. Qed.

Lemma add_up_app u w : add_up (u ++ w) = add_up u + add_up w.
Proof. unfold add_up. induction u as [|a u IH]; [reflexivity|]. simpl. lia. Qed.

Lemma add_up_map f a n : add_up (map f (seq a n)) = sum f a n.
Proof. revert a. induction n as [|n IH]; intros a; [reflexivity|]. simpl. now rewrite <- IH. Qed.

Lemma add_up_flat_map f a n : add_up (flat_map f (seq a n)) = sum (fun x => add_up (f x)) a n.
Proof. revert a. induction n as [|n IH]; intros a; [reflexivity|]. simpl. now rewrite add_up_app, IH. Qed.

Lemma exploration_total K m h :
  total (tallying K m h) [] (exploration K m) = sum (fun x => sum (h x) 1 m) 0 K.
Proof.
  rewrite <- add_up_observed, exploration_sees_every_cell, add_up_flat_map. apply sum_ext. intros x _. apply add_up_map.
Qed.

(** ** What an optimal policy pays itself *)

(** In its first m steps a policy sees its whole past, so that action x has the tallies 1, ..., c_x. *)
Lemma first_steps K m h w : (0 < m)%nat -> valid (tallying K m h) w -> (length w <= m)%nat ->
  total (tallying K m h) [] w = sum (fun x => sum (h x) 1 (tally x w)) 0 K.
Proof.
  intros M. induction w as [|a w IH] using rev_ind; intros V L.
  - symmetry. now apply sum_zero.
  - rewrite app_length in L. simpl in L. apply valid_app in V as [V A]. inversion A as [|? ? A' _]; subst. simpl in A'.
    rewrite total_app, IH by (assumption || lia). unfold after. cbn [total]. rewrite app_nil_r, loss_tallying by assumption.
    unfold window. rewrite firstn_all2 by (simpl; rewrite rev_length; lia).
    set (g := fun x => if (x =? a)%nat then h a (S (tally a w)) else 0).
    rewrite (sum_ext (fun x => sum (h x) 1 (tally x (w ++ [a]))) (fun x => sum (h x) 1 (tally x w) + g x)).
    + rewrite sum_add, (sum_only g 0 K a) by (try lia; intros i _ N; unfold g; now rewrite (proj2 (Nat.eqb_neq i a) N)).
      unfold g. rewrite Nat.eqb_refl. unfold tally. rewrite count_occ_cons_eq, count_occ_rev by reflexivity. lia.
    + intros x _. rewrite tally_app. unfold g, tally. simpl. destruct (Nat.eq_dec a x) as [->|N].
      * rewrite Nat.eqb_refl, Nat.add_1_r, sum_S. reflexivity.
      * rewrite (proj2 (Nat.eqb_neq x a)) by congruence. rewrite Nat.add_0_r. lia.
Qed.

Lemma tallies_add_up K w : Forall (fun a => (a < K)%nat) w -> sum (fun x => Z.of_nat (tally x w)) 0 K = Z.of_nat (length w).
Proof.
  induction 1 as [|a w A _ IH]; [now apply sum_zero|].
  rewrite (sum_ext _ (fun x => (if (a =? x)%nat then 1 else 0) + Z.of_nat (tally x w))).
  - rewrite sum_add, IH, (sum_only _ 0 K a); [rewrite Nat.eqb_refl; simpl length; lia | lia |].
    intros i _ N. destruct (Nat.eqb_spec a i); [congruence | reflexivity].
  - intros x _. unfold tally. simpl. destruct (Nat.eq_dec a x), (Nat.eqb_spec a x); try congruence; lia.
Qed.

(** The exploration loses at most what any policy loses in its first m steps, and mK - m more. *)
Lemma exploration_against_first_steps K m h D w : (0 < m)%nat -> table_within K m h D -> plays (tallying K m h) m w ->
  total (tallying K m h) [] (exploration K m) <= total (tallying K m h) [] w + (Z.of_nat m * Z.of_nat K - Z.of_nat m) * D.
Proof.
  intros M H [L V]. rewrite exploration_total, first_steps by (assumption || lia).
  assert (C : forall x, (tally x w <= m)%nat) by (intros x; rewrite <- L; apply count_occ_bound).
  pose proof (tallies_add_up K w V) as E. rewrite L in E.
  transitivity (sum (fun x => sum (h x) 1 (tally x w) + (Z.of_nat m * D + - D * Z.of_nat (tally x w))) 0 K).
  - apply sum_le. intros x X. specialize (C x). replace m with (tally x w + (m - tally x w))%nat at 1 by lia.
    rewrite sum_app. apply Z.add_le_mono_l.
    transitivity (sum (fun _ => D) (1 + tally x w) (m - tally x w)); [|rewrite sum_const, Nat2Z.inj_sub by exact C; lia].
    apply sum_le. intros y Y. apply H; lia.
  - rewrite !sum_add, sum_const, sum_scale, E. lia.
Qed.

(** ** The bound *)

(** After the exploration, what an optimal word plays then. *)
Theorem proposition1_upper_tail K m h D T o : (0 < m)%nat -> (0 < K)%nat -> 0 <= D -> table_within K m h D -> (m * K <= T)%nat ->
  plays (tallying K m h) T o ->
  total (tallying K m h) [] (exploration K m ++ skipn (m * K) o) - total (tallying K m h) [] o <= prop1_sharp K m T * D.
Proof.
  intros M HK P H HT O. set (b := tallying K m h) in *.
  assert (S1 : plays b (m + (T - m)) o) by (replace (m + (T - m))%nat with T by nia; exact O).
  apply plays_split in S1 as [O1 _].
  assert (S2 : plays b (m * K + (T - m * K)) o) by (replace (m * K + (T - m * K))%nat with T by lia; exact O).
  apply plays_split in S2 as [O2 O3]. set (tail := skipn (m * K) o) in *.
  assert (SW : steps_within b D) by now apply tallying_steps_within.
  pose proof (exploration_against_first_steps K m h D _ M H O1) as E. fold b in E.
  pose proof (forgetting b D (rev (exploration K m)) (after [] (firstn (m * K) o)) tail SW (proj2 O3)) as F.
  rewrite (proj1 O3) in F. change (memory b) with m in F.
  assert (X : total b [] (firstn m o) <= total b [] (firstn (m * K) o)).
  { replace (firstn m o) with (firstn m (firstn (m * K) o)) by (rewrite firstn_firstn; f_equal; nia).
    set (u := firstn (m * K) o) in *. rewrite <- (firstn_skipn m u) at 2. rewrite total_app.
    enough (0 <= total b (after [] (firstn m u)) (skipn m u)) by lia.
    apply (total_within b D SW). destruct O2 as [_ V]. rewrite <- (firstn_skipn m u) in V. now apply valid_app in V. }
  assert (Y : total b [] o = total b [] (firstn (m * K) o) + total b (after [] (firstn (m * K) o)) tail).
  { unfold tail. now rewrite <- total_app, firstn_skipn. }
  rewrite total_app. unfold after at 1. rewrite app_nil_r.
  unfold prop1_sharp. nia.
Qed.

Theorem proposition1_upper K m h D T w opt : (0 < m)%nat -> (0 < K)%nat -> 0 <= D -> table_within K m h D -> (m * K <= T)%nat ->
  alg_det_plays K m h T w -> is_optimum (tallying K m h) T [] opt ->
  total (tallying K m h) [] w - opt <= prop1_sharp K m T * D.
Proof.
  intros M HK P H HT (rest & -> & _ & best) [(o & O & <-) _].
  pose proof (proposition1_upper_tail K m h D T o M HK P H HT O) as X.
  assert (S : plays (tallying K m h) (m * K + (T - m * K)) o) by (replace (m * K + (T - m * K))%nat with T by lia; exact O).
  specialize (best _ (proj2 (plays_split _ _ _ _ S))). rewrite total_app in *. unfold after in *. rewrite app_nil_r in *. lia.
Qed.

(** ** Attained *)

(** An action other than 0 at place i of the past keeps the tally of 0 below m for m-1-i steps. *)
Lemma tally_below_length x z i l : nth_error l i = Some z -> z <> x -> (tally x l < length l)%nat.
Proof.
  unfold tally. revert i. induction l as [|a l IH]; intros i E N; [now destruct i|]. simpl.
  pose proof (count_occ_bound Nat.eq_dec x l). destruct i as [|i]; simpl in E.
  - injection E as ->. destruct (Nat.eq_dec z x); [congruence | lia].
  - specialize (IH i E N). destruct (Nat.eq_dec a x); lia.
Qed.

Lemma nth_error_recent (l : list nat) i k : (i < k)%nat -> nth_error (firstn k l) i = nth_error l i.
Proof.
  revert i l. induction k as [|k IH]; intros i l H; [lia|]. destruct l as [|a l]; [now rewrite firstn_nil|].
  destruct i as [|i]; [reflexivity|]. simpl. apply IH. lia.
Qed.

Lemma needle_far K m D w : (0 < m)%nat -> forall past i z, nth_error past i = Some z -> z <> 0%nat -> (i + length w < m)%nat ->
  total (tallying K m (needle 0 m D)) past w = Z.of_nat (length w) * D.
Proof.
  intros M. induction w as [|a w IH]; intros past i z E NZ L; [reflexivity|]. cbn [total length] in *.
  rewrite (IH (a :: past) (S i) z E NZ ltac:(lia)), loss_tallying by assumption. unfold needle.
  destruct (Nat.eqb_spec a 0) as [->|A]; cbn [andb]; [|lia].
  destruct (Nat.eqb_spec (tally 0 (window m past 0)) m) as [X|X]; [|lia]. exfalso.
  assert (B : (tally 0 (window m past 0) < length (window m past 0))%nat).
  { apply (tally_below_length 0 z (S i)); [|exact NZ]. unfold window. rewrite nth_error_recent by lia. exact E. }
  unfold window in B at 2. rewrite firstn_length in B. lia.
Qed.

Lemma needle_optimum K m D T opt : (0 < K)%nat -> (0 < m)%nat -> (m - 1 <= T)%nat ->
  is_optimum (tallying K m (needle 0 m D)) T [] opt -> opt <= (Z.of_nat m - 1) * D.
Proof.
  intros HK M HT [_ below]. specialize (below (repeat 0%nat (m - 1) ++ repeat 0%nat (T - (m - 1)))).
  rewrite total_app, needle_start, needle_always in below; rewrite ?repeat_length in *; try (simpl; lia).
  - assert (X : plays (tallying K m (needle 0 m D)) T (repeat 0%nat (m - 1) ++ repeat 0%nat (T - (m - 1)))).
    { rewrite <- repeat_app. replace (m - 1 + (T - (m - 1)))%nat with T by lia. split; [apply repeat_length|].
      apply Forall_forall. intros a I. apply repeat_spec in I. simpl. lia. }
    specialize (below X). rewrite Nat2Z.inj_sub in below by lia. lia.
  - unfold after. rewrite rev_repeat, app_nil_r. now apply firstn_repeat.
Qed.

Lemma needle_exploration K m D : (0 < K)%nat -> (0 < m)%nat ->
  total (tallying K m (needle 0 m D)) [] (exploration K m) = (Z.of_nat m * Z.of_nat K - 1) * D.
Proof.
  intros HK M. rewrite exploration_total.
  rewrite (sum_ext _ (fun x => Z.of_nat m * D + (if (x =? 0)%nat then - D else 0))).
  - rewrite sum_add, sum_const, (sum_only _ 0 K 0); [simpl; lia | lia |].
    intros i _ N. now destruct i.
  - intros x _. rewrite (sum_ext _ (fun y => D + (if (y =? m)%nat then if (x =? 0)%nat then - D else 0 else 0))).
    + rewrite sum_add, sum_const, (sum_only _ 1 m m); [now rewrite Nat.eqb_refl | lia |].
      intros i _ N. now rewrite (proj2 (Nat.eqb_neq i m) N).
    + intros y _. unfold needle. destruct (x =? 0)%nat, (y =? m)%nat; cbn [andb]; lia.
Qed.

(** ALG_det's plan starts in the state (K, ..., K). *)
Theorem exploration_ends K m : (0 < K)%nat -> exists before, exploration K m = before ++ repeat (K - 1)%nat m.
Proof.
  intros HK. destruct K as [|k]; [lia|]. replace (S k - 1)%nat with k by lia.
  unfold exploration. rewrite seq_S, flat_map_app. simpl. rewrite app_nil_r. eauto.
Qed.

Theorem proposition1_upper_attained K m D T w opt : (0 < m)%nat -> (2 <= K)%nat -> 0 <= D -> (m * K <= T)%nat ->
  alg_det_plays K m (needle 0 m D) T w -> is_optimum (tallying K m (needle 0 m D)) T [] opt ->
  total (tallying K m (needle 0 m D)) [] w - opt = prop1_sharp K m T * D.
Proof.
  intros M HK P HT A O. apply Z.le_antisymm; [apply proposition1_upper with (1 := M); auto using needle_within; lia|].
  pose proof (needle_optimum K m D T opt ltac:(lia) M ltac:(nia) O) as B.
  destruct A as (rest & -> & [LR VR] & _). rewrite total_app, needle_exploration by lia.
  set (b := tallying K m (needle 0 m D)) in *. set (k := Nat.min (m - 1) (T - m * K)).
  assert (R : Z.of_nat k * D <= total b (after [] (exploration K m)) rest).
  { rewrite <- (firstn_skipn k rest) in VR |- *. apply valid_app in VR as [_ V2]. rewrite total_app.
    assert (LF : length (firstn k rest) = k) by (rewrite firstn_length; unfold k; lia).
    destruct (exploration_ends K m ltac:(lia)) as (before & E). rewrite (needle_far K m D (firstn k rest) M _ 0 (K - 1)), LF.
    - pose proof (total_within b D (tallying_steps_within K m _ D M (needle_within K 0 m D P)) _
                    (after (after [] (exploration K m)) (firstn k rest)) V2). lia.
    - rewrite E. unfold after. rewrite rev_app_distr, rev_repeat. destruct m; [lia | reflexivity].
    - lia.
    - rewrite LF. unfold k. lia. }
  unfold prop1_sharp, k in *. nia.
Qed.
