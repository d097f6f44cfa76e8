(** * Replaying words

    docs/certificates.md, "Primal": the loss of a word played once, of a word repeated for ever, and of runs
    [(word, repeats), ...] with repeats of any size.  Once a word fills the window, every further repetition loses the
    same, so that only a few repetitions are played. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model.
Import ListNotations.
Open Scope Z_scope.

(** Play a word: the loss on top of [acc], and the past afterwards. *)
Fixpoint play (b : bandit) (past word : list nat) (acc : Z) : Z * list nat :=
  match word with
  | [] => (acc, past)
  | a :: rest => play b (a :: past) rest (acc + loss b past a)
  end.

Fixpoint play_times (b : bandit) (n : nat) (past word : list nat) (acc : Z) : Z * list nat :=
  match n with
  | O => (acc, past)
  | S k => let (now, past') := play b past word acc in play_times b k past' word now
  end.

(** So many repetitions fill the window. *)
Definition enough (m : nat) (word : list nat) : nat := S (m / length word).

Definition play_run (b : bandit) (past word : list nat) (repeats acc : Z) : Z * list nat :=
  let c := enough (memory b) word in
  if repeats <=? Z.of_nat c then play_times b (Z.to_nat repeats) past word acc
  else
    let (now, past') := play_times b c past word acc in
    let (more, _) := play b past' word 0 in
    (now + (repeats - Z.of_nat c) * more, past').

Fixpoint play_runs (b : bandit) (past : list nat) (runs : list (list nat * Z)) (acc : Z) : Z :=
  match runs with
  | [] => acc
  | (word, repeats) :: rest => let (now, past') := play_run b past word repeats acc in play_runs b past' rest now
  end.

Definition replayed_cycle_loss (b : bandit) (word : list nat) : Z :=
  let (_, past) := play_times b (enough (memory b) word) [] word 0 in fst (play b past word 0).

(** The word that the runs stand for, and its length. *)
Definition unrolled (runs : list (list nat * Z)) : list nat :=
  flat_map (fun run => repeated (Z.to_nat (snd run)) (fst run)) runs.

Definition runs_length (runs : list (list nat * Z)) : Z :=
  fold_right (fun run n => Z.of_nat (length (fst run)) * snd run + n) 0 runs.

(** ** What these functions compute *)

Lemma play_spec b past word acc : play b past word acc = (acc + total b past word, after past word).
Proof.
  revert past acc. induction word as [|a word IH]; intros past acc.
  - simpl. now rewrite Z.add_0_r.
  - cbn [play total]. rewrite IH, after_cons. f_equal. lia.
Qed.

Lemma play_times_spec b n past word acc :
  play_times b n past word acc = (acc + total b past (repeated n word), after past (repeated n word)).
Proof.
  revert past acc. induction n as [|n IH]; intros past acc.
  - simpl. now rewrite Z.add_0_r.
  - cbn [play_times]. rewrite play_spec, IH, repeated_S, total_app, after_app. f_equal. lia.
Qed.

Lemma enough_fills m word : word <> [] -> (m <= enough m word * length word)%nat.
Proof.
  intros N. assert (L : length word <> 0%nat) by now destruct word. unfold enough.
  pose proof (Nat.mul_succ_div_gt m (length word) L). nia.
Qed.

(** Repetitions beyond those that fill the window. *)
Lemma total_more_repetitions b past c n word :
  word <> [] -> (memory b - 1 <= c * length word)%nat ->
  total b past (repeated (c + n) word) = total b past (repeated c word) + Z.of_nat n * cycle_loss b word.
Proof.
  intros N C. induction n as [|n IH]; [rewrite Nat.add_0_r; lia|].
  replace (c + S n)%nat with (S (c + n)) by lia.
  rewrite repeated_S', total_app, IH, cycle_loss_steady; [lia | nia | assumption].
Qed.

Lemma replayed_cycle_loss_spec b word : word <> [] -> replayed_cycle_loss b word = cycle_loss b word.
Proof.
  intros N. unfold replayed_cycle_loss. rewrite play_times_spec, play_spec. simpl fst.
  rewrite cycle_loss_steady; [reflexivity | | assumption]. pose proof (enough_fills (memory b) word N). lia.
Qed.

Lemma play_run_spec b past word repeats acc :
  word <> [] -> 0 <= repeats ->
  let played := repeated (Z.to_nat repeats) word in
  fst (play_run b past word repeats acc) = acc + total b past played /\
  history b (snd (play_run b past word repeats acc)) = history b (after past played).
Proof.
  intros N R. unfold play_run. set (c := enough (memory b) word).
  pose proof (enough_fills (memory b) word N) as F. fold c in F.
  destruct (Z.leb_spec repeats (Z.of_nat c)); [rewrite play_times_spec; now split|].
  rewrite play_times_spec, play_spec. cbn [fst snd]. rewrite cycle_loss_steady by (assumption || lia).
  set (n := Z.to_nat (repeats - Z.of_nat c)). replace (Z.to_nat repeats) with (c + n)%nat by lia. split.
  - rewrite total_more_repetitions by (assumption || lia). lia.
  - rewrite !history_after by (rewrite length_repeated; nia). apply history_repeated; nia.
Qed.

(** Runs as they may be written: words not empty, at least one repetition. *)
Definition proper_runs (runs : list (list nat * Z)) : Prop := Forall (fun run => fst run <> [] /\ 1 <= snd run) runs.

Theorem play_runs_spec b past runs acc :
  proper_runs runs -> play_runs b past runs acc = acc + total b past (unrolled runs).
Proof.
  intros P. revert past acc. induction P as [|[word repeats] runs [N R] P IH]; intros past acc; [simpl; lia|].
  simpl fst in *. simpl snd in *. cbn [play_runs unrolled flat_map fst snd].
  destruct (play_run_spec b past word repeats acc N ltac:(lia)) as [E H].
  destruct (play_run b past word repeats acc) as [now past']. cbn [fst snd] in *. subst now.
  rewrite IH, total_app, (same_history_same_future b past' (after past (repeated (Z.to_nat repeats) word))) by assumption.
  fold (unrolled runs). lia.
Qed.

Lemma length_unrolled runs : proper_runs runs -> Z.of_nat (length (unrolled runs)) = runs_length runs.
Proof.
  intros P. induction P as [|[word repeats] runs [N R] P IH]; [reflexivity|].
  cbn [unrolled flat_map fst snd runs_length fold_right] in *. simpl snd in R.
  rewrite app_length, length_repeated. fold (unrolled runs). fold (runs_length runs). nia.
Qed.

Lemma valid_unrolled b runs : Forall (fun run => valid b (fst run)) runs -> valid b (unrolled runs).
Proof.
  intros H. induction H as [|[word repeats] runs V H IH]; [constructor|].
  cbn [unrolled flat_map fst snd]. apply valid_app. split; [now apply valid_repeated | exact IH].
Qed.
