(** * Lemma 5: what an epoch costs

    Paper, lem:loss_each_s (line 424; proof at line 480): for s = 2, ..., S, on the event,
    l^s - T_s mu(pi_star) <= Km (sqrt(T) + 8 n_s sqrt(T) C_{s-1}).

    Epoch s executes Km policies of A_s one after the other, each for 2 n_s periods (T_s steps in all).  Here L = sqrt(T),
    losses are integers of denominator D, widths are multiplied by L D (see [Elimination.v]), so that the bound, times D,
    is Km (L D + 8 n_s C_{s-1}).  Sharper: only the first m-1 steps of an execution can cost more than in the steady
    state, Km ((m-1) D + 8 n_s C_{s-1}). *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Elimination TallyPlan.Lemma8 TallyPlan.Lemma6.
Import ListNotations.
Open Scope Z_scope.

(** The start of an execution costs so many steps; an execution of 2n periods so many widths. *)
Definition lemma5_start_sharp (m L : nat) : Z := Z.of_nat m - 1.
Definition lemma5_widths (n : nat) : nat := (8 * n)%nat.

(** What an epoch plays: each policy for 2n periods. *)
Definition epoch (n : nat) (policies : list (list nat)) : list nat := flat_map (repeated (2 * n)) policies.

Lemma times_above R k c a b : at_most_above R c (of_Z R a) (of_Z R b) ->
  at_most_above R (times R k c) (of_Z R (Z.of_nat k * a)) (of_Z R (Z.of_nat k * b)).
Proof.
  unfold at_most_above. intros H. induction k as [|k IH]; [simpl; rewrite plus_zero; apply le_refl|].
  replace (Z.of_nat (S k) * a) with (a + Z.of_nat k * a) by lia. replace (Z.of_nat (S k) * b) with (b + Z.of_nat k * b) by lia.
  rewrite !of_Z_plus. simpl. apply (le_trans R _ _ _ (plus_le R _ _ _ _ H IH)).
  rewrite <- !(plus_assoc R (of_Z R b)), (plus_assoc R c), (plus_comm R c), <- (plus_assoc R _ c (times R k c)). apply le_refl.
Qed.

Lemma times_times R k n c : times R k (times R n c) = times R (k * n) c.
Proof. induction k as [|k IH]; [reflexivity|]. simpl. now rewrite IH, times_add. Qed.

(** One execution of a policy that is within 4 C of the best. *)
Lemma one_execution R K m h D L n star pi past C : (0 < m)%nat -> 0 <= D -> table_within K m h D -> (m <= lemma2_exact L)%nat ->
  plays (tallying K m h) L pi -> at_most_above R (times R lemma6_factor C) (mu R K m h pi) (mu R K m h star) ->
  at_most_above R (times R (lemma5_widths n) C) (of_Z R (total (tallying K m h) past (repeated (2 * n) pi)))
    (of_Z R (Z.of_nat (2 * n) * period_loss K m h star + lemma5_start_sharp m L * D)).
Proof.
  intros M P H X [LP V] near. unfold lemma5_start_sharp, lemma5_widths.
  pose proof (execution K m h D pi past (2 * n) M P H ltac:(now rewrite LP) V) as E.
  apply (of_Z_le R) in E. eapply below_above; [exact E|]. apply (times_above R (2 * n)) in near.
  rewrite times_times in near. replace (2 * n * lemma6_factor)%nat with (8 * n)%nat in near by (unfold lemma6_factor; lia).
  unfold at_most_above in *. rewrite !of_Z_plus, <- plus_assoc, (plus_comm R (of_Z R ((Z.of_nat m - 1) * D))), plus_assoc.
  apply plus_le; [exact near | apply le_refl].
Qed.

(** All executions of an epoch. *)
Theorem epoch_costs R K m h D L n star policies C : (0 < m)%nat -> 0 <= D -> table_within K m h D -> (m <= lemma2_exact L)%nat ->
  Forall (fun pi => plays (tallying K m h) L pi /\
                    at_most_above R (times R lemma6_factor C) (mu R K m h pi) (mu R K m h star)) policies ->
  forall past, at_most_above R (times R (length policies * lemma5_widths n) C)
    (of_Z R (total (tallying K m h) past (epoch n policies)))
    (of_Z R (Z.of_nat (length policies) * (Z.of_nat (2 * n) * period_loss K m h star + lemma5_start_sharp m L * D))).
Proof.
  intros M P H X. induction 1 as [|pi policies [PP near] _ IH]; intros past.
  - unfold at_most_above. simpl. rewrite plus_zero. apply le_refl.
  - change (epoch n (pi :: policies)) with (repeated (2 * n) pi ++ epoch n policies). rewrite total_app, of_Z_plus.
    pose proof (one_execution R K m h D L n star pi past C M P H X PP near) as E.
    specialize (IH (after past (repeated (2 * n) pi))). cbn [length].
    set (one := Z.of_nat (2 * n) * period_loss K m h star + lemma5_start_sharp m L * D) in *.
    replace (Z.of_nat (S (length policies)) * one) with (one + Z.of_nat (length policies) * one) by lia.
    change (S (length policies) * lemma5_widths n)%nat with (lemma5_widths n + length policies * lemma5_widths n)%nat.
    rewrite of_Z_plus, times_add. unfold at_most_above in *. set (c1 := times R (lemma5_widths n) C) in *.
    set (c2 := times R (length policies * lemma5_widths n) C) in *. set (o := of_Z R one) in *.
    set (p := of_Z R (Z.of_nat (length policies) * one)) in *.
    rewrite <- (plus_assoc R o p), (plus_assoc R p c1), (plus_comm R p c1), <- (plus_assoc R c1 p), (plus_assoc R o c1).
    now apply plus_le.
Qed.

Section Lemma5.

Variable R : numbers.
Variables (K m : nat) (h : nat -> nat -> Z) (D : Z) (L : nat).
Variable estimate : nat -> list nat -> number R.
Variable chosen : nat -> list nat.
Variable width : nat -> number R.

(** Lemma 5 on the events B_1, ..., B_S, with m-1 for sqrt(T): the epoch s loses at most T_s mu(pi_star), and Km (m-1), and
    8 n Km widths C_{s-1} more, whatever was played before. *)
Theorem lemma5 star S : (0 < m)%nat -> 0 <= D -> table_within K m h D -> (m <= lemma2_exact L)%nat ->
  best_policy K m h L star ->
  (forall s, (1 <= s <= S)%nat ->
     chosen_well R K m h L estimate chosen width s /\ event R K m h L estimate chosen width s) ->
  forall s n policies past, (2 <= s <= S)%nat -> length policies = (K * m)%nat ->
    Forall (survivors R K m h L estimate chosen width s) policies ->
    at_most_above R (times R (K * m * lemma5_widths n) (width (s - 1)%nat))
      (of_Z R (total (tallying K m h) past (epoch n policies)))
      (of_Z R (Z.of_nat (K * m) * (Z.of_nat (2 * n) * period_loss K m h star + lemma5_start_sharp m L * D))).
Proof.
  intros M P H X best run s n policies past HS <- F. apply epoch_costs; try assumption.
  revert F. apply Forall_impl. intros pi I. split.
  - now apply (survivors_are_policies R K m h L estimate chosen width s).
  - apply (lemma6_chain R K m h L estimate chosen width star S best run s pi); [lia | exact I].
Qed.

End Lemma5.

(** m-1 is the best: the needle, always played from the empty history, costs (m-1) D more than in its steady state. *)
Theorem lemma5_start_attained K m D L n : (0 < K)%nat -> (0 < m)%nat -> (1 <= L)%nat -> (1 <= n)%nat ->
  (m <= lemma2_exact L)%nat ->
  total (tallying K m (needle 0 m D)) [] (repeated (2 * n) (repeat 0%nat L))
  - Z.of_nat (2 * n) * period_loss K m (needle 0 m D) (repeat 0%nat L) = lemma5_start_sharp m L * D.
Proof.
  unfold lemma2_exact, lemma5_start_sharp. intros HK M PL PN X.
  assert (V : valid (tallying K m (needle 0 m D)) (repeat 0%nat L)).
  { apply Forall_forall. intros a I. apply repeat_spec in I as ->. exact HK. }
  unfold period_loss, N. rewrite <- total_by_counts, rev_repeat, needle_always; auto; [|apply firstn_repeat; lia].
  rewrite repeated_single. replace (2 * n * L)%nat with (m - 1 + (2 * n * L - (m - 1)))%nat by nia.
  rewrite repeat_app, total_app, needle_start, repeat_length by (try exact M; rewrite repeat_length; simpl; lia).
  rewrite needle_always; [rewrite Nat2Z.inj_sub by lia; lia | exact M |].
  unfold after. rewrite rev_repeat, app_nil_r. now apply firstn_repeat.
Qed.
