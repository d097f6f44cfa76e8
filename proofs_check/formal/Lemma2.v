(** * Lemma 2: the counts N_xy of a cyclic policy are well defined

    Paper, lem:N_welldef (line 376; proof at line 621).  Play any past, then a sqrt(T)-cyclic policy for n+1 periods,
    n >= 1, and count in the last period how often x is played at tally y.  If m <= sqrt(T), the count depends neither on n
    nor on the past.

    Here L = sqrt(T), a cyclic policy is its period pi, a word of length L.  The lemma holds for m <= L + 1, and for no
    larger m: at m >= L + 2 the constant policy has other counts after a past, and for another n.  With it, mu(pi) is
    well defined: L mu(pi) is what any period of pi but the first loses, whatever was played before. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1.
Import ListNotations.
Open Scope Z_scope.

(** The largest m for which the lemma is stated, and for which it holds. *)
Definition lemma2_stated (L : nat) : nat := L.
Definition lemma2_exact (L : nat) : nat := (L + 1)%nat.

(** The count in period n+1 of pi, after [past]: the paper's sqrt(T) N_xy(pi), before it is known to be well defined. *)
Definition period_count (m x y : nat) (pi : list nat) (n : nat) (past : list nat) : nat :=
  count m x y (after past (repeated n pi)) pi.

Definition well_defined (m L : nat) : Prop := forall pi x y n n' past past', length pi = L ->
  (1 <= n)%nat -> (1 <= n')%nat -> period_count m x y pi n past = period_count m x y pi n' past'.

(** A window of period n+1 reaches back to period n at most, so a later period always starts in the same history. *)
Lemma same_history_in_later_periods b pi n past : (memory b - 1 <= length pi)%nat -> (1 <= n)%nat ->
  history b (after past (repeated n pi)) = history b (rev pi).
Proof.
  intros L N. destruct n as [|n]; [lia|].
  rewrite repeated_S', after_app. now apply history_after.
Qed.

Theorem lemma2 m L : (0 < m)%nat -> (m <= lemma2_exact L)%nat -> well_defined m L.
Proof.
  unfold lemma2_exact. intros M D pi x y n n' past past' LEN N N'. apply Nat2Z.inj. unfold period_count.
  rewrite !(count_total (S (list_max pi))) by assumption. apply same_history_same_future.
  rewrite !same_history_in_later_periods by (simpl; lia). reflexivity.
Qed.

Corollary lemma2_as_stated m L : (0 < m)%nat -> (m <= lemma2_stated L)%nat -> well_defined m L.
Proof. intros M D. apply lemma2; [exact M | unfold lemma2_exact, lemma2_stated in *; lia]. Qed.

(** ** No larger m will do *)

Lemma repeated_single (x n : nat) L : repeated n (repeat x L) = repeat x (n * L).
Proof. induction n as [|n IH]; [reflexivity|]. rewrite repeated_S, IH, <- repeat_app. reflexivity. Qed.

Lemma rev_repeat (x k : nat) : rev (repeat x k) = repeat x k.
Proof. induction k as [|k IH]; [reflexivity|]. simpl. now rewrite IH, <- repeat_cons. Qed.

(** A constant word after its own action, played [before] times: the tallies are before+1, before+2, ..., at most m. *)
Lemma count_constant_beyond m y before k : (y < Nat.min m (before + 1))%nat ->
  count m 0 y (repeat 0%nat before) (repeat 0%nat k) = 0%nat.
Proof.
  revert before. induction k as [|k IH]; intros before B; [reflexivity|]. simpl.
  change (0%nat :: repeat 0%nat before) with (repeat 0%nat (S before)). rewrite IH by lia.
  unfold hits, window. change (0%nat :: repeat 0%nat before) with (repeat 0%nat (S before)).
  destruct (Nat.le_gt_cases m (S before)).
  - rewrite firstn_repeat, tally_repeat by assumption. rewrite Nat.eqb_refl. cbn [andb]. destruct (Nat.eqb_spec m y); lia.
  - rewrite firstn_all2, tally_repeat by (rewrite repeat_length; lia). rewrite Nat.eqb_refl. cbn [andb].
    destruct (Nat.eqb_spec (S before) y); lia.
Qed.

Lemma count_constant_first m before k : (S before <= m)%nat -> (0 < k)%nat ->
  (1 <= count m 0 (S before) (repeat 0%nat before) (repeat 0%nat k))%nat.
Proof.
  intros M K. destruct k as [|k]; [lia|]. simpl. unfold hits, window.
  change (0%nat :: repeat 0%nat before) with (repeat 0%nat (S before)).
  rewrite firstn_all2, tally_repeat by (rewrite repeat_length; lia). rewrite !Nat.eqb_refl. simpl. lia.
Qed.

(** For every m >= L + 2: the constant policy meets the tally L + 1 in its second period, and never after one more play
    of the same action, nor in its third period. *)
Theorem lemma2_past_matters m L : (1 <= L)%nat -> (lemma2_exact L < m)%nat ->
  period_count m 0 (L + 1) (repeat 0%nat L) 1 [] <> period_count m 0 (L + 1) (repeat 0%nat L) 1 [0%nat].
Proof.
  unfold lemma2_exact, period_count, after. intros P M. rewrite !repeated_single, !rev_repeat, app_nil_r.
  rewrite <- repeat_cons. change (0%nat :: repeat 0%nat (1 * L)) with (repeat 0%nat (S (1 * L))).
  rewrite Nat.mul_1_l, (count_constant_beyond m (L + 1) (S L)) by lia.
  pose proof (count_constant_first m L L ltac:(lia) P). replace (L + 1)%nat with (S L) by lia. lia.
Qed.

Corollary lemma2_exact_domain m L : (0 < m)%nat -> (1 <= L)%nat -> (well_defined m L <-> (m <= lemma2_exact L)%nat).
Proof.
  intros M P. split; [|now apply lemma2]. intros W. destruct (Nat.le_gt_cases m (lemma2_exact L)) as [|G]; [assumption|].
  exfalso. apply (lemma2_past_matters m L P G). apply W; [apply repeat_length | lia | lia].
Qed.

(** ** mu *)

(** sqrt(T) N_xy(pi), with n = 1 and no past. *)
Definition N (m : nat) (pi : list nat) (x y : nat) : nat := count m x y (rev pi) pi.

(** sqrt(T) mu(pi) = sum of sqrt(T) N_xy(pi) h_x(y), times the denominator. *)
Definition period_loss (K m : nat) (h : nat -> nat -> Z) (pi : list nat) : Z :=
  sum (fun x => sum (fun y => Z.of_nat (N m pi x y) * h x y) 1 m) 0 K.

(** Whatever was played before, every period but the first loses sqrt(T) mu(pi). *)
Theorem later_periods_lose_mu K m h pi n past : (0 < m)%nat -> (m <= lemma2_exact (length pi))%nat ->
  valid (tallying K m h) pi -> (1 <= n)%nat ->
  total (tallying K m h) (after past (repeated n pi)) pi = period_loss K m h pi.
Proof.
  unfold lemma2_exact. intros M D V P. unfold period_loss, N. rewrite <- total_by_counts by assumption.
  apply same_history_same_future, same_history_in_later_periods; [simpl; lia | exact P].
Qed.
