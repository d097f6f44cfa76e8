(** * The opening of a game

    docs/certificates.md, rule "recursion" over counts: while nothing leaves the window, playing x c_x times costs
    O(c) = sum over x of h_x(a_x + 1) + ... + h_x(a_x + c_x), whatever the order; a_x is the number of x in the past.  The
    least O(c) over counts with a given sum is computed action by action. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Knapsack.
Import ListNotations.
Open Scope Z_scope.

(** h(a+1) + ... + h(a+c). *)
Fixpoint gain (h : nat -> Z) (a c : nat) : Z :=
  match c with
  | O => 0
  | S n => gain h a n + h (a + c)%nat
  end.

(** O(c), with the numbers a_x of the past. *)
Definition opening (h : nat -> nat -> Z) (past : list nat) (k : nat) (c : nat -> nat) : Z :=
  sum_upto (fun x => gain (h x) (tally x past) (c x)) k.

Lemma gain_first h a c : gain h a (S c) = h (S a) + gain h (S a) c.
Proof.
  induction c as [|c IH]; [simpl; rewrite Nat.add_1_r; lia|].
  cbn [gain] in *. rewrite IH. replace (a + S (S c))%nat with (S a + S c)%nat by lia. lia.
Qed.

(** The order does not matter. *)
Theorem opening_total K m h w past :
  (length past + length w <= m)%nat -> Forall (fun a => (a < K)%nat) w -> (0 < K)%nat ->
  total (tallying K m h) past w = opening h past (K - 1) (fun x => tally x w).
Proof.
  intros L V HK. revert past L. induction V as [|a w A V IH]; intros past L.
  - unfold opening. simpl. induction (K - 1)%nat as [|k IHk]; simpl; lia.
  - cbn [total]. rewrite IH by (simpl in *; lia). simpl in L. rewrite loss_tallying by lia.
    unfold window. rewrite firstn_all2 by (simpl; lia). unfold opening.
    rewrite (sum_upto_change (fun x => gain (h x) (tally x past) (tally x (a :: w)))
               (fun x => gain (h x) (tally x (a :: past)) (tally x w)) (K - 1) a (h a (tally a (a :: past)))); [lia | lia | |].
    + unfold tally. simpl. destruct (Nat.eq_dec a a); [|congruence]. rewrite gain_first. lia.
    + intros x X. unfold tally. simpl. destruct (Nat.eq_dec a x); [congruence | reflexivity].
Qed.

(** ** The least opening, action by action *)

(** The sums of the first 0, .., n entries of a row. *)
Fixpoint gains (row : list Z) (n : nat) (sum : Z) : list Z :=
  sum :: match n with O => [] | S k => gains (tl row) k (sum + hd 0 row) end.

Lemma gains_nth rows x a n s c : (c <= n)%nat -> nth c (gains (skipn a (nth x rows [])) n s) 0 = s + gain (entry rows x) a c.
Proof.
  assert (G : forall n row h b, (forall j, nth j row 0 = h (S (b + j))) -> forall s c, (c <= n)%nat ->
            nth c (gains row n s) 0 = s + gain h b c).
  { induction n0 as [|k IH]; intros row h b H s0 c0 C; [replace c0 with 0%nat by lia; simpl; lia|].
    destruct c0 as [|c0]; [simpl; lia|]. cbn [gains nth]. rewrite (IH (tl row) h (S b)); [|intros j | lia].
    - rewrite gain_first, hd_nth, (H 0%nat), Nat.add_0_r. lia.
    - rewrite tl_nth, H. f_equal. lia. }
  intros C. apply G; [|exact C]. intros j. rewrite nth_skipn. unfold entry. f_equal. lia.
Qed.

Lemma gains_length row n s : length (gains row n s) = S n.
Proof. revert row s. induction n as [|n IH]; intros row s; [reflexivity|]. cbn [gains length]. now rewrite IH. Qed.

(** What the plays of x in an opening of n steps lose, by their number. *)
Definition opening_row (rows : list (list Z)) (past : list nat) (n x : nat) : list Z :=
  gains (skipn (tally x past) (nth x rows [])) n 0.

(** No word of n actions, played while nothing leaves the window, loses less than this. *)
Definition least_opening (rows : list (list Z)) (past : list nat) (K n : nat) : Z :=
  knapsack n (opening_row rows past n) (K - 1).

Theorem least_opening_bound K m rows past w :
  (0 < K)%nat -> (length past + length w <= m)%nat -> Forall (fun a => (a < K)%nat) w ->
  least_opening rows past K (length w) <= total (tallying K m (entry rows)) past w.
Proof.
  intros HK L V. rewrite opening_total by assumption. unfold least_opening, opening.
  assert (C : count_upto (fun x => tally x w) (K - 1) = length w) by now apply count_upto_tally.
  eapply Z.le_trans; [apply (knapsack_le _ _ (fun x => gains_length _ _ _) _ _ C)|].
  apply sum_upto_le. intros x X. unfold opening_row. rewrite gains_nth; [lia|]. unfold tally.
  apply Nat.le_trans with (2 := count_occ_bound Nat.eq_dec x w). lia.
Qed.
