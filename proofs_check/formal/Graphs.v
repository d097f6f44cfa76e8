(** * Explicit graphs

    docs/certificates.md: a graph is a list of edges with rational weights; nodes are numbered from 1 here.
     The claim is that no
    closed walk has a mean weight below [lower], and that the given one has the mean [value]. *)

Require Import List ZArith QArith Lia Bool Lqa.
Import ListNotations.
Open Scope Z_scope.

Record edge := Edge { tail : positive; head : positive; weight : Q }.

Fixpoint walk (from : positive) (edges : list edge) (to : positive) : Prop :=
  match edges with
  | [] => from = to
  | e :: rest => tail e = from /\ walk (head e) rest to
  end.

(** A closed walk on the edges of the graph. *)
Definition closed_walk (graph edges : list edge) : Prop :=
  edges <> [] /\ (forall e, In e edges -> In e graph) /\ exists s, walk s edges s.

Fixpoint weight_of (edges : list edge) : Q :=
  match edges with
  | [] => 0%Q
  | e :: rest => (weight e + weight_of rest)%Q
  end.

Definition qlength (edges : list edge) : Q := inject_Z (Z.of_nat (length edges)).

Definition graph_claim (graph : list edge) (lower value : Q) (cycle : list edge) : Prop :=
  (closed_walk graph cycle /\ weight_of cycle == value * qlength cycle)%Q /\
  forall edges, closed_walk graph edges -> (lower * qlength edges <= weight_of edges)%Q.

(** ** Tables by number *)

Inductive numbered (A : Type) : Type :=
| Nothing
| Branch (even : numbered A) (here : option A) (odd : numbered A).
Arguments Nothing {A}. Arguments Branch {A}.

Fixpoint entry_at {A} (n : positive) (t : numbered A) {struct t} : option A :=
  match t, n with
  | Nothing, _ => None
  | Branch _ here _, xH => here
  | Branch even _ _, xO k => entry_at k even
  | Branch _ _ odd, xI k => entry_at k odd
  end.

Fixpoint put {A} (n : positive) (v : A) (t : numbered A) : numbered A :=
  let '(even, here, odd) := match t with Nothing => (Nothing, None, Nothing) | Branch e h o => (e, h, o) end in
  match n with
  | xH => Branch even (Some v) odd
  | xO k => Branch (put k v even) here odd
  | xI k => Branch even here (put k v odd)
  end.

Fixpoint put_all {A} (n : positive) (l : list A) (t : numbered A) : numbered A :=
  match l with
  | [] => t
  | v :: rest => put_all (Pos.succ n) rest (put n v t)
  end.

Lemma entry_at_put {A} (v e : A) n k t : entry_at n (put k v t) = Some e -> e = v \/ entry_at n t = Some e.
Proof.
  revert n t. induction k as [k IH|k IH|]; intros [n|n|] [|even here odd]; simpl; intros H; auto;
    try discriminate; try (injection H as <-; now left); apply IH in H; destruct H as [H|H]; auto; discriminate.
Qed.

Lemma entry_at_put_all {A} (l : list A) n k t e : entry_at n (put_all k l t) = Some e -> In e l \/ entry_at n t = Some e.
Proof.
  revert k t. induction l as [|v l IH]; intros k t H; [now right|]. simpl in H. apply IH in H.
  destruct H as [H|H]; [left; now right|]. apply entry_at_put in H. destruct H as [-> | H]; [left; now left | now right].
Qed.

(** ** The checks *)

(** The edges with these numbers, the first edge being number 1. *)
Fixpoint edges_at (t : numbered edge) (numbers : list positive) : option (list edge) :=
  match numbers with
  | [] => Some []
  | n :: rest =>
      match entry_at n t, edges_at t rest with
      | Some e, Some edges => Some (e :: edges)
      | _, _ => None
      end
  end.

Fixpoint ends_at (from : positive) (edges : list edge) : option positive :=
  match edges with
  | [] => Some from
  | e :: rest => if Pos.eqb (tail e) from then ends_at (head e) rest else None
  end.

Definition cycle_check (cycle : list edge) (value : Q) : bool :=
  match cycle with
  | [] => false
  | e :: _ =>
      match ends_at (tail e) cycle with
      | Some s => Pos.eqb s (tail e)
      | None => false
      end && Qeq_bool (fold_left (fun s e => Qred (s + weight e)) cycle 0%Q) (value * qlength cycle)
  end.

Definition potential_at (t : numbered Z) (n : positive) : Z := match entry_at n t with Some z => z | None => 0 end.

(** q (weight - v) + phi(head) - phi(tail) >= 0. *)
Definition edge_fine (v : Q) (q : Z) (phi : numbered Z) (e : edge) : bool :=
  let w := weight e in
  0 <=? q * (Qnum w * Zpos (Qden v) - Qnum v * Zpos (Qden w)) +
        (potential_at phi (head e) - potential_at phi (tail e)) * (Zpos (Qden w) * Zpos (Qden v)).

Definition graph_check (graph : list edge) (lower value : Q) (cycle : list edge) (q : Z) (values : list Z) : bool :=
  let phi := put_all 1 values Nothing in
  cycle_check cycle value && (0 <? q) && forallb (edge_fine lower q phi) graph.

Lemma ends_at_walk from edges to : ends_at from edges = Some to -> walk from edges to.
Proof.
  revert from. induction edges as [|e edges IH]; intros from H; [now injection H as ->|]. simpl in *.
  destruct (Pos.eqb_spec (tail e) from); [|discriminate]. split; [assumption | now apply IH].
Qed.

Lemma edges_at_in graph numbers edges :
  edges_at (put_all 1 graph Nothing) numbers = Some edges -> forall e, In e edges -> In e graph.
Proof.
  revert edges. induction numbers as [|n numbers IH]; intros edges H e I; [injection H as <-; destruct I|]. simpl in H.
  destruct (entry_at n _) as [e'|] eqn:E; [|discriminate]. destruct (edges_at _ numbers) as [rest|]; [|discriminate].
  injection H as <-. destruct I as [<- | I]; [|now apply (IH rest)]. apply entry_at_put_all in E.
  destruct E as [E|E]; [exact E | discriminate].
Qed.

Lemma weight_fold edges s : (fold_left (fun s e => Qred (s + weight e)) edges s == s + weight_of edges)%Q.
Proof.
  revert s. induction edges as [|e edges IH]; intros s; simpl; [ring|]. rewrite IH, (Qred_correct (s + weight e)). ring.
Qed.

Lemma edge_fine_spec v q phi e :
  edge_fine v q phi e = true ->
  (inject_Z (potential_at phi (tail e)) - inject_Z (potential_at phi (head e)) <= inject_Z q * (weight e - v))%Q.
Proof.
  unfold edge_fine. intros H. apply Z.leb_le in H. destruct (weight e) as [wn wd], v as [vn vd]. cbn [Qnum Qden] in H.
  unfold Qle, Qminus, Qplus, Qopp, Qmult, inject_Z. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. lia.
Qed.

Theorem graph_check_sound graph lower value numbers cycle q values :
  edges_at (put_all 1 graph Nothing) numbers = Some cycle -> graph_check graph lower value cycle q values = true ->
  graph_claim graph lower value cycle.
Proof.
  intros N H. unfold graph_check in H. rewrite !andb_true_iff in H. destruct H as [[C Q] F]. apply Z.ltb_lt in Q.
  rewrite forallb_forall in F. set (phi := potential_at (put_all 1 values Nothing)). split.
  - unfold cycle_check in C. destruct cycle as [|e cycle]; [discriminate|]. apply andb_prop in C. destruct C as [C E].
    destruct (ends_at (tail e) (e :: cycle)) as [s|] eqn:S; [|discriminate]. apply Pos.eqb_eq in C. subst s. split.
    + split; [discriminate|]. split; [now apply (edges_at_in graph numbers)|]. exists (tail e). now apply ends_at_walk.
    + apply Qeq_bool_iff in E. rewrite weight_fold in E. rewrite <- E. ring.
  - intros edges (NE & I & s & W).
    assert (T : forall edges from to, (forall e, In e edges -> In e graph) -> walk from edges to ->
              (inject_Z (phi from) - inject_Z (phi to) <= inject_Z q * (weight_of edges - lower * qlength edges))%Q).
    { induction edges0 as [|e rest IH]; intros from to J WW; simpl in WW.
      - subst. apply Qle_lteq. right. unfold qlength. cbn [weight_of length]. change (inject_Z (Z.of_nat 0)) with 0%Q. ring.
      - destruct WW as [<- WW]. specialize (IH (head e) to (fun x X => J x (or_intror X)) WW).
        pose proof (edge_fine_spec lower q _ e (F e (J e (or_introl eq_refl)))) as EF. fold phi in EF.
        assert (L : (qlength (e :: rest) == 1 + qlength rest)%Q).
        { unfold qlength. cbn [length]. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. reflexivity. }
        rewrite L. cbn [weight_of]. nra. }
    specialize (T edges s s I W). assert (0 < inject_Z q)%Q by (unfold Qlt; simpl; lia). nra.
Qed.
