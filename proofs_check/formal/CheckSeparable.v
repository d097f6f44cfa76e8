(** * Checking a potential that is a sum over the actions

    The executable side of [Separable.v]: the rows of [Knapsack.v], each in one walk over the losses, slopes and charges of
    an action.  The slopes t_x(1), .., t_x(m-1) and the charges c_x(1), .., c_x(m) are lists; beyond their ends they are 0.
    *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Positions TallyPlan.Knapsack TallyPlan.Opening TallyPlan.Separable.
Import ListNotations.
Open Scope Z_scope.

Definition slope_of (slopes : list (list Z)) (x y : nat) : Z := nth y (0 :: nth x slopes []) 0.

Section Walks.
Variable M : Z.

(** What an action adds, by its part; then the same with a tally more. *)
Record cell := Cell { cell_aside : Z; cell_added : Z; cell_leaves : Z; cell_loop : Z }.

Fixpoint cells (p q : Z) (n : nat) (r t0 : Z) (hs ts cs : list Z) : list cell :=
  match n with
  | O => []
  | S n' =>
      let t1 := hd 0 ts in
      let c := hd 0 cs in
      let loop := q * hd 0 hs - p - M * t1 + (r + 1) * t1 in
      Cell (r * t0) (loop - Z.abs (t1 - t0) * (r * (M - (r + 1))) + c) (r * t0 - c) loop
      :: cells p q n' (r + 1) t1 (tl hs) (tl ts) (tl cs)
  end.

(** The slope and 2 G of every tally. *)
Fixpoint profile (n : nat) (k t0 height : Z) (ts cs : list Z) : list (Z * Z) :=
  (t0, height) ::
  match n with
  | O => []
  | S n' =>
      let t1 := hd 0 ts in
      let e := t1 - t0 in
      profile n' (k + 1) t1 (height - Z.min (e * (k * (k + 1))) (e * (k * (2 * M - 1 - k))) - 2 * hd 0 cs) (tl ts) (tl cs)
  end.

Fixpoint lowest_row (k : Z) (rows : list (Z * Z)) : list Z :=
  match rows with
  | [] => []
  | (t, height) :: rest => height + Z.min (t * (k * (k - 1))) (t * (k * (2 * M - k - 1))) :: lowest_row (k + 1) rest
  end.

(** l is the length of the past, P0 twice the sum of the positions in it. *)
Fixpoint opened_row (q d l P0 n : Z) (gained : list Z) (rows : list (Z * Z)) : list Z :=
  match gained with
  | [] => []
  | g :: gained' =>
      let t := fst (hd (0, 0) rows) in
      let P := P0 + 2 * n * l + n * (n - 1) in
      2 * q * g - snd (hd (0, 0) rows) - Z.max (t * P) (t * (P + 2 * n * (d - n)))
      :: opened_row q d l P0 (n + 1) gained' (tl rows)
  end.

End Walks.

Lemma opened_row_length q d l P0 n gained rows : length (opened_row q d l P0 n gained rows) = length gained.
Proof. revert n rows. induction gained as [|g gained IH]; intros n rows; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma opened_row_nth q d l P0 gained i n rows :
  (i < length gained)%nat ->
  nth i (opened_row q d l P0 n gained rows) 0 =
  let k := n + Z.of_nat i in let t := fst (nth i rows (0, 0)) in let P := P0 + 2 * k * l + k * (k - 1) in
  2 * q * nth i gained 0 - snd (nth i rows (0, 0)) - Z.max (t * P) (t * (P + 2 * k * (d - k))).
Proof.
  revert i n rows. induction gained as [|g gained IH]; intros i n rows L; [simpl in L; lia|]. cbn [opened_row].
  destruct i as [|i]; [cbn [nth]; rewrite hd_nth; cbv zeta; now rewrite Z.add_0_r|].
  cbn [nth]. rewrite IH by (simpl in L; lia). cbv zeta. rewrite !tl_nth.
  now replace (n + 1 + Z.of_nat i) with (n + Z.of_nat (S i)) by lia.
Qed.

Lemma lowest_row_length M k rows : length (lowest_row M k rows) = length rows.
Proof. revert k. induction rows as [|[t g] rows IH]; intros k; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma lowest_row_nth M rows i k :
  (i < length rows)%nat ->
  nth i (lowest_row M k rows) 0 =
  let s := k + Z.of_nat i in let t := fst (nth i rows (0, 0)) in
  snd (nth i rows (0, 0)) + Z.min (t * (s * (s - 1))) (t * (s * (2 * M - s - 1))).
Proof.
  revert i k. induction rows as [|[t g] rows IH]; intros i k L; [simpl in L; lia|]. cbn [lowest_row].
  destruct i as [|i]; [cbn [nth fst snd]; cbv zeta; now rewrite Z.add_0_r|].
  cbn [nth]. rewrite IH by (simpl in L; lia). cbv zeta. now replace (k + 1 + Z.of_nat i) with (k + Z.of_nat (S i)) by lia.
Qed.

Section Check.
Variables (K m : nat) (rows : list (list Z)) (p q : Z) (slopes charges : list (list Z)).
Hypothesis some_memory : (0 < m)%nat.
Hypothesis some_action : (0 < K)%nat.

Let M := Z.of_nat m.
Let h := entry rows.
Let t := slope_of slopes.
Let c := entry charges.

Definition cells_of (x : nat) : list cell := cells M p q m 0 0 (nth x rows []) (nth x slopes []) (nth x charges []).

Lemma cells_length n r t0 hs ts cs : length (cells M p q n r t0 hs ts cs) = n.
Proof. revert r t0 hs ts cs. induction n as [|n IH]; intros; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma cells_nth x n i r hs ts cs :
  (i < n)%nat -> (forall j, nth j hs 0 = h x (S (r + j))) -> (forall j, nth j ts 0 = t x (S (r + j))) ->
  (forall j, nth j cs 0 = c x (S (r + j))) ->
  let k := (r + i)%nat in
  nth i (cells M p q n (Z.of_nat r) (t x r) hs ts cs) (Cell 0 0 0 0) =
  Cell (aside t x k) (added m h p q t c x k) (leaves t c x k) (loop m h p q t x k).
Proof.
  revert i r hs ts cs. induction n as [|n IH]; intros i r hs ts cs L H T C; [lia|]. cbv zeta. cbn [cells].
  pose proof (H 0%nat) as H0. pose proof (T 0%nat) as T0. pose proof (C 0%nat) as C0.
  rewrite Nat.add_0_r in H0, T0, C0. rewrite !hd_nth, H0, T0, C0. destruct i as [|i].
  - cbn [nth]. rewrite Nat.add_0_r. unfold added, leaves, loop, aside, penalty, excess. cbv zeta.
    replace (S r - 1)%nat with r by lia. fold M. rewrite !Nat2Z.inj_succ. f_equal; lia.
  - cbn [nth]. replace (r + S i)%nat with (S r + i)%nat by lia. replace (Z.of_nat r + 1) with (Z.of_nat (S r)) by lia.
    apply IH; [lia | intros j; rewrite tl_nth .. ]; [rewrite H | rewrite T | rewrite C]; f_equal; lia.
Qed.

Lemma cells_of_nth x i :
  (i < m)%nat -> nth i (cells_of x) (Cell 0 0 0 0) =
  Cell (aside t x i) (added m h p q t c x i) (leaves t c x i) (loop m h p q t x i).
Proof.
  intros L. apply (cells_nth x m i 0); [exact L | ..]; intros j; unfold h, t, c, entry, slope_of; cbn [nth Nat.add];
    now rewrite ?Nat.sub_succ, ?Nat.sub_0_r.
Qed.

Definition part_rows (f : cell -> Z) (x : nat) : list Z := map f (cells_of x).

Definition separable_check : bool :=
  roles_fine (m - 1) (part_rows cell_aside) (part_rows cell_added) (part_rows cell_leaves) (part_rows cell_loop) (K - 1).

Lemma part_rows_row f x : is_row (m - 1) (part_rows f x).
Proof. unfold is_row, part_rows, cells_of. rewrite map_length, cells_length. lia. Qed.

Lemma part_rows_nth f x i : f (Cell 0 0 0 0) = 0 -> (i < m)%nat ->
  nth i (part_rows f x) 0 = f (Cell (aside t x i) (added m h p q t c x i) (leaves t c x i) (loop m h p q t x i)).
Proof. intros F L. unfold part_rows. rewrite <- F at 1. now rewrite map_nth, cells_of_nth. Qed.

Lemma count_upto_part r k x : (x <= k)%nat -> (r x <= count_upto r k)%nat.
Proof.
  induction k as [|k IH]; intros X; cbn [count_upto]; [now replace x with 0%nat by lia|].
  destruct (Nat.eq_dec x (S k)) as [->|]; [lia|]. specialize (IH ltac:(lia)). lia.
Qed.

Theorem separable_check_spec : separable_check = true -> loops_fine K m h p q t /\ steps_fine K m h p q t c.
Proof.
  intros H.
  assert (spec : forall r, count_upto r (K - 1) = (m - 1)%nat -> _) by
    exact (fun r => roles_fine_spec (m - 1) _ _ _ _ (part_rows_row _) (part_rows_row _) (part_rows_row _) (part_rows_row _)
                      (K - 1) r H).
  split.
  - intros r a R A. destruct (spec r R) as [L _]. specialize (L a ltac:(lia)).
    erewrite sum_upto_ext; [exact L|]. intros x X. cbv beta. pose proof (count_upto_part r (K - 1) x X).
    destruct (Nat.eqb_spec x a); rewrite part_rows_nth; (reflexivity || lia).
  - intros r a d R A D N. destruct (spec r R) as [_ L]. specialize (L a d ltac:(lia) ltac:(lia) N).
    erewrite sum_upto_ext; [exact L|]. intros x X. cbv beta. pose proof (count_upto_part r (K - 1) x X).
    destruct (Nat.eqb_spec x a); [|destruct (Nat.eqb_spec x d)]; rewrite part_rows_nth; (reflexivity || lia).
Qed.

Theorem separable_check_sound : 0 < q -> separable_check = true -> long_run_at_least (tallying K m h) p q.
Proof. intros Q H. apply separable_check_spec in H. now apply (separable_sound K m h p q t c). Qed.

(** ** Finite games *)

Definition profile_of (x : nat) : list (Z * Z) := profile M m 0 0 0 (nth x slopes []) (nth x charges []).

Lemma profile_length n k t0 g ts cs : length (profile M n k t0 g ts cs) = S n.
Proof. revert k t0 g ts cs. induction n as [|n IH]; intros; [reflexivity|]. cbn [profile length]. now rewrite IH. Qed.

Lemma profile_nth x n i k ts cs :
  (i <= n)%nat -> (forall j, nth j ts 0 = t x (S (k + j))) -> (forall j, nth j cs 0 = c x (S (k + j))) ->
  nth i (profile M n (Z.of_nat k) (t x k) (height m t c x k) ts cs) (0, 0) = (t x (k + i)%nat, height m t c x (k + i)%nat).
Proof.
  revert i k ts cs. induction n as [|n IH]; intros i k ts cs L T C.
  - replace i with 0%nat by lia. cbn [profile nth]. now rewrite Nat.add_0_r.
  - destruct i as [|i]; [cbn [profile nth]; now rewrite Nat.add_0_r|]. cbn [profile nth].
    pose proof (T 0%nat) as T0. pose proof (C 0%nat) as C0. rewrite Nat.add_0_r in T0, C0. rewrite !hd_nth, T0, C0.
    replace (k + S i)%nat with (S k + i)%nat by lia. rewrite <- (IH i (S k) (tl ts) (tl cs)); [| lia | |].
    + f_equal. replace (Z.of_nat k + 1) with (Z.of_nat (S k)) by lia. f_equal. unfold height. cbn [level gain].
      replace (0 + S k)%nat with (S k) by lia. fold M. lia.
    + intros j. rewrite tl_nth, T. f_equal. lia.
    + intros j. rewrite tl_nth, C. f_equal. lia.
Qed.

Lemma profile_of_nth x i : (i <= m)%nat -> nth i (profile_of x) (0, 0) = (t x i, height m t c x i).
Proof.
  intros L. apply (profile_nth x m i 0); [exact L | ..]; intros j; unfold t, c, entry, slope_of; cbn [nth Nat.add];
    now rewrite ?Nat.sub_succ, ?Nat.sub_0_r.
Qed.

Definition least_potential : Z := knapsack m (fun x => lowest_row M 0 (profile_of x)) (K - 1).

Definition least_opened (past : list nat) (d : nat) : Z :=
  knapsack d (fun x =>
    let a := tally x past in
    opened_row q (Z.of_nat d) (Z.of_nat (length past)) (2 * positions x past) 0 (opening_row rows past d x) (skipn a (profile_of x)))
    (K - 1).

Theorem separable_check_game past w d :
  let b := tallying K m h in
  separable_check = true -> valid b past -> valid b w -> (length past + d = m)%nat -> (d < length w)%nat ->
  2 * ((Z.of_nat (length w) - Z.of_nat d) * p) + least_potential + least_opened past d <= 2 * q * total b past w.
Proof.
  intros b H VP VW D T. destruct (separable_check_spec H) as [LF SF].
  apply (separable_game K m h p q t c some_memory some_action past w d); try assumption.
  - intros s S. eapply Z.le_trans.
    + apply (knapsack_le m (fun x => lowest_row M 0 (profile_of x))) with (c := s); [|exact S].
      intros x. unfold is_row, profile_of. now rewrite lowest_row_length, profile_length.
    + apply sum_upto_le. intros x X. pose proof (count_upto_part s (K - 1) x X).
      rewrite lowest_row_nth by (unfold profile_of; rewrite profile_length; lia). cbv zeta.
      rewrite profile_of_nth by lia. unfold lowest. fold M. cbn [fst snd]. rewrite Z.add_0_l. lia.
  - intros n N. eapply Z.le_trans.
    + apply (knapsack_le d) with (c := n); [|exact N]. intros x. unfold is_row. unfold opening_row.
      now rewrite opened_row_length, gains_length.
    + apply sum_upto_le. intros x X. pose proof (count_upto_part n (K - 1) x X). cbv beta zeta.
      assert (A : (tally x past <= length past)%nat) by apply count_occ_bound.
      unfold opening_row. rewrite opened_row_nth by (rewrite gains_length; lia). cbv zeta.
      rewrite nth_skipn, profile_of_nth, gains_nth by lia. unfold opened. cbn [fst snd]. rewrite !Z.add_0_l. fold h. lia.
Qed.

End Check.
