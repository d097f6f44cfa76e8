(** * Lemma 8: the best cyclic policy is never eliminated

    Paper, lem:pi_star_in_As (line 511; proof at line 568): on the events B_1, ..., B_S, pi_star is in every A_s, and
    0 <= muhat_s(pi_star) - muhat_s(pihat_s) <= 2 C_s.

    The factor 2 is the best, given only errors of at most C_s, and so is the 2 C_s of the elimination rule. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Elimination.
Import ListNotations.
Open Scope Z_scope.

(** The bound is so many times C_s. *)
Definition lemma8_factor : nat := 2.

Section Lemma8.

Variable R : numbers.
Variables (K m : nat) (h : nat -> nat -> Z) (L : nat).
Variable estimate : nat -> list nat -> number R.
Variable chosen : nat -> list nat.
Variable width : nat -> number R.
Let A := survivors R K m h L estimate chosen width.
Let B := event R K m h L estimate chosen width.

(** The induction step: two errors, and mu(pi_star) <= mu(pihat). *)
Lemma excess_of_best star s : best_policy K m h L star -> A s star -> B s -> chosen_well R K m h L estimate chosen width s ->
  at_most_above R (times R lemma8_factor (width s)) (estimate s star) (estimate s (chosen s)).
Proof.
  intros best S E [C _]. destruct (E star S) as [E1 _]. destruct (E (chosen s) C) as [_ E2].
  simpl. rewrite plus_zero. eapply above_trans; [|exact E2]. eapply above_below; [exact E1|].
  apply (best_is_best R K m h L _ _ best). now apply (survivors_are_policies R K m h L estimate chosen width s).
Qed.

Theorem lemma8 star S : best_policy K m h L star ->
  (forall s, (1 <= s <= S)%nat -> chosen_well R K m h L estimate chosen width s /\ B s) ->
  forall s, (1 <= s <= S)%nat ->
    A s star /\ le R (estimate s (chosen s)) (estimate s star) /\
    at_most_above R (times R lemma8_factor (width s)) (estimate s star) (estimate s (chosen s)).
Proof.
  intros best run s HS.
  assert (I : A s star).
  { destruct s as [|s]; [lia|]. induction s as [|s IH]; [apply best|].
    destruct (run (Datatypes.S s) ltac:(lia)) as [C E].
    split; [apply IH; lia | apply excess_of_best; [exact best | apply IH; lia | exact E | exact C]]. }
  destruct (run s HS) as [C E]. split; [exact I|]. split; [now apply (proj2 C) | now apply excess_of_best].
Qed.

End Lemma8.

(** ** The factor is the best

    K = 2, m = 1, L = 1 and both losses 0: the policies 0 and 1 are equally good, and the estimates err by C = 1 in opposite
    directions. *)

Definition opposite_errors (s : nat) (pi : list nat) : number integers := match pi with [0%nat] => 1 | _ => -1 end.

Theorem lemma8_attained :
  let A := survivors integers 2 1 (fun _ _ => 0) 1 opposite_errors (fun _ => [1%nat]) (fun _ => 1) in
  best_policy 2 1 (fun _ _ => 0) 1 [0%nat] /\ A 1%nat [0%nat] /\
  chosen_well integers 2 1 (fun _ _ => 0) 1 opposite_errors (fun _ => [1%nat]) (fun _ => 1) 1 /\
  event integers 2 1 (fun _ _ => 0) 1 opposite_errors (fun _ => [1%nat]) (fun _ => 1) 1 /\
  opposite_errors 1 [0%nat] = opposite_errors 1 [1%nat] + Z.of_nat lemma8_factor * 1.
Proof.
  assert (Z0 : forall pi, period_loss 2 1 (fun _ _ => 0) pi = 0).
  { intros pi. unfold period_loss. apply sum_zero. intros x _. apply sum_zero. intros y _. lia. }
  assert (P : forall a, (a < 2)%nat -> plays (tallying 2 1 (fun _ _ => 0)) 1 [a]).
  { intros a H. split; [reflexivity | constructor; [exact H | constructor]]. }
  assert (V : forall pi, plays (tallying 2 1 (fun _ _ => 0)) 1 pi -> pi = [0%nat] \/ pi = [1%nat]).
  { intros [|a [|c pi]] [Len W]; try discriminate. inversion W as [|? ? H _]; subst. simpl in H.
    assert (E : (a = 0 \/ a = 1)%nat) by lia. destruct E as [-> | ->]; auto. }
  repeat split; simpl; try apply P; try lia; try reflexivity.
  - intros pi W. rewrite !Z0. lia.
  - intros pi W. destruct (V pi W) as [-> | ->]; simpl; lia.
  - destruct (V pi H) as [-> | ->]; unfold at_most_above, mu; simpl; rewrite ?Z0; lia.
  - destruct (V pi H) as [-> | ->]; unfold at_most_above, mu; simpl; rewrite ?Z0; lia.
Qed.
