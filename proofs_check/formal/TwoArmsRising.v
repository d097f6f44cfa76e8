(** * Two arms: where words shorter than the memory do not pay

    Not in the paper (claim two-arm-theorem/rising-slopes).  Two actions, any memory m.  A_s = h_1(s) and B_s = h_0(m-s) are
    the losses when the window holds s ones.  Suppose that the constant words and all words 0^i 1^j with i, j < m and
    i + j >= m have a mean of at least v, and that

        k (A_l - v) + (m-l)(B_k - v) >= 0   for 1 <= k < l <= m-1.

    Then slopes as in [TwoArms.v] exist, so that no policy has a long-run loss per step below v = p/q.

    The slopes: W_k = min(k a_k, a_k + b_{k-1} + W_{k-1}), a and b the losses minus v; W_k + (m-k) b_k is the least excess of the
    words 0^{m-l} 1^k, l <= k; theta_k = W_k / (k(m-k)), and the slope t_k is the least theta_l with l >= k.  A common
    multiple F of the denominators k(m-k) makes everything an integer. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Potentials TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2
  TallyPlan.Proposition1Upper TallyPlan.TwoArms.
Import ListNotations.
Open Scope Z_scope.

(** ** What 0^i 1^j loses *)

Definition two_runs (i j : nat) : list nat := repeat 0%nat i ++ repeat 1%nat j.

(** The r-th play of a run of x, after j plays of y and, before these, as many of x as the window holds. *)
Lemma tally_in_run x y m r j k past : x <> y -> (r < m)%nat -> (m <= S r + j + k)%nat ->
  tally x (window m (repeat x r ++ repeat y j ++ repeat x k ++ past) x) = Nat.max (S r) (m - j).
Proof.
  intros N R L. unfold window. change (x :: repeat x r ++ repeat y j ++ repeat x k ++ past)
    with (repeat x (S r) ++ repeat y j ++ repeat x k ++ past).
  rewrite firstn_app, (firstn_all2 (repeat x (S r))), repeat_length by (rewrite repeat_length; lia).
  rewrite firstn_app, repeat_length, !tally_app, tally_repeat.
  assert (Y : forall n, tally x (firstn n (repeat y j)) = 0%nat).
  { intros n. apply tally_firstn_0. unfold tally. now apply count_occ_repeat_neq. }
  rewrite Y, firstn_app, repeat_length.
  replace (m - S r - j - k)%nat with 0%nat by lia. cbn [firstn]. rewrite app_nil_r, firstn_repeat, tally_repeat by lia. lia.
Qed.

Lemma run_loses x y m h j k n : x <> y -> (0 < m)%nat -> forall r past, (r + n <= m)%nat -> (m <= S r + j + k)%nat ->
  total (tallying 2 m h) (repeat x r ++ repeat y j ++ repeat x k ++ past) (repeat x n)
  = sum (fun s => h x (Nat.max s (m - j))) (S r) n.
Proof.
  intros N M. induction n as [|n IH]; intros r past R L; [reflexivity|]. cbn [repeat total sum].
  rewrite loss_tallying, tally_in_run by (assumption || lia). f_equal. apply (IH (S r) past); lia.
Qed.

Lemma two_runs_loss m h i j : (0 < m)%nat -> (i <= m)%nat -> (j <= m)%nat -> (m <= i + j + 1)%nat -> (0 < i + j)%nat ->
  cycle_loss (tallying 2 m h) (two_runs i j)
  = sum (fun s => h 0%nat (Nat.max s (m - j))) 1 i + sum (fun s => h 1%nat (Nat.max s (m - i))) 1 j.
Proof.
  intros M I J L P. unfold cycle_loss. cbn [memory tallying]. destruct m as [|m']; [lia|]. set (m := S m') in *.
  assert (E : rev (repeated m (two_runs i j))
              = repeat 1%nat j ++ repeat 0%nat i ++ rev (repeated m' (two_runs i j))).
  { unfold m. rewrite repeated_S', rev_app_distr. unfold two_runs at 1. rewrite rev_app_distr, !rev_repeat.
    now rewrite <- app_assoc. }
  rewrite E. unfold two_runs. rewrite total_app. f_equal.
  - exact (run_loses 0 1 m h j i i ltac:(lia) M 0 _ ltac:(lia) ltac:(lia)).
  - unfold after. rewrite rev_repeat. exact (run_loses 1 0 m h i j j ltac:(lia) M 0 _ ltac:(lia) ltac:(lia)).
Qed.

Lemma constant_loss m h x : (0 < m)%nat -> cycle_loss (tallying 2 m h) [x] = h x m.
Proof.
  intros M. unfold cycle_loss. cbn [memory tallying total]. rewrite loss_tallying by assumption.
  change [x] with (repeat x 1). rewrite repeated_single, rev_repeat, Nat.mul_1_r. unfold window.
  change (x :: repeat x m) with (repeat x (S m)). rewrite firstn_repeat, tally_repeat by lia. lia.
Qed.

(** ** The slopes *)

Section Rising.
Variables (m : nat) (h : nat -> nat -> Z) (p q : Z).
Hypothesis some_memory : (0 < m)%nat.

Let a (k : nat) : Z := excess_one h p q k.
Let b (k : nat) : Z := excess_zero m h p q k.
Let M := Z.of_nat m.

(** v = p/q is at most the mean of the constant words and of all words 0^i 1^j with i, j < m and i + j >= m. *)
Definition below_long_words : Prop :=
  p <= q * cycle_loss (tallying 2 m h) [0%nat] /\ p <= q * cycle_loss (tallying 2 m h) [1%nat] /\
  forall i j, (i <= m - 1)%nat -> (j <= m - 1)%nat -> (m <= i + j)%nat ->
    Z.of_nat (i + j) * p <= q * cycle_loss (tallying 2 m h) (two_runs i j).

Definition short_words_do_not_pay : Prop :=
  forall k l, (1 <= k)%nat -> (k < l <= m - 1)%nat -> 0 <= Z.of_nat k * a l + (M - Z.of_nat l) * b k.

(** The least excess of 0^{m-l} 1^k over l <= k, but for its last (m-k) b_k. *)
Fixpoint W (k : nat) : Z :=
  match k with
  | O => 0
  | S O => a 1
  | S j => Z.min (Z.of_nat k * a k) (a k + b j + W j)
  end.

Lemma W_step k : (1 <= k)%nat -> W (S k) = Z.min (Z.of_nat (S k) * a (S k)) (a (S k) + b k + W k).
Proof. destruct k; [lia | reflexivity]. Qed.

Lemma W_le k : (1 <= k)%nat -> W k <= Z.of_nat k * a k.
Proof. destruct k as [|[|k]]; [lia | cbn [W]; lia |]. rewrite W_step by lia. lia. Qed.

(** W is the least of l a_l + sum of a_j + b_{j-1} for l < j <= k. *)
Lemma W_attained k : (1 <= k)%nat -> exists l, (1 <= l <= k)%nat /\
  W k = Z.of_nat l * a l + sum (fun j => a (S j) + b j) l (k - l).
Proof.
  induction k as [|k IH]; [lia|]. intros _. destruct (Nat.eq_dec k 0) as [->|K].
  - exists 1%nat. split; [lia|]. cbn [W sum Nat.sub]. lia.
  - rewrite W_step by lia. destruct (Z.min_dec (Z.of_nat (S k) * a (S k)) (a (S k) + b k + W k)) as [-> | ->].
    + exists (S k). split; [lia|]. rewrite Nat.sub_diag. cbn [sum]. lia.
    + destruct (IH ltac:(lia)) as (l & L & E). exists l. split; [lia|]. replace (S k - l)%nat with (S (k - l)) by lia.
      rewrite sum_S. replace (l + (k - l))%nat with k by lia. lia.
Qed.

(** The excess of 0^{m-l} 1^k over v. *)
Lemma word_excess l k : (1 <= l <= k)%nat -> (k <= m - 1)%nat ->
  q * cycle_loss (tallying 2 m h) (two_runs (m - l) k) - Z.of_nat (m - l + k) * p
  = Z.of_nat l * a l + sum (fun j => a (S j) + b j) l (k - l) + (M - Z.of_nat k) * b k.
Proof.
  intros L K. rewrite two_runs_loss by lia. replace (m - (m - l))%nat with l by lia.
  assert (E0 : q * sum (fun s => h 0%nat (Nat.max s (m - k))) 1 (m - l) - Z.of_nat (m - l) * p
               = sum b l (k - l) + (M - Z.of_nat k) * b k).
  { rewrite <- sum_scale. replace (Z.of_nat (m - l) * p) with (sum (fun _ => p) 1 (m - l)) by apply sum_const.
    replace (m - l)%nat with ((m - k) + (k - l))%nat by lia. rewrite !sum_app.
    rewrite (sum_ext _ (fun _ => q * h 0%nat (m - k)%nat) 1 (m - k)) by (intros i I;
      now replace (Nat.max i (m - k)) with (m - k)%nat by lia).
    assert (R : forall n, (l + n <= k)%nat -> sum (fun s => q * h 0%nat (Nat.max s (m - k))) (1 + (m - k)) n - sum (fun _
        => p) (1 + (m - k)) n
                                             = sum b (k - n) n).
    { clear L. induction n as [|n IH]; intros N; [reflexivity|]. specialize (IH ltac:(lia)).
      rewrite (sum_S (fun s => q * h 0%nat (Nat.max s (m - k)))), (sum_S (fun _ => p)).
      cbn [sum]. replace (S (k - S n)) with (k - n)%nat by lia. rewrite <- IH. unfold b at 1, excess_zero.
      replace (m - (k - S n))%nat with (Nat.max (1 + (m - k) + n) (m - k)) by lia. lia. }
    specialize (R (k - l)%nat ltac:(lia)). replace (k - (k - l))%nat with l in R by lia.
    rewrite !sum_const in *. unfold b at 2, excess_zero, M. nia. }
  assert (E1 : q * sum (fun s => h 1%nat (Nat.max s l)) 1 k - Z.of_nat k * p
    = Z.of_nat l * a l + sum (fun j => a (S j)) l (k - l)).
  { rewrite <- sum_scale. replace (Z.of_nat k * p) with (sum (fun _ => p) 1 k) by apply sum_const.
    replace k with (l + (k - l))%nat at 1 2 by lia. rewrite !sum_app.
    rewrite (sum_ext _ (fun _ => q * h 1%nat l) 1 l) by (intros i I; now replace (Nat.max i l) with l by lia).
    rewrite (sum_ext (fun j => a (S j)) (fun j => q * h 1%nat (Nat.max (S j) l) + -1 * p) l (k - l))
      by (intros j J; unfold a, excess_one; replace (Nat.max (S j) l) with (S j) by lia; lia).
    rewrite sum_add, sum_scale, !sum_const.
    assert (SH : forall f n s, sum (fun j => f (S j)) s n = sum f (1 + s) n).
    { clear. intros f n. induction n as [|n IH]; intros s; [reflexivity|]. cbn [sum]. now rewrite IH. }
    rewrite (SH (fun s => q * h 1%nat (Nat.max s l))). unfold a, excess_one. nia. }
  rewrite sum_add, Nat2Z.inj_add. lia.
Qed.

(** theta_k >= q_k: the words 0^{m-l} 1^k lose at least v. *)
Lemma W_from_words k : below_long_words -> (1 <= k <= m - 1)%nat -> 0 <= W k + (M - Z.of_nat k) * b k.
Proof.
  intros (_ & _ & B) K. destruct (W_attained k ltac:(lia)) as (l & L & E). rewrite E.
  pose proof (word_excess l k L ltac:(lia)) as X. specialize (B (m - l)%nat k ltac:(lia) ltac:(lia) ltac:(lia)). lia.
Qed.

(** A common multiple of all k(m-k). *)
Fixpoint multiple (n : nat) : Z := match n with O => 1 | S k => Z.of_nat n * (M - Z.of_nat n) * multiple k end.
Let F := multiple (m - 1).

Lemma multiple_pos n : (n <= m - 1)%nat -> 0 < multiple n.
Proof. induction n as [|n IH]; intros H; [reflexivity|]. cbn [multiple]. specialize (IH ltac:(lia)). unfold M. nia. Qed.

Lemma multiple_divides n k : (1 <= k <= n)%nat -> (n <= m - 1)%nat -> (Z.of_nat k * (M - Z.of_nat k) | multiple n).
Proof.
  induction n as [|n IH]; intros K N; [lia|]. cbn [multiple]. destruct (Nat.eq_dec k (S n)) as [->|].
  - apply Z.divide_factor_l.
  - apply Z.divide_mul_r, IH; lia.
Qed.

Definition theta (k : nat) : Z := F / (Z.of_nat k * (M - Z.of_nat k)) * W k.

Lemma theta_spec k : (1 <= k <= m - 1)%nat -> Z.of_nat k * (M - Z.of_nat k) * theta k = F * W k.
Proof.
  intros K. destruct (multiple_divides (m - 1) k K ltac:(lia)) as (c & E). fold F in E. unfold theta. rewrite E.
  rewrite Z.div_mul by (unfold M; nia). lia.
Qed.

(** The least theta_l with l >= k; n = m - 1 - k. *)
Fixpoint lowered (k n : nat) : Z := match n with O => theta k | S j => Z.min (theta k) (lowered (S k) j) end.
Definition rising_slope (k : nat) : Z := lowered k (m - 1 - k).

Lemma rising_slope_step k : (k + 1 <= m - 1)%nat -> rising_slope k = Z.min (theta k) (rising_slope (S k)).
Proof. intros K. unfold rising_slope. replace (m - 1 - k)%nat with (S (m - 1 - S k)) by lia. reflexivity. Qed.

Lemma rising_slope_le k : rising_slope k <= theta k.
Proof. unfold rising_slope. destruct (m - 1 - k)%nat; simpl; lia. Qed.

Lemma rising_slope_attained k : (k <= m - 1)%nat -> exists l, (k <= l <= m - 1)%nat /\ rising_slope k = theta l.
Proof.
  intros K. unfold rising_slope. remember (m - 1 - k)%nat as n eqn:E. revert k K E.
  induction n as [|n IH]; intros k K E; [exists k; split; [lia | reflexivity]|]. simpl.
  destruct (Z.min_dec (theta k) (lowered (S k) n)) as [-> | ->]; [exists k; split; [lia | reflexivity]|].
  destruct (IH (S k) ltac:(lia) ltac:(lia)) as (l & L & X). exists l. split; [lia | exact X].
Qed.

Lemma theta_at_most k : (1 <= k <= m - 1)%nat -> (M - Z.of_nat k) * theta k <= F * a k.
Proof.
  intros K. pose proof (theta_spec k K) as S. pose proof (W_le k ltac:(lia)) as U.
  assert (PF : 0 < F) by (apply multiple_pos; lia).
  apply (Z.mul_le_mono_pos_l _ _ (Z.of_nat k)); [lia|]. nia.
Qed.

Lemma theta_step k : (1 <= k)%nat -> (k + 1 <= m - 1)%nat ->
  Z.of_nat (S k) * (M - Z.of_nat (S k)) * theta (S k) <= F * a (S k) + F * b k + Z.of_nat k * (M - Z.of_nat k) * theta k.
Proof.
  intros K L. rewrite !theta_spec, W_step by lia. assert (PF : 0 < F) by (apply multiple_pos; lia). nia.
Qed.

(** theta_l >= q_k for all l >= k: a greedy slope falls only to p_l, which is at least q_k. *)
Lemma theta_at_least k l : below_long_words -> short_words_do_not_pay -> (1 <= k <= l)%nat -> (l <= m - 1)%nat ->
  0 <= F * b k + Z.of_nat k * theta l.
Proof.
  intros B Short K. assert (PF : 0 < F) by (apply multiple_pos; lia).
  induction l as [|l IH]; [lia|]. intros L. destruct (Nat.eq_dec k (S l)) as [->|N].
  - pose proof (W_from_words (S l) B ltac:(lia)) as X. pose proof (theta_spec (S l) ltac:(lia)) as T.
    assert (P : 0 < M - Z.of_nat (S l)) by (unfold M; lia).
    apply (Z.mul_le_mono_pos_l _ _ (M - Z.of_nat (S l)) P). nia.
  - specialize (IH ltac:(lia) ltac:(lia)). pose proof (Short k (S l) ltac:(lia) ltac:(lia)) as C.
    assert (P : 0 < M - Z.of_nat (S l)) by (unfold M; lia). set (d := M - Z.of_nat (S l)) in *.
    assert (enough_p : F * a (S l) <= d * theta (S l) -> 0 <= F * b k + Z.of_nat k * theta (S l)).
    { intros X. apply (Z.mul_le_mono_pos_l _ _ d P).
      assert (Z.of_nat k * (F * a (S l)) <= Z.of_nat k * (d * theta (S l))) by nia. nia. }
    pose proof (theta_spec (S l) ltac:(lia)) as T. rewrite W_step in T by lia. fold d in T.
    destruct (Z.min_dec (Z.of_nat (S l) * a (S l)) (a (S l) + b l + W l)) as [E|E]; rewrite E in T.
    + apply enough_p. apply (Z.mul_le_mono_pos_l _ _ (Z.of_nat (S l))); [lia|]. lia.
    + pose proof (theta_spec l ltac:(lia)) as Tl. assert (D1 : M - Z.of_nat l = d + 1) by (unfold d; lia). rewrite D1 in Tl.
      assert (T' : Z.of_nat (S l) * d * theta (S l) = F * a (S l) + F * b l + Z.of_nat l * (d + 1) * theta l) by lia.
      pose proof (W_from_words l B ltac:(lia)) as Bl. rewrite D1 in Bl.
      assert (low : 0 <= F * b l + Z.of_nat l * theta l).
      { apply (Z.mul_le_mono_pos_l _ _ (d + 1)); [lia|]. nia. }
      destruct (Z_le_gt_dec (d * theta l) (F * a (S l))) as [G|G].
      * assert (R : theta l <= theta (S l)).
        { apply (Z.mul_le_mono_pos_l _ _ (Z.of_nat (S l) * d)); [nia|]. rewrite T'. nia. }
        assert (Z.of_nat k * theta l <= Z.of_nat k * theta (S l)) by nia. lia.
      * apply enough_p. pose proof (Short l (S l) ltac:(lia) ltac:(lia)) as Cl. fold d in Cl.
        apply (Z.mul_le_mono_pos_l _ _ (Z.of_nat (S l) * d)); [nia|].
        assert (X1 : 0 <= F * (Z.of_nat l * a (S l) + d * b l)) by nia.
        assert (X2 : Z.of_nat l * (d + 1) * (F * a (S l)) <= Z.of_nat l * (d + 1) * (d * theta l)) by nia.
        replace (Z.of_nat (S l)) with (Z.of_nat l + 1) in * by lia. nia.
Qed.

Theorem two_arms_rising : 0 < q -> below_long_words -> short_words_do_not_pay -> long_run_at_least (tallying 2 m h) p q.
Proof.
  intros Q B Short. assert (PF : 0 < F) by (apply multiple_pos; lia).
  apply (long_run_factor _ F p q PF). apply (two_arms_sound m h (F * p) (F * q) rising_slope some_memory); [nia | | |].
  - destruct B as (B0 & B1 & _). rewrite constant_loss in B0, B1 by exact some_memory.
    unfold constants_fine, excess_one, excess_zero. rewrite Nat.sub_0_r. split; nia.
  - intros k K. split.
    + pose proof (theta_at_most k K) as T. pose proof (rising_slope_le k) as R. unfold up, excess_one.
      assert (X : (M - Z.of_nat k) * rising_slope k <= (M - Z.of_nat k) * theta k) by (unfold M; nia).
      unfold a, excess_one in T. fold M. lia.
    + destruct (rising_slope_attained k ltac:(lia)) as (l & L & E). unfold down, excess_zero. rewrite E.
      pose proof (theta_at_least k l B Short ltac:(lia) ltac:(lia)) as T. unfold b, excess_zero in T. lia.
  - intros k K. destruct k as [|j]; [lia|]. replace (S j - 1)%nat with j by lia.
    pose proof (rising_slope_step j ltac:(lia)) as R. pose proof (theta_step j ltac:(lia) ltac:(lia)) as T.
    pose proof (rising_slope_le (S j)) as U. pose proof (theta_at_most (S j) ltac:(lia)) as V.
    destruct (rising_slope_attained j ltac:(lia)) as (l & L & E).
    pose proof (theta_at_least j l B Short ltac:(lia) ltac:(lia)) as X. rewrite <- E in X.
    unfold up, down. fold M. change (excess_one h (F * p) (F * q)) with (fun s => F * q * h 1%nat s - F * p).
    change (excess_zero m h (F * p) (F * q)) with (fun s => F * q * h 0%nat (m - s)%nat - F * p). cbv beta.
    assert (EA : F * q * h 1%nat (S j) - F * p = F * a (S j)) by (unfold a, excess_one; lia).
    assert (EB : F * q * h 0%nat (m - j)%nat - F * p = F * b j) by (unfold b, excess_zero; lia).
    rewrite EA, EB. set (t' := rising_slope (S j)) in *. set (t := rising_slope j) in *.
    assert (D : 0 < M - Z.of_nat (S j)) by (unfold M; lia). set (d := M - Z.of_nat (S j)) in *.
    assert (VU : d * t' <= F * a (S j)) by nia.
    replace (Z.of_nat (S j) - 1) with (Z.of_nat j) by lia.
    destruct (Z_le_gt_dec (theta j) t') as [G|G].
    + assert (Et : t = theta j) by lia. rewrite Z.abs_eq by lia.
      replace (M - Z.of_nat j) with (d + 1) in T by (unfold d; lia).
      assert (Y : Z.of_nat (S j) * d * t' <= Z.of_nat (S j) * d * theta (S j)).
      { apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia | exact U]. }
      rewrite Et. replace (Z.of_nat (S j)) with (Z.of_nat j + 1) in Y, T by lia. lia.
    + assert (Et : t = t') by lia. rewrite Et. replace (t' - t') with 0 by lia. rewrite Et in X. cbn [Z.abs]. lia.
Qed.

End Rising.
