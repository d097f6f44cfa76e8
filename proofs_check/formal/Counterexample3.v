(** * Counterexample 3: constant policies, three regrets

    Paper, counterexample:not_constant_action (line 233), regrets of eqn:policy_regret_main and
    eqn:traditional_regret_main (lines 137 and 142).  K = m = 2, h(1) = 0, h(2) = 1 for both actions.  A constant policy
    loses T - 1, has constant action policy regret 0 and complete policy regret T - 1.  All this holds.

    Its constant action traditional regret is said to be 0; it is T - 1: the other action, charged after the player's own
    history, has tally 1 at every step.  What the clause was to show is true on another table: h_0 = (1/2, 1/2),
    h_1 = (1, 0), m = 2, where always 0 has traditional regret 0 even against all of X^T, and complete policy regret
    (T - 2)/2. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3.
Import ListNotations.
Open Scope Z_scope.

(** ** Regrets, as the paper defines them *)

Definition is_least (class : list nat -> Prop) (f : list nat -> Z) (v : Z) : Prop :=
  (exists w, class w /\ f w = v) /\ (forall w, class w -> v <= f w).

(** The competitor's step t, charged after the player's own first t-1 actions. *)
Fixpoint charged (b : bandit) (past player competitor : list nat) : Z :=
  match player, competitor with
  | a :: player', y :: competitor' => loss b past y + charged b (a :: past) player' competitor'
  | _, _ => 0
  end.

Definition policy_regret (b : bandit) (class : list nat -> Prop) (player : list nat) (r : Z) : Prop :=
  exists v, is_least class (total b []) v /\ r = total b [] player - v.

Definition traditional_regret (b : bandit) (class : list nat -> Prop) (player : list nat) (r : Z) : Prop :=
  exists v, is_least class (charged b [] player) v /\ r = total b [] player - v.

Definition constants (b : bandit) (T : nat) (w : list nat) : Prop := exists x, (x < actions b)%nat /\ w = repeat x T.

(** ** The table of the counterexample *)

Definition counterexample3 : bandit := tallying 2 2 (fun _ y => if (y =? 1)%nat then 0 else 1).

(** What a constant policy loses; its complete policy regret and its constant action traditional regret are the same. *)
Definition counterexample3_loss (T : nat) : Z := Z.of_nat T - 1.

Lemma loss_after a past y : loss counterexample3 (a :: past) y = if (y =? a)%nat then 1 else 0.
Proof.
  unfold counterexample3. rewrite loss_tallying by lia. unfold window, tally. cbn [firstn count_occ].
  destruct (Nat.eq_dec y y); [|congruence]. destruct (Nat.eqb_spec y a), (Nat.eq_dec a y); congruence || reflexivity.
Qed.

Lemma constant_after x past T : total counterexample3 (x :: past) (repeat x T) = Z.of_nat T.
Proof.
  revert past. induction T as [|T IH]; intros past; [reflexivity|]. cbn [repeat total].
  rewrite IH, loss_after, Nat.eqb_refl. lia.
Qed.

Theorem constant_policy_loses x T : (1 <= T)%nat -> total counterexample3 [] (repeat x T) = counterexample3_loss T.
Proof.
  intros P. destruct T as [|T]; [lia|]. cbn [repeat total]. rewrite constant_after.
  unfold counterexample3. rewrite loss_tallying by lia. unfold window, tally, counterexample3_loss. cbn [firstn count_occ].
  destruct (Nat.eq_dec x x); [|congruence]. simpl Nat.eqb. lia.
Qed.

Theorem constant_action_policy_regret x T : (x < 2)%nat -> (1 <= T)%nat ->
  policy_regret counterexample3 (constants counterexample3 T) (repeat x T) 0.
Proof.
  intros X P. exists (counterexample3_loss T). rewrite constant_policy_loses by assumption. split; [|lia]. split.
  - exists (repeat x T). split; [now exists x | now apply constant_policy_loses].
  - intros w (z & _ & ->). now rewrite constant_policy_loses.
Qed.

(** a, 1-a, a, 1-a, ... *)
Fixpoint alternating (a T : nat) : list nat :=
  match T with
  | O => []
  | S t => a :: alternating (1 - a) t
  end.

Lemma alternating_plays a T : (a < 2)%nat -> plays counterexample3 T (alternating a T).
Proof.
  revert a. induction T as [|T IH]; intros a A; [split; [reflexivity | constructor]|].
  destruct (IH (1 - a)%nat ltac:(lia)) as [L V].
  split; [cbn [alternating length]; now rewrite L | constructor; [exact A | exact V]].
Qed.

Lemma alternating_after a past T : (a < 2)%nat -> total counterexample3 (a :: past) (alternating (1 - a) T) = 0.
Proof.
  revert a past. induction T as [|T IH]; intros a past A; [reflexivity|]. cbn [alternating total].
  rewrite IH, loss_after by lia. destruct (Nat.eqb_spec (1 - a) a); lia.
Qed.

(** Alternating loses nothing. *)
Theorem alternating_loses_nothing T : is_least (plays counterexample3 T) (total counterexample3 []) 0.
Proof.
  split; [exists (alternating 0 T); split; [apply alternating_plays; lia|] |].
  - destruct T as [|T]; [reflexivity|]. cbn [alternating total]. rewrite alternating_after by lia. reflexivity.
  - intros w [_ V]. apply (total_within counterexample3 1); [|exact V]. apply tallying_steps_within; [lia|].
    intros x y _ _. destruct (y =? 1)%nat; lia.
Qed.

Theorem complete_policy_regret x T : (1 <= T)%nat ->
  policy_regret counterexample3 (plays counterexample3 T) (repeat x T) (counterexample3_loss T).
Proof.
  intros P. exists 0. split; [apply alternating_loses_nothing | rewrite constant_policy_loses by assumption; lia].
Qed.

Lemma charged_other x y past T : (x <> y)%nat -> charged counterexample3 (x :: past) (repeat x T) (repeat y T) = 0.
Proof.
  intros N. revert past. induction T as [|T IH]; intros past; [reflexivity|]. cbn [repeat charged].
  rewrite IH, loss_after. destruct (Nat.eqb_spec y x); [congruence | reflexivity].
Qed.

(** The printed clause says 0. *)
Theorem constant_action_traditional_regret x T : (x < 2)%nat -> (1 <= T)%nat ->
  traditional_regret counterexample3 (constants counterexample3 T) (repeat x T) (counterexample3_loss T).
Proof.
  intros X P. exists 0. rewrite constant_policy_loses by assumption. split; [|lia].
  assert (E : charged counterexample3 [] (repeat x T) (repeat (1 - x)%nat T) = 0).
  { destruct T as [|T]; [lia|]. cbn [repeat charged]. rewrite charged_other by lia. unfold counterexample3.
    rewrite loss_tallying by lia. unfold window, tally. cbn [firstn count_occ].
    destruct (Nat.eq_dec (1 - x) (1 - x)); [reflexivity | congruence]. }
  split; [exists (repeat (1 - x)%nat T); split; [exists (1 - x)%nat; split; [change (actions counterexample3) with 2%nat;
    lia | reflexivity] | exact E]|].
  intros w (z & A & ->). revert A. generalize (@nil nat). clear. revert z x.
  induction T as [|T IH]; intros z x past A; [simpl; lia|]. cbn [repeat charged].
  specialize (IH z x (x :: past) A). enough (0 <= loss counterexample3 past z) by lia.
  unfold counterexample3. rewrite loss_tallying by lia. destruct (_ =? 1)%nat; lia.
Qed.

(** Hence the printed clause fails for every T >= 2. *)
Corollary traditional_regret_is_not_zero x T r : (x < 2)%nat -> (2 <= T)%nat ->
  traditional_regret counterexample3 (constants counterexample3 T) (repeat x T) r -> r <> 0.
Proof.
  intros X P (v & [(w & C & E) least] & ->).
  destruct (constant_action_traditional_regret x T X ltac:(lia)) as (v' & [(w' & C' & E') least'] & E2).
  pose proof (least w' C'). pose proof (least' w C). unfold counterexample3_loss in E2. lia.
Qed.

(** ** Another table: traditional regret 0 against everything, linear complete policy regret *)

(** h_0 = (1/2, 1/2), h_1 = (1, 0), in halves. *)
Definition other_table : bandit := tallying 2 2 (entry [[1; 1]; [2; 0]]).

(** Twice (T - 2)/2. *)
Definition other_regret (T : nat) : Z := Z.of_nat T - 2.

Lemma always_0 past T : total other_table past (repeat 0%nat T) = Z.of_nat T.
Proof.
  revert past. induction T as [|T IH]; intros past; [reflexivity|]. cbn [repeat total]. rewrite IH.
  unfold other_table. rewrite loss_tallying by lia. pose proof (tally_bounds 2 past 0 ltac:(lia)) as B.
  assert (E : tally 0 (window 2 past 0) = 1%nat \/ tally 0 (window 2 past 0) = 2%nat) by lia.
  destruct E as [-> | ->]; unfold entry; cbn [nth Nat.sub]; lia.
Qed.

Lemma other_steps_within : steps_within other_table 2.
Proof.
  apply tallying_steps_within; [lia|]. intros x y X Y.
  assert (E : (y = 1 \/ y = 2)%nat) by lia. assert (F : (x = 0 \/ x = 1)%nat) by lia.
  destruct E as [-> | ->], F as [-> | ->]; unfold entry; cbn [nth Nat.sub]; lia.
Qed.

(** After zeros alone, neither action can lose less than always 0 does. *)
Lemma no_better_step k y : (y < 2)%nat -> 1 <= loss other_table (repeat 0%nat k) y.
Proof.
  intros Y. unfold other_table. rewrite loss_tallying by lia. assert (E : (y = 0 \/ y = 1)%nat) by lia.
  destruct E as [-> | ->], k as [|k]; unfold entry, tally, window; cbn; lia.
Qed.

Theorem traditional_regret_zero_against_everything T :
  traditional_regret other_table (plays other_table T) (repeat 0%nat T) 0.
Proof.
  assert (C : forall T k, charged other_table (repeat 0%nat k) (repeat 0%nat T) (repeat 0%nat T) = Z.of_nat T).
  { clear T. induction T as [|T IH]; intros k; [reflexivity|]. pose proof (always_0 (repeat 0%nat k) 1) as S1.
    cbn [repeat charged total] in *. specialize (IH (S k)). cbn [repeat] in IH. lia. }
  exists (Z.of_nat T). rewrite always_0. split; [|lia]. split.
  - exists (repeat 0%nat T). split; [|exact (C T 0%nat)]. split; [apply repeat_length|].
    apply Forall_forall. intros a I. apply repeat_spec in I as ->. simpl. lia.
  - intros w [<- V]. change (@nil nat) with (repeat 0%nat 0). generalize 0%nat at 2. clear C.
    induction w as [|y w IH]; intros k; [simpl; lia|]. inversion V as [|? ? Y V']; subst. cbn [repeat charged length].
    specialize (IH V' (S k)). cbn [repeat] in IH. pose proof (no_better_step k y Y). lia.
Qed.

Lemma other_optimum T : (2 <= T)%nat -> is_least (plays other_table T) (total other_table []) 2.
Proof.
  intros P. split.
  - exists (repeat 1%nat T). split.
    + split; [apply repeat_length|]. apply Forall_forall. intros a I. apply repeat_spec in I as ->. simpl. lia.
    + assert (E : forall T past, total other_table (1%nat :: past) (repeat 1%nat T) = 0).
      { clear T P. induction T as [|T IH]; intros past; [reflexivity|]. cbn [repeat total]. rewrite IH. reflexivity. }
      destruct T as [|T]; [lia|]. cbn [repeat total]. rewrite E. reflexivity.
  - intros w [L V]. destruct w as [|a [|c w]]; [simpl in L; lia | simpl in L; lia |].
    inversion V as [|? ? A V']; subst. inversion V' as [|? ? C V'']; subst. cbn [total].
    pose proof (total_within other_table 2 other_steps_within w [c; a] V''). simpl in A, C.
    assert (EA : (a = 0 \/ a = 1)%nat) by lia. assert (EC : (c = 0 \/ c = 1)%nat) by lia.
    assert (2 <= loss other_table [] a + loss other_table [a] c); [|lia].
    destruct EA as [-> | ->], EC as [-> | ->]; vm_compute; discriminate.
Qed.

Theorem linear_complete_policy_regret T : (2 <= T)%nat ->
  policy_regret other_table (plays other_table T) (repeat 0%nat T) (other_regret T).
Proof. intros P. exists 2. split; [now apply other_optimum | now rewrite always_0]. Qed.
