(** * Fewer arms

    docs/certificates.md, section 3, "Fewer arms": if h_z falls with the tally and h_z(y) <= h_x(y) for all y, then x may
    be replaced by z.  Here in general form: a map f of the K actions onto the K' actions of a smaller table h' such that
    h'_{f(a)}(y) <= h_a(y) for all y, and h'_{f(a)} falls wherever f is not one to one.  Then every game on the first
    table, with its actions renamed by f, loses no more on the second; so bounds of the second are bounds of the first. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss.
Import ListNotations.
Open Scope Z_scope.

Section Merge.
Variables (K K' m : nat) (h h' : nat -> nat -> Z) (f : nat -> nat).
Hypothesis some_memory : (0 < m)%nat.
Hypothesis into : forall a, (a < K)%nat -> (f a < K')%nat.
Hypothesis no_more : forall a y, (a < K)%nat -> (1 <= y <= m)%nat -> h' (f a) y <= h a y.
Hypothesis falls : forall a c y, (a < K)%nat -> (c < K)%nat -> a <> c -> f a = f c -> (1 <= y < m)%nat ->
  h' (f a) (S y) <= h' (f a) y.

Lemma tally_renamed a w : (tally a w <= tally (f a) (map f w))%nat.
Proof.
  induction w as [|c w IH]; [simpl; lia|]. unfold tally in *. simpl.
  destruct (Nat.eq_dec c a) as [->|]; destruct (Nat.eq_dec (f _) (f a)); try congruence; lia.
Qed.

(** More only if another action has the same new name. *)
Lemma tally_renamed_more a w :
  Forall (fun c => (c < K)%nat) w -> (tally a w < tally (f a) (map f w))%nat ->
  exists c, (c < K)%nat /\ a <> c /\ f a = f c.
Proof.
  intros V. induction V as [|c w C V IH]; [simpl; lia|]. unfold tally in *. simpl. intros H.
  destruct (Nat.eq_dec c a) as [->|N]; destruct (Nat.eq_dec (f _) (f a)) as [E|]; try congruence.
  - apply IH. lia.
  - exists c. repeat split; congruence.
  - apply IH. lia.
Qed.

Lemma falls_to a c y y' :
  (a < K)%nat -> (c < K)%nat -> a <> c -> f a = f c -> (1 <= y <= y')%nat -> (y' <= m)%nat -> h' (f a) y' <= h' (f a) y.
Proof.
  intros A C N E [Y L] M. induction y' as [|n IH]; [lia|]. destruct (Nat.eq_dec y (S n)) as [->|]; [lia|].
  specialize (IH ltac:(lia) ltac:(lia)). specialize (falls a c n A C N E ltac:(lia)). lia.
Qed.

Lemma window_renamed past a : map f (window m past a) = window m (map f past) (f a).
Proof. unfold window. now rewrite <- firstn_map. Qed.

Lemma loss_renamed past a :
  (a < K)%nat -> Forall (fun c => (c < K)%nat) past ->
  loss (tallying K' m h') (map f past) (f a) <= loss (tallying K m h) past a.
Proof.
  intros A V. rewrite !loss_tallying, <- window_renamed by assumption.
  set (w := window m past a). set (y := tally a w). set (y' := tally (f a) (map f w)).
  pose proof (tally_bounds m past a some_memory) as Y. fold w y in Y.
  pose proof (tally_bounds m (map f past) (f a) some_memory) as Y'. rewrite <- window_renamed in Y'. fold w y' in Y'.
  pose proof (tally_renamed a w) as L. fold y y' in L.
  specialize (no_more a y A Y). destruct (Nat.eq_dec y y') as [<-|N]; [exact no_more|].
  destruct (tally_renamed_more a w) as (c & C & D & E).
  - unfold w, window. apply (valid_firstn (tallying K m h)). now constructor.
  - fold y y'. lia.
  - pose proof (falls_to a c y y' A C D E ltac:(lia) ltac:(lia)). lia.
Qed.

Theorem total_renamed w past :
  Forall (fun c => (c < K)%nat) w -> Forall (fun c => (c < K)%nat) past ->
  total (tallying K' m h') (map f past) (map f w) <= total (tallying K m h) past w.
Proof.
  intros V. revert past. induction V as [|a w A V IH]; intros past P; [simpl; lia|].
  specialize (IH (a :: past) (Forall_cons a A P)). pose proof (loss_renamed past a A P).
  cbn [map total] in *. lia.
Qed.

Lemma valid_renamed w : valid (tallying K m h) w -> valid (tallying K' m h') (map f w).
Proof.
  unfold valid. rewrite !Forall_forall. cbn [tallying actions]. intros V x X. apply in_map_iff in X.
  destruct X as (a & <- & A). now apply into, V.
Qed.

Theorem fewer_arms_sound p q :
  0 < q -> long_run_at_least (tallying K' m h') p q -> long_run_at_least (tallying K m h) p q.
Proof.
  intros Q H start V. destruct (H (map f start) (valid_renamed start V)) as (C & HC). exists C. intros w W.
  specialize (HC (map f w) (valid_renamed w W)). rewrite map_length in HC.
  pose proof (total_renamed w start W V). nia.
Qed.

End Merge.

(** ** The check: pairs (x, z), x to be replaced by z *)

Fixpoint place_of (x : nat) (kept : list nat) : option nat :=
  match kept with
  | [] => None
  | y :: rest => if Nat.eq_dec y x then Some 0%nat else option_map S (place_of x rest)
  end.

Definition stand_in (pairs : list (nat * nat)) (x : nat) : nat :=
  match find (fun xz => Nat.eqb (fst xz) x) pairs with
  | Some xz => snd xz
  | None => x
  end.

Definition kept_arms (K : nat) (pairs : list (nat * nat)) : list nat :=
  filter (fun x => negb (existsb (fun xz => Nat.eqb (fst xz) x) pairs)) (seq 0 K).

(** The new name; K' (no action) if there is none. *)
Definition new_name (kept : list nat) (pairs : list (nat * nat)) (x : nat) : nat :=
  match place_of (stand_in pairs x) kept with
  | Some i => i
  | None => length kept
  end.

Definition kept_rows (kept : list nat) (rows : list (list Z)) : list (list Z) := map (fun x => nth x rows []) kept.

Definition fewer_arms_check (m : nat) (rows : list (list Z)) (pairs : list (nat * nat)) : bool :=
  let K := length rows in
  let kept := kept_arms K pairs in
  let f := new_name kept pairs in
  let h := entry rows in
  let h' := entry (kept_rows kept rows) in
  let arms := seq 0 K in
  forallb (fun a =>
    (f a <? length kept)%nat &&
    forallb (fun y => h' (f a) y <=? h a y) (seq 1 m) &&
    forallb (fun c => (a =? c)%nat || negb (f a =? f c)%nat ||
                      forallb (fun y => h' (f a) (S y) <=? h' (f a) y) (seq 1 (m - 1))) arms)%bool arms.

Theorem fewer_arms_check_spec m rows pairs :
  fewer_arms_check m rows pairs = true ->
  let K := length rows in let kept := kept_arms K pairs in let f := new_name kept pairs in
  (forall a, (a < K)%nat -> (f a < length kept)%nat) /\
  (forall a y, (a < K)%nat -> (1 <= y <= m)%nat -> entry (kept_rows kept rows) (f a) y <= entry rows a y) /\
  (forall a c y, (a < K)%nat -> (c < K)%nat -> a <> c -> f a = f c -> (1 <= y < m)%nat ->
     entry (kept_rows kept rows) (f a) (S y) <= entry (kept_rows kept rows) (f a) y).
Proof.
  intros H. cbv zeta. set (kept := kept_arms (length rows) pairs). set (f := new_name kept pairs).
  unfold fewer_arms_check in H. fold kept in H. fold f in H. rewrite forallb_forall in H.
  assert (E : forall a, (a < length rows)%nat -> In a (seq 0 (length rows))) by (intros a A; apply in_seq; lia).
  repeat split; [intros a A | intros a y A Y | intros a c y A C N F Y];
    specialize (H a (E a A)); rewrite !Bool.andb_true_iff, !forallb_forall in H; destruct H as [[H1 H2] H3].
  - now apply Nat.ltb_lt.
  - apply Z.leb_le, H2, in_seq. lia.
  - specialize (H3 c (E c C)). rewrite !Bool.orb_true_iff, forallb_forall, Nat.eqb_eq in H3.
    destruct H3 as [[H3|H3]|H3]; [congruence | now rewrite F, Nat.eqb_refl in H3 |].
    apply Z.leb_le, H3, in_seq. lia.
Qed.

Theorem fewer_arms_check_sound m rows pairs p q :
  (0 < m)%nat -> 0 < q -> fewer_arms_check m rows pairs = true ->
  let kept := kept_arms (length rows) pairs in
  long_run_at_least (tallying (length kept) m (entry (kept_rows kept rows))) p q ->
  long_run_at_least (tallying (length rows) m (entry rows)) p q.
Proof.
  intros M Q H kept B. destruct (fewer_arms_check_spec m rows pairs H) as (H1 & H2 & H3).
  now apply (fewer_arms_sound _ _ m _ _ (new_name kept pairs) M H1 H2 H3).
Qed.
