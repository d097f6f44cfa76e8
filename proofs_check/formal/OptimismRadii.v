(** * Optimism, step 4 and the bound: sqrt(mKT) with constants

    Not in the paper.  On the event that every mean is within its radius r(n) = sqrt(Lg/(2n)), and with the deterministic part
    ([Optimism.v]) and the number of epochs ([OptimismEpochs.v]), for all T >= 1:

        CPR <= (2 + sqrt 2) sqrt(Km T Lg) + (m-1)(Km log2(2 max(T, Km)/(Km)) + 2).

    Lg is any number >= 1/2; ln(2KmT/delta) makes the event have probability 1 - delta.  Lower tables may be rounded down, so
    that h exceeds them by eps more, if T eps <= 1: the first visits are charged twice, which pays for it.  This needs square roots and
    logarithms, hence the real numbers of the standard library, with their axioms. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Proposition1Upper TallyPlan.Optimism
  TallyPlan.OptimismEpochs.
Import ListNotations.
Open Scope R_scope.

(** ** One cell *)

(** An epoch that at most doubles a cell. *)
Lemma radius_of_an_epoch N v : 0 < N -> 0 <= v <= N -> v / sqrt N <= (1 + sqrt 2) * (sqrt (N + v) - sqrt N).
Proof.
  intros HN HV. set (a := sqrt N). set (b := sqrt (N + v)). set (s := sqrt 2).
  assert (A : 0 < a) by (apply sqrt_lt_R0; lra). assert (A2 : a * a = N) by (apply sqrt_sqrt; lra).
  assert (B : 0 <= b) by apply sqrt_pos. assert (B2 : b * b = N + v) by (apply sqrt_sqrt; lra).
  assert (AB : a <= b) by (apply sqrt_le_1; lra).
  assert (BS : b <= s * a).
  { unfold b, s, a. rewrite <- sqrt_mult by lra. apply sqrt_le_1; lra. }
  apply (Rmult_le_reg_r a); [exact A|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (E : v = (b - a) * (b + a)) by lra. rewrite E.
  assert ((b - a) * (b + a) <= (b - a) * ((1 + s) * a)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** What a visit may cost beyond the lower table when the cell was met N times before: 1 at first, then twice the radius, and
    eps for rounding. *)
Definition allowed (Lg eps : R) (N : nat) : R := match N with O => 1 | _ => sqrt (2 * Lg / INR N) + eps end.

Definition factor (Lg : R) : R := (2 + sqrt 2) * sqrt Lg.

Lemma sqrt2_bounds : 1 <= sqrt 2 <= 2.
Proof.
  split; [rewrite <- sqrt_1 at 1; apply sqrt_le_1; lra|].
  replace 2 with (sqrt (2 * 2)) at 2 by (apply sqrt_square; lra). apply sqrt_le_1; lra.
Qed.

Lemma factor_at_least_2 Lg : 1 / 2 <= Lg -> 2 <= factor Lg.
Proof.
  intros H. unfold factor. pose proof sqrt2_bounds as S.
  assert (L : 2 / 3 <= sqrt Lg).
  { replace (2 / 3) with (sqrt (2 / 3 * (2 / 3))) by (apply sqrt_square; lra). apply sqrt_le_1; lra. }
  assert (3 * (2 / 3) <= (2 + sqrt 2) * sqrt Lg) by (apply Rmult_le_compat; lra). lra.
Qed.

(** What n visits of a cell are charged with: less than the root, by 1 for the first one. *)
Definition spent (Lg eps : R) (n : nat) : R := factor Lg * sqrt (INR n) + eps * INR n - INR (Nat.min 1 n).

(** v visits in an epoch, at most max(1, N). *)
Lemma cell_in_an_epoch Lg eps N v : 1 / 2 <= Lg -> 0 <= eps -> (v <= Nat.max 1 N)%nat ->
  INR v * allowed Lg eps N <= spent Lg eps (N + v) - spent Lg eps N.
Proof.
  intros H E0 V. unfold spent. destruct N as [|n].
  - cbn [allowed Nat.add INR Nat.min]. rewrite sqrt_0. pose proof (factor_at_least_2 Lg H) as F. destruct v as [|[|v]]; [| |lia].
    + cbn [INR Nat.min]. rewrite sqrt_0. lra.
    + cbn [INR Nat.min]. rewrite sqrt_1. lra.
  - set (N := S n) in *. assert (P : 0 < INR N) by (apply lt_0_INR; lia).
    assert (V' : 0 <= INR v <= INR N) by (split; [apply pos_INR | apply le_INR; lia]).
    pose proof (radius_of_an_epoch (INR N) (INR v) P V') as E. rewrite <- plus_INR in E.
    change (allowed Lg eps N) with (sqrt (2 * Lg / INR N) + eps). rewrite !Nat.min_l, (plus_INR N v) by lia.
    rewrite <- (plus_INR N v). rewrite sqrt_div_alt by exact P. rewrite sqrt_mult_alt by lra.
    replace (factor Lg) with (sqrt 2 * sqrt Lg * (1 + sqrt 2)).
    2:{ unfold factor. pose proof (sqrt_sqrt 2 ltac:(lra)) as S2. set (s := sqrt 2) in *. set (l := sqrt Lg).
        replace (s * l * (1 + s)) with (s * l + s * s * l) by ring. rewrite S2. ring. }
    assert (Q : 0 <= sqrt 2 * sqrt Lg) by (apply Rmult_le_pos; apply sqrt_pos).
    apply (Rmult_le_compat_l _ _ _ Q) in E. unfold Rdiv in *. rewrite plus_INR in *. lra.
Qed.

(** ** Sums over cells *)

Fixpoint Rover {A} (f : A -> R) (l : list A) : R := match l with [] => 0 | c :: r => f c + Rover f r end.

Lemma Rover_le {A} (f g : A -> R) l : (forall c, In c l -> f c <= g c) -> Rover f l <= Rover g l.
Proof.
  induction l as [|c l IH]; intros H; [simpl; lra|]. cbn [Rover]. pose proof (H c (or_introl eq_refl)).
  assert (Rover f l <= Rover g l) by (apply IH; intros; apply H; now right). lra.
Qed.

Lemma Rover_ext {A} (f g : A -> R) l : (forall c, f c = g c) -> Rover f l = Rover g l.
Proof. intros H. induction l as [|c l IH]; [reflexivity|]. cbn [Rover]. now rewrite H, IH. Qed.

Lemma Rover_scale {A} (f : A -> R) k l : Rover (fun c => k * f c) l = k * Rover f l.
Proof. induction l as [|c l IH]; cbn [Rover]; [lra | rewrite IH; lra]. Qed.

Lemma Rover_minus {A} (f g : A -> R) l : Rover (fun c => f c - g c) l = Rover f l - Rover g l.
Proof. induction l as [|c l IH]; cbn [Rover]; [lra | rewrite IH; lra]. Qed.

Lemma Rover_app {A} (f : A -> R) l k : Rover f (l ++ k) = Rover f l + Rover f k.
Proof. induction l as [|c l IH]; cbn [Rover app]; [lra | rewrite IH; lra]. Qed.

Lemma Rover_cells g a n b k :
  IZR (sum (fun x => sum (fun y => g x y) b k) a n) = Rover (fun c => IZR (g (fst c) (snd c))) (list_prod (seq a n) (seq b k)).
Proof.
  revert a. induction n as [|n IH]; intros a; [reflexivity|]. cbn [seq list_prod sum]. rewrite plus_IZR, IH, Rover_app. f_equal.
  clear IH. revert b. induction k as [|k IH]; intros b; [reflexivity|]. cbn [seq map sum Rover]. rewrite plus_IZR, IH.
  reflexivity.
Qed.

(** The sum of square roots: each lies below the tangent at T/C. *)
Lemma sum_of_roots {A} (N : A -> nat) l : Rover (fun c => sqrt (INR (N c))) l <= sqrt (INR (length l) * INR (over _ N l)).
Proof.
  set (C := length l). set (T := over _ N l).
  destruct (Nat.eq_dec T 0) as [Z|NZ].
  - rewrite Z. simpl INR. rewrite Rmult_0_r, sqrt_0.
    assert (E : forall k, over _ N k = 0%nat -> Rover (fun c => sqrt (INR (N c))) k <= 0).
    { induction k as [|c k IH]; intros H; cbn [Rover over] in *; [lra|]. assert (H1 : N c = 0%nat) by lia. rewrite H1. simpl INR.
      rewrite sqrt_0. specialize (IH ltac:(lia)). lra. }
    now apply E.
  - assert (PC : 0 < INR C) by (apply lt_0_INR; unfold C, T in *; destruct l; simpl in *; lia).
    assert (PT : 0 < INR T) by (apply lt_0_INR; lia).
    set (u := sqrt (INR C * INR T)). assert (PU : 0 < u) by (apply sqrt_lt_R0, Rmult_lt_0_compat; assumption).
    assert (U2 : u * u = INR C * INR T) by (apply sqrt_sqrt; apply Rlt_le, Rmult_lt_0_compat; assumption).
    assert (tangent_line : forall c, In c l -> sqrt (INR (N c)) <= INR C / (2 * u) * INR (N c) + u / (2 * INR C)).
    { intros c _. set (x := sqrt (INR (N c))). assert (X2 : x * x = INR (N c)) by (apply sqrt_sqrt, pos_INR). rewrite <- X2.
      assert (S2 : 0 <= (INR C * x - u) * (INR C * x - u)) by apply Rle_0_sqr.
      apply (Rmult_le_reg_r (2 * u * INR C)); [apply Rmult_lt_0_compat; lra|].
      replace ((INR C / (2 * u) * (x * x) + u / (2 * INR C)) * (2 * u * INR C)) with (INR C * INR C * (x * x) + u * u)
        by (field; lra).
      lra. }
    apply (Rle_trans _ _ _ (Rover_le _ _ l tangent_line)).
    assert (E : forall k, Rover (fun c => INR C / (2 * u) * INR (N c) + u / (2 * INR C)) k
                          = INR C / (2 * u) * INR (over _ N k) + INR (length k) * (u / (2 * INR C))).
    { induction k as [|c k IH]; [simpl; lra|]. cbn [Rover over]. rewrite IH, plus_INR.
      change (length (c :: k)) with (S (length k)).
      rewrite S_INR. lra. }
    rewrite E. fold T C. apply Req_le. apply (Rmult_eq_reg_r (2 * u)); [|lra].
    replace ((INR C / (2 * u) * INR T + INR C * (u / (2 * INR C))) * (2 * u)) with (INR C * INR T + u * u) by (field; lra).
    lra.
Qed.

(** ** The game *)

Section Game.
Variables (K m : nat) (h : nat -> nat -> Z) (D : Z) (Lg eps : R).
Hypothesis rounded_down : 0 <= eps.

(** On the event, and by the rule that ends an epoch: in each epoch no cell is met more than max(1, N) times, and h exceeds the
    lower table by at most what is allowed. *)
Fixpoint confident (past : list nat) (es : list epoch) : Prop :=
  match es with
  | [] => True
  | e :: rest =>
      (forall c, In c (cells K m) ->
         (count m (fst c) (snd c) past (played K m h e) <= Nat.max 1 (met m past c))%nat /\
         IZR (h (fst c) (snd c) - lower e (fst c) (snd c)) <= IZR D * allowed Lg eps (met m past c)) /\
      confident (after past (played K m h e)) rest
  end.

(** Every epoch but the last has ended because some cell was met max(1, N) times. *)
Fixpoint ended_by_doubling (past : list nat) (es : list epoch) : Prop :=
  match es with
  | [] | [_] => True
  | e :: rest =>
      (exists c, In c (cells K m) /\ (Nat.max 1 (met m past c) <= count m (fst c) (snd c) past (played K m h e))%nat) /\
      ended_by_doubling (after past (played K m h e)) rest
  end.

Lemma played_valid e : planned K m h e -> valid (tallying K m h) (played K m h e) /\ length (played K m h e) = steps e.
Proof.
  intros (_ & p & q & _ & _ & N & V & _). destruct (epoch_word_plays (tallying K m h) (word e) (steps e) N V) as [L W].
  now split.
Qed.

(** Step 4: the excess of h over the lower tables. *)
Lemma excess_by_cells es : (0 < m)%nat -> (0 <= D)%Z -> 1 / 2 <= Lg -> forall past, Forall (planned K m h) es ->
  confident past es ->
  IZR (excess K m h past es)
  <= IZR D * (Rover (fun c => spent Lg eps (met m (after past (played_in_all K m h es)) c)) (cells K m)
              - Rover (fun c => spent Lg eps (met m past c)) (cells K m)).
Proof.
  intros M PD HL. induction es as [|e es IH]; intros past F C.
  - cbn [excess]. unfold after. simpl. lra.
  - inversion F as [|? ? F1 F2]; subst. destruct C as [C1 C2]. cbn [excess]. rewrite plus_IZR.
    change (played_in_all K m h (e :: es)) with (played K m h e ++ played_in_all K m h es). rewrite after_app.
    specialize (IH _ F2 C2). set (past' := after past (played K m h e)) in *.
    assert (E : IZR (total (tallying K m (fun x y => (h x y - lower e x y)%Z)) past (played K m h e))
                <= IZR D * (Rover (fun c => spent Lg eps (met m past' c)) (cells K m)
                            - Rover (fun c => spent Lg eps (met m past c)) (cells K m))).
    { rewrite total_by_counts; [|exact M | apply (played_valid e F1)]. rewrite Rover_cells, <- Rover_minus, <- Rover_scale.
      apply Rover_le. intros c I. destruct (C1 c I) as [V B]. unfold past'. rewrite met_after.
      set (v := count m (fst c) (snd c) past (played K m h e)) in *. rewrite mult_IZR, <- INR_IZR_INZ.
      pose proof (cell_in_an_epoch Lg eps (met m past c) v HL rounded_down V) as X.
      assert (PDR : 0 <= IZR D) by (apply IZR_le; lia).
      apply (Rmult_le_compat_l _ _ _ (pos_INR v)) in B. apply (Rmult_le_compat_l _ _ _ PDR) in X. lra. }
    lra.
Qed.

Lemma epochs_of es : forall past E, Forall (planned K m h) es -> epochs_ended K m past E -> ended_by_doubling past es ->
  es <> [] ->
  exists past', epochs_ended K m past' (E + (length es - 1)) /\
    (length past' <= length past + length (played_in_all K m h es))%nat.
Proof.
  induction es as [|e es IH]; intros past E F EE DB N; [congruence|]. inversion F as [|? ? F1 F2]; subst. destruct es as [|e' es].
  - exists past. simpl. rewrite Nat.add_0_r. split; [exact EE | lia].
  - destruct DB as [(c & I & B) DB].
    pose proof (next_epoch K m past E (played K m h e) c EE I (proj1 (played_valid e F1)) B) as EE'.
    destruct (IH _ _ F2 EE' DB ltac:(discriminate)) as (past' & X & L). exists past'.
    replace (E + (length (e :: e' :: es) - 1))%nat with (S E + (length (e' :: es) - 1))%nat by (simpl; lia). split; [exact X|].
    change (played_in_all K m h (e :: e' :: es)) with (played K m h e ++ played_in_all K m h (e' :: es)).
    rewrite app_length. rewrite length_after in L. lia.
Qed.

Definition log2 (x : R) : R := ln x / ln 2.

Definition optimism_bound (T : nat) : R :=
  (2 + sqrt 2) * sqrt (INR (K * m) * INR T * Lg)
  + (INR m - 1) * (INR (K * m) * log2 (2 * INR (Nat.max T (K * m)) / INR (K * m)) + 2).

(** Step 3, with logarithms. *)
Lemma number_of_epochs past E T : (0 < m)%nat -> (0 < K)%nat -> epochs_ended K m past E -> (length past <= T)%nat ->
  INR E <= INR (K * m) * log2 (2 * INR (Nat.max T (K * m)) / INR (K * m)).
Proof.
  intros M HK EE L. pose proof (few_epochs K m past E T M EE L) as B. unfold epochs_bound in B. set (C := (K * m)%nat) in *.
  assert (PC : (0 < C)%nat) by (unfold C; nia). set (X := Nat.max T C).
  replace (Z.max (Z.of_nat T) (Z.of_nat C)) with (Z.of_nat X) in B by (unfold X; lia).
  apply IZR_le in B. rewrite mult_IZR, <- !pow_IZR, mult_IZR, <- !INR_IZR_INZ in B.
  assert (P1 : 0 < INR C) by (apply lt_0_INR; lia). assert (P2 : 0 < INR X) by (apply lt_0_INR; unfold X; lia).
  assert (LN2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (G : ln (2 ^ E * INR C ^ C) <= ln ((2 * INR X) ^ C)).
  { destruct B as [B|B]; [left; apply ln_increasing; [|exact B] | right; now rewrite B].
    apply Rmult_lt_0_compat; apply pow_lt; lra. }
  rewrite ln_mult in G by (apply pow_lt; lra).
  assert (LP : forall x n, 0 < x -> ln (x ^ n) = INR n * ln x).
  { intros x n Px. induction n as [|n IH]; [simpl; rewrite ln_1; lra|]. cbn [pow].
    rewrite ln_mult, IH, S_INR by (try apply pow_lt; exact Px).
    lra. }
  rewrite !LP in G by lra.
  assert (Q : ln (2 * INR X / INR C) = ln (2 * INR X) - ln (INR C)).
  { unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra). lra. }
  unfold log2. rewrite Q. apply (Rmult_le_reg_r (ln 2)); [exact LN2|].
  replace (INR C * ((ln (2 * INR X) - ln (INR C)) / ln 2) * ln 2) with (INR C * (ln (2 * INR X) - ln (INR C))) by (field; lra).
  lra.
Qed.

(** All cells together. *)
Lemma spent_in_all (N : nat * nat -> nat) l T : over _ N l = T -> (0 < T)%nat -> INR T * eps <= 1 ->
  Rover (fun c => spent Lg eps (N c)) l <= factor Lg * sqrt (INR (length l) * INR T).
Proof.
  intros E P B. assert (G : forall k, Rover (fun c => spent Lg eps (N c)) k
      <= factor Lg * Rover (fun c => sqrt (INR (N c))) k + eps * INR (over _ N k) - INR (Nat.min 1 (over _ N k))).
  { induction k as [|c k IH]; cbn [Rover over]; [simpl; lra|]. unfold spent at 1. rewrite plus_INR.
    assert (X : INR (Nat.min 1 (N c + over _ N k)) <= INR (Nat.min 1 (N c)) + INR (Nat.min 1 (over _ N k)))
      by (rewrite <- plus_INR; apply le_INR; lia). lra. }
  specialize (G l). rewrite E, Nat.min_l in G by lia. simpl (INR 1) in G. apply (Rle_trans _ _ _ G).
  pose proof (sum_of_roots N l) as S. rewrite E in S.
  apply (Rmult_le_compat_l (factor Lg)) in S; [lra|]. unfold factor. pose proof sqrt2_bounds. pose proof (sqrt_pos Lg).
  apply Rmult_le_pos; lra.
Qed.

(** The bound. *)
Theorem optimism_sqrt_mKT es T opt : (0 < m)%nat -> (0 < K)%nat -> (0 < T)%nat -> INR T * eps <= 1 -> (0 <= D)%Z ->
  table_within K m h D -> 1 / 2 <= Lg ->
  Forall (planned K m h) es -> confident [] es -> ended_by_doubling [] es ->
  length (played_in_all K m h es) = T -> is_optimum (tallying K m h) T [] opt ->
  IZR (total (tallying K m h) [] (played_in_all K m h es) - opt) <= IZR D * optimism_bound T.
Proof.
  intros M HK PT TE PD H HL F C DB LT O. pose proof (optimism K m h D es T opt M HK PD H F LT O) as B. apply IZR_le in B.
  apply (Rle_trans _ _ _ B). rewrite plus_IZR, mult_IZR. unfold optimism_bound. rewrite Rmult_plus_distr_l.
  assert (PDR : 0 <= IZR D) by (apply IZR_le; lia).
  apply Rplus_le_compat.
  - pose proof (excess_by_cells es M PD HL [] F C) as E.
    assert (V : valid (tallying K m h) (played_in_all K m h es)).
    { clear - F. induction F as [|e es F1 _ IH]; [constructor|].
      change (played_in_all K m h (e :: es)) with (played K m h e ++ played_in_all K m h es).
      apply valid_app. split; [apply (played_valid e F1) | exact IH]. }
    set (past := after [] (played_in_all K m h es)) in *.
    assert (MET : over _ (met m past) (cells K m) = T).
    { rewrite met_in_all; [|exact M | unfold past, after; rewrite app_nil_r; now apply Forall_rev].
      unfold past. now rewrite length_after, LT, Nat.add_0_r. }
    pose proof (spent_in_all (met m past) (cells K m) T MET PT TE) as S.
    unfold cells in S at 2. rewrite prod_length, !seq_length in S.
    assert (Z0 : Rover (fun c => spent Lg eps (met m [] c)) (cells K m) = 0).
    { unfold spent, met. generalize (cells K m). intros l. induction l as [|c l IH]; cbn [Rover]; [reflexivity|].
      rewrite IH. cbn [rev count INR Nat.min]. rewrite sqrt_0. lra. }
    apply (Rle_trans _ _ _ E). apply Rmult_le_compat_l; [exact PDR|].
    rewrite sqrt_mult_alt by (apply Rmult_le_pos; apply pos_INR). unfold factor in S. lra.
  - rewrite (Rmult_comm _ (IZR D)). apply Rmult_le_compat_l; [exact PDR|]. unfold optimism_overhead.
    rewrite mult_IZR, minus_IZR, plus_IZR, <- !INR_IZR_INZ.
    assert (PM : 0 <= INR m - 1) by (pose proof (le_INR 1 m ltac:(lia)) as X; simpl in X; lra).
    apply Rmult_le_compat_l; [exact PM|].
    destruct es as [|e es'].
    + simpl INR at 1. pose proof (number_of_epochs [] 0 T M HK (no_epoch K m) ltac:(simpl; lia)) as X. simpl INR at 1 in X. lra.
    + destruct (epochs_of (e :: es') [] 0 F (no_epoch K m) DB ltac:(discriminate)) as (past' & X & L).
      rewrite LT in L. pose proof (number_of_epochs past' _ T M HK X ltac:(simpl in L; lia)) as Y.
      rewrite Nat.add_0_l in Y. replace (length (e :: es')) with (S (length (e :: es') - 1)) by (simpl; lia). rewrite S_INR. lra.
Qed.

End Game.
