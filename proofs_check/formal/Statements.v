(** * What some claims state

    A claim that the kernel's language can say is printed by the program and closed in [Closed.v].  A claim about an
    expectation, or with a hypothesis in words, is a domain and a formula in the names of the paper.  Here both stand as
    functions that can be evaluated, [.._domain] a list of conditions and [.._stated] one more, and each theorem says: on
    the domain, for the numbers of the model that the names stand for, the formula is true.  [headlines.json] pairs the functions with the
    formulas in Python; both are evaluated at random arguments, so that neither can be changed alone.

    Losses are integers with the denominator D: OPT is opt/D, mu is v/(L D), and L = sqrt(T).  The theorems below follow in a
    few lines from those of the files about the paper's results; claims about real numbers are in [RealStatements.v]. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3
  TallyPlan.Proposition1Upper TallyPlan.Proposition1Lower TallyPlan.Elimination TallyPlan.Lemma8
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

(** ** Proposition 1, lower bound *)

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

(** ** Lemma 5, on the events of Lemma 7 *)

Section OnEvents.
Context {policy : Type}.
Definition event_stated (hat : policy -> nat -> Z) (loss_of : policy -> Z) (C : nat -> Z) (p : policy) (j : nat) : bool :=
  Z.abs (hat p j - loss_of p) <=? C j.
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
