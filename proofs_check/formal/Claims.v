(** * What a certificate claims

    docs/certificates.md: the three kinds of instances with rational losses, and what the three claims
    say about them.  This file is all that a reader needs to understand the theorem of
    [Checker.v]; everything in it is about rational numbers and finite words.  The second half connects it to the
    integer model of [Model.v]: all losses are multiplied by a common denominator D. *)

Require Import List ZArith QArith Lia Arith.
Require Import TallyPlan.Model.
Import ListNotations.
Open Scope Z_scope.

(** ** Instances, with losses of any type A *)

Inductive instance (A : Type) : Type :=
| Tallying (m : nat) (losses : list (list A))                          (* losses[x][y-1] = h_x(y) *)
| Windows (m K : nat) (windows : list (list A))                        (* windows[j-1][c]: window of length j, code c *)
| Weighted (m : nat) (weights : list Q) (losses : list (list (Q * A))). (* losses[x][weighted tally] *)
Arguments Tallying {A}. Arguments Windows {A}. Arguments Weighted {A}.

Definition actions_of {A} (i : instance A) : nat :=
  match i with
  | Tallying _ losses => length losses
  | Windows _ K _ => K
  | Weighted _ _ losses => length losses
  end.

Definition memory_of {A} (i : instance A) : nat :=
  match i with Tallying m _ | Windows m _ _ | Weighted m _ _ => m end.

(** The code of a word in base K; the head of the list is the latest action, the last digit. *)
Fixpoint code (K : nat) (w : list nat) : nat :=
  match w with
  | [] => 0%nat
  | a :: past => (code K past * K + a)%nat
  end.

(** The sum of the weights at the positions (0 = current step) that hold a. *)
Fixpoint weighted_tally (weights : list Q) (w : list nat) (a : nat) : Q :=
  match weights, w with
  | q :: weights', x :: w' =>
      let rest := weighted_tally weights' w' a in if Nat.eqb x a then Qred (q + rest) else rest
  | _, _ => 0%Q
  end.

Fixpoint found_at {A} (zero : A) (key : Q) (row : list (Q * A)) : A :=
  match row with
  | [] => zero
  | (k, v) :: rest => if Qeq_bool k key then v else found_at zero key rest
  end.

(** The loss of a window, latest action first. *)
Definition window_loss {A} (zero : A) (i : instance A) (w : list nat) : A :=
  match w with
  | [] => zero
  | a :: _ =>
      match i with
      | Tallying _ losses => nth (tally a w - 1) (nth a losses []) zero
      | Windows _ K windows => nth (code K w) (nth (length w - 1) windows []) zero
      | Weighted _ weights losses => found_at zero (weighted_tally weights w a) (nth a losses [])
      end
  end.

(** ** Rational losses of a word after a past, and of a word repeated for ever *)

Fixpoint qtotal (i : instance Q) (past word : list nat) : Q :=
  match word with
  | [] => 0%Q
  | a :: rest => (window_loss 0%Q i (window (memory_of i) past a) + qtotal i (a :: past) rest)%Q
  end.

Definition qcycle_loss (i : instance Q) (u : list nat) : Q := qtotal i (rev (repeated (memory_of i) u)) u.

Definition allowed (i : instance Q) (word : list nat) : Prop := Forall (fun a => (a < actions_of i)%nat) word.

Definition qnat (n : nat) : Q := inject_Z (Z.of_nat n).

(** ** The claims *)

(** The claim mean-cycle.  The word, repeated for ever, loses [value] per step; and no policy has a long-run loss per step below
    [lower]: after every start, n steps lose at least n * lower up to a constant. *)
Definition mean_cycle_claim (i : instance Q) (lower value : Q) (word : list nat) : Prop :=
  (word <> [] /\ allowed i word /\ qcycle_loss i word == value * qnat (length word))%Q /\
  forall start, allowed i start -> exists C : Q, forall played, allowed i played ->
    (lower * qnat (length played) <= qtotal i start played + C)%Q.

(** The claim horizon.  [start] and [word] in the order of play. *)
Definition horizon_claim (i : instance Q) (T : nat) (start : list nat) (lower value : Q) (word : list nat) : Prop :=
  (length word = T /\ allowed i word /\ qtotal i (rev start) word == value)%Q /\
  forall played, length played = T -> allowed i played -> (lower <= qtotal i (rev start) played)%Q.

(** The claim cyclic. *)
Definition cyclic_claim (i : instance Q) (L : nat) (lower value : Q) (word : list nat) : Prop :=
  (length word = L /\ allowed i word /\ qcycle_loss i word == value * qnat L)%Q /\
  forall u, length u = L -> allowed i u -> (lower * qnat L <= qcycle_loss i u)%Q.

(** * From rational losses to integers *)

Definition map_instance {A B} (f : A -> B) (i : instance A) : instance B :=
  match i with
  | Tallying m losses => Tallying m (map (map f) losses)
  | Windows m K windows => Windows m K (map (map f) windows)
  | Weighted m weights losses => Weighted m weights (map (map (fun kv => (fst kv, f (snd kv)))) losses)
  end.

Definition values_of {A} (i : instance A) : list A :=
  match i with
  | Tallying _ losses => concat losses
  | Windows _ _ windows => concat windows
  | Weighted _ _ losses => map snd (concat losses)
  end.

Lemma found_at_map {A B} (f : A -> B) zero key row :
  found_at (f zero) key (map (fun kv => (fst kv, f (snd kv))) row) = f (found_at zero key row).
Proof. induction row as [|[k v] row IH]; [reflexivity|]. simpl. now destruct (Qeq_bool k key). Qed.

Lemma window_loss_map {A B} (f : A -> B) zero i w :
  window_loss (f zero) (map_instance f i) w = f (window_loss zero i w).
Proof.
  destruct w as [|a w]; [reflexivity|].
  destruct i as [m losses | m K windows | m weights losses]; cbn [window_loss map_instance].
  - change (@nil B) with (map f (@nil A)). now rewrite !map_nth.
  - change (@nil B) with (map f (@nil A)). now rewrite !map_nth.
  - set (g := fun kv : Q * A => (fst kv, f (snd kv))). change (@nil (Q * B)) with (map g (@nil (Q * A))).
    rewrite map_nth. apply found_at_map.
Qed.

Lemma found_at_in {A} (zero : A) key row : found_at zero key row = zero \/ In (found_at zero key row) (map snd row).
Proof.
  induction row as [|[k v] row IH]; [now left|]. simpl. destruct (Qeq_bool k key); [right; now left|].
  destruct IH as [E|I]; [now left | right; now right].
Qed.

Lemma nth_nth_in {A} (zero : A) x y rows : nth x (nth y rows []) zero = zero \/ In (nth x (nth y rows []) zero) (concat rows).
Proof.
  destruct (nth_in_or_default y rows []) as [I | ->]; [|left; now destruct x].
  destruct (nth_in_or_default x (nth y rows []) zero) as [J | ->]; [|now left].
  right. apply in_concat. now exists (nth y rows []).
Qed.

(** A loss is an entry of the table (or zero outside of it). *)
Lemma window_loss_in {A} (zero : A) i w : window_loss zero i w = zero \/ In (window_loss zero i w) (values_of i).
Proof.
  destruct w as [|a w]; [now left|].
  destruct i as [m losses | m K windows | m weights losses]; cbn [window_loss values_of].
  - apply nth_nth_in.
  - apply nth_nth_in.
  - destruct (found_at_in zero (weighted_tally weights (a :: w) a) (nth a losses [])) as [E|I]; [now left | right].
    destruct (nth_in_or_default a losses []) as [J | E]; [|now rewrite E in *].
    apply in_map_iff in I. destruct I as (kv & <- & I). apply in_map. apply in_concat. now exists (nth a losses []).
Qed.

(** q as a multiple of 1/D. *)
Definition scaled (D : positive) (q : Q) : Z := Qnum q * (Zpos D / Zpos (Qden q)).

Definition fits (D : positive) (q : Q) : bool := (Zpos D) mod (Zpos (Qden q)) =? 0.

Lemma scaled_fits D q : fits D q = true -> (q == scaled D q # D)%Q.
Proof.
  unfold fits, scaled, Qeq. intros H. apply Z.eqb_eq in H. destruct q as [n d]. cbn [Qnum Qden] in *.
  pose proof (Z_div_mod_eq_full (Zpos D) (Zpos d)) as E. rewrite H in E. rewrite <- Z.mul_assoc. f_equal. lia.
Qed.

(** The integer bandit of an integer instance. *)
Definition bandit_of (i : instance Z) : bandit := Bandit (actions_of i) (memory_of i) (window_loss 0 i).

(** The bandit of a rational instance, in units of 1/D. *)
Definition scaled_bandit (D : positive) (i : instance Q) : bandit := bandit_of (map_instance (scaled D) i).

Definition all_fit (D : positive) (i : instance Q) : bool := forallb (fits D) (values_of i).

Lemma actions_scaled D i : actions (scaled_bandit D i) = actions_of i.
Proof. destruct i; simpl; now rewrite ?map_length. Qed.

Lemma memory_scaled D i : memory (scaled_bandit D i) = memory_of i.
Proof. now destruct i. Qed.

Lemma cost_scaled D i w :
  all_fit D i = true -> (window_loss 0%Q i w == cost (scaled_bandit D i) w # D)%Q.
Proof.
  intros H. unfold scaled_bandit, bandit_of. cbn [cost]. change 0 with (scaled D 0%Q) at 2.
  rewrite window_loss_map. unfold all_fit in H. rewrite forallb_forall in H.
  destruct (window_loss_in 0%Q i w) as [-> | I]; [reflexivity|]. now apply scaled_fits, H.
Qed.

Lemma qtotal_scaled D i past word :
  all_fit D i = true -> (qtotal i past word == total (scaled_bandit D i) past word # D)%Q.
Proof.
  intros H. revert past. induction word as [|a word IH]; intros past; [reflexivity|].
  cbn [qtotal total]. rewrite IH, (cost_scaled D i) by assumption. rewrite Qinv_plus_distr. unfold loss.
  now rewrite memory_scaled.
Qed.

Lemma qcycle_loss_scaled D i u :
  all_fit D i = true -> (qcycle_loss i u == cycle_loss (scaled_bandit D i) u # D)%Q.
Proof. intros H. unfold qcycle_loss, cycle_loss. now rewrite qtotal_scaled, memory_scaled by eassumption. Qed.

Lemma allowed_valid D i word : allowed i word <-> valid (scaled_bandit D i) word.
Proof. unfold allowed, valid. now rewrite actions_scaled. Qed.

(** ** The claims in integers.  v = p/q; "n v <= t/D" becomes "n p D <= q t". *)

Lemma mean_cycle_claim_scaled D i lower value word :
  all_fit D i = true ->
  word <> [] -> allowed i word ->
  cycle_loss (scaled_bandit D i) word * Zpos (Qden value) = Qnum value * Zpos D * Z.of_nat (length word) ->
  long_run_at_least (scaled_bandit D i) (Qnum lower * Zpos D) (Zpos (Qden lower)) ->
  mean_cycle_claim i lower value word.
Proof.
  intros F N V E H. split.
  - repeat split; try assumption. rewrite (qcycle_loss_scaled D) by assumption.
    unfold qnat, inject_Z, Qeq, Qmult. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. nia.
  - intros start A. destruct (H start) as (C & HC); [now apply allowed_valid|].
    exists (Z.abs C # D). intros played P. specialize (HC played (proj1 (allowed_valid D i played) P)).
    rewrite (qtotal_scaled D), Qinv_plus_distr by assumption.
    set (t := total (scaled_bandit D i) start played) in *. destruct lower as [p q]. cbn [Qnum Qden] in *.
    unfold qnat, inject_Z, Qle, Qmult. cbn [Qnum Qden]. rewrite Pos.mul_1_r.
    set (n := Z.of_nat (length played)) in *.
    nia.
Qed.

Lemma horizon_claim_scaled D i T start lower value word :
  all_fit D i = true -> length word = T -> allowed i word ->
  total (scaled_bandit D i) (rev start) word * Zpos (Qden value) = Qnum value * Zpos D ->
  (forall played, plays (scaled_bandit D i) T played ->
     Qnum lower * Zpos D <= Zpos (Qden lower) * total (scaled_bandit D i) (rev start) played) ->
  horizon_claim i T start lower value word.
Proof.
  intros F L V E H. split.
  - repeat split; try assumption. rewrite (qtotal_scaled D) by assumption. unfold Qeq. simpl. lia.
  - intros played LP AP. rewrite (qtotal_scaled D) by assumption. unfold Qle. cbn [Qnum Qden].
    specialize (H played (conj LP (proj1 (allowed_valid D i played) AP))). lia.
Qed.

Lemma cyclic_claim_scaled D i L lower value word :
  all_fit D i = true -> length word = L -> allowed i word ->
  cycle_loss (scaled_bandit D i) word * Zpos (Qden value) = Qnum value * Zpos D * Z.of_nat L ->
  (forall u, plays (scaled_bandit D i) L u ->
     Z.of_nat L * (Qnum lower * Zpos D) <= Zpos (Qden lower) * cycle_loss (scaled_bandit D i) u) ->
  cyclic_claim i L lower value word.
Proof.
  intros F LW V E H. split.
  - repeat split; try assumption. rewrite (qcycle_loss_scaled D) by assumption.
    unfold qnat, inject_Z, Qeq, Qmult. cbn [Qnum Qden]. rewrite Pos2Z.inj_mul. nia.
  - intros u LU AU. rewrite (qcycle_loss_scaled D) by assumption.
    specialize (H u (conj LU (proj1 (allowed_valid D i u) AU))).
    unfold qnat, inject_Z, Qle, Qmult. cbn [Qnum Qden]. rewrite Pos.mul_1_r. nia.
Qed.
