(** * Finite tables whose keys are words

    A table from words of one length to values: siblings in the order of their labels, so that tables with the same
    entries are the same.  Only what [CheckStages.v] needs. *)

Require Import List Arith Lia.
Import ListNotations.

Inductive trie (A : Type) : Type :=
| Nil
| Here (v : A)
| Node (label : nat) (down next : trie A).
Arguments Nil {A}. Arguments Here {A}. Arguments Node {A}.

Section Trie.
Context {A : Type}.

Fixpoint get (k : list nat) (t : trie A) {struct t} : option A :=
  match t, k with
  | Here v, [] => Some v
  | Node x down next, a :: k' =>
      match Nat.compare a x with
      | Eq => get k' down
      | Lt => None
      | Gt => get k next
      end
  | _, _ => None
  end.

(** The entry at k becomes f of what it was. *)
Fixpoint update (k : list nat) (f : option A -> A) : trie A -> trie A :=
  match k with
  | [] => fun t => Here (f (get [] t))
  | a :: k' =>
      let below := update k' f in
      fix place t :=
        match t with
        | Node x down next =>
            match Nat.compare a x with
            | Eq => Node x (below down) next
            | Lt => Node a (below Nil) t
            | Gt => Node x down (place next)
            end
        | _ => Node a (below Nil) Nil
        end
  end.

Fixpoint entries (t : trie A) (acc : list A) : list A :=
  match t with
  | Nil => acc
  | Here v => v :: acc
  | Node _ down next => entries down (entries next acc)
  end.

Fixpoint all (P : A -> Prop) (t : trie A) : Prop :=
  match t with
  | Nil => True
  | Here v => P v
  | Node _ down next => all P down /\ all P next
  end.

Lemma get_Nil k : get k Nil = None.
Proof. now destruct k. Qed.

Lemma get_update_same k f t : get k (update k f t) = Some (f (get k t)).
Proof.
  revert t. induction k as [|a k IH]; [reflexivity|].
  induction t as [|v|x down _ next IHn]; simpl; rewrite ?Nat.compare_refl, ?IH, ?get_Nil; try reflexivity.
  destruct (Nat.compare a x) eqn:C; simpl; rewrite ?Nat.compare_refl, ?C, ?IH, ?get_Nil; try reflexivity. exact IHn.
Qed.

Lemma get_update_other k k' f t : length k = length k' -> k <> k' -> get k' (update k f t) = get k' t.
Proof.
  revert k' t. induction k as [|a k IH]; intros [|c k'] t L N; try discriminate; [congruence|].
  assert (E : a = c -> forall t, get k' (update k f t) = get k' t).
  { intros -> t'. apply IH; [now injection L | congruence]. }
  induction t as [|v|x down _ next IHn]; simpl.
  1,2: destruct (Nat.compare_spec c a); try reflexivity; subst; now rewrite E, get_Nil.
  destruct (Nat.compare_spec a x); destruct (Nat.compare_spec c x); simpl;
    repeat match goal with |- context [Nat.compare ?x ?y] => destruct (Nat.compare_spec x y) end;
    subst; try lia; try reflexivity; try (now rewrite E, ?get_Nil); try exact IHn.
Qed.

Lemma get_in_entries k t v acc : get k t = Some v -> In v (entries t acc).
Proof.
  assert (keep : forall t acc, In v acc -> In v (entries t acc)).
  { induction t0 as [|u|x d IHd n IHn]; simpl; intros acc0 I; auto. }
  revert k acc. induction t as [|u|x down IHd next IHn]; intros k acc H; [now rewrite get_Nil in H | |].
  - destruct k; [injection H as <-; now left | discriminate].
  - destruct k as [|a k]; [discriminate|]. simpl in *. destruct (Nat.compare a x).
    + now apply (IHd k).
    + discriminate.
    + apply keep. now apply (IHn (a :: k)).
Qed.

Lemma all_update (P : A -> Prop) k f t : (forall o, P (f o)) -> all P t -> all P (update k f t).
Proof.
  intros F. revert t. induction k as [|a k IH]; intros t H; [apply F|].
  induction t as [|v|x down _ next IHn]; simpl; try (split; [now apply IH | exact I]).
  simpl in H. destruct H as [H1 H2]. destruct (Nat.compare a x); simpl; repeat split; auto. now apply IH.
Qed.

Lemma all_entries (P : A -> Prop) t acc v : all P t -> (forall u, In u acc -> P u) -> In v (entries t acc) -> P v.
Proof.
  revert acc v. induction t as [|u|x down IHd next IHn]; simpl; intros acc v H K I; [auto | |].
  - destruct I as [<- | I]; [exact H | auto].
  - apply (IHd (entries next acc)); [apply H | | exact I]. intros w W. apply (IHn acc w); [apply H | exact K | exact W].
Qed.

(** The same table, entry by entry. *)
Fixpoint same (eq : A -> A -> bool) (t u : trie A) : bool :=
  match t, u with
  | Nil, Nil => true
  | Here v, Here w => eq v w
  | Node x d n, Node y e o => if Nat.eqb x y then if same eq d e then same eq n o else false else false
  | _, _ => false
  end.

Lemma same_spec eq t u : (forall v w, eq v w = true -> v = w) -> same eq t u = true -> t = u.
Proof.
  intros E. revert u. induction t as [|v|x d IHd n IHn]; intros [|w|y e o]; simpl; try discriminate; [reflexivity | |].
  - intros H. f_equal. now apply E.
  - destruct (Nat.eqb_spec x y); [|discriminate]. destruct (same eq d e) eqn:D; [|discriminate].
    intros H. f_equal; [assumption | now apply IHd | now apply IHn].
Qed.

End Trie.
