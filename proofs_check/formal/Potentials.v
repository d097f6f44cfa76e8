(** * Potentials

    docs/certificates.md, rule "potential": if a function phi of the full histories satisfies

        q (loss(s, a) - v) + phi(successor(s, a)) - phi(s) >= 0

    for every full history s and every action a, then no policy has a long-run loss per step below v, from whatever
    start; in particular no word repeated for ever has a mean below v.  Any bandit whose loss depends on the window.
    Here v = p/r, and the inequality is multiplied by r. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories.
Import ListNotations.
Open Scope Z_scope.

Definition potentials_prove (b : bandit) (p q : Z) (phi : list nat -> Z) : Prop :=
  forall s a, full b s -> (a < actions b)%nat -> p <= q * loss b s a + phi (history b (a :: s)) - phi s.

(** Along a walk from a full history the potentials cancel but for the first and the last. *)
Lemma potentials_telescope b p q phi :
  potentials_prove b p q phi ->
  forall w s, full b s -> valid b w ->
    Z.of_nat (length w) * p <= q * total b s w + phi (history b (after s w)) - phi s.
Proof.
  intros H. induction w as [|a w IH]; intros s F V.
  - unfold after. simpl. rewrite history_full by assumption. lia.
  - inversion V as [|? ? A V']; subst. specialize (IH _ (full_next b s a F A) V').
    rewrite total_history, history_history_after, <- after_cons in IH. specialize (H s a F A).
    rewrite <- history_cons in H. cbn [length total] in *. rewrite history_cons in H. nia.
Qed.

Theorem potentials_sound b p q phi : 0 < q -> potentials_prove b p q phi -> long_run_at_least b p q.
Proof.
  intros Q H start VS.
  destruct (total_bounded_below b start (memory b - 1)) as (B & HB).
  destruct (words_bounded_below (actions b) (memory b - 1) (fun s => phi s)) as (low & Hlow).
  destruct (words_bounded_below (actions b) (memory b - 1) (fun s => - phi s)) as (high & Hhigh).
  exists (Z.of_nat (memory b) * Z.abs p - q * B - low - high + Z.abs low + Z.abs high). intros w V.
  set (w1 := firstn (memory b - 1) w). set (w2 := skipn (memory b - 1) w).
  assert (E : w = w1 ++ w2) by (symmetry; apply firstn_skipn).
  assert (L1 : (length w1 <= memory b - 1)%nat) by (unfold w1; rewrite firstn_length; lia).
  assert (V12 : valid b w1 /\ valid b w2) by (apply valid_app; now rewrite <- E). destruct V12 as [V1 V2].
  specialize (HB w1 L1 V1). rewrite E, app_length, total_app, Nat2Z.inj_add.
  assert (C1 : Z.of_nat (length w1) * p <= Z.of_nat (memory b) * Z.abs p) by nia.
  assert (Q1 : q * B <= q * total b start w1) by nia.
  destruct (Nat.le_gt_cases (memory b - 1) (length w)) as [LW|LW].
  - set (s := history b (after start w1)).
    assert (F : full b s).
    { apply full_history; [now apply valid_after |]. rewrite length_after. unfold w1. rewrite firstn_length. lia. }
    pose proof (potentials_telescope b p q phi H w2 s F V2) as T.
    unfold s in T at 1. rewrite total_history in T.
    assert (F2 : full b (history b (after s w2))).
    { apply full_history; [apply valid_after; [apply F | assumption] |]. rewrite length_after, (proj1 F). lia. }
    pose proof (Hlow s (proj1 F) (proj2 F)). pose proof (Hhigh _ (proj1 F2) (proj2 F2)). nia.
  - assert (N : w2 = []) by (unfold w2; apply skipn_all2; lia). rewrite N. simpl. nia.
Qed.

(** A common factor of p and q does not matter. *)
Lemma long_run_factor b c p q : 0 < c -> long_run_at_least b (c * p) (c * q) -> long_run_at_least b p q.
Proof.
  intros HC H start V. destruct (H start V) as (C & HH). exists (Z.abs C). intros w VW. specialize (HH w VW).
  set (x := Z.of_nat (length w) * p - q * total b start w).
  assert (c * x <= C) by (unfold x; lia). assert (x <= Z.abs C) by nia. unfold x in *. lia.
Qed.

(** ** Potentials of whole windows

    The same with a function Phi of full windows (m actions instead of m-1): it is enough that no step raises Phi by
    more than q loss - p.  A bandit with memory m is one with memory m+1 that ignores the oldest action. *)

Definition longer (b : bandit) : bandit := Bandit (actions b) (S (memory b)) (fun w => cost b (firstn (memory b) w)).

Lemma loss_longer b past a : loss (longer b) past a = loss b past a.
Proof. unfold loss, window. cbn [longer cost memory]. rewrite firstn_firstn. now rewrite Nat.min_l by lia. Qed.

Lemma total_longer b past w : total (longer b) past w = total b past w.
Proof. revert past. induction w as [|a w IH]; intros past; [reflexivity|]. cbn [total]. now rewrite loss_longer, IH.
  Qed.

Definition rises_at_most (b : bandit) (p q : Z) (Phi : list nat -> Z) : Prop :=
  forall h d a, length h = (memory b - 1)%nat -> valid b h -> (d < actions b)%nat -> (a < actions b)%nat ->
    Phi (a :: h) - Phi (h ++ [d]) <= q * cost b (a :: h) - p.

Lemma window_potentials_prove b p q Phi :
  (0 < memory b)%nat -> rises_at_most b p q Phi -> potentials_prove (longer b) p q (fun w => - Phi w).
Proof.
  intros M H s a [L V] A. rewrite loss_longer. cbn [longer actions memory] in L, A. change (valid b s) in V.
  destruct (exists_last (l := s)) as (h & d & ->); [intros ->; simpl in L; lia|].
  rewrite app_length in L. simpl in L. apply valid_app in V. destruct V as [V Vd]. inversion Vd as [|? ? D _]; subst.
  specialize (H h d a ltac:(lia) V D A).
  assert (E : window (memory b) (h ++ [d]) a = a :: h).
  { unfold window. destruct (memory b) as [|m]; [lia|]. simpl. f_equal. rewrite firstn_app, firstn_all2 by lia.
    replace (m - length h)%nat with 0%nat by lia. apply app_nil_r. }
  unfold loss. rewrite E. unfold history. cbn [longer memory]. replace (S (memory b) - 1)%nat with (memory b) by lia.
  unfold window in E. rewrite E. lia.
Qed.

Theorem window_potentials b p q Phi :
  (0 < memory b)%nat -> 0 < q -> rises_at_most b p q Phi -> long_run_at_least b p q.
Proof.
  intros M Q H. pose proof (potentials_sound (longer b) p q _ Q (window_potentials_prove b p q Phi M H)) as P.
  intros start V. destruct (P start V) as (C & HC). exists C. intros w W. rewrite <- total_longer. now apply HC.
Qed.

(** Along a game from a full window: the last Phi minus the first. *)
Theorem window_potentials_game b p q Phi s w :
  (0 < memory b)%nat -> rises_at_most b p q Phi -> length s = memory b -> valid b s -> valid b w ->
  Z.of_nat (length w) * p + Phi (firstn (memory b) (after s w)) - Phi s <= q * total b s w.
Proof.
  intros M H L V W. assert (F : full (longer b) s) by (split; [cbn [longer memory]; lia | exact V]).
  pose proof (potentials_telescope (longer b) p q _ (window_potentials_prove b p q Phi M H) w s F W) as T.
  rewrite total_longer in T. unfold history in T. cbn [longer memory] in T.
  replace (S (memory b) - 1)%nat with (memory b) in T by lia. lia.
Qed.
