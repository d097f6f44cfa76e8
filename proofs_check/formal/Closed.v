(** * The claims, as the program prints them

    [Stated.v] is written by the program: every claim that is listed for it in [headlines.json], with its domain and its
    definitions, word for word in the symbols of [Language.v].  Here each of them is closed by the theorem about it. *)

Require Import List ZArith Reals Lia Lra Arith Bool FunctionalExtensionality.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Proposition1Upper TallyPlan.Proposition1Lower TallyPlan.TwoArms TallyPlan.TwoArmsRising TallyPlan.Language.
Require TallyPlan.Stated.
Import ListNotations.
Open Scope Z_scope.

Ltac read name := unfold name; intros; repeat match goal with h := rational _ _ |- _ => subst h end.

Lemma table_model g D K m : 0 < D ->
  (forall x, 1 <= x <= K -> forall y, 1 <= y <= m -> (0 <= rational g D x y)%R /\ (rational g D x y <= 1)%R) ->
  table_within (Z.to_nat K) (Z.to_nat m) (cells g) D.
Proof.
  intros P H x y X Y. destruct (H (Z.of_nat x + 1) ltac:(lia) (Z.of_nat y) ltac:(lia)) as [A B]. unfold rational, cells in *.
  split; apply (over_le _ _ D P); [unfold Rdiv at 1; rewrite Rmult_0_l; exact A|].
  replace (IZR D / IZR D)%R with 1%R; [exact B|]. field. apply not_0_IZR. lia.
Qed.

(** A table of integers has the denominator 1. *)
Lemma whole_table g : (fun x y => IZR (g x y)) = rational g 1.
Proof. apply functional_extensionality. intros x. apply functional_extensionality. intros y. unfold rational. lra. Qed.

Lemma at_most u c D : 0 < D -> u <= c * D -> (IZR u / IZR D <= IZR c)%R.
Proof.
  intros P H. apply IZR_le in H. rewrite mult_IZR in H. apply IZR_lt in P. apply (Rmult_le_reg_r (IZR D)); [exact P|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma at_least u c D : 0 < D -> c * D <= u -> (IZR u / IZR D >= IZR c)%R.
Proof.
  intros P H. apply IZR_le in H. rewrite mult_IZR in H. apply IZR_lt in P. apply Rle_ge, (Rmult_le_reg_r (IZR D)); [exact P|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma gap_model (g : Z -> Z -> Z) D L M v opt : 0 < D -> (IZR L * M = IZR v / IZR D)%R ->
  (IZR (L * L) * M - IZR opt / IZR D = IZR (L * v - opt) / IZR D)%R.
Proof.
  intros P H. rewrite mult_IZR, minus_IZR, mult_IZR, Rmult_assoc, H. field. apply not_0_IZR. lia.
Qed.

(** ** Lemma 3 *)

Ltac gap g K m L :=
  match goal with P : 0 < ?D |- _ =>
    let v := fresh "v" in let opt := fresh "opt" in let V := fresh "V" in let O := fresh "O" in
    let EV := fresh in let EO := fresh in
    destruct (mu_model g D K m L ltac:(lia) ltac:(lia) P ltac:(lia)) as (v & V & EV);
    destruct (OPT_model g D K m (L * L) ltac:(lia) ltac:(lia) P ltac:(nia)) as (opt & O & EO);
    rewrite EO, (gap_model g D L _ v opt P EV); clear EV EO;
    replace (Z.to_nat (L * L)) with (Z.to_nat L * Z.to_nat L)%nat in O by nia
  end.

Theorem lemma_3_sharp : Stated.lemma_3.sharp.
Proof.
  read Stated.lemma_3.sharp. gap hD K m L. apply at_most; [assumption|].
  pose proof (lemma3 (Z.to_nat K) (Z.to_nat m) (cells hD) D (Z.to_nat L) v opt ltac:(lia) ltac:(lia)
    (table_model hD D K m ltac:(assumption) ltac:(assumption)) V O) as X.
  unfold lemma3_sharp in X. rewrite !Z2Nat.id in X by lia. exact X.
Qed.

Theorem lemma_3 : Stated.lemma_3.stated.
Proof.
  read Stated.lemma_3.stated. eapply Rle_trans; [eapply lemma_3_sharp; eassumption|]. apply IZR_le. nia.
Qed.

Theorem lemma_3_lower_end : Stated.lemma_3_lower_end.stated.
Proof.
  read Stated.lemma_3_lower_end.stated. gap hD K m L.
  pose proof (lemma3_from_below (Z.to_nat K) (Z.to_nat m) (cells hD) D (Z.to_nat L) v opt ltac:(lia) ltac:(lia)
    (table_model hD D K m ltac:(assumption) ltac:(assumption)) ltac:(unfold lemma2_exact; lia) V O) as X.
  unfold lemma3_lower in X. rewrite !Z2Nat.id in X by lia. now apply at_least.
Qed.

Theorem lemma_3_attained : Stated.lemma_3_attained.stated.
Proof.
  read Stated.lemma_3_attained.stated. rewrite whole_table. assert (P : 0 < 1) by lia.
  gap (Stated.lemma_3_attained.rested m) K m L.
  replace (cells (Stated.lemma_3_attained.rested m)) with (rested (Z.to_nat m) 1) in V, O.
  - pose proof (lemma3_attained (Z.to_nat K) (Z.to_nat m) (Z.to_nat q) 1 (Z.to_nat L) v opt
      ltac:(lia) ltac:(lia) ltac:(lia) ltac:(nia) ltac:(nia) V O) as X.
    unfold lemma3_sharp in X. rewrite !Z2Nat.id in X by lia. rewrite X. rewrite Z.mul_1_r. lra.
  - apply functional_extensionality. intros x. apply functional_extensionality. intros y.
    unfold rested, cells, Stated.lemma_3_attained.rested.
    destruct (Nat.ltb_spec x (Z.to_nat m)), (Z.leb_spec (Z.of_nat x + 1) m), (Nat.eqb_spec y 1), (Z.eqb_spec (Z.of_nat y) 1);
      cbn [andb]; lia.
Qed.

(** ** Proposition 1 *)

Lemma map_constant (f : nat -> nat) x l : (forall k, In k l -> f k = x) -> map f l = repeat x (length l).
Proof. induction l as [|k l IH]; cbn; intros H; [reflexivity | rewrite H, IH; auto]. Qed.

Lemma exploration_prefix K m : (0 < m)%nat -> exploration K m = prefix (fun k => k / m)%nat (m * K).
Proof.
  intros M. induction K as [|K IH]; [now rewrite Nat.mul_0_r|]. unfold exploration. rewrite seq_S, flat_map_app.
  fold (exploration K m). rewrite IH. cbn [Nat.add flat_map]. rewrite app_nil_r. replace (m * S K)%nat with (m * K + m)%nat by lia.
  unfold prefix. rewrite seq_app, map_app. f_equal.
  rewrite (map_constant _ K), seq_length; [reflexivity|]. intros k I. apply in_seq in I. symmetry. apply (Nat.div_unique _ _ _ (k - m * K)); lia.
Qed.

Lemma skipn_prefix (f : nat -> nat) k n : (k <= n)%nat -> skipn k (prefix f n) = map f (seq k (n - k)).
Proof.
  intros H. unfold prefix. replace n with (k + (n - k))%nat at 1 by lia. rewrite seq_app, map_app, skipn_app, map_length, seq_length.
  rewrite Nat.sub_diag, skipn_all2 by (rewrite map_length, seq_length; lia). reflexivity.
Qed.

Theorem proposition_1_upper_sharp : Stated.proposition_1_upper.sharp.
Proof.
  read Stated.proposition_1_upper.sharp. rename H into P, H5 into plans.
  destruct (best_word hD D K m T ltac:(lia) ltac:(lia) P ltac:(nia)) as (w & W & E & O).
  pose proof (table_model hD D K m P ltac:(assumption)) as TW. set (b := tallying _ _ _) in *. assert (W0 := W). destruct W as [LW _].
  assert (F : prefix (acts (Stated.proposition_1_upper.follows (played w) K m)) (Z.to_nat T)
    = exploration (Z.to_nat K) (Z.to_nat m) ++ skipn (Z.to_nat m * Z.to_nat K) w).
  { rewrite exploration_prefix by lia. rewrite (prefix_split _ (Z.to_nat m * Z.to_nat K)) by nia. f_equal.
    - apply prefix_ext. intros k B. unfold acts, Stated.proposition_1_upper.follows, Stated.proposition_1_upper.explore.
      destruct (Z.leb_spec (Z.of_nat k + 1) (m * K)); [|nia]. rewrite <- (Z2Nat.id m) at 1 by lia.
      replace (Z.of_nat k + 1 - 1) with (Z.of_nat k) by lia. rewrite <- Nat2Z.inj_div. lia.
    - rewrite <- (prefix_nth w _ LW) at 2. rewrite !skipn_prefix by nia. apply map_ext_in. intros k I. apply in_seq in I.
      rewrite <- acts_played. unfold acts, Stated.proposition_1_upper.follows.
      destruct (Z.leb_spec (Z.of_nat k + 1) (m * K)); [nia | reflexivity]. }
  assert (Q : total (Stated.proposition_1_upper.follows (played w) K m) (rational hD D) m T
    = (IZR (Model.total b [] (exploration (Z.to_nat K) (Z.to_nat m) ++ skipn (Z.to_nat m * Z.to_nat K) w)) / IZR D)%R).
  { rewrite <- F. rewrite <- (Z2Nat.id T) at 1 by nia. apply total_play; [lia|]. intros s S.
    unfold Stated.proposition_1_upper.follows, Stated.proposition_1_upper.explore, played.
    destruct (_ <=? _); [|lia]. pose proof (Z.div_pos (s - 1) m ltac:(lia) ltac:(lia)). lia. }
  rewrite E in plans. change (fun i1 => Stated.proposition_1_upper.follows _ K m i1)
    with (Stated.proposition_1_upper.follows (played w) K m) in plans.
  rewrite Q in plans. unfold OPT. rewrite E. replace T with (Z.of_nat (length w)) at 2 by nia.
  rewrite (total_word w hD D (Z.to_nat K) m) by lia. fold b.
  pose proof (proposition1_upper_tail (Z.to_nat K) (Z.to_nat m) (cells hD) D (Z.to_nat T) w
    ltac:(lia) ltac:(lia) ltac:(lia) TW ltac:(nia) W0) as X. fold b in X.
  unfold prop1_sharp in X. rewrite !Z2Nat.id in X by nia.
  apply at_most in X; [|exact P]. rewrite minus_IZR in X. lra.
Qed.

Theorem proposition_1_upper : Stated.proposition_1_upper.stated.
Proof.
  read Stated.proposition_1_upper.stated. eapply Rle_trans; [eapply proposition_1_upper_sharp; eassumption|]. apply IZR_le. nia.
Qed.

(** ** Lemma 7 *)

Open Scope R_scope.

Theorem lemma_7_step_i : Stated.lemma_7_step_i.stated.
Proof.
  read Stated.lemma_7_step_i.stated. pose proof (sqrt_lt_R0 v ltac:(lra)) as S.
  apply (Rmult_le_reg_r (sqrt v)); [exact S|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite <- (sqrt_sqrt u) at 1 by lra. apply Rmult_le_compat_l; [apply sqrt_pos | apply sqrt_le_1; lra].
Qed.

(** 2 c sqrt(x) <= c^2 x + 1 for each of the terms. *)
Lemma roots_of_shares f c (n : nat) : (forall i, (1 <= i <= Z.of_nat n)%Z -> f i >= 0) ->
  2 * c * sum (fun i => sqrt (f i)) 1 (Z.of_nat n) <= c * c * sum f 1 (Z.of_nat n) + INR n.
Proof.
  induction n as [|n IH]; intros H; [rewrite !sum_none by lia; simpl INR; lra|].
  rewrite S_INR, Nat2Z.inj_succ. unfold Z.succ. rewrite !sum_next by lia.
  specialize (IH ltac:(intros; apply H; lia)). specialize (H (Z.of_nat n + 1)%Z ltac:(lia)).
  pose proof (sqrt_sqrt (f (Z.of_nat n + 1)%Z) ltac:(lra)). pose proof (Rle_0_sqr (c * sqrt (f (Z.of_nat n + 1)%Z) - 1)) as S.
  unfold Rsqr in S. nra.
Qed.

Lemma sum_nonnegative f (n : nat) : (forall i, (1 <= i <= Z.of_nat n)%Z -> 0 <= f i) -> 0 <= sum f 1 (Z.of_nat n).
Proof.
  induction n as [|n IH]; intros H; [rewrite sum_none by lia; lra|]. rewrite Nat2Z.inj_succ. unfold Z.succ.
  rewrite sum_next by lia. specialize (IH ltac:(intros; apply H; lia)). specialize (H (Z.of_nat n + 1)%Z ltac:(lia)). lra.
Qed.

Theorem lemma_7_step_ii : Stated.lemma_7_step_ii.stated.
Proof.
  read Stated.lemma_7_step_ii.stated. rewrite <- (Z2Nat.id n) in * by lia. set (k := Z.to_nat n) in *. rewrite <- INR_IZR_INZ.
  set (s := sum f 1 (Z.of_nat k)). set (r := sum (fun i => sqrt (f i)) 1 (Z.of_nat k)).
  assert (S : 0 <= s) by (apply sum_nonnegative; intros i I; specialize (H0 i I); lra).
  assert (Q : 0 <= r) by (apply sum_nonnegative; intros; apply sqrt_pos). pose proof (pos_INR k) as N.
  assert (B : forall c, 2 * c * r <= c * c * s + INR k) by (intros c; apply roots_of_shares; assumption).
  apply Rsqr_incr_0; [|exact Q | apply sqrt_pos]. rewrite Rsqr_sqrt by (apply Rmult_le_pos; lra). unfold Rsqr.
  destruct (Req_dec s 0) as [E|E].
  - rewrite E in *. destruct (Req_dec r 0) as [->|NE]; [lra|]. specialize (B ((INR k + 1) / r)).
    replace (2 * ((INR k + 1) / r) * r) with (2 * (INR k + 1)) in B by (field; exact NE). lra.
  - specialize (B (r / s)). apply (Rmult_le_compat_r s) in B; [|exact S].
    replace (2 * (r / s) * r * s) with (2 * (r * r)) in B by (field; exact E).
    replace ((r / s * (r / s) * s + INR k) * s) with (r * r + INR k * s) in B by (field; exact E). lra.
Qed.

Lemma sum_scale c f (n : nat) : sum (fun i => c * f i) 1 (Z.of_nat n) = c * sum f 1 (Z.of_nat n).
Proof.
  induction n as [|n IH]; [rewrite !sum_none by lia; lra|]. rewrite Nat2Z.inj_succ. unfold Z.succ.
  rewrite !sum_next, IH by lia. lra.
Qed.

Lemma power_positive s : 0 < Stated.lemma_7_subset.power 2 s.
Proof. unfold Stated.lemma_7_subset.power, recursion. induction (Z.to_nat s); cbn; lra. Qed.

(** A cell that weighs x errs by at most x times its width, that is by sqrt(x) times the width of weight 1. *)
Lemma weighted_width x v q : 0 < q -> 0 <= x <= v -> x * sqrt (q / v) <= sqrt x * sqrt q.
Proof.
  intros Q H. destruct (Req_dec x 0) as [-> | N]; [rewrite Rmult_0_l; apply Rmult_le_pos; apply sqrt_pos|].
  assert (V : 0 < v) by lra. rewrite sqrt_div_alt by exact V.
  pose proof (lemma_7_step_i x v ltac:(split; [apply H | apply H]) ltac:(lra)) as S. pose proof (sqrt_pos q).
  replace (x * (sqrt q / sqrt v)) with (x / sqrt v * sqrt q) by (field; apply Rgt_not_eq, sqrt_lt_R0; exact V). nra.
Qed.

Theorem lemma_7_subset : Stated.lemma_7_subset.stated.
Proof.
  read Stated.lemma_7_subset.stated. unfold Stated.lemma_7_subset.cell_width, Stated.lemma_7_subset.C in *.
  set (lg := ln _) in *. set (p := Stated.lemma_7_subset.power 2 s) in *. assert (P : 0 < p) by apply power_positive.
  assert (HL : 0 < IZR L) by (apply IZR_lt; lia). assert (LG : 0 < lg).
  { unfold lg. rewrite <- ln_1. apply ln_increasing; [lra|]. apply (Rmult_lt_reg_r delta); [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l by lra. assert (1 <= IZR (2 * K * m * S)) by (apply (IZR_le 1); nia). lra. }
  set (q := 32 / (p * IZR L) * lg). assert (Q : 0 < q) by (unfold q; apply Rmult_lt_0_compat; [|exact LG];
    apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; assumption]).
  rewrite <- (Z2Nat.id (K * m)) in * by nia. set (n := Z.to_nat (K * m)) in *.
  replace (IZR (32 * K * m) / (p * IZR L) * lg) with (INR n * q).
  2:{ unfold q. replace (32 * K * m)%Z with (32 * Z.of_nat n)%Z by (unfold n; lia). rewrite mult_IZR, <- INR_IZR_INZ. field. lra. }
  rewrite sqrt_mult by (try apply pos_INR; lra).
  assert (R : sum (fun i => sqrt (share i)) 1 (Z.of_nat n) <= sqrt (INR n)).
  { pose proof (lemma_7_step_ii (Z.of_nat n) share ltac:(lia) ltac:(intros i I; specialize (H6 i I); lra)) as X.
    rewrite H5, Rmult_1_r, <- INR_IZR_INZ in X. exact X. }
  assert (E : forall i, (1 <= i <= Z.of_nat n)%Z ->
    share i * observed i - share i * truth i <= sqrt (share i) * sqrt q
    /\ share i * truth i - share i * observed i <= sqrt (share i) * sqrt q).
  { intros i I. specialize (H6 i I). specialize (H7 i I). pose proof (weighted_width (share i) (most i) q Q H6) as W.
    destruct (Req_dec (share i) 0) as [Z0 | Z0]; [rewrite Z0, sqrt_0 in *; lra|].
    specialize (H7 ltac:(lra)).
    replace (32 / (p * most i * IZR L) * lg) with (q / most i) in H7 by (unfold q; field; lra).
    pose proof (Rmax_l (observed i - truth i) (- (observed i - truth i))).
    pose proof (Rmax_r (observed i - truth i) (- (observed i - truth i))). nra. }
  assert (B : sqrt q * sum (fun i => sqrt (share i)) 1 (Z.of_nat n) <= sqrt (INR n) * sqrt q).
  { rewrite (Rmult_comm _ (sqrt q)). apply Rmult_le_compat_l; [apply sqrt_pos | exact R]. }
  rewrite <- sum_scale in B. pose proof (sqrt_pos q).
  assert (D : forall f g, (forall i, (1 <= i <= Z.of_nat n)%Z -> f i - g i <= sqrt q * sqrt (share i)) ->
    sum f 1 (Z.of_nat n) - sum g 1 (Z.of_nat n) <= sqrt (INR n) * sqrt q).
  { intros f g X. eapply Rle_trans; [|exact B]. clear -X. induction n as [|k IH]; [rewrite !sum_none by lia; lra|].
    rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. rewrite !sum_next by lia.
    specialize (IH ltac:(intros; apply X; lia)). specialize (X (Z.of_nat k + 1)%Z ltac:(lia)). lra. }
  apply Rmax_lub; [|rewrite Ropp_minus_distr]; apply D; intros i I; specialize (E i I); lra.
Qed.

(** ** Two arms *)

Theorem two_arms_monotone : Stated.two_arm_theorem_monotone.stated.
Proof.
  read Stated.two_arm_theorem_monotone.stated. rewrite !minus_IZR in *. destruct H as [[A B] C].
  apply IZR_le in A. apply IZR_lt in B, C. set (x := IZR k) in *. set (y := IZR l) in *. set (z := IZR m) in *.
  destruct H0 as [P Q], H1 as [[[U V] | [-> U]] | [-> U]].
  - destruct (Rlt_le_dec Al 0); [nra|]. destruct (Rlt_le_dec Bk 0); nra.
  - destruct (Rlt_le_dec Al 0); nra.
  - destruct (Rlt_le_dec Bk 0); nra.
Qed.

Open Scope Z_scope.

(** What a closed walk loses in the round after m rounds. *)
Lemma walk_model a g D m L : 1 <= m -> 1 <= L -> (forall s, 1 <= s <= (m + 1) * L -> 1 <= a s <= 2) ->
  (forall s, 1 <= s <= m * L -> a (s + L) = a s) -> let u := prefix (acts a) (Z.to_nat L) in
  u <> [] /\ valid (tallying 2 (Z.to_nat m) (cells g)) u /\
  (total a (rational g D) m ((m + 1) * L) - total a (rational g D) m (m * L)
   = IZR (cycle_loss (tallying 2 (Z.to_nat m) (cells g)) u) / IZR D)%R.
Proof.
  intros M HL P C u. assert (N : length u = Z.to_nat L) by apply length_prefix. split; [|split].
  - intros E. rewrite E in N. cbn in N. lia.
  - apply Forall_forall. intros x I. apply in_map_iff in I as (k & <- & I). apply in_seq in I.
    specialize (P (Z.of_nat k + 1) ltac:(nia)). unfold acts. cbn. lia.
  - replace ((m + 1) * L) with (Z.of_nat (S (Z.to_nat m) * Z.to_nat L)) by nia.
    replace (m * L) with (Z.of_nat (Z.to_nat m * Z.to_nat L)) by nia.
    rewrite !(total_play _ _ _ 2) by (try (intros; apply P); nia).
    assert (R : forall k, (1 <= k <= S (Z.to_nat m))%nat -> prefix (acts a) (k * Z.to_nat L) = repeated k u).
    { intros [|k] K; [lia|]. apply prefix_repeated. intros i I. unfold acts. rewrite <- (C (Z.of_nat i + 1)) by nia. do 3 f_equal. lia. }
    rewrite !R, repeated_S', total_app by lia. unfold cycle_loss, after. cbn [memory tallying]. rewrite app_nil_r, plus_IZR. lra.
Qed.

Ltac whole e :=  (* from fractions to their numerators, e = 1/D *)
  rewrite ?Z.mul_1_l; apply le_IZR, (Rmult_le_reg_r e); [assumption|]; rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?plus_IZR, ?minus_IZR in *; lra.

Theorem two_arms_slopes : Stated.two_arm_theorem_slopes.stated.
Proof.
  read Stated.two_arm_theorem_slopes.stated. rename H into P, H4 into within, H5 into coupled, H6 into constant.
  destruct (walk_model a hD D m L ltac:(lia) ltac:(lia) ltac:(assumption) ltac:(assumption)) as (N & V & ->).
  set (u := prefix _ _) in *. unfold rational, Rdiv in *.
  assert (E : (0 < / IZR D)%R) by (apply Rinv_0_lt_compat, IZR_lt; exact P). set (e := (/ IZR D)%R) in *.
  assert (S : long_run_at_least (tallying 2 (Z.to_nat m) (cells hD)) lamD 1).
  { apply (two_arms_sound (Z.to_nat m) (cells hD) lamD 1 (fun k => slopeD (Z.of_nat k))); [lia | lia | | |].
    - unfold constants_fine, excess_one, excess_zero, cells. rewrite Nat.sub_0_r, Z2Nat.id by lia. change (Z.of_nat 1 + 1) with 2; change (Z.of_nat 0 + 1) with 1.
      destruct constant. split; whole e.
    - intros k K. unfold up, down, excess_one, excess_zero, cells. destruct (within (Z.of_nat k) ltac:(lia)).
      replace (Z.of_nat (Z.to_nat m - k)) with (m - Z.of_nat k) by lia. rewrite Z2Nat.id by lia. change (Z.of_nat 1 + 1) with 2; change (Z.of_nat 0 + 1) with 1.
      split; whole e.
    - intros k K. unfold up, down, excess_one, excess_zero, cells. specialize (coupled (Z.of_nat k) ltac:(lia)).
      replace (Z.of_nat (Z.to_nat m - (k - 1))) with (m - Z.of_nat k + 1) by lia. rewrite !Z2Nat.id by lia.
      replace (Z.of_nat (k - 1)) with (Z.of_nat k - 1) by lia. change (Z.of_nat 1 + 1) with 2; change (Z.of_nat 0 + 1) with 1.
      set (x := slopeD (Z.of_nat k)) in *. set (y := slopeD (Z.of_nat k - 1)) in *.
      assert (F : (0 <= IZR ((Z.of_nat k - 1) * (m - Z.of_nat k)))%R) by (apply (IZR_le 0); nia).
      pose proof (Rmult_le_compat_r _ _ _ F (Rmax_l (IZR x * e - IZR y * e) (- (IZR x * e - IZR y * e)))) as A.
      pose proof (Rmult_le_compat_r _ _ _ F (Rmax_r (IZR x * e - IZR y * e) (- (IZR x * e - IZR y * e)))) as B.
      destruct (Z.abs_spec (x - y)) as [[_ ->] | [_ ->]]; rewrite ?Z.opp_sub_distr;
        apply le_IZR, (Rmult_le_reg_r e); try assumption; rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?plus_IZR, ?opp_IZR, ?minus_IZR in *;
        lra. }
  pose proof (long_run_words _ _ _ S u N V) as X. unfold u in X at 1. rewrite length_prefix, Z2Nat.id in X by lia.
  apply IZR_le in X. rewrite !mult_IZR in X. fold u in X. nra.
Qed.

Lemma runs_word i j : 1 <= i -> 1 <= j ->
  prefix (acts (Stated.two_arm_theorem_rising_slopes.runs i j)) (Z.to_nat (i + j)) = two_runs (Z.to_nat i) (Z.to_nat j).
Proof.
  intros I J. rewrite Z2Nat.inj_add by lia. unfold prefix, two_runs. rewrite seq_app, map_app. f_equal.
  - rewrite (map_constant _ 0%nat), seq_length; [reflexivity|]. intros k K. apply in_seq in K.
    unfold acts, Stated.two_arm_theorem_rising_slopes.runs. rewrite Z.div_small by lia. destruct (_ <? _) eqn:B; lia.
  - rewrite (map_constant _ 1%nat), seq_length; [reflexivity|]. intros k K. apply in_seq in K.
    unfold acts, Stated.two_arm_theorem_rising_slopes.runs. rewrite Z.div_small by lia. destruct (_ <? _) eqn:B; lia.
Qed.

Lemma runs_repeat i j s : 1 <= i -> 1 <= j ->
  Stated.two_arm_theorem_rising_slopes.runs i j (s + (i + j)) = Stated.two_arm_theorem_rising_slopes.runs i j s.
Proof.
  intros I J. unfold Stated.two_arm_theorem_rising_slopes.runs. replace (s + (i + j) - 1) with (s - 1 + 1 * (i + j)) by lia.
  rewrite Z.div_add by lia. set (x := (s - 1) / (i + j)).
  now replace (s - 1 + 1 * (i + j) - (i + j) * (x + 1)) with (s - 1 - (i + j) * x) by ring.
Qed.

Theorem two_arms_rising_slopes : Stated.two_arm_theorem_rising_slopes.stated.
Proof.
  read Stated.two_arm_theorem_rising_slopes.stated. rename H into P, H4 into constant, H5 into long, H6 into condition.
  destruct (walk_model a hD D m L ltac:(lia) ltac:(lia) ltac:(assumption) ltac:(assumption)) as (N & V & ->).
  set (u := prefix _ _) in *. assert (E : (0 < / IZR D)%R) by (apply Rinv_0_lt_compat, IZR_lt; exact P).
  assert (S : long_run_at_least (tallying 2 (Z.to_nat m) (cells hD)) lamD 1).
  { apply two_arms_rising; [lia | lia | |].
    - unfold below_long_words. rewrite !constant_loss by lia. unfold rational, Rdiv in constant. destruct constant.
      set (e := (/ IZR D)%R) in *.
      split; [unfold cells; rewrite Z2Nat.id by lia; change (Z.of_nat 0 + 1) with 1; whole e|].
      split; [unfold cells; rewrite Z2Nat.id by lia; change (Z.of_nat 1 + 1) with 2; whole e|]. intros i j I J K.
      specialize (long (Z.of_nat i) ltac:(lia) (Z.of_nat j) ltac:(lia) ltac:(lia)).
      destruct (walk_model (Stated.two_arm_theorem_rising_slopes.runs (Z.of_nat i) (Z.of_nat j)) hD D m (Z.of_nat i + Z.of_nat j)
        ltac:(lia) ltac:(lia)) as (_ & _ & X).
      + intros s _. unfold Stated.two_arm_theorem_rising_slopes.runs. destruct (_ <? _); lia.
      + intros s _. apply runs_repeat; lia.
      + rewrite runs_word, !Nat2Z.id in X by lia. change (fun i3 => Stated.two_arm_theorem_rising_slopes.runs (Z.of_nat i) (Z.of_nat j) i3)
          with (Stated.two_arm_theorem_rising_slopes.runs (Z.of_nat i) (Z.of_nat j)) in long.
        rewrite X in long. unfold Rdiv in long. fold e in long. rewrite Nat2Z.inj_add. whole e.
    - intros k l K HL. unfold excess_one, excess_zero, cells. specialize (condition (Z.of_nat k) ltac:(lia) (Z.of_nat l) ltac:(lia) ltac:(lia)).
      replace (Z.of_nat (Z.to_nat m - k)) with (m - Z.of_nat k) by lia. rewrite Z2Nat.id by lia.
      change (Z.of_nat 1 + 1) with 2; change (Z.of_nat 0 + 1) with 1. unfold rational, Rdiv in condition.
      set (e := (/ IZR D)%R) in *. whole e. }
  pose proof (long_run_words _ _ _ S u N V) as X. unfold u in X at 1. rewrite length_prefix, Z2Nat.id in X by lia.
  apply IZR_le in X. rewrite !mult_IZR in X. fold u in X. unfold Rdiv. nra.
Qed.
