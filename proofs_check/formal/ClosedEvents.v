(** * The claims about probabilities

    [statements.toml] has what these claims say in Gallina; the program writes it into [Stated.v], and beside each statement
    that its hypotheses hold in some case.  Here both are proved. *)

Require Import List ZArith Reals Lia Lra.
Require Import TallyPlan.Language TallyPlan.Model TallyPlan.Sequences TallyPlan.LeastLoss TallyPlan.Elimination
  TallyPlan.Optimism TallyPlan.OptimismEpochs TallyPlan.OptimismRadii TallyPlan.OptimismEvent TallyPlan.Hoeffding
  TallyPlan.Lemma6AtOne TallyPlan.Theorem1OnEvents TallyPlan.Theorem1 TallyPlan.Models.
Require TallyPlan.Stated.
Import ListNotations.
Open Scope R_scope.

Lemma divided x D b : (0 < D)%Z -> IZR x <= IZR D * b -> IZR x / IZR D <= b.
Proof.
  intros P H. apply IZR_lt in P. apply (Rmult_le_reg_r (IZR D)); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** ** Lemma 7 *)

Theorem lemma_7_hoeffding : Stated.lemma_7_hoeffding.stated.
Proof.
  unfold Stated.lemma_7_hoeffding.stated. intros next counts h kappa delta K m S N steps NP SM C (HK & HM & HS & HN) [HD HP].
  assert (Q : 1 <= INR (K * m)) by (apply (le_INR 1); nia). assert (QS : 1 <= INR S) by (apply (le_INR 1); lia).
  destruct (union_logarithm _ _ delta Q QS HD) as [LG EX]. set (lg := ln _) in *. assert (PG : 0 < lg) by lra.
  assert (PN : 0 < INR N) by now apply lt_0_INR. set (a := INR N * sqrt (lg / (2 * INR N))).
  exists (deviates counts h N a). split; [|split].
  - intros xs. unfold deviates. destruct (le_dec _ _); [|lra]. destruct (Rle_dec _ _); lra.
  - intros xs LX. unfold deviates. rewrite (C xs LX). destruct (le_dec N N); [|lia].
    destruct (Rle_dec a (Rabs (deviation counts h xs))) as [|B]; [right; lra | left]. apply Rnot_le_lt in B. unfold a in B.
    unfold Rdiv at 1. rewrite Rabs_mult, (Rabs_pos_eq (/ INR N)) by (left; now apply Rinv_0_lt_compat).
    apply (Rle_trans _ (sqrt (lg / (2 * INR N)))).
    + apply (Rmult_le_reg_l (INR N)); [exact PN|]. rewrite (Rmult_comm (Rabs _)), <- Rmult_assoc, Rinv_r; lra.
    + apply sqrt_le_1_alt. replace (kappa / INR N * lg) with (lg / INR N * kappa) by (field; lra).
      replace (lg / (2 * INR N)) with (lg / INR N * (1 / 2)) by (field; lra).
      apply Rmult_le_compat_l; [left; now apply Rdiv_lt_0_compat | lra].
  - apply (Rle_trans _ _ _ (hoeffding_radius next NP counts h SM steps N lg HN PG)).
    rewrite EX, (mult_INR (K * m) S). right. field. lra.
Qed.

Theorem lemma_7_hoeffding_model : Stated.lemma_7_hoeffding.model.
Proof.
  exists (fun _ => coin (1 / 2)), (fun _ => true), (1 / 2), (1 / 2), (1 / 2), 2%nat, 2%nat, 1%nat, 3%nat, 3%nat.
  split; [easy|]. split; [intros; apply coin_fits; lra|]. split; [intros; apply coin_fits; lra|].
  split; [|split; [lia | lra]].
  intros xs <-. induction xs as [|v xs IH]; [reflexivity | cbn; now rewrite IH].
Qed.

Theorem lemma_7 : Stated.lemma_7.stated.
Proof.
  unfold Stated.lemma_7.stated. intros until next. intros ((HK & HM & PD & TW) & (HS & HL & HD) & F & NP & MP) HP s B.
  refine (holds_but_for_weaken next _ _ _ _ _
    (lemma7_of_epoch K m h D L S kappa delta pick select act next HK HM PD HS HL HP HD F NP MP s B)).
  intros xs _ E pi A. destruct (E pi A) as [E1 E2]. unfold at_most_above in *. cbn [le plus reals mu of_Z] in *. unfold mu in *.
  cbn [of_Z reals] in *. unfold width, mean_of in *. assert (P : 0 < IZR (Z.of_nat L * D)).
  { apply IZR_lt. pose proof (horizon_pos K m L S HK HM HS HL). nia. }
  set (u := IZR (Z.of_nat L * D)) in *. rewrite <- Rdiv_minus_distr. unfold Rdiv.
  rewrite Rabs_mult, (Rabs_pos_eq (/ u)) by (left; now apply Rinv_0_lt_compat).
  apply (Rmult_le_reg_l u); [exact P|]. rewrite (Rmult_comm (Rabs _)), <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. apply Rabs_le. lra.
Qed.

(** A game of Algorithm 1, with coins, in which every loss is 1/2, with a best cyclic policy and the optimum. *)
Lemma some_game kappa : let h := fun _ _ => 1%Z in let L := (4 * (2 * 2) * (2 ^ 2 - 1))%nat in
  exists pick select act next star opt, algorithm1_game 2 2 h 2 L 2 kappa (1 / 2) pick select act next /\
    best_policy 2 2 h L star /\ is_optimum (tallying 2 2 h) (L * L) [] opt.
Proof.
  intros h L. destruct (algorithm1_can_be_followed 2 2 h 2 2 kappa (1 / 2)) as (pick & select & act & next & G);
    try (unfold h; lia); try lra. destruct (some_best_policy 2 2 h L ltac:(lia)) as [star B].
  exists pick, select, act, next, star. eexists. split; [exact G|]. split; [exact B|]. apply opt_is_optimum. cbn. lia.
Qed.

Ltac some_case := destruct (some_game 32) as (pick & select & act & next & star & opt & G & B & O); do 6 eexists.

Theorem lemma_7_model : Stated.lemma_7.model.
Proof. some_case. exists 32, (1 / 2), pick, select, act, next. split; [|split; [exact G | lra]]. easy. Qed.

(** ** Lemma 5 *)

Theorem lemma_5_sharp : Stated.lemma_5.sharp.
Proof.
  unfold Stated.lemma_5.sharp. intros until star. intros ((HK & HM & PD & TW) & (HS & HL & HD) & F & NP & MP) HP B.
  exact (lemma5_of_epochs K m h D L S kappa delta pick select act next HK HM PD TW HS HL HP HD F NP MP star B).
Qed.

Theorem lemma_5 : Stated.lemma_5.stated.
Proof.
  unfold Stated.lemma_5.stated. intros until star. intros G HP B. pose proof
    (lemma_5_sharp _ _ _ _ _ _ _ _ _ _ _ _ _ G HP B) as X.
  destruct G as ((HK & HM & _) & (HS & HL & _) & _). refine (holds_but_for_weaken next _ _ _ _ _ X).
  cbv zeta. intros xs _ E s HB. apply (Rle_trans _ _ _ (E s HB)). apply Rmult_le_compat_l; [apply pos_INR|].
  pose proof (memory_fits K m L S HK HM HS HL) as Q. unfold Lemma2.lemma2_exact in Q. apply le_INR in Q. rewrite plus_INR in Q.
  cbn [INR] in Q. lra.
Qed.

Theorem lemma_5_model : Stated.lemma_5.model.
Proof. some_case. exists 32, (1 / 2), pick, select, act, next, star. split; [|split; [exact G | split; [lra | exact B]]].
easy. Qed.

(** ** Theorem 1 *)

Theorem theorem_1_sharpened : Stated.theorem_1_sharpened.stated.
Proof.
  unfold Stated.theorem_1_sharpened.stated. intros until opt. intros ((HK & HM & PD & TW) &
    (HS & HL & HD) & F & NP & MP) HP O.
  destruct (some_best_policy K m h L HK) as [star B].
  refine (holds_but_for_weaken next _ _ _ _ _
    (theorem1 K m h D L S kappa delta pick select act next HK HM PD TW HS HL HP HD F NP MP star opt B O)).
  intros xs _. now apply divided.
Qed.

Theorem theorem_1_domain : Stated.theorem_1_domain.stated.
Proof.
  unfold Stated.theorem_1_domain.stated. intros until opt. intros G O.
  refine (holds_but_for_weaken next _ _ _ _ _ (theorem_1_sharpened _ _ _ _ _ _ _ _ _ _ _ _ _ G ltac:(lra) O)).
  destruct G as ((HK & HM & _) & (HS & HL & HD) & _).
  intros xs _ E. apply (Rle_trans _ _ _ E). exact (sharp_below_printed K m L S delta HK HM HS HD HL).
Qed.

Theorem theorem_1_sharpened_model : Stated.theorem_1_sharpened.model.
Proof. some_case. exists 32, (1 / 2), pick, select, act, next, opt. split; [|split; [exact G | split; [lra | exact O]]].
easy. Qed.

Theorem theorem_1_domain_model : Stated.theorem_1_domain.model.
Proof. some_case. exists (1 / 2), pick, select, act, next, opt. split; [|split; [exact G | exact O]]. easy. Qed.

(** ** Optimism *)

Theorem optimism_event : Stated.optimism_event.stated.
Proof.
  unfold Stated.optimism_event.stated. intros K m T h delta act next (HK & HM & HT) HD NP MP.
  now apply event_probability.
Qed.

Theorem optimism_event_model : Stated.optimism_event.model.
Proof.
  exists 2%nat, 2%nat, 4%nat, (fun _ => 1 / 2), (1 / 2), (fun _ => 0%nat), (fun _ => coin (1 / 2)).
  split; [easy|]. split; [lia|]. split; [lra|]. split; intros; apply coin_fits; lra.
Qed.

Theorem optimism : Stated.optimism.stated.
Proof.
  unfold Stated.optimism.stated. intros K m h D T delta eps act next opt (HK & HM & HT) PD TW HD [E0 TE] NP MP OL O.
  refine (holds_but_for_weaken next _ _ _ _ _
    (optimism_with_high_probability K m h D T delta eps act next opt HK HM PD HT HD E0 TE TW NP MP OL O)).
  intros xs _. now apply divided.
Qed.

(** At the start an optimistic learner knows nothing: all lower bounds are 0, and any word is a plan.  In the first four steps
    of a game in which every loss is 1/2 it may play action 0, in epochs of one step. *)
Lemma wide_at_first lg n : 1 / 2 <= lg -> (n <= 4)%nat -> 1 <= 2 * allowed lg 0 n.
Proof.
  intros B N. destruct n as [|n]; [simpl; lra|]. change (allowed lg 0 (S n)) with (sqrt (2 * lg / INR (S n)) + 0).
  assert (1 / 2 <= sqrt (2 * lg / INR (S n))); [|lra]. rewrite <- (sqrt_square (1 / 2)) by lra. apply sqrt_le_1_alt.
  apply le_INR in N. replace (INR 4) with 4 in N by (simpl; lra). assert (P : 0 < INR (S n)) by (apply lt_0_INR; lia).
  apply (Rmult_le_reg_r (INR (S n))); [exact P|]. replace (2 * lg / INR (S n) * INR (S n)) with (2 * lg) by (field; lra). lra.
Qed.

Theorem optimism_model : Stated.optimism.model.
Proof.
  exists 2%nat, 2%nat, (fun _ _ => 1%Z), 2%Z, 4%nat, (1 / 2), 0, (fun _ => 0%nat), (fun _ => coin (1 / 2)). eexists.
  split; [easy|]. split; [lia|]. split; [lia|]. split; [intros x y _ _; lia|]. split; [lra|]. split; [lra|].
  split; [intros; apply coin_fits; lra|]. split; [intros; apply coin_fits; lra|]. split; [|apply opt_is_optimum; cbn; lia].
  assert (B : 1 / 2 <= ln (2 * INR (2 * 2) * INR 4 / (1 / 2))).
  { pose proof ln_lt_2. assert (ln 2 < ln (2 * INR (2 * 2) * INR 4 / (1 / 2))) by (apply ln_increasing; simpl; lra). lra. }
  set (lg := ln _) in *. clearbody lg. set (e := Epoch (fun _ _ => 0%Z) [0%nat] 1). intros xs LX _. exists [e; e; e; e].
  destruct xs as [|v1 [|v2 [|v3 [|v4 [|]]]]]; try discriminate. split; [reflexivity|]. split; [|split].
  - assert (P : planned 2 2 (fun _ _ => 1%Z) e); [|repeat (constructor; [exact P|]); constructor].
    split; [intros x y _ _; cbn; lia|].
    assert (Z0 : forall w s, total (tallying 2 2 (fun _ _ => 0%Z)) s w = 0%Z) by (induction w; intros; cbn [total];
      [|rewrite IHw]; reflexivity).
    exists 0%Z, 1%Z. split; [lia|]. split; [intros w _ _ | split; [easy | split; [repeat constructor | split; [|intros k]]]];
      unfold cycle_loss, e; cbn [lower word]; rewrite Z0; lia.
  - refine (conj _ (conj _ (conj _ (conj _ I)))); intros c J;
      repeat (destruct J as [<-|J]; [split; [cbv; lia | apply wide_at_first; [exact B | cbv; lia]]|]); destruct J.
  - refine (conj _ (conj _ (conj _ I))); [exists (0, 1)%nat | exists (0, 2)%nat | exists (0, 2)%nat]; split; cbv; auto 6.
Qed.
