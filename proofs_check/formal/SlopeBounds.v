(** * Finite horizons from slopes

    docs/certificates.md, section 4, "Without the recursion", the third bound: with the potential Phi of the two-arm rule, a
    game of T > d steps loses at least (T-d) w + min Phi + min over c of (O(c) - the largest Phi of a window of the start
    and then c ones and d-c zeros in some order).  As in [TwoArms.v], everything is multiplied by 2q. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Potentials TallyPlan.Positions TallyPlan.TwoArms TallyPlan.Opening.
Import ListNotations.
Open Scope Z_scope.

Section SlopeBounds.
Variables (m : nat) (h : nat -> nat -> Z) (p q : Z) (t : nat -> Z).
Hypothesis some_memory : (0 < m)%nat.

Let slope_ := slope m t.
Let Phi := potential m h p q t.

(** The heights, once. *)
Fixpoint heights_from (k n : nat) (sum : Z) : list Z :=
  sum :: match n with O => [] | S j => heights_from (S k) j (sum + rise m h p q t k) end.

Lemma heights_from_nth n k i : (i <= n)%nat -> nth i (heights_from k n (height m h p q t k)) 0 = height m h p q t (k + i).
Proof.
  revert k i. induction n as [|n IH]; intros k i I.
  - replace i with 0%nat by lia. simpl. f_equal. lia.
  - destruct i as [|i]; [simpl; f_equal; lia|]. cbn [heights_from nth].
    change (height m h p q t k + rise m h p q t k) with (height m h p q t (S k)). rewrite IH by lia. f_equal. lia.
Qed.

Definition heights : list Z := heights_from 0 m 0.

Lemma heights_nth i : (i <= m)%nat -> nth i heights 0 = height m h p q t i.
Proof. intros I. exact (heights_from_nth m 0 i I). Qed.

(** A linear function lies between its values at the ends. *)
Lemma between c low x high : low <= x <= high -> Z.min (c * low) (c * high) <= c * x <= Z.max (c * low) (c * high).
Proof. intros B. destruct (Z.le_ge_cases 0 c); nia. Qed.

(** The least Phi over all windows: for a given number of ones, Phi is linear in the sum of their positions. *)
Definition least_potential (H : list Z) : Z :=
  min_upto (fun s => let k := Z.of_nat s in
    nth s H 0 + Z.min (slope_ s * (k * (k - 1))) (slope_ s * (k * (2 * Z.of_nat m - k - 1)))) m.

Lemma least_potential_le w : length w = m -> least_potential heights <= Phi w.
Proof.
  intros L. unfold least_potential, Phi, potential. set (s := tally 1 w).
  pose proof (positions_bounds 1 w) as B. cbv zeta in B. rewrite ones_tally, L in B. fold s in B.
  pose proof (ones_bounds 1 w) as O. rewrite ones_tally, L in O. fold s in O.
  eapply Z.le_trans; [apply (min_upto_le _ m s ltac:(lia))|]. cbv beta zeta. rewrite heights_nth by lia.
  fold slope_. set (c := slope_ s). set (P := positions 1 w) in *.
  pose proof (between c _ _ _ B). lia.
Qed.

(** The opening less the largest Phi to which it leads, c ones among d actions. *)
Definition opening_less_potential (H : list Z) (past : list nat) (d : nat) : Z :=
  let l := Z.of_nat (length past) in
  let zeros := gains (h 0%nat) (tally 0 past) d 0 in
  let ones := gains (h 1%nat) (tally 1 past) d 0 in
  min_upto (fun n => let c := Z.of_nat n in
    let s := (tally 1 past + n)%nat in
    let low := 2 * positions 1 past + 2 * c * l + c * (c - 1) in
    2 * q * (nth (d - n) zeros 0 + nth n ones 0)
    - (nth s H 0 + Z.max (slope_ s * low) (slope_ s * (low + 2 * c * (Z.of_nat d - c))))) d.

Lemma positions_app x u w : positions x (u ++ w) = positions x u + ones x u * Z.of_nat (length w) + positions x w.
Proof.
  induction u as [|a u IH]; [simpl; lia|]. cbn [app positions ones]. rewrite IH, app_length. lia.
Qed.

Lemma tally_rev x w : tally x (rev w) = tally x w.
Proof.
  induction w as [|a w IH]; [reflexivity|]. unfold tally in *. simpl rev. rewrite count_occ_app, IH. simpl.
  destruct (Nat.eq_dec a x); lia.
Qed.

Lemma opening_less_potential_le past w :
  (length past + length w = m)%nat -> valid (tallying 2 m h) w ->
  opening_less_potential heights past (length w) <= 2 * q * total (tallying 2 m h) past w - Phi (after past w).
Proof.
  intros L V. rewrite opening_total by (assumption || lia). unfold opening. cbn [Nat.sub sum_upto].
  pose proof (tallies_of_two w V) as T. set (n := tally 1 w) in *. replace (tally 0 w) with (length w - n)%nat by lia.
  unfold Phi, potential, after.
  assert (S : tally 1 (rev w ++ past) = (tally 1 past + n)%nat).
  { unfold tally at 1. rewrite count_occ_app. fold (tally 1 (rev w)). rewrite tally_rev. fold (tally 1 past). fold n.
    lia. }
  rewrite S, positions_app, ones_tally, tally_rev. fold n.
  pose proof (positions_bounds 1 (rev w)) as B. cbv zeta in B. rewrite ones_tally, tally_rev, rev_length in B.
  fold n in B.
  pose proof (ones_bounds 1 past) as O. rewrite ones_tally in O.
  unfold opening_less_potential. eapply Z.le_trans; [apply (min_upto_le _ (length w) n ltac:(lia))|]. cbv beta zeta.
  rewrite heights_nth, !gains_nth by lia. fold slope_. set (c := slope_ (tally 1 past + n)%nat).
  set (P := positions 1 (rev w)) in *. set (P0 := positions 1 past).
  set (low := 2 * P0 + 2 * Z.of_nat n * Z.of_nat (length past) + Z.of_nat n * (Z.of_nat n - 1)).
  pose proof (between c low (2 * (P + Z.of_nat n * Z.of_nat (length past) + P0))
                (low + 2 * Z.of_nat n * (Z.of_nat (length w) - Z.of_nat n)) ltac:(unfold low; lia)) as E.
  lia.
Qed.

Theorem slope_bound_game past w d :
  let b := tallying 2 m h in
  constants_fine m h p q -> slopes_fine m h p q t -> slopes_close m h p q t ->
  valid b past -> valid b w -> (length past + d = m)%nat -> (d < length w)%nat ->
  2 * ((Z.of_nat (length w) - Z.of_nat d) * p) + least_potential heights + opening_less_potential heights past d
  <= 2 * q * total b past w.
Proof.
  intros b CF SF SC VP VW D T. set (w1 := firstn d w). set (w2 := skipn d w).
  assert (E : w = w1 ++ w2) by (symmetry; apply firstn_skipn).
  assert (L1 : length w1 = d) by (unfold w1; rewrite firstn_length; lia).
  assert (L2 : Z.of_nat (length w2) = Z.of_nat (length w) - Z.of_nat d) by (unfold w2; rewrite skipn_length; lia).
  rewrite E in VW. apply valid_app in VW. destruct VW as [V1 V2]. rewrite <- L2, E, total_app.
  pose proof (opening_less_potential_le past w1 ltac:(lia) V1) as O. rewrite L1 in O.
  pose proof (window_potentials_game b _ _ _ (after past w1) w2 some_memory (slopes_rise m h p q t some_memory CF SF SC)) as G.
  cbn [b tallying memory] in G. specialize (G ltac:(rewrite length_after; lia) (valid_after b _ _ VP V1) V2).
  fold Phi in G. fold b in G, O.
  pose proof (least_potential_le (firstn m (after (after past w1) w2))) as M.
  rewrite firstn_length, !length_after in M. specialize (M ltac:(lia)).
  set (t1 := total b past w1) in *. set (t2 := total b (after past w1) w2) in *. lia.
Qed.

End SlopeBounds.
