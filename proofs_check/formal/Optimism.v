(** * Optimism on the known graph: the deterministic part of the sqrt(mKT) bound

    Not in the paper, which leaves the gap between mK sqrt(T) and sqrt(mKT) open (line 345).  The learner plans in epochs: a
    lower table h~ <= h (on the event that all means are within their radii), a word w of least mean under h~, rotated so
    that no partial sum of its losses exceeds its mean, played after the m-1 letters that come before it, for as many
    steps as the epoch lasts.

    Cycle lemma: such a rotation exists.
    Step 1: the least mean under h~ is at most the mean of any word under h.
    Step 2: an epoch of n steps loses under h~ at most n mean~ + (m-1)(1 - mean~), wherever it is cut.
    Step 5: OPT_T >= T mean_star - (m-1), attained.
    Together: CPR <= (what h exceeds h~ by, over all steps) + (m-1)(number of epochs + 1).
    Step 3, the number of epochs, is [OptimismEpochs.v]; step 4, the sum of the radii, needs square roots and is
    [OptimismRadii.v].

    Tables are integers over a common denominator D: h~ is rational, as it is in an exact implementation. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Proposition1Upper.
Import ListNotations.
Open Scope Z_scope.

(** What every epoch, and the optimum, may cost beyond the means: so many steps. *)
Definition optimism_overhead (m epochs : nat) : Z := (Z.of_nat m - 1) * (Z.of_nat epochs + 1).

(** ** The cycle lemma *)

(** If numbers add up to at most 0, some rotation has all partial sums at most 0: start after the largest one. *)
Theorem cycle_lemma (l : list Z) : add_up l <= 0 ->
  exists u v, l = u ++ v /\ forall k, add_up (firstn k (v ++ u)) <= 0.
Proof.
  intros H. destruct (min_upto_attained (fun i => - add_up (firstn i l)) (length l)) as (i & I & E).
  assert (best : forall j, add_up (firstn j l) <= add_up (firstn i l)).
  { intros j. destruct (Nat.le_gt_cases j (length l)) as [J|J].
    - pose proof (min_upto_le (fun i => - add_up (firstn i l)) (length l) j J). simpl in *. lia.
    - pose proof (min_upto_le (fun i => - add_up (firstn i l)) (length l) (length l) ltac:(lia)) as B. simpl in *.
      rewrite firstn_all in B. rewrite firstn_all2 by lia. lia. }
  exists (firstn i l), (skipn i l). split; [symmetry; apply firstn_skipn|]. intros k.
  rewrite firstn_app, add_up_app. set (u := firstn i l) in *. set (v := skipn i l) in *.
  assert (S : l = u ++ v) by (symmetry; apply firstn_skipn).
  assert (T : add_up l = add_up u + add_up v) by (rewrite S at 1; apply add_up_app).
  assert (LU : length u = i) by (unfold u; rewrite firstn_length; lia).
  destruct (Nat.le_gt_cases k (length v)) as [K|K].
  - replace (k - length v)%nat with 0%nat by lia. specialize (best (i + k)%nat). rewrite S in best at 1.
    rewrite firstn_app, LU, firstn_all2, add_up_app in best by lia. replace (i + k - i)%nat with k in best by lia. simpl. lia.
  - rewrite (firstn_all2 v) by lia. unfold u at 1. rewrite firstn_firstn.
    specialize (best (Nat.min (k - length v) i)). lia.
Qed.

(** ** Steady losses and rotations *)

Lemma observed_same_history b past past' w : history b past = history b past' -> observed b past w = observed b past' w.
Proof.
  unfold history. revert past past'. induction w as [|a w IH]; intros past past' H; [reflexivity|].
  simpl. rewrite (IH (a :: past) (a :: past')) by now apply firstn_cons_history.
  rewrite <- (loss_history b past), <- (loss_history b past'). unfold history. now rewrite H.
Qed.

Lemma observed_length b past w : length (observed b past w) = length w.
Proof. revert past. induction w as [|a w IH]; intros past; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma observed_firstn b k w : forall past, firstn k (observed b past w) = observed b past (firstn k w).
Proof.
  revert w. induction k as [|k IH]; intros w past; [reflexivity|]. destruct w as [|a w]; [reflexivity|]. simpl. now rewrite IH.
Qed.

Lemma steady_period b w : w <> [] -> history b (after (steady b w) w) = history b (steady b w).
Proof. intros N. pose proof (steady_rotation b w [] ltac:(now rewrite app_nil_r)) as H. now rewrite app_nil_r in H. Qed.

Lemma observed_rotation b u v : u ++ v <> [] ->
  exists lu lv, observed b (steady b (u ++ v)) (u ++ v) = lu ++ lv /\
    observed b (steady b (v ++ u)) (v ++ u) = lv ++ lu /\ length lu = length u.
Proof.
  intros N. exists (observed b (steady b (u ++ v)) u), (observed b (steady b (v ++ u)) v).
  assert (N' : v ++ u <> []) by (intros E; apply app_eq_nil in E as [-> ->]; now apply N).
  rewrite !observed_app, observed_length. split; [|split; [|reflexivity]]; f_equal; apply observed_same_history;
    now apply steady_rotation.
Qed.

(** ** Words that are played: of mean p/q, and never above it *)

Definition never_above (b : bandit) (p q : Z) (w : list nat) : Prop :=
  w <> [] /\ valid b w /\ q * cycle_loss b w = p * Z.of_nat (length w) /\
  forall k, q * total b (steady b w) (firstn k w) <= p * Z.of_nat (length (firstn k w)).

Lemma add_up_scaled p q l : add_up (map (fun x => q * x - p) l) = q * add_up l - p * Z.of_nat (length l).
Proof.
  induction l as [|x l IH]; [simpl; lia|]. cbn [map add_up fold_right length] in *. unfold add_up in IH. rewrite IH.
  lia.
Qed.

(** Every word of mean p/q has a rotation that is never above it. *)
Theorem rotated_start b p q w : w <> [] -> valid b w -> q * cycle_loss b w = p * Z.of_nat (length w) ->
  exists u v, w = u ++ v /\ never_above b p q (v ++ u).
Proof.
  intros N V E. set (l := observed b (steady b w) w).
  assert (C : add_up (map (fun x => q * x - p) l) <= 0).
  { rewrite add_up_scaled. unfold l. rewrite add_up_observed, observed_length. unfold cycle_loss in E. unfold steady. lia. }
  destruct (cycle_lemma _ C) as (u' & v' & S & P). set (i := length u'). exists (firstn i w), (skipn i w).
  set (u := firstn i w). set (v := skipn i w). assert (W : w = u ++ v) by (symmetry; apply firstn_skipn). split; [exact W|].
  assert (LI : (i <= length w)%nat).
  { apply (f_equal (@length Z)) in S. rewrite map_length, app_length in S. unfold l in S. rewrite observed_length in S.
    unfold i. lia. }
  assert (LU : length u = i) by (unfold u; rewrite firstn_length; lia).
  rewrite W in N. destruct (observed_rotation b u v N) as (lu & lv & R1 & R2 & R3).
  assert (N' : v ++ u <> []) by (intros X; apply app_eq_nil in X as [X1 X2]; rewrite X1, X2 in N; now apply N).
  assert (EL : map (fun x => q * x - p) (lv ++ lu) = v' ++ u').
  { unfold l in S. rewrite W, R1, map_app in S. rewrite map_app.
    assert (LL : length (map (fun x => q * x - p) lu) = length u') by (rewrite map_length, R3; exact LU).
    apply app_eq_app in S as (s & [[S1 S2] | [S1 S2]]); rewrite S1 in LL; rewrite app_length in LL;
      (assert (s = []) by (destruct s; [reflexivity | simpl in LL; lia])); subst s; rewrite app_nil_r in S1; simpl in S2;
      now rewrite S1, S2. }
  split; [exact N'|]. rewrite W in V. apply valid_app in V as [VU VV]. split; [now apply valid_app|]. split.
  - assert (X : add_up (observed b (steady b (v ++ u)) (v ++ u)) = add_up (observed b (steady b (u ++ v)) (u ++ v)))
      by (rewrite R1, R2, !add_up_app; lia).
    rewrite !add_up_observed in X. unfold cycle_loss, steady in *. rewrite X, <- W. rewrite E. f_equal. f_equal.
    rewrite W, !app_length. lia.
  - intros k. specialize (P k). rewrite <- EL, <- R2, firstn_map, observed_firstn, add_up_scaled, add_up_observed,
      observed_length in P.
    lia.
Qed.

(** Cut anywhere, the repeated word has lost no more than its mean. *)
Lemma cut_anywhere b p q w n : never_above b p q w -> forall past, history b past = history b (steady b w) -> forall k,
  q * total b past (firstn k (repeated n w)) <= p * Z.of_nat (length (firstn k (repeated n w))).
Proof.
  intros (N & V & C & P). induction n as [|n IH]; intros past H k; [simpl; rewrite firstn_nil; simpl; lia|].
  rewrite repeated_S, firstn_app, total_app, app_length.
  rewrite (same_history_same_future b past (steady b w) (firstn k w) H).
  destruct (Nat.le_gt_cases k (length w)) as [L|L].
  - replace (k - length w)%nat with 0%nat by lia. specialize (P k). simpl. lia.
  - rewrite (firstn_all2 w) by lia.
    assert (H' : history b (after past w) = history b (steady b w)).
    { rewrite <- (history_history_after b past), H, history_history_after. now apply steady_period. }
    specialize (IH (after past w) H' (k - length w)%nat).
    unfold cycle_loss in C. fold (steady b w) in C. lia.
Qed.

(** ** Step 2: an epoch *)

(** The m-1 letters that come before a word when it is repeated. *)
Definition approach (b : bandit) (w : list nat) : list nat := rev (history b (steady b w)).

(** The first n steps of: approach the word, then repeat it. *)
Definition epoch_word (b : bandit) (w : list nat) (n : nat) : list nat := firstn n (approach b w ++ repeated n w).

Lemma approach_length b w : w <> [] -> length (approach b w) = (memory b - 1)%nat.
Proof.
  intros N. unfold approach, history, steady. rewrite rev_length, firstn_length, rev_length.
  pose proof (long_enough b w N). lia.
Qed.

Lemma approach_arrives b w past : w <> [] -> history b (after past (approach b w)) = history b (steady b w).
Proof.
  intros N. rewrite history_after by (rewrite approach_length by assumption; lia). unfold approach. rewrite rev_involutive.
  apply history_idem.
Qed.

Lemma steady_valid b w : valid b w -> valid b (steady b w).
Proof. intros V. unfold steady. apply valid_rev. now apply valid_repeated. Qed.

Lemma epoch_word_plays b w n : w <> [] -> valid b w -> plays b n (epoch_word b w n).
Proof.
  intros N V. unfold epoch_word. split.
  - rewrite firstn_length, app_length, length_repeated. destruct w; [congruence|]. simpl. nia.
  - apply valid_firstn, valid_app. split; [|now apply valid_repeated]. apply valid_rev, valid_history, steady_valid, V.
Qed.

Lemma mean_within b D p q w : steps_within b D -> 0 < q -> never_above b p q w -> 0 <= p <= q * D.
Proof.
  intros SW Q (N & V & E & _). pose proof (total_within b D SW w (rev (repeated (memory b) w)) V) as B.
  unfold cycle_loss in E. assert (0 < Z.of_nat (length w)) by (destruct w; [congruence | simpl; lia]). nia.
Qed.

Theorem epoch_loses b D p q w n past : (0 < memory b)%nat -> steps_within b D -> 0 <= D -> 0 < q -> 0 <= p <= q * D ->
  never_above b p q w ->
  q * total b past (epoch_word b w n) <= p * Z.of_nat n + (Z.of_nat (memory b) - 1) * (q * D - p).
Proof.
  intros M SW PD PQ PP NA. pose proof NA as (N & V & _). destruct (epoch_word_plays b w n N V) as [L VE].
  set (k := (memory b - 1)%nat).
  assert (K : Z.of_nat (memory b) - 1 = Z.of_nat k) by (unfold k; lia).
  rewrite K. unfold epoch_word in *. rewrite firstn_app in *. rewrite total_app. rewrite app_length in L.
  apply valid_app in VE as [V1 V2].
  rewrite (approach_length b w N) in *. fold k in L, V2 |- *.
  pose proof (total_within b D SW (firstn n (approach b w)) past V1) as B1.
  assert (L1 : length (firstn n (approach b w)) = Nat.min n k) by (rewrite firstn_length, approach_length by assumption;
    reflexivity).
  rewrite L1 in *. destruct (Nat.le_gt_cases n k) as [G|G].
  - replace (n - k)%nat with 0%nat by lia. simpl total. rewrite Nat.min_l in B1 by lia. nia.
  - rewrite Nat.min_r in * by lia. rewrite (firstn_all2 (approach b w)) in * by (rewrite approach_length by assumption;
      fold k; lia).
    pose proof (cut_anywhere b p q w n NA (after past (approach b w)) (approach_arrives b w past N) (n - k)) as B2.
    assert (L2 : length (firstn (n - k) (repeated n w)) = (n - k)%nat) by lia. rewrite L2 in B2.
    rewrite Nat2Z.inj_sub in B2 by lia. nia.
Qed.

(** ** Step 1: optimism *)

Definition below (K m : nat) (lo h : nat -> nat -> Z) : Prop :=
  forall x y, (x < K)%nat -> (1 <= y <= m)%nat -> 0 <= lo x y <= h x y.

Lemma total_monotone K m lo h w : (0 < m)%nat -> below K m lo h -> forall past, valid (tallying K m h) w ->
  total (tallying K m lo) past w <= total (tallying K m h) past w.
Proof.
  intros M B. induction w as [|a w IH]; intros past V; [simpl; lia|]. inversion V as [|? ? A V']; subst. cbn [total].
  specialize (IH (a :: past) V'). rewrite !loss_tallying by assumption.
  pose proof (B a (tally a (window m past a)) A (tally_bounds m past a M)). lia.
Qed.

(** No word has a smaller mean under h than the least mean under h~. *)
Theorem optimistic_mean K m lo h p q : (0 < m)%nat -> 0 <= q -> below K m lo h ->
  words_at_least (tallying K m lo) p q -> words_at_least (tallying K m h) p q.
Proof.
  intros M Q B H u N V. pose proof (H u N V) as E. unfold cycle_loss in *.
  pose proof (total_monotone K m lo h u M B (rev (repeated m u)) V). cbn [tallying memory] in *. nia.
Qed.

(** ** Step 5: the optimum from below *)

Theorem optimum_from_below K m h D p q T opt : (0 < m)%nat -> 0 <= D -> 0 <= q -> table_within K m h D ->
  words_at_least (tallying K m h) p q -> is_optimum (tallying K m h) T [] opt ->
  Z.of_nat T * p <= q * (opt + (Z.of_nat m - 1) * D).
Proof.
  intros M P Q H W [(w & [L V] & <-) _]. destruct w as [|a w]; [simpl in L; subst T; cbn [total]; nia|].
  specialize (W (a :: w) ltac:(discriminate) V). rewrite L in W. unfold cycle_loss in W.
  pose proof (forgetting_most _ D (rev (repeated m (a :: w))) [] (a :: w) P (tallying_steps_within K m h D M H) V) as F.
  cbn [memory tallying] in *. rewrite Nat2Z.inj_sub in F by lia. nia.
Qed.

(** Attained for K = 1, h(m) = D and 0 below: always 0 has mean D and loses nothing in its first m-1 steps. *)
Theorem optimum_from_below_attained m D T opt : (0 < m)%nat -> (m - 1 <= T)%nat -> let h := single 0 m in
  words_at_least (tallying 1 m (fun x y => D * h x y)) D 1 /\
  (is_optimum (tallying 1 m (fun x y => D * h x y)) T [] opt -> opt = Z.of_nat T * D - (Z.of_nat m - 1) * D).
Proof.
  intros M HT h. set (g := fun x y => D * h x y).
  assert (U : forall u, valid (tallying 1 m g) u -> u = repeat 0%nat (length u)).
  { intros u V. induction u as [|a u IH]; [reflexivity|]. inversion V as [|? ? A V']; subst. simpl in A.
    cbn [length repeat]. f_equal; [lia | now apply IH]. }
  assert (full : forall k past, firstn (m - 1) past = repeat 0%nat (m - 1) ->
    total (tallying 1 m g) past (repeat 0%nat k) = Z.of_nat k * D).
  { induction k as [|k IH]; intros past F; [reflexivity|]. cbn [repeat total].
    assert (F' : firstn (m - 1) (0%nat :: past) = repeat 0%nat (m - 1)).
    { rewrite (firstn_cons_history (m - 1) 0 past (repeat 0%nat (m - 1))).
      - exact (firstn_repeat 0 (m - 1) (S (m - 1)) ltac:(lia)).
      - rewrite F. symmetry. now apply firstn_repeat. }
    rewrite (IH _ F'), loss_tallying by assumption.
    assert (E : tally 0 (window m past 0) = m).
    { rewrite <- window_history, F. unfold window. change (0%nat :: repeat 0%nat (m - 1)) with (repeat 0%nat (S (m - 1))).
      rewrite firstn_repeat, tally_repeat by lia. reflexivity. }
    rewrite E. unfold g, h, single. rewrite !Nat.eqb_refl. cbn [andb]. lia. }
  assert (empty : forall k past, (k + length past < m)%nat -> total (tallying 1 m g) past (repeat 0%nat k) = 0).
  { induction k as [|k IH]; intros past S1; [reflexivity|]. cbn [repeat total]. rewrite IH by (simpl; lia).
    rewrite loss_tallying by assumption. unfold g, h, single.
    assert (X : (tally 0 (window m past 0) <= S (length past))%nat).
    { unfold tally. etransitivity; [apply count_occ_bound|]. unfold window. rewrite firstn_length. simpl. lia. }
    destruct (Nat.eqb_spec (tally 0 (window m past 0)) m); [lia|]. rewrite Bool.andb_false_r. lia. }
  split.
  - intros u N V. apply U in V. remember (length u) as n eqn:E. subst u. rewrite repeat_length in E. unfold cycle_loss.
    rewrite full; [lia|]. cbn [tallying memory]. rewrite repeated_single, rev_repeat.
    apply firstn_repeat. destruct n; [now destruct N | nia].
  - intros [(w & [L V] & <-) _]. rewrite (U w V), L. replace T with (m - 1 + (T - (m - 1)))%nat at 1 by lia.
    rewrite repeat_app, total_app, empty by (simpl; lia). rewrite full; [rewrite !Nat2Z.inj_sub by lia; lia|].
    unfold after. rewrite rev_repeat, app_nil_r. now apply firstn_repeat.
Qed.

(** ** All epochs *)

Record epoch := Epoch { lower : nat -> nat -> Z; word : list nat; steps : nat }.

(** On the event, and as the learner plans: the table of the epoch is a lower one, and its word has least mean under it and
    is never above this mean. *)
Definition planned (K m : nat) (h : nat -> nat -> Z) (e : epoch) : Prop :=
  below K m (lower e) h /\
  exists p q, 0 < q /\
    words_at_least (tallying K m (lower e)) p q /\ never_above (tallying K m (lower e)) p q (word e).

Definition played (K m : nat) (h : nat -> nat -> Z) (e : epoch) : list nat := epoch_word (tallying K m h) (word e) (steps e).

Definition played_in_all (K m : nat) (h : nat -> nat -> Z) (es : list epoch) : list nat := flat_map (played K m h) es.

(** What h exceeds the lower tables by, over all steps. *)
Fixpoint excess (K m : nat) (h : nat -> nat -> Z) (past : list nat) (es : list epoch) : Z :=
  match es with
  | [] => 0
  | e :: rest => total (tallying K m (fun x y => h x y - lower e x y)) past (played K m h e)
                 + excess K m h (after past (played K m h e)) rest
  end.

Lemma total_difference K m h lo w : (0 < m)%nat -> forall past,
  total (tallying K m h) past w = total (tallying K m lo) past w + total (tallying K m (fun x y => h x y - lo x y)) past w.
Proof.
  intros M. induction w as [|a w IH]; intros past; [reflexivity|]. cbn [total].
  rewrite (IH (a :: past)), !loss_tallying by assumption. lia.
Qed.

(** The word does not depend on the table, only on K and m. *)
Lemma epoch_word_any_table K m h lo w n : epoch_word (tallying K m h) w n = epoch_word (tallying K m lo) w n.
Proof. reflexivity. Qed.

(** One epoch against any word u that is repeated for ever: per step no more than u loses, and m-1 steps more. *)
Lemma one_epoch K m h D e u past : (0 < m)%nat -> 0 <= D -> table_within K m h D -> planned K m h e ->
  u <> [] -> valid (tallying K m h) u ->
  Z.of_nat (length u) * total (tallying K m (lower e)) past (played K m h e)
  <= Z.of_nat (steps e) * cycle_loss (tallying K m h) u + Z.of_nat (length u) * ((Z.of_nat m - 1) * D).
Proof.
  intros M P H (B & p & q & Q & W & NA) N V. unfold played. rewrite (epoch_word_any_table K m h (lower e)).
  assert (SW : steps_within (tallying K m (lower e)) D).
  { apply tallying_steps_within; [exact M|]. intros x y X Y. pose proof (B x y X Y). pose proof (H x y X Y). lia. }
  pose proof (mean_within _ D p q (word e) SW Q NA) as PQ.
  pose proof (epoch_loses (tallying K m (lower e)) D p q (word e) (steps e) past M SW P Q PQ NA) as E.
  pose proof (optimistic_mean K m (lower e) h p q M ltac:(lia) B W u N V) as O.
  cbn [tallying memory] in E.
  set (X := total _ past _) in *. set (c := cycle_loss _ u) in *. set (l := Z.of_nat (length u)) in *.
  set (n := Z.of_nat (steps e)) in *.
  assert (0 < l) by (unfold l; destruct u; [congruence | simpl; lia]).
  apply (Z.mul_le_mono_pos_l _ _ q Q).
  transitivity (l * (p * n + (Z.of_nat m - 1) * (q * D - p))); [nia|].
  assert (0 <= n) by (unfold n; lia). assert (n * (l * p) <= n * (q * c)) by nia.
  assert (0 <= (Z.of_nat m - 1) * p) by nia. nia.
Qed.

(** The regret on the event: the excess, and (m-1)(number of epochs + 1). *)
Theorem optimism K m h D es T opt : (0 < m)%nat -> (0 < K)%nat -> 0 <= D -> table_within K m h D -> Forall (planned K m h) es ->
  length (played_in_all K m h es) = T -> is_optimum (tallying K m h) T [] opt ->
  total (tallying K m h) [] (played_in_all K m h es) - opt <= excess K m h [] es + optimism_overhead m (length es) * D.
Proof.
  intros M HK P H F LT [(u & [LU V] & <-) _]. set (b := tallying K m h) in *. set (c := cycle_loss b u).
  assert (S : forall es past, Forall (planned K m h) es -> u <> [] ->
    Z.of_nat (length u) * total b past (played_in_all K m h es)
    <= Z.of_nat (length (played_in_all K m h es)) * c
       + Z.of_nat (length u) * (excess K m h past es + (Z.of_nat m - 1) * Z.of_nat (length es) * D)).
  { clear - M P H V. intros es. induction es as [|e es IH]; intros past F N; [simpl; lia|].
    inversion F as [|? ? F1 F2]; subst. change (played_in_all K m h (e :: es)) with (played K m h e ++ played_in_all K m h es).
    rewrite total_app, app_length, Nat2Z.inj_add. cbn [excess length].
    specialize (IH (after past (played K m h e)) F2 N). pose proof (one_epoch K m h D e u past M P H F1 N V) as O.
    unfold b at 1. rewrite (total_difference K m h (lower e)) by assumption. fold b.
    destruct F1 as (_ & p & q & _ & _ & NA). pose proof NA as (N2 & V2 & _).
    destruct (epoch_word_plays b (word e) (steps e) N2 V2) as [LP _].
    change (epoch_word b (word e) (steps e)) with (played K m h e) in LP. rewrite LP. fold c in O. fold b in O. nia. }
  destruct u as [|a u'].
  - simpl in LU. subst T. destruct (played_in_all K m h es) as [|? ?] eqn:E; [|discriminate].
    assert (X : 0 <= excess K m h [] es).
    { clear - M F HK H. revert F. generalize (@nil nat). induction es as [|e es IH]; intros past F; [simpl; lia|].
      inversion F as [|? ? F1 F2]; subst. cbn [excess]. specialize (IH (after past (played K m h e)) F2).
      enough (0 <= total (tallying K m (fun x y => h x y - lower e x y)) past (played K m h e)) by lia.
      destruct F1 as (B & p & q & _ & _ & NA). pose proof NA as (N2 & V2 & _).
      apply (total_within _ D); [|apply (epoch_word_plays (tallying K m h) (word e) (steps e) N2 V2)].
      apply tallying_steps_within; [exact M|]. intros x y X Y. pose proof (B x y X Y). pose proof (H x y X Y). lia. }
    unfold optimism_overhead. simpl total. nia.
  - specialize (S es [] F ltac:(discriminate)). rewrite LT, <- LU in S.
    pose proof (forgetting_most b D (rev (repeated m (a :: u'))) [] (a :: u') P (tallying_steps_within K m h D M H) V) as G.
    change (memory b) with m in G. rewrite Nat2Z.inj_sub in G by lia. unfold c, cycle_loss in S. change (memory b) with m in S.
    set (l := Z.of_nat (length (a :: u'))) in *. assert (0 < l) by (unfold l; simpl; lia).
    unfold optimism_overhead. apply (Z.mul_le_mono_pos_l _ _ l); [assumption|]. nia.
Qed.
