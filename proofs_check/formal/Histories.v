(** * All histories, in the order of their codes

    docs/certificates.md, section 1: a history is a sequence of m-1 actions; its code is the number whose base-K
    digits, oldest first, are the actions.  So the histories in the order of their codes are those of length k = m-1 in
    lexicographic order, oldest action first.  Two recursions give the same list: add a latest action to every shorter
    history, or put an oldest action before all shorter histories.  The successors of d.h (oldest action d) are h.a:
    K neighbours in the list. *)

Require Import List ZArith Lia Arith FinFun.
Require Import TallyPlan.Model.
Import ListNotations.
Open Scope Z_scope.

(** The history [past] is full: it has m-1 actions. *)
Definition full (b : bandit) (past : list nat) : Prop := length past = (memory b - 1)%nat /\ valid b past.

(** All words of k actions out of K, latest action first, in the order of their codes. *)
Fixpoint histories (K k : nat) : list (list nat) :=
  match k with
  | O => [[]]
  | S j => flat_map (fun h => map (fun a => a :: h) (seq 0 K)) (histories K j)
  end.

Lemma in_histories K k h : In h (histories K k) <-> length h = k /\ Forall (fun a => (a < K)%nat) h.
Proof.
  revert h. induction k as [|k IH]; intros h; simpl.
  - split; [intros [<- | []]; now split | intros [L _]; left; now destruct h].
  - rewrite in_flat_map. split.
    + intros (g & G & I). apply in_map_iff in I. destruct I as (a & <- & A). apply in_seq in A.
      apply IH in G. destruct G as [<- V]. split; [reflexivity | constructor; [lia | exact V]].
    + destruct h as [|a g]; [intros [L _]; discriminate|]. intros [L V]. inversion V as [|? ? A V']; subst.
      exists g. split; [apply IH; split; [now injection L | exact V'] |].
      apply in_map_iff. exists a. split; [reflexivity | apply in_seq; lia].
Qed.

Lemma full_in_histories b h : full b h <-> In h (histories (actions b) (memory b - 1)).
Proof. symmetry. apply in_histories. Qed.

Lemma flat_map_map {A B C} (f : A -> B) (g : B -> list C) l : flat_map g (map f l) = flat_map (fun x => g (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma flat_map_flat_map {A B C} (f : A -> list B) (g : B -> list C) l :
  flat_map g (flat_map f l) = flat_map (fun x => flat_map g (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. now rewrite flat_map_app, IH. Qed.

Lemma map_flat_map {A B C} (f : A -> list B) (g : B -> C) l : map g (flat_map f l) = flat_map (fun x => map g (f x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. simpl. now rewrite map_app, IH. Qed.

(** The second recursion: the histories in K blocks, by their oldest action. *)
Lemma histories_by_oldest K k :
  histories K (S k) = flat_map (fun d => map (fun h => h ++ [d]) (histories K k)) (seq 0 K).
Proof.
  induction k as [|k IH].
  - simpl. rewrite app_nil_r. induction (seq 0 K) as [|d l IHl]; [reflexivity|]. simpl. now rewrite IHl.
  - change (histories K (S (S k))) with (flat_map (fun h => map (fun a => a :: h) (seq 0 K)) (histories K (S k))).
    rewrite IH at 1. rewrite flat_map_flat_map. apply flat_map_ext. intros d. rewrite flat_map_map.
    simpl. rewrite map_flat_map. apply flat_map_ext. intros h. now rewrite map_map.
Qed.

(** ** Functions on finitely many words are bounded *)

Lemma words_bounded_below K k (f : list nat -> Z) :
  exists B, forall h, length h = k -> Forall (fun a => (a < K)%nat) h -> B <= f h.
Proof.
  assert (A : forall l : list (list nat), exists B, forall h, In h l -> B <= f h).
  { induction l as [|g l (B & HB)]; [exists 0; intros ? [] |]. exists (Z.min (f g) B).
    intros h [<- | I]; [lia | specialize (HB h I); lia]. }
  destruct (A (histories K k)) as (B & HB). exists B. intros h L V. apply HB, in_histories. now split.
Qed.

(** The loss of at most k steps after a given start is bounded below. *)
Lemma total_bounded_below b start k :
  exists B, forall w, (length w <= k)%nat -> valid b w -> B <= total b start w.
Proof.
  induction k as [|k (B & HB)].
  - exists 0. intros w L _. destruct w; [simpl; lia | simpl in L; lia].
  - destruct (words_bounded_below (actions b) (S k) (total b start)) as (B' & HB').
    exists (Z.min B B'). intros w L V. destruct (Nat.eq_dec (length w) (S k)) as [E|].
    + specialize (HB' w E V). lia.
    + specialize (HB w ltac:(lia) V). lia.
Qed.

Lemma full_next b past a : full b past -> (a < actions b)%nat -> full b (history b (a :: past)).
Proof.
  intros [L V] A. split.
  - unfold history. rewrite firstn_length. simpl. lia.
  - apply valid_history. now constructor.
Qed.

Lemma full_history b past : valid b past -> (memory b - 1 <= length past)%nat -> full b (history b past).
Proof. intros V L. split; [unfold history; rewrite firstn_length; lia | now apply valid_history]. Qed.

Lemma history_full b past : full b past -> history b past = past.
Proof. intros [L _]. unfold history. rewrite <- L. apply firstn_all. Qed.

Lemma history_cons b past a : history b (a :: history b past) = history b (a :: past).
Proof. apply firstn_cons_history, history_idem. Qed.

(** ** Every list of the right length is a function on the histories *)

Lemma NoDup_flat_map {A B} (f : A -> list B) (l : list A) :
  NoDup l -> (forall x, NoDup (f x)) -> (forall x y z, In z (f x) -> In z (f y) -> x = y) -> NoDup (flat_map f l).
Proof.
  intros N F D. induction N as [|x l X N IH]; [constructor|]. simpl.
  assert (E : forall z, In z (f x) -> ~ In z (flat_map f l)).
  { intros z Z I. apply in_flat_map in I. destruct I as (y & Y & I). apply X. now rewrite (D x y z). }
  specialize (F x). induction F as [|z k K F IHk]; [exact IH|]. simpl. constructor.
  - intros I. apply in_app_or in I. destruct I as [I|I]; [now apply K | now apply (E z (or_introl eq_refl))].
  - apply IHk. intros z' Z'. apply E. now right.
Qed.

Lemma NoDup_histories K k : NoDup (histories K k).
Proof.
  induction k as [|k IH]; [repeat constructor; simpl; tauto|]. simpl. apply NoDup_flat_map; [assumption | |].
  - intros h. apply Injective_map_NoDup; [intros a a' E; now injection E | apply seq_NoDup].
  - intros h h' z I I'. apply in_map_iff in I, I'. destruct I as (a & <- & _), I' as (a' & E & _). now injection E.
Qed.

Lemma list_as_function {A} (eq_dec : forall x y : A, {x = y} + {x <> y}) (l : list A) (values : list Z) :
  NoDup l -> length values = length l -> exists f, map f l = values.
Proof.
  intros N. revert values. induction N as [|x l X N IH]; intros values L.
  - exists (fun _ => 0). now destruct values.
  - destruct values as [|v values]; [discriminate|]. destruct (IH values) as (f & E); [now injection L|].
    exists (fun y => if eq_dec y x then v else f y). simpl. destruct (eq_dec x x) as [_|]; [|congruence]. f_equal.
    rewrite <- E. apply map_ext_in. intros y Y. destruct (eq_dec y x) as [->|]; [contradiction | reflexivity].
Qed.

Lemma layer_as_function K k (values : list Z) :
  length values = length (histories K k) -> exists f, map f (histories K k) = values.
Proof. apply list_as_function; [apply list_eq_dec, Nat.eq_dec | apply NoDup_histories]. Qed.
