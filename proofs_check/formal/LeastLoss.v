(** * The least loss

    The loss of a step of a tallying bandit is an entry of its table; and if no step loses less than v then every n steps, from
    whatever start, lose at least n v.  ([Shapes.v] has it for all kinds of instances: the rule "potential" of
    docs/certificates.md, zero.) *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model.
Import ListNotations.
Open Scope Z_scope.

(** The tally of the current action in its window lies between 1 and m. *)
Lemma tally_bounds m past a : (0 < m)%nat -> (1 <= tally a (window m past a) <= m)%nat.
Proof.
  intros M. unfold window, tally. destruct m as [|m]; [lia|]. simpl.
  destruct (Nat.eq_dec a a) as [_|N]; [|congruence].
  pose proof (count_occ_bound Nat.eq_dec a (firstn m past)). rewrite firstn_length in H. lia.
Qed.

Lemma loss_tallying K m h past a :
  (0 < m)%nat -> loss (tallying K m h) past a = h a (tally a (window m past a)).
Proof. intros M. unfold loss. simpl. destruct m; [lia | reflexivity]. Qed.

(** If every step of every game loses at least p/q, then n steps lose at least n p/q. *)
Lemma steps_at_least b p q :
  (forall past a, (a < actions b)%nat -> p <= q * loss b past a) ->
  forall w start, valid b w -> Z.of_nat (length w) * p <= q * total b start w.
Proof.
  intros H. induction w as [|a w IH]; intros start V; [simpl; lia|].
  inversion V as [|? ? A V']; subst. specialize (IH (a :: start) V'). specialize (H start a A).
  cbn [total length]. nia.
Qed.
