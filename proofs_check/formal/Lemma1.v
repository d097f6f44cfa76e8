(** * Lemma 1: a tallying bandit is a Markov decision process

    Paper, lem:bandit_mdp (line 363; proof at line 637): any tallying bandit can be equivalently expressed as a finite
    horizon MDP.  States: ({0} + X)^m; start: (0, ..., 0); playing i leads from (s_1, ..., s_m) to (s_2, ..., s_m, i)
    (printed with s_2 twice, a slip); reward 1 - h_{s_m}(how often s_m occurs).  Here a state has its latest entry first,
    like a window, and [None] is the paper's 0.

    Sharper: the last m-1 actions are a state already, and the last m-2 are not (K, m >= 2). *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences.
Import ListNotations.
Open Scope Z_scope.

(** ** The paper's process *)

Record process := Process {
  state      : Type;
  initial    : state;
  transition : state -> nat -> state;
  reward     : state -> Z              (* of the state that is reached, times the denominator *)
}.

Fixpoint total_reward (M : process) (s : state M) (word : list nat) : Z :=
  match word with
  | [] => 0
  | i :: rest => reward M (transition M s i) + total_reward M (transition M s i) rest
  end.

Definition occurrences (x : nat) (s : list (option nat)) : nat :=
  length (filter (fun entry => match entry with Some y => (y =? x)%nat | None => false end) s).

Definition paper_reward (h : nat -> nat -> Z) (D : Z) (s : list (option nat)) : Z :=
  match s with
  | Some x :: _ => D - h x (occurrences x s)
  | _ => 0                             (* the paper leaves R undefined where the last entry is 0 *)
  end.

Definition paper_process (m : nat) (h : nat -> nat -> Z) (D : Z) : process :=
  Process (list (option nat)) (repeat None m) (fun s i => firstn m (Some i :: s)) (paper_reward h D).

(** The state after a past: its last m actions, filled up with zeros. *)
Definition state_after (m : nat) (past : list nat) : list (option nat) := firstn m (map Some past ++ repeat None m).

Lemma transition_after m past i : firstn m (Some i :: state_after m past) = state_after m (i :: past).
Proof.
  unfold state_after. destruct m as [|m]; [reflexivity|]. rewrite firstn_cons, firstn_firstn, Nat.min_l by lia.
  reflexivity.
Qed.

Lemma occurrences_none x k : occurrences x (repeat None k) = 0%nat.
Proof. induction k as [|k IH]; [reflexivity | exact IH]. Qed.

Lemma occurrences_app x s t : occurrences x (s ++ t) = (occurrences x s + occurrences x t)%nat.
Proof. unfold occurrences. now rewrite filter_app, app_length. Qed.

Lemma occurrences_actions x past : occurrences x (map Some past) = tally x past.
Proof.
  unfold occurrences, tally. induction past as [|a past IH]; [reflexivity|]. simpl.
  destruct (Nat.eqb_spec a x) as [E|E], (Nat.eq_dec a x); simpl; congruence.
Qed.

(** A zero is no action: the count in the state is the tally in the window. *)
Lemma occurrences_tally m past i : occurrences i (state_after m (i :: past)) = tally i (window m past i).
Proof.
  unfold state_after, window. rewrite firstn_app, occurrences_app, firstn_map, occurrences_actions.
  replace (occurrences i (firstn _ (repeat None m))) with 0%nat; [lia|].
  rewrite <- (occurrences_none i (Nat.min (m - length (map Some (i :: past))) m)). f_equal.
  generalize (m - length (map Some (i :: past)))%nat. induction m as [|m IH]; intros [|k]; simpl; try reflexivity.
  now rewrite IH.
Qed.

Theorem rewards_are_losses K m h D past word : (0 < m)%nat ->
  total_reward (paper_process m h D) (state_after m past) word
  = Z.of_nat (length word) * D - total (tallying K m h) past word.
Proof.
  intros M. revert past. induction word as [|i w IH]; intros past; [simpl; lia|].
  cbn [total_reward total length]. rewrite loss_tallying by assumption.
  change (transition (paper_process m h D) (state_after m past) i) with (firstn m (Some i :: state_after m past)).
  rewrite transition_after, IH. change (reward (paper_process m h D)) with (paper_reward h D).
  assert (R : paper_reward h D (state_after m (i :: past)) = D - h i (tally i (window m past i))).
  { rewrite <- occurrences_tally. unfold state_after. destruct m as [|m]; [lia | reflexivity]. }
  rewrite R. lia.
Qed.

(** Lemma 1: from the start, T steps collect T minus what they lose in the bandit, whatever is played. *)
Theorem lemma1 K m h D word : (0 < m)%nat ->
  total_reward (paper_process m h D) (initial (paper_process m h D)) word
  = Z.of_nat (length word) * D - total (tallying K m h) [] word.
Proof.
  intros M. rewrite <- rewards_are_losses by assumption. f_equal. unfold state_after. simpl.
  symmetry. apply firstn_all2. now rewrite repeat_length.
Qed.

(** ** The window of a state *)

(** How many actions a state must hold. *)
Definition lemma1_state (m : nat) : nat := (m - 1)%nat.

Theorem lemma1_enough b past past' word :
  firstn (lemma1_state (memory b)) past = firstn (lemma1_state (memory b)) past' -> total b past word = total b past' word.
Proof. apply same_history_same_future. Qed.

Lemma tally_repeat x k : tally x (repeat x k) = k.
Proof. unfold tally. induction k as [|k IH]; [reflexivity|]. simpl. destruct (Nat.eq_dec x x); congruence. Qed.

Lemma firstn_repeat (x k n : nat) : (k <= n)%nat -> firstn k (repeat x n) = repeat x k.
Proof. revert n. induction k as [|k IH]; intros [|n] H; simpl; try reflexivity; [lia|]. now rewrite IH by lia. Qed.

(** One action less is not enough: the tallies m and m-1 of action 0 cannot be told apart. *)
Theorem lemma1_needed K m k : (2 <= K)%nat -> (2 <= m)%nat -> (k < lemma1_state m)%nat ->
  exists h past past', valid (tallying K m h) past /\ valid (tallying K m h) past' /\
    table_within K m h 1 /\ firstn k past = firstn k past' /\ loss (tallying K m h) past 0 <> loss (tallying K m h) past' 0.
Proof.
  unfold lemma1_state. intros HK HM Hk. exists (single 0 m), (repeat 0%nat (m - 1)), (repeat 0%nat (m - 2) ++ [1%nat]).
  assert (Z0 : forall n, Forall (fun a => (a < K)%nat) (repeat 0%nat n)).
  { intros n. apply Forall_forall. intros a I. apply repeat_spec in I. lia. }
  repeat split; [apply Z0 | apply Forall_app; split; [apply Z0 | constructor; [simpl; lia | constructor]]
                | unfold single; destruct (_ && _)%bool; lia | unfold single; destruct (_ && _)%bool; lia | |].
  - rewrite firstn_app, !firstn_repeat, repeat_length by lia. replace (k - (m - 2))%nat with 0%nat by lia.
    now rewrite app_nil_r.
  - rewrite !loss_tallying by lia.
    assert (A : tally 0 (window m (repeat 0%nat (m - 1)) 0) = m).
    { unfold window. change (0%nat :: repeat 0%nat (m - 1)) with (repeat 0%nat (S (m - 1))).
      rewrite firstn_repeat, tally_repeat by lia. reflexivity. }
    assert (B : tally 0 (window m (repeat 0%nat (m - 2) ++ [1%nat]) 0) = (m - 1)%nat).
    { unfold window. rewrite firstn_all2 by (simpl; rewrite app_length, repeat_length; simpl; lia).
      unfold tally. simpl. rewrite count_occ_app. fold (tally 0 (repeat 0%nat (m - 2))). rewrite tally_repeat. simpl. lia. }
    rewrite A, B. unfold single. rewrite Nat.eqb_refl. simpl.
    destruct (Nat.eqb_spec m m), (Nat.eqb_spec (m - 1) m); lia.
Qed.
