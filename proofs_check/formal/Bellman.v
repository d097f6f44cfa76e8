(** * The Bellman recursion

    docs/certificates.md, rule "recursion": V_0 = 0 and V_{t+1}(s) = min over a of loss(s, a) + V_t(successor(s, a)) over the
    full histories.  V_N(s) is the least total loss of N steps after s.  After a start shorter than m-1 the first steps
    lead through shorter histories: a tree whose leaves are the full histories that extend the start. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories.
Import ListNotations.
Open Scope Z_scope.

(** The least loss of T steps after [past] plus a final payment V that depends on the last m-1 actions. *)
Fixpoint value (b : bandit) (V : list nat -> Z) (T : nat) (past : list nat) : Z :=
  match T with
  | O => V (history b past)
  | S t => min_upto (fun a => loss b past a + value b V t (a :: past)) (actions b - 1)
  end.

(** One sweep of the recursion, on full histories. *)
Definition sweep (b : bandit) (V : list nat -> Z) (s : list nat) : Z :=
  min_upto (fun a => loss b s a + V (history b (a :: s))) (actions b - 1).

Fixpoint sweeps (b : bandit) (n : nat) (V : list nat -> Z) : list nat -> Z :=
  match n with
  | O => V
  | S k => sweep b (sweeps b k V)
  end.

(** V is the layer V_N of the recursion. *)
Definition is_layer (b : bandit) (N : nat) (V : list nat -> Z) : Prop := forall s, full b s -> V s = opt b N s.

Lemma value_opt b T past : value b (fun _ => 0) T past = opt b T past.
Proof.
  revert past. induction T as [|t IH]; intros past; [reflexivity|]. simpl. apply min_upto_ext. intros a _.
  now rewrite IH.
Qed.

Lemma value_same_history b V T past past' : history b past = history b past' -> value b V T past = value b V T past'.
Proof.
  revert past past'. induction T as [|t IH]; intros past past' H; simpl; [now rewrite H|]. apply min_upto_ext.
  intros a _.
  rewrite (IH (a :: past) (a :: past')) by now apply firstn_cons_history.
  now rewrite <- (loss_history b past), <- (loss_history b past'), H.
Qed.

Lemma value_history b V T past : value b V T (history b past) = value b V T past.
Proof. apply value_same_history, history_idem. Qed.

(** T + U steps are T steps with the value of U further steps as the final payment. *)
Lemma value_add b V T U past : value b V (T + U) past = value b (value b V U) T past.
Proof.
  revert past. induction T as [|t IH]; intros past; simpl; [now rewrite value_history|].
  apply min_upto_ext. intros a _. now rewrite IH.
Qed.

(** Only the payments at the histories that can be reached count. *)
Lemma value_ext b V W T past :
  (0 < actions b)%nat ->
  (forall w, length w = T -> valid b w -> V (history b (after past w)) = W (history b (after past w))) ->
  value b V T past = value b W T past.
Proof.
  intros K. revert past. induction T as [|t IH]; intros past H; simpl; [apply (H []); [reflexivity | constructor]|].
  apply min_upto_ext. intros a A. rewrite (IH (a :: past)); [reflexivity|].
  intros w L Vw. rewrite <- after_cons. apply H; [simpl; now rewrite L|]. constructor; [lia | exact Vw].
Qed.

Lemma value_ext_full b V W T s :
  (0 < actions b)%nat -> (forall s, full b s -> V s = W s) -> full b s -> value b V T s = value b W T s.
Proof.
  intros K H [L Vs]. apply value_ext; [assumption|]. intros w _ Vw. apply H, full_history.
  - now apply valid_after.
  - rewrite length_after. lia.
Qed.

Lemma sweeps_value b n V s :
  (0 < actions b)%nat -> full b s -> sweeps b n V s = value b V n s.
Proof.
  intros K. revert s. induction n as [|n IH]; intros s F; simpl; [now rewrite history_full|].
  apply min_upto_ext. intros a A. rewrite IH by (apply full_next; [assumption | lia]). now rewrite value_history.
Qed.

Theorem sweeps_layer b n N V : (0 < actions b)%nat -> is_layer b N V -> is_layer b (n + N) (sweeps b n V).
Proof.
  intros K H s F. rewrite sweeps_value, <- value_opt, value_add by assumption.
  apply value_ext_full; try assumption. intros s' F'. rewrite value_opt. now apply H.
Qed.

(** The least value is that of a word, and no word is below it. *)
Lemma value_lower b V T past w :
  plays b T w -> value b V T past <= total b past w + V (history b (after past w)).
Proof.
  revert past w. induction T as [|t IH]; intros past w [L Vw].
  - destruct w; [change (after past []) with past; cbn [value total]; lia | discriminate].
  - destruct w as [|a w]; [discriminate|]. inversion Vw as [|? ? A V']; subst.
    specialize (IH (a :: past) w (conj (f_equal pred L) V')). rewrite after_cons. cbn [value total].
    pose proof (min_upto_le (fun a => loss b past a + value b V t (a :: past)) (actions b - 1) a ltac:(lia)).
    simpl in *. lia.
Qed.

Lemma value_attained b V T past :
  (0 < actions b)%nat -> exists w, plays b T w /\ value b V T past = total b past w + V (history b (after past w)).
Proof.
  intros K. revert past. induction T as [|t IH]; intros past.
  - exists []. repeat split. constructor.
  - simpl.
    destruct (min_upto_attained (fun a => loss b past a + value b V t (a :: past)) (actions b - 1)) as (a & A & ->).
    destruct (IH (a :: past)) as (w & [L Vw] & E). exists (a :: w). split; [split|].
    + simpl. now rewrite L.
    + constructor; [lia | exact Vw].
    + rewrite after_cons. cbn [total]. lia.
Qed.
