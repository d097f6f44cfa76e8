(** * Tallies

    docs/certificates.md, section 3, "Tallies": slopes t_x(y) and potentials phi of the vectors s of tallies in a full window.
    With S(s) = sum over x of s_x t_x(s_x), if

    1. (loops) q (h_a(s_a) - v) - m t_a(s_a) + S(s) >= 0 for every s with the sum m and every a with s_a >= 1;
    2. (steps) q (h_a(s_a) - v) - m t_a(s_a) + S(s) - |t_a(s_a) - t_a(s_a - 1)| (s_a - 1)(m - s_a) + phi(s) - phi(s') >= 0
       for every r with the sum m-1 and all actions a != d, s = r + (one more a), s' = r + (one more d),

    then no policy has a long-run loss per step below v.  The rounding of the document (floor) changes nothing, as
    all other terms are integers.  The potential of a window is the sum over x of t_x(s_x) psi_x + g_x(s_x), less phi(s). *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Potentials TallyPlan.Positions TallyPlan.Opening.
Import ListNotations.
Open Scope Z_scope.

(** ** Vectors of tallies *)

Definition tallies (K : nat) (w : list nat) : list nat := map (fun x => tally x w) (seq 0 K).

(** One more a. *)
Fixpoint bump (a : nat) (v : list nat) : list nat :=
  match v, a with
  | [], _ => []
  | n :: rest, O => S n :: rest
  | n :: rest, S b => n :: bump b rest
  end.

(** All vectors of K numbers with the sum n, in lexicographic order. *)
Fixpoint vectors (K n : nat) : list (list nat) :=
  match K with
  | O => match n with O => [[]] | _ => [] end
  | S k => flat_map (fun c => map (cons c) (vectors k (n - c))) (seq 0 (S n))
  end.

Lemma in_vectors K n v : length v = K -> list_sum v = n -> In v (vectors K n).
Proof.
  revert n v. induction K as [|K IH]; intros n [|c v] L E; try discriminate; [subst; now left|]. cbn [vectors].
  simpl in L, E. apply in_flat_map. exists c. split; [apply in_seq; lia|]. apply in_map. apply IH; lia.
Qed.

Lemma bump_map a (f : nat -> nat) k n :
  (a < n)%nat -> bump a (map f (seq k n)) = map (fun x => if Nat.eq_dec (k + a) x then S (f x) else f x) (seq k n).
Proof.
  revert a k. induction n as [|n IH]; intros a k A; [lia|]. destruct a as [|a]; cbn [seq map bump].
  - destruct (Nat.eq_dec (k + 0) k); [|lia]. f_equal. apply map_ext_in. intros x X. apply in_seq in X.
    destruct (Nat.eq_dec (k + 0) x); [lia | reflexivity].
  - destruct (Nat.eq_dec (k + S a) k); [lia|]. f_equal. rewrite IH by lia. apply map_ext. intros x.
    now replace (k + S a)%nat with (S k + a)%nat by lia.
Qed.

Lemma tallies_newer K a w : (a < K)%nat -> tallies K (a :: w) = bump a (tallies K w).
Proof. intros A. unfold tallies. rewrite bump_map by assumption. now apply map_ext. Qed.

Lemma tally_snoc x w d : tally x (w ++ [d]) = tally x (d :: w).
Proof. unfold tally. rewrite count_occ_app. simpl. destruct (Nat.eq_dec d x); lia. Qed.

Lemma tallies_older K d w : (d < K)%nat -> tallies K (w ++ [d]) = bump d (tallies K w).
Proof. intros A. rewrite <- tallies_newer by assumption. apply map_ext. intros x. apply tally_snoc. Qed.

Lemma tallies_length K w : length (tallies K w) = K.
Proof. unfold tallies. now rewrite map_length, seq_length. Qed.

Lemma list_sum_bump a v : (a < length v)%nat -> list_sum (bump a v) = S (list_sum v).
Proof.
  revert a. induction v as [|n v IH]; intros a A; [simpl in A; lia|]. destruct a as [|a]; simpl; [reflexivity|].
  simpl in A. change (n + list_sum (bump a v) = S (n + list_sum v))%nat. rewrite IH; lia.
Qed.

Lemma tallies_sum K w : Forall (fun a => (a < K)%nat) w -> list_sum (tallies K w) = length w.
Proof.
  intros V. induction V as [|a w A V IH].
  - unfold tallies. induction (seq 0 K) as [|x l IHl]; [reflexivity | exact IHl].
  - rewrite tallies_newer, list_sum_bump, IH by (rewrite ?tallies_length; assumption). reflexivity.
Qed.

Lemma tallies_nth K w x : (x < K)%nat -> nth x (tallies K w) 0%nat = tally x w.
Proof.
  intros X. unfold tallies. set (f := fun x => tally x w).
  rewrite nth_indep with (d' := f 0%nat) by now rewrite map_length, seq_length.
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

(** ** Sums over the actions *)

Lemma sum_upto_le f g k : (forall x, (x <= k)%nat -> f x <= g x) -> sum_upto f k <= sum_upto g k.
Proof.
  induction k as [|k IH]; intros H; simpl; [apply H; lia|].
  specialize (IH (fun x X => H x (Nat.le_trans _ _ _ X (Nat.le_succ_diag_r k)))).
  specialize (H (S k) ltac:(lia)). lia.
Qed.

Lemma sum_upto_minus f g k : sum_upto (fun x => f x - g x) k = sum_upto f k - sum_upto g k.
Proof. induction k as [|k IH]; simpl; lia. Qed.

Lemma sum_upto_double f k : sum_upto (fun x => - (2 * f x)) k = - (2 * sum_upto f k).
Proof. induction k as [|k IH]; cbn [sum_upto]; lia. Qed.

Section Tallies.
Variables (K m : nat) (h : nat -> nat -> Z) (p q : Z) (t : nat -> nat -> Z) (phi : list nat -> Z).
Hypothesis some_memory : (0 < m)%nat.

Let M := Z.of_nat m.

Definition excess (x y : nat) : Z := q * h x y - p.

(** S(s). *)
Definition slope_sum (v : list nat) : Z := sum_upto (fun x => let y := nth x v 0%nat in Z.of_nat y * t x y) (K - 1).

Definition loop_excess (v : list nat) (a : nat) : Z :=
  let y := nth a v 0%nat in excess a y - M * t a y + slope_sum v.

Definition penalty (a y : nat) : Z := Z.abs (t a y - t a (y - 1)%nat) * ((Z.of_nat y - 1) * (M - Z.of_nat y)).

Definition loops_fine : Prop :=
  forall v a, length v = K -> list_sum v = m -> (a < K)%nat -> (1 <= nth a v 0)%nat -> 0 <= loop_excess v a.

Definition steps_fine : Prop :=
  forall r a d, length r = K -> list_sum r = (m - 1)%nat -> (a < K)%nat -> (d < K)%nat -> a <> d ->
    0 <= loop_excess (bump a r) a - penalty a (nth a (bump a r) 0%nat) + phi (bump a r) - phi (bump d r).

(** 2 g_x(k): what makes a change of the slope cost nothing when the plays are at their worst places. *)
Fixpoint level (x k : nat) : Z :=
  match k with
  | O => 0
  | S j => let c := t x k - t x j in
           level x j - Z.min (c * (Z.of_nat j * (Z.of_nat j + 1))) (c * (Z.of_nat j * (2 * M - 1 - Z.of_nat j)))
  end.

Definition part (x : nat) (w : list nat) : Z := 2 * t x (tally x w) * positions x w + level x (tally x w).

Definition window_potential (w : list nat) : Z := sum_upto (fun x => part x w) (K - 1) - 2 * phi (tallies K w).

(** One action at a time: a is added, d leaves. *)
Lemma part_rise x w d a :
  length w = (m - 1)%nat ->
  let y := tally x (a :: w) in
  part x (a :: w) - part x (w ++ [d]) <=
  - (2 * (Z.of_nat y * t x y)) +
  (if Nat.eq_dec a x then 2 * (M * t x y) + (if Nat.eq_dec a d then 0 else 2 * penalty x y) else 0).
Proof.
  intros L y. unfold part. rewrite tally_snoc.
  pose proof (positions_before x w d M ltac:(unfold M; lia)) as B. cbv zeta in B. rewrite ones_tally in B.
  pose proof (positions_step x w d a) as S. replace (Z.of_nat (length w) + 1) with M in S by (unfold M; lia).
  rewrite ones_tally in S. unfold y. rewrite S. unfold one_if. rewrite !tally_cons.
  set (k := tally x w) in *. set (psi := positions x (w ++ [d])) in *. clearbody psi. clear S.
  destruct (Nat.eq_dec a x) as [Ea|Ea]; destruct (Nat.eq_dec d x) as [Ed|Ed]; destruct (Nat.eq_dec a d); try congruence.
  - lia.
  - cbn [level]. unfold penalty. replace (Datatypes.S k - 1)%nat with k by lia. set (c := t x (Datatypes.S k) - t x k).
    set (low := Z.of_nat k * (Z.of_nat k + 1)) in *. set (high := Z.of_nat k * (2 * M - 1 - Z.of_nat k)) in *.
    assert (G : high - low = 2 * ((Z.of_nat (Datatypes.S k) - 1) * (M - Z.of_nat (Datatypes.S k)))) by (unfold low, high; lia).
    assert (E : c * (2 * psi) - Z.min (c * low) (c * high) <= Z.abs c * (high - low)) by (destruct (Z.le_ge_cases 0 c); nia).
    rewrite G in E. unfold c in *. lia.
  - cbn [level]. set (c := t x (Datatypes.S k) - t x k).
    set (low := Z.of_nat k * (Z.of_nat k + 1)) in *. set (high := Z.of_nat k * (2 * M - 1 - Z.of_nat k)) in *.
    assert (E : Z.min (c * low) (c * high) <= c * (2 * psi)) by (destruct (Z.le_ge_cases 0 c); nia).
    unfold c in *. lia.
  - lia.
  - lia.
Qed.

Lemma slope_sum_tallies w :
  (0 < K)%nat -> slope_sum (tallies K w) = sum_upto (fun x => Z.of_nat (tally x w) * t x (tally x w)) (K - 1).
Proof. intros HK. unfold slope_sum. apply sum_upto_ext. intros x X. cbv zeta. now rewrite tallies_nth by lia. Qed.

Theorem tallies_rise :
  (0 < K)%nat -> loops_fine -> steps_fine -> rises_at_most (tallying K m h) (2 * p) (2 * q) window_potential.
Proof.
  intros HK LF SF w d a L V D A. cbn [tallying memory actions cost] in *. unfold window_potential.
  set (y := tally a (a :: w)). change (tally_cost h (a :: w)) with (h a y).
  set (extra := 2 * (M * t a y) + (if Nat.eq_dec a d then 0 else 2 * penalty a y)).
  assert (sums : sum_upto (fun x => part x (a :: w)) (K - 1) - sum_upto (fun x => part x (w ++ [d])) (K - 1)
                 <= - (2 * slope_sum (tallies K (a :: w))) + extra).
  { rewrite <- sum_upto_minus.
    apply Z.le_trans with (sum_upto (fun x => - (2 * (Z.of_nat (tally x (a :: w)) * t x (tally x (a :: w)))) +
                                              (if Nat.eq_dec a x then extra else 0)) (K - 1)).
    - apply sum_upto_le. intros x X. pose proof (part_rise x w d a L) as R. cbv zeta in R.
      destruct (Nat.eq_dec a x) as [<-|]; exact R.
    - rewrite (sum_upto_change _ (fun x => - (2 * (Z.of_nat (tally x (a :: w)) * t x (tally x (a :: w))))) (K - 1) a extra);
        [| lia | destruct (Nat.eq_dec a a); congruence | intros x X; destruct (Nat.eq_dec a x); [congruence | lia]].
      rewrite slope_sum_tallies, sum_upto_double by assumption. lia. }
  assert (LT : length (tallies K w) = K) by apply tallies_length.
  assert (ST : list_sum (tallies K w) = (m - 1)%nat) by (rewrite tallies_sum; [lia | exact V]).
  assert (NY : nth a (tallies K (a :: w)) 0%nat = y) by now apply tallies_nth.
  assert (Y : (1 <= y)%nat) by (unfold y; rewrite tally_cons; destruct (Nat.eq_dec a a); [lia | congruence]).
  unfold extra in sums. destruct (Nat.eq_dec a d) as [<-|N].
  - specialize (LF (tallies K (a :: w)) a (tallies_length K _)).
    rewrite tallies_newer, list_sum_bump in LF by (rewrite ?LT; assumption).
    rewrite <- tallies_newer, NY in LF by assumption. specialize (LF ltac:(lia) A Y).
    unfold loop_excess, excess in LF. rewrite NY in LF. rewrite tallies_older, <- tallies_newer by assumption. lia.
  - specialize (SF (tallies K w) a d LT ST A D N). rewrite <- !tallies_newer, NY in SF by assumption.
    unfold loop_excess, excess in SF. rewrite NY in SF. rewrite tallies_older, <- (tallies_newer K d) by assumption.
    lia.
Qed.

Theorem tallies_sound : (0 < K)%nat -> 0 < q -> loops_fine -> steps_fine -> long_run_at_least (tallying K m h) p q.
Proof.
  intros HK Q LF SF. apply (long_run_factor _ 2); [lia|].
  apply (window_potentials _ _ _ window_potential); [exact some_memory | lia | now apply tallies_rise].
Qed.

(** ** The check *)

Definition tallies_check : bool :=
  let arms := seq 0 K in
  (forallb (fun v => forallb (fun a => (nth a v 0 =? 0)%nat || (0 <=? loop_excess v a)) arms) (vectors K m) &&
   forallb (fun r => forallb (fun a =>
     let v := bump a r in
     let e := loop_excess v a - penalty a (nth a v 0%nat) + phi v in
     forallb (fun d => (a =? d)%nat || (0 <=? e - phi (bump d r))) arms) arms) (vectors K (m - 1)))%bool.

Theorem tallies_check_sound :
  (0 < K)%nat -> 0 < q -> tallies_check = true -> long_run_at_least (tallying K m h) p q.
Proof.
  intros HK Q H. unfold tallies_check in H. apply andb_prop in H. destruct H as [HL HS].
  rewrite forallb_forall in HL, HS.
  assert (arm : forall a, (a < K)%nat -> In a (seq 0 K)) by (intros a A; apply in_seq; lia).
  apply tallies_sound; try assumption.
  - intros v a L E A Y. specialize (HL v (in_vectors K m v L E)). rewrite forallb_forall in HL.
    specialize (HL a (arm a A)).
    apply Bool.orb_prop in HL. destruct HL as [HL|HL]; [apply Nat.eqb_eq in HL; lia | now apply Z.leb_le].
  - intros r a d L E A D N. specialize (HS r (in_vectors K (m - 1) r L E)). rewrite forallb_forall in HS.
    specialize (HS a (arm a A)). cbv zeta in HS. rewrite forallb_forall in HS. specialize (HS d (arm d D)).
    apply Bool.orb_prop in HS. destruct HS as [HS|HS]; [apply Nat.eqb_eq in HS; lia | apply Z.leb_le in HS; lia].
Qed.

End Tallies.
