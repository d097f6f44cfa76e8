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
  TallyPlan.Lemma6 TallyPlan.Lemma5.
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

Section Elimination.
Variables (K m : nat) (h : nat -> nat -> Z) (L : nat) (hat : list nat -> nat -> Z) (best : nat -> list nat) (C : nat -> Z).
Variables (good : Z) (member : list nat -> nat -> Z) (star : list nat).
Let A := survivors integers K m h L (fun j p => hat p j) best C.
Hypothesis star_is_best : best_policy K m h L star.
Hypothesis members : forall p j, member p j = 1 <-> A j p.
Hypothesis least_estimate : forall j, (1 <= j)%nat -> chosen_well integers K m h L (fun j p => hat p j) best C j.
Hypothesis on_the_events : good = 1 -> forall p j, (1 <= j)%nat -> A j p ->
  Z.abs (hat p j - period_loss K m h p) <= C j.

Lemma run : good = 1 -> forall S s, (1 <= s <= S)%nat -> chosen_well integers K m h L (fun j p => hat p j) best C s /\
  event integers K m h L (fun j p => hat p j) best C s.
Proof.
  intros G S s HS. split; [apply least_estimate; lia|]. intros p I. pose proof (on_the_events G p s ltac:(lia) I) as E.
  unfold within, at_most_above, mu. cbn [number plus le of_Z integers]. lia.
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
