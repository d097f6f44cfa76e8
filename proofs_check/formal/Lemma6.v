(** * Lemma 6: the policies that survive are nearly optimal

    Paper, lem:opt_gap (line 471; proof at line 527): for s = 1, ..., S and all pi in A_s, mu(pi) - mu(pi_star) <= 4 C_{s-1}.

    On the events of Lemma 7 this holds for s >= 2, by the paper's chain (i) to (iv), and 4 is the best factor.  At s = 1 it
    fails: A_1 holds all cyclic policies, and with h_0 = 0, h_1 = 1 one of them has gap 1, whatever C_0 is, as long as
    4 C_0 < 1.  Nothing is lost: only s >= 2 is used. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Elimination TallyPlan.Lemma8.
Import ListNotations.
Open Scope Z_scope.

(** The bound is so many times C_{s-1}. *)
Definition lemma6_factor : nat := 4.

Section Lemma6.

Variable R : numbers.
Variables (K m : nat) (h : nat -> nat -> Z) (L : nat).
Variable estimate : nat -> list nat -> number R.
Variable chosen : nat -> list nat.
Variable width : nat -> number R.
Let A := survivors R K m h L estimate chosen width.

Theorem lemma6_chain star S : best_policy K m h L star ->
  (forall s, (1 <= s <= S)%nat ->
     chosen_well R K m h L estimate chosen width s /\ event R K m h L estimate chosen width s) ->
  forall s pi, (2 <= s <= S + 1)%nat -> A s pi ->
    at_most_above R (times R lemma6_factor (width (s - 1))) (mu R K m h pi) (mu R K m h star).
Proof.
  intros best run s pi HS I. destruct s as [|[|r]]; [lia | lia|].
  replace (Datatypes.S (Datatypes.S r) - 1)%nat with (Datatypes.S r) by lia.
  set (C := width (Datatypes.S r)). destruct I as [I kept]. destruct (run (Datatypes.S r) ltac:(lia)) as [CW E].
  destruct (lemma8 R K m h L estimate chosen width star S best run (Datatypes.S r) ltac:(lia)) as (IS & low & _).
  destruct (E pi I) as [_ i]. destruct (E star IS) as [iv _].
  assert (iii : at_most_above R (times R elimination_factor C) (estimate (Datatypes.S r) pi) (estimate (Datatypes.S r) star)).
  { now apply (above_below R _ _ _ _ kept). }
  pose proof (above_trans R _ _ _ _ _ (above_trans R _ _ _ _ _ i iii) iv) as chain. fold C in chain.
  change (times R lemma6_factor C) with (times R (1 + (elimination_factor + 1)) C).
  rewrite !times_add. cbn [times]. rewrite plus_zero. exact chain.
Qed.

End Lemma6.

(** ** The factor is the best

    K = 2, m = 1, L = 1, h_0 = 0, h_1 = 4 (of D = 4), C_1 = 1: the estimates 1 of pi_star and 3 of the other policy keep both. *)

Definition four_apart (x _ : nat) : Z := if (x =? 0)%nat then 0 else 4.
Definition errors_towards (s : nat) (pi : list nat) : number integers := match pi with [0%nat] => 1 | _ => 3 end.

Theorem lemma6_attained :
  best_policy 2 1 four_apart 1 [0%nat] /\
  chosen_well integers 2 1 four_apart 1 errors_towards (fun _ => [0%nat]) (fun _ => 1) 1 /\
  event integers 2 1 four_apart 1 errors_towards (fun _ => [0%nat]) (fun _ => 1) 1 /\
  survivors integers 2 1 four_apart 1 errors_towards (fun _ => [0%nat]) (fun _ => 1) 2 [1%nat] /\
  period_loss 2 1 four_apart [1%nat] = period_loss 2 1 four_apart [0%nat] + Z.of_nat lemma6_factor * 1.
Proof.
  assert (P : forall a, (a < 2)%nat -> plays (tallying 2 1 four_apart) 1 [a]).
  { intros a H. split; [reflexivity | constructor; [exact H | constructor]]. }
  assert (V : forall pi, plays (tallying 2 1 four_apart) 1 pi -> pi = [0%nat] \/ pi = [1%nat]).
  { intros [|a [|c pi]] [Len W]; try discriminate. inversion W as [|? ? H _]; subst. simpl in H.
    assert (E : (a = 0 \/ a = 1)%nat) by lia. destruct E as [-> | ->]; auto. }
  assert (L0 : period_loss 2 1 four_apart [0%nat] = 0) by reflexivity.
  assert (L1 : period_loss 2 1 four_apart [1%nat] = 4) by reflexivity.
  split; [split; [apply P; lia | intros pi W; destruct (V pi W) as [-> | ->]; rewrite ?L0, ?L1; lia]|].
  split; [split; [apply P; lia | intros pi W; destruct (V pi W) as [-> | ->]; simpl; lia]|].
  split; [intros pi W; destruct (V pi W) as [-> | ->]; unfold within, at_most_above, mu; rewrite ?L0, ?L1; simpl; lia|].
  split; [split; [apply P; lia | unfold at_most_above; simpl; lia]|]. rewrite L0, L1. reflexivity.
Qed.

(** ** At s = 1 *)

(** h_0 = 0 and h_1 = 1, of denominator D. *)
Definition zero_and_one (D : Z) (x _ : nat) : Z := if (x =? 0)%nat then 0 else D.

Lemma constant_period D x L : (x < 2)%nat -> period_loss 2 1 (zero_and_one D) (repeat x L) = Z.of_nat L * zero_and_one D x 1.
Proof.
  intros X. unfold period_loss, N. rewrite <- total_by_counts; [|lia|].
  - generalize (rev (repeat x L)). induction L as [|L IH]; intros past; [reflexivity|]. cbn [repeat total].
    rewrite IH, loss_tallying by lia. unfold zero_and_one. lia.
  - apply Forall_forall. intros a I. apply repeat_spec in I as ->. exact X.
Qed.

(** The gap of always 1 is 1 (here L D), so that it is in A_1 and not within 4 C_0 of pi_star if 4 C_0 < 1. *)
Theorem lemma6_fails_at_1 R L D estimate chosen width star : (1 <= L)%nat -> 0 <= D ->
  best_policy 2 1 (zero_and_one D) L star ->
  ~ le R (of_Z R (Z.of_nat L * D)) (times R lemma6_factor (width 0%nat)) ->
  exists pi, survivors R 2 1 (zero_and_one D) L estimate chosen width 1 pi /\
    ~ at_most_above R (times R lemma6_factor (width 0%nat)) (mu R 2 1 (zero_and_one D) pi) (mu R 2 1 (zero_and_one D) star).
Proof.
  intros PL PD [PS best] small.
  assert (P : forall x, (x < 2)%nat -> plays (tallying 2 1 (zero_and_one D)) L (repeat x L)).
  { intros x X. split; [apply repeat_length|]. apply Forall_forall. intros a I. apply repeat_spec in I as ->. exact X. }
  exists (repeat 1%nat L). split; [apply P; lia|]. intros G. apply small. unfold at_most_above, mu in G.
  rewrite constant_period in G by lia. change (zero_and_one D 1 1) with D in G.
  apply (le_trans R _ _ _ G). pose proof (best _ (P 0%nat ltac:(lia))) as B. rewrite constant_period in B by lia.
  change (zero_and_one D 0 1) with 0 in B. rewrite Z.mul_0_r in B.
  rewrite <- (plus_zero R (times R lemma6_factor (width 0%nat))) at 2.
  rewrite (plus_comm R (times R lemma6_factor (width 0%nat))).
  apply plus_le; [now apply of_Z_le | apply le_refl].
Qed.
