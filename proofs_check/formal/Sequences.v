(** * What the paper's results need besides the model: counts, forgetting, sums

    Losses lie between 0 and D, where D is the common denominator of the table (the paper's losses are these divided
    by D).  [count] is the paper's sum of indicators behind N_xy.  [forgetting] is the step of every proof in the paper:
    whatever was played before, after m-1 steps the windows are the same, so that two starts cost the same up to D for
    each of the first m-1 steps. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.LeastLoss.
Import ListNotations.
Open Scope Z_scope.

(** ** Bounded tables *)

(** Every entry of the table lies between 0 and D. *)
Definition table_within (K m : nat) (h : nat -> nat -> Z) (D : Z) : Prop :=
  forall x y, (x < K)%nat -> (1 <= y <= m)%nat -> 0 <= h x y <= D.

Definition steps_within (b : bandit) (D : Z) : Prop := forall past a, (a < actions b)%nat -> 0 <= loss b past a <= D.

Lemma tallying_steps_within K m h D : (0 < m)%nat -> table_within K m h D -> steps_within (tallying K m h) D.
Proof. intros M H past a A. rewrite loss_tallying by assumption. apply H; [exact A | now apply tally_bounds]. Qed.

Lemma total_within b D : steps_within b D ->
  forall w past, valid b w -> 0 <= total b past w <= Z.of_nat (length w) * D.
Proof.
  intros H. induction w as [|a w IH]; intros past V; [simpl; lia|]. inversion V as [|? ? A V']; subst.
  specialize (IH (a :: past) V'). specialize (H past a A). cbn [total length]. lia.
Qed.

Lemma plays_app b k l u w : plays b k u -> plays b l w -> plays b (k + l) (u ++ w).
Proof. intros [U VU] [W VW]. split; [now rewrite app_length, U, W | now apply valid_app]. Qed.

Lemma plays_split b k l w : plays b (k + l) w -> plays b k (firstn k w) /\ plays b l (skipn k w).
Proof.
  intros [L V]. rewrite <- (firstn_skipn k w) in V. apply valid_app in V as [V1 V2].
  repeat split; [rewrite firstn_length; lia | assumption | rewrite skipn_length; lia | assumption].
Qed.

(** ** Forgetting *)

(** Two starts: the same word loses at most D more for each of its first m-1 steps. *)
Theorem forgetting b D past past' w : steps_within b D -> valid b w ->
  total b past w <= total b past' w + Z.of_nat (Nat.min (memory b - 1) (length w)) * D.
Proof.
  intros H V. rewrite <- (firstn_skipn (memory b - 1) w) in V |- *. apply valid_app in V as [V1 V2].
  set (first := firstn (memory b - 1) w) in *. set (rest := skipn (memory b - 1) w) in *.
  rewrite !total_app, app_length. pose proof (total_within b D H first past V1).
  pose proof (total_within b D H first past' V1).
  assert (L : length first = Nat.min (memory b - 1) (length w)) by apply firstn_length.
  assert (E : total b (after past first) rest = total b (after past' first) rest).
  { destruct (Nat.le_gt_cases (memory b - 1) (length w)) as [G|G].
    - apply same_history_same_future. rewrite !history_after by lia. reflexivity.
    - replace rest with (@nil nat); [reflexivity|]. symmetry. apply skipn_all2. lia. }
  rewrite E. replace (Nat.min (memory b - 1) (length first + length rest)) with (length first); [lia|].
  unfold rest. rewrite skipn_length. lia.
Qed.

Corollary forgetting_most b D past past' w : 0 <= D -> steps_within b D -> valid b w ->
  total b past w <= total b past' w + Z.of_nat (memory b - 1) * D.
Proof. intros P H V. pose proof (forgetting b D past past' w H V). nia. Qed.

(** ** Counts: how often x is played at tally y *)

(** Is this step of action a, after [past], one of x at tally y? *)
Definition hits (m x y : nat) (past : list nat) (a : nat) : nat :=
  if (a =? x)%nat && (tally x (window m past a) =? y)%nat then 1 else 0.

(** The paper's sum of I(a_t = x) I(y = tally) over the steps of a word played after [past]. *)
Fixpoint count (m x y : nat) (past word : list nat) : nat :=
  match word with
  | [] => 0
  | a :: rest => hits m x y past a + count m x y (a :: past) rest
  end.

(** The table with 1 at (x, y) and 0 elsewhere, whose total loss is the count. *)
Definition single (x y : nat) (x' y' : nat) : Z := if (x' =? x)%nat && (y' =? y)%nat then 1 else 0.

Lemma count_total K m x y past word : (0 < m)%nat ->
  Z.of_nat (count m x y past word) = total (tallying K m (single x y)) past word.
Proof.
  intros M. revert past. induction word as [|a w IH]; intros past; [reflexivity|].
  cbn [count total]. rewrite Nat2Z.inj_add, IH, loss_tallying by assumption. f_equal.
  unfold hits, single. destruct (a =? x)%nat eqn:E; [|reflexivity]. apply Nat.eqb_eq in E as ->.
  cbn [andb]. now destruct (tally x (window m past x) =? y)%nat.
Qed.

(** ** Finite sums *)

(** f(a) + ... + f(a+n-1). *)
Fixpoint sum (f : nat -> Z) (a n : nat) : Z :=
  match n with
  | O => 0
  | S k => f a + sum f (S a) k
  end.

Lemma sum_ext f g a n : (forall i, (a <= i < a + n)%nat -> f i = g i) -> sum f a n = sum g a n.
Proof.
  revert a. induction n as [|n IH]; intros a H; [reflexivity|]. simpl. rewrite (H a), (IH (S a)); [reflexivity | |lia].
  intros i I. apply H. lia.
Qed.

Lemma sum_le f g a n : (forall i, (a <= i < a + n)%nat -> f i <= g i) -> sum f a n <= sum g a n.
Proof.
  revert a. induction n as [|n IH]; intros a H; [reflexivity|]. simpl. specialize (IH (S a)).
  pose proof (H a ltac:(lia)). assert (sum f (S a) n <= sum g (S a) n) by (apply IH; intros; apply H; lia). lia.
Qed.

Lemma sum_add f g a n : sum (fun i => f i + g i) a n = sum f a n + sum g a n.
Proof. revert a. induction n as [|n IH]; intros a; [reflexivity|]. simpl. rewrite IH. lia. Qed.

Lemma sum_scale c f a n : sum (fun i => c * f i) a n = c * sum f a n.
Proof. revert a. induction n as [|n IH]; intros a; [simpl; lia|]. simpl. rewrite IH. lia. Qed.

Lemma sum_const c a n : sum (fun _ => c) a n = Z.of_nat n * c.
Proof. revert a. induction n as [|n IH]; intros a; [reflexivity|]. cbn [sum]. rewrite IH. lia. Qed.

Lemma sum_zero f a n : (forall i, (a <= i < a + n)%nat -> f i = 0) -> sum f a n = 0.
Proof. intros H. rewrite (sum_ext f (fun _ => 0)) by exact H. rewrite sum_const. lia. Qed.

Lemma sum_app f a n k : sum f a (n + k) = sum f a n + sum f (a + n) k.
Proof.
  revert a. induction n as [|n IH]; intros a; [simpl; now rewrite Nat.add_0_r|].
  simpl. rewrite IH. replace (S a + n)%nat with (a + S n)%nat by lia. lia.
Qed.

Lemma sum_S f a n : sum f a (S n) = sum f a n + f (a + n)%nat.
Proof. replace (S n) with (n + 1)%nat by lia. rewrite sum_app. simpl. lia. Qed.

(** A sum of which only the term at x may differ from 0. *)
Lemma sum_only f a n x : (a <= x < a + n)%nat -> (forall i, (a <= i < a + n)%nat -> i <> x -> f i = 0) ->
  sum f a n = f x.
Proof.
  revert a. induction n as [|n IH]; intros a X H; [lia|]. simpl. destruct (Nat.eq_dec a x) as [->|N].
  - rewrite sum_zero; [lia|]. intros i I. apply H; lia.
  - rewrite (H a), (IH (S a)); [lia | lia | | lia | exact N]. intros i I. apply H. lia.
Qed.

Lemma sum_swap (f : nat -> nat -> Z) a n b k :
  sum (fun i => sum (f i) b k) a n = sum (fun j => sum (fun i => f i j) a n) b k.
Proof.
  revert a. induction n as [|n IH]; intros a; simpl; [now rewrite sum_const, Z.mul_0_r|].
  rewrite IH. rewrite <- sum_add. reflexivity.
Qed.

(** ** Losses by cells *)

(** The loss of a word is the sum over the cells (x, y) of how often the cell is met times h_x(y). *)
Theorem total_by_counts K m h past word : (0 < m)%nat -> valid (tallying K m h) word ->
  total (tallying K m h) past word
  = sum (fun x => sum (fun y => Z.of_nat (count m x y past word) * h x y) 1 m) 0 K.
Proof.
  intros M. revert past. induction word as [|a w IH]; intros past V.
  - symmetry. apply sum_zero. intros x _. now apply sum_zero.
  - inversion V as [|? ? A V']; subst. cbn [total count]. rewrite (IH (a :: past) V'), loss_tallying by assumption.
    set (t := tally a (window m past a)). pose proof (tally_bounds m past a M) as B. fold t in B.
    symmetry. rewrite (sum_ext _ (fun x => sum (fun y => Z.of_nat (hits m x y past a) * h x y) 1 m
                                         + sum (fun y => Z.of_nat (count m x y (a :: past) w) * h x y) 1 m)).
    2:{ intros x _. rewrite <- sum_add. apply sum_ext. intros y _. rewrite Nat2Z.inj_add. lia. }
    rewrite sum_add. f_equal.
    rewrite (sum_only _ 0 K a); [|simpl in A; lia|].
    + rewrite (sum_only _ 1 m t); [|lia|]; unfold hits; fold t; rewrite Nat.eqb_refl; cbn [andb].
      * now rewrite Nat.eqb_refl, Z.mul_1_l.
      * intros y _ N. destruct (Nat.eqb_spec t y); [congruence | reflexivity].
    + intros x _ N. apply sum_zero. intros y _.
      unfold hits. destruct (Nat.eqb_spec a x); [congruence | reflexivity].
Qed.
