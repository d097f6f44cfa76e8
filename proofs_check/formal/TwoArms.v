(** * Two arms by slopes

    docs/certificates.md, section 3, "Two arms", for every memory m.  s is the number of ones in the window,
    A_s = h_1(s), B_s = h_0(m-s), and t_1, .., t_{m-1} are the slopes.  If

    1. A_m >= v and B_0 >= v;
    2. up(k) = A_k - v - (m-k) t_k >= 0 and down(k) = B_k - v + k t_k >= 0 for 1 <= k <= m-1;
    3. up(k) + down(k-1) >= |t_k - t_{k-1}| (k-1)(m-k) for 2 <= k <= m-1

    then no policy has a long-run loss per step below v = p/q.  The potential is Phi = t_s psi + g(s); everything here is
    multiplied by 2q, so that it is an integer. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Potentials TallyPlan.Positions.
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

(** t_0 = t_1 and t_m = t_{m-1}. *)
Definition slope (k : nat) : Z := if (k =? 0)%nat then t 1%nat else if (k =? m)%nat then t (m - 1)%nat else t k.

(** 2 g(k+1) - 2 g(k): between the levels k and k+1. *)
Definition rise (k : nat) : Z :=
  if ((1 <=? k) && (k + 2 <=? m))%nat%bool then
    let c := t (S k) - t k in
    2 * up (S k) - Z.max (c * (Z.of_nat k * (Z.of_nat k + 1))) (c * (Z.of_nat k * (2 * M - 1 - Z.of_nat k)))
  else 0.

Fixpoint height (k : nat) : Z := match k with O => 0 | S j => height j + rise j end.

Definition potential (w : list nat) : Z :=
  let s := tally 1 w in 2 * slope s * positions 1 w + height s.

Lemma slope_inside k : (1 <= k <= m - 1)%nat -> slope k = t k.
Proof.
  intros K. unfold slope. destruct (Nat.eqb_spec k 0); [lia|]. destruct (Nat.eqb_spec k m); [lia | reflexivity].
Qed.

Lemma slope_first : (2 <= m)%nat -> slope 0 = slope 1.
Proof. intros H. rewrite (slope_inside 1) by lia. reflexivity. Qed.

Lemma slope_last k : (1 <= k)%nat -> S k = m -> slope (S k) = slope k.
Proof.
  intros K E. rewrite (slope_inside k) by lia. unfold slope. destruct (Nat.eqb_spec (S k) 0); [lia|].
  destruct (Nat.eqb_spec (S k) m); [|lia]. f_equal. lia.
Qed.

(** Between the levels k and k+1 either both are inside, or the slope is the same, or nothing depends on it. *)
Lemma rise_inside k :
  (1 <= k)%nat -> (k + 2 <= m)%nat ->
  rise k = 2 * up (S k) - Z.max ((t (S k) - t k) * (Z.of_nat k * (Z.of_nat k + 1)))
                                ((t (S k) - t k) * (Z.of_nat k * (2 * M - 1 - Z.of_nat k))).
Proof. intros K L. unfold rise. destruct (Nat.leb_spec 1 k), (Nat.leb_spec (k + 2) m); try lia. reflexivity. Qed.

Lemma rise_outside k : (k = 0 \/ m <= k + 1)%nat -> rise k = 0.
Proof. intros K. unfold rise. destruct (Nat.leb_spec 1 k), (Nat.leb_spec (k + 2) m); try reflexivity. lia. Qed.

(** On a level: a one after a one has left, a zero after a zero has left. *)
Lemma stay_one k : constants_fine -> slopes_fine -> (k + 1 <= m)%nat -> slope (S k) * (M - Z.of_nat (S k)) <= excess_one (S k).
Proof.
  intros [CA _] SF K. destruct (Nat.eq_dec (S k) m) as [E|N].
  - rewrite E. unfold M. replace (Z.of_nat m - Z.of_nat m) with 0 by lia. lia.
  - rewrite slope_inside by lia. destruct (SF (S k) ltac:(lia)) as [U _]. unfold up in U. lia.
Qed.

Lemma stay_zero k : constants_fine -> slopes_fine -> (k + 1 <= m)%nat -> - (slope k * Z.of_nat k) <= excess_zero k.
Proof.
  intros [_ CB] SF K. destruct (Nat.eq_dec k 0) as [->|N]; [simpl; lia|].
  rewrite slope_inside by lia. destruct (SF k ltac:(lia)) as [_ U]. unfold down in U. lia.
Qed.

(** From level k up to k+1: the heights fit for every place of the ones. *)
Lemma up_fits k psi :
  constants_fine -> slopes_fine -> (k + 1 <= m)%nat ->
  Z.of_nat k * (Z.of_nat k + 1) <= 2 * psi <= Z.of_nat k * (2 * M - 1 - Z.of_nat k) ->
  2 * (slope (S k) - slope k) * psi + 2 * slope (S k) * (M - Z.of_nat (S k)) + rise k <= 2 * excess_one (S k).
Proof.
  intros CF SF KM B. pose proof (stay_one k CF SF KM) as stay.
  destruct (Nat.eq_dec k 0) as [E0|E0]; [|destruct (Nat.eq_dec (S k) m) as [Em|Em]].
  - assert (psi = 0) by (rewrite E0 in B; lia). rewrite rise_outside by lia. nia.
  - rewrite rise_outside, (slope_last k) in * by lia. nia.
  - rewrite rise_inside, !slope_inside in * by lia. unfold up. set (c := t (S k) - t k).
    assert (2 * c * psi <= Z.max (c * (Z.of_nat k * (Z.of_nat k + 1))) (c * (Z.of_nat k * (2 * M - 1 - Z.of_nat k)))) by nia.
    lia.
Qed.

(** From level k+1 down to k, by condition 3. *)
Lemma down_fits k psi :
  constants_fine -> slopes_fine -> slopes_close -> (k + 1 <= m)%nat ->
  Z.of_nat k * (Z.of_nat k + 1) <= 2 * psi <= Z.of_nat k * (2 * M - 1 - Z.of_nat k) ->
  - (2 * (slope (S k) - slope k) * psi) - 2 * slope k * Z.of_nat k - rise k <= 2 * excess_zero k.
Proof.
  intros CF SF SC KM B. pose proof (stay_zero k CF SF KM) as stay.
  destruct (Nat.eq_dec k 0) as [E0|E0]; [|destruct (Nat.eq_dec (S k) m) as [Em|Em]].
  - assert (psi = 0) by (rewrite E0 in B; lia). rewrite rise_outside by lia. nia.
  - rewrite rise_outside, (slope_last k) in * by lia. nia.
  - rewrite rise_inside, !slope_inside in * by lia.
    specialize (SC (S k) ltac:(lia)). replace (S k - 1)%nat with k in SC by lia.
    unfold down in SC. set (c := t (S k) - t k) in *. set (u := up (S k)) in *.
    replace (Z.of_nat (S k) - 1) with (Z.of_nat k) in SC by lia.
    replace (M - Z.of_nat (S k)) with (M - 1 - Z.of_nat k) in SC by lia.
    assert (Z.max (c * (Z.of_nat k * (Z.of_nat k + 1))) (c * (Z.of_nat k * (2 * M - 1 - Z.of_nat k))) - 2 * c * psi
            <= 2 * (Z.abs c * Z.of_nat k * (M - 1 - Z.of_nat k))) by nia.
    lia.
Qed.

Theorem slopes_rise :
  constants_fine -> slopes_fine -> slopes_close ->
  rises_at_most (tallying 2 m h) (2 * p) (2 * q) potential.
Proof.
  intros CF SF SC w d a L V D A. cbn [tallying memory actions cost] in *.
  assert (two : a = 0%nat \/ a = 1%nat) by lia. assert (two' : d = 0%nat \/ d = 1%nat) by lia.
  pose proof (positions_before 1 w d M ltac:(unfold M; lia)) as B. cbv zeta in B. rewrite (ones_tally 1 w) in B.
  pose proof (positions_step 1 w d a) as S. set (k := tally 1 w) in *.
  assert (KM : (k + 1 <= m)%nat) by (pose proof (ones_bounds 1 w) as O; rewrite ones_tally in O; fold k in O; lia).
  assert (T1 : forall c, tally 1 (c :: w) = if Nat.eq_dec c 1 then Datatypes.S k else k) by reflexivity.
  assert (T0 : a = 0%nat -> tally 0 (a :: w) = (m - k)%nat).
  { intros ->. pose proof (tallies_of_two w V) as E. fold k in E. unfold tally in *. simpl. lia. }
  assert (Td : tally 1 (w ++ [d]) = if Nat.eq_dec d 1 then Datatypes.S k else k).
  { unfold tally. rewrite count_occ_app. fold (tally 1 w). fold k. simpl. destruct (Nat.eq_dec d 1); lia. }
  assert (LW : Z.of_nat (length w) + 1 = M) by (unfold M; lia).
  rewrite LW, (ones_tally 1 (a :: w)), T1 in S. unfold potential, tally_cost. rewrite Td, T1, S. unfold one_if.
  set (psi := positions 1 (w ++ [d])) in *. clearbody psi. clear S.
  destruct two as [-> | ->], two' as [-> | ->]; rewrite ?T0, ?T1 by reflexivity;
    repeat match goal with |- context [Nat.eq_dec ?x ?y] => destruct (Nat.eq_dec x y); try discriminate; try congruence end;
    cbn [height].
  - pose proof (stay_zero k CF SF KM) as E. unfold excess_zero in E. nia.
  - pose proof (down_fits k psi CF SF SC KM B) as E. unfold excess_zero in E. nia.
  - pose proof (up_fits k psi CF SF KM B) as E. unfold excess_one in E. nia.
  - pose proof (stay_one k CF SF KM) as E. unfold excess_one in E. nia.
Qed.

Theorem two_arms_sound :
  0 < q -> constants_fine -> slopes_fine -> slopes_close -> long_run_at_least (tallying 2 m h) p q.
Proof.
  intros Q CF SF SC. apply (long_run_factor _ 2); [lia|].
  apply (window_potentials _ _ _ potential); [exact some_memory | lia | now apply slopes_rise].
Qed.

End TwoArms.

(** ** The check *)

Definition two_arms_check (m : nat) (h : nat -> nat -> Z) (p q : Z) (t : nat -> Z) : bool :=
  ((0 <=? excess_one h p q m) && (0 <=? excess_zero m h p q 0) &&
   forallb (fun k => (0 <=? up m h p q t k) && (0 <=? down m h p q t k)) (seq 1 (m - 1)) &&
   forallb (fun k => Z.abs (t k - t (k - 1)%nat) * (Z.of_nat k - 1) * (Z.of_nat m - Z.of_nat k)
                     <=? up m h p q t k + down m h p q t (k - 1)) (seq 2 (m - 2)))%bool.

Lemma two_arms_check_spec m h p q t :
  two_arms_check m h p q t = true -> constants_fine m h p q /\ slopes_fine m h p q t /\ slopes_close m h p q t.
Proof.
  intros H. unfold two_arms_check in H. rewrite !Bool.andb_true_iff, !forallb_forall, !Z.leb_le in H.
  destruct H as [[[C1 C2] S] C]. repeat split; try assumption.
  - specialize (S k ltac:(apply in_seq; lia)). now rewrite Bool.andb_true_iff, !Z.leb_le in S.
  - specialize (S k ltac:(apply in_seq; lia)). now rewrite Bool.andb_true_iff, !Z.leb_le in S.
  - intros k K. specialize (C k ltac:(apply in_seq; lia)). now apply Z.leb_le.
Qed.

Theorem two_arms_check_sound m h p q t :
  (0 < m)%nat -> 0 < q -> two_arms_check m h p q t = true -> long_run_at_least (tallying 2 m h) p q.
Proof. intros M Q H. apply two_arms_check_spec in H. now apply (two_arms_sound m h p q t M Q). Qed.
