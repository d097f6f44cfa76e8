(** * Layers as lists

    A function on the histories of length k is written down as the list of its values in the order of the codes.  This
    file computes with such lists: a sweep of the Bellman recursion on the full histories (no random access: the
    successors of a block of histories with the same oldest action are the whole list, cut into pieces of K), and a step
    back from the histories of length k+1 to those of length k.  Each function is proved to compute what
    docs/certificates.md says.  All loops are tail recursive, for lists of millions. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Bellman.
Import ListNotations.
Open Scope Z_scope.

(** ** Tail-recursive list functions *)

Definition fast_rev {A} (l : list A) : list A := rev_append l [].

Fixpoint map_onto {A B} (f : A -> B) (l : list A) (acc : list B) : list B :=
  match l with
  | [] => acc
  | x :: r => map_onto f r (f x :: acc)
  end.

Definition fast_map {A B} (f : A -> B) (l : list A) : list B := fast_rev (map_onto f l []).

Definition fast_flat_map {A B} (f : A -> list B) (l : list A) : list B :=
  fast_rev (fold_left (fun acc x => rev_append (f x) acc) l []).

Fixpoint map2_onto {A B C} (f : A -> B -> C) (l : list A) (k : list B) (acc : list C) : list C :=
  match l, k with
  | x :: l', y :: k' => map2_onto f l' k' (f x y :: acc)
  | _, _ => acc
  end.

Definition fast_map2 {A B C} (f : A -> B -> C) (l : list A) (k : list B) : list C := fast_rev (map2_onto f l k []).

Lemma fast_rev_rev {A} (l : list A) : fast_rev l = rev l.
Proof. symmetry. apply rev_alt. Qed.

Lemma map_onto_spec {A B} (f : A -> B) l acc : map_onto f l acc = rev (map f l) ++ acc.
Proof. revert acc. induction l as [|x l IH]; intros acc; [reflexivity|]. simpl. now rewrite IH, <- app_assoc. Qed.

Lemma fast_map_map {A B} (f : A -> B) l : fast_map f l = map f l.
Proof. unfold fast_map. now rewrite fast_rev_rev, map_onto_spec, app_nil_r, rev_involutive. Qed.

Lemma fast_flat_map_flat_map {A B} (f : A -> list B) l : fast_flat_map f l = flat_map f l.
Proof.
  unfold fast_flat_map. rewrite fast_rev_rev.
  assert (E : forall acc, fold_left (fun acc x => rev_append (f x) acc) l acc = rev (flat_map f l) ++ acc).
  { induction l as [|x l IH]; intros acc; [reflexivity|]. simpl. rewrite IH, rev_append_rev, rev_app_distr.
    now rewrite <- app_assoc. }
  now rewrite E, app_nil_r, rev_involutive.
Qed.

Lemma map2_onto_map {A B C D} (f : B -> C -> D) (g : A -> B) (h : A -> C) l acc :
  map2_onto f (map g l) (map h l) acc = rev (map (fun x => f (g x) (h x)) l) ++ acc.
Proof. revert acc. induction l as [|x l IH]; intros acc; [reflexivity|]. simpl. now rewrite IH, <- app_assoc. Qed.

Lemma fast_map2_map {A B C D} (f : B -> C -> D) (g : A -> B) (h : A -> C) l :
  fast_map2 f (map g l) (map h l) = map (fun x => f (g x) (h x)) l.
Proof. unfold fast_map2. now rewrite fast_rev_rev, map2_onto_map, app_nil_r, rev_involutive. Qed.

(** The histories, without deep recursion. *)
Fixpoint fast_histories (K k : nat) : list (list nat) :=
  match k with
  | O => [[]]
  | S j => let numbers := seq 0 K in fast_flat_map (fun h => map (fun a => a :: h) numbers) (fast_histories K j)
  end.

Lemma fast_histories_histories K k : fast_histories K k = histories K k.
Proof. induction k as [|k IH]; [reflexivity|]. simpl. now rewrite IH, fast_flat_map_flat_map. Qed.

(** ** The costs of all edges: for each history the list of the losses of the K actions *)

Definition edge_costs (b : bandit) (k : nat) : list (list Z) :=
  let numbers := seq 0 (actions b) in
  fast_map (fun s => map (loss b s) numbers) (fast_histories (actions b) k).

Lemma edge_costs_spec b k : edge_costs b k = map (fun s => map (loss b s) (seq 0 (actions b))) (histories (actions b) k).
Proof. unfold edge_costs. now rewrite fast_map_map, fast_histories_histories. Qed.

(** ** Minimum of cost plus value over the actions *)

Fixpoint least_below (low : Z) (costs values : list Z) : Z :=
  match costs, values with
  | c :: cs, v :: vs => least_below (Z.min low (c + v)) cs vs
  | _, _ => low
  end.

Definition least (costs values : list Z) : Z :=
  match costs, values with
  | c :: cs, v :: vs => least_below (c + v) cs vs
  | _, _ => 0
  end.

Lemma least_below_app (c v : nat -> Z) low l k :
  least_below low (map c (l ++ [k])) (map v (l ++ [k])) = Z.min (least_below low (map c l) (map v l)) (c k + v k).
Proof. revert low. induction l as [|x l IH]; intros low; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma least_min_upto (c v : nat -> Z) k :
  least (map c (seq 0 (S k))) (map v (seq 0 (S k))) = min_upto (fun a => c a + v a) k.
Proof.
  simpl. induction k as [|k IH]; [reflexivity|].
  rewrite seq_S, least_below_app, IH. reflexivity.
Qed.

(** ** Pieces of K entries *)

Fixpoint piece (K : nat) (l : list Z) : list Z * list Z :=
  match K, l with
  | S k, x :: r => let (p, rest) := piece k r in (x :: p, rest)
  | _, _ => ([], l)
  end.

(** Structural in [fuel], any list that is long enough (the list itself serves). *)
Fixpoint pieces_onto (fuel l : list Z) (K : nat) (acc : list (list Z)) : list (list Z) :=
  match fuel, l with
  | _ :: f, _ :: _ => let (p, rest) := piece K l in pieces_onto f rest K (p :: acc)
  | _, _ => acc
  end.

Definition pieces (K : nat) (l : list Z) : list (list Z) := fast_rev (pieces_onto l l K []).

Lemma piece_app (l r : list Z) : piece (length l) (l ++ r) = (l, r).
Proof. induction l as [|x l IH]; simpl; [now destruct r|]. now rewrite IH. Qed.

Lemma pieces_onto_spec K (ls : list (list Z)) fuel acc :
  (0 < K)%nat -> (forall l, In l ls -> length l = K) -> (length ls <= length fuel)%nat ->
  pieces_onto fuel (concat ls) K acc = rev ls ++ acc.
Proof.
  intros HK. revert fuel acc. induction ls as [|l ls IH]; intros fuel acc H F.
  - simpl. now destruct fuel.
  - destruct fuel as [|z fuel]; [simpl in F; lia|].
    assert (L : length l = K) by (apply H; now left).
    destruct l as [|x l]; [simpl in L; lia|]. cbn [pieces_onto concat app].
    rewrite <- L. change (x :: l ++ concat ls) with ((x :: l) ++ concat ls). rewrite piece_app, L.
    rewrite IH; [simpl; now rewrite <- app_assoc | intros k I; apply H; now right | simpl in F; lia].
Qed.

Lemma pieces_concat K ls : (0 < K)%nat -> (forall l, In l ls -> length l = K) -> pieces K (concat ls) = ls.
Proof.
  intros HK H. unfold pieces. rewrite fast_rev_rev, pieces_onto_spec with (K := K); try assumption.
  - now rewrite app_nil_r, rev_involutive.
  - induction ls as [|l ls IH]; [simpl; lia|]. simpl. rewrite app_length, (H l (or_introl eq_refl)).
    specialize (IH (fun k I => H k (or_intror I))). lia.
Qed.

(** The values at the successors h.a, piece by piece. *)
Lemma pieces_histories K k (f : list nat -> Z) :
  (0 < K)%nat -> pieces K (map f (histories K (S k))) = map (fun h => map (fun a => f (a :: h)) (seq 0 K)) (histories K k).
Proof.
  intros HK. rewrite <- (pieces_concat K (map _ (histories K k))); [|assumption|].
  - f_equal. simpl. rewrite map_flat_map, flat_map_concat_map. f_equal. apply map_ext. intros h. now rewrite map_map.
  - intros l I. apply in_map_iff in I. destruct I as (h & <- & _). now rewrite map_length, seq_length.
Qed.

(** ** One sweep on the full histories *)

(** Walk through the costs of all histories; the pieces start anew with every block. *)
Fixpoint around (costs rest all : list (list Z)) (acc : list Z) : list Z :=
  match costs, rest with
  | [], _ => acc
  | cs :: costs', vs :: rest' => around costs' rest' all (least cs vs :: acc)
  | cs :: costs', [] =>
      match all with
      | [] => acc
      | vs :: rest' => around costs' rest' all (least cs vs :: acc)
      end
  end.

Definition successors (K m : nat) (layer : list Z) : list (list Z) :=
  match m with
  | O | S O => map (fun v => repeat v K) layer
  | _ => pieces K layer
  end.

Definition sweep_list (K m : nat) (costs : list (list Z)) (layer : list Z) : list Z :=
  let all := successors K m layer in fast_rev (around costs all all []).

Lemma around_block {A} (c : A -> list Z) (v : A -> list Z) (l : list A) more all acc :
  around (map c l ++ more) (map v l) all acc = around more [] all (rev (map (fun x => least (c x) (v x)) l) ++ acc).
Proof. revert acc. induction l as [|x l IH]; intros acc; [reflexivity|]. simpl. now rewrite IH, <- app_assoc. Qed.

Lemma around_start costs all acc : costs <> [] -> all <> [] -> around costs all all acc = around costs [] all acc.
Proof. intros C A. destruct costs; [congruence|]. destruct all; [congruence | reflexivity]. Qed.

Lemma around_blocks {A B} (c : B -> A -> list Z) (v : A -> list Z) (l : list A) (ds : list B) acc :
  l <> [] ->
  around (flat_map (fun d => map (c d) l) ds) [] (map v l) acc
  = rev (flat_map (fun d => map (fun x => least (c d x) (v x)) l) ds) ++ acc.
Proof.
  intros N. revert acc. induction ds as [|d ds IH]; intros acc; [reflexivity|].
  cbn [flat_map]. rewrite <- around_start.
  - rewrite around_block, IH, rev_app_distr. now rewrite <- app_assoc.
  - destruct l; [congruence | discriminate].
  - destruct l; [congruence | discriminate].
Qed.

Lemma histories_not_empty K k : (0 < K)%nat -> histories K k <> [].
Proof.
  intros HK. assert (I : In (repeat 0%nat k) (histories K k)).
  { apply in_histories. split; [apply repeat_length|]. apply Forall_forall. intros x X. apply repeat_spec in X. lia. }
  intros E. now rewrite E in I.
Qed.

Lemma history_of_append b h d a : memory b = S (S (length h)) -> history b (a :: h ++ [d]) = a :: h.
Proof.
  intros M. unfold history. rewrite M. simpl. f_equal. rewrite firstn_app, firstn_all, Nat.sub_diag. simpl.
  apply app_nil_r.
Qed.

Lemma map_constant (x : Z) i n : map (fun _ : nat => x) (seq i n) = repeat x n.
Proof. revert i. induction n as [|n IH]; intros i; [reflexivity|]. simpl. now rewrite IH. Qed.

(** A sweep of the list is the sweep of the function. *)
Theorem sweep_list_spec b (f : list nat -> Z) :
  (0 < actions b)%nat ->
  sweep_list (actions b) (memory b) (edge_costs b (memory b - 1)) (map f (histories (actions b) (memory b - 1)))
  = map (sweep b f) (histories (actions b) (memory b - 1)).
Proof.
  intros HK. unfold sweep_list. rewrite edge_costs_spec. unfold successors.
  destruct (memory b) as [|[|j]] eqn:M;
    [destruct (actions b) as [|K] eqn:EK; [lia|]; unfold sweep; rewrite EK ..|].
  1,2: simpl (0 - 1)%nat; simpl (1 - 1)%nat; cbn [histories map around fast_rev rev_append];
       unfold history; rewrite M; cbn [firstn Nat.sub]; rewrite Nat.sub_0_r;
       rewrite <- least_min_upto;
       replace (repeat (f []) (S K)) with (map (fun _ : nat => f []) (seq 0 (S K)));
       [reflexivity | apply map_constant].
  replace (S (S j) - 1)%nat with (S j) by lia.
  rewrite pieces_histories by assumption. rewrite (histories_by_oldest (actions b) j), !map_flat_map.
  rewrite (flat_map_ext _ (fun d => map (fun h => map (loss b (h ++ [d])) (seq 0 (actions b))) (histories (actions b) j)))
    by (intros d; now rewrite map_map).
  rewrite (flat_map_ext _ (fun d => map (fun h => sweep b f (h ++ [d])) (histories (actions b) j)) (fun d => map_map _ _ _)).
  rewrite fast_rev_rev, around_start.
  - rewrite around_blocks by now apply histories_not_empty. rewrite app_nil_r, rev_involutive.
    apply flat_map_ext. intros d. apply map_ext_in. intros h H. apply in_histories in H. destruct H as [L _].
    unfold sweep. destruct (actions b) as [|K]; [lia|]. rewrite least_min_upto. replace (S K - 1)%nat with K by lia.
    apply min_upto_ext. intros a _. f_equal. f_equal. symmetry. apply history_of_append. now rewrite M, L.
  - destruct (actions b) as [|K]; [lia|]. pose proof (histories_not_empty (S K) j ltac:(lia)).
    simpl. destruct (histories (S K) j); [congruence | discriminate].
  - pose proof (histories_not_empty (actions b) j HK). destruct (histories (actions b) j); [congruence | discriminate].
Qed.

(** ** One step back to shorter histories *)

Definition shrink (K : nat) (costs : list (list Z)) (layer : list Z) : list Z := fast_map2 least costs (pieces K layer).

Theorem shrink_spec b N k :
  (0 < actions b)%nat ->
  shrink (actions b) (edge_costs b k) (map (opt b N) (histories (actions b) (S k)))
  = map (opt b (S N)) (histories (actions b) k).
Proof.
  intros HK. unfold shrink. rewrite edge_costs_spec, pieces_histories, fast_map2_map by assumption.
  apply map_ext. intros h. destruct (actions b) as [|K] eqn:E; [lia|]. rewrite least_min_upto. simpl. rewrite E.
  now replace (S K - 1)%nat with K by lia.
Qed.
