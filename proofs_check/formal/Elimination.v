(** * Successive elimination, on the event of Lemma 7

    Algorithm 1 (line 265) keeps a set A_s of sqrt(T)-cyclic policies: A_1 holds all of them, and A_{s+1} those of A_s whose
    estimate is at most 2 C_s above the least one (line 287).  Lemmas 5, 6 and 8 say what holds if every estimate is
    within C_s of the truth: the events B_s of Lemma 7.  They are statements about sums and order alone, so the
    estimates and widths may be numbers of any kind: integers, rationals or reals.  [numbers] lists all that is used.

    The losses of the model are integers: [period_loss] is mu(pi) times L = sqrt(T) and times the denominator D, so
    estimates and widths are multiplied by L D as well. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Sequences TallyPlan.Lemma2 TallyPlan.Lemma3.
Import ListNotations.
Open Scope Z_scope.

(** ** Numbers *)

Record numbers := Numbers {
  number     : Type;
  plus       : number -> number -> number;
  le         : number -> number -> Prop;
  of_Z       : Z -> number;
  le_refl    : forall a, le a a;
  le_trans   : forall a b c, le a b -> le b c -> le a c;
  plus_le    : forall a b c d, le a b -> le c d -> le (plus a c) (plus b d);
  plus_comm  : forall a b, plus a b = plus b a;
  plus_assoc : forall a b c, plus a (plus b c) = plus (plus a b) c;
  plus_zero  : forall a, plus a (of_Z 0) = a;
  of_Z_plus  : forall a b, of_Z (a + b) = plus (of_Z a) (of_Z b);
  of_Z_le    : forall a b, a <= b -> le (of_Z a) (of_Z b)
}.

Definition integers : numbers.
Proof. refine (Numbers Z Z.add Z.le (fun a => a) _ _ _ _ _ _ _ _); intros; lia. Defined.

(** n times a number. *)
Fixpoint times (R : numbers) (n : nat) (a : number R) : number R :=
  match n with
  | O => of_Z R 0
  | S k => plus R a (times R k a)
  end.

Lemma times_add R n k a : times R (n + k) a = plus R (times R n a) (times R k a).
Proof.
  induction n as [|n IH]; simpl; [rewrite plus_comm; symmetry; apply plus_zero|]. now rewrite IH, plus_assoc.
Qed.

(** a is at most b above c. *)
Definition at_most_above (R : numbers) (b : number R) (a c : number R) : Prop := le R a (plus R c b).

(** a and c differ by at most b. *)
Definition within (R : numbers) (b a c : number R) : Prop := at_most_above R b a c /\ at_most_above R b c a.

Lemma above_trans R a b c d e : at_most_above R d a b -> at_most_above R e b c -> at_most_above R (plus R e d) a c.
Proof.
  unfold at_most_above. intros H G. apply (le_trans R _ _ _ H). rewrite plus_assoc. apply plus_le; [exact G | apply le_refl].
Qed.

Lemma below_above R a b c d : le R a b -> at_most_above R d b c -> at_most_above R d a c.
Proof. intros H. apply (le_trans R _ _ _ H). Qed.

Lemma above_below R a b c d : at_most_above R d a b -> le R b c -> at_most_above R d a c.
Proof. unfold at_most_above. intros H G. apply (le_trans R _ _ _ H). apply plus_le; [exact G | apply le_refl]. Qed.

(** ** The algorithm *)

(** Line 19 keeps a policy if its estimate is at most 2 C_s above the least one. *)
Definition elimination_factor : nat := 2.

Section Elimination.

Variable R : numbers.
Variables (K m : nat) (h : nat -> nat -> Z) (L : nat).
Variable estimate : nat -> list nat -> number R.   (* muhat_s(pi) *)
Variable chosen : nat -> list nat.                 (* pihat_s *)
Variable width : nat -> number R.                  (* C_s *)

Definition mu (pi : list nat) : number R := of_Z R (period_loss K m h pi).

(** A_s, for s = 1, 2, ... *)
Fixpoint survivors (s : nat) (pi : list nat) : Prop :=
  match s with
  | O => False
  | S O => plays (tallying K m h) L pi
  | S r => survivors r pi /\ at_most_above R (times R elimination_factor (width r)) (estimate r pi) (estimate r (chosen r))
  end.

(** Line 18: pihat_s is in A_s and has the least estimate there. *)
Definition chosen_well (s : nat) : Prop :=
  survivors s (chosen s) /\ forall pi, survivors s pi -> le R (estimate s (chosen s)) (estimate s pi).

(** The event B_s of Lemma 7. *)
Definition event (s : nat) : Prop := forall pi, survivors s pi -> within R (width s) (estimate s pi) (mu pi).

(** pi_star: a cyclic policy of least mu. *)
Definition best_policy (star : list nat) : Prop :=
  plays (tallying K m h) L star /\ forall pi, plays (tallying K m h) L pi -> period_loss K m h star <= period_loss K m h pi.

Lemma survivors_are_policies s pi : survivors s pi -> plays (tallying K m h) L pi.
Proof. induction s as [|s IH]; [intros []|]. destruct s as [|r]; [intros H; exact H | intros [H _]; now apply IH]. Qed.

Lemma best_is_best star pi : best_policy star -> plays (tallying K m h) L pi -> le R (mu star) (mu pi).
Proof. intros [_ B] P. apply of_Z_le. now apply B. Qed.

End Elimination.
