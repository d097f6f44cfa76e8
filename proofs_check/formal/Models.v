(** * Cases in which the hypotheses hold

    A theorem with hypotheses that nothing satisfies says nothing.  For every table, failure probability and number of epochs
    there are coins of the right means and a learner that follows Algorithm 1.  Where the algorithm leaves a choice, it takes
    the first best policy of a list; reals can be compared, by the axioms of the standard library. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Language TallyPlan.Model TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Elimination TallyPlan.Lemma6AtOne
  TallyPlan.OptimismEpochs TallyPlan.OptimismRadii TallyPlan.OptimismEvent TallyPlan.Hoeffding TallyPlan.Lemma7
  TallyPlan.Theorem1OnEvents TallyPlan.Theorem1.
Import ListNotations.
Open Scope R_scope.

(** A coin that shows 1 with probability p. *)
Definition coin (p : R) : distribution := [(p, 1); (1 - p, 0)].

Lemma coin_fits p : 0 <= p <= 1 -> Hoeffding.proper (coin p) /\ mean (coin p) = p.
Proof. intros P. unfold Hoeffding.proper, coin, mean. cbn [expectation]. split; [|lra]. split; [|lra].
  apply Forall_forall. intros pv [<-|[<-|[]]]; cbn; lra.
Qed.

(** Of the words of a list that have a property, the first that is least. *)
Definition first_least (P : list nat -> Prop) (dec : forall w, {P w} + {~ P w}) (f : list nat -> R) (l : list (list nat)) :=
  least_word f (filter (fun w => if dec w then true else false) l).

Lemma first_least_is_least P dec f l : (exists w, In w l /\ P w) ->
  P (first_least P dec f l) /\ forall w, In w l -> P w -> f (first_least P dec f l) <= f w.
Proof.
  intros (v & I & H). unfold first_least. set (found := filter _ l).
  assert (F : forall w, In w found <-> In w l /\ P w).
  { intros w. unfold found. rewrite filter_In. destruct (dec w); intuition congruence. }
  destruct (least_word_least f found) as [B J]. split; [|intros w IW PW; now apply B, F].
  apply F, J. intros E. specialize (proj2 (F v) (conj I H)). now rewrite E.
Qed.

(** ** What the algorithm looks at *)

Lemma path_ext act act' n : (forall xs, (length xs < n)%nat -> act xs = act' xs) ->
  forall xs, (length xs <= n)%nat -> path act xs = path act' xs.
Proof. intros H. induction xs as [|v xs IH]; intros B; [reflexivity|]. cbn [path length] in *. now rewrite H, IH by lia. Qed.

Section Exists.
Variables (K m : nat) (h : nat -> nat -> Z) (D : Z) (L S : nat) (kappa delta : R).
Hypothesis some_action : (0 < K)%nat.
Hypothesis some_memory : (0 < m)%nat.
Hypothesis positive : (0 < D)%Z.
Hypothesis some_epoch : (1 <= S)%nat.
Hypothesis horizon : L = (4 * (K * m) * (2 ^ S - 1))%nat.

Notation until := (until K m L).
Notation steps_until := (steps_until K m L).
Notation estimate := (estimate_of K m D L).
Notation alive := (alive K m h D L S kappa delta).
Let wide := width K m D L kappa (ln (2 * INR (K * m) * INR S / delta)).

Lemma until_short s xs : (length (until s xs) <= steps_until s)%nat.
Proof. unfold Theorem1.until. rewrite skipn_length. lia. Qed.

(** An estimate depends on the policies of its epoch and on the play until its end. *)
Lemma estimate_ext pick pick' act act' s q pi : (forall p c, pick s p c = pick' s p c) ->
  (forall xs, (length xs < steps_until s)%nat -> act xs = act' xs) -> (length q <= steps_until s)%nat ->
  estimate pick act s q pi = estimate pick' act' s q pi.
Proof.
  intros HP HA B. unfold estimate_of, estimated_mean. f_equal. apply Rover_ext. intros c. f_equal. unfold cell_estimate, most_of.
  rewrite HP. f_equal. set (p := skipn _ q). set (ys := firstn _ q).
  assert (LY : (length ys + length p <= steps_until s)%nat).
  { unfold ys, p. rewrite firstn_length, skipn_length. lia. }
  clearbody ys p. induction ys as [|v ys IH]; [reflexivity|]. cbn [recorded_sum length] in *. rewrite IH by lia.
  replace (records K m L act s p c ys) with (records K m L act' s p c ys); [reflexivity|]. unfold records, next_cell.
  rewrite (path_ext act act' _ HA) by (rewrite app_length; lia). rewrite HA by (rewrite app_length; lia). reflexivity.
Qed.

(** So does A_s on the epochs before s. *)
Lemma alive_ext pick pick' select select' act act' s xs pi : (forall r p c, (r < s)%nat -> pick r p c = pick' r p c) ->
  (forall r q, (r < s)%nat -> select r q = select' r q) ->
  (forall ys, (length ys < steps_until (s - 1))%nat -> act ys = act' ys) ->
  alive pick select act s xs pi <-> alive pick' select' act' s xs pi.
Proof.
  unfold Theorem1.alive. revert pi. induction s as [|s IH]; intros pi HP HS HA; [reflexivity|]. destruct s as [|r]; [reflexivity|].
  rewrite !survivors_step. replace (Datatypes.S (Datatypes.S r) - 1)%nat with (Datatypes.S r) in HA by lia.
  assert (SUB : (steps_until (Datatypes.S r - 1) <= steps_until (Datatypes.S r))%nat).
  { apply (steps_until_mono K m L S); try assumption. lia. }
  rewrite IH by (intros; first [apply HP | apply HS | apply HA]; lia). rewrite HS by lia.
  rewrite !(estimate_ext pick pick' act act' (Datatypes.S r)); try reflexivity; try apply until_short; try exact HA;
    intros; apply HP; lia.
Qed.

Lemma alive_dec pick select act s xs pi : {alive pick select act s xs pi} + {~ alive pick select act s xs pi}.
Proof.
  unfold Theorem1.alive. revert pi. induction s as [|s IH]; intros pi; [now right|]. destruct s as [|r].
  - cbn [survivors]. unfold plays. destruct (Nat.eq_dec (length pi) L) as [E|E]; [|right; tauto].
    destruct (Forall_dec (fun a => (a < actions (tallying K m h))%nat) (fun a => lt_dec a _) pi) as [V|V]; [now left | right; tauto].
  - destruct (IH pi) as [I|I]; [|right; intros [J _]; tauto].
    destruct (Rle_dec (estimate pick act (Datatypes.S r) (until (Datatypes.S r) xs) pi)
      (estimate pick act (Datatypes.S r) (until (Datatypes.S r) xs) (select (Datatypes.S r) (until (Datatypes.S r) xs))
       + times reals elimination_factor (wide (Datatypes.S r)))) as [B|B]; [left | right; intros [_ C]]; [now split | now apply B].
Defined.

(** The first j epochs are played as they should be. *)
Definition runs pick select act j : Prop :=
  (forall s p ys, (1 <= s <= j)%nat -> length p = steps_until (s - 1) -> (length ys < epoch_steps K m L s)%nat ->
     act (ys ++ p) = nth (length ys) (epoch_of K m pick s p) 0%nat) /\
  (forall s p c, (1 <= s <= j)%nat -> length p = steps_until (s - 1) -> In c (cells K m) ->
     alive pick select act s p (pick s p c) /\
     forall pi, alive pick select act s p pi -> (N m pi (fst c) (snd c) <= most_of m pick s p c)%nat) /\
  (forall s xs, (1 <= s <= j)%nat -> (steps_until s <= length xs)%nat ->
     chosen_well reals K m h L (fun r => estimate pick act r (until r xs)) (fun r => select r (until r xs)) wide s).

(** Then A_(j+1) is not empty: the policy that was chosen stays. *)
Lemma some_alive pick select act j xs : runs pick select act j -> (steps_until j <= length xs)%nat ->
  exists pi, In pi (words K L) /\ alive pick select act (Datatypes.S j) xs pi.
Proof.
  intros (_ & _ & C) B. assert (G : exists pi, alive pick select act (Datatypes.S j) xs pi).
  { destruct j as [|r]; [exists (repeat 0%nat L); split; [apply repeat_length |];
      apply Forall_forall; intros a I; now apply repeat_spec in I as ->|].
    exists (select (Datatypes.S r) (until (Datatypes.S r) xs)). unfold Theorem1.alive. rewrite survivors_step. split.
    - apply (C (Datatypes.S r) xs); [lia | exact B].
    - unfold at_most_above. rewrite times_reals. cbn [le plus reals]. unfold width.
      pose proof (sqrt_pos (kappa * INR (K * m) / (2 ^ Datatypes.S r * INR L) * ln (2 * INR (K * m) * INR S / delta))) as Q.
      apply (Rmult_le_pos (IZR (Z.of_nat L * D))) in Q; [|apply IZR_le; nia].
      apply (Rmult_le_pos (INR elimination_factor)) in Q; [|apply pos_INR]. unfold radius. lra. }
  destruct G as [pi A]. exists pi. split; [|exact A]. apply in_words.
  apply (survivors_are_policies reals) in A. exact A.
Qed.

Lemma continued pick select act j : runs pick select act j ->
  exists pick' select' act', runs pick' select' act' (Datatypes.S j).
Proof.
  intros R. pose proof R as (A1 & A2 & A3). set (n := Datatypes.S j).
  set (best p f := first_least _ (alive_dec pick select act n p) f (words K L)).
  assert (BEST : forall p f, (steps_until j <= length p)%nat -> alive pick select act n p (best p f) /\
    forall pi, alive pick select act n p pi -> f (best p f) <= f pi).
  { intros p f B. destruct (first_least_is_least _ (alive_dec pick select act n p) f (words K L) (some_alive _ _ _ j p R B)) as [I M].
    split; [exact I|]. intros pi A. apply M; [|exact A]. apply in_words. now apply (survivors_are_policies reals) in A. }
  set (pick' s p c := if (s <=? j)%nat then pick s p c else best p (fun pi => - INR (N m pi (fst c) (snd c)))).
  set (act' xs := if (length xs <? steps_until j)%nat then act xs
    else nth (length xs - steps_until j) (epoch_of K m pick' n (until j xs)) 0%nat).
  set (select' s q := if (s <=? j)%nat then select s q else best q (estimate pick' act' n q)).
  assert (P : forall s p c, (s <= j)%nat -> pick' s p c = pick s p c) by (intros; unfold pick'; now rewrite (proj2 (Nat.leb_le s j))).
  assert (Q : forall s q, (s <= j)%nat -> select' s q = select s q) by (intros; unfold select'; now rewrite (proj2 (Nat.leb_le s j))).
  assert (MONO : forall s, (s <= j)%nat -> (steps_until s <= steps_until j)%nat)
    by (intros; now apply (steps_until_mono K m L S)).
  assert (A : forall xs, (length xs < steps_until j)%nat -> act' xs = act xs).
  { intros xs B. unfold act'. now rewrite (proj2 (Nat.ltb_lt _ _) B). }
  assert (EXT : forall s xs pi, (s <= n)%nat -> alive pick' select' act' s xs pi <-> alive pick select act s xs pi).
  { intros s xs pi B. apply alive_ext; intros; [apply P | apply Q | apply A]; try (unfold n in *; lia).
    specialize (MONO (s - 1)%nat ltac:(unfold n in *; lia)). lia. }
  assert (LENGTH : forall xs, (steps_until n <= length xs)%nat -> length (until n xs) = steps_until n)
    by (intros xs B; unfold Theorem1.until; rewrite skipn_length; lia).
  assert (SUB : (steps_until j <= steps_until n)%nat) by (apply (steps_until_mono K m L S); try assumption; unfold n; lia).
  assert (WHOLE : forall xs, (steps_until n <= length xs)%nat -> forall pi,
    alive pick' select' act' n xs pi <-> alive pick' select' act' n (until n xs) pi).
  { intros xs B pi. rewrite <- (firstn_skipn (length xs - steps_until n) xs) at 1. apply (alive_suffix K m); try assumption.
    replace (n - 1)%nat with j by (unfold n; lia). fold (until n xs). rewrite LENGTH by exact B. exact SUB. }
  assert (CHOICE : forall q, select' n q = best q (estimate pick' act' n q)).
  { intros q. unfold select'. now rewrite (proj2 (Nat.leb_gt n j)) by (unfold n; lia). }
  exists pick', select', act'. repeat split.
  - intros s p ys B LP LY. destruct (Nat.eq_dec s n) as [->|NE].
    + unfold n in LP. replace (Datatypes.S j - 1)%nat with j in LP by lia. unfold act'.
      rewrite (proj2 (Nat.ltb_ge (length (ys ++ p)) (steps_until j))) by (rewrite app_length; lia).
      rewrite (until_suffix K m L S some_action some_memory some_epoch horizon) by lia. rewrite until_all by exact LP.
      f_equal. rewrite app_length. lia.
    + assert (B' : (s <= j)%nat) by (unfold n in *; lia). specialize (MONO s B').
      rewrite (steps_until_last K m L S some_action some_memory some_epoch horizon) in MONO by lia.
      rewrite A by (rewrite app_length; lia). rewrite (A1 s p ys) by (try assumption; lia). unfold epoch_of. f_equal. f_equal.
      apply map_ext. intros c. now rewrite P.
  - apply EXT; [lia|]. destruct (Nat.eq_dec s n) as [->|NE].
    + unfold pick'. rewrite (proj2 (Nat.leb_gt n j)) by (unfold n; lia). apply BEST. unfold n in *.
      rewrite H0. replace (Datatypes.S j - 1)%nat with j by lia. lia.
    + rewrite P by (unfold n in *; lia). apply A2; auto. unfold n in *. lia.
  - intros pi I. apply EXT in I; [|lia]. unfold most_of. destruct (Nat.eq_dec s n) as [->|NE].
    + unfold pick'. rewrite (proj2 (Nat.leb_gt n j)) by (unfold n; lia). apply INR_le, Ropp_le_cancel.
      apply (BEST p (fun pi => - INR (N m pi (fst c) (snd c)))); [|exact I].
      unfold n in *. rewrite H0. now replace (Datatypes.S j - 1)%nat with j by lia.
    + rewrite P by (unfold n in *; lia). apply (A2 s p c); auto. unfold n in *. lia.
  - destruct (Nat.eq_dec s n) as [->|NE].
    + apply (WHOLE xs H0), EXT; [lia|]. rewrite CHOICE. apply BEST. rewrite LENGTH by exact H0. lia.
    + assert (B : (s <= j)%nat) by (unfold n in *; lia). rewrite Q by exact B. apply EXT; [lia|]. apply (A3 s xs); lia.
  - intros pi I. cbn [le reals]. destruct (Nat.eq_dec s n) as [->|NE].
    + rewrite CHOICE. apply BEST; [rewrite LENGTH by exact H0; lia|]. apply EXT; [lia|]. exact (proj1 (WHOLE xs H0 pi) I).
    + assert (B : (s <= j)%nat) by (unfold n in *; lia). rewrite Q by exact B. specialize (MONO s B).
      assert (SAME : forall w, estimate pick' act' s (until s xs) w = estimate pick act s (until s xs) w)
        by (intros w; apply estimate_ext; [intros; now apply P | intros; apply A; lia | apply until_short]).
      rewrite !SAME.
      apply (A3 s xs); [lia | lia|]. apply EXT; [lia | exact I].
Qed.

Lemma some_run j : exists pick select act, runs pick select act j.
Proof.
  induction j as [|j (pick & select & act & R)]; [|exact (continued pick select act j R)].
  exists (fun _ _ _ => []), (fun _ _ => []), (fun _ => 0%nat). repeat split; intros; lia.
Qed.

End Exists.

(** Algorithm 1 can be followed in every bandit, on every horizon that fits it, with coins for the noise. *)
Theorem algorithm1_can_be_followed K m h D S kappa delta : (0 < K)%nat -> (0 < m)%nat -> (0 < D)%Z ->
  (forall x y, (0 <= h x y <= D)%Z) -> (1 <= S)%nat -> 0 < delta < 1 ->
  exists pick select act next, algorithm1_game K m h D (4 * (K * m) * (2 ^ S - 1)) S kappa delta pick select act next.
Proof.
  intros HK M PD H HS HD. set (L := (4 * (K * m) * (2 ^ S - 1))%nat).
  destruct (some_run K m h D L S kappa delta HK M PD HS eq_refl S) as (pick & select & act & R).
  exists pick, select, act, (fun past => coin (IZR (h (fst (next_cell m act past)) (snd (next_cell m act past))) / IZR D)).
  assert (P : 0 < IZR D) by now apply IZR_lt.
  assert (B : forall x y, 0 <= IZR (h x y) / IZR D <= 1).
  { intros x y. destruct (H x y) as [A B]. apply IZR_le in A, B. split; apply (Rmult_le_reg_r (IZR D)); try exact P;
      unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  split; [now repeat split; try apply H|]. split; [repeat split; first [assumption | apply HD]|]. split; [exact R|].
  split; intros past; apply coin_fits, B.
Qed.

(** A best cyclic policy exists. *)
Lemma some_best_policy K m h L : (0 < K)%nat -> exists star, best_policy K m h L star.
Proof.
  intros HK. destruct (least_word_least (fun w => IZR (period_loss K m h w)) (words K L)) as [B I].
  set (star := least_word _ _) in *. exists star. split; [now apply in_words, I, some_word|].
  intros pi PP. apply le_IZR, B, in_words. exact PP.
Qed.
