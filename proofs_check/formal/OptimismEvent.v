(** * Optimism: the event, and the bound with high probability

    Not in the paper.  The loss seen at a step has mean h_c given the past and the action, c the cell of the step.  With
    lg = ln(2KmT/delta), the event that at every time the mean of the N >= 1 observations of every cell is within
    sqrt(lg/(2N)) of h_c has probability at least 1 - delta.  A learner that, on this event, plays as in [Optimism.v], has
    with probability at least 1 - delta

        CPR <= (2 + sqrt 2) sqrt(Km T Lg) + (m-1)(Km log2(2 max(T, Km)/(Km)) + 2).

    Lower tables may be rounded down, by so little that T roundings lose at most 1.

    The real numbers of the standard library are used, with their axioms. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Optimism TallyPlan.OptimismEpochs
    TallyPlan.OptimismRadii
  TallyPlan.Hoeffding.
Import ListNotations.
Open Scope R_scope.

Section Event.
Variables (K m : nat) (h : nat * nat -> R).
Variable act : list R -> nat.                       (* the action after these observations, latest first *)
Variable next : list R -> distribution.
Hypothesis some_memory : (0 < m)%nat.
Hypothesis next_proper : forall past, Hoeffding.proper (next past).

(** The actions so far, latest first, and the cell of the next step. *)
Fixpoint path (xs : list R) : list nat := match xs with [] => [] | _ :: r => act r :: path r end.
Definition next_cell (xs : list R) : nat * nat := (act xs, tally (act xs) (window m (path xs) (act xs))).

Hypothesis mean_given_past : forall past, mean (next past) = h (next_cell past).

Definition same_cell (c d : nat * nat) : bool := (fst c =? fst d)%nat && (snd c =? snd d)%nat.

Lemma same_cell_eq c d : same_cell c d = true -> c = d.
Proof.
  unfold same_cell. intros E. apply andb_prop in E as [E1 E2]. apply Nat.eqb_eq in E1, E2. destruct c, d. simpl in *. congruence.
Qed.

Lemma met_step v xs c : met m (path (v :: xs)) c = (met m (path xs) c + if same_cell (next_cell xs) c then 1 else 0)%nat.
Proof.
  cbn [path]. change (act xs :: path xs) with (after (path xs) [act xs]). rewrite met_after. f_equal. cbn [count].
  rewrite Nat.add_0_r.
  unfold hits, same_cell, next_cell. cbn [fst snd]. destruct (Nat.eqb_spec (act xs) (fst c)) as [<-|]; reflexivity.
Qed.

(** The first n observations of a cell count. *)
Definition among_first (c : nat * nat) (n : nat) (xs : list R) : bool := same_cell (next_cell xs) c && (met m (path xs) c
    <? n)%nat.

(** The sum of the observations of a cell. *)
Fixpoint seen_sum (c : nat * nat) (xs : list R) : R :=
  match xs with [] => 0 | v :: r => (if same_cell (next_cell r) c then v else 0) + seen_sum c r end.

Lemma counted_first c n xs : (counted (among_first c n) xs <= n)%nat /\ (counted (among_first c n) xs <= met m (path xs) c)%nat.
Proof.
  induction xs as [|v xs IH]; [simpl; lia|]. rewrite met_step. cbn [counted]. unfold among_first at 1 3.
  destruct (same_cell (next_cell xs) c); cbn [andb]; [|lia]. destruct (Nat.ltb_spec (met m (path xs) c) n); lia.
Qed.

(** As long as all observations of the cell count. *)
Lemma deviation_all c n xs : (met m (path xs) c <= n)%nat ->
  deviation (among_first c n) (h c) xs = seen_sum c xs - INR (met m (path xs) c) * h c.
Proof.
  induction xs as [|v xs IH]; intros B; [unfold met; simpl; lra|]. rewrite met_step in *. cbn [deviation seen_sum].
  rewrite IH, plus_INR by lia. unfold among_first. destruct (same_cell (next_cell xs) c); cbn [andb]; [|simpl (INR 0); lra].
  destruct (Nat.ltb_spec (met m (path xs) c) n); [simpl (INR 1); lra | lia].
Qed.

(** After the first n, nothing counts any more. *)
Lemma deviation_frozen c n zs ys : (n <= met m (path ys) c)%nat ->
  deviation (among_first c n) (h c) (zs ++ ys) = deviation (among_first c n) (h c) ys /\ (n <= met m (path (zs ++ ys)) c)%nat.
Proof.
  intros B. induction zs as [|v zs [IH1 IH2]]; [now split|]. cbn [app]. rewrite met_step. cbn [deviation]. rewrite IH1.
  split; [|lia].
  unfold among_first at 1. destruct (Nat.ltb_spec (met m (path (zs ++ ys)) c) n); [lia|]. rewrite Bool.andb_false_r. lra.
Qed.

(** At every time, every mean is within its radius. *)
Definition means_within (lg : R) (xs : list R) : Prop := forall zs ys c, xs = zs ++ ys -> In c (cells K m) ->
  let N := met m (path ys) c in (1 <= N)%nat -> Rabs (seen_sum c ys / INR N - h c) <= sqrt (lg / (2 * INR N)).

Definition is_off (lg : R) (cn : (nat * nat) * nat) (xs : list R) : R :=
  let (c, n) := cn in deviates (among_first c n) (h c) n (INR n * sqrt (lg / (2 * INR n))) xs.

Fixpoint some_off (lg : R) (l : list ((nat * nat) * nat)) (xs : list R) : R :=
  match l with [] => 0 | cn :: r => Rmax (is_off lg cn xs) (some_off lg r xs) end.

Lemma is_off_nonneg lg cn xs : 0 <= is_off lg cn xs.
Proof. destruct cn as [c n]. unfold is_off, deviates. destruct (le_dec _ _); [|lra]. destruct (Rle_dec _ _); lra. Qed.

Lemma some_off_nonneg lg l xs : 0 <= some_off lg l xs.
Proof. induction l as [|cn l IH]; cbn [some_off]; [lra | apply (Rle_trans _ _ _ IH), Rmax_r]. Qed.

Lemma some_off_seldom lg T l : 0 < lg -> Forall (fun cn => (1 <= snd cn)%nat) l ->
  expect next T [] (some_off lg l) <= INR (length l) * (2 * exp (- lg)).
Proof.
  intros PL. induction 1 as [|[c n] l P _ IH].
  - cbn [some_off length INR]. rewrite Rmult_0_l. right.
    pose proof (expect_linear next T 0 0 (fun _ => 0) (fun _ => 0) []) as E. cbv beta in E.
    replace (0 * 0 + 0 * 0) with 0 in E by lra. lra.
  - apply (Rle_trans _ (expect next T [] (fun xs => 1 * is_off lg (c, n) xs + 1 * some_off lg l xs))).
    + apply expect_le; [exact next_proper|]. intros xs. cbn [some_off]. pose proof (is_off_nonneg lg (c, n) xs).
      pose proof (some_off_nonneg lg l xs). unfold Rmax. destruct (Rle_dec _ _); lra.
    + rewrite expect_linear. cbn [snd] in P.
      assert (B : expect next T [] (is_off lg (c, n)) <= 2 * exp (- lg)).
      { apply hoeffding_radius; [exact next_proper | | lia | exact PL]. intros past Y. rewrite mean_given_past. f_equal.
        unfold among_first in Y. apply andb_prop in Y as [Y _]. now apply same_cell_eq. }
      change (length ((c, n) :: l)) with (S (length l)). rewrite S_INR. lra.
Qed.

Lemma in_some_off lg l cn xs : In cn l -> some_off lg l xs < 1 -> is_off lg cn xs < 1.
Proof.
  induction l as [|dn l IH]; [intros []|]. cbn [some_off]. intros [->|I] B.
  - apply (Rle_lt_trans _ _ _ (Rmax_l _ _) B).
  - apply IH; [exact I|]. apply (Rle_lt_trans _ _ _ (Rmax_r _ _) B).
Qed.

Definition all_pairs (T : nat) : list ((nat * nat) * nat) := list_prod (cells K m) (seq 1 T).

Lemma met_at_most ys c : (met m (path ys) c <= length ys)%nat.
Proof. induction ys as [|v ys IH]; [unfold met; simpl; lia|]. rewrite met_step. cbn [length]. destruct (same_cell _ _); lia. Qed.

Theorem not_off_is_within lg T xs : length xs = T -> some_off lg (all_pairs T) xs < 1 -> means_within lg xs.
Proof.
  intros LX B zs ys c E I N P. set (n := N).
  assert (NT : (n <= T)%nat).
  { pose proof (met_at_most ys c) as X. fold N n in X. rewrite E, app_length in LX. lia. }
  assert (J : In (c, n) (all_pairs T)) by (apply in_prod; [exact I | apply in_seq; unfold n; lia]).
  pose proof (in_some_off lg _ _ xs J B) as O. unfold is_off, deviates in O.
  destruct (le_dec (counted (among_first c n) xs) n) as [_|X]; [|destruct X; apply counted_first].
  destruct (Rle_dec _ _) as [|F]; [lra|]. apply Rnot_le_lt in F. rewrite E in F.
  rewrite (proj1 (deviation_frozen c n zs ys ltac:(unfold n; lia))), deviation_all in F by (unfold n; lia). fold N in F.
  fold n in F.
  assert (PN : 0 < INR n) by (apply lt_0_INR; unfold n; lia).
  apply (Rmult_le_reg_l (INR n)); [exact PN|]. left.
  apply (Rle_lt_trans _ (Rabs (seen_sum c ys - INR n * h c))); [right | exact F].
  rewrite <- (Rabs_pos_eq (INR n)) at 1 by lra. rewrite <- Rabs_mult. f_equal. unfold n in *. field. lra.
Qed.

(** The event has probability at least 1 - delta. *)
Theorem event_probability T delta : (0 < K)%nat -> (0 < T)%nat -> 0 < delta < 1 ->
  let lg := ln (2 * INR (K * m) * INR T / delta) in
  holds_but_for next T delta (means_within lg).
Proof.
  intros HK PT PD lg. exists (some_off lg (all_pairs T)).
  assert (Q1 : 1 <= INR (K * m)) by (apply (le_INR 1); nia). assert (QT : 1 <= INR T) by (apply (le_INR 1); lia).
  destruct (union_logarithm _ _ delta Q1 QT PD) as [LG EX]. fold lg in LG, EX. assert (PG : 0 < lg) by lra.
  split; [intros xs; apply some_off_nonneg|].
  apply and_comm. split.
  - assert (F : Forall (fun cn => (1 <= snd cn)%nat) (all_pairs T)).
    { apply Forall_forall. intros [c n] I. apply in_prod_iff in I as [_ I]. apply in_seq in I. simpl. lia. }
    apply (Rle_trans _ _ _ (some_off_seldom lg T _ PG F)). unfold all_pairs, cells. rewrite !prod_length, !seq_length, EX, mult_INR.
    right. field. lra.
  - intros xs LX. destruct (Rlt_le_dec (some_off lg (all_pairs T) xs) 1); [left; now apply (not_off_is_within lg T) | now right].
Qed.

End Event.

(** Such a learner: whenever all means are within their radii, its T actions are epochs of optimistic plans. *)
Definition optimistic_learner (K m : nat) (h : nat -> nat -> Z) (D : Z) (lg eps : R) (T : nat) (act : list R -> nat) : Prop :=
  forall xs, length xs = T -> means_within K m (fun c => IZR (h (fst c) (snd c)) / IZR D) act lg xs ->
    exists es, rev (path act xs) = played_in_all K m h es /\ Forall (planned K m h) es /\
      confident K m h D lg eps [] es /\ ended_by_doubling K m h [] es.

Theorem optimism_with_high_probability K m h D T delta eps act next opt :
  (0 < K)%nat -> (0 < m)%nat -> (0 < D)%Z -> (0 < T)%nat -> 0 < delta < 1 -> 0 <= eps -> INR T * eps <= 1 ->
  table_within K m h D ->
  let lg := ln (2 * INR (K * m) * INR T / delta) in
  (forall past, Hoeffding.proper (next past)) ->
  (forall past, let c := next_cell m act past in mean (next past) = IZR (h (fst c) (snd c)) / IZR D) ->
  optimistic_learner K m h D lg eps T act -> is_optimum (tallying K m h) T [] opt ->
  holds_but_for next T delta (fun xs =>
    IZR (total (tallying K m h) [] (rev (path act xs)) - opt) <= IZR D * optimism_bound K m lg T).
Proof.
  intros HK M PD PT DE E0 TE TW lg NP MP OL O.
  refine (holds_but_for_weaken next T delta _ _ _
    (event_probability K m (fun c => IZR (h (fst c) (snd c)) / IZR D) act next M NP MP T delta HK PT DE)).
  assert (HL : 1 / 2 <= lg).
  { apply union_logarithm; [apply (le_INR 1); nia | apply (le_INR 1); lia | exact DE]. }
  intros xs LX G. destruct (OL xs LX G) as (es & P & F & C & DB).
  rewrite P. apply (optimism_sqrt_mKT K m h D lg eps); try assumption; [lia|].
  rewrite <- P, rev_length. rewrite <- LX. clear. induction xs as [|v xs IH]; [reflexivity|]. simpl. now rewrite IH.
Qed.
