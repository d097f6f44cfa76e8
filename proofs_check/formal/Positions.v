(** * Sums of positions

    docs/certificates.md, rule "potential", "A sum over the actions": psi is the sum of the positions of an action in the window,
    the oldest action being at position 0.  A step that adds a and leads to the tally s of x adds m [a = x] - s to the
    sum for x; and k plays in a list of n actions have a sum between 0+1+..+(k-1) and the sum of the k last positions. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model.
Import ListNotations.
Open Scope Z_scope.

Definition one_if (x a : nat) : Z := if Nat.eq_dec a x then 1 else 0.

(** The tally as an integer, and the sum of the positions; the head of the list is the latest action. *)
Fixpoint ones (x : nat) (w : list nat) : Z :=
  match w with [] => 0 | a :: past => one_if x a + ones x past end.

Fixpoint positions (x : nat) (w : list nat) : Z :=
  match w with [] => 0 | a :: past => one_if x a * Z.of_nat (length past) + positions x past end.

Lemma ones_tally x w : ones x w = Z.of_nat (tally x w).
Proof.
  induction w as [|a w IH]; [reflexivity|]. unfold tally, one_if in *. simpl. unfold one_if.
  destruct (Nat.eq_dec a x); rewrite IH; lia.
Qed.

Lemma one_if_bounds x a : 0 <= one_if x a <= 1.
Proof. unfold one_if. destruct (Nat.eq_dec a x); lia. Qed.

Lemma ones_bounds x w : 0 <= ones x w <= Z.of_nat (length w).
Proof. induction w as [|a w IH]; [simpl; lia|]. pose proof (one_if_bounds x a). simpl ones. simpl length. lia. Qed.

(** One older action: all positions move by one, its own is 0. *)
Lemma positions_older x h d : positions x (h ++ [d]) = positions x h + ones x h.
Proof.
  induction h as [|a h IH]; [simpl; lia|]. simpl positions. rewrite IH, app_length. simpl ones. simpl length. lia.
Qed.

Lemma positions_bounds x w :
  let k := ones x w in let n := Z.of_nat (length w) in
  k * (k - 1) <= 2 * positions x w <= k * (2 * n - k - 1).
Proof.
  induction w as [|a w IH]; [simpl; lia|]. cbv zeta in *. cbn [ones positions length]. rewrite Nat2Z.inj_succ.
  pose proof (ones_bounds x w). set (k := ones x w) in *. set (n := Z.of_nat (length w)) in *.
  set (P := positions x w) in *.
  unfold one_if. destruct (Nat.eq_dec a x); nia.
Qed.

(** The positions in a full window whose oldest action d is about to leave, k plays of x among the others. *)
Lemma positions_before x h d (m : Z) :
  m = Z.of_nat (length h) + 1 ->
  let k := ones x h in k * (k + 1) <= 2 * positions x (h ++ [d]) <= k * (2 * m - 1 - k).
Proof. intros ->. cbv zeta. rewrite positions_older. pose proof (positions_bounds x h) as B. cbv zeta in B. nia. Qed.

(** The step itself. *)
Lemma positions_step x h d a :
  positions x (a :: h) = positions x (h ++ [d]) + one_if x a * (Z.of_nat (length h) + 1) - ones x (a :: h).
Proof. rewrite positions_older. simpl. unfold one_if. destruct (Nat.eq_dec a x); lia. Qed.
