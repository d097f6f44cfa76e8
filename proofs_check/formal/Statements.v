(** * What the claims state

    Every claim of the package is a domain and a formula, in the names of the paper.  Here both stand as functions that can
    be evaluated, [.._domain] a list of conditions and [.._stated] one more, and each theorem says: on the domain, for the
    numbers of the model that the names stand for, the formula is true.  [headlines.json] pairs the functions with the
    formulas in Python; both are evaluated at random arguments, so that neither can be changed alone.

    Losses are integers with the denominator D: OPT is opt/D, mu is v/(L D), and L = sqrt(T).  The theorems below follow in a
    few lines from those of the files about the paper's results; claims about real numbers are in [RealStatements.v]. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Proposition1Upper TallyPlan.Proposition1Lower TallyPlan.Counterexample3 TallyPlan.Elimination TallyPlan.Lemma8
  TallyPlan.Lemma6 TallyPlan.Lemma5 TallyPlan.TwoArms TallyPlan.TwoArmsRising TallyPlan.TwoArmsMonotone.
Import ListNotations.
Open Scope Z_scope.
Open Scope bool_scope.

(** All conditions hold. *)
Definition all (conditions : list bool) : Prop := forallb (fun b => b) conditions = true.

Lemma all_cons b l : all (b :: l) <-> b = true /\ all l.
Proof. apply andb_true_iff. Qed.

Ltac read H :=
  rewrite ?all_cons, ?andb_true_iff, ?Nat.leb_le, ?Nat.ltb_lt, ?Nat.eqb_eq, ?Z.leb_le, ?Z.ltb_lt, ?Z.eqb_eq in H.
Ltac prove := rewrite ?andb_true_iff, ?Z.leb_le, ?Z.eqb_eq.

(** ** Lemma 1 *)

Definition lemma_1_domain (m : nat) (T : Z) : list bool := [(1 <=? m)%nat; 0 <=? T].
Definition lemma_1_stated (T : nat) (D : Z) (reward a_total : nat -> Z) : bool := reward T =? Z.of_nat T * D - a_total T.

Theorem lemma_1 K m T h D word : all (lemma_1_domain m (Z.of_nat T)) -> length word = T ->
  lemma_1_stated T D (fun t => total_reward (paper_process m h D) (initial (paper_process m h D)) (firstn t word))
                     (fun t => total (tallying K m h) [] (firstn t word)) = true.
Proof.
  intros H <-. unfold lemma_1_domain in H. read H. unfold lemma_1_stated. prove. rewrite firstn_all. apply lemma1. lia.
Qed.

(** ** Lemma 2 *)

Definition lemma_2_domain (m L T : nat) (p : Z) (n : nat) : list bool :=
  [(1 <=? m)%nat; (1 <=? L)%nat; (T =? L * L)%nat; (m * m <=? T)%nat; 0 <=? p; (1 <=? n)%nat].
Definition lemma_2_stated (L p n : nat) (a_total b_total : nat -> Z) : bool :=
  a_total (p + (n + 1) * L)%nat - a_total (p + n * L)%nat =? b_total (2 * L)%nat - b_total L.

Lemma firstn_of_app {A} k (u w : list A) : length u = k -> firstn k (u ++ w) = u.
Proof. intros <-. rewrite firstn_app, Nat.sub_diag, firstn_all. apply app_nil_r. Qed.

(** What a period costs, as a difference of two totals. *)
Lemma last_period b past n pi p : length past = p ->
  total b [] (firstn (p + (n + 1) * length pi) (past ++ repeated (n + 1) pi))
  - total b [] (firstn (p + n * length pi) (past ++ repeated (n + 1) pi))
  = total b (after (rev past) (repeated n pi)) pi.
Proof.
  intros <-. rewrite firstn_all2 by (rewrite app_length, length_repeated; lia).
  replace (n + 1)%nat with (S n) by lia. rewrite repeated_S', app_assoc, firstn_of_app
    by now rewrite app_length, length_repeated.
  rewrite (total_app _ _ _ pi), after_app. unfold after at 2. rewrite app_nil_r. lia.
Qed.

Theorem lemma_2 K m L T p n h pi past : all (lemma_2_domain m L T (Z.of_nat p) n) -> plays (tallying K m h) L pi ->
  length past = p ->
  lemma_2_stated L p n (fun t => total (tallying K m h) [] (firstn t (past ++ repeated (n + 1) pi)))
                       (fun t => total (tallying K m h) [] (firstn t (repeated 2 pi))) = true.
Proof.
  intros H [<- V] E. unfold lemma_2_domain in H. read H. unfold lemma_2_stated. prove.
  assert (M : (m <= length pi)%nat) by nia. rewrite last_period by exact E.
  pose proof (last_period (tallying K m h) [] 1 pi 0 eq_refl) as X. cbn [app Nat.add] in X. rewrite Nat.mul_1_l in X.
  rewrite X, !later_periods_lose_mu; auto; unfold lemma2_exact; lia.
Qed.

(** ** Lemma 3 *)

Definition lemma_3_domain (m L T : nat) : list bool := [1 <=? m; 1 <=? L; T =? L * L]%nat.
Definition lemma_3_stated (m L : nat) (D v opt : Z) : bool := Z.of_nat L * v - opt <=? lemma3_stated m L * D.

Theorem lemma_3 K m L T h D v opt : all (lemma_3_domain m L T) -> 0 <= D -> table_within K m h D ->
  is_least_period K m h L v -> is_optimum (tallying K m h) T [] opt -> lemma_3_stated m L D v opt = true.
Proof.
  intros H P TW LP O. unfold lemma_3_domain in H. read H. destruct H as (M & _ & -> & _).
  unfold lemma_3_stated. prove. now apply (lemma3_as_stated K m h).
Qed.

Definition lower_end_domain (K m L T : nat) : list bool := [1 <=? K; 1 <=? m; T =? L * L; m <=? L + 1]%nat.
Definition lower_end_stated (m L : nat) (D v opt : Z) : bool := lemma3_lower m * D <=? Z.of_nat L * v - opt.

Theorem lower_end K m L T h D v opt : all (lower_end_domain K m L T) -> 0 <= D -> table_within K m h D ->
  is_least_period K m h L v -> is_optimum (tallying K m h) T [] opt -> lower_end_stated m L D v opt = true.
Proof.
  intros H P TW LP O. unfold lower_end_domain in H. read H. destruct H as (_ & M & -> & X & _).
  unfold lower_end_stated. prove. now apply (lemma3_from_below K m h).
Qed.

(** ** Algorithm 2 and Proposition 1, upper bound *)

(** Actions and steps are numbered from 1, as in the paper. *)
Definition algorithm_2_domain (K m x y : nat) : list bool :=
  [1 <=? K; 1 <=? m; (1 <=? x) && (x <=? K); (1 <=? y) && (y <=? m)]%nat.
Definition algorithm_2_stated (K m x y : nat) (e : nat -> nat) (e_count : nat -> nat -> nat) : bool :=
  let step := (x * m - m + y)%nat in
  ((e step =? x) && (e_count x step - e_count x (Nat.max (step - m) 0) =? y) && (e (m * K - m + y) =? K))%nat.

Lemma exploration_length K m : length (exploration K m) = (K * m)%nat.
Proof.
  unfold exploration. generalize 0%nat. induction K as [|K IH]; intros a; [reflexivity|]. cbn [seq flat_map].
  rewrite app_length, repeat_length, IH. lia.
Qed.

Lemma exploration_without K m : tally K (exploration K m) = 0%nat.
Proof.
  unfold tally. apply count_occ_not_In. intros I. apply in_flat_map in I as (x & X & I). apply in_seq in X.
  apply repeat_spec in I. lia.
Qed.

(** Step x m + y plays x, for the x-th time from 0. *)
Lemma exploration_from K m x y : (x < K)%nat -> (1 <= y <= m)%nat ->
  firstn (x * m + y) (exploration K m) = exploration x m ++ repeat x y /\ nth (x * m + y - 1) (exploration K m) 0%nat = x.
Proof.
  intros X Y. replace K with (x + S (K - S x))%nat by lia. unfold exploration. rewrite seq_app, flat_map_app.
  cbn [Nat.add seq flat_map]. fold (exploration x m). pose proof (exploration_length x m) as E. split.
  - rewrite firstn_app, firstn_all2 by lia. f_equal. rewrite E. replace (x * m + y - x * m)%nat with y by lia.
    rewrite firstn_app, repeat_length, firstn_repeat by lia. replace (y - m)%nat with 0%nat by lia. apply app_nil_r.
  - rewrite app_nth2 by lia. rewrite E, app_nth1 by (rewrite repeat_length; lia).
    assert (I : In (nth (x * m + y - 1 - x * m) (repeat x m) 0%nat) (repeat x m))
      by (apply nth_In; rewrite repeat_length; lia).
    now apply repeat_spec in I.
Qed.

Theorem algorithm_2 K m x y : all (algorithm_2_domain K m x y) ->
  algorithm_2_stated K m x y (fun t => S (nth (t - 1) (exploration K m) 0%nat))
                             (fun x t => tally (x - 1) (firstn t (exploration K m))) = true.
Proof.
  intros H. unfold algorithm_2_domain in H. read H. unfold algorithm_2_stated. rewrite !andb_true_iff, !Nat.eqb_eq.
  destruct x as [|x]; [lia|]. replace (S x * m - m + y)%nat with (x * m + y)%nat by lia. replace (S x - 1)%nat with x by lia.
  destruct (exploration_from K m x y ltac:(lia) ltac:(lia)) as [F N].
  replace (m * K - m + y)%nat with ((K - 1) * m + y)%nat by nia.
  destruct (exploration_from K m (K - 1) y ltac:(lia) ltac:(lia)) as [_ N']. rewrite F, N, N', Nat.max_0_r.
  repeat split; [|lia].
  assert (Z0 : tally x (firstn (x * m + y - m) (exploration K m)) = 0%nat).
  { replace (firstn (x * m + y - m) (exploration K m)) with (firstn (x * m + y - m) (exploration x m)).
    - apply tally_firstn_0, exploration_without.
    - rewrite <- (Nat.min_l (x * m + y - m) (x * m + y)) by lia. rewrite <- (firstn_firstn (exploration K m)), F, firstn_app.
      rewrite exploration_length, Nat.min_l by lia. replace (x * m + y - m - x * m)%nat with 0%nat by lia.
      symmetry. apply app_nil_r. }
  rewrite Z0, tally_app, exploration_without, tally_repeat. lia.
Qed.

Definition proposition_1_domain (K m T : nat) : list bool := [1 <=? K; 1 <=? m; m * K <=? T]%nat.
Definition proposition_1_stated (K m : nat) (D loss opt : Z) : bool := loss - opt <=? prop1_stated K m * D.

Theorem proposition_1_upper K m T h D w opt : all (proposition_1_domain K m T) -> 0 <= D -> table_within K m h D ->
  alg_det_plays K m h T w -> is_optimum (tallying K m h) T [] opt ->
  proposition_1_stated K m D (total (tallying K m h) [] w) opt = true.
Proof.
  intros H P TW A O. unfold proposition_1_domain in H. read H. unfold proposition_1_stated. prove.
  apply (proposition1_upper_as_stated K m h D T); auto; lia.
Qed.

(** ** Proposition 1, lower bound *)

Definition needle_optimum_domain (K m : nat) (T : Z) : list bool := [(1 <=? K)%nat; (1 <=? m)%nat; 0 <=? T].
Definition needle_optimum_stated (m T : nat) (D opt : Z) : bool :=
  implb (m - 1 <=? T)%nat (opt =? (Z.of_nat m - 1) * D).

Theorem needle_optimum K m T star D opt : all (needle_optimum_domain K m (Z.of_nat T)) -> (star < K)%nat -> 0 <= D ->
  is_optimum (hidden K star m D) T [] opt -> needle_optimum_stated m T D opt = true.
Proof.
  intros H S P O. unfold needle_optimum_domain in H. read H. unfold needle_optimum_stated.
  destruct (Nat.leb_spec (m - 1) T) as [HT|]; [|reflexivity]. cbn [implb]. prove.
  rewrite (is_optimum_opt _ _ _ _ O). symmetry. apply is_optimum_opt, needle_optimum_exact; lia.
Qed.

(** The paper says nothing about T, and its constant is c. *)
Definition lower_bound_domain (K m T c : nat) : list bool := [1 <=? K; 1 <=? m; 1 <=? T; c <=? K]%nat.
Definition lower_bound_stated (K m : nat) (D regret : Z) : bool := prop1_lower_stated K m * D <=? 128 * regret.

(** Whatever c is, the bound fails at T = m: the regret of testing the actions in turn is 1 - 1/K, the bound mK/128. *)
Theorem lower_bound_fails c : exists K m T, all (lower_bound_domain K m T c) /\
  exists p, proper K p /\ forall D, 0 < D -> lower_bound_stated K m D (expected_regret K m D p T) = false.
Proof.
  exists (c + 1)%nat, 128%nat, 128%nat. split.
  - unfold lower_bound_domain. rewrite !all_cons, !Nat.leb_le. repeat split; try lia.
  - exists (in_turn (c + 1) 128). split; [apply in_turn_proper; lia|]. intros D P. unfold lower_bound_stated. apply Z.leb_gt.
    pose proof (proposition1_lower_attained (c + 1) 128 D 128 ltac:(lia) ltac:(lia) P) as E.
    rewrite expected_regret_loss by lia. unfold prop1_bayes_loss, prop1_tests, prop1_lower_stated in *.
    rewrite Nat.div_same, Nat.min_r in E by lia. nia.
Qed.

(** ** Counterexample 3 *)

Definition counterexample_3_domain (K m x T : nat) : list bool := [K =? 2; m =? 2; (1 <=? x) && (x <=? K); 1 <=? T]%nat.
Definition counterexample_3_stated (T : nat) (loss fixed opt : Z) : bool :=
  (loss =? counterexample3_loss T) && (loss - fixed =? 0) && (loss - opt =? counterexample3_loss T).

Lemma least_unique class f v v' : is_least class f v -> is_least class f v' -> v = v'.
Proof. intros [(w & C & E) B] [(w' & C' & E') B']. specialize (B w' C'). specialize (B' w C). lia. Qed.

Lemma regret_unique b class w r v : policy_regret b class w r -> is_least class (total b []) v -> total b [] w - v = r.
Proof. intros (v' & L & ->) L'. now rewrite (least_unique _ _ _ _ L L'). Qed.

Theorem counterexample_3 K m x T fixed opt : all (counterexample_3_domain K m x T) ->
  is_least (constants counterexample3 T) (total counterexample3 []) fixed ->
  is_least (plays counterexample3 T) (total counterexample3 []) opt ->
  counterexample_3_stated T (total counterexample3 [] (repeat (x - 1)%nat T)) fixed opt = true.
Proof.
  intros H F O. unfold counterexample_3_domain in H. read H. unfold counterexample_3_stated. prove. repeat split.
  - apply constant_policy_loses. lia.
  - apply (regret_unique _ _ _ _ _ (constant_action_policy_regret (x - 1) T ltac:(lia) ltac:(lia)) F).
  - apply (regret_unique _ _ _ _ _ (complete_policy_regret (x - 1) T ltac:(lia)) O).
Qed.

Definition traditional_stated (loss charged : Z) : bool := loss - charged =? 0.

(** At every T >= 2 of the domain, and so somewhere. *)
Theorem traditional_fails : exists K m x T, all (counterexample_3_domain K m x T) /\ forall least,
  is_least (constants counterexample3 T) (charged counterexample3 [] (repeat (x - 1)%nat T)) least ->
  traditional_stated (total counterexample3 [] (repeat (x - 1)%nat T)) least = false.
Proof.
  exists 2%nat, 2%nat, 1%nat, 2%nat. split; [reflexivity|]. intros least L. unfold traditional_stated. apply Z.eqb_neq.
  apply (traditional_regret_is_not_zero 0 2 _ ltac:(lia) ltac:(lia)). now exists least.
Qed.

Definition or_traditional_domain (K m T : nat) : list bool := [K =? 2; m =? 2; 2 <=? T]%nat.
Definition or_traditional_stated (T : nat) (loss charged opt : Z) : bool :=
  (loss - charged =? 0) && (loss - opt =? other_regret T).

(** Losses are counted in halves. *)
Theorem or_traditional K m T least opt : all (or_traditional_domain K m T) ->
  is_least (plays other_table T) (charged other_table [] (repeat 0%nat T)) least ->
  is_least (plays other_table T) (total other_table []) opt ->
  or_traditional_stated T (total other_table [] (repeat 0%nat T)) least opt = true.
Proof.
  intros H C O. unfold or_traditional_domain in H. read H. unfold or_traditional_stated. prove. split.
  - destruct (traditional_regret_zero_against_everything T) as (v & V & E). rewrite <- (least_unique _ _ _ _ V C). lia.
  - apply (regret_unique _ _ _ _ _ (linear_complete_policy_regret T ltac:(lia)) O).
Qed.

(** ** Lemmas 8, 6 and 5, on the events of Lemma 7 *)

Section OnEvents.
Context {policy : Type}.
Definition event_stated (hat : policy -> nat -> Z) (loss_of : policy -> Z) (C : nat -> Z) (p : policy) (j : nat) : bool :=
  Z.abs (hat p j - loss_of p) <=? C j.
Definition rule (C : nat -> Z) (j : nat) : Z := Z.of_nat elimination_factor * C j.
Definition lemma_8_domain (good : Z) (j : nat) : list bool := [good =? 1; (1 <=? j)%nat].
Definition lemma_8_stated (member hat : policy -> nat -> Z) (best : nat -> policy) (C : nat -> Z) (star : policy) (j : nat)
  : bool :=
  (member star j =? 1) && (0 <=? hat star j - hat (best j) j)
  && (hat star j - hat (best j) j <=? Z.of_nat lemma8_factor * C j).
Definition chain_domain (good : Z) (s : nat) (member : policy -> nat -> Z) (p : policy) : list bool :=
  [good =? 1; (2 <=? s)%nat; member p s =? 1].
Definition chain_stated (s : nat) (mean mu : Z) (C : nat -> Z) : bool :=
  mean - mu <=? Z.of_nat lemma6_factor * C (s - 1)%nat.
End OnEvents.

Section Elimination.
Variables (K m : nat) (h : nat -> nat -> Z) (L : nat) (hat : list nat -> nat -> Z) (best : nat -> list nat) (C : nat -> Z).
Variables (good : Z) (member : list nat -> nat -> Z) (star : list nat).
Let A := survivors integers K m h L (fun j p => hat p j) best C.
Hypothesis star_is_best : best_policy K m h L star.
Hypothesis members : forall p j, member p j = 1 <-> A j p.
Hypothesis least_estimate : forall j, (1 <= j)%nat -> chosen_well integers K m h L (fun j p => hat p j) best C j.
Hypothesis on_the_events : good = 1 -> forall p j, (1 <= j)%nat -> A j p ->
  event_stated hat (period_loss K m h) C p j = true.

Lemma run : good = 1 -> forall S s, (1 <= s <= S)%nat -> chosen_well integers K m h L (fun j p => hat p j) best C s /\
  event integers K m h L (fun j p => hat p j) best C s.
Proof.
  intros G S s HS. split; [apply least_estimate; lia|]. intros p I. pose proof (on_the_events G p s ltac:(lia) I) as E.
  unfold event_stated in E. apply Z.leb_le in E. unfold within, at_most_above, mu. cbn [number plus le of_Z integers]. lia.
Qed.

Theorem lemma_8 j : all (lemma_8_domain good j) -> lemma_8_stated member hat best C star j = true.
Proof.
  intros H. unfold lemma_8_domain in H. read H. destruct H as (G & J & _). unfold lemma_8_stated. prove.
  destruct (lemma8 integers K m h L _ _ _ star j star_is_best (run G j) j ltac:(lia)) as (I & LE & E).
  unfold at_most_above in E. rewrite times_integers in E. cbn [number plus le integers] in *.
  repeat split; [now apply members | lia | lia].
Qed.

Theorem lemma_6_chain s p : all (chain_domain good s member p) ->
  chain_stated s (period_loss K m h p) (period_loss K m h star) C = true.
Proof.
  intros H. unfold chain_domain in H. read H. destruct H as (G & HS & I & _). apply members in I. unfold chain_stated. prove.
  pose proof (Lemma6.lemma6_chain integers K m h L _ _ _ star s star_is_best (run G s) s p ltac:(lia) I) as E.
  unfold at_most_above, mu in E. rewrite times_integers in E. cbn [number plus le of_Z integers] in E. lia.
Qed.

Definition lemma_5_domain (K m T s : nat) : list bool := [1 <=? K; 1 <=? m; 1 <=? T; 2 <=? s]%nat.
Definition lemma_5_stated (K m L s : nat) (D : Z) (cost C : nat -> Z) : bool :=
  cost s <=? lemma5_stated K m L (2 ^ s) D (C (s - 1)%nat).

(** In words: on the event, and m <= sqrt(T). *)
Theorem lemma_5 T s D policies past : all (lemma_5_domain K m T s) -> (m <= L)%nat -> good = 1 -> 0 <= D ->
  table_within K m h D ->
  length policies = (K * m)%nat -> Forall (fun p => member p s = 1) policies ->
  lemma_5_stated K m L s D (fun s => total (tallying K m h) past (epoch (2 ^ s) policies)
                                     - Z.of_nat (K * m) * (Z.of_nat (2 * 2 ^ s) * period_loss K m h star)) C = true.
Proof.
  intros H M G P TW LP F. unfold lemma_5_domain in H. read H. unfold lemma_5_stated. prove.
  apply (lemma5_as_stated K m h D L (fun j p => hat p j) best C star s); try assumption; try (unfold lemma2_exact; lia).
  - now apply run.
  - apply Forall_forall. intros p I. rewrite Forall_forall in F. now apply members, F.
Qed.
End Elimination.

(** ** Two arms *)

(** Losses and bound are A(k), B(k) and p/q, slopes t(k)/q. *)
Definition within_stated (m : nat) (A B t : nat -> Z) (p q : Z) (k : nat) : bool :=
  ((Z.of_nat m - Z.of_nat k) * t k <=? q * A k - p) && (0 <=? q * B k - p + Z.of_nat k * t k).
Definition slopes_domain (m : nat) (A B t : nat -> Z) (p q : Z) (k : nat) : list bool :=
  [ ((2 <=? k) && (k <=? m - 1))%nat;
    within_stated m A B t p q k;
    Z.abs (t k - t (k - 1)%nat) * (Z.of_nat k - 1) * (Z.of_nat m - Z.of_nat k)
      <=? q * A k - p - (Z.of_nat m - Z.of_nat k) * t k + (q * B (k - 1)%nat - p) + (Z.of_nat k - 1) * t (k - 1)%nat;
    within_stated m A B t p q 1;
    within_stated m A B t p q (m - 1);
    (p <=? q * A m) && (p <=? q * B 0%nat) ].
Definition mean_stated (n : nat) (loss p q : Z) : bool := Z.of_nat n * p <=? q * loss.

(** At every level, and there is one. *)
Theorem slopes m h t p q u : (3 <= m)%nat -> 0 < q ->
  (forall k, (2 <= k <= m - 1)%nat -> all (slopes_domain m (h 1%nat) (fun k => h 0%nat (m - k)%nat) t p q k)) ->
  u <> [] -> valid (tallying 2 m h) u -> mean_stated (length u) (cycle_loss (tallying 2 m h) u) p q = true.
Proof.
  intros M Q H N V. unfold mean_stated. prove. apply long_run_words; [|exact N | exact V].
  assert (at_level : forall k, (2 <= k <= m - 1)%nat -> _)
    by (intros k K; specialize (H k K); unfold slopes_domain, within_stated in H; read H; exact H). clear H.
  apply (two_arms_sound m h p q t); [lia | exact Q | | |].
  - specialize (at_level 2%nat ltac:(lia)). unfold constants_fine, excess_one, excess_zero.
    rewrite Nat.sub_0_r in at_level |- *. lia.
  - intros k K. unfold up, down, excess_one, excess_zero. destruct (Nat.eq_dec k 1) as [->|].
    + specialize (at_level 2%nat ltac:(lia)). lia.
    + specialize (at_level k ltac:(lia)). lia.
  - intros k K. specialize (at_level k K). unfold up, down, excess_one, excess_zero. lia.
Qed.

(** Al = a/q, Bk = b/q: what the losses are above the bound. *)
Definition condition_stated (k l m : nat) (Al Bk : Z) : bool := 0 <=? Z.of_nat k * Al + (Z.of_nat m - Z.of_nat l) * Bk.
Definition rising_domain (k l m : nat) (Al Bk : Z) : list bool :=
  [((1 <=? k) && (k <? l) && (l <? m))%nat; condition_stated k l m Al Bk].

(** In words: p/q is at most the mean of the constant words and of all 0^i 1^j with i + j >= m, i, j < m. *)
Theorem rising m h p q u : (0 < m)%nat -> 0 < q -> below_long_words m h p q ->
  (forall k l, (1 <= k)%nat -> (k < l)%nat -> (l < m)%nat ->
    all (rising_domain k l m (excess_one h p q l) (excess_zero m h p q k))) ->
  u <> [] -> valid (tallying 2 m h) u -> mean_stated (length u) (cycle_loss (tallying 2 m h) u) p q = true.
Proof.
  intros M Q B H N V. unfold mean_stated. prove. apply long_run_words; [|exact N | exact V].
  apply two_arms_rising; try assumption. intros k l K L. specialize (H k l K ltac:(lia) ltac:(lia)).
  unfold rising_domain, condition_stated in H. read H. lia.
Qed.

Definition monotone_domain (k l m : nat) (Ak Al Bk Bl : Z) : list bool :=
  [ ((1 <=? k) && (k <? l) && (l <? m))%nat;
    (0 <=? Z.of_nat k * Ak + (Z.of_nat m - Z.of_nat k) * Bk) && (0 <=? Z.of_nat l * Al + (Z.of_nat m - Z.of_nat l) * Bl);
    ((Ak <=? Al) && (Bl <=? Bk)) || ((Bl =? Bk) && (0 <=? Bk)) || ((Al =? Ak) && (0 <=? Ak)) ].

Theorem monotone_condition k l m Ak Al Bk Bl : all (monotone_domain k l m Ak Al Bk Bl) ->
  condition_stated k l m Al Bk = true.
Proof.
  intros H. unfold monotone_domain in H. rewrite !all_cons, !orb_true_iff in H. read H.
  destruct H as (K & [Wk Wl] & table & _).
  unfold condition_stated. prove.
  assert (E : 0 < Z.of_nat k < Z.of_nat l /\ Z.of_nat l < Z.of_nat m) by lia. destruct E as [EK EL].
  destruct table as [[[R1 R0] | [-> P]] | [-> P]].
  - exact (between_levels _ _ _ _ _ _ _ EK EL Wk Wl R1 R0).
  - destruct (Z_lt_le_dec Al 0); [assert (Z.of_nat l * Al <= Z.of_nat k * Al) by nia; lia | nia].
  - destruct (Z_lt_le_dec Bk 0); [|nia].
    assert ((Z.of_nat m - Z.of_nat k) * Bk <= (Z.of_nat m - Z.of_nat l) * Bk) by nia. lia.
Qed.
