(** * The model

    A player chooses one of K actions, named 0, ..., K-1, at every step.  The loss of a step depends only on its
    window: the last m actions, the current one included; at the start of play the window is shorter.  (The paper's
    "m-memory bounded" or "g-restricted" losses.)  In a tallying bandit the loss of playing x is h_x(y), where y is the
    number of times that x occurs in the window.

    Losses are integers: a rational table is multiplied by its common denominator first ([Language.v] goes back).
    A past and a window are lists with the latest action first; a word (actions to be played) is in the order of play. *)

Require Import List ZArith Lia Arith.
Import ListNotations.
Open Scope Z_scope.

Record bandit := Bandit {
  actions : nat;                (* K *)
  memory  : nat;                (* m *)
  cost    : list nat -> Z       (* the loss of a window, latest action first *)
}.

(** ** Windows and losses *)

Definition window (m : nat) (past : list nat) (a : nat) : list nat := firstn m (a :: past).

Definition loss (b : bandit) (past : list nat) (a : nat) : Z := cost b (window (memory b) past a).

(** The total loss of a word played after a past. *)
Fixpoint total (b : bandit) (past word : list nat) : Z :=
  match word with
  | [] => 0
  | a :: rest => loss b past a + total b (a :: past) rest
  end.

(** The past after a word. *)
Definition after (past word : list nat) : list nat := rev word ++ past.

Definition valid (b : bandit) (word : list nat) : Prop := Forall (fun a => (a < actions b)%nat) word.

(** ** Tallying bandits *)

Definition tally (a : nat) (w : list nat) : nat := count_occ Nat.eq_dec w a.

Definition tally_cost (h : nat -> nat -> Z) (w : list nat) : Z :=
  match w with
  | [] => 0
  | a :: _ => h a (tally a w)
  end.

Definition tallying (K m : nat) (h : nat -> nat -> Z) : bandit := Bandit K m (tally_cost h).

(** A table as it is written down: row x holds h_x(1), ..., h_x(m). *)
Definition entry (rows : list (list Z)) (x y : nat) : Z := nth (y - 1) (nth x rows []) 0.

(** ** The optimum *)

Definition plays (b : bandit) (T : nat) (word : list nat) : Prop := length word = T /\ valid b word.

(** v is OPT_T after the given start: attained by a word of length T, and no word of length T loses less. *)
Definition is_optimum (b : bandit) (T : nat) (start : list nat) (v : Z) : Prop :=
  (exists word, plays b T word /\ total b start word = v) /\
  (forall word, plays b T word -> v <= total b start word).

(** The minimum of f(0), ..., f(k). *)
Fixpoint min_upto (f : nat -> Z) (k : nat) : Z :=
  match k with
  | O => f O
  | S j => Z.min (min_upto f j) (f k)
  end.

(** The same optimum, computed step by step. *)
Fixpoint opt (b : bandit) (T : nat) (past : list nat) : Z :=
  match T with
  | O => 0
  | S t => min_upto (fun a => loss b past a + opt b t (a :: past)) (actions b - 1)
  end.

(** ** For ever *)

(** The word u, n times. *)
Definition repeated (n : nat) (u : list nat) : list nat := concat (repeat u n).

(** What the word u loses in one period when it is repeated for ever: in the steady state, when the window holds
    nothing but repetitions of u.  The mean per step is this divided by the length of u. *)
Definition cycle_loss (b : bandit) (u : list nat) : Z := total b (rev (repeated (memory b) u)) u.

(** The first n actions of an infinite sequence. *)
Definition prefix (f : nat -> nat) (n : nat) : list nat := map f (seq 0 n).

(** No policy has a long-run loss per step below p/q (for q > 0): after every start there is a constant C such that
    every n steps lose at least n p/q - C/q in total. *)
Definition long_run_at_least (b : bandit) (p q : Z) : Prop :=
  forall start, valid b start -> exists C, forall word, valid b word ->
    Z.of_nat (length word) * p <= q * total b start word + C.

(** No word, repeated for ever, has a mean below p/q. *)
Definition words_at_least (b : bandit) (p q : Z) : Prop :=
  forall u, u <> [] -> valid b u -> Z.of_nat (length u) * p <= q * cycle_loss b u.

(** * First consequences *)

Lemma after_app past u w : after past (u ++ w) = after (after past u) w.
Proof. unfold after. now rewrite rev_app_distr, app_assoc. Qed.

Lemma after_cons past a w : after past (a :: w) = after (a :: past) w.
Proof. unfold after. simpl. now rewrite <- app_assoc. Qed.

Lemma length_after past w : length (after past w) = (length w + length past)%nat.
Proof. unfold after. now rewrite app_length, rev_length. Qed.

(** The total loss of a concatenation. *)
Lemma total_app b past u w : total b past (u ++ w) = total b past u + total b (after past u) w.
Proof.
  revert past. induction u as [|a u IH]; intros past; [reflexivity|].
  rewrite after_cons. simpl. rewrite IH. lia.
Qed.

Lemma valid_app b u w : valid b (u ++ w) <-> valid b u /\ valid b w.
Proof. unfold valid. apply Forall_app. Qed.

Lemma valid_rev b w : valid b w -> valid b (rev w).
Proof. apply Forall_rev. Qed.

Lemma valid_after b past w : valid b past -> valid b w -> valid b (after past w).
Proof. intros. apply valid_app. split; [now apply valid_rev | assumption]. Qed.

Lemma Forall_firstn (P : nat -> Prop) n w : Forall P w -> Forall P (firstn n w).
Proof. rewrite !Forall_forall. intros H x X. apply H. rewrite <- (firstn_skipn n w). apply in_or_app. now left. Qed.

Lemma valid_firstn b n w : valid b w -> valid b (firstn n w).
Proof. apply Forall_firstn. Qed.

(** ** Lemma 1: the last m-1 actions are a state *)

Definition history (b : bandit) (past : list nat) : list nat := firstn (memory b - 1) past.

Lemma window_history m past a : window m (firstn (m - 1) past) a = window m past a.
Proof.
  unfold window. destruct m as [|m]; [reflexivity|].
  simpl. rewrite Nat.sub_0_r, firstn_firstn, Nat.min_id. reflexivity.
Qed.

Lemma loss_history b past a : loss b (history b past) a = loss b past a.
Proof. unfold loss, history. now rewrite window_history. Qed.

Lemma firstn_cons_history n (a : nat) past past' :
  firstn n past = firstn n past' -> firstn n (a :: past) = firstn n (a :: past').
Proof.
  destruct n as [|n]; [reflexivity|]. intros H. rewrite !firstn_cons. f_equal.
  apply (f_equal (firstn n)) in H. now rewrite !firstn_firstn, Nat.min_l in H by lia.
Qed.

(** Two pasts with the same last m-1 actions have the same future: Lemma 1. *)
Theorem same_history_same_future b past past' w :
  history b past = history b past' -> total b past w = total b past' w.
Proof.
  unfold history. revert past past'. induction w as [|a w IH]; intros past past' H; [reflexivity|].
  simpl. rewrite (IH (a :: past) (a :: past')) by now apply firstn_cons_history.
  rewrite <- (loss_history b past), <- (loss_history b past'). unfold history. now rewrite H.
Qed.

Lemma history_idem b past : history b (history b past) = history b past.
Proof. unfold history. now rewrite firstn_firstn, Nat.min_id. Qed.

Lemma total_history b past w : total b (history b past) w = total b past w.
Proof. apply same_history_same_future, history_idem. Qed.

Lemma valid_history b past : valid b past -> valid b (history b past).
Proof. apply valid_firstn. Qed.

Lemma history_after b past w : (memory b - 1 <= length w)%nat -> history b (after past w) = history b (rev w).
Proof. intros H. unfold history, after. rewrite firstn_app, rev_length.
  now replace (memory b - 1 - length w)%nat with 0%nat by lia; rewrite app_nil_r. Qed.

Lemma history_history_after b past w : history b (after (history b past) w) = history b (after past w).
Proof.
  unfold history, after. rewrite !firstn_app, firstn_firstn, Nat.min_l by lia. reflexivity.
Qed.

(** ** The optimum exists, is unique and is computed by [opt] *)

Lemma min_upto_le f k a : (a <= k)%nat -> min_upto f k <= f a.
Proof.
  induction k as [|k IH]; intros H; [now replace a with 0%nat by lia|].
  simpl. destruct (Nat.eq_dec a (S k)) as [->|]; [lia|]. specialize (IH ltac:(lia)). lia.
Qed.

Lemma min_upto_attained f k : exists a, (a <= k)%nat /\ min_upto f k = f a.
Proof.
  induction k as [|k (a & Ha & E)]; [now exists 0%nat|].
  simpl. destruct (Z.min_dec (min_upto f k) (f (S k))) as [->| ->];
    [exists a | exists (S k)]; split; solve [assumption | lia].
Qed.

Lemma min_upto_ext f g k : (forall a, (a <= k)%nat -> f a = g a) -> min_upto f k = min_upto g k.
Proof.
  induction k as [|k IH]; intros H; simpl; [apply H; lia|].
  rewrite IH, (H (S k)); auto.
Qed.

Lemma opt_lower b T past w : plays b T w -> opt b T past <= total b past w.
Proof.
  revert past w. induction T as [|t IH]; intros past w [L V].
  - destruct w; [simpl; lia | discriminate].
  - destruct w as [|a w]; [discriminate|]. inversion V as [|? ? Ha V' ]; subst.
    specialize (IH (a :: past) w (conj (f_equal pred L) V')). simpl.
    pose proof (min_upto_le (fun a => loss b past a + opt b t (a :: past)) (actions b - 1) a ltac:(lia)). simpl in *.
    lia.
Qed.

Lemma opt_attained b T past : (0 < actions b)%nat -> exists w, plays b T w /\ total b past w = opt b T past.
Proof.
  intros K. revert past. induction T as [|t IH]; intros past.
  - exists []. repeat split. constructor.
  - simpl. destruct (min_upto_attained (fun a => loss b past a + opt b t (a :: past)) (actions b - 1)) as (a & Ha & ->).
    destruct (IH (a :: past)) as (w & [L V] & E). exists (a :: w). repeat split.
    + simpl. now rewrite L.
    + constructor; [lia | exact V].
    + simpl. now rewrite E.
Qed.

Theorem opt_is_optimum b T start : (0 < actions b)%nat -> is_optimum b T start (opt b T start).
Proof. intros K. split; [now apply opt_attained | intros w; apply opt_lower]. Qed.

Theorem is_optimum_unique b T start v v' : is_optimum b T start v -> is_optimum b T start v' -> v = v'.
Proof. intros [(w & P & <-) B] [(w' & P' & <-) B']. apply Z.le_antisymm; auto. Qed.

Corollary is_optimum_opt b T start v : is_optimum b T start v -> v = opt b T start.
Proof.
  intros O. assert (K : (0 < actions b)%nat \/ T = 0%nat).
  { destruct T; [now right|]. left. destruct O as [(w & [L V] & _) _]. destruct w; [discriminate|]. inversion V; lia. }
  destruct K as [K | ->].
  - exact (is_optimum_unique _ _ _ _ _ O (opt_is_optimum b T start K)).
  - destruct O as [(w & [L _] & <-) _]. now destruct w.
Qed.

Lemma opt_same_history b T past past' : history b past = history b past' -> opt b T past = opt b T past'.
Proof.
  revert past past'. induction T as [|t IH]; intros past past' H; [reflexivity|]. simpl. apply min_upto_ext. intros a _.
  rewrite (IH (a :: past) (a :: past')) by now apply firstn_cons_history.
  now rewrite <- (loss_history b past), <- (loss_history b past'), H.
Qed.

Lemma opt_history b T past : opt b T (history b past) = opt b T past.
Proof. apply opt_same_history, history_idem. Qed.

(** ** A word repeated for ever *)

Lemma repeated_S n u : repeated (S n) u = u ++ repeated n u.
Proof. reflexivity. Qed.

Lemma repeated_add n k u : repeated (n + k) u = repeated n u ++ repeated k u.
Proof. unfold repeated. now rewrite repeat_app, concat_app. Qed.

Lemma repeated_S' n u : repeated (S n) u = repeated n u ++ u.
Proof. replace (S n) with (n + 1)%nat by lia. rewrite repeated_add. unfold repeated at 2. simpl.
  now rewrite app_nil_r. Qed.

Lemma length_repeated n u : length (repeated n u) = (n * length u)%nat.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite repeated_S, app_length, IH. lia. Qed.

Lemma valid_repeated b n u : valid b u -> valid b (repeated n u).
Proof. intros V. induction n as [|n IH]; [constructor|]. rewrite repeated_S. now apply valid_app. Qed.

(** Once u was repeated often enough to fill the window, how often does not matter. *)
Lemma history_repeated b n k u :
  (memory b - 1 <= n * length u)%nat -> (memory b - 1 <= k * length u)%nat ->
  history b (rev (repeated n u)) = history b (rev (repeated k u)).
Proof.
  assert (A : forall n k, (memory b - 1 <= n * length u)%nat ->
                          history b (rev (repeated (k + n) u)) = history b (rev (repeated n u))).
  { intros n' k' H. rewrite repeated_add, rev_app_distr. unfold history.
    rewrite firstn_app, rev_length, length_repeated.
    replace (memory b - 1 - n' * length u)%nat with 0%nat by lia. now rewrite app_nil_r. }
  intros Hn Hk. rewrite <- (A n k), <- (A k n) by assumption. now rewrite Nat.add_comm.
Qed.

Theorem cycle_loss_steady b start n u :
  (memory b - 1 <= n * length u)%nat -> u <> [] -> total b (after start (repeated n u)) u = cycle_loss b u.
Proof.
  intros H N. unfold cycle_loss. apply same_history_same_future.
  rewrite history_after by (rewrite length_repeated; lia). apply history_repeated; [assumption|].
  destruct u; [congruence|]. simpl. nia.
Qed.

(** The first m repetitions aside, every repetition of u loses the same. *)
Theorem total_repeated b start n u :
  u <> [] ->
  total b start (repeated (memory b + n) u) = total b start (repeated (memory b) u) + Z.of_nat n * cycle_loss b u.
Proof.
  intros N. induction n as [|n IH]; [rewrite Nat.add_0_r; lia|].
  replace (memory b + S n)%nat with (S (memory b + n)) by lia.
  rewrite repeated_S', total_app, IH, cycle_loss_steady; [lia | | assumption].
  destruct u; [congruence|]. simpl. nia.
Qed.

(** The past when w was repeated for ever. *)
Definition steady (b : bandit) (w : list nat) : list nat := rev (repeated (memory b) w).

Lemma repeated_rotation n u v : repeated n (u ++ v) ++ u = u ++ repeated n (v ++ u).
Proof.
  induction n as [|n IH]; [simpl; now rewrite app_nil_r|]. rewrite !repeated_S, <- !app_assoc.
  now rewrite IH, !app_assoc.
Qed.

Lemma long_enough b (w : list nat) : w <> [] -> (memory b - 1 <= length (repeated (memory b) w))%nat.
Proof. intros N. rewrite length_repeated. destruct w; [congruence|]. simpl. nia. Qed.

(** In the steady state of u ++ v, after u, the future is that of the steady state of v ++ u. *)
Lemma steady_rotation b u v : u ++ v <> [] -> history b (after (steady b (u ++ v)) u) = history b (steady b (v ++ u)).
Proof.
  intros N. unfold steady, after. rewrite <- rev_app_distr, repeated_rotation, rev_app_distr. unfold history.
  rewrite firstn_app, rev_length.
  assert (L : (memory b - 1 <= length (repeated (memory b) (v ++ u)))%nat).
  { apply long_enough. intros E. apply app_eq_nil in E as [-> ->]. now apply N. }
  replace (memory b - 1 - _)%nat with 0%nat by lia. now rewrite app_nil_r.
Qed.

Theorem cycle_loss_rotation b u v : u ++ v <> [] -> cycle_loss b (u ++ v) = cycle_loss b (v ++ u).
Proof.
  intros N. assert (N' : v ++ u <> []) by (intros E; apply app_eq_nil in E as [-> ->]; now apply N).
  unfold cycle_loss. fold (steady b (u ++ v)). fold (steady b (v ++ u)). rewrite !total_app.
  rewrite (same_history_same_future b _ _ v (steady_rotation b u v N)).
  rewrite (same_history_same_future b _ _ u (steady_rotation b v u N')). lia.
Qed.

(** ** Long-run losses *)

(** A bound of all policies is a bound of all words. *)
Theorem long_run_words b p q : long_run_at_least b p q -> words_at_least b p q.
Proof.
  intros H u N V. destruct (H [] (Forall_nil _)) as (C & HC).
  set (L := Z.of_nat (length u)). set (c := cycle_loss b u).
  set (B := q * total b [] (repeated (memory b) u) + C - Z.of_nat (memory b) * L * p).
  assert (E : forall n, Z.of_nat n * (L * p - q * c) <= B).
  { intros n. specialize (HC _ (valid_repeated b (memory b + n) u V)).
    rewrite length_repeated, total_repeated in HC by assumption.
    unfold B, L, c. rewrite Nat2Z.inj_mul, Nat2Z.inj_add in HC. nia. }
  destruct (Z_le_gt_dec (L * p) (q * c)) as [|G]; [assumption|]. exfalso.
  specialize (E (Z.to_nat (Z.max 0 B + 1))). rewrite Z2Nat.id in E by lia. nia.
Qed.
