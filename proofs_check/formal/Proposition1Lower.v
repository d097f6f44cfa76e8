(** * Proposition 1, lower bound: a needle takes m plays in a row to find

    Paper, prop1 (line 246; proof at line 787).  An action star is drawn uniformly, h_star(m) = 0, every other loss is 1; the
    expected complete policy regret of every player is at least mK/128, K large enough.

    Here: for every player, T and K, the expected loss is at least (q(q+1)/2 m - q + (K-q) T)/K, q = min(K, T/m), which is
    exact: testing the actions in turn attains it.  For T >= mK the exact Bayes regret is m(K-1)/2, so that mK/128 holds for
    every K >= 2.  A player maps what was seen (actions and losses, latest first) to an action; a randomised one is a
    mixture of players.  Expectations over star are sums over all K actions (K times the mean), losses have denominator
    D, and the numbers below are doubled, since q(q+1)/2 is a half. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Proposition1Upper.
Import ListNotations.
Open Scope Z_scope.

(** How many actions can be tested in T steps; twice K times the least expected loss; twice K times the Bayes regret for
    T >= mK. *)
Definition prop1_tests (K m T : nat) : nat := Nat.min K (T / m).
Definition prop1_bayes_loss (K m T : nat) : Z :=
  let q := Z.of_nat (prop1_tests K m T) in
  q * (q + 1) * Z.of_nat m - 2 * q + 2 * (Z.of_nat K - q) * Z.of_nat T.
Definition prop1_bayes_regret (K m : nat) : Z := Z.of_nat K * (Z.of_nat m * (Z.of_nat K - 1)).

(** The bound as stated, mK/128, times 128 K. *)
Definition prop1_lower_stated (K m : nat) : Z := Z.of_nat K * (Z.of_nat m * Z.of_nat K).

(** ** Players *)

Definition player := list (nat * Z) -> nat.

(** What a player plays in T steps on a bandit, after [past] and having seen [seen]. *)
Fixpoint run (b : bandit) (p : player) (seen : list (nat * Z)) (past : list nat) (T : nat) : list nat :=
  match T with
  | O => []
  | S t => let a := p seen in a :: run b p ((a, loss b past a) :: seen) (a :: past) t
  end.

Definition proper (K : nat) (p : player) : Prop := forall seen, (p seen < K)%nat.

Lemma run_plays b p T : proper (actions b) p -> forall seen past, plays b T (run b p seen past T).
Proof.
  intros P. induction T as [|T IH]; intros seen past; [split; [reflexivity | constructor]|].
  cbn [run]. destruct (IH ((p seen, loss b past (p seen)) :: seen) (p seen :: past)) as [L V].
  split; [cbn [length]; now rewrite L | constructor; [apply P | exact V]].
Qed.

(** The bandit whose needle is star, and the one without a needle. *)
Definition hidden (K star m : nat) (D : Z) : bandit := tallying K m (needle star m D).
Definition blank (K m : nat) (D : Z) : bandit := tallying K m (fun _ _ => D).

(** The expected loss of a player, times K. *)
Definition expected_loss (K m : nat) (D : Z) (p : player) (T : nat) : Z :=
  sum (fun star => total (hidden K star m D) [] (run (hidden K star m D) p [] [] T)) 0 K.

(** ** Before the needle is tested, nothing is seen *)

(** The number of steps of a word up to the first play of x at tally m, that one not included. *)
Fixpoint untested (m x : nat) (past word : list nat) : nat :=
  match word with
  | [] => 0
  | a :: rest => if (hits m x m past a =? 1)%nat then 0 else S (untested m x (a :: past) rest)
  end.

Lemma hidden_loss K star m D past a : (0 < m)%nat ->
  loss (hidden K star m D) past a = if (hits m star m past a =? 1)%nat then 0 else D.
Proof.
  intros M. unfold hidden. rewrite loss_tallying by assumption. unfold needle, hits.
  destruct (Nat.eqb_spec a star) as [->|]; cbn [andb]; [|reflexivity]. now destruct (_ =? m)%nat.
Qed.

(** So the player does what he would do if there were no needle, and loses D at each of these steps. *)
Lemma loses_until_tested K star m D p T : (0 < m)%nat -> 0 <= D -> proper K p -> forall seen past,
  Z.of_nat (untested m star past (run (blank K m D) p seen past T)) * D
  <= total (hidden K star m D) past (run (hidden K star m D) p seen past T).
Proof.
  intros M P PR. induction T as [|T IH]; intros seen past; [simpl; lia|]. cbn [run untested total].
  rewrite hidden_loss by assumption. destruct (_ =? 1)%nat.
  - rewrite Z.mul_0_l, Z.add_0_l.
    apply (total_within _ D (tallying_steps_within K m _ D M (needle_within K star m D P))).
    apply run_plays. exact PR.
  - specialize (IH ((p seen, D) :: seen) (p seen :: past)). unfold blank at 1 2. rewrite !loss_tallying by assumption.
    fold (blank K m D). lia.
Qed.

(** ** Counting tests *)

Definition tested (m x : nat) (w : list nat) : bool := (untested m x [] w <? length w)%nat.

(** A tested action was played m times. *)
Lemma tested_played m x past w : (untested m x past w < length w)%nat -> (m <= tally x (after past w))%nat.
Proof.
  revert past. induction w as [|a w IH]; intros past H; [simpl in H; lia|]. cbn [untested length] in H. rewrite after_cons.
  destruct (Nat.eqb_spec (hits m x m past a) 1) as [E|E]; [|apply IH; lia].
  unfold hits in E. destruct (Nat.eqb_spec a x) as [->|]; [|discriminate]. cbn [andb] in E.
  destruct (Nat.eqb_spec (tally x (window m past x)) m) as [F|]; [|discriminate].
  unfold after. rewrite tally_app. rewrite <- F at 1. unfold window.
  rewrite <- (firstn_skipn m (x :: past)) at 2. rewrite tally_app. lia.
Qed.

(** One more step: the count grows by one unless the action is tested by then. *)
Lemma untested_snoc m x past w a :
  untested m x past (w ++ [a])
  = (untested m x past w + if (untested m x past (w ++ [a]) <? length (w ++ [a])) then 0 else 1)%nat.
Proof.
  revert past. induction w as [|c w IH]; intros past.
  - simpl. destruct (hits m x m past a =? 1)%nat; reflexivity.
  - cbn [app untested length]. destruct (_ =? 1)%nat; [reflexivity|].
    rewrite (IH (c :: past)) at 1. change (S ?u <? S ?v)%nat with (u <? v)%nat. lia.
Qed.

(** In t steps at most t/m actions are tested, since they share no step. *)
Lemma few_tested K m w : Forall (fun a => (a < K)%nat) w ->
  Z.of_nat m * sum (fun x => if tested m x w then 1 else 0) 0 K <= Z.of_nat (length w).
Proof.
  intros V. rewrite <- (tallies_add_up K w V), <- sum_scale. apply sum_le. intros x _.
  unfold tested. destruct (Nat.ltb_spec (untested m x [] w) (length w)) as [H|H]; [|lia].
  apply tested_played in H. unfold after in H. rewrite app_nil_r in H. unfold tally in H. rewrite count_occ_rev in H.
  fold (tally x w) in H. lia.
Qed.

(** The least number of untested (step, action) pairs. *)
Definition least_untested (K m T : nat) : Z := sum (fun t => Z.max 0 (Z.of_nat K - Z.of_nat (t / m))) 1 T.

Lemma untested_in_all K m w : (0 < m)%nat -> Forall (fun a => (a < K)%nat) w ->
  least_untested K m (length w) <= sum (fun x => Z.of_nat (untested m x [] w)) 0 K.
Proof.
  intros M. induction w as [|a w IH] using rev_ind; intros V; [unfold least_untested; simpl; rewrite sum_zero;
    [lia | reflexivity]|].
  pose proof (few_tested K m (w ++ [a]) V) as few. apply Forall_app in V as [V _]. specialize (IH V).
  rewrite (sum_ext _ (fun x => Z.of_nat (untested m x [] w) + (1 + - 1 * (if tested m x (w ++ [a]) then 1 else 0)))).
  2:{ intros x _. rewrite untested_snoc. fold (tested m x (w ++ [a])). destruct (tested m x (w ++ [a])); lia. }
  rewrite !sum_add, sum_const, sum_scale. rewrite app_length, Nat.add_1_r in *. unfold least_untested in *. rewrite sum_S.
  set (k := sum (fun x => if tested m x (w ++ [a]) then 1 else 0) 0 K) in *. cbn [length] in *.
  assert (B : k <= Z.of_nat ((1 + length w) / m)).
  { rewrite Nat2Z.inj_div. apply Z.div_le_lower_bound; lia. }
  assert (C : k <= Z.of_nat K).
  { unfold k. transitivity (sum (fun _ => 1) 0 K); [apply sum_le; intros; destruct (tested _ _ _); lia | rewrite sum_const;
      lia]. }
  lia.
Qed.

(** The same number in closed form. *)
Lemma least_untested_closed K m T : (0 < m)%nat -> 2 * least_untested K m T = prop1_bayes_loss K m T.
Proof.
  intros M. unfold least_untested, prop1_bayes_loss, prop1_tests. induction T as [|T IH].
  - rewrite Nat.div_0_l by lia. rewrite Nat.min_0_r. simpl. lia.
  - rewrite sum_S, Z.mul_add_distr_l, IH. clear IH. replace (1 + T)%nat with (S T) by lia.
    pose proof (Nat.div_mod_eq T m). pose proof (Nat.mod_upper_bound T m ltac:(lia)).
    pose proof (Nat.div_mod_eq (S T) m). pose proof (Nat.mod_upper_bound (S T) m ltac:(lia)).
    set (j := (T / m)%nat) in *. set (i := (S T / m)%nat) in *. clearbody i j.
    assert (E : i = j \/ (i = S j /\ S T = (m * S j)%nat)) by nia. destruct E as [-> | [-> E]].
    + destruct (Nat.le_gt_cases K j); [rewrite Nat.min_l by lia | rewrite Nat.min_r by lia]; nia.
    + destruct (Nat.le_gt_cases K j).
      * rewrite !Nat.min_l by lia. lia.
      * rewrite !Nat.min_r by lia. nia.
Qed.

(** ** The lower bound *)

Theorem proposition1_lower K m D T p : (0 < m)%nat -> 0 <= D -> proper K p ->
  prop1_bayes_loss K m T * D <= 2 * expected_loss K m D p T.
Proof.
  intros M P PR. rewrite <- least_untested_closed by assumption. set (w := run (blank K m D) p [] [] T).
  assert (W : plays (blank K m D) T w) by (apply run_plays; exact PR). destruct W as [LW VW].
  pose proof (untested_in_all K m w M VW) as U. rewrite LW in U.
  assert (E : D * sum (fun x => Z.of_nat (untested m x [] w)) 0 K <= expected_loss K m D p T).
  { unfold expected_loss. rewrite <- sum_scale. apply sum_le. intros star _.
    pose proof (loses_until_tested K star m D p T M P PR [] []). unfold w. lia. }
  nia.
Qed.

(** A randomised player: players with weights. *)
Corollary proposition1_lower_randomised K m D T (mixture : list (Z * player)) : (0 < m)%nat -> 0 <= D ->
  Forall (fun wp => 0 <= fst wp /\ proper K (snd wp)) mixture ->
  fold_right (fun wp t => fst wp + t) 0 mixture * (prop1_bayes_loss K m T * D)
  <= 2 * fold_right (fun wp t => fst wp * expected_loss K m D (snd wp) T + t) 0 mixture.
Proof.
  intros M P. induction 1 as [|[q p] mixture [Q PR] _ IH]; [simpl; lia|]. cbn [fold_right fst snd] in *.
  pose proof (proposition1_lower K m D T p M P PR). nia.
Qed.

(** ** The optimum, and the regret for T >= mK *)

Theorem needle_optimum_exact K star m D T : (star < K)%nat -> (0 < m)%nat -> 0 <= D -> (m - 1 <= T)%nat ->
  is_optimum (hidden K star m D) T [] ((Z.of_nat m - 1) * D).
Proof.
  intros S M P HT. split.
  - exists (repeat star (m - 1) ++ repeat star (T - (m - 1))). split.
    + rewrite <- repeat_app. replace (m - 1 + (T - (m - 1)))%nat with T by lia. split; [apply repeat_length|].
      apply Forall_forall. intros a I. apply repeat_spec in I as ->. exact S.
    + unfold hidden. rewrite total_app, needle_start by (try exact M; rewrite repeat_length; simpl; lia).
      rewrite needle_always by (try exact M; unfold after; rewrite rev_repeat, app_nil_r; now apply firstn_repeat).
      rewrite repeat_length, Nat2Z.inj_sub by lia. lia.
  - intros w [LW V]. rewrite <- (firstn_skipn (m - 1) w) in V |- *. apply valid_app in V as [V1 V2].
    assert (L1 : length (firstn (m - 1) w) = (m - 1)%nat) by (rewrite firstn_length; lia).
    unfold hidden in *. rewrite total_app, needle_start, L1 by (simpl; lia).
    pose proof (total_within _ D (tallying_steps_within K m _ D M (needle_within K star m D P)) _ (after [] (firstn (m - 1)
        w)) V2).
    rewrite Nat2Z.inj_sub by lia. lia.
Qed.

(** The expected complete policy regret, times K: the loss minus OPT. *)
Definition expected_regret (K m : nat) (D : Z) (p : player) (T : nat) : Z :=
  sum (fun star => total (hidden K star m D) [] (run (hidden K star m D) p [] [] T) - opt (hidden K star m D) T []) 0 K.

Lemma expected_regret_loss K m D p T : (0 < m)%nat -> 0 <= D -> (m - 1 <= T)%nat ->
  expected_regret K m D p T = expected_loss K m D p T - Z.of_nat K * ((Z.of_nat m - 1) * D).
Proof.
  intros M P HT. unfold expected_regret, expected_loss. rewrite <- (sum_const ((Z.of_nat m - 1) * D) 0 K).
  rewrite (sum_ext _ (fun star => total (hidden K star m D) [] (run (hidden K star m D) p [] [] T) + -1 * ((Z.of_nat m - 1)
      * D))).
  - rewrite sum_add, sum_scale. lia.
  - intros star S. rewrite <- (is_optimum_opt _ _ _ _ (needle_optimum_exact K star m D T ltac:(lia) M P HT)). lia.
Qed.

Lemma bayes_loss_long K m T : (0 < m)%nat -> (m * K <= T)%nat ->
  prop1_bayes_loss K m T = prop1_bayes_regret K m + 2 * (Z.of_nat K * (Z.of_nat m - 1)).
Proof.
  intros M HT. unfold prop1_bayes_loss, prop1_bayes_regret, prop1_tests.
  rewrite Nat.min_l by (apply Nat.div_le_lower_bound; lia). nia.
Qed.

Theorem proposition1_lower_regret K m D T p : (0 < m)%nat -> (0 < K)%nat -> 0 <= D -> proper K p -> (m * K <= T)%nat ->
  prop1_bayes_regret K m * D <= 2 * expected_regret K m D p T.
Proof.
  intros M HK P PR HT. rewrite expected_regret_loss by (assumption || nia).
  pose proof (proposition1_lower K m D T p M P PR) as B. rewrite bayes_loss_long in B by assumption. lia.
Qed.

(** As stated, mK/128, and for every K >= 2. *)
Corollary proposition1_lower_as_stated K m D T p : (0 < m)%nat -> (2 <= K)%nat -> 0 <= D -> proper K p -> (m * K <= T)%nat ->
  prop1_lower_stated K m * D <= 128 * expected_regret K m D p T.
Proof.
  unfold prop1_lower_stated.
  intros M HK P PR HT. pose proof (proposition1_lower_regret K m D T p M ltac:(lia) P PR HT) as B.
  unfold prop1_bayes_regret in B. set (k := Z.of_nat K) in *. set (n := Z.of_nat m * D).
  assert (0 <= n) by (unfold n; nia). assert (2 <= k) by (unfold k; lia).
  assert (k * k * n <= 64 * (k * (k - 1) * n)); [|unfold n in *; lia].
  assert (k * k <= 64 * (k * (k - 1))) by nia. nia.
Qed.

(** ** Testing the actions in turn attains it *)

(** After a loss of 0 play the same action again; otherwise play each action for m steps, in turn. *)
Definition in_turn (K m : nat) : player := fun seen =>
  match seen with
  | (a, v) :: _ => if v =? 0 then Nat.min a (K - 1) else Nat.min (length seen / m) (K - 1)
  | [] => 0%nat
  end.

Lemma in_turn_proper K m : (0 < K)%nat -> proper K (in_turn K m).
Proof. intros HK [|[a v] seen]; simpl; [exact HK|]. destruct (v =? 0); lia. Qed.

Definition unlucky (seen : list (nat * Z)) : Prop := match seen with (_, v) :: _ => v <> 0 | [] => True end.

Lemma in_turn_searches K m seen : (0 < m)%nat -> unlucky seen -> (length seen < m * K)%nat ->
  in_turn K m seen = (length seen / m)%nat.
Proof.
  intros M U L. pose proof (Nat.div_lt_upper_bound (length seen) m K ltac:(lia) L).
  destruct seen as [|[a v] seen]; simpl in U; [simpl; now rewrite Nat.div_0_l by lia|].
  unfold in_turn. destruct (Z.eqb_spec v 0); [congruence | lia].
Qed.

(** Once the needle is found, nothing is lost. *)
Lemma found K star m D n : (0 < m)%nat -> (star < K)%nat -> forall seen past, firstn (m - 1) past = repeat star (m - 1) ->
  total (hidden K star m D) past (run (hidden K star m D) (in_turn K m) ((star, 0) :: seen) past n) = 0.
Proof.
  intros M S. induction n as [|n IH]; intros seen past F; [reflexivity|]. cbn [run total].
  assert (A : in_turn K m ((star, 0) :: seen) = star) by (unfold in_turn; simpl; lia). rewrite A.
  pose proof (needle_always K star m D 1 M past F) as L1. cbn [repeat total] in L1. rewrite Z.add_0_r in L1.
  fold (hidden K star m D) in L1. rewrite L1, Z.add_0_l. apply IH.
  rewrite (firstn_cons_history (m - 1) star past (repeat star (m - 1))).
  - exact (firstn_repeat star (m - 1) (Datatypes.S (m - 1)) ltac:(lia)).
  - rewrite F. symmetry. now apply firstn_repeat.
Qed.

Definition turns (m t : nat) : list nat := prefix (fun s => (s / m)%nat) t.

(** Star is played first at step star m. *)
Lemma turns_of_star m star t k : (0 < m)%nat -> (t <= star * m + k)%nat -> (tally star (turns m t) <= k)%nat.
Proof.
  intros M. revert k. induction t as [|t IH]; intros k H; [simpl; lia|]. unfold turns in *. rewrite prefix_S, tally_app.
  unfold tally at 2. simpl. destruct (Nat.eq_dec (t / m) star) as [E|E].
  - pose proof (Nat.div_mod_eq t m). destruct k as [|k]; [nia|]. specialize (IH k ltac:(nia)). lia.
  - specialize (IH k ltac:(lia)). lia.
Qed.

Lemma last_turns m star j : (0 < m)%nat -> (j <= m)%nat -> firstn j (rev (turns m (star * m + j))) = repeat star j.
Proof.
  intros M. induction j as [|j IH]; intros H; [reflexivity|].
  replace (star * m + S j)%nat with (S (star * m + j)) by lia. unfold turns in *. rewrite prefix_S, rev_app_distr. simpl.
  rewrite IH by lia. f_equal. rewrite Nat.div_add_l, Nat.div_small by lia. lia.
Qed.

Lemma searching K star m D : (0 < m)%nat -> (star < K)%nat -> 0 < D -> forall n t seen,
  length seen = t -> unlucky seen -> (t <= (star + 1) * m - 1)%nat ->
  total (hidden K star m D) (rev (turns m t)) (run (hidden K star m D) (in_turn K m) seen (rev (turns m t)) n)
  <= D * Z.of_nat (Nat.min n ((star + 1) * m - 1 - t)).
Proof.
  intros M S P. induction n as [|n IH]; intros t seen L U B; [simpl; lia|]. cbn [run total].
  rewrite in_turn_searches by (try assumption; nia). rewrite L, hidden_loss by assumption.
  assert (E : forall t, rev (turns m (Datatypes.S t)) = (t / m)%nat :: rev (turns m t)).
  { intros u. unfold turns. now rewrite prefix_S, rev_app_distr. }
  destruct (Nat.eq_dec t ((star + 1) * m - 1)) as [->|N].
  - set (t := ((star + 1) * m - 1)%nat) in *. assert (T : t = (star * m + (m - 1))%nat) by (unfold t; nia).
    assert (A : (t / m = star)%nat) by (rewrite T, Nat.div_add_l, Nat.div_small by lia; lia).
    assert (F : firstn (m - 1) (rev (turns m t)) = repeat star (m - 1)) by (rewrite T; apply last_turns; lia).
    assert (H : hits m star m (rev (turns m t)) star = 1%nat).
    { unfold hits. rewrite Nat.eqb_refl. cbn [andb]. rewrite <- window_history, F. unfold window.
      change (star :: repeat star (m - 1)) with (repeat star (Datatypes.S (m - 1))).
      rewrite firstn_repeat, tally_repeat, Nat.eqb_refl by lia. reflexivity. }
    rewrite A, H, Nat.eqb_refl. cbv beta iota. rewrite found; [rewrite Nat.sub_diag, Nat.min_0_r; lia | exact M | exact S |].
    rewrite (firstn_cons_history (m - 1) star _ (repeat star (m - 1))).
    + exact (firstn_repeat star (m - 1) (Datatypes.S (m - 1)) ltac:(lia)).
    + rewrite F. symmetry. now apply firstn_repeat.
  - assert (H : (hits m star m (rev (turns m t)) (t / m) =? 1)%nat = false).
    { apply Nat.eqb_neq. unfold hits. destruct (Nat.eqb_spec (t / m) star) as [A|]; cbn [andb]; [|discriminate].
      destruct (Nat.eqb_spec (tally star (window m (rev (turns m t)) (t / m))) m) as [X|]; [|discriminate]. exfalso.
      unfold window in X. rewrite <- E in X.
      pose proof (turns_of_star m star (Datatypes.S t) (m - 1) M ltac:(nia)) as Y.
      unfold tally in Y. rewrite <- count_occ_rev in Y. fold (tally star (rev (turns m (Datatypes.S t)))) in Y.
      rewrite <- (firstn_skipn m (rev (turns m (Datatypes.S t)))), tally_app in Y. lia. }
    rewrite H. rewrite <- (E t). specialize (IH (Datatypes.S t) (((t / m)%nat, D) :: seen) ltac:(simpl; lia) ltac:(simpl;
      lia) ltac:(lia)).
    replace (Nat.min (Datatypes.S n) ((star + 1) * m - 1 - t)) with (Datatypes.S (Nat.min n ((star + 1) * m - 1 -
        Datatypes.S t))) by lia.
    lia.
Qed.

(** Counting the untested pairs by actions instead of by steps. *)
Lemma untested_by_actions K m T : (0 < m)%nat ->
  sum (fun x => Z.of_nat (Nat.min T ((x + 1) * m - 1))) 0 K = least_untested K m T.
Proof.
  intros M. unfold least_untested.
  rewrite (sum_ext _ (fun x => sum (fun t => if (t / m <=? x)%nat then 1 else 0) 1 T)).
  - rewrite sum_swap. apply sum_ext. intros t _. induction K as [|K IH]; [simpl; lia|].
    rewrite sum_S, IH, Nat.add_0_l. destruct (Nat.leb_spec (t / m) K); lia.
  - intros x _. induction T as [|T IH]; [reflexivity|]. rewrite sum_S, <- IH. change (1 + T)%nat with (S T).
    pose proof (Nat.div_mod_eq (S T) m). pose proof (Nat.mod_upper_bound (S T) m ltac:(lia)).
    destruct (Nat.leb_spec (S T / m) x).
    + assert (S T <= (x + 1) * m - 1)%nat by nia. rewrite !Nat.min_l by lia. lia.
    + assert ((x + 1) * m <= S T)%nat by nia. rewrite !Nat.min_r by lia. lia.
Qed.

Theorem proposition1_lower_attained K m D T : (0 < m)%nat -> (0 < K)%nat -> 0 < D ->
  2 * expected_loss K m D (in_turn K m) T = prop1_bayes_loss K m T * D.
Proof.
  intros M HK P. apply Z.le_antisymm; [|apply proposition1_lower; [exact M | lia | now apply in_turn_proper]].
  rewrite <- least_untested_closed, <- untested_by_actions by assumption.
  enough (E : expected_loss K m D (in_turn K m) T <= D * sum (fun x => Z.of_nat (Nat.min T ((x + 1) * m - 1))) 0 K) by nia.
  unfold expected_loss. rewrite <- sum_scale. apply sum_le. intros star S.
  pose proof (searching K star m D M ltac:(lia) P T 0 [] eq_refl I ltac:(lia)) as E. now rewrite Nat.sub_0_r in E.
Qed.

Corollary exact_bayes_regret K m D T : (0 < m)%nat -> (0 < K)%nat -> 0 < D -> (m * K <= T)%nat ->
  2 * expected_regret K m D (in_turn K m) T = prop1_bayes_regret K m * D.
Proof.
  intros M HK P HT. rewrite expected_regret_loss by (assumption || nia).
  pose proof (proposition1_lower_attained K m D T M HK P) as E. rewrite bayes_loss_long in E by assumption. lia.
Qed.

(** The paper says nothing about T.  Whatever its constant c is, the bound fails at T = m: testing in turn has the regret
    1 - 1/K, and the bound is mK/128. *)
Theorem lower_bound_fails c : exists K m T p, (1 <= K /\ 1 <= m /\ 1 <= T /\ c <= K)%nat /\ proper K p /\
  forall D, 0 < D -> 128 * expected_regret K m D p T < prop1_lower_stated K m * D.
Proof.
  exists (c + 1)%nat, 128%nat, 128%nat, (in_turn (c + 1) 128). split; [lia|]. split; [apply in_turn_proper; lia|].
  intros D P. pose proof (proposition1_lower_attained (c + 1) 128 D 128 ltac:(lia) ltac:(lia) P) as E.
  rewrite expected_regret_loss by lia. unfold prop1_bayes_loss, prop1_tests, prop1_lower_stated in *.
  rewrite Nat.div_same, Nat.min_r in E by lia. nia.
Qed.
