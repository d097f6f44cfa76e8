(** * Finite horizons from a mean

    docs/certificates.md, rule "close": let no word repeated for ever have a mean below w, and let
    h_max be the largest loss.  Once the window is full, N further steps lose at least N w - (m-1)(h_max - w): they form a
    closed walk together with m-1 steps that play the last m-1 actions once more.  With the least opening O of the d
    steps that fill the window, every game of T > d steps loses at least O + (T-d) w - (m-1)(h_max - w). *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.LeastLoss TallyPlan.Opening.
Import ListNotations.
Open Scope Z_scope.

(** A closed walk is a word repeated for ever. *)
Lemma closed_cycle_loss b s u :
  u <> [] -> full b s -> history b (after s u) = s -> total b s u = cycle_loss b u.
Proof.
  intros N F E. rewrite <- (cycle_loss_steady b s (memory b) u); [|destruct u; [congruence | simpl; nia] | exact N].
  apply same_history_same_future. rewrite history_full by exact F.
  induction (memory b) as [|n IH]; [change (after s (repeated 0 u)) with s; now rewrite history_full|].
  rewrite repeated_S', after_app, <- history_history_after, <- IH. now symmetry.
Qed.

Lemma total_at_most b c w past :
  (forall past a, (a < actions b)%nat -> loss b past a <= c) -> valid b w -> total b past w <= Z.of_nat (length w) * c.
Proof.
  intros H V. revert past. induction V as [|a w A V IH]; intros past; [simpl; lia|].
  specialize (IH (a :: past)). specialize (H past a A). cbn [total length]. nia.
Qed.

Theorem closed_bound b p q hmax s w :
  words_at_least b p q -> 0 < q -> (forall past a, (a < actions b)%nat -> loss b past a <= hmax) ->
  full b s -> valid b w -> w <> [] ->
  Z.of_nat (length w) * p - Z.of_nat (memory b - 1) * (q * hmax - p) <= q * total b s w.
Proof.
  intros W Q H F V N. set (u := w ++ rev s).
  assert (NU : u <> []) by (unfold u; now destruct w).
  assert (VU : valid b u) by (apply valid_app; split; [assumption | apply valid_rev, F]).
  assert (E : history b (after s u) = s).
  { unfold u. rewrite after_app, history_after by (rewrite rev_length, (proj1 F); lia). rewrite rev_involutive.
    now apply history_full. }
  specialize (W u NU VU). rewrite <- (closed_cycle_loss b s u NU F E) in W. unfold u in W.
  rewrite total_app, app_length, rev_length, (proj1 F) in W.
  pose proof (total_at_most b hmax (rev s) (after s w) H (valid_rev b s (proj2 F))) as U.
  rewrite rev_length, (proj1 F) in U.
  rewrite Nat2Z.inj_add in W. set (t := total b s w) in *. nia.
Qed.

(** The whole game: the opening of d steps, and the rest. *)
Theorem mean_bound_game K m rows p q hmin hmax past w d :
  let b := tallying K m (entry rows) in
  (0 < K)%nat -> (0 < m)%nat -> 0 < q -> words_at_least b p q ->
  (forall x y, (x < K)%nat -> (1 <= y <= m)%nat -> hmin <= entry rows x y <= hmax) ->
  valid b past -> valid b w -> (length past + d = m)%nat -> (d < length w)%nat ->
  let n := Z.of_nat (length w) - Z.of_nat d in
  q * least_opening rows past K d + Z.max (q * (n * hmin)) (n * p - Z.of_nat (m - 1) * (q * hmax - p)) <= q * total b past w.
Proof.
  intros b HK HM Q W R VP VW D T n.
  set (w1 := firstn d w). set (w2 := skipn d w).
  assert (E : w = w1 ++ w2) by (symmetry; apply firstn_skipn).
  assert (L1 : length w1 = d) by (unfold w1; rewrite firstn_length; lia).
  assert (L2 : Z.of_nat (length w2) = n) by (unfold w2, n; rewrite skipn_length; lia).
  rewrite E in VW. apply valid_app in VW. destruct VW as [V1 V2].
  pose proof (least_opening_bound K m rows past w1 HK ltac:(lia) V1) as O. rewrite L1 in O. fold b in O.
  assert (losses : forall past a, (a < actions b)%nat -> hmin <= loss b past a <= hmax).
  { intros past' a A. unfold b. rewrite loss_tallying by assumption. apply R; [exact A | now apply tally_bounds]. }
  rewrite E, total_app.
  assert (F : full b (history b (after past w1))).
  { apply full_history; [now apply valid_after |]. rewrite length_after. cbn [b tallying memory]. lia. }
  assert (N2 : w2 <> []) by (intros C; rewrite C in L2; simpl in L2; lia).
  pose proof (closed_bound b p q hmax _ w2 W Q (fun past a A => proj2 (losses past a A)) F V2 N2) as B.
  rewrite total_history, L2 in B. cbn [b tallying memory] in B.
  assert (low : forall past a, (a < actions b)%nat -> hmin <= 1 * loss b past a)
    by (intros past' a A; rewrite Z.mul_1_l; apply (losses past' a A)).
  pose proof (steps_at_least b hmin 1 low w2 (after past w1) V2) as S.
  rewrite L2, Z.mul_1_l in S. fold b in B. set (t1 := total b past w1) in *.
  set (t2 := total b (after past w1) w2) in *.
  apply Z.le_trans with (q * t1 + q * t2); [|lia].
  apply Z.add_le_mono; [nia|]. apply Z.max_lub; [nia | exact B].
Qed.
