(** * The opening of a game

    docs/certificates.md, section 4, "Without the recursion": while nothing leaves the window, playing x c_x times costs
    O(c) = sum over x of h_x(a_x + 1) + ... + h_x(a_x + c_x), whatever the order; a_x is the number of x in the past.  The
    least O(c) over counts with a given sum is computed action by action. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Layers.
Import ListNotations.
Open Scope Z_scope.

(** h(a+1) + ... + h(a+c). *)
Fixpoint gain (h : nat -> Z) (a c : nat) : Z :=
  match c with
  | O => 0
  | S n => gain h a n + h (a + c)%nat
  end.

Fixpoint sum_upto (f : nat -> Z) (k : nat) : Z := match k with O => f O | S j => sum_upto f j + f k end.
Fixpoint count_upto (c : nat -> nat) (k : nat) : nat := match k with O => c O | S j => (count_upto c j + c k)%nat end.

(** O(c), with the numbers a_x of the past. *)
Definition opening (h : nat -> nat -> Z) (past : list nat) (k : nat) (c : nat -> nat) : Z :=
  sum_upto (fun x => gain (h x) (tally x past) (c x)) k.

Lemma gain_first h a c : gain h a (S c) = h (S a) + gain h (S a) c.
Proof.
  induction c as [|c IH]; [simpl; rewrite Nat.add_1_r; lia|].
  cbn [gain] in *. rewrite IH. replace (a + S (S c))%nat with (S a + S c)%nat by lia. lia.
Qed.

Lemma sum_upto_ext f g k : (forall x, (x <= k)%nat -> f x = g x) -> sum_upto f k = sum_upto g k.
Proof. induction k as [|k IH]; intros H; simpl; [apply H; lia|]. rewrite IH, (H (S k)); auto. Qed.

Lemma sum_upto_change f g k a e :
  (a <= k)%nat -> f a = g a + e -> (forall x, x <> a -> f x = g x) -> sum_upto f k = sum_upto g k + e.
Proof.
  intros A E H. induction k as [|k IH]; simpl; [now replace 0%nat with a by lia|].
  destruct (Nat.eq_dec a (S k)) as [->|N].
  - rewrite E, (sum_upto_ext f g); [lia|]. intros x X. apply H. lia.
  - rewrite IH, (H (S k)) by lia. lia.
Qed.

(** The order does not matter. *)
Theorem opening_total K m h w past :
  (length past + length w <= m)%nat -> Forall (fun a => (a < K)%nat) w -> (0 < K)%nat ->
  total (tallying K m h) past w = opening h past (K - 1) (fun x => tally x w).
Proof.
  intros L V HK. revert past L. induction V as [|a w A V IH]; intros past L.
  - unfold opening. simpl. induction (K - 1)%nat as [|k IHk]; simpl; lia.
  - cbn [total]. rewrite IH by (simpl in *; lia). simpl in L. rewrite loss_tallying by lia.
    unfold window. rewrite firstn_all2 by (simpl; lia). unfold opening.
    rewrite (sum_upto_change (fun x => gain (h x) (tally x past) (tally x (a :: w)))
               (fun x => gain (h x) (tally x (a :: past)) (tally x w)) (K - 1) a (h a (tally a (a :: past)))); [lia | lia | |].
    + unfold tally. simpl. destruct (Nat.eq_dec a a); [|congruence]. rewrite gain_first. lia.
    + intros x X. unfold tally. simpl. destruct (Nat.eq_dec a x); [congruence | reflexivity].
Qed.

Lemma count_upto_change c e k a :
  (a <= k)%nat -> c a = S (e a) -> (forall x, x <> a -> c x = e x) -> count_upto c k = S (count_upto e k).
Proof.
  intros A E H. induction k as [|k IH]; simpl; [now replace 0%nat with a by lia|].
  destruct (Nat.eq_dec a (S k)) as [->|N]; [|rewrite IH, (H (S k)) by lia; lia].
  assert (X : forall j, (j <= k)%nat -> count_upto c j = count_upto e j).
  { induction j as [|j IHj]; intros J; simpl; [apply H; lia|]. now rewrite IHj, (H (S j)) by lia. }
  rewrite X, E by lia. lia.
Qed.

Lemma tally_cons a w x : tally x (a :: w) = if Nat.eq_dec a x then S (tally x w) else tally x w.
Proof. reflexivity. Qed.

Lemma count_upto_tally K w :
  Forall (fun a => (a < K)%nat) w -> (0 < K)%nat -> count_upto (fun x => tally x w) (K - 1) = length w.
Proof.
  intros V HK. induction V as [|a w A V IH]; [simpl; induction (K - 1)%nat as [|k IHk]; simpl; lia|].
  cbn [length]. rewrite <- IH. apply count_upto_change with (a := a); [lia | |].
  - rewrite tally_cons. destruct (Nat.eq_dec a a); congruence.
  - intros x X. rewrite tally_cons. destruct (Nat.eq_dec a x); congruence.
Qed.

(** ** The least opening, action by action *)

(** [gain h a 0; ...; gain h a n]. *)
Fixpoint gains (h : nat -> Z) (a n : nat) (sum : Z) : list Z :=
  sum :: match n with O => [] | S k => gains h (S a) k (sum + h (S a)) end.

(** The entry t is the least of before[t - c] + more[c]; [seen] is before[t-1], ..., before[0]. *)
Fixpoint joined (before seen more : list Z) : list Z :=
  match before with
  | [] => []
  | x :: rest => least (x :: seen) more :: joined rest (x :: seen) more
  end.

Fixpoint least_openings (h : nat -> nat -> Z) (past : list nat) (n k : nat) : list Z :=
  let row := gains (h k) (tally k past) n 0 in
  match k with
  | O => row
  | S j => joined (least_openings h past n j) [] row
  end.

Definition least_opening (h : nat -> nat -> Z) (past : list nat) (K n : nat) : Z :=
  nth n (least_openings h past n (K - 1)) 0.

Lemma gains_nth h a n s c : (c <= n)%nat -> nth c (gains h a n s) 0 = s + gain h a c.
Proof.
  revert a s c. induction n as [|n IH]; intros a s c C.
  - replace c with 0%nat by lia. simpl. lia.
  - destruct c as [|c]; [simpl; lia|]. cbn [gains nth]. rewrite IH, gain_first by lia. lia.
Qed.

Lemma gains_length h a n s : length (gains h a n s) = S n.
Proof. revert a s. induction n as [|n IH]; intros a s; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma least_below_le low cs vs i :
  least_below low cs vs <= low /\
  ((i < length cs)%nat -> (i < length vs)%nat -> least_below low cs vs <= nth i cs 0 + nth i vs 0).
Proof.
  revert low vs i. induction cs as [|c cs IH]; intros low vs i; [simpl; split; lia|].
  destruct vs as [|v vs]; [simpl; split; lia|]. cbn [least_below].
  split; [destruct (IH (Z.min low (c + v)) vs 0%nat); lia|]. intros C V. destruct i as [|i].
  - destruct (IH (Z.min low (c + v)) vs 0%nat). simpl. lia.
  - destruct (IH (Z.min low (c + v)) vs i) as [_ H]. simpl in *. apply H; lia.
Qed.

Lemma least_le cs vs i : (i < length cs)%nat -> (i < length vs)%nat -> least cs vs <= nth i cs 0 + nth i vs 0.
Proof.
  destruct cs as [|c cs], vs as [|v vs]; simpl; intros C V; try lia.
  destruct i as [|i]; [destruct (least_below_le (c + v) cs vs 0); lia|].
  destruct (least_below_le (c + v) cs vs i) as [_ H]. apply H; lia.
Qed.

Lemma joined_le before more seen t c :
  (t < length before)%nat -> (c <= t + length seen)%nat -> (c < length more)%nat ->
  nth t (joined before seen more) 0 <= nth (t + length seen - c) (rev seen ++ before) 0 + nth c more 0.
Proof.
  revert seen t. induction before as [|x before IH]; intros seen t T C M; [simpl in T; lia|].
  destruct t as [|t]; cbn [joined nth].
  - pose proof (least_le (x :: seen) more c ltac:(simpl; lia) M) as H.
    replace (nth (0 + length seen - c) (rev seen ++ x :: before) 0) with (nth c (x :: seen) 0); [exact H|].
    replace (rev seen ++ x :: before) with (rev (x :: seen) ++ before) by (simpl; now rewrite <- app_assoc).
    rewrite app_nth1 by (rewrite rev_length; simpl; lia). rewrite rev_nth by (simpl; lia).
    f_equal. simpl length. lia.
  - specialize (IH (x :: seen) t ltac:(simpl in T; lia) ltac:(simpl; lia) M).
    replace (rev (x :: seen) ++ before) with (rev seen ++ x :: before) in IH by (simpl; now rewrite <- app_assoc).
    replace (S t + length seen - c)%nat with (t + length (x :: seen) - c)%nat by (cbn [length]; lia). exact IH.
Qed.

Lemma joined_length before seen more : length (joined before seen more) = length before.
Proof. revert seen. induction before as [|x before IH]; intros seen; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma least_openings_length h past n k : length (least_openings h past n k) = S n.
Proof. induction k as [|k IH]; simpl; [apply gains_length | now rewrite joined_length]. Qed.

Lemma least_openings_le h past n k c :
  (count_upto c k <= n)%nat -> nth (count_upto c k) (least_openings h past n k) 0 <= opening h past k c.
Proof.
  induction k as [|k IH]; intros C; unfold opening in *; cbn [least_openings count_upto sum_upto] in *.
  - rewrite gains_nth by assumption. lia.
  - specialize (IH ltac:(lia)).
    pose proof (joined_le (least_openings h past n k) (gains (h (S k)) (tally (S k) past) n 0) []
                  (count_upto c k + c (S k)) (c (S k))) as J.
    rewrite least_openings_length, gains_length in J. specialize (J ltac:(lia) ltac:(simpl; lia) ltac:(lia)).
    cbn [length rev app] in J. replace (count_upto c k + c (S k) + 0 - c (S k))%nat with (count_upto c k) in J by lia.
    rewrite (gains_nth _ _ _ _ (c (S k))) in J by lia. lia.
Qed.

(** No word of n actions, played while nothing leaves the window, loses less. *)
Theorem least_opening_bound K m h past w :
  (0 < K)%nat -> (length past + length w <= m)%nat -> Forall (fun a => (a < K)%nat) w ->
  least_opening h past K (length w) <= total (tallying K m h) past w.
Proof.
  intros HK L V. rewrite opening_total by assumption. unfold least_opening.
  pose proof (least_openings_le h past (length w) (K - 1) (fun x => tally x w)) as H.
  rewrite count_upto_tally in H by assumption. now apply H.
Qed.
