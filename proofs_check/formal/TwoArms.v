(** * Two arms by slopes

    docs/large-memory.md, for every memory m.  s is the number of ones in the window, A_s = h_1(s), B_s = h_0(m-s), and
    t_1, .., t_{m-1} are the slopes.  If

    1. A_m >= v and B_0 >= v;
    2. up(k) = A_k - v - (m-k) t_k >= 0 and down(k) = B_k - v + k t_k >= 0 for 1 <= k <= m-1;
    3. up(k) + down(k-1) >= |t_k - t_{k-1}| (k-1)(m-k) for 2 <= k <= m-1

    then no policy has a long-run loss per step below v = p/q.  This is a sum over the actions ([Separable.v]): action 1 has
    these slopes and the charges down(k-1), action 0 has none. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Knapsack TallyPlan.Separable.
Import ListNotations.
Open Scope Z_scope.

Section TwoArms.
Variables (m : nat) (h : nat -> nat -> Z) (p q : Z) (t : nat -> Z).
Hypothesis some_memory : (0 < m)%nat.

Let M := Z.of_nat m.

(** q (loss - v) of a one that leads to s ones, and of a zero that leads to s ones. *)
Definition excess_one (s : nat) : Z := q * h 1%nat s - p.
Definition excess_zero (s : nat) : Z := q * h 0%nat (m - s)%nat - p.

Definition up (k : nat) : Z := excess_one k - (M - Z.of_nat k) * t k.
Definition down (k : nat) : Z := excess_zero k + Z.of_nat k * t k.

Definition constants_fine : Prop := 0 <= excess_one m /\ 0 <= excess_zero 0.
Definition slopes_fine : Prop := forall k, (1 <= k <= m - 1)%nat -> 0 <= up k /\ 0 <= down k.
Definition slopes_close : Prop :=
  forall k, (2 <= k <= m - 1)%nat ->
    Z.abs (t k - t (k - 1)%nat) * (Z.of_nat k - 1) * (M - Z.of_nat k) <= up k + down (k - 1).

(** The slopes and charges of both actions. *)
Definition slope (x y : nat) : Z := if ((x =? 1) && (1 <=? y) && (y <=? m - 1))%nat%bool then t y else 0.
Definition charge (x y : nat) : Z := if ((x =? 1) && (2 <=? y) && (y <=? m - 1))%nat%bool then down (y - 1) else 0.

Lemma slope_one y : (1 <= y <= m - 1)%nat -> slope 1 y = t y.
Proof. intros Y. unfold slope. destruct (Nat.leb_spec 1 y), (Nat.leb_spec y (m - 1)); try lia. reflexivity. Qed.

Lemma charge_one y : (2 <= y <= m - 1)%nat -> charge 1 y = down (y - 1).
Proof. intros Y. unfold charge. destruct (Nat.leb_spec 2 y), (Nat.leb_spec y (m - 1)); try lia. reflexivity. Qed.

Lemma charge_ends y : (y = 1 \/ y = m)%nat -> charge 1 y = 0.
Proof. intros Y. unfold charge. destruct (Nat.leb_spec 2 y), (Nat.leb_spec y (m - 1)); try lia; reflexivity. Qed.

(** What action 1 adds to a loop that it makes, and what the others add to one of action 0; k is the number of ones. *)
Lemma loop_one k : constants_fine -> slopes_fine -> (S k <= m)%nat ->
  0 <= loop m h p q slope 1 k /\ ((1 <= k)%nat -> (S k <= m - 1)%nat -> loop m h p q slope 1 k = up (S k)).
Proof.
  intros [C _] SF K. unfold loop, excess. cbv zeta. destruct (Nat.eq_dec (S k) m) as [E|N].
  - split; [|lia]. unfold excess_one in C. rewrite E. fold M. lia.
  - rewrite slope_one by lia. destruct (SF (S k) ltac:(lia)) as [U _]. unfold up, excess_one in *. fold M. split; lia.
Qed.

Lemma loop_zero k r : constants_fine -> slopes_fine -> (k + r = m - 1)%nat ->
  0 <= loop m h p q slope 0 r + aside slope 1 k /\ ((1 <= k)%nat -> loop m h p q slope 0 r + aside slope 1 k = down k).
Proof.
  intros [_ C] SF K. unfold loop, aside, excess. cbv zeta. replace (slope 0 (S r)) with 0 by reflexivity.
  unfold excess_zero in C. destruct (Nat.eq_dec k 0) as [-> | N].
  - replace (m - 0)%nat with (S r) in C by lia. split; lia.
  - rewrite slope_one by lia. destruct (SF k ltac:(lia)) as [_ D]. unfold down, excess_zero in *.
    replace (m - k)%nat with (S r) in * by lia. split; lia.
Qed.

Theorem two_arms_sound :
  0 < q -> constants_fine -> slopes_fine -> slopes_close -> long_run_at_least (tallying 2 m h) p q.
Proof.
  intros Q CF SF SC. apply (separable_sound 2 m h p q slope charge some_memory ltac:(lia) Q).
  - intros r a R A. cbn [Nat.sub count_upto sum_upto] in *. assert (two : a = 0%nat \/ a = 1%nat) by lia.
    destruct two as [-> | ->]; cbn [Nat.eqb].
    + apply (loop_zero (r 1%nat) (r 0%nat) CF SF). lia.
    + destruct (loop_one (r 1%nat) CF SF ltac:(lia)) as [L _]. unfold aside at 1.
      replace (slope 0 (r 0%nat)) with 0 by reflexivity. lia.
  - intros r a d R A D N. cbn [Nat.sub count_upto sum_upto] in *.
    assert (two : (a = 0 /\ d = 1 \/ a = 1 /\ d = 0)%nat) by lia. set (k := r 1%nat) in *.
    destruct two as [[-> ->] | [-> ->]]; cbn [Nat.eqb]; unfold added, leaves, penalty.
    + replace (slope 0 (S (r 0%nat))) with 0 by reflexivity. replace (slope 0 (S (r 0%nat) - 1)) with 0 by reflexivity.
      replace (charge 0 (S (r 0%nat))) with 0 by reflexivity. destruct (loop_zero k (r 0%nat) CF SF ltac:(lia)) as [L E].
      destruct (Nat.eq_dec k 0) as [E0|]; [rewrite (charge_ends (S k)) by lia; lia|].
      destruct (Nat.eq_dec (S k) m); [rewrite (charge_ends (S k)) by lia; lia|].
      rewrite charge_one by lia. replace (S k - 1)%nat with k by lia. specialize (E ltac:(lia)). lia.
    + unfold aside at 1. replace (slope 0 (r 0%nat)) with 0 by reflexivity.
      replace (charge 0 (S (r 0%nat))) with 0 by reflexivity.
      destruct (loop_one k CF SF ltac:(lia)) as [L E]. replace (S k - 1)%nat with k by lia.
      destruct (Nat.eq_dec k 0) as [E0|]; [rewrite (charge_ends (S k)), E0 by lia; rewrite E0 in L; lia|].
      destruct (Nat.eq_dec (S k) m) as [Em|].
      { rewrite (charge_ends (S k)) by lia. replace (Z.of_nat (S k)) with (Z.of_nat m) by lia. lia. }
      rewrite charge_one, !slope_one, E by lia. specialize (SC (S k) ltac:(lia)). replace (S k - 1)%nat with k in * by lia.
      unfold M in SC. lia.
Qed.

End TwoArms.
