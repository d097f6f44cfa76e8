(** * Stages: the best word of a given period

    docs/certificates.md, rule "cases": words of length L are the closed walks of length L on the full histories.  The dual
    side removes histories one by one (the roots), each time proving that no closed walk of length L through the root
    that avoids the earlier roots X has a mean below v, and ends with potentials for what is left.

    v = pv/qv.  Potentials phi with the mean w = p/q make the reduced costs r(s, a) = q loss(s, a) - p + phi(s') - phi(s). *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories.
Import ListNotations.
Open Scope Z_scope.

Section Stages.
Variable b : bandit.

(** The history to which a word leads. *)
Definition ends (s w : list nat) : list nat := history b (after s w).

Definition closed (s w : list nat) : Prop := full b s /\ valid b w /\ w <> [] /\ ends s w = s.

(** All histories on the way, the first and the last included, are outside X. *)
Fixpoint outside (X : list nat -> Prop) (s w : list nat) : Prop :=
  ~ X s /\ match w with [] => True | a :: rest => outside X (history b (a :: s)) rest end.

Lemma ends_cons s a w : ends s (a :: w) = ends (history b (a :: s)) w.
Proof. unfold ends. now rewrite after_cons, history_history_after. Qed.

Lemma ends_app s u w : ends s (u ++ w) = ends (ends s u) w.
Proof. unfold ends. now rewrite after_app, history_history_after. Qed.

Lemma total_app_ends s u w : total b s (u ++ w) = total b s u + total b (ends s u) w.
Proof. unfold ends. now rewrite total_app, total_history. Qed.

(** ** Reduced costs *)

Definition reduced (p q : Z) (phi : list nat -> Z) (s : list nat) (a : nat) : Z :=
  q * loss b s a - p + phi (history b (a :: s)) - phi s.

Fixpoint reduced_sum (p q : Z) (phi : list nat -> Z) (s w : list nat) : Z :=
  match w with
  | [] => 0
  | a :: rest => reduced p q phi s a + reduced_sum p q phi (history b (a :: s)) rest
  end.

Lemma reduced_sum_total p q phi w s :
  full b s -> valid b w ->
  reduced_sum p q phi s w = q * total b s w - Z.of_nat (length w) * p + phi (ends s w) - phi s.
Proof.
  revert s. induction w as [|a w IH]; intros s F V.
  - unfold ends, after. simpl. rewrite history_full by assumption. lia.
  - inversion V as [|? ? A V']; subst. cbn [reduced_sum total length].
    rewrite IH, <- ends_cons, total_history by (assumption || now apply full_next). unfold reduced. lia.
Qed.

(** r >= 0 on every edge with both ends outside X. *)
Definition nonnegative_outside (X : list nat -> Prop) (p q : Z) (phi : list nat -> Z) : Prop :=
  forall s a, full b s -> (a < actions b)%nat -> ~ X s -> ~ X (history b (a :: s)) -> 0 <= reduced p q phi s a.

Lemma reduced_sum_nonnegative X p q phi w s :
  nonnegative_outside X p q phi -> full b s -> valid b w -> outside X s w -> 0 <= reduced_sum p q phi s w.
Proof.
  intros H. revert s. induction w as [|a w IH]; intros s F V O; [simpl; lia|].
  inversion V as [|? ? A V']; subst. destruct O as [N O]. cbn [reduced_sum].
  assert (N' : ~ X (history b (a :: s))) by (destruct w; apply O).
  specialize (H s a F A N N'). specialize (IH _ (full_next b s a F A) V' O). lia.
Qed.

(** ** The bound that is passed from stage to stage *)

(** No closed walk of length L outside X has a mean below pv/qv. *)
Definition bound (L : nat) (pv qv : Z) (X : list nat -> Prop) : Prop :=
  forall s w, closed s w -> length w = L -> outside X s w -> Z.of_nat L * pv <= qv * total b s w.

(** The end: potentials with a mean p/q of at least pv/qv. *)
Theorem last_potentials L pv qv X p q phi :
  0 < q -> 0 < qv -> pv * q <= p * qv -> nonnegative_outside X p q phi -> bound L pv qv X.
Proof.
  intros Q QV M H s w (F & V & N & E) LW O.
  pose proof (reduced_sum_nonnegative X p q phi w s H F V O) as R.
  rewrite reduced_sum_total, E, LW in R by assumption. set (t := total b s w) in *. nia.
Qed.

(** The budget: what the reduced costs of a closed walk of length L with a mean below pv/qv do not reach. *)
Definition room (L : nat) (pv qv p q : Z) : Z := - ((- (Z.of_nat L * (pv * q - p * qv))) / qv).

Lemma below_room L pv qv p q x : 0 < qv -> x * qv < Z.of_nat L * (pv * q - p * qv) -> x < room L pv qv p q.
Proof.
  intros Q H. unfold room. set (B := Z.of_nat L * (pv * q - p * qv)) in *.
  pose proof (Z.mul_div_le (- B) qv Q). nia.
Qed.

(** A walk that meets the root can be turned to start there. *)
Lemma outside_or_meets X root s w :
  outside X s w ->
  (exists u v, w = u ++ v /\ ends s u = root) \/ outside (fun h => X h \/ h = root) s w \/ s = root.
Proof.
  revert s.
  induction w as [|a w IH]; intros s O; destruct (list_eq_dec Nat.eq_dec s root) as [->|N]; try (now right; right).
  - right. left. simpl in *. tauto.
  - destruct O as [NX O]. destruct (IH _ O) as [(u & v & -> & E) | [O' | E]].
    + left. exists (a :: u), v. split; [reflexivity | now rewrite ends_cons].
    + right. left. simpl. tauto.
    + left. exists [a], w. split; [reflexivity|]. unfold ends, after. simpl. exact E.
Qed.

Lemma outside_parts X u w s :
  length s = (memory b - 1)%nat -> outside X s (u ++ w) -> outside X s u /\ outside X (ends s u) w.
Proof.
  revert s. induction u as [|a u IH]; intros s L O.
  - split; [simpl; split; [now destruct w; apply O | exact I]|]. unfold ends, after, history. simpl rev. rewrite <- L.
    simpl app. now rewrite firstn_all.
  - destruct O as [N O]. rewrite ends_cons. destruct (IH (history b (a :: s))) as [A B]; [| exact O | now repeat split].
    unfold history. rewrite firstn_length. simpl. lia.
Qed.

Lemma outside_join X s u w : outside X s u -> outside X (ends s u) w -> outside X s (u ++ w).
Proof.
  revert s. induction u as [|a u IH]; intros s O1 O2.
  - simpl. unfold ends, after in O2. simpl in *.
    destruct w as [|c w]; [simpl in *; tauto|]. simpl in *. split; [tauto|]. destruct O2 as [_ O2].
    now rewrite history_cons in O2.
  - simpl in *. destruct O1 as [N O1]. rewrite ends_cons in O2. split; [exact N | now apply IH].
Qed.

(** A stage: no closed walk of length L from the root stays below the budget. *)
Theorem stage L pv qv X root p q phi :
  0 < q -> 0 < qv -> nonnegative_outside X p q phi ->
  (forall w, length w = L -> valid b w -> ends root w = root -> outside X root w ->
     full b root -> room L pv qv p q <= reduced_sum p q phi root w) ->
  bound L pv qv (fun h => X h \/ h = root) -> bound L pv qv X.
Proof.
  intros Q QV P S B s w (F & V & N & E) LW O.
  assert (T : forall w, length w = L -> valid b w -> ends root w = root -> outside X root w -> full b root ->
              Z.of_nat L * pv <= qv * total b root w).
  { intros u LU VU EU OU FU. specialize (S u LU VU EU OU FU).
    destruct (Z_le_gt_dec (Z.of_nat L * pv) (qv * total b root u)) as [|G]; [assumption|]. exfalso.
    assert (C : reduced_sum p q phi root u < room L pv qv p q); [|lia]. apply below_room; [assumption|].
    rewrite reduced_sum_total, EU, LU by assumption. set (t := total b root u) in *. nia. }
  destruct (outside_or_meets X root s w O) as [(u & v & -> & R) | [O' | ->]].
  - destruct (outside_parts X u v s (proj1 F) O) as [O1 O2]. rewrite R in O2.
    apply valid_app in V. destruct V as [Vu Vv]. rewrite ends_app, R in E.
    assert (FR : full b root).
    { rewrite <- R. apply full_history; [apply valid_after; [apply F | exact Vu] |]. rewrite length_after, (proj1 F).
      lia. }
    assert (turned : total b root (v ++ u) = total b s (u ++ v)) by (rewrite !total_app_ends, E, R; lia).
    rewrite <- turned. apply T.
    + rewrite app_length in *. lia.
    + apply valid_app. now split.
    + rewrite ends_app, E. exact R.
    + apply outside_join; [exact O2 | now rewrite E].
    + exact FR.
  - now apply (B s w).
  - now apply T.
Qed.

(** ** Words repeated for ever are closed walks *)

Lemma word_is_closed u :
  u <> [] -> valid b u ->
  let s := history b (rev (repeated (memory b) u)) in closed s u /\ total b s u = cycle_loss b u.
Proof.
  intros N V s. assert (L : (memory b <= memory b * length u)%nat) by (destruct u; [congruence | simpl; nia]).
  repeat split; try assumption.
  - unfold s, history. rewrite firstn_length, rev_length, length_repeated. lia.
  - apply valid_history, valid_rev, valid_repeated, V.
  - unfold ends, s. rewrite history_history_after. unfold after. rewrite <- rev_app_distr, <- repeated_S'.
    apply history_repeated; nia.
  - unfold s. rewrite total_history. reflexivity.
Qed.

Lemma outside_nothing s w : outside (fun _ => False) s w.
Proof. revert s. induction w as [|a w IH]; intros s; simpl; [tauto|]. split; [tauto | apply IH]. Qed.

Theorem bound_words L pv qv u :
  (0 < L)%nat -> bound L pv qv (fun _ => False) -> plays b L u -> Z.of_nat L * pv <= qv * cycle_loss b u.
Proof.
  intros HL B [LU V]. assert (N : u <> []) by (intros ->; simpl in LU; lia).
  destruct (word_is_closed u N V) as [C <-]. apply B; [exact C | exact LU | apply outside_nothing].
Qed.

End Stages.
