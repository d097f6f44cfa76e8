(** * Finite tables whose keys are words

    A table from words of one length to values: siblings in the order of their labels, so that tables with the same
    entries are the same.  At the end, tables of least costs that are stepped: every entry is moved to some other keys. *)

Require Import List ZArith Arith Lia.
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

(** ** Tables of least costs *)

Open Scope Z_scope.

(** The key stands in the entry too. *)
Definition table := trie (list nat * Z).

Definition add_min (t : table) (kv : list nat * Z) : table :=
  update (fst kv) (fun o => match o with Some (_, e) => (fst kv, Z.min (snd kv) e) | None => kv end) t.

Definition table_of (kvs : list (list nat * Z)) : table := fold_left add_min kvs Nil.

(** The entries move to all these keys, with these costs. *)
Definition stepped (moves : list nat * Z -> list (list nat * Z)) (t : table) : table :=
  fold_left (fun u sd => fold_left add_min (moves sd) u) (entries t []) Nil.

(** The entry for s exists and is at most e. *)
Definition has (s : list nat) (e : Z) (t : table) : Prop := exists d, get s t = Some (s, d) /\ d <= e.

Section Tables.
Variable n : nat.

Definition long_keys (t : table) : Prop := all (fun sd => length (fst sd) = n) t.

Lemma add_min_has s d t : has s d (add_min t (s, d)).
Proof.
  unfold has, add_min. cbn [fst snd]. rewrite get_update_same.
  destruct (get s t) as [[s0 e]|]; eexists; (split; [reflexivity | lia]).
Qed.

Lemma add_min_keeps s e kv t : length (fst kv) = length s -> has s e t -> has s e (add_min t kv).
Proof.
  destruct kv as [s' d]. intros L (d0 & G & D). unfold has, add_min. cbn [fst snd] in *.
  destruct (list_eq_dec Nat.eq_dec s' s) as [->|N].
  - rewrite get_update_same, G. eexists. split; [reflexivity | lia].
  - rewrite get_update_other by assumption. now exists d0.
Qed.

Lemma add_min_long kv t : length (fst kv) = n -> long_keys t -> long_keys (add_min t kv).
Proof. intros L. apply all_update. intros [[s0 e]|]; exact L. Qed.

Lemma add_all kvs t :
  (forall kv, In kv kvs -> length (fst kv) = n) -> long_keys t ->
  long_keys (fold_left add_min kvs t) /\
  (forall s e, length s = n -> has s e t -> has s e (fold_left add_min kvs t)) /\
  (forall kv, In kv kvs -> has (fst kv) (snd kv) (fold_left add_min kvs t)).
Proof.
  revert t. induction kvs as [|kv kvs IH]; intros t LK K; [split; [exact K | split; [auto | intros kv []]]|].
  simpl. assert (L : length (fst kv) = n) by (apply LK; now left).
  destruct (IH (add_min t kv) (fun x I => LK x (or_intror I)) (add_min_long kv t L K)) as (I1 & I2 & I3).
  split; [exact I1|]. split.
  - intros s e LS H. apply I2; [exact LS|]. apply add_min_keeps; [congruence | exact H].
  - intros kv' [<- | I]; [|now apply I3]. apply I2; [exact L|]. destruct kv. apply add_min_has.
Qed.

Theorem stepped_spec moves t :
  long_keys t -> (forall sd kv, length (fst sd) = n -> In kv (moves sd) -> length (fst kv) = n) ->
  long_keys (stepped moves t) /\
  forall s e k v, has s e t -> (forall d, d <= e -> exists v', In (k, v') (moves (s, d)) /\ v' <= v) -> has k v (stepped moves t).
Proof.
  intros K ML. unfold stepped.
  assert (LE : forall sd, In sd (entries t []) -> length (fst sd) = n).
  { intros sd. apply (all_entries (fun sd => length (fst sd) = n)); [exact K | now intros u []]. }
  assert (general : forall l u, (forall sd, In sd l -> length (fst sd) = n) -> long_keys u ->
    let u' := fold_left (fun u sd => fold_left add_min (moves sd) u) l u in
    long_keys u' /\ (forall s e, length s = n -> has s e u -> has s e u') /\
    (forall sd kv, In sd l -> In kv (moves sd) -> has (fst kv) (snd kv) u')).
  { induction l as [|sd l IH]; intros u LL KU; cbv zeta; [split; [exact KU | split; [auto | intros sd kv []]]|]. simpl.
    assert (LM : forall kv, In kv (moves sd) -> length (fst kv) = n) by (intros kv; apply ML, LL; now left).
    destruct (add_all (moves sd) u LM KU) as (A1 & A2 & A3).
    destruct (IH _ (fun x I => LL x (or_intror I)) A1) as (I1 & I2 & I3). split; [exact I1|]. split.
    - intros s e LS H. apply I2; [exact LS | now apply A2].
    - intros sd' kv [<- | I] J; [|now apply (I3 sd')]. apply I2; [now apply LM | now apply A3]. }
  destruct (general (entries t []) Nil LE I) as (G1 & _ & G3). split; [exact G1|].
  intros s e k v (d & G & D) H. destruct (H d D) as (v' & J & V).
  destruct (G3 (s, d) (k, v') (get_in_entries s t (s, d) [] G) J) as (d' & G' & D'). exists d'. cbn [fst snd] in *.
  split; [exact G' | lia].
Qed.

(** The least cost of all. *)
Definition least_entry (t : table) : option Z :=
  match entries t [] with
  | [] => None
  | sd :: rest => Some (fold_left (fun low sd => Z.min low (snd sd)) rest (snd sd))
  end.

Lemma least_entry_le t s e v : has s e t -> least_entry t = Some v -> v <= e.
Proof.
  intros (d & G & D) L. apply (get_in_entries s t (s, d) []) in G. unfold least_entry in L.
  destruct (entries t []) as [|sd rest]; [discriminate|]. injection L as <-.
  assert (A : forall l low, fold_left (fun low sd => Z.min low (snd sd)) l low <= low /\
                            forall x : list nat * Z, In x l -> fold_left (fun low sd => Z.min low (snd sd)) l low <= snd x).
  { induction l as [|y l IH]; intros low; simpl; [split; [lia | intros x []]|].
    destruct (IH (Z.min low (snd y))) as [H1 H2]. split; [lia|]. intros x [<- | I]; [lia | now apply H2]. }
  destruct (A rest (snd sd)) as [H1 H2]. destruct G as [-> | I]; [simpl in *; lia|]. specialize (H2 _ I). simpl in H2. lia.
Qed.

End Tables.
