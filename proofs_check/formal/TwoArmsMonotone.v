(** * Monotone tables

    Not in the paper (claim two-arm-theorem/monotone).  Two actions, any memory m.  If the losses of both actions rise with
    the tally, or those of one are constant, then a constant word or some 0^i 1^j with i, j < m and i + j >= m,
    repeated for ever, is optimal: no policy has a smaller long-run loss per step.  If the losses fall with the tally, a
    constant word is optimal, for any number of actions. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.TwoArms TallyPlan.TwoArmsRising.
Import ListNotations.
Open Scope Z_scope.

Definition row_rises (m : nat) (row : nat -> Z) : Prop := forall y y', (1 <= y <= y')%nat -> (y' <= m)%nat -> row y <= row y'.
Definition row_constant (m : nat) (row : nat -> Z) : Prop := forall y, (1 <= y <= m)%nat -> row y = row m.

(** The word 0^{m-k} 1^k of length m loses k A_k + (m-k) B_k. *)
Lemma balanced_word m h p q k : (0 < m)%nat -> below_long_words m h p q -> (1 <= k <= m - 1)%nat ->
  0 <= Z.of_nat k * excess_one h p q k + (Z.of_nat m - Z.of_nat k) * excess_zero m h p q k.
Proof.
  intros M (_ & _ & B) K. pose proof (word_excess m h p q M k k ltac:(lia) ltac:(lia)) as E. rewrite Nat.sub_diag in E.
  cbn [sum] in E.
  specialize (B (m - k)%nat k ltac:(lia) ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma between_levels k l M Ak Al Bk Bl : 0 < k < l -> l < M -> 0 <= k * Ak + (M - k) * Bk -> 0 <= l * Al + (M - l) * Bl ->
  Ak <= Al -> Bl <= Bk -> 0 <= k * Al + (M - l) * Bk.
Proof.
  intros K L Ek El A B. destruct (Z_lt_le_dec Bk 0) as [N|P].
  - assert (k * Ak <= k * Al) by nia. assert ((M - k) * Bk <= (M - l) * Bk) by nia. lia.
  - assert ((M - l) * Bl <= (M - l) * Bk) by nia. destruct (Z_lt_le_dec Al 0); [assert (l * Al <= k * Al) by nia; lia | nia].
Qed.

Lemma rising_does_not_pay m h p q : (0 < m)%nat -> 0 < q -> row_rises m (h 0%nat) -> row_rises m (h 1%nat) ->
  below_long_words m h p q -> short_words_do_not_pay m h p q.
Proof.
  intros M Q R0 R1 B k l K L. pose proof (balanced_word m h p q k M B ltac:(lia)) as Bk.
  pose proof (balanced_word m h p q l M B ltac:(lia)) as Bl.
  assert (A : excess_one h p q k <= excess_one h p q l).
  { unfold excess_one. specialize (R1 k l ltac:(lia) ltac:(lia)). nia. }
  assert (C : excess_zero m h p q l <= excess_zero m h p q k).
  { unfold excess_zero. specialize (R0 (m - l)%nat (m - k)%nat ltac:(lia) ltac:(lia)). nia. }
  refine (between_levels (Z.of_nat k) (Z.of_nat l) (Z.of_nat m) _ _ _ _ _ _ Bk Bl A C); lia.
Qed.

Lemma constant_does_not_pay m h p q : (0 < m)%nat -> 0 < q -> row_constant m (h 0%nat) ->
  below_long_words m h p q -> short_words_do_not_pay m h p q.
Proof.
  intros M Q R0 B k l K L. pose proof (balanced_word m h p q l M B ltac:(lia)) as Bl. destruct B as (B0 & _ & _).
  rewrite constant_loss in B0 by exact M.
  assert (E : forall s, (s <= m - 1)%nat -> excess_zero m h p q s = q * h 0%nat m - p).
  { intros s S. unfold excess_zero. rewrite (R0 (m - s)%nat) by lia. reflexivity. }
  rewrite (E k), (E l) in * by lia. set (Al := excess_one h p q l) in *. set (c := q * h 0%nat m - p) in *.
  assert (0 <= c) by (unfold c; lia). assert (0 <= (Z.of_nat m - Z.of_nat l) * c) by nia.
  destruct (Z_lt_le_dec Al 0); [assert (Z.of_nat l * Al <= Z.of_nat k * Al) by nia; lia | nia].
Qed.

Lemma other_constant_does_not_pay m h p q : (0 < m)%nat -> 0 < q -> row_constant m (h 1%nat) ->
  below_long_words m h p q -> short_words_do_not_pay m h p q.
Proof.
  intros M Q R1 B k l K L. pose proof (balanced_word m h p q k M B ltac:(lia)) as Bk. destruct B as (_ & B1 & _).
  rewrite constant_loss in B1 by exact M.
  assert (E : forall s, (1 <= s <= m)%nat -> excess_one h p q s = q * h 1%nat m - p) by (intros s S; unfold excess_one;
    now rewrite (R1 s)).
  rewrite (E k) in Bk by lia. rewrite (E l) by lia. set (c := q * h 1%nat m - p) in *. set (Bk' := excess_zero m h p q k) in *.
  assert (0 <= c) by (unfold c; lia).
  destruct (Z_lt_le_dec Bk' 0); [assert ((Z.of_nat m - Z.of_nat k) * Bk' <= (Z.of_nat m - Z.of_nat l) * Bk') by nia; lia | nia].
Qed.

(** Both rows rise, or one of them is constant. *)
Definition monotone (m : nat) (h : nat -> nat -> Z) : Prop :=
  (row_rises m (h 0%nat) /\ row_rises m (h 1%nat)) \/ row_constant m (h 0%nat) \/ row_constant m (h 1%nat).

(** No policy loses less per step than v = p/q, if the constant words and the long two-run words do not. *)
Theorem monotone_tables m h p q : (0 < m)%nat -> 0 < q ->
  monotone m h ->
  below_long_words m h p q -> long_run_at_least (tallying 2 m h) p q.
Proof.
  intros M Q H B. apply two_arms_rising; try assumption.
  destruct H as [[R0 R1] | [R0 | R1]];
    [now apply rising_does_not_pay | now apply constant_does_not_pay | now apply other_constant_does_not_pay].
Qed.

(** ** Some such word is optimal *)

Definition long_words (m : nat) : list (list nat) :=
  [0%nat] :: [1%nat] :: flat_map (fun i => map (two_runs i) (seq (m - i) i)) (seq 1 (m - 1)).

Lemma in_long_words m i j : (0 < m)%nat -> (i <= m - 1)%nat -> (j <= m - 1)%nat -> (m <= i + j)%nat ->
  In (two_runs i j) (long_words m).
Proof.
  intros M I J L. right. right. apply in_flat_map. exists i. split; [apply in_seq; lia|]. apply in_map, in_seq. lia.
Qed.

Lemma long_words_valid m h u : In u (long_words m) -> u <> [] /\ valid (tallying 2 m h) u.
Proof.
  intros [<- | [<- | I]]; [split; [discriminate | constructor; [simpl; lia | constructor]] .. |].
  apply in_flat_map in I as (i & I & J). apply in_map_iff in J as (j & <- & J). apply in_seq in I, J. unfold two_runs. split.
  - destruct i; [lia | discriminate].
  - apply valid_app. split; apply Forall_forall; intros a A; apply repeat_spec in A as ->; simpl; lia.
Qed.

(** The word of least mean among these. *)
Lemma least_mean b (l : list (list nat)) : l <> [] -> (forall u, In u l -> u <> []) -> exists u, In u l /\
  forall v, In v l -> Z.of_nat (length v) * cycle_loss b u <= Z.of_nat (length u) * cycle_loss b v.
Proof.
  induction l as [|u l IH]; [congruence|]. intros _ N. destruct l as [|w l'].
  - exists u. split; [now left | intros v [<- | []]; lia].
  - destruct (IH ltac:(discriminate) ltac:(intros; apply N; now right)) as (v & I & B).
    assert (P : forall x, In x (u :: w :: l') -> 0 < Z.of_nat (length x)).
    { intros x X. specialize (N x X). destruct x; [congruence | simpl; lia]. }
    pose proof (P u ltac:(now left)) as PU. pose proof (P v ltac:(now right)) as PV.
    destruct (Z_le_gt_dec (Z.of_nat (length v) * cycle_loss b u) (Z.of_nat (length u) * cycle_loss b v)) as [G|G].
    + exists u. split; [now left|]. intros x [<- | X]; [lia|]. pose proof (P x ltac:(now right)). specialize (B x X).
      apply (Z.mul_le_mono_pos_l _ _ (Z.of_nat (length v))); [exact PV|]. nia.
    + exists v. split; [now right|]. intros x [<- | X]; [lia | now apply B].
Qed.

Theorem monotone_optimum m h : (0 < m)%nat ->
  monotone m h ->
  exists u, In u (long_words m) /\
    long_run_at_least (tallying 2 m h) (cycle_loss (tallying 2 m h) u) (Z.of_nat (length u)).
Proof.
  intros M H. destruct (least_mean (tallying 2 m h) (long_words m)) as (u & I & B);
    [discriminate | intros u I; apply (long_words_valid m h u I)|].
  exists u. split; [exact I|]. destruct (long_words_valid m h u I) as [N _].
  apply monotone_tables; try assumption; [destruct u; [congruence | simpl; lia]|]. split; [|split].
  - specialize (B [0%nat] ltac:(now left)). cbn [length] in B. lia.
  - specialize (B [1%nat] ltac:(right; now left)). cbn [length] in B. lia.
  - intros i j J K L. specialize (B (two_runs i j) (in_long_words m i j M J K L)).
    unfold two_runs in B at 1. rewrite app_length, !repeat_length in B. exact B.
Qed.

(** ** Falling tables, any number of actions *)

Theorem falling_tables K m h p q : (0 < m)%nat -> 0 < q ->
  (forall x y, (x < K)%nat -> (1 <= y <= m)%nat -> h x m <= h x y) -> (forall x, (x < K)%nat -> p <= q * h x m) ->
  long_run_at_least (tallying K m h) p q.
Proof.
  intros M Q R B start _. exists 0. intros w V. rewrite Z.add_0_r. apply steps_at_least; [|exact V]. intros past a A.
  rewrite loss_tallying by exact M. specialize (R a _ A (tally_bounds m past a M)). specialize (B a A). nia.
Qed.
