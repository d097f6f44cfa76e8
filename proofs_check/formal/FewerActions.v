(** * Fewer actions

    docs/certificates.md, rule "fewer-actions": every game is turned into one that leaves some actions out and loses no more.

    "replaced": if h_z falls with the tally and h_z(y) <= h_x(y) for all y, then z may be played in the place of x.

    "kept": an action that is not kept is dear.  Let every play of a dear action cost [bar], which is no more than it does.
    There are c kept actions z with h_z(1) <= bar, c = 2m-1: so one of them is not played within m-1 steps of a dear play, and
    put in its place it costs no more and changes no other tally of a kept action.
     For words of a period L, c = min(L, 2m-1),
    and the tally of z is then ceil(m/L). *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.LeastLoss.
Import ListNotations.
Open Scope Z_scope.

(** ** What follows *)

(** Every game of b after [past] is matched by one of b' after [past'], and every word of L actions by one of b'. *)
Definition matched (b b' : bandit) (past past' : list nat) : Prop :=
  forall w, valid b w -> exists w', plays b' (length w) w' /\ total b' past' w' <= total b past w.

Definition words_matched (b b' : bandit) (L : nat) : Prop :=
  forall u, plays b L u -> exists u', plays b' L u' /\ cycle_loss b' u' <= cycle_loss b u.

(** What was played before the game makes a bounded difference. *)
Lemma total_from_nothing b start :
  exists C, forall w, valid b w -> total b [] w <= total b start w + C.
Proof.
  destruct (total_bounded_below b start (memory b - 1)) as (B & HB).
  destruct (total_bounded_below (Bandit (actions b) (memory b) (fun w => - cost b w)) [] (memory b - 1)) as (A & HA).
  exists (- A - B). intros w V. set (k := (memory b - 1)%nat) in *.
  assert (E : w = firstn k w ++ skipn k w) by (symmetry; apply firstn_skipn).
  assert (V12 : valid b (firstn k w) /\ valid b (skipn k w)) by (apply valid_app; now rewrite <- E).
  destruct V12 as [V1 V2].
  assert (L : (length (firstn k w) <= k)%nat) by (rewrite firstn_length; lia).
  specialize (HB _ L V1). specialize (HA _ L V1).
  assert (N : forall past u, total (Bandit (actions b) (memory b) (fun w => - cost b w)) past u = - total b past u).
  { intros past u. revert past. induction u as [|a u IH]; intros past; [reflexivity|]. cbn [total]. rewrite IH. unfold loss.
    cbn [cost memory]. lia. }
  rewrite N in HA. rewrite E, !total_app.
  assert (S : total b (after [] (firstn k w)) (skipn k w) = total b (after start (firstn k w)) (skipn k w)).
  { destruct (Nat.le_gt_cases k (length w)) as [G|G]; [|rewrite skipn_all2 by lia; reflexivity].
    apply same_history_same_future. rewrite !history_after by (rewrite firstn_length; fold k; lia). reflexivity. }
  lia.
Qed.

Theorem long_run_matched b b' p q :
  0 < q -> matched b b' [] [] -> long_run_at_least b' p q -> long_run_at_least b p q.
Proof.
  intros Q M H start V. destruct (H [] (Forall_nil _)) as (C & HC). destruct (total_from_nothing b start) as (B & HB).
  exists (C + q * B). intros w W. destruct (M w W) as (w' & [L V'] & T). specialize (HC w' V'). specialize (HB w W).
  rewrite L in HC. nia.
Qed.

(** ** Actions are renamed *)

Section Renaming.
Variables (used : nat -> Prop) (K K' m : nat) (h h' : nat -> nat -> Z) (f : nat -> nat).
Hypothesis some_memory : (0 < m)%nat.
Hypothesis into : forall a, used a -> (f a < K')%nat.
Hypothesis no_more : forall a y, used a -> (1 <= y <= m)%nat -> h' (f a) y <= h a y.
Hypothesis falls : forall a c y, used a -> used c -> a <> c -> f a = f c -> (1 <= y < m)%nat ->
  h' (f a) (S y) <= h' (f a) y.

Lemma tally_renamed a w : (tally a w <= tally (f a) (map f w))%nat.
Proof.
  induction w as [|c w IH]; [simpl; lia|]. unfold tally in *. simpl.
  destruct (Nat.eq_dec c a) as [->|]; destruct (Nat.eq_dec (f _) (f a)); try congruence; lia.
Qed.

(** More only if another action has the same new name. *)
Lemma tally_renamed_more a w :
  Forall used w -> (tally a w < tally (f a) (map f w))%nat ->
  exists c, used c /\ a <> c /\ f a = f c.
Proof.
  intros V. induction V as [|c w C V IH]; [simpl; lia|]. unfold tally in *. simpl. intros H.
  destruct (Nat.eq_dec c a) as [->|N]; destruct (Nat.eq_dec (f _) (f a)) as [E|]; try congruence.
  - apply IH. lia.
  - exists c. repeat split; congruence.
  - apply IH. lia.
Qed.

Lemma falls_to a c y y' :
  used a -> used c -> a <> c -> f a = f c -> (1 <= y <= y')%nat -> (y' <= m)%nat -> h' (f a) y' <= h' (f a) y.
Proof.
  intros A C N E [Y L] M. induction y' as [|n IH]; [lia|]. destruct (Nat.eq_dec y (S n)) as [->|]; [lia|].
  specialize (IH ltac:(lia) ltac:(lia)). specialize (falls a c n A C N E ltac:(lia)). lia.
Qed.

Lemma window_renamed past a : map f (window m past a) = window m (map f past) (f a).
Proof. unfold window. now rewrite <- firstn_map. Qed.

Lemma loss_renamed past a :
  used a -> Forall used past ->
  loss (tallying K' m h') (map f past) (f a) <= loss (tallying K m h) past a.
Proof.
  intros A V. rewrite !loss_tallying, <- window_renamed by assumption.
  set (w := window m past a). set (y := tally a w). set (y' := tally (f a) (map f w)).
  pose proof (tally_bounds m past a some_memory) as Y. fold w y in Y.
  pose proof (tally_bounds m (map f past) (f a) some_memory) as Y'. rewrite <- window_renamed in Y'. fold w y' in Y'.
  pose proof (tally_renamed a w) as L. fold y y' in L.
  specialize (no_more a y A Y). destruct (Nat.eq_dec y y') as [<-|N]; [exact no_more|].
  destruct (tally_renamed_more a w) as (c & C & D & E).
  - unfold w, window. apply Forall_firstn. now constructor.
  - fold y y'. lia.
  - pose proof (falls_to a c y y' A C D E ltac:(lia) ltac:(lia)). lia.
Qed.

Theorem total_renamed w past :
  Forall used w -> Forall used past ->
  total (tallying K' m h') (map f past) (map f w) <= total (tallying K m h) past w.
Proof.
  intros V. revert past. induction V as [|a w A V IH]; intros past P; [simpl; lia|].
  specialize (IH (a :: past) (Forall_cons a A P)). pose proof (loss_renamed past a A P).
  cbn [map total] in *. lia.
Qed.

Lemma valid_renamed w : Forall used w -> valid (tallying K' m h') (map f w).
Proof.
  unfold valid. rewrite !Forall_forall. cbn [tallying actions]. intros V x X. apply in_map_iff in X.
  destruct X as (a & <- & A). now apply into, V.
Qed.

Lemma cycle_loss_renamed u :
  Forall used u -> cycle_loss (tallying K' m h') (map f u) <= cycle_loss (tallying K m h) u.
Proof.
  intros V. unfold cycle_loss. cbn [tallying memory].
  replace (rev (repeated m (map f u))) with (map f (rev (repeated m u))).
  - apply total_renamed; [exact V|]. apply Forall_rev. generalize m as n. intros n. induction n as [|n IH]; [constructor|].
    rewrite repeated_S. apply Forall_app. now split.
  - rewrite map_rev. f_equal. generalize m as n. intros n. induction n as [|n IH]; [reflexivity|].
    now rewrite !repeated_S, map_app, IH.
Qed.

End Renaming.

(** A list without repetitions that is longer than another has an entry that is not there. *)
Lemma some_outside (l near : list nat) : NoDup l -> (length near < length l)%nat -> exists z, In z l /\ ~ In z near.
Proof.
  intros N L. destruct (find (fun z => negb (existsb (Nat.eqb z) near)) l) as [z|] eqn:F.
  - apply find_some in F. destruct F as [I F]. exists z. split; [exact I|]. intros Z. apply negb_true_iff in F.
    enough (existsb (Nat.eqb z) near = true) by congruence. apply existsb_exists. exists z. now rewrite Nat.eqb_refl.
  - exfalso. apply (Nat.lt_irrefl (length l)). eapply Nat.le_lt_trans; [|exact L]. apply NoDup_incl_length; [exact N|].
    intros z Z. pose proof (find_none _ _ F z Z) as E. apply negb_false_iff, existsb_exists in E.
    destruct E as (y & Y & E). apply Nat.eqb_eq in E. now subst.
Qed.

(** ** Dear plays are replaced by cheap ones *)

Section Kept.
Variables (K m : nat) (h : nat -> nat -> Z) (kept : nat -> bool) (bar : Z).
Hypothesis some_memory : (0 < m)%nat.
Hypothesis dear : forall a y, (a < K)%nat -> kept a = false -> (1 <= y <= m)%nat -> bar <= h a y.

Let b := tallying K m h.

(** The same, but a dear action costs [bar]. *)
Definition relaxed : bandit :=
  Bandit K m (fun w => match w with [] => 0 | a :: _ => if kept a then h a (tally a w) else bar end).

Lemma loss_relaxed past a : loss relaxed past a = if kept a then h a (tally a (window m past a)) else bar.
Proof. unfold loss, relaxed. cbn [cost memory]. unfold window. destruct m; [lia | reflexivity]. Qed.

Lemma total_relaxed past w : valid b w -> total relaxed past w <= total b past w.
Proof.
  intros V. revert past. induction V as [|a w A V IH]; intros past; [simpl; lia|]. specialize (IH (a :: past)).
  cbn [total]. rewrite loss_relaxed. unfold b at 1. rewrite loss_tallying by assumption. destruct (kept a) eqn:E; [lia|].
  pose proof (dear a _ A E (tally_bounds m past a some_memory)). lia.
Qed.

Definition all_kept (w : list nat) : Prop := Forall (fun a => kept a = true) w.

Lemma total_kept past w : all_kept w -> total relaxed past w = total b past w.
Proof.
  intros V. revert past. induction V as [|a w A V IH]; intros past; [reflexivity|].
  cbn [total]. rewrite loss_relaxed, IH, A. unfold b at 2. now rewrite loss_tallying.
Qed.

(** ** One dear play is replaced *)

Section Swap.
Variables a z : nat.
Hypothesis a_dear : kept a = false.

(** The same, but for some plays of z in the place of a. *)
Definition swapped : list nat -> list nat -> Prop := Forall2 (fun x y => x = y \/ (x = a /\ y = z)).

Lemma swapped_same w : swapped w w.
Proof. induction w; constructor; auto. Qed.

Lemma tally_swapped e n past past' :
  swapped past past' -> e <> a -> e <> z -> tally e (firstn n past) = tally e (firstn n past').
Proof.
  intros S NA NZ. revert n. induction S as [|x y past past' R S IH]; intros n; [reflexivity|].
  destruct n as [|n]; [reflexivity|]. specialize (IH n). unfold tally in *. simpl.
  destruct R as [-> | [-> ->]]; destruct (Nat.eq_dec _ e); try congruence.
  destruct (Nat.eq_dec z e); congruence.
Qed.

Lemma total_swapped rest : forall u past past',
  swapped past past' -> (forall i, nth_error rest i = Some z -> (m - 1 <= length u + i)%nat) ->
  total relaxed (u ++ z :: past') rest = total relaxed (u ++ a :: past) rest.
Proof.
  induction rest as [|e rest IH]; intros u past past' S F; [reflexivity|]. cbn [total].
  rewrite !app_comm_cons, (IH (e :: u) past past' S).
  - f_equal. rewrite !loss_relaxed. destruct (kept e) eqn:E; [|reflexivity]. f_equal.
    assert (NA : e <> a) by congruence. unfold window. destruct m as [|k] eqn:M; [lia|]. rewrite !firstn_cons.
    assert (T : forall w, tally e (e :: w) = Datatypes.S (tally e w))
      by (intros w; unfold tally; simpl; destruct (Nat.eq_dec e e); congruence).
    rewrite !T. f_equal. destruct (Nat.eq_dec e z) as [->|NZ].
    + specialize (F 0%nat eq_refl). rewrite !firstn_app. replace (k - length u)%nat with 0%nat by lia. reflexivity.
    + symmetry. apply tally_swapped; try assumption. apply Forall2_app; [apply swapped_same|]. constructor; auto.
  - intros i I. specialize (F (Datatypes.S i) I). simpl. lia.
Qed.

End Swap.
Variables (cheap : list nat) (y0 : nat).
Hypothesis cheap_different : NoDup cheap.
Hypothesis cheap_kept : forall z, In z cheap -> kept z = true /\ (z < K)%nat /\ h z y0 <= bar.

Lemma tally_new z past : ~ In z (firstn (m - 1) past) -> tally z (window m past z) = 1%nat.
Proof.
  intros N. unfold window. destruct m as [|k]; [lia|]. simpl in N. rewrite Nat.sub_0_r in N. unfold tally. simpl.
  destruct (Nat.eq_dec z z); [|congruence]. now rewrite (proj1 (count_occ_not_In Nat.eq_dec _ z)).
Qed.

Lemma not_near (z : nat) rest : ~ In z (firstn (m - 1) rest) -> forall i, nth_error rest i = Some z -> (m - 1 <= i)%nat.
Proof.
  intros N i I. destruct (Nat.le_gt_cases (m - 1) i) as [|G]; [assumption|]. exfalso. apply N.
  rewrite <- (firstn_skipn (m - 1) rest) in I. rewrite nth_error_app1 in I; [now apply nth_error_In in I|].
  rewrite firstn_length. pose proof (nth_error_Some (firstn (m - 1) rest ++ skipn (m - 1) rest) i) as S.
  rewrite I, firstn_skipn in S. assert (i < length rest)%nat by (apply S; discriminate). lia.
Qed.

Lemma exchanged w : (2 * m - 1 <= length cheap)%nat -> y0 = 1%nat -> valid b w -> forall past,
  exists w', plays b (length w) w' /\ all_kept w' /\ total relaxed past w' <= total relaxed past w.
Proof.
  intros C Y V.
  induction V as [|a w A V IH]; intros past.
  { exists []. split; [split; [reflexivity | apply Forall_nil] | split; [apply Forall_nil | simpl; lia]]. }
  destruct (IH (a :: past)) as (w' & [L V'] & G & T).
  destruct (kept a) eqn:E.
  - exists (a :: w'). repeat split; [simpl; now rewrite L | now constructor | now constructor |]. cbn [total]. lia.
  - destruct (some_outside cheap (firstn (m - 1) past ++ firstn (m - 1) w') cheap_different) as (z & I & N).
    { rewrite app_length, !firstn_length. lia. }
    destruct (cheap_kept z I) as (KZ & LZ & HZ). exists (z :: w').
    repeat split; [simpl; now rewrite L | now constructor | now constructor |]. cbn [total].
    pose proof (total_swapped a z E w' [] past past (swapped_same a z past)) as S. cbn [app] in S. rewrite S.
    + rewrite !loss_relaxed, KZ, E, tally_new; [rewrite Y in HZ; lia|]. intros J. apply N, in_or_app. now left.
    + intros i J. apply (not_near z w'); [|exact J]. intros J'. apply N, in_or_app. now right.
Qed.

(** ** Words that are repeated *)

Lemma tally_period z R n : forall k, (k <= n * S (length R))%nat -> ~ In z (firstn (k - 1) R) ->
  tally z (firstn k (repeated n (z :: R))) = ((k + length R) / S (length R))%nat.
Proof.
  set (L := S (length R)). induction n as [|n IH]; intros k KN N.
  - replace k with 0%nat by lia. now rewrite Nat.div_small by (unfold L; lia).
  - rewrite repeated_S, firstn_app. change (length (z :: R)) with L. unfold tally. rewrite count_occ_app.
    fold (tally z (firstn (k - L) (repeated n (z :: R)))).
    destruct k as [|k]; [now rewrite Nat.div_small by (unfold L; lia)|].
    assert (one : count_occ Nat.eq_dec (firstn (S k) (z :: R)) z = 1%nat).
    { cbn [firstn count_occ]. destruct (Nat.eq_dec z z); [|congruence]. simpl in N. rewrite Nat.sub_0_r in N.
      now rewrite (proj1 (count_occ_not_In Nat.eq_dec _ z)). }
    rewrite one. destruct (Nat.le_gt_cases L (S k)) as [G|G].
    + rewrite IH; [|lia|].
      * replace (S k + length R)%nat with ((S k - L + length R) + 1 * L)%nat by lia. rewrite Nat.div_add by (unfold L; lia).
        lia.
      * intros J. apply N. simpl. rewrite Nat.sub_0_r. rewrite firstn_all2 by (unfold L in G; lia).
        rewrite <- (firstn_skipn (S k - L - 1) R). apply in_or_app. now left.
    + replace (S k - L)%nat with 0%nat by lia. cbn [firstn tally count_occ].
      change (1 + 0 = (S k + length R) / L)%nat. replace (S k + length R)%nat with (k + 1 * L)%nat by (unfold L; lia).
      rewrite Nat.div_add by (unfold L; lia). rewrite Nat.div_small by lia. reflexivity.
Qed.

Lemma repeated_backwards z v n : z :: rev (repeated n (z :: v)) = repeated n (z :: rev v) ++ [z].
Proof.
  induction n as [|n IH]; [reflexivity|]. rewrite repeated_S', rev_app_distr, repeated_S. cbn [rev].
  rewrite <- !app_assoc. cbn [app]. f_equal. f_equal. exact IH.
Qed.

Lemma swapped_repeated a z v n : swapped a z (rev (repeated n (a :: v))) (rev (repeated n (z :: v))).
Proof.
  assert (S : swapped a z (rev (a :: v)) (rev (z :: v))).
  { cbn [rev]. apply Forall2_app; [apply swapped_same | constructor; auto]. }
  induction n as [|n IH]; [constructor|]. rewrite !repeated_S, !rev_app_distr. now apply Forall2_app.
Qed.

Lemma cycle_loss_swapped a z v :
  kept a = false -> In z cheap -> y0 = ((m + length v) / S (length v))%nat ->
  ~ In z (firstn (m - 1) v) -> ~ In z (firstn (m - 1) (rev v)) ->
  cycle_loss relaxed (z :: v) <= cycle_loss relaxed (a :: v).
Proof.
  intros A I Y N N'. destruct (cheap_kept z I) as (KZ & _ & HZ). unfold cycle_loss. cbn [total relaxed memory].
  change (Bandit K m _) with relaxed.
  pose proof (total_swapped a z A v [] _ _ (swapped_repeated a z v m)) as T. cbn [app] in T. rewrite T.
  - rewrite !loss_relaxed, KZ, A. unfold window. rewrite repeated_backwards, firstn_app, length_repeated.
    replace (m - m * length (z :: rev v))%nat with 0%nat by (simpl; nia). cbn [firstn]. rewrite app_nil_r.
    rewrite tally_period; [rewrite rev_length, <- Y; lia | rewrite rev_length; nia | exact N'].
  - intros i J. now apply (not_near z v).
Qed.

Definition dear_letters (u : list nat) : nat := length (filter (fun a => negb (kept a)) u).

Lemma dear_letters_app u v : dear_letters (u ++ v) = (dear_letters u + dear_letters v)%nat.
Proof. unfold dear_letters. now rewrite filter_app, app_length. Qed.

Lemma exchanged_words L : (Nat.min L (2 * m - 1) <= length cheap)%nat -> (0 < L)%nat -> y0 = ((m + (L - 1)) / L)%nat ->
  forall u, plays b L u -> exists u', plays b L u' /\ all_kept u' /\ cycle_loss relaxed u' <= cycle_loss relaxed u.
Proof.
  intros C HL Y u. remember (dear_letters u) as n eqn:E. revert u E. induction n as [|n IH]; intros u E [LU V].
  - exists u. repeat split; [exact LU | exact V | | lia]. unfold dear_letters in E. clear LU V.
    induction u as [|a u IHu]; [constructor|]. simpl in E. destruct (kept a) eqn:G; [|discriminate].
    constructor; [exact G | now apply IHu].
  - destruct (filter (fun a => negb (kept a)) u) as [|a l] eqn:F; [unfold dear_letters in E; rewrite F in E; discriminate|].
    assert (J : In a (filter (fun a => negb (kept a)) u)) by (rewrite F; now left).
    apply filter_In in J. destruct J as [J A]. apply negb_true_iff in A. apply in_split in J.
    destruct J as (u1 & u2 & ->).
    set (v := u2 ++ u1). apply valid_app in V. destruct V as [V1 V2]. pose proof (Forall_inv_tail V2) as V2'.
    assert (VV : valid b v) by now apply valid_app.
    assert (LV : length (u1 ++ a :: u2) = S (length v)) by (unfold v; rewrite !app_length; simpl; lia).
    rewrite LV in LU. rewrite <- LU in *. replace (S (length v) - 1)%nat with (length v) in Y by lia.
    assert (Z : exists z, In z cheap /\ ~ In z (firstn (m - 1) v ++ firstn (m - 1) (rev v))).
    { destruct (Nat.le_gt_cases (S (length v)) (length cheap)) as [G|G].
      - destruct (some_outside cheap v cheap_different ltac:(lia)) as (z & I & N). exists z. split; [exact I|].
        intros J. apply N. apply in_app_or in J. destruct J as [J|J].
        + rewrite <- (firstn_skipn (m - 1) v). apply in_or_app. now left.
        + apply in_rev. rewrite <- (firstn_skipn (m - 1) (rev v)). apply in_or_app. now left.
      - apply some_outside; [exact cheap_different|]. rewrite app_length, !firstn_length. lia. }
    destruct Z as (z & I & N). destruct (cheap_kept z I) as (KZ & LZ & _).
    assert (S : cycle_loss relaxed (z :: v) <= cycle_loss relaxed (a :: v)).
    { apply cycle_loss_swapped; try assumption; intros J; apply N, in_or_app; [now left | now right]. }
    destruct (IH (z :: v)) as (u' & P & G & T).
    + unfold v. change (z :: u2 ++ u1) with ([z] ++ (u2 ++ u1)). rewrite !dear_letters_app in *.
      change (a :: u2) with ([a] ++ u2) in E. rewrite dear_letters_app in E.
      unfold dear_letters at 1. unfold dear_letters at 2 in E. cbn [filter] in *. rewrite KZ. rewrite A in E. simpl in *.
      lia.
    + split; [reflexivity | now constructor].
    + exists u'. repeat split; try apply P; try assumption.
      rewrite (cycle_loss_rotation relaxed u1 (a :: u2)) by (now destruct u1). cbn [app]. fold v. lia.
Qed.

End Kept.

(** ** The check *)

Fixpoint place_of (x : nat) (kept : list nat) : option nat :=
  match kept with
  | [] => None
  | y :: rest => if Nat.eq_dec y x then Some 0%nat else option_map S (place_of x rest)
  end.

Lemma place_of_in x kept : In x kept -> exists i, place_of x kept = Some i /\ (i < length kept)%nat /\ nth i kept 0%nat = x.
Proof.
  induction kept as [|y kept IH]; [intros []|]. intros I. simpl. destruct (Nat.eq_dec y x) as [->|N].
  - exists 0%nat. repeat split. simpl. lia.
  - destruct I as [E|I]; [congruence|]. destruct (IH I) as (i & -> & L & E). exists (S i).
    repeat split; [simpl; lia | exact E].
Qed.

Definition replaced (pairs : list (nat * nat)) (x : nat) : bool := existsb (fun xz => Nat.eqb (fst xz) x) pairs.

(** Who is played for x: z for a pair (x, z). *)
Definition stand_in (pairs : list (nat * nat)) (x : nat) : nat :=
  match find (fun xz => Nat.eqb (fst xz) x) pairs with
  | Some xz => snd xz
  | None => x
  end.

Inductive left_out :=
| Replaced (pairs : list (nat * nat))
| KeptOnly (kept : list nat).

Definition kept_actions (K : nat) (out : left_out) : list nat :=
  match out with
  | Replaced pairs => filter (fun x => negb (replaced pairs x)) (seq 0 K)
  | KeptOnly kept => kept
  end.

(** The new name of an action that is left; of others, that of who is played for them. *)
Definition new_name (kept : list nat) (x : nat) : nat := match place_of x kept with Some i => i | None => length kept end.

Definition kept_rows {A} (kept : list nat) (rows : list (list A)) : list (list A) := map (fun x => nth x rows []) kept.

Lemma new_name_in kept rows x :
  In x kept -> (new_name kept x < length kept)%nat /\ forall y, entry (kept_rows kept rows) (new_name kept x) y = entry rows x y.
Proof.
  intros I. unfold new_name. destruct (place_of_in x kept I) as (i & -> & L & E). split; [exact L|].
  intros y. unfold entry, kept_rows. set (f := fun x => nth x rows []).
  rewrite (nth_indep _ [] (f 0%nat)) by now rewrite map_length. now rewrite map_nth, E.
Qed.

Lemma new_name_injective kept x y : In x kept -> In y kept -> new_name kept x = new_name kept y -> x = y.
Proof.
  unfold new_name. intros I J. destruct (place_of_in x kept I) as (i & -> & _ & <-).
  destruct (place_of_in y kept J) as (j & -> & _ & <-). now intros ->.
Qed.

Definition replaced_check (m : nat) (rows : list (list Z)) (pairs : list (nat * nat)) : bool :=
  let h := entry rows in
  forallb (fun xz => let (x, z) := (xz : nat * nat) in
    (z <? length rows)%nat && negb (replaced pairs z) && forallb (fun y => h z y <=? h x y) (seq 1 m) &&
    forallb (fun y => h z (S y) <=? h z y) (seq 1 (m - 1))) pairs.

Fixpoint increasing (l : list nat) : bool :=
  match l with
  | x :: ((y :: _) as rest) => (x <? y)%nat && increasing rest
  | _ => true
  end.

(** How many cheap actions are needed, and at which tally they count: for all games, or for words of L actions. *)
Definition needed (m : nat) (period : option nat) : nat * nat :=
  match period with
  | None => (2 * m - 1, 1)%nat
  | Some L => (Nat.min L (2 * m - 1), (m + (L - 1)) / L)%nat
  end.

(** The rows of the other actions: a walk over the rows that counts down to the next action that is kept. *)
Fixpoint gaps (from : nat) (kept : list nat) : list nat :=
  match kept with
  | [] => []
  | k :: rest => (k - from)%nat :: gaps (S k) rest
  end.

Fixpoint others (gaps : list nat) (rows : list (list Z)) : list (list Z) :=
  match rows, gaps with
  | row :: rest, O :: more => others more rest
  | row :: rest, S n :: more => row :: others (n :: more) rest
  | _, _ => rows
  end.

(** The least loss of a dear action; if there is none, as much as any kept one. *)
Definition bar_of (rows dear : list (list Z)) (kept : list nat) (y0 : nat) : Z :=
  match concat dear with
  | [] => fold_left Z.max (map (fun x => entry rows x y0) kept) 0
  | v :: rest => fold_left Z.min rest v
  end.

Definition is_kept (kept : list nat) (x : nat) : bool := existsb (Nat.eqb x) kept.

Definition kept_check (period : option nat) (m : nat) (rows : list (list Z)) (kept : list nat) : bool :=
  let h := entry rows in
  let (c, y0) := needed m period in
  let dear := others (gaps 0 kept) rows in
  let bar := bar_of rows dear kept y0 in
  let K := length rows in
  increasing kept && forallb (fun x => x <? K)%nat kept &&
  (c <=? length (filter (fun x => Z.leb (h x y0) bar) kept))%nat &&
  forallb (fun row => (length row =? m)%nat && forallb (Z.leb bar) row) dear.

Definition fewer_check (period : option nat) (m : nat) (rows : list (list Z)) (out : left_out) : bool :=
  match out with
  | Replaced pairs => replaced_check m rows pairs
  | KeptOnly kept => kept_check period m rows kept
  end.

Lemma increasing_cons x l : increasing (x :: l) = true -> (forall y, In y l -> (x < y)%nat) /\ increasing l = true.
Proof.
  revert x. induction l as [|y l IH]; intros x H; [split; [intros y [] | reflexivity]|].
  cbn [increasing] in H. apply andb_prop in H. destruct H as [X H]. apply Nat.ltb_lt in X. split; [|exact H].
  destruct (IH y H) as [F _]. intros z [<- | Z]; [exact X|]. specialize (F z Z). lia.
Qed.

Lemma increasing_NoDup l : increasing l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros H; [constructor|]. apply increasing_cons in H. destruct H as [F H].
  constructor; [|now apply IH]. intros I. specialize (F x I). lia.
Qed.

Lemma in_others rows : forall from kept x, increasing kept = true -> (forall k, In k kept -> (from <= k)%nat) -> ~ In x kept ->
  (from <= x < from + length rows)%nat -> In (nth (x - from) rows []) (others (gaps from kept) rows).
Proof.
  induction rows as [|row rows IH]; intros from kept x S B N X; [simpl in X; lia|]. simpl length in X.
  assert (later : x <> from -> nth (x - from) (row :: rows) [] = nth (x - Datatypes.S from) rows [])
    by (intros D; replace (x - from)%nat with (Datatypes.S (x - Datatypes.S from)) by lia; reflexivity).
  destruct kept as [|k kept]; [apply nth_In; simpl; lia|]. destruct (increasing_cons _ _ S) as [F S'].
  pose proof (B k (or_introl eq_refl)) as BK. cbn [gaps others]. destruct (k - from)%nat as [|n] eqn:E.
  - assert (k <> x) by (intros ->; apply N; now left). replace k with from in * by lia. rewrite later by lia.
    apply IH; [exact S' | intros j J; now apply F | intros J; apply N; now right | lia].
  - destruct (Nat.eq_dec x from) as [->|D]; [left; now rewrite Nat.sub_diag|]. right. rewrite later by exact D.
    replace n with (k - Datatypes.S from)%nat by lia. apply (IH (Datatypes.S from) (k :: kept) x S); [|exact N | lia].
    intros j [<- | J]; [lia|]. specialize (F j J). lia.
Qed.

Section Checked.
Variables (m : nat) (rows : list (list Z)).
Hypothesis some_memory : (0 < m)%nat.

Let K := length rows.
Let b := tallying K m (entry rows).
Definition smaller (kept : list nat) : bandit := tallying (length kept) m (entry (kept_rows kept rows)).

(** Names by which others may be played: z is played for x if it is x, or loses no more and falls. *)
Lemma renaming_fine (used : nat -> Prop) (kept : list nat) (g : nat -> nat) :
  (forall x, used x -> In (g x) kept /\ (g x = x \/
     (forall y, (1 <= y <= m)%nat -> entry rows (g x) y <= entry rows x y) /\
     (forall y, (1 <= y < m)%nat -> entry rows (g x) (S y) <= entry rows (g x) y))) ->
  let f x := new_name kept (g x) in
  (forall a, used a -> (f a < length kept)%nat) /\
  (forall a y, used a -> (1 <= y <= m)%nat -> entry (kept_rows kept rows) (f a) y <= entry rows a y) /\
  (forall a c y, used a -> used c -> a <> c -> f a = f c -> (1 <= y < m)%nat ->
     entry (kept_rows kept rows) (f a) (S y) <= entry (kept_rows kept rows) (f a) y).
Proof.
  intros H f. unfold f. repeat split.
  - intros a A. now apply (new_name_in kept rows), H.
  - intros a y A Y. destruct (H a A) as [I R]. destruct (new_name_in kept rows _ I) as [_ ->].
    destruct R as [-> | [R _]]; [lia | now apply R].
  - intros a c y A C N E Y. destruct (H a A) as [I R]. destruct (H c C) as [J S].
    destruct (new_name_in kept rows _ I) as [_ EH]. rewrite !EH. apply new_name_injective in E; [|assumption ..].
    destruct R as [R | [_ R]]; [|now apply R]. destruct S as [S | [_ S]]; [congruence|]. rewrite E. now apply S.
Qed.

Section ReplacedChecked.
Variable pairs : list (nat * nat).
Hypothesis checked : replaced_check m rows pairs = true.

Let kept := kept_actions K (Replaced pairs).
Let f (x : nat) := new_name kept (stand_in pairs x).

Lemma stand_in_spec x : (x < K)%nat ->
  In (stand_in pairs x) kept /\
  (stand_in pairs x = x \/
   (forall y, (1 <= y <= m)%nat -> entry rows (stand_in pairs x) y <= entry rows x y) /\
   (forall y, (1 <= y < m)%nat -> entry rows (stand_in pairs x) (S y) <= entry rows (stand_in pairs x) y)).
Proof.
  intros X. unfold replaced_check in checked. rewrite forallb_forall in checked. unfold stand_in, kept, kept_actions.
  destruct (find (fun xz => Nat.eqb (fst xz) x) pairs) as [[x' z]|] eqn:F.
  - apply find_some in F. destruct F as [I E]. cbn [fst snd] in *. apply Nat.eqb_eq in E. subst x'.
    specialize (checked _ I). cbv beta iota in checked. rewrite !andb_true_iff, !forallb_forall in checked.
    destruct checked as [[[Z N] A] B]. apply Nat.ltb_lt in Z. split; [|right; split].
    + apply filter_In. split; [apply in_seq; unfold K; lia | exact N].
    + intros y Y. apply Z.leb_le, A, in_seq. lia.
    + intros y Y. apply Z.leb_le, B, in_seq. lia.
  - split; [|now left]. apply filter_In. split; [apply in_seq; lia|]. apply negb_true_iff. unfold replaced.
    destruct (existsb _ pairs) eqn:E; [|reflexivity]. apply existsb_exists in E. destruct E as (xz & I & E).
    pose proof (find_none _ _ F xz I). congruence.
Qed.

Let used (x : nat) := (x < K)%nat.

Lemma stand_in_kept x : In x kept -> stand_in pairs x = x.
Proof.
  intros I. unfold kept, kept_actions in I. apply filter_In in I. destruct I as [_ N]. apply negb_true_iff in N.
  unfold stand_in.
  destruct (find (fun xz => Nat.eqb (fst xz) x) pairs) as [xz|] eqn:F; [|reflexivity]. apply find_some in F.
  exfalso. enough (replaced pairs x = true) by congruence. apply existsb_exists. now exists xz.
Qed.

Lemma replaced_matched past :
  Forall (fun a => In a kept) past -> matched b (smaller kept) past (map (new_name kept) past).
Proof.
  intros P w V. destruct (renaming_fine used kept (stand_in pairs) stand_in_spec) as (into & no_more & falls).
  exists (map f w). split.
  - split; [apply map_length | now apply (valid_renamed used)].
  - replace (map (new_name kept) past) with (map f past).
    + apply (total_renamed used); try assumption. eapply Forall_impl; [|exact P]. intros x X.
      unfold kept, kept_actions in X. apply filter_In in X. destruct X as [X _]. apply in_seq in X. unfold used. lia.
    + apply map_ext_in. intros x X. unfold f. rewrite Forall_forall in P. now rewrite stand_in_kept by now apply P.
Qed.

Lemma replaced_words_matched L : words_matched b (smaller kept) L.
Proof.
  intros u [LU V]. destruct (renaming_fine used kept (stand_in pairs) stand_in_spec) as (into & no_more & falls).
  exists (map f u). split.
  - split; [now rewrite map_length | now apply (valid_renamed used)].
  - now apply (cycle_loss_renamed used).
Qed.

End ReplacedChecked.

Section KeptChecked.
Variables (period : option nat) (kept : list nat).
Hypothesis checked : kept_check period m rows kept = true.

Let y0 := snd (needed m period).
Let dear := others (gaps 0 kept) rows.
Let bar := bar_of rows dear kept y0.
Let cheap := filter (fun x => entry rows x y0 <=? bar) kept.

Lemma is_kept_spec x : is_kept kept x = true <-> In x kept.
Proof.
  unfold is_kept. rewrite existsb_exists. split; [intros (y & Y & E) | intros I; exists x; now rewrite Nat.eqb_refl].
  apply Nat.eqb_eq in E. now subst.
Qed.

Lemma kept_check_spec :
  (forall x, In x kept -> (x < K)%nat) /\ NoDup cheap /\ (fst (needed m period) <= length cheap)%nat /\
  (forall a y, (a < K)%nat -> is_kept kept a = false -> (1 <= y <= m)%nat -> bar <= entry rows a y) /\
  (forall z, In z cheap -> is_kept kept z = true /\ (z < K)%nat /\ entry rows z y0 <= bar).
Proof.
  unfold kept_check in checked. unfold cheap, bar, dear, y0 in *. destruct (needed m period) as [c y]. cbn [fst snd] in *.
  rewrite !andb_true_iff, !forallb_forall in checked. destruct checked as [[[H1 H2] H3] H4]. apply Nat.leb_le in H3.
  assert (R : forall x, In x kept -> (x < K)%nat) by (intros x X; now apply Nat.ltb_lt, H2).
  repeat split; try assumption.
  - apply NoDup_filter. now apply increasing_NoDup.
  - intros a j A N J. specialize (H4 (nth a rows [])). rewrite andb_true_iff, forallb_forall in H4.
    assert (I : In (nth a rows []) (others (gaps 0 kept) rows)).
    { rewrite <- (Nat.sub_0_r a). apply in_others; [exact H1 | lia | | unfold K in A; lia].
      intros I. apply is_kept_spec in I. congruence. }
    destruct (H4 I) as [L F]. apply Nat.eqb_eq in L. apply Z.leb_le, F, nth_In. lia.
  - apply filter_In in H. now apply is_kept_spec.
  - apply filter_In in H. now apply R.
  - apply filter_In in H. now apply Z.leb_le.
Qed.

Let f := new_name kept.
Let used (x : nat) := In x kept.

Lemma all_kept_used w : all_kept (is_kept kept) w -> Forall used w.
Proof. intros G. eapply Forall_impl; [|exact G]. intros x. apply is_kept_spec. Qed.

Lemma kept_matched past :
  period = None -> Forall (fun a => In a kept) past -> matched b (smaller kept) past (map f past).
Proof.
  intros E P w V. destruct kept_check_spec as (_ & N & C & D & CK).
  destruct (renaming_fine used kept (fun x => x) (fun x I => conj I (or_introl eq_refl))) as (into & no_more & falls).
  unfold y0 in *. rewrite E in C, CK. cbn [needed fst snd] in *.
  destruct (exchanged K m (entry rows) (is_kept kept) bar some_memory D cheap 1 N CK w C eq_refl V past) as (w' & [L V'] & G & T).
  pose proof (all_kept_used w' G) as U. exists (map f w'). split.
  - split; [now rewrite map_length | now apply (valid_renamed used)].
  - eapply Z.le_trans; [now apply (total_renamed used K (length kept) m (entry rows))|].
    rewrite <- (total_kept K m (entry rows) (is_kept kept) bar some_memory D past w' G).
    eapply Z.le_trans; [exact T|]. now apply total_relaxed.
Qed.

Lemma kept_words_matched L : period = Some L -> (0 < L)%nat -> words_matched b (smaller kept) L.
Proof.
  intros E HL u V. destruct kept_check_spec as (_ & N & C & D & CK).
  destruct (renaming_fine used kept (fun x => x) (fun x I => conj I (or_introl eq_refl))) as (into & no_more & falls).
  unfold y0 in *. rewrite E in C, CK. cbn [needed fst snd] in *.
  destruct (exchanged_words K m (entry rows) (is_kept kept) bar some_memory D cheap _ N CK L C HL eq_refl u V)
    as (u' & [LU V'] & G & T).
  pose proof (all_kept_used u' G) as U. exists (map f u'). split.
  - split; [now rewrite map_length | now apply (valid_renamed used)].
  - eapply Z.le_trans; [now apply (cycle_loss_renamed used K (length kept) m (entry rows))|].
    unfold cycle_loss in *. rewrite <- (total_kept K m (entry rows) (is_kept kept) bar some_memory D _ u' G).
    eapply Z.le_trans; [exact T|]. apply total_relaxed; [assumption .. | apply V].
Qed.

End KeptChecked.

Theorem fewer_check_matched out past :
  fewer_check None m rows out = true ->
  let kept := kept_actions K out in
  Forall (fun a => In a kept) past -> matched b (smaller kept) past (map (new_name kept) past).
Proof.
  intros H. destruct out as [pairs|kept]; cbn [fewer_check kept_actions] in *.
  - now apply replaced_matched.
  - now apply (kept_matched None).
Qed.

Theorem fewer_check_words L out :
  (0 < L)%nat -> fewer_check (Some L) m rows out = true -> words_matched b (smaller (kept_actions K out)) L.
Proof.
  intros HL H. destruct out as [pairs|kept]; cbn [fewer_check kept_actions] in *.
  - now apply replaced_words_matched.
  - now apply (kept_words_matched (Some L)).
Qed.

Theorem fewer_check_long_run out p q :
  0 < q -> fewer_check None m rows out = true ->
  long_run_at_least (smaller (kept_actions K out)) p q -> long_run_at_least b p q.
Proof. intros Q H. apply long_run_matched; [exact Q|]. now apply (fewer_check_matched out []). Qed.

End Checked.
