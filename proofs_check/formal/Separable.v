(** * A potential that is a sum over the actions

    docs/certificates.md, rule "potential", "A sum over the actions": slopes t_x(y) and charges c_x(y).  For all vectors s
    of tallies with the sum m, with S(s) = sum over x of s_x t_x(s_x),

    1. (loops) h_a(s_a) - v - m t_a(s_a) + S(s) >= 0 for every a with s_a >= 1;
    2. (steps) h_a(s_a) - v - m t_a(s_a) + S(s) - |t_a(s_a) - t_a(s_a - 1)| (s_a - 1)(m - s_a) + c_a(s_a) - c_d(s_d + 1) >= 0
       for all actions a != d with s_a >= 1.

    Then no policy has a long-run loss per step below v.  The left sides are sums over the actions, and the least ones
    come from [Knapsack.v]; what varies there is r, the tallies without the new action, with the sum m-1.  The potential of
    a window is the sum over x of t_x(s_x) psi_x + g_x(s_x) - c_x(1) - .. - c_x(s_x).  It bounds finite games too (rule
    "close"): the rest of a game, once the window is full, loses (T-d) v plus the last potential minus the first. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Potentials TallyPlan.Positions TallyPlan.Knapsack TallyPlan.Opening.
Import ListNotations.
Open Scope Z_scope.

Lemma tally_snoc x w d : tally x (w ++ [d]) = tally x (d :: w).
Proof. unfold tally. rewrite count_occ_app. simpl. destruct (Nat.eq_dec d x); lia. Qed.

(** A linear function lies between its values at the ends. *)
Lemma between c low x high : low <= x <= high -> Z.min (c * low) (c * high) <= c * x <= Z.max (c * low) (c * high).
Proof. intros B. destruct (Z.le_ge_cases 0 c); nia. Qed.

Section Separable.
Variables (K m : nat) (h : nat -> nat -> Z) (p q : Z) (t c : nat -> nat -> Z).
Hypothesis some_memory : (0 < m)%nat.
Hypothesis some_action : (0 < K)%nat.

Let M := Z.of_nat m.

Definition excess (x y : nat) : Z := q * h x y - p.

Definition penalty (x y : nat) : Z := Z.abs (t x y - t x (y - 1)%nat) * ((Z.of_nat y - 1) * (M - Z.of_nat y)).

(** What an action adds to a left side, by the part that it plays; r is its tally without the new action. *)
Definition aside (x r : nat) : Z := Z.of_nat r * t x r.
Definition loop (x r : nat) : Z := let y := S r in excess x y - M * t x y + Z.of_nat y * t x y.
Definition added (x r : nat) : Z := loop x r - penalty x (S r) + c x (S r).
Definition leaves (x r : nat) : Z := aside x r - c x (S r).

Definition loops_fine : Prop :=
  forall r a, count_upto r (K - 1) = (m - 1)%nat -> (a < K)%nat ->
    0 <= sum_upto (fun x => if (x =? a)%nat then loop x (r x) else aside x (r x)) (K - 1).

Definition steps_fine : Prop :=
  forall r a d, count_upto r (K - 1) = (m - 1)%nat -> (a < K)%nat -> (d < K)%nat -> a <> d ->
    0 <= sum_upto (fun x => if (x =? a)%nat then added x (r x) else if (x =? d)%nat then leaves x (r x) else aside x (r x)) (K - 1).

(** 2 g_x(k): what makes a change of the slope cost nothing when the plays are at their worst places. *)
Fixpoint level (x k : nat) : Z :=
  match k with
  | O => 0
  | S j => let e := t x k - t x j in
           level x j - Z.min (e * (Z.of_nat j * (Z.of_nat j + 1))) (e * (Z.of_nat j * (2 * M - 1 - Z.of_nat j)))
  end.

(** 2 G_x(k). *)
Definition height (x k : nat) : Z := level x k - 2 * gain (c x) 0 k.

Definition part (x : nat) (w : list nat) : Z := 2 * t x (tally x w) * positions x w + height x (tally x w).

(** Twice the potential. *)
Definition window_potential (w : list nat) : Z := sum_upto (fun x => part x w) (K - 1).

(** One action at a time: a is added, d leaves. *)
Lemma part_rise x w d a :
  length w = (m - 1)%nat ->
  let r := tally x w in
  part x (a :: w) - part x (w ++ [d]) <=
  2 * (if Nat.eq_dec a x then excess x (S r) else 0) -
  2 * (if Nat.eq_dec a x then (if Nat.eq_dec d x then loop x r else added x r)
       else (if Nat.eq_dec d x then leaves x r else aside x r)).
Proof.
  intros L r. unfold part. rewrite tally_snoc.
  pose proof (positions_before x w d M ltac:(unfold M; lia)) as B. cbv zeta in B. rewrite ones_tally in B.
  pose proof (positions_step x w d a) as S. replace (Z.of_nat (length w) + 1) with M in S by (unfold M; lia).
  rewrite ones_tally in S. unfold r. rewrite S. unfold one_if. rewrite !tally_cons.
  set (k := tally x w) in *. set (psi := positions x (w ++ [d])) in *. clearbody psi. clear S.
  unfold added, leaves, loop, aside, penalty, height. cbv zeta. replace (Datatypes.S k - 1)%nat with k by lia.
  destruct (Nat.eq_dec a x) as [Ea|Ea]; destruct (Nat.eq_dec d x) as [Ed|Ed].
  - lia.
  - cbn [level gain]. replace (0 + Datatypes.S k)%nat with (Datatypes.S k) by lia. set (e := t x (Datatypes.S k) - t x k).
    set (low := Z.of_nat k * (Z.of_nat k + 1)) in *. set (high := Z.of_nat k * (2 * M - 1 - Z.of_nat k)) in *.
    assert (G : high - low = 2 * ((Z.of_nat (Datatypes.S k) - 1) * (M - Z.of_nat (Datatypes.S k)))) by (unfold low, high; lia).
    assert (E : e * (2 * psi) - Z.min (e * low) (e * high) <= Z.abs e * (high - low)) by (destruct (Z.le_ge_cases 0 e); nia).
    rewrite G in E. unfold e in *. lia.
  - cbn [level gain]. replace (0 + Datatypes.S k)%nat with (Datatypes.S k) by lia. set (e := t x (Datatypes.S k) - t x k).
    set (low := Z.of_nat k * (Z.of_nat k + 1)) in *. set (high := Z.of_nat k * (2 * M - 1 - Z.of_nat k)) in *.
    assert (E : Z.min (e * low) (e * high) <= e * (2 * psi)) by (destruct (Z.le_ge_cases 0 e); nia).
    unfold e in *. lia.
  - lia.
Qed.

Theorem separable_rise :
  loops_fine -> steps_fine -> rises_at_most (tallying K m h) (2 * p) (2 * q) window_potential.
Proof.
  intros LF SF w d a L V D A. cbn [tallying memory actions cost] in *. unfold window_potential.
  rewrite <- sum_upto_minus. set (r := fun x => tally x w).
  assert (R : count_upto r (K - 1) = (m - 1)%nat) by (unfold r; now rewrite count_upto_tally).
  assert (Y : tally_cost h (a :: w) = h a (S (r a)))
    by (unfold tally_cost; rewrite tally_cons; destruct (Nat.eq_dec a a); [reflexivity | congruence]).
  set (role := fun x => if Nat.eq_dec a x then (if Nat.eq_dec d x then loop x (r x) else added x (r x))
                        else (if Nat.eq_dec d x then leaves x (r x) else aside x (r x))).
  apply Z.le_trans with (sum_upto (fun x => 2 * (if Nat.eq_dec a x then excess x (S (r x)) else 0) - 2 * role x) (K - 1)).
  - apply sum_upto_le. intros x _. now apply part_rise.
  - rewrite sum_upto_minus, !sum_upto_scaled.
    rewrite (sum_upto_change (fun x => if Nat.eq_dec a x then excess x (S (r x)) else 0) (fun _ => 0) (K - 1) a
               (excess a (S (r a)))); [| lia | destruct (Nat.eq_dec a a); [lia | congruence]
                                           | intros x X; destruct (Nat.eq_dec a x); congruence].
    rewrite sum_upto_zero.
    assert (N : 0 <= sum_upto role (K - 1)).
    { destruct (Nat.eq_dec a d) as [<-|N].
      - specialize (LF r a R A). erewrite sum_upto_ext; [exact LF|]. intros x _. unfold role.
        destruct (Nat.eqb_spec x a), (Nat.eq_dec a x); congruence.
      - specialize (SF r a d R A D N). erewrite sum_upto_ext; [exact SF|]. intros x _. unfold role.
        destruct (Nat.eqb_spec x a), (Nat.eq_dec a x); try congruence;
          destruct (Nat.eqb_spec x d), (Nat.eq_dec d x); congruence. }
    rewrite Y. unfold excess in *. lia.
Qed.

Theorem separable_sound : 0 < q -> loops_fine -> steps_fine -> long_run_at_least (tallying K m h) p q.
Proof.
  intros Q LF SF. apply (long_run_factor _ 2); [lia|].
  apply (window_potentials _ _ _ window_potential); [exact some_memory | lia | now apply separable_rise].
Qed.

(** ** Finite games *)

(** The least 2 (t psi + G) over windows with k plays of x, as psi lies between k(k-1)/2 and that plus k(m-k). *)
Definition lowest (x k : nat) : Z :=
  let s := Z.of_nat k in
  height x k + Z.min (t x k * (s * (s - 1))) (t x k * (s * (2 * M - s - 1))).

(** 2 q times the loss of n plays of x in the opening, less the largest part of the potential to which they lead. *)
Definition opened (past : list nat) (d x n : nat) : Z :=
  let k := (tally x past + n)%nat in
  let s := Z.of_nat n in
  let P := 2 * positions x past + 2 * s * Z.of_nat (length past) + s * (s - 1) in
  2 * q * gain (h x) (tally x past) n - height x k - Z.max (t x k * P) (t x k * (P + 2 * s * (Z.of_nat d - s))).

Lemma lowest_le x w : length w = m -> lowest x (tally x w) <= part x w.
Proof.
  intros L. unfold lowest, part. cbv zeta. pose proof (positions_bounds x w) as B. cbv zeta in B.
  rewrite ones_tally, L in B. fold M in B. set (k := tally x w) in *. pose proof (between (t x k) _ _ _ B). lia.
Qed.

Lemma positions_app x u w : positions x (u ++ w) = positions x u + ones x u * Z.of_nat (length w) + positions x w.
Proof. induction u as [|a u IH]; [simpl; lia|]. cbn [app positions ones]. rewrite IH, app_length. lia. Qed.

Lemma tally_app x u w : tally x (u ++ w) = (tally x u + tally x w)%nat.
Proof. unfold tally. apply count_occ_app. Qed.

Lemma tally_rev x w : tally x (rev w) = tally x w.
Proof. apply count_occ_rev. Qed.

Lemma opened_le x past w :
  opened past (length w) x (tally x w) <=
  2 * q * gain (h x) (tally x past) (tally x w) - part x (after past w).
Proof.
  unfold opened, part, after. cbv zeta. rewrite tally_app, tally_rev, Nat.add_comm, positions_app, ones_tally, tally_rev.
  pose proof (positions_bounds x (rev w)) as B. cbv zeta in B. rewrite ones_tally, tally_rev, rev_length in B.
  set (n := tally x w) in *. set (k := (n + tally x past)%nat). set (psi := positions x (rev w)) in *.
  set (P := 2 * positions x past + 2 * Z.of_nat n * Z.of_nat (length past) + Z.of_nat n * (Z.of_nat n - 1)).
  pose proof (between (t x k) P (2 * (psi + Z.of_nat n * Z.of_nat (length past) + positions x past))
                (P + 2 * Z.of_nat n * (Z.of_nat (length w) - Z.of_nat n)) ltac:(unfold P; lia)) as E.
  lia.
Qed.

Theorem separable_game past w d low open :
  let b := tallying K m h in
  loops_fine -> steps_fine ->
  (forall s, count_upto s (K - 1) = m -> low <= sum_upto (fun x => lowest x (s x)) (K - 1)) ->
  (forall n, count_upto n (K - 1) = d -> open <= sum_upto (fun x => opened past d x (n x)) (K - 1)) ->
  valid b past -> valid b w -> (length past + d = m)%nat -> (d < length w)%nat ->
  2 * ((Z.of_nat (length w) - Z.of_nat d) * p) + low + open <= 2 * q * total b past w.
Proof.
  intros b LF SF HL HO VP VW D T. set (w1 := firstn d w). set (w2 := skipn d w).
  assert (E : w = w1 ++ w2) by (symmetry; apply firstn_skipn).
  assert (L1 : length w1 = d) by (unfold w1; rewrite firstn_length; lia).
  assert (L2 : Z.of_nat (length w2) = Z.of_nat (length w) - Z.of_nat d) by (unfold w2; rewrite skipn_length; lia).
  rewrite E in VW. apply valid_app in VW. destruct VW as [V1 V2]. rewrite <- L2, E, total_app.
  pose proof (window_potentials_game b _ _ _ (after past w1) w2 some_memory (separable_rise LF SF)) as G.
  cbn [b tallying memory] in G. specialize (G ltac:(rewrite length_after; lia) (valid_after b _ _ VP V1) V2).
  set (last := firstn m (after (after past w1) w2)) in *.
  assert (LL : length last = m) by (unfold last; rewrite firstn_length, !length_after; lia).
  assert (VL : valid b last) by (apply (valid_firstn b), valid_after; [now apply valid_after | exact V2]).
  specialize (HL (fun x => tally x last) ltac:(rewrite count_upto_tally; assumption)).
  assert (LP : low <= window_potential last).
  { eapply Z.le_trans; [exact HL|]. apply sum_upto_le. intros x _. now apply lowest_le. }
  specialize (HO (fun x => tally x w1) ltac:(rewrite count_upto_tally; assumption)).
  assert (OP : open <= 2 * q * total b past w1 - window_potential (after past w1)).
  { eapply Z.le_trans; [exact HO|]. unfold b. rewrite opening_total by (assumption || lia).
    unfold opening, window_potential.
    rewrite <- sum_upto_scaled, <- sum_upto_minus. apply sum_upto_le. intros x _. rewrite <- L1. apply opened_le. }
  change (tallying K m h) with b in G. set (t1 := total b past w1) in *. set (t2 := total b (after past w1) w2) in *.
  lia.
Qed.

End Separable.
