(** * Checking potentials

    The executable side of [Potentials.v]: the potentials are a list in the order of the codes.  With the costs
    q cost - p they prove p/q if one sweep of the Bellman recursion lowers no entry. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Potentials TallyPlan.Bellman TallyPlan.Layers.
Import ListNotations.
Open Scope Z_scope.

Fixpoint same_length {A B} (l : list A) (k : list B) : bool :=
  match l, k with
  | [], [] => true
  | _ :: l', _ :: k' => same_length l' k'
  | _, _ => false
  end.

Fixpoint all_at_most (l k : list Z) : bool :=
  match l, k with
  | [], [] => true
  | x :: l', y :: k' => if x <=? y then all_at_most l' k' else false
  | _, _ => false
  end.

Lemma same_length_spec {A B} (l : list A) (k : list B) : same_length l k = true -> length l = length k.
Proof.
  revert k. induction l as [|x l IH]; intros [|y k] H; simpl in *; try discriminate; [reflexivity|]. now rewrite (IH k).
Qed.

Lemma all_at_most_map {A} (f g : A -> Z) l :
  all_at_most (map f l) (map g l) = true -> forall x, In x l -> f x <= g x.
Proof.
  induction l as [|y l IH]; intros H x [].
  - subst. simpl in H. destruct (Z.leb_spec (f x) (g x)); [assumption | discriminate].
  - simpl in H. destruct (f y <=? g y); [|discriminate]. now apply IH.
Qed.

(** The bandit whose losses are q cost - p. *)
Definition shifted (b : bandit) (p q : Z) : bandit := Bandit (actions b) (memory b) (fun w => q * cost b w - p).

Definition potentials_check (b : bandit) (p q : Z) (phi : list Z) : bool :=
  let c := shifted b p q in
  (same_length phi (fast_histories (actions b) (memory b - 1)) &&
   all_at_most phi (sweep_list (actions b) (memory b) (edge_costs c (memory b - 1)) phi))%bool.

Theorem potentials_check_sound b p q phi :
  (0 < actions b)%nat -> potentials_check b p q phi = true -> exists f, potentials_prove b p q f.
Proof.
  intros K H. apply andb_prop in H. destruct H as [L H].
  apply same_length_spec in L. rewrite fast_histories_histories in L. apply layer_as_function in L.
  destruct L as (f & <-).
  exists f. intros s a F A. set (c := shifted b p q) in *.
  change (actions b) with (actions c) in *. change (memory b) with (memory c) in *.
  rewrite sweep_list_spec in H by assumption.
  assert (I : In s (histories (actions c) (memory c - 1))) by (now apply full_in_histories).
  apply (all_at_most_map _ _ _ H) in I. unfold sweep in I.
  pose proof (min_upto_le (fun a => loss c s a + f (history c (a :: s))) (actions c - 1) a ltac:(lia)) as M.
  cbv beta in M. replace (loss c s a) with (q * loss b s a - p) in M by reflexivity.
  change (history c (a :: s)) with (history b (a :: s)) in M. lia.
Qed.
