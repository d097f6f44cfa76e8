(** * Checking a finite horizon

    The executable side of [Bellman.v] and [Jumps.v]: docs/certificates.md, rule "recursion", with layers as lists.  Horizons,
    the places of jumps and their counts are binary numbers of any size. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Bellman TallyPlan.Jumps TallyPlan.Layers.
Import ListNotations.
Open Scope Z_scope.

(** f applied n times. *)
Definition times {A} (n : Z) (f : A -> A) (x : A) : A :=
  match n with
  | Zpos p => Pos.iter f x p
  | _ => x
  end.

Lemma times_iter {A} n (f : A -> A) x : times n f x = Nat.iter (Z.to_nat n) f x.
Proof. destruct n as [|p|p]; [reflexivity | simpl; apply Pos2Nat.inj_iter | reflexivity]. Qed.

Fixpoint equal_lists (l k : list Z) : bool :=
  match l, k with
  | [], [] => true
  | x :: l', y :: k' => if x =? y then equal_lists l' k' else false
  | _, _ => false
  end.

Fixpoint all_equal_to (x : Z) (l : list Z) : bool :=
  match l with
  | [] => true
  | y :: l' => if y =? x then all_equal_to x l' else false
  end.

Definition constant_list (l : list Z) : bool :=
  match l with
  | [] => true
  | x :: l' => all_equal_to x l'
  end.

Lemma equal_lists_map {A} (f g : A -> Z) l :
  equal_lists (map f l) (map g l) = true -> forall x, In x l -> f x = g x.
Proof.
  induction l as [|y l IH]; intros H x [].
  - subst. simpl in H. destruct (Z.eqb_spec (f x) (g x)); [assumption | discriminate].
  - simpl in H. destruct (f y =? g y); [|discriminate]. now apply IH.
Qed.

Lemma constant_list_map {A} (f : A -> Z) l : constant_list (map f l) = true -> exists c, forall x, In x l -> f x = c.
Proof.
  assert (E : forall c, all_equal_to c (map f l) = true -> forall x, In x l -> f x = c).
  { intros c. induction l as [|y l IH]; intros H x []; simpl in H; destruct (Z.eqb_spec (f y) c); try discriminate.
    - now subst.
    - now apply IH. }
  destruct l as [|y l]; [now exists 0|]. intros H. exists (f y). intros x X. apply E; [|exact X].
  simpl in *. now rewrite Z.eqb_refl.
Qed.

Section Recursion.
Variable b : bandit.
Hypothesis some_action : (0 < actions b)%nat.

(** The list of V_N over the histories of length k. *)
Definition is_list (k N : nat) (l : list Z) : Prop := l = map (opt b N) (histories (actions b) k).

(** ** The recursion with its jumps *)

Definition one_sweep (costs : list (list Z)) : list Z -> list Z := sweep_list (actions b) (memory b) costs.

Definition line (x G : list Z) (i : Z) : list Z := fast_map2 (fun v g => v + i * g) x G.

Definition jump (costs : list (list Z)) (x : list Z) (p k : Z) : option (list Z) :=
  let G := fast_map2 Z.sub (times p (one_sweep costs) x) x in
  if (constant_list G ||
      (equal_lists (times p (one_sweep costs) (line x G 1)) (line x G 2) &&
       ((k =? 1) || equal_lists (times p (one_sweep costs) (line x G k)) (line x G (k + 1)))))%bool
  then Some (line x G (k + 1))
  else None.

(** The layer V_N, from the layer V_at, through the jumps [t, p, k]. *)
Fixpoint last_layer (costs : list (list Z)) (at_ N : Z) (x : list Z) (jumps : list (Z * Z * Z)) : option (list Z) :=
  match jumps with
  | [] => if at_ <=? N then Some (times (N - at_) (one_sweep costs) x) else None
  | (t, p, k) :: rest =>
      if ((at_ <=? t) && (1 <=? p) && (1 <=? k) && (t + (k + 1) * p <=? N))%bool then
        match jump costs (times (t - at_) (one_sweep costs) x) p k with
        | Some y => last_layer costs (t + (k + 1) * p) N y rest
        | None => None
        end
      else None
  end.

Lemma times_sweep n f :
  times n (one_sweep (edge_costs b (memory b - 1))) (map f (histories (actions b) (memory b - 1)))
  = map (sweeps b (Z.to_nat n) f) (histories (actions b) (memory b - 1)).
Proof.
  rewrite times_iter. induction (Z.to_nat n) as [|k IH]; [reflexivity|]. simpl. rewrite IH.
  unfold one_sweep. now apply sweep_list_spec.
Qed.

Lemma is_list_layer N f : is_layer b N f -> is_list (memory b - 1) N (map f (histories (actions b) (memory b - 1))).
Proof. intros H. apply map_ext_in. intros s S. now apply H, full_in_histories. Qed.

Lemma layer_opt N : is_layer b N (opt b N).
Proof. now intros s _. Qed.

Lemma times_sweep_list n N x :
  0 <= n -> is_list (memory b - 1) N x ->
  is_list (memory b - 1) (Z.to_nat n + N) (times n (one_sweep (edge_costs b (memory b - 1))) x).
Proof. intros Hn ->. rewrite times_sweep. apply is_list_layer. now apply sweeps_layer, layer_opt. Qed.

Lemma line_map f g i l : line (map f l) (map g l) i = map (along f g i) l.
Proof. unfold line. now rewrite fast_map2_map. Qed.

Lemma jump_list x p k N y :
  1 <= p -> 1 <= k -> is_list (memory b - 1) N x -> jump (edge_costs b (memory b - 1)) x p k = Some y ->
  is_list (memory b - 1) (Z.to_nat ((k + 1) * p) + N) y.
Proof.
  intros P Hk -> J. unfold jump in J. rewrite times_sweep, fast_map2_map in J.
  set (H := histories (actions b) (memory b - 1)) in *.
  set (G := fun s => sweeps b (Z.to_nat p) (opt b N) s - opt b N s) in *.
  rewrite !line_map in J. unfold H in J. rewrite !times_sweep in J. fold H in J.
  match type of J with (if ?c then _ else _) = _ => destruct c eqn:C end; [|discriminate].
  injection J as <-.
  replace (Z.to_nat ((k + 1) * p) + N)%nat with (S (Z.to_nat k) * Z.to_nat p + N)%nat by nia.
  replace (k + 1) with (Z.of_nat (S (Z.to_nat k))) by lia.
  apply is_list_layer, jump_sound; [assumption | apply layer_opt | reflexivity |].
  rewrite Z2Nat.id by lia. apply Bool.orb_prop in C. destruct C as [C|C].
  - left. apply constant_list_map in C. destruct C as (c & C). exists c. intros s S. now apply C, full_in_histories.
  - right. apply andb_prop in C. destruct C as [C1 Ck].
    assert (E1 : forall s, full b s -> sweeps b (Z.to_nat p) (along (opt b N) G 1) s = along (opt b N) G 2 s).
    { intros s S. apply (equal_lists_map _ _ _ C1). now apply full_in_histories. }
    split; [exact E1|]. apply Bool.orb_prop in Ck. destruct Ck as [Ck|Ck]; [apply Z.eqb_eq in Ck; subst; exact E1|].
    intros s S. apply (equal_lists_map _ _ _ Ck). now apply full_in_histories.
Qed.

Lemma last_layer_list jumps at_ N x y :
  0 <= at_ -> is_list (memory b - 1) (Z.to_nat at_) x ->
  last_layer (edge_costs b (memory b - 1)) at_ N x jumps = Some y ->
  is_list (memory b - 1) (Z.to_nat N) y.
Proof.
  revert at_ x. induction jumps as [|[[t p] k] jumps IH]; intros at_ x A L H; simpl in H.
  - destruct (Z.leb_spec at_ N); [|discriminate]. injection H as <-.
    replace (Z.to_nat N) with (Z.to_nat (N - at_) + Z.to_nat at_)%nat by lia.
    apply times_sweep_list; [lia | assumption].
  - destruct ((at_ <=? t) && (1 <=? p) && (1 <=? k) && (t + (k + 1) * p <=? N))%bool eqn:C; [|discriminate].
    rewrite !Bool.andb_true_iff, !Z.leb_le in C. destruct C as [[[C1 C2] C3] C4].
    destruct (jump _ _ p k) as [z|] eqn:J; [|discriminate].
    apply (IH (t + (k + 1) * p) z); [nia | | exact H].
    replace (Z.to_nat (t + (k + 1) * p)) with (Z.to_nat ((k + 1) * p) + Z.to_nat t)%nat by nia.
    apply jump_list with (3 := times_sweep_list (t - at_) (Z.to_nat at_) x ltac:(lia) L) in J; try assumption.
    now replace (Z.to_nat (t - at_) + Z.to_nat at_)%nat with (Z.to_nat t) in J by lia.
Qed.

(** ** Back through the shorter histories *)

Fixpoint back (j d : nat) (layer : list Z) : list Z :=
  match d with
  | O => layer
  | S e => back j e (shrink (actions b) (edge_costs b (j + e)) layer)
  end.

Lemma back_list j d N layer : is_list (j + d) N layer -> is_list j (d + N) (back j d layer).
Proof.
  revert N layer. induction d as [|d IH]; intros N layer L; [now rewrite Nat.add_0_r in L|].
  simpl. replace (S (d + N)) with (d + S N)%nat by lia. apply IH. rewrite L.
  replace (j + S d)%nat with (S (j + d)) by lia. now apply shrink_spec.
Qed.

(** The entry that belongs to a history. *)
Fixpoint at_history (s : list nat) (hs : list (list nat)) (layer : list Z) : option Z :=
  match hs, layer with
  | h :: hs', v :: layer' => if list_eq_dec Nat.eq_dec h s then Some v else at_history s hs' layer'
  | _, _ => None
  end.

Lemma at_history_map s hs f v : at_history s hs (map f hs) = Some v -> v = f s.
Proof.
  induction hs as [|h hs IH]; simpl; [discriminate|].
  destruct (list_eq_dec Nat.eq_dec h s) as [->|]; [now intros [= <-] | exact IH].
Qed.

(** The least loss of T steps after the past [start]. *)
Definition recursion_value (T : Z) (start : list nat) (jumps : list (Z * Z * Z)) : option Z :=
  let s := history b start in
  let short := (memory b - 1 - length s)%nat in
  let d := if T <=? Z.of_nat short then Z.to_nat T else short in
  let N := T - Z.of_nat d in
  let zeros := fast_map (fun _ => 0) (fast_histories (actions b) (length s + d)) in
  let last :=
    if N <=? 0 then match jumps with [] => Some zeros | _ => None end
    else last_layer (edge_costs b (memory b - 1)) 0 N zeros jumps in
  match last with
  | Some layer => at_history s (fast_histories (actions b) (length s)) (back (length s) d layer)
  | None => None
  end.

Theorem recursion_value_sound T start jumps v :
  0 <= T -> recursion_value T start jumps = Some v -> v = opt b (Z.to_nat T) start.
Proof.
  intros HT. unfold recursion_value. set (s := history b start).
  assert (LS : (length s <= memory b - 1)%nat) by (unfold s, history; rewrite firstn_length; lia).
  set (d := if T <=? Z.of_nat (memory b - 1 - length s) then Z.to_nat T else (memory b - 1 - length s)%nat).
  rewrite fast_map_map, !fast_histories_histories.
  set (zeros := map (fun _ => 0) (histories (actions b) (length s + d))).
  intros H.
  match type of H with match ?l with _ => _ end = _ => destruct l as [layer|] eqn:E end; [|discriminate].
  assert (L : is_list (length s + d) (Z.to_nat (T - Z.of_nat d)) layer).
  { destruct (Z.leb_spec (T - Z.of_nat d) 0) as [Z0|Z0].
    - destruct jumps; [|discriminate]. injection E as <-. now replace (Z.to_nat (T - Z.of_nat d)) with 0%nat by lia.
    - assert (D : (length s + d)%nat = (memory b - 1)%nat).
      { unfold d in *. destruct (Z.leb_spec T (Z.of_nat (memory b - 1 - length s))); lia. }
      unfold zeros in E. rewrite D in *.
      apply (last_layer_list jumps 0 _ _ _ (Z.le_refl 0)) in E; [exact E | reflexivity]. }
  apply back_list in L. rewrite L in H. apply at_history_map in H. subst v.
  unfold s. rewrite opt_history. f_equal. unfold d. destruct (Z.leb_spec T (Z.of_nat (memory b - 1 - length s))); lia.
Qed.

End Recursion.
