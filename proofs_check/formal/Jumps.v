(** * Jumps through the Bellman recursion

    docs/certificates.md, rule "recursion", jumps: write F for p sweeps, x for the layer V_t and G = F(x) - x.  If G is the
    same number everywhere, or if F(x + G) = x + 2G and F(x + kG) = x + (k+1)G, then F(x + iG) = x + (i+1)G for all
    0 <= i <= k, so that V_{t+(k+1)p} = x + (k+1)G.  Reason: F is concave along the line i -> x + iG. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Bellman.
Import ListNotations.
Open Scope Z_scope.

(** The point x + iG of the line. *)
Definition along (x G : list nat -> Z) (i : Z) (s : list nat) : Z := x s + i * G s.

(** Concavity along the line: the value at j is at least what linear interpolation between i and k gives. *)
Lemma value_concave b x G p s i j k :
  (0 < actions b)%nat -> i <= j <= k ->
  (k - j) * value b (along x G i) p s + (j - i) * value b (along x G k) p s <= (k - i) * value b (along x G j) p s.
Proof.
  intros K O. destruct (value_attained b (along x G j) p s K) as (w & P & ->).
  pose proof (value_lower b (along x G i) p s w P) as I. pose proof (value_lower b (along x G k) p s w P) as U.
  unfold along in *. set (e := history b (after s w)) in *. nia.
Qed.

(** The recursion commutes with adding a constant. *)
Lemma value_plus_constant b V c p s :
  value b (fun s => V s + c) p s = value b V p s + c.
Proof.
  revert s. induction p as [|p IH]; intros s; simpl; [reflexivity|].
  induction (actions b - 1)%nat as [|k IHk]; simpl; rewrite IH; lia.
Qed.

(** p sweeps, started at x + iG, lead to x + (i+1)G. *)
Definition follows (b : bandit) (p : nat) (x G : list nat -> Z) (i : Z) : Prop :=
  forall s, full b s -> value b (along x G i) p s = along x G (i + 1) s.

Theorem jump_concave b p x G k :
  (0 < actions b)%nat -> follows b p x G 0 -> follows b p x G 1 -> follows b p x G k ->
  forall i, 0 <= i <= k -> follows b p x G i.
Proof.
  intros K H0 H1 Hk i I s F. specialize (H0 s F). specialize (H1 s F). specialize (Hk s F).
  destruct (Z.eq_dec i 0) as [->|]; [exact H0|].
  pose proof (value_concave b x G p s 0 1 i K ltac:(lia)) as above.
  pose proof (value_concave b x G p s 1 i k K ltac:(lia)) as below.
  rewrite H0, H1 in above. rewrite H1, Hk in below. unfold along in *.
  destruct (Z.eq_dec k 1) as [->|]; [replace i with 1 by lia; exact H1|]. nia.
Qed.

Theorem jump_constant b p x G g :
  (0 < actions b)%nat -> follows b p x G 0 -> (forall s, full b s -> G s = g) -> forall i, follows b p x G i.
Proof.
  intros K H0 C i s F. specialize (H0 s F). unfold along in *. rewrite C in * by assumption.
  rewrite (value_ext_full b _ (fun s => (x s + 0 * G s) + i * g)); try assumption.
  - rewrite value_plus_constant, H0. lia.
  - intros s' F'. rewrite (C s' F'). lia.
Qed.

(** So the layer after k+1 rounds of p sweeps is known. *)
Lemma follow_layer b p x G N (k : nat) :
  (0 < actions b)%nat -> is_layer b N x -> (forall i, 0 <= i <= Z.of_nat k -> follows b p x G i) ->
  is_layer b (S k * p + N) (along x G (Z.of_nat (S k))).
Proof.
  intros K L. induction k as [|k IH]; intros H s F.
  - change (Z.of_nat 1) with (0 + 1). rewrite <- (H 0 ltac:(lia) s F), <- value_opt, value_add.
    replace (1 * p)%nat with p by lia. apply value_ext_full; try assumption.
    intros s' F'. rewrite value_opt, <- (L s' F'). unfold along. lia.
  - replace (Z.of_nat (S (S k))) with (Z.of_nat (S k) + 1) by lia.
    rewrite <- (H (Z.of_nat (S k)) ltac:(lia) s F), <- value_opt.
    replace (S (S k) * p + N)%nat with (p + (S k * p + N))%nat by lia. rewrite value_add.
    apply value_ext_full; try assumption. intros s' F'. rewrite value_opt.
    apply IH; [intros i I; apply H; lia | assumption].
Qed.

(** The rule as the checker applies it: [G] is the gain of p sweeps from [x]. *)
Definition jump_holds (b : bandit) (p : nat) (x G : list nat -> Z) (k : Z) : Prop :=
  (exists g, forall s, full b s -> G s = g) \/
  ((forall s, full b s -> sweeps b p (along x G 1) s = along x G 2 s) /\
   (forall s, full b s -> sweeps b p (along x G k) s = along x G (k + 1) s)).

Theorem jump_sound b p x G N (k : nat) :
  (0 < actions b)%nat -> is_layer b N x ->
  (forall s, full b s -> G s = sweeps b p x s - x s) -> jump_holds b p x G (Z.of_nat k) ->
  is_layer b (S k * p + N) (along x G (Z.of_nat (S k))).
Proof.
  intros K L gain J. apply follow_layer; [assumption | assumption |]. intros i I.
  assert (H0 : follows b p x G 0).
  { intros s F. unfold along at 2. rewrite (gain s F), sweeps_value by assumption.
    rewrite (value_ext_full b _ x); try assumption; [lia|]. intros s' _. unfold along. lia. }
  destruct J as [(g & C) | [H1 Hk]]; [now apply (jump_constant b p x G g)|].
  apply jump_concave with (k := Z.of_nat k); try assumption.
  - intros s F. rewrite <- sweeps_value, (H1 s F) by assumption. reflexivity.
  - intros s F. now rewrite <- sweeps_value, (Hk s F).
Qed.
