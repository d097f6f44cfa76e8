(** * Theorem 1, repaired: the regret of Algorithm 1 with high probability

    Paper, thm:upper (line 302), Algorithm 1 (line 265).  The paper's statement fails where its right side is negative; its
    proof is complete on the horizons that Algorithm 1 fits, sqrt(T) = 4Km (2^S - 1) with an integer S >= 1, for observations
    whose mean given the past is h (Definition 1 gives marginal means only).  There, with L = sqrt(T),
    lg = log(2KmS/delta), and widths sqrt(kappa Km lg/(n_s L)) for any kappa >= 1/2 (the paper's 32, for example), the complete
    policy regret is, but for probability delta, at most

        8 (1 + sqrt 2) sqrt(kappa lg) Km L + 4 Km L + (S-1) Km (m-1) + (m-1) L.

    The real numbers of the standard library are used, with their axioms. *)

Require Import List ZArith Lia Arith Reals Lra.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Lemma3 TallyPlan.Elimination
  TallyPlan.Lemma6 TallyPlan.Lemma6AtOne TallyPlan.Lemma5 TallyPlan.OptimismEpochs TallyPlan.OptimismRadii TallyPlan.OptimismEvent
  TallyPlan.Hoeffding TallyPlan.Lemma7 TallyPlan.Theorem1OnEvents.
Import ListNotations.
Open Scope R_scope.

(** ** Games from a later start *)

Lemma expect_add next a b f : forall past, expect next (a + b) past f = expect next a past (fun p => expect next b p f).
Proof.
  induction a as [|a IH]; intros past; [reflexivity|]. cbn [Nat.add expect]. apply expectation_ext. intros v. apply IH.
Qed.

Lemma expect_shift next b f p : forall ys,
  expect next b (ys ++ p) f = expect (fun zs => next (zs ++ p)) b ys (fun zs => f (zs ++ p)).
Proof.
  induction b as [|b IH]; intros ys; [reflexivity|]. cbn [expect]. apply expectation_ext. intros v. apply (IH (v :: ys)).
Qed.

(** What holds after n observations still holds of them after k more. *)
Lemma holds_later next n k delta good : (forall past, Hoeffding.proper (next past)) -> holds_but_for next n delta good ->
  holds_but_for next (n + k) delta (fun xs => good (skipn k xs)).
Proof.
  intros NP (off & P & B & E). exists (fun xs => off (skipn k xs)). split; [intros; apply P|]. split.
  - intros xs LX. apply B. rewrite skipn_length. lia.
  - rewrite expect_add. refine (Rle_trans _ _ _ _ E). apply expect_le; [exact NP|]. intros p.
    change (expect next k p) with (expect next k ([] ++ p)). rewrite expect_shift.
    apply (Rle_trans _ (expect (fun zs => next (zs ++ p)) k [] (fun _ => off p * 1 + 0 * 1))).
    + apply expect_le_later; [intros; apply NP|]. intros zs LZ. rewrite Nat.add_0_r in LZ.
      rewrite skipn_app, <- LZ, Nat.sub_diag, skipn_all. cbn [skipn app]. lra.
    + rewrite (expect_linear _ k (off p) 0 (fun _ => 1) (fun _ => 1)), expect_one by (intros; apply NP). lra.
Qed.

(** The probabilities of failure add up. *)
Lemma holds_all next n d (good : nat -> list R -> Prop) j : (forall past, Hoeffding.proper (next past)) ->
  (forall s, (1 <= s <= j)%nat -> holds_but_for next n d (good s)) ->
  holds_but_for next n (INR j * d) (fun xs => forall s, (1 <= s <= j)%nat -> good s xs).
Proof.
  intros NP. induction j as [|j IH]; intros H.
  - exists (fun _ => 0 * 1 + 0 * 1). split; [intros; lra|]. split; [intros; left; intros; lia|].
    rewrite (expect_linear next n 0 0 (fun _ => 1) (fun _ => 1)). cbn [INR]. lra.
  - destruct (IH ltac:(intros; apply H; lia)) as (off & P & B & E). destruct (H (S j) ltac:(lia)) as (last & P' & B' & E').
    exists (fun xs => 1 * off xs + 1 * last xs). split; [intros xs; specialize (P xs); specialize (P' xs); lra|]. split.
    + intros xs LX. specialize (P xs). specialize (P' xs). destruct (B xs LX) as [G|G]; [|right; lra].
      destruct (B' xs LX) as [G'|G']; [left | right; lra]. intros s HS. destruct (Nat.eq_dec s (S j)) as [->|]; [exact G' | apply G; lia].
    + rewrite expect_linear, S_INR. lra.
Qed.

(** ** Positions in a word *)

(** Where a cell comes in a list of cells. *)
Fixpoint index (l : list (nat * nat)) (c : nat * nat) : nat :=
  match l with [] => 0 | d :: r => if same_cell d c then 0 else S (index r c) end.

Lemma same_cell_refl c : same_cell c c = true.
Proof. unfold same_cell. now rewrite !Nat.eqb_refl. Qed.

Lemma index_splits l c : In c l -> exists l1 l2, l = l1 ++ c :: l2 /\ length l1 = index l c.
Proof.
  induction l as [|d l IH]; [intros []|]. intros I. cbn [index]. destruct (same_cell d c) eqn:E.
  - apply same_cell_eq in E as ->. now exists [], l.
  - destruct I as [->|I]; [now rewrite same_cell_refl in E|]. destruct (IH I) as (l1 & l2 & -> & L).
    exists (d :: l1), l2. split; [reflexivity | simpl; now rewrite L].
Qed.

(** The cell that step t of a word meets. *)
Definition cell_at (m : nat) (before : list nat) (w : list nat) (t : nat) : nat * nat :=
  let a := nth t w 0%nat in (a, tally a (window m (after before (firstn t w)) a)).

Lemma firstn_S_nth (w : list nat) t : (t < length w)%nat -> firstn (S t) w = firstn t w ++ [nth t w 0%nat].
Proof.
  revert t. induction w as [|a w IH]; intros t H; [simpl in H; lia|]. destruct t as [|t]; [reflexivity|].
  change (a :: firstn (S t) w = a :: (firstn t w ++ [nth t w 0%nat])). f_equal. apply IH. simpl in H. lia.
Qed.

Lemma count_in_range m c before w a b t : (t <= length w)%nat ->
  counted (fun ys => (a <=? length ys) && (length ys <? a + b) && same_cell (cell_at m before w (length ys)) c)%bool%nat
      (repeat 0 t)
  = count m (fst c) (snd c) (after before (firstn a w)) (firstn (Nat.min b (t - a)) (skipn a w)).
Proof.
  induction t as [|t IH]; intros T; [simpl; now rewrite Nat.min_0_r|]. cbn [repeat counted].
  rewrite IH, repeat_length by lia. clear IH.
  destruct (Nat.leb_spec a t) as [A|A]; cbn [andb]; [|now replace (S t - a)%nat with (t - a)%nat by lia].
  destruct (Nat.ltb_spec t (a + b)) as [B|B]; cbn [andb]; [|now rewrite !Nat.min_l by lia].
  rewrite !Nat.min_r by lia. replace (S t - a)%nat with (S (t - a)) by lia.
  rewrite (firstn_S_nth (skipn a w)) by (rewrite skipn_length; lia). rewrite count_app. cbn [count].
  rewrite Nat.add_0_r, Nat.add_comm. f_equal.
  assert (E1 : nth (t - a) (skipn a w) 0%nat = nth t w 0%nat).
  { rewrite <- (firstn_skipn a w) at 2. rewrite app_nth2; rewrite firstn_length, Nat.min_l by lia; [reflexivity | lia]. }
  assert (E2 : after (after before (firstn a w)) (firstn (t - a) (skipn a w)) = after before (firstn t w)).
  { rewrite <- after_app. f_equal. rewrite <- (firstn_skipn a w) at 3. rewrite firstn_app, firstn_firstn, firstn_length.
    now rewrite (Nat.min_r t a), (Nat.min_l a) by lia. }
  rewrite E1, E2. unfold hits, cell_at, same_cell. cbn [fst snd].
  destruct (Nat.eqb_spec (nth t w 0%nat) (fst c)) as [->|]; reflexivity.
Qed.

(** [counted] looks at lengths only, if the rule does. *)
Lemma counted_by_length rule rule' xs : (forall r, (length r < length xs)%nat -> rule r = rule' (repeat 0 (length r))) ->
  counted rule xs = counted rule' (repeat 0 (length xs)).
Proof.
  induction xs as [|v xs IH]; intros H; [reflexivity|]. cbn [counted length repeat]. rewrite (H xs) by (simpl; lia).
  rewrite IH; [reflexivity|]. intros r R. apply H. simpl. lia.
Qed.

Lemma survivors_step R K m h L e c w r pi : survivors R K m h L e c w (S (S r)) pi
  = (survivors R K m h L e c w (S r) pi /\ at_most_above R (times R elimination_factor (w (S r))) (e (S r) pi)
                                                               (e (S r) (c (S r)))).
Proof. reflexivity. Qed.

(** ** The algorithm *)

Section Algorithm1.
Variables (K m : nat) (h : nat -> nat -> Z) (D : Z) (L S : nat) (kappa delta : R).
Variable pick : nat -> list R -> nat * nat -> list nat.  (* pi_sxy, given the observations before epoch s *)
Variable select : nat -> list R -> list nat.             (* pihat_s, given those until its end *)
Variable act : list R -> nat.
Variable next : list R -> distribution.
Hypothesis some_action : (0 < K)%nat.
Hypothesis some_memory : (0 < m)%nat.
Hypothesis positive : (0 < D)%Z.
Hypothesis losses : table_within K m h D.
Hypothesis some_epoch : (1 <= S)%nat.
Hypothesis horizon : L = (4 * (K * m) * (2 ^ S - 1))%nat.
Hypothesis kappa_enough : 1 / 2 <= kappa.
Hypothesis delta_fine : 0 < delta < 1.

Let lg := ln (2 * INR (K * m) * INR S / delta).
Let loss_of (c : nat * nat) : R := IZR (h (fst c) (snd c)) / IZR D.
Let wide := width K m D L kappa lg.

(** The steps of epoch s, and of the first s epochs. *)
Definition epoch_steps (s : nat) : nat := (K * m * (2 * 2 ^ s) * L)%nat.
Fixpoint steps_until (s : nat) : nat := match s with O => 0 | Datatypes.S r => steps_until r + epoch_steps s end.

(** The observations of the first s epochs. *)
Definition until (s : nat) (xs : list R) : list R := skipn (length xs - steps_until s) xs.

(** What epoch s plays and records, given the observations p before it. *)
Definition epoch_of (s : nat) (p : list R) : list nat := epoch (2 ^ s) (map (pick s p) (cells K m)).
Definition record_from (s : nat) (c : nat * nat) : nat := (index (cells K m) c * (2 * 2 ^ s * L) + 2 ^ s * L)%nat.
Definition records (s : nat) (p : list R) (c : nat * nat) (ys : list R) : bool :=
  ((record_from s c <=? length ys) && (length ys <? record_from s c + 2 ^ s * L)
   && same_cell (next_cell m act (ys ++ p)) c)%bool%nat.
Definition most_of (s : nat) (p : list R) (c : nat * nat) : nat := N m (pick s p c) (fst c) (snd c).

(** muhat_s, times L D, given the observations q until the end of epoch s. *)
Definition estimate_of (s : nat) (q : list R) (pi : list nat) : R :=
  let ys := firstn (epoch_steps s) q in let p := skipn (epoch_steps s) q in
  IZR (Z.of_nat L * D) * estimated_mean K m (cell_estimate (2 ^ s) (records s p) (most_of s p) ys) L pi.

(** A_s, given observations xs of at least s-1 epochs. *)
Definition alive (s : nat) (xs : list R) : list nat -> Prop :=
  survivors reals K m h L (fun r => estimate_of r (until r xs)) (fun r => select r (until r xs)) wide s.

(** The play follows Algorithm 1. *)
Definition follows_algorithm1 : Prop :=
  (forall s p ys, (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> (length ys < epoch_steps s)%nat ->
     act (ys ++ p) = nth (length ys) (epoch_of s p) 0%nat) /\
  (forall s p c, (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> In c (cells K m) ->
     alive s p (pick s p c) /\ forall pi, alive s p pi -> (N m pi (fst c) (snd c) <= most_of s p c)%nat) /\
  (forall s xs, (1 <= s <= S)%nat -> (steps_until s <= length xs)%nat ->
     chosen_well reals K m h L (fun r => estimate_of r (until r xs)) (fun r => select r (until r xs)) wide s).

Hypothesis follows : follows_algorithm1.
Hypothesis next_proper : forall past, Hoeffding.proper (next past).
Hypothesis mean_given_past : forall past, mean (next past) = loss_of (next_cell m act past).

Lemma L_pos : (0 < L)%nat.
Proof. exact (horizon_pos K m L S some_action some_memory some_epoch horizon). Qed.

Lemma n_pos s : (0 < 2 ^ s)%nat.
Proof. apply Nat.neq_0_lt_0, Nat.pow_nonzero. lia. Qed.

Lemma until_suffix s xs ys : (steps_until s <= length xs)%nat -> until s (ys ++ xs) = until s xs.
Proof.
  intros H. unfold until. rewrite app_length.
  replace (length ys + length xs - steps_until s)%nat with (length ys + (length xs - steps_until s))%nat by lia.
  rewrite skipn_app. replace (length ys + (length xs - steps_until s) - length ys)%nat with (length xs - steps_until s)%nat
      by lia.
  rewrite skipn_all2 by lia. reflexivity.
Qed.

Lemma steps_until_mono r s : (r <= s)%nat -> (steps_until r <= steps_until s)%nat.
Proof. induction 1; simpl; lia. Qed.

Lemma steps_until_last s : (1 <= s)%nat -> steps_until s = (steps_until (s - 1) + epoch_steps s)%nat.
Proof. intros H. destruct s; [lia|]. cbn [steps_until]. now rewrite Nat.sub_succ, Nat.sub_0_r. Qed.

Lemma until_all s xs : length xs = steps_until s -> until s xs = xs.
Proof. intros E. unfold until. now rewrite E, Nat.sub_diag. Qed.

(** A_s depends on the observations before epoch s only. *)
Lemma alive_suffix s xs ys pi : (steps_until (s - 1) <= length xs)%nat -> (alive s (ys ++ xs) pi <-> alive s xs pi).
Proof.
  unfold alive. revert pi. induction s as [|s IH]; intros pi H; [reflexivity|]. destruct s as [|r]; [reflexivity|].
  rewrite !survivors_step. replace (Datatypes.S (Datatypes.S r) - 1)%nat with (Datatypes.S r) in H by lia.
  rewrite IH by (pose proof (steps_until_mono (Datatypes.S r - 1) (Datatypes.S r) ltac:(lia)); lia).
  rewrite (until_suffix (Datatypes.S r) xs ys H). reflexivity.
Qed.

Lemma pick_plays s p c : (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> In c (cells K m) ->
  plays (tallying K m h) L (pick s p c).
Proof.
  intros HS HP I. destruct follows as (_ & A & _).
  apply (survivors_are_policies reals) with (1 := proj1 (A s p c HS HP I)).
Qed.

Lemma executions_length s p l : (1 <= s <= S)%nat -> length p = steps_until (s - 1) ->
  (forall c, In c l -> In c (cells K m)) ->
  length (flat_map (repeated (2 * 2 ^ s)) (map (pick s p) l)) = (length l * (2 * 2 ^ s * L))%nat.
Proof.
  intros HS HP. induction l as [|c l IH]; intros SUB; [reflexivity|]. cbn [map flat_map length].
  rewrite app_length, length_repeated, IH by (intros; apply SUB; now right).
  rewrite (proj1 (pick_plays s p c HS HP (SUB c (or_introl eq_refl)))). lia.
Qed.

Lemma epoch_of_length s p : (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> length (epoch_of s p) = epoch_steps s.
Proof.
  intros HS HP. unfold epoch_of, epoch. rewrite executions_length by auto. unfold cells, epoch_steps.
  rewrite prod_length, !seq_length. lia.
Qed.

(** The actions of epoch s. *)
Lemma path_in_epoch s p ys : (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> (length ys <= epoch_steps s)%nat ->
  path act (ys ++ p) = after (path act p) (firstn (length ys) (epoch_of s p)).
Proof.
  intros HS HP. induction ys as [|v ys IH]; intros B; [reflexivity|]. cbn [app path length] in *. rewrite IH by lia.
  destruct follows as (A & _). rewrite (A s p ys HS HP) by lia.
  rewrite firstn_S_nth by (rewrite epoch_of_length by assumption; lia).
  rewrite after_app. reflexivity.
Qed.

Lemma next_cell_in_epoch s p ys : (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> (length ys < epoch_steps s)%nat ->
  next_cell m act (ys ++ p) = cell_at m (path act p) (epoch_of s p) (length ys).
Proof.
  intros HS HP B. unfold next_cell, cell_at. rewrite (path_in_epoch s p ys HS HP) by lia. destruct follows as (A & _).
  now rewrite (A s p ys HS HP B).
Qed.

(** Each cell is recorded n_s N_xy(pi_sxy) sqrt(T) times. *)
Lemma number_of_records s p c ys : (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> In c (cells K m) ->
  length ys = epoch_steps s ->
  counted (records s p c) ys = (2 ^ s * most_of s p c)%nat.
Proof.
  intros HS HP I LY. set (n := (2 ^ s)%nat) in *. set (a := record_from s c). set (w := epoch_of s p).
  rewrite (counted_by_length _ (fun zs => (a <=? length zs) && (length zs <? a + n * L) && same_cell (cell_at m (path act
      p) w (length zs)) c)%bool%nat).
  2:{ intros r R. unfold records. fold a n. rewrite repeat_length, (next_cell_in_epoch s p r HS HP) by lia. reflexivity. }
  rewrite count_in_range by (unfold w; rewrite epoch_of_length by assumption; lia). rewrite LY.
  destruct (index_splits (cells K m) c I) as (l1 & l2 & E & LI).
  assert (SUB : forall d, In d l1 \/ d = c -> In d (cells K m)) by (intros d [X| ->]; rewrite E; apply in_or_app;
    [now left | right; now left]).
  set (u := flat_map (repeated (2 * n)) (map (pick s p) l1)).
  assert (LU : length u = (length l1 * (2 * n * L))%nat) by (apply executions_length; auto).
  pose proof (pick_plays s p c HS HP I) as [LP _]. set (pi := pick s p c) in *.
  assert (W : w = (u ++ repeated n pi) ++ repeated n pi ++ flat_map (repeated (2 * n)) (map (pick s p) l2)).
  { unfold w, epoch_of, epoch. rewrite E, map_app, flat_map_app. cbn [map flat_map]. fold u pi n.
    replace (2 * n)%nat with (n + n)%nat at 2 by lia. rewrite repeated_add. now rewrite <- !app_assoc. }
  assert (LA : length (u ++ repeated n pi) = a) by (rewrite app_length, LU, length_repeated, LP, LI; unfold a, record_from;
    fold n; lia).
  assert (F1 : firstn a w = u ++ repeated n pi) by (rewrite W, <- LA, firstn_app, Nat.sub_diag, firstn_all; simpl;
    now rewrite app_nil_r).
  assert (F2 : skipn a w = repeated n pi ++ flat_map (repeated (2 * n)) (map (pick s p) l2))
    by (rewrite W, <- LA, skipn_app, Nat.sub_diag, skipn_all; reflexivity).
  assert (LR : length (repeated n pi) = (n * L)%nat) by (now rewrite length_repeated, LP).
  assert (MB : Nat.min (n * L) (epoch_steps s - a) = (n * L)%nat).
  { apply Nat.min_l. assert (X : (a + n * L <= length w)%nat) by (rewrite W, !app_length in *; lia). unfold w in X.
    rewrite epoch_of_length in X by assumption. lia. }
  rewrite F1, F2, MB, firstn_app, LR, Nat.sub_diag, firstn_all2 by lia. rewrite app_nil_r, after_app.
  apply recorded_in_latter_half; [exact some_memory | rewrite LP;
    exact (memory_fits K m L S some_action some_memory some_epoch horizon) | apply n_pos].
Qed.

(** mu, times L D. *)
Lemma mu_is_true_mean pi : valid (tallying K m h) pi -> mu reals K m h pi = IZR (Z.of_nat L * D) * true_mean K m loss_of L pi.
Proof.
  intros V. unfold mu, period_loss, true_mean. cbn [of_Z reals]. rewrite Rover_cells, <- Rover_scale. unfold cells.
  assert (PL : 0 < INR L) by (apply lt_0_INR, L_pos). assert (PD : 0 < IZR D) by now apply IZR_lt.
  apply Rover_ext. intros c. unfold loss_of. rewrite !mult_IZR, <- !INR_IZR_INZ. field. lra.
Qed.

(** ** The probability *)

Definition off_in (s : nat) (p ys : list R) : R := some_cell_off (2 ^ s) loss_of lg (records s p) (most_of s p) (cells K m) ys.

Lemma lg_facts : 0 < lg /\ INR (K * m) * (2 * exp (- lg)) = delta / INR S.
Proof.
  assert (Q1 : 1 <= INR (K * m)) by (apply (le_INR 1); nia). assert (QS : 1 <= INR S) by (apply (le_INR 1); lia).
  destruct (union_logarithm _ _ delta Q1 QS delta_fine) as [LG EX]. fold lg in LG, EX. split; [lra|]. rewrite EX. field. lra.
Qed.

Lemma off_in_seldom s p : (1 <= s <= S)%nat -> length p = steps_until (s - 1) ->
  expect (fun ys => next (ys ++ p)) (epoch_steps s) [] (off_in s p) <= delta / INR S.
Proof.
  intros HS HP. destruct lg_facts as [PG E]. rewrite <- E.
  assert (MP : forall c ys, records s p c ys = true -> mean (next (ys ++ p)) = loss_of c).
  { intros c ys Y. rewrite mean_given_past. f_equal. unfold records in Y. apply andb_prop in Y as [_ Y]. now apply same_cell_eq. }
  apply (Rle_trans _ _ _ (cells_off_seldom (2 ^ s) loss_of lg (fun ys => next (ys ++ p)) (fun ys => next_proper (ys ++ p))
      (records s p)
    MP (most_of s p) (epoch_steps s) (cells K m) (n_pos s) PG)).
  unfold cells. rewrite prod_length, !seq_length. lra.
Qed.

(** The event B_s, given the observations. *)
Definition event_of (s : nat) (xs : list R) : Prop :=
  event reals K m h L (fun r => estimate_of r (until r xs)) (fun r => select r (until r xs)) wide s.

(** Where epoch s is not off, it happens. *)
Lemma event_happens s p ys : (1 <= s <= S)%nat -> length p = steps_until (s - 1) -> length ys = epoch_steps s ->
  off_in s p ys < 1 -> event_of s (ys ++ p).
Proof.
  intros HS LP LY B pi AP. change (alive s (ys ++ p) pi) in AP. apply alive_suffix in AP; [|lia].
  assert (U : until s (ys ++ p) = ys ++ p) by (apply until_all; rewrite app_length, steps_until_last by lia; lia).
  rewrite U. unfold estimate_of. rewrite firstn_app, skipn_app, <- LY, Nat.sub_diag, firstn_all, skipn_all. cbn [skipn firstn app].
  rewrite app_nil_r. destruct follows as (_ & A & _).
  pose proof (survivors_are_policies reals _ _ _ _ _ _ _ _ _ AP) as PP. rewrite (mu_is_true_mean pi (proj2 PP)).
  set (e := cell_estimate (2 ^ s) (records s p) (most_of s p) ys).
  destruct lg_facts as [PG _]. assert (PL := L_pos). assert (PN := n_pos s).
  assert (close : Rabs (estimated_mean K m e L pi - true_mean K m loss_of L pi) <= policy_width (1 / 2) lg K m L (2 ^ s)).
  { apply (lemma7_subset K m loss_of e L (2 ^ s) (1 / 2) lg (most_of s p)); try assumption; try lra.
    - intros c I. now apply (A s p c HS LP I).
    - intros c I PC. unfold e.
      apply (no_cell_off K m (2 ^ s) loss_of lg (records s p) (most_of s p) (epoch_steps s)
               ltac:(intros d zs J LZ; now apply number_of_records) (cells K m)); auto. }
  assert (P : 0 < IZR (Z.of_nat L * D)) by (apply IZR_lt; pose proof L_pos; nia).
  assert (W : IZR (Z.of_nat L * D) * policy_width (1 / 2) lg K m L (2 ^ s) <= wide s).
  { unfold wide, width, radius, policy_width. apply Rmult_le_compat_l; [lra|]. rewrite pow_INR. change (INR 2) with 2.
    assert (QL : 0 < INR L) by now apply lt_0_INR.
    assert (Q2 : 0 < 2 ^ s) by (apply pow_lt; lra). assert (QK : 0 <= INR (K * m)) by apply pos_INR.
    assert (I0 : 0 <= / (2 ^ s * INR L)) by (left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption).
    apply sqrt_le_1_alt. apply Rmult_le_compat_r; [lra|]. unfold Rdiv. apply Rmult_le_compat_r; [exact I0|].
    apply Rmult_le_compat_r; [exact QK | lra]. }
  apply (Rmult_le_compat_l (IZR (Z.of_nat L * D))) in close; [|lra].
  revert P close W. generalize (policy_width (1 / 2) lg K m L (2 ^ s)) (wide s) (IZR (Z.of_nat L * D))
    (estimated_mean K m e L pi) (true_mean K m loss_of L pi). intros z w' c x y P close W.
  pose proof (Rle_abs (x - y)) as A1. pose proof (Rle_abs (- (x - y))) as A2. rewrite Rabs_Ropp in A2.
  apply (Rmult_le_compat_l c) in A1; [|lra]. apply (Rmult_le_compat_l c) in A2; [|lra].
  change (c * x <= c * y + w' /\ c * y <= c * x + w'). split; lra.
Qed.

Lemma event_suffix s xs ys : (steps_until s <= length xs)%nat -> event_of s xs -> event_of s (ys ++ xs).
Proof.
  intros B E pi AP. change (alive s (ys ++ xs) pi) in AP. rewrite until_suffix by exact B. apply E.
  apply alive_suffix in AP; [exact AP|]. pose proof (steps_until_mono (s - 1) s ltac:(lia)). lia.
Qed.

(** The epochs fill T = L*L steps. *)
Theorem schedule_fits : steps_until S = (L * L)%nat.
Proof.
  assert (G : forall s, steps_until s = (4 * (K * m) * (2 ^ s - 1) * L)%nat).
  { induction s as [|s IH]; [simpl; lia|]. cbn [steps_until]. rewrite IH. unfold epoch_steps. pose proof (n_pos s).
    cbn [Nat.pow]. nia. }
  rewrite G, <- horizon. reflexivity.
Qed.

(** Lemma 7 for the epochs of Algorithm 1: but for probability delta/S, the estimates of epoch s are within C_s. *)
Theorem lemma7_of_epoch s : (1 <= s <= S)%nat -> holds_but_for next (L * L) (delta / INR S) (event_of s).
Proof.
  intros HS. rewrite <- schedule_fits. pose proof (steps_until_mono s S ltac:(lia)) as MS.
  replace (steps_until S) with (steps_until s + (steps_until S - steps_until s))%nat by lia.
  refine (holds_but_for_weaken next _ _ _ _ _ (holds_later next _ _ _ (event_of s) next_proper _)).
  { intros xs LX E. rewrite <- (firstn_skipn (steps_until S - steps_until s) xs). apply event_suffix; [|exact E].
    rewrite skipn_length. lia. }
  rewrite (steps_until_last s) in * by lia. exists (fun xs => off_in s (skipn (epoch_steps s) xs) (firstn (epoch_steps s) xs)).
  split; [intros; apply off_or_not|]. split.
  - intros xs LX. rewrite <- (firstn_skipn (epoch_steps s) xs) at 1. set (off := off_in s _ _).
    destruct (Rlt_le_dec off 1) as [B|]; [left | now right].
    apply event_happens; [exact HS | rewrite skipn_length; lia | rewrite firstn_length; lia | exact B].
  - rewrite expect_add. apply (Rle_trans _ (expect next (steps_until (s - 1)) [] (fun _ => delta / INR S * 1 + 0 * 1))).
    + apply expect_le_later; [exact next_proper|]. intros p LP. rewrite Nat.add_0_r in LP.
      change (expect next (epoch_steps s) p) with (expect next (epoch_steps s) ([] ++ p)). rewrite expect_shift.
      rewrite Rmult_1_r, Rmult_0_l, Rplus_0_r. refine (Rle_trans _ _ _ _ (off_in_seldom s p HS LP)).
      apply expect_le_later; [intros; apply next_proper|]. intros zs LZ. rewrite Nat.add_0_r in LZ.
      rewrite skipn_app, firstn_app, <- LZ, Nat.sub_diag, skipn_all, firstn_all. cbn [skipn firstn app]. rewrite app_nil_r. lra.
    + rewrite (expect_linear next _ (delta / INR S) 0 (fun _ => 1) (fun _ => 1)), expect_one by exact next_proper. lra.
Qed.

(** All events B_1, ..., B_S happen, but for probability delta. *)
Theorem all_events : holds_but_for next (L * L) delta (fun xs => forall s, (1 <= s <= S)%nat -> event_of s xs).
Proof.
  pose proof (holds_all next (L * L) (delta / INR S) event_of S next_proper lemma7_of_epoch) as H.
  assert (1 <= INR S) by (apply (le_INR 1); lia). replace (INR S * (delta / INR S)) with delta in H by (field; lra). exact H.
Qed.

(** Lemma 6 for s = 2, ..., S: every policy of A_s is within 4 C_{s-1} of pi_star, but for probability delta. *)
Theorem lemma6_with_high_probability star : best_policy K m h L star ->
  holds_but_for next (L * L) delta (fun xs => forall s pi, (2 <= s <= S)%nat -> alive s xs pi ->
    at_most_above reals (times reals lemma6_factor (wide (s - 1)%nat)) (mu reals K m h pi) (mu reals K m h star)).
Proof.
  intros best. refine (holds_but_for_weaken next _ _ _ _ _ all_events). intros xs LX events s pi HS I.
  refine (lemma6_chain reals K m h L _ _ wide star S best _ s pi ltac:(lia) I). intros r HR. split; [|now apply events].
  destruct follows as (_ & _ & C). apply C; [exact HR|]. rewrite LX, <- schedule_fits. apply steps_until_mono. lia.
Qed.

Lemma some_suffix s xs : exists zs, xs = zs ++ until s xs.
Proof. exists (firstn (length xs - steps_until s) xs). symmetry. apply firstn_skipn. Qed.

Lemma until_length s xs : (s <= S)%nat -> length xs = (L * L)%nat -> length (until s xs) = steps_until s.
Proof. intros HS LX. unfold until. rewrite skipn_length. pose proof (steps_until_mono s S HS). rewrite schedule_fits in *. lia. Qed.

(** What epoch s plays is in A_s, and pihat_s is the best of A_s. *)
Lemma epoch_alive s xs : (1 <= s <= S)%nat -> length xs = (L * L)%nat ->
  length (map (pick s (until (s - 1) xs)) (cells K m)) = (K * m)%nat /\
  Forall (alive s xs) (map (pick s (until (s - 1) xs)) (cells K m)) /\
  chosen_well reals K m h L (fun r => estimate_of r (until r xs)) (fun r => select r (until r xs)) wide s.
Proof.
  intros HS LX. destruct follows as (_ & A & C). split; [unfold cells; now rewrite map_length, prod_length, !seq_length|]. split.
  - apply Forall_forall. intros pi I. apply in_map_iff in I as (c & <- & I).
    destruct (A s (until (s - 1) xs) c HS (until_length (s - 1) xs ltac:(lia) LX) I) as [AL _].
    destruct (some_suffix (s - 1) xs) as (zs & E). rewrite E at 1. apply alive_suffix; [|exact AL].
    rewrite until_length by (exact LX || lia). lia.
  - apply C; [exact HS|]. pose proof (steps_until_mono s S ltac:(lia)). rewrite schedule_fits in *. lia.
Qed.

(** The mean of a cyclic policy. *)
Definition mean_of (pi : list nat) : R := IZR (period_loss K m h pi) / IZR (Z.of_nat L * D).

(** Lemma 5: what the epochs s >= 2 cost, with m-1 for sqrt(T), but for probability delta. *)
Theorem lemma5_of_epochs star : best_policy K m h L star ->
  holds_but_for next (L * L) delta (fun xs => forall s, (2 <= s <= S)%nat -> let p := until (s - 1) xs in
    IZR (total (tallying K m h) (path act p) (epoch_of s p)) / IZR D - INR (epoch_steps s) * mean_of star
    <= INR (K * m) * (INR m - 1 + 8 * 2 ^ s * INR L * radius K m L kappa lg (s - 1))).
Proof.
  intros best. refine (holds_but_for_weaken next _ _ _ _ _ all_events). intros xs LX events s HS p.
  destruct (epoch_alive s xs ltac:(lia) LX) as (LP & F & _).
  pose proof (lemma5 reals K m h D L _ _ wide star S some_memory ltac:(lia) losses
                (memory_fits K m L S some_action some_memory some_epoch horizon) best
                (fun r HR => conj (proj2 (proj2 (epoch_alive r xs HR LX))) (events r HR)) s (2 ^ s) _ (path act p) HS LP F) as X.
  fold p in X. change (epoch (2 ^ s) (map (pick s p) (cells K m))) with (epoch_of s p) in X.
  assert (PL : 0 < INR L) by (apply lt_0_INR, L_pos). assert (PD : 0 < IZR D) by now apply IZR_lt.
  unfold at_most_above in X. rewrite times_reals in X. cbn [plus le of_Z reals] in X. unfold wide, width in X.
  unfold lemma5_widths, lemma5_start_sharp, epoch_steps, mean_of in *. apply (Rmult_le_reg_r (IZR D)); [exact PD|].
  rewrite !mult_INR, !mult_IZR, plus_IZR, !mult_IZR, minus_IZR, <- !INR_IZR_INZ, !mult_INR, pow_INR in *.
  change (INR 2) with 2 in *. replace (INR 8) with 8 in X by (simpl; lra).
  match goal with |- (?t / _ - _ * (?v / _)) * _ <= _ =>
    replace ((t / IZR D - INR K * INR m * (2 * 2 ^ s) * INR L * (v / (INR L * IZR D))) * IZR D)
      with (t - INR K * INR m * (2 * 2 ^ s * v)) by (field; lra) end. lra.
Qed.

Theorem theorem1 star opt : best_policy K m h L star -> is_optimum (tallying K m h) (L * L) [] opt ->
  holds_but_for next (L * L) delta (fun xs =>
    IZR (total (tallying K m h) [] (rev (path act xs)) - opt) <= IZR D * theorem1_bound K m L S kappa lg).
Proof.
  intros best O. destruct lg_facts as [PG _]. refine (holds_but_for_weaken next _ _ _ _ _ all_events).
  intros xs LX events. rewrite <- schedule_fits in LX.
  set (policies s := map (pick s (until (s - 1) xs)) (cells K m)).
  assert (LU : forall s, (s <= S)%nat -> length (until s xs) = steps_until s)
    by (intros; apply until_length; [assumption | now rewrite <- schedule_fits]).
  assert (P : rev (path act xs) = algorithm1 S policies).
  { assert (G : forall s, (s <= S)%nat -> rev (path act (until s xs)) = flat_map (fun s => epoch (2 ^ s) (policies s)) (seq 1 s)).
    { induction s as [|s IH]; intros HS.
      - assert (Z0 : until 0 xs = []) by (apply length_zero_iff_nil; rewrite LU by lia; reflexivity). now rewrite Z0.
      - rewrite seq_S, flat_map_app, <- IH by lia. cbn [flat_map]. rewrite app_nil_r.
        set (p := until s xs) in *. assert (LP : length p = steps_until s) by (apply LU; lia).
        assert (X : exists ys, until (Datatypes.S s) xs = ys ++ p /\ length ys = epoch_steps (Datatypes.S s)).
        { destruct (some_suffix (Datatypes.S s) xs) as (zs & E). exists (firstn (epoch_steps (Datatypes.S s)) (until (Datatypes.S s) xs)).
          pose proof (LU (Datatypes.S s) HS) as LS. cbn [steps_until] in LS.
          assert (Y : p = skipn (epoch_steps (Datatypes.S s)) (until (Datatypes.S s) xs)).
          { unfold p. rewrite E at 1. rewrite until_suffix by (cbn [steps_until] in *; lia). unfold until at 1. rewrite LS.
            f_equal. lia. }
          rewrite Y. split; [symmetry; apply firstn_skipn | rewrite firstn_length; lia]. }
        destruct X as (ys & -> & LY).
        rewrite (path_in_epoch (Datatypes.S s) p ys ltac:(lia) ltac:(replace (Datatypes.S s - 1)%nat with s by lia;
          exact LP)) by lia.
        unfold after. rewrite rev_app_distr, rev_involutive. f_equal. replace (1 + s)%nat with (Datatypes.S s) by lia.
        unfold policies. replace (Datatypes.S s - 1)%nat with s by lia. fold p. fold (epoch_of (Datatypes.S s) p).
        apply firstn_all2. rewrite epoch_of_length; [lia | lia | replace (Datatypes.S s - 1)%nat with s by lia; exact LP]. }
    specialize (G S (le_n S)). unfold until in G. rewrite LX, Nat.sub_diag in G. exact G. }
  rewrite schedule_fits in LX. rewrite P.
  apply (theorem1_on_events K m h D L S kappa lg (fun r => estimate_of r (until r xs)) (fun r => select r (until r xs)) policies
           some_action some_memory positive losses some_epoch horizon ltac:(lra) ltac:(lra) star opt best); [| |exact O].
  - intros s HS. split; [now apply epoch_alive | now apply events].
  - intros s HS. destruct (epoch_alive s xs HS LX) as (LP & F & _). now split.
Qed.

End Algorithm1.

(** A game of Algorithm 1 on a horizon that fits it, for losses and noise of the kind that is needed. *)
Definition algorithm1_game (K m : nat) (h : nat -> nat -> Z) (D : Z) (L S : nat) (kappa delta : R)
    (pick : nat -> list R -> nat * nat -> list nat) (select : nat -> list R -> list nat) (act : list R -> nat)
    (next : list R -> distribution) : Prop :=
  ((0 < K)%nat /\ (0 < m)%nat /\ (0 < D)%Z /\ table_within K m h D) /\
  ((1 <= S)%nat /\ L = (4 * (K * m) * (2 ^ S - 1))%nat /\ 0 < delta < 1) /\
  follows_algorithm1 K m h D L S kappa delta pick select act /\
  (forall past, Hoeffding.proper (next past)) /\
  (forall past, mean (next past) = IZR (h (fst (next_cell m act past)) (snd (next_cell m act past))) / IZR D).

(** ** The printed bound, on these horizons *)

Definition printed_bound (K m L : nat) (delta : R) : R :=
  1200 * INR (K * m) * INR L *
    (sqrt (ln (2 * INR (K * m) * ln (INR (L * L)) / delta)) + ln (INR L / (2 * INR (K * m))) / ln 2).

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros P [H | ->]; [left; now apply ln_increasing | lra]. Qed.

Lemma exp_below_power n : exp (INR n) <= 3 ^ n.
Proof.
  induction n as [|n IH]; [simpl; rewrite exp_0; lra|]. rewrite S_INR, exp_plus. cbn [pow]. pose proof exp_le_3.
  pose proof (exp_pos (INR n)). pose proof (exp_pos 1). rewrite Rmult_comm. apply Rmult_le_compat; lra.
Qed.

(** S <= log(T) and S <= log2(sqrt(T)/(2Km)), since sqrt(T) = 4Km (2^S - 1) >= 2^S. *)
Lemma epochs_few K m L S : (1 <= K)%nat -> (1 <= m)%nat -> (1 <= S)%nat -> L = (4 * (K * m) * (2 ^ S - 1))%nat ->
  INR S <= ln (INR (L * L)) /\ INR S <= ln (INR L / (2 * INR (K * m))) / ln 2.
Proof.
  intros HK HM HS EL. assert (Q : 1 <= INR (K * m)) by (apply (le_INR 1); nia).
  assert (T2 : 2 <= 2 ^ S) by (rewrite <- (pow_1 2) at 1; apply Rle_pow; [lra | exact HS]).
  assert (E : INR L = 4 * INR (K * m) * (2 ^ S - 1)).
  { rewrite EL, !mult_INR, minus_INR, pow_INR by (apply Nat.neq_0_lt_0, Nat.pow_nonzero; lia).
    replace (INR 4) with 4 by (simpl; lra). change (INR 2) with 2. change (INR 1) with 1. ring. }
  assert (B : 2 ^ S <= INR L).
  { rewrite E. apply (Rle_trans _ (4 * 1 * (2 ^ S - 1))); [lra|]. apply Rmult_le_compat_r; lra. }
  split.
  - rewrite <- (ln_exp (INR S)). apply ln_le; [apply exp_pos|]. apply (Rle_trans _ _ _ (exp_below_power S)).
    rewrite mult_INR. apply (Rle_trans _ (4 ^ S)); [apply pow_incr; lra|].
    replace 4 with (2 * 2) by lra. rewrite Rpow_mult_distr. apply Rmult_le_compat; lra.
  - assert (P2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
    apply (Rmult_le_reg_r (ln 2)); [exact P2|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite <- ln_pow by lra. apply ln_le; [apply pow_lt; lra|]. rewrite E.
    replace (4 * INR (K * m) * (2 ^ S - 1) / (2 * INR (K * m))) with (2 * (2 ^ S - 1)) by (field; lra). lra.
Qed.

(** The sharp bound is below the printed one. *)
Lemma sharp_below_printed K m L S delta : (0 < K)%nat -> (0 < m)%nat -> (1 <= S)%nat -> 0 < delta < 1 ->
  L = (4 * (K * m) * (2 ^ S - 1))%nat ->
  theorem1_bound K m L S 32 (ln (2 * INR (K * m) * INR S / delta)) <= printed_bound K m L delta.
Proof.
  intros HK HM HS HD EL. destruct (epochs_few K m L S HK HM HS EL) as [few few2].
  rewrite theorem1_bound_at_32. unfold printed_bound.
  assert (Q : 1 <= INR (K * m)) by (apply (le_INR 1); nia). assert (QS : 1 <= INR S) by (apply (le_INR 1); lia).
  assert (P2 : (2 ^ 1 <= 2 ^ S)%nat) by (apply Nat.pow_le_mono_r; lia). simpl in P2.
  assert (m <= K * m)%nat by nia. assert (MK : INR m <= INR (K * m)) by now apply le_INR.
  assert (ML : INR m <= INR L) by (apply le_INR; nia).
  assert (M1 : 1 <= INR m) by (apply (le_INR 1); lia).
  set (root := sqrt (ln (2 * INR (K * m) * INR S / delta))).
  set (root' := sqrt (ln (2 * INR (K * m) * ln (INR (L * L)) / delta))).
  assert (R : root <= root').
  { apply sqrt_le_1_alt, ln_le.
    - apply Rdiv_lt_0_compat; [|lra]. repeat apply Rmult_lt_0_compat; lra.
    - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra | apply Rmult_le_compat_l; lra]. }
  assert (P0 : 0 <= root) by apply sqrt_pos. assert (two : sqrt 2 <= 2).
  { rewrite <- (sqrt_square 2) at 2 by lra. apply sqrt_le_1; lra. }
  revert few2. generalize (ln (INR L / (2 * INR (K * m))) / ln 2). intros many few2.
  set (k := INR (K * m)) in *. set (l := INR L) in *. set (e := INR S) in *. set (M := INR m) in *.
  assert (KL : 1 <= k * l) by (rewrite <- (Rmult_1_r 1); apply Rmult_le_compat; lra).
  assert (A : 32 * (2 + sqrt 2) * k * l * root <= 1200 * k * l * root').
  { replace (32 * (2 + sqrt 2) * k * l * root) with (32 * (2 + sqrt 2) * (k * l * root)) by ring.
    replace (1200 * k * l * root') with (1200 * (k * l * root')) by ring.
    assert (k * l * root <= k * l * root') by (apply Rmult_le_compat_l; lra).
    assert (0 <= k * l * root) by (apply Rmult_le_pos; lra).
    apply (Rle_trans _ (1200 * (k * l * root))); [apply Rmult_le_compat_r; lra | lra]. }
  assert (B : (e - 1) * k * (M - 1) <= (e - 1) * (k * l)).
  { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra | apply Rmult_le_compat_l; lra]. }
  assert (C : (M - 1) * l <= k * l) by (apply Rmult_le_compat_r; lra).
  assert (F : k * l * (e + 4) <= 1200 * (k * l * many)).
  { assert (k * l * e <= k * l * many) by (apply Rmult_le_compat_l; lra).
    assert (k * l * 1 <= k * l * e) by (apply Rmult_le_compat_l; lra).
    lra. }
  lra.
Qed.
