(** * Optimism, step 3: the number of epochs

    Not in the paper.  An epoch ends when some cell c = (x, y) has been met max(1, N_c) times in it, N_c being the number of
    its meetings before.  With C = Km cells and T steps in all, at most C log2(2 max(T, C)/C) epochs end so; the last one
    may end with the game.  Without logarithms: if E epochs end so, then 2^E C^C <= (2 max(T, C))^C.

    The tool is the inequality of the arithmetic and the geometric mean, for integers. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences.
Import ListNotations.
Open Scope Z_scope.

(** ** Powers *)

Fixpoint power (a : Z) (n : nat) : Z := match n with O => 1 | S k => a * power a k end.

Lemma power_Zpow a n : power a n = a ^ Z.of_nat n.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite Nat2Z.inj_succ, Z.pow_succ_r, <- IH by lia. reflexivity. Qed.

Lemma power_pos a n : 0 < a -> 0 < power a n.
Proof. intros P. induction n as [|n IH]; simpl; nia. Qed.

Lemma power_nonneg a n : 0 <= a -> 0 <= power a n.
Proof. intros P. induction n as [|n IH]; simpl; nia. Qed.

Lemma power_mul a b n : power (a * b) n = power a n * power b n.
Proof. induction n as [|n IH]; [reflexivity|]. simpl. rewrite IH. ring. Qed.

Lemma power_add a n k : power a (n + k) = power a n * power a k.
Proof. induction n as [|n IH]; [cbn [power Nat.add]; ring|]. cbn [power Nat.add]. rewrite IH. ring. Qed.

Lemma power_le a b n : 0 <= a <= b -> power a n <= power b n.
Proof. intros H. induction n as [|n IH]; [reflexivity|]. simpl. pose proof (power_nonneg a n ltac:(lia)). nia. Qed.

(** ** Arithmetic and geometric mean *)

(** A power lies above its tangent. *)
Lemma tangent n a b : 0 <= a -> 0 <= b -> Z.of_nat (S n) * power b n * a <= power a (S n) + Z.of_nat n * power b (S n).
Proof.
  intros A B. induction n as [|n IH]; [cbn [power]; change (Z.of_nat 1) with 1; change (Z.of_nat 0) with 0; lia|].
  assert (X : a * (Z.of_nat (S n) * power b n * a) <= a * (power a (S n) + Z.of_nat n * power b (S n)))
    by now apply Z.mul_le_mono_nonneg_l.
  pose proof (power_nonneg b n B) as P. cbn [power] in *. rewrite !Nat2Z.inj_succ in *.
  assert (Y : 0 <= Z.succ (Z.of_nat n) * power b n * ((a - b) * (a - b))).
  { apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; lia | apply Z.square_nonneg]. }
  lia.
Qed.

Definition sum_of (l : list Z) : Z := fold_right Z.add 0 l.
Definition product_of (l : list Z) : Z := fold_right Z.mul 1 l.

Theorem means l : Forall (fun x => 0 <= x) l ->
  power (Z.of_nat (length l)) (length l) * product_of l <= power (sum_of l) (length l).
Proof.
  intros F. assert (NS : forall l, Forall (fun x => 0 <= x) l -> 0 <= sum_of l /\ 0 <= product_of l).
  { clear. induction 1 as [|x l X _ [S P]]; simpl; nia. }
  induction F as [|x l X F IH]; [simpl; lia|]. destruct (NS l F) as [S0 P0]. clear NS.
  cbn [length sum_of product_of fold_right] in *. fold (sum_of l) in *. fold (product_of l) in *.
  set (n := length l) in *. set (s := sum_of l) in *. set (p := product_of l) in *.
  destruct n as [|k].
  - cbn [power] in *. change (Z.of_nat 1) with 1. assert (x * p <= x * 1) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - set (n := S k) in *. assert (N : 0 < Z.of_nat n) by (unfold n; lia).
    pose proof (power_pos (Z.of_nat n) n N) as PN. pose proof (power_pos (Z.of_nat (S n)) (S n) ltac:(lia)) as PS.
    pose proof (tangent n (Z.of_nat n * (s + x)) (Z.of_nat (S n) * s) ltac:(nia) ltac:(nia)) as T.
    rewrite !power_mul in T. cbn [power] in T.
    set (A := power (Z.of_nat n) n) in *. set (B := power (Z.of_nat (S n)) n) in *. set (R := power s n) in *.
    set (W := power (s + x) n) in *. cbn [power] in PS |- *. fold B in PS |- *. rewrite (Z.add_comm x s). fold W.
    set (c := Z.of_nat (S n)) in *. set (d := Z.of_nat n) in *.
    assert (T1 : c * B * R * x <= A * ((s + x) * W)).
    { apply (Z.mul_le_mono_pos_l _ _ d); [exact N|]. lia. }
    apply (Z.mul_le_mono_pos_l _ _ A); [exact PN|].
    assert (T2 : c * B * x * (A * p) <= c * B * x * R).
    { apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia | exact IH]. }
    lia.
Qed.

(** ** What the bound needs besides *)

Lemma sum_of_app l k : sum_of (l ++ k) = sum_of l + sum_of k.
Proof. unfold sum_of. induction l as [|x l IH]; [reflexivity|]. simpl. rewrite IH. lia. Qed.

Lemma product_of_app l k : product_of (l ++ k) = product_of l * product_of k.
Proof. unfold product_of. induction l as [|x l IH]; cbn [app fold_right]; [|rewrite IH]; ring. Qed.

Lemma sum_of_repeat a n : sum_of (repeat a n) = Z.of_nat n * a.
Proof.
  induction n as [|n IH]; [reflexivity|]. simpl repeat. cbn [sum_of fold_right]. fold (sum_of (repeat a n)).
  rewrite IH. lia.
Qed.

Lemma product_of_repeat a n : product_of (repeat a n) = power a n.
Proof. induction n as [|n IH]; [reflexivity|]. simpl. now rewrite <- IH. Qed.

Lemma Forall_repeat_nonneg a n : 0 <= a -> Forall (fun x => 0 <= x) (repeat a n).
Proof. intros P. apply Forall_forall. intros x I. now apply repeat_spec in I as ->. Qed.

(** Two values: j of them a and k of them b. *)
Lemma means_two a b j k : 0 <= a -> 0 <= b ->
  power (Z.of_nat (j + k)) (j + k) * (power a j * power b k) <= power (Z.of_nat j * a + Z.of_nat k * b) (j + k).
Proof.
  intros A B. pose proof (means (repeat a j ++ repeat b k)) as M.
  rewrite app_length, !repeat_length, product_of_app, sum_of_app, !product_of_repeat, !sum_of_repeat in M.
  apply M. apply Forall_app. split; now apply Forall_repeat_nonneg.
Qed.

(** (1 + 1/k)^k <= 4. *)
Lemma growth k : (1 <= k)%nat -> power (Z.of_nat k + 1) k <= 4 * power (Z.of_nat k) k.
Proof.
  intros K. pose proof (means_two (2 * (Z.of_nat k + 1)) (Z.of_nat k) k 2 ltac:(lia) ltac:(lia)) as M.
  replace (Z.of_nat k * (2 * (Z.of_nat k + 1)) + Z.of_nat 2 * Z.of_nat k) with (2 * Z.of_nat k * Z.of_nat (k + 2)) in M by lia.
  rewrite !power_mul, (power_add 2), (power_add (Z.of_nat k)) in M.
  set (A := power (Z.of_nat (k + 2)) (k + 2)) in *. pose proof (power_pos (Z.of_nat (k + 2)) (k + 2) ltac:(lia)) as PA.
  fold A in PA.
  pose proof (power_pos 2 k ltac:(lia)). pose proof (power_pos (Z.of_nat k) k ltac:(lia)). cbn [power] in M.
  rewrite !Z.mul_1_r in M.
  set (t := power 2 k) in *. set (u := power (Z.of_nat k + 1) k) in *. set (v := power (Z.of_nat k) k) in *.
  set (n := Z.of_nat k) in *.
  apply (Z.mul_le_mono_pos_l _ _ (A * (t * (n * n)))); nia.
Qed.

(** C -> (X/C)^C grows as long as C <= X/4. *)
Lemma spread X k C : (k <= C)%nat -> 4 * Z.of_nat C <= X ->
  power (Z.of_nat C) C * power X k <= power (Z.of_nat k) k * power X C.
Proof.
  intros L. induction L as [|C L IH]; intros H; [lia|]. specialize (IH ltac:(lia)).
  assert (PX : 0 <= power X C) by (apply power_nonneg; lia).
  assert (PXk : 0 <= power X k) by (apply power_nonneg; lia).
  assert (PK : 0 <= power (Z.of_nat k) k) by (apply power_nonneg; lia).
  destruct C as [|c].
  - replace k with 0%nat by lia. cbn [power] in *. change (Z.of_nat 1) with 1. lia.
  - set (C := S c) in *. pose proof (growth C ltac:(lia)) as G. pose proof (power_pos (Z.of_nat C) C ltac:(lia)) as PC.
    cbn [power]. replace (Z.of_nat (S C)) with (Z.of_nat C + 1) in * by lia.
    set (u := power (Z.of_nat C + 1) C) in *. set (v := power (Z.of_nat C) C) in *.
    apply (Z.mul_le_mono_pos_l _ _ v); [exact PC|].
    assert (E1 : (Z.of_nat C + 1) * u * (v * power X k) <= (Z.of_nat C + 1) * u * (power (Z.of_nat k) k * power X C)).
    { apply Z.mul_le_mono_nonneg_l; [|exact IH]. assert (0 <= u) by (apply power_nonneg; lia). nia. }
    assert (E2 : (Z.of_nat C + 1) * u <= X * v) by nia.
    assert (E3 : (Z.of_nat C + 1) * u * (power (Z.of_nat k) k * power X C) <= X * v * (power (Z.of_nat k) k * power X C)).
    { apply Z.mul_le_mono_nonneg_r; [nia | exact E2]. }
    nia.
Qed.

(** ** Cells that double *)

Section Epochs.

Variable cell : Type.
Variable equal : forall c d : cell, {c = d} + {c <> d}.
Variable cells : list cell.

(** Meetings N and ended epochs e of each cell, after epochs that each ended with their cell doubled. *)
Inductive doubled : (cell -> nat) -> (cell -> nat) -> nat -> Prop :=
| doubled_start : doubled (fun _ => 0%nat) (fun _ => 0%nat) 0
| doubled_epoch N e E visits c : doubled N e E -> In c cells -> (Nat.max 1 (N c) <= visits c)%nat ->
    doubled (fun d => N d + visits d)%nat (fun d => if equal d c then S (e d) else e d) (S E).

(** A cell that ended e >= 1 epochs was met 2^(e-1) times. *)
Lemma doubled_often N e E c : doubled N e E -> e c = 0%nat \/ power 2 (e c) <= 2 * Z.of_nat (N c).
Proof.
  induction 1 as [|N e E visits d _ IH _ V]; [now left|].
  destruct (equal c d) as [->|]; [right | destruct IH as [IH|IH]; [now left | right; lia]].
  destruct IH as [IH|IH]; [rewrite IH|]; cbn [power]; lia.
Qed.

Lemma doubled_at_most N e E c : doubled N e E -> (e c <= N c)%nat.
Proof.
  intros H. destruct (doubled_often N e E c H) as [G|G]; [lia|].
  assert (B : forall k, 2 * Z.of_nat k <= power 2 k).
  { clear. induction k as [|k IH]; [cbn [power]; lia|]. pose proof (power_pos 2 k ltac:(lia)). cbn [power]. lia. }
  specialize (B (e c)). lia.
Qed.

Fixpoint over (f : cell -> nat) (l : list cell) : nat := match l with [] => 0 | c :: r => f c + over f r end.

Lemma over_le f g l : (forall c, f c <= g c)%nat -> (over f l <= over g l)%nat.
Proof. intros H. induction l as [|c l IH]; simpl; [lia | specialize (H c); lia]. Qed.

(** Every ended epoch is counted at one of the cells. *)
Lemma epochs_by_cell N e E : doubled N e E -> (E <= over e cells)%nat.
Proof.
  induction 1 as [|N e E visits d _ IH I _]; [lia|].
  enough (over e cells < over (fun c => if equal c d then S (e c) else e c) cells)%nat by lia. clear IH.
  induction cells as [|c l IH]; [destruct I|]. simpl.
  assert (G : (over e l <= over (fun c => if equal c d then S (e c) else e c) l)%nat)
    by (apply over_le; intros a; destruct (equal a d); lia).
  destruct (equal c d) as [->|Ne]; [lia|]. destruct I as [->|I]; [congruence|]. specialize (IH I). lia.
Qed.

(** The powers of two of the cells that ended an epoch, and what their numbers add up to. *)
Definition ended_powers (e : cell -> nat) (l : list cell) : list Z :=
  map (fun c => power 2 (e c)) (filter (fun c => negb (e c =? 0)%nat) l).

Lemma ended_powers_product e l : product_of (ended_powers e l) = power 2 (over e l).
Proof.
  unfold ended_powers. induction l as [|c l IH]; [reflexivity|]. cbn [filter over]. rewrite power_add, <- IH.
  destruct (Nat.eqb_spec (e c) 0) as [->|]; cbn [negb power]; [ring | reflexivity].
Qed.

Lemma ended_powers_sum N e E l : doubled N e E -> sum_of (ended_powers e l) <= 2 * Z.of_nat (over N l).
Proof.
  intros H. unfold ended_powers. induction l as [|c l IH]; [simpl; lia|]. cbn [filter over].
  destruct (doubled_often N e E c H) as [G|G]; destruct (Nat.eqb_spec (e c) 0); cbn [negb map sum_of fold_right]; try congruence;
    fold (sum_of (map (fun c => power 2 (e c)) (filter (fun c => negb (e c =? 0)%nat) l))); lia.
Qed.

(** 2^E C^C <= (2 max(T, C))^C. *)
Theorem few_doublings N e E T : doubled N e E -> (over N cells <= T)%nat -> let C := length cells in
  power 2 E * power (Z.of_nat C) C <= power (2 * Z.max (Z.of_nat T) (Z.of_nat C)) C.
Proof.
  intros H B C. pose proof (epochs_by_cell N e E H) as EB. set (M := Nat.max T C).
  replace (Z.max (Z.of_nat T) (Z.of_nat C)) with (Z.of_nat M) by (unfold M; lia).
  pose proof (power_nonneg (Z.of_nat C) C ltac:(lia)) as PC.
  assert (mono : forall i j, (i <= j)%nat -> power 2 i <= power 2 j).
  { intros i j IJ. replace j with (i + (j - i))%nat by lia. rewrite power_add.
    pose proof (power_pos 2 i ltac:(lia)). pose proof (power_pos 2 (j - i) ltac:(lia)). nia. }
  destruct (Nat.le_gt_cases M (2 * C)) as [G|G].
  - (* a cell ends at most as many epochs as it has meetings: E <= M = C + j with j <= C *)
    assert (EM : (E <= M)%nat).
    { pose proof (over_le e N cells (fun c => doubled_at_most N e E c H)). unfold M. lia. }
    set (j := (M - C)%nat). assert (J : (j <= C /\ M = C + j)%nat) by (unfold j, M in *; lia). destruct J as [J EJ].
    pose proof (means_two 2 1 j (C - j) ltac:(lia) ltac:(lia)) as A. replace (j + (C - j))%nat with C in A by lia.
    replace (Z.of_nat j * 2 + Z.of_nat (C - j) * 1) with (Z.of_nat M) in A by lia.
    assert (ones : forall n, power 1 n = 1) by (induction n as [|n IH]; cbn [power]; lia).
    rewrite ones, Z.mul_1_r in A. rewrite power_mul. pose proof (mono E (C + j)%nat ltac:(lia)) as EP. rewrite power_add in EP.
    transitivity (power 2 C * power 2 j * power (Z.of_nat C) C); [now apply Z.mul_le_mono_nonneg_r|].
    rewrite <- Z.mul_assoc, (Z.mul_comm (power 2 j)). apply Z.mul_le_mono_nonneg_l; [apply power_nonneg; lia | exact A].
  - (* k cells ended epochs: their powers of two have a sum of at most 2 T *)
    set (l := ended_powers e cells). set (k := length l).
    assert (KC : (k <= C)%nat).
    { unfold k, l, ended_powers. rewrite map_length. unfold C. clear. induction cells as [|c r IH]; [reflexivity|]. cbn [filter].
      destruct (negb _); simpl; lia. }
    assert (F : Forall (fun x => 0 <= x) l).
    { apply Forall_forall. intros x I. apply in_map_iff in I as (c & <- & _). apply power_nonneg. lia. }
    pose proof (means l F) as A. fold k in A. unfold l in A at 1. rewrite ended_powers_product in A.
    assert (S0 : 0 <= sum_of l) by (clear - F; induction F; simpl; [lia | unfold sum_of in *; lia]).
    pose proof (ended_powers_sum N e E cells H) as S1. fold l in S1.
    assert (A2 : power (sum_of l) k <= power (2 * Z.of_nat M) k) by (apply power_le; unfold M; lia).
    pose proof (spread (2 * Z.of_nat M) k C KC ltac:(lia)) as A3. pose proof (mono _ _ EB) as EP.
    assert (PK : 0 < power (Z.of_nat k) k).
    { destruct k; [reflexivity | apply power_pos; lia]. }
    apply (Z.mul_le_mono_pos_l _ _ (power (Z.of_nat k) k)); [exact PK|].
    transitivity (power (Z.of_nat C) C * (power (Z.of_nat k) k * power 2 (over e cells))).
    { assert (P2 : 0 <= power (Z.of_nat C) C * power (Z.of_nat k) k) by (apply Z.mul_nonneg_nonneg; lia).
      pose proof (Z.mul_le_mono_nonneg_l _ _ _ P2 EP). lia. }
    transitivity (power (Z.of_nat C) C * power (2 * Z.of_nat M) k); [|exact A3].
    apply Z.mul_le_mono_nonneg_l; [exact PC | lia].
Qed.

End Epochs.

(** ** Epochs of a game *)

Definition cells (K m : nat) : list (nat * nat) := list_prod (seq 0 K) (seq 1 m).

(** How often a cell was met in a past, latest action first. *)
Definition met (m : nat) (past : list nat) (c : nat * nat) : nat := count m (fst c) (snd c) [] (rev past).

(** E epochs have ended, each as soon as one of its cells had been met max(1, N) times in it. *)
Inductive epochs_ended (K m : nat) : list nat -> nat -> Prop :=
| no_epoch : epochs_ended K m [] 0
| next_epoch past E w c : epochs_ended K m past E -> In c (cells K m) -> Forall (fun a => (a < K)%nat) w ->
    (Nat.max 1 (met m past c) <= count m (fst c) (snd c) past w)%nat -> epochs_ended K m (after past w) (S E).

Lemma count_app m x y past u w : count m x y past (u ++ w) = (count m x y past u + count m x y (after past u) w)%nat.
Proof. revert past. induction u as [|a u IH]; intros past; [reflexivity|]. rewrite after_cons. simpl. rewrite IH. lia. Qed.

Lemma met_after m past w c : met m (after past w) c = (met m past c + count m (fst c) (snd c) past w)%nat.
Proof.
  unfold met, after. rewrite rev_app_distr, rev_involutive, count_app. f_equal. unfold after.
  now rewrite rev_involutive, app_nil_r.
Qed.

Lemma over_app (f : nat * nat -> nat) l k : over _ f (l ++ k) = (over _ f l + over _ f k)%nat.
Proof. induction l as [|c l IH]; [reflexivity|]. simpl. rewrite IH. lia. Qed.

Lemma over_row (f : nat * nat -> nat) x b k : Z.of_nat (over _ f (map (fun y => (x,
  y)) (seq b k))) = sum (fun y => Z.of_nat (f (x, y))) b k.
Proof.
  revert b. induction k as [|k IH]; intros b; [reflexivity|]. cbn [seq map over sum]. rewrite Nat2Z.inj_add, IH.
  reflexivity.
Qed.

Lemma over_cells (f : nat * nat -> nat) a n b k :
  Z.of_nat (over _ f (list_prod (seq a n) (seq b k))) = sum (fun x => sum (fun y => Z.of_nat (f (x, y))) b k) a n.
Proof.
  revert a. induction n as [|n IH]; intros a; [reflexivity|]. cbn [seq list_prod sum].
  now rewrite over_app, Nat2Z.inj_add, over_row, IH.
Qed.

(** Every step meets one cell. *)
Lemma met_in_all K m past : (0 < m)%nat -> Forall (fun a => (a < K)%nat) past -> over _ (met m past) (cells K m) = length past.
Proof.
  intros M V. apply Nat2Z.inj. transitivity (total (tallying K m (fun _ _ => 1)) [] (rev past)).
  - rewrite total_by_counts; [|exact M | now apply Forall_rev]. unfold cells. rewrite over_cells.
    apply sum_ext. intros x _. apply sum_ext. intros y _. unfold met. cbn [fst snd]. lia.
  - assert (X : forall w past, total (tallying K m (fun _ _ => 1)) past w = Z.of_nat (length w)).
    { clear - M. induction w as [|a w IH]; intros past; [reflexivity|]. cbn [total length].
      rewrite IH, loss_tallying by exact M. lia. }
    now rewrite X, rev_length.
Qed.

(** The bound on the number of epochs, E <= C log2(2 max(T, C)/C) with C = Km: both sides as powers of two, to the C. *)
Definition epochs_bound (C T : nat) : Z := (2 * Z.max (Z.of_nat T) (Z.of_nat C)) ^ Z.of_nat C.

Theorem few_epochs K m past E T : (0 < m)%nat -> epochs_ended K m past E -> (length past <= T)%nat ->
  2 ^ Z.of_nat E * Z.of_nat (K * m) ^ Z.of_nat (K * m) <= epochs_bound (K * m) T.
Proof.
  intros M H L. unfold epochs_bound. rewrite <- !power_Zpow.
  assert (equal : forall c d : nat * nat, {c = d} + {c <> d}) by (decide equality; apply Nat.eq_dec).
  assert (X : exists e N, doubled _ equal (cells K m) N e E /\ (forall c, N c = met m past c) /\
    Forall (fun a => (a < K)%nat) past).
  { induction H as [|past E w c H IH I V D].
    - exists (fun _ => 0%nat), (fun _ => 0%nat). repeat split; constructor.
    - rewrite length_after in L. destruct (IH ltac:(lia)) as (e & N & DB & EN & VP).
      exists (fun d => if equal d c then S (e d) else e d), (fun d => N d + count m (fst d) (snd d) past w)%nat.
      split; [|split].
      + apply (doubled_epoch _ equal (cells K m) N e E (fun d => count m (fst d) (snd d) past w) c DB I). now rewrite EN.
      + intros d. now rewrite met_after, EN.
      + unfold after. apply Forall_app. split; [now apply Forall_rev | exact VP]. }
  destruct X as (e & N & DB & EN & VP).
  assert (B : (over _ N (cells K m) <= T)%nat).
  { pose proof (over_le _ N (met m past) (cells K m) ltac:(intros c; rewrite EN; lia)).
    rewrite met_in_all in H0 by assumption. lia. }
  pose proof (few_doublings _ equal (cells K m) N e E T DB B) as F.
  unfold cells in F. rewrite prod_length, !seq_length in F. exact F.
Qed.
