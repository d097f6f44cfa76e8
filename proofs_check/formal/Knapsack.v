(** * Sums over the actions

    docs/certificates.md, rules 2 and 5: the least sum over the actions x of row_x[c_x], over all counts c with a given
    sum, is computed action by action; nobody lists the counts.  In a step one action is added to the window and
    another one leaves it, so that their rows are others ("roles"): the least sum over all choices of the two comes
    from the same walk. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Layers.
Import ListNotations.
Open Scope Z_scope.

Fixpoint sum_upto (f : nat -> Z) (k : nat) : Z := match k with O => f O | S j => sum_upto f j + f k end.
Fixpoint count_upto (c : nat -> nat) (k : nat) : nat := match k with O => c O | S j => (count_upto c j + c k)%nat end.

Lemma sum_upto_ext f g k : (forall x, (x <= k)%nat -> f x = g x) -> sum_upto f k = sum_upto g k.
Proof. induction k as [|k IH]; intros H; simpl; [apply H; lia|]. rewrite IH, (H (S k)); auto. Qed.

Lemma sum_upto_le f g k : (forall x, (x <= k)%nat -> f x <= g x) -> sum_upto f k <= sum_upto g k.
Proof.
  induction k as [|k IH]; intros H; simpl; [apply H; lia|].
  specialize (IH (fun x X => H x (Nat.le_trans _ _ _ X (Nat.le_succ_diag_r k)))).
  specialize (H (S k) ltac:(lia)). lia.
Qed.

Lemma sum_upto_minus f g k : sum_upto (fun x => f x - g x) k = sum_upto f k - sum_upto g k.
Proof. induction k as [|k IH]; simpl; lia. Qed.

Lemma sum_upto_scaled c f k : sum_upto (fun x => c * f x) k = c * sum_upto f k.
Proof. induction k as [|k IH]; cbn [sum_upto]; lia. Qed.

Lemma sum_upto_zero k : sum_upto (fun _ => 0) k = 0.
Proof. induction k as [|k IH]; simpl; lia. Qed.

Lemma sum_upto_change f g k a e :
  (a <= k)%nat -> f a = g a + e -> (forall x, x <> a -> f x = g x) -> sum_upto f k = sum_upto g k + e.
Proof.
  intros A E H. induction k as [|k IH]; simpl; [now replace 0%nat with a by lia|].
  destruct (Nat.eq_dec a (S k)) as [->|N].
  - rewrite E, (sum_upto_ext f g); [lia|]. intros x X. apply H. lia.
  - rewrite IH, (H (S k)) by lia. lia.
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

(** ** Lists *)

Lemma hd_nth {A} (zero : A) l : hd zero l = nth 0 l zero.
Proof. now destruct l. Qed.

Lemma tl_nth {A} (zero : A) l i : nth i (tl l) zero = nth (S i) l zero.
Proof. destruct l; [now destruct i | reflexivity]. Qed.

Lemma nth_skipn {A} (zero : A) a l i : nth i (skipn a l) zero = nth (a + i) l zero.
Proof. revert l. induction a as [|a IH]; intros [|x l]; cbn [skipn Nat.add]; [reflexivity .. | now destruct i | apply IH].
Qed.

(** ** Two lists together *)

(** The entry t is the least of before[t - c] + more[c]; [seen] is before[t-1], ..., before[0]. *)
Fixpoint joined (before seen more : list Z) : list Z :=
  match before with
  | [] => []
  | x :: rest => least (x :: seen) more :: joined rest (x :: seen) more
  end.

(** The last of these entries alone. *)
Definition last_joined (before more : list Z) : Z := least (fast_rev before) more.

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

Lemma joined_from_le before more seen t c :
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

Section Rows.
Variable n : nat.

(** A row holds the values at 0, ..., n. *)
Definition is_row (l : list Z) : Prop := length l = S n.

Lemma is_row_joined l r : is_row l -> is_row (joined l [] r).
Proof. unfold is_row. now rewrite joined_length. Qed.

Lemma joined_le l r i c :
  is_row l -> is_row r -> (i + c <= n)%nat -> nth (i + c) (joined l [] r) 0 <= nth i l 0 + nth c r 0.
Proof.
  unfold is_row. intros L R C. pose proof (joined_from_le l r [] (i + c) c ltac:(lia) ltac:(simpl; lia) ltac:(lia)) as H.
  simpl rev in H. simpl length in H. now replace (i + c + 0 - c)%nat with i in H by lia.
Qed.

Lemma last_joined_le l r i c :
  is_row l -> is_row r -> (i + c = n)%nat -> last_joined l r <= nth i l 0 + nth c r 0.
Proof.
  unfold is_row, last_joined. intros L R C. rewrite fast_rev_rev.
  pose proof (least_le (rev l) r c ltac:(rewrite rev_length; lia) ltac:(lia)) as H.
  rewrite rev_nth, L in H by lia. now replace (S n - S c)%nat with i in H by lia.
Qed.

(** ** All actions in one role *)

Section OneRole.
Variable row : nat -> list Z.
Hypothesis rows : forall x, is_row (row x).

Fixpoint knapsacks (k : nat) : list Z :=
  match k with
  | O => row O
  | S j => joined (knapsacks j) [] (row k)
  end.

(** The least sum over counts with the sum n, k + 1 actions. *)
Definition knapsack (k : nat) : Z :=
  match k with
  | O => nth n (row O) 0
  | S j => last_joined (knapsacks j) (row k)
  end.

Lemma is_row_knapsacks k : is_row (knapsacks k).
Proof. destruct k; [apply rows | cbn [knapsacks]; revert k]. induction k; apply is_row_joined; [apply rows | exact IHk].
  Qed.

Lemma knapsacks_le k c :
  (count_upto c k <= n)%nat -> nth (count_upto c k) (knapsacks k) 0 <= sum_upto (fun x => nth (c x) (row x) 0) k.
Proof.
  induction k as [|k IH]; intros C; cbn [count_upto knapsacks sum_upto] in *; [lia|].
  pose proof (joined_le (knapsacks k) (row (S k)) (count_upto c k) (c (S k)) (is_row_knapsacks k) (rows _) C).
  specialize (IH ltac:(lia)). lia.
Qed.

Theorem knapsack_le k c : count_upto c k = n -> knapsack k <= sum_upto (fun x => nth (c x) (row x) 0) k.
Proof.
  destruct k as [|k]; cbn [count_upto knapsack sum_upto]; intros C; [rewrite C; lia|].
  pose proof (last_joined_le (knapsacks k) (row (S k)) (count_upto c k) (c (S k)) (is_row_knapsacks k) (rows _) C).
  pose proof (knapsacks_le k c ltac:(lia)). lia.
Qed.

End OneRole.

(** ** One action has another role, or two have *)

Fixpoint row_min (l r : list Z) : list Z :=
  match l, r with
  | x :: l', y :: r' => Z.min x y :: row_min l' r'
  | _, _ => []
  end.

Lemma row_min_length l r : length l = length r -> length (row_min l r) = length l.
Proof.
  revert r. induction l as [|x l IH]; intros [|y r] L; try discriminate; [reflexivity|]. simpl in *. rewrite IH; lia.
Qed.

Lemma row_min_le l r i : length l = length r -> nth i (row_min l r) 0 <= nth i l 0 /\ nth i (row_min l r) 0 <= nth i r 0.
Proof.
  revert r i. induction l as [|x l IH]; intros [|y r] i L; try discriminate; [destruct i; simpl; lia|].
  destruct i as [|i]; simpl; [lia|]. apply IH. now injection L.
Qed.

Section Roles.
Variables aside added leaves loop : nat -> list Z.
Hypothesis aside_rows : forall x, is_row (aside x).
Hypothesis added_rows : forall x, is_row (added x).
Hypothesis leaves_rows : forall x, is_row (leaves x).
Hypothesis loop_rows : forall x, is_row (loop x).

(** All sums, in one walk: no action has a role, one is added, one leaves, one does both, one is added and another leaves. *)
Record sums := Sums { of_none : list Z; of_added : list Z; of_left : list Z; of_loop : list Z; of_both : option (list Z) }.

Definition with_role (before none role now : list Z) : list Z := row_min (joined before [] now) (joined none [] role).

Definition with_both (t : sums) (x : nat) : list Z :=
  let new := row_min (joined (of_added t) [] (leaves x)) (joined (of_left t) [] (added x)) in
  match of_both t with
  | None => new
  | Some b => row_min (joined b [] (aside x)) new
  end.

Fixpoint sums_upto (k : nat) : sums :=
  match k with
  | O => Sums (aside O) (added O) (leaves O) (loop O) None
  | S j =>
      let t := sums_upto j in
      Sums (joined (of_none t) [] (aside k)) (with_role (of_added t) (of_none t) (added k) (aside k))
        (with_role (of_left t) (of_none t) (leaves k) (aside k)) (with_role (of_loop t) (of_none t) (loop k) (aside k))
        (Some (with_both t k))
  end.

(** No sum over counts with the sum n is negative, k + 1 actions. *)
Definition roles_fine (k : nat) : bool :=
  match k with
  | O => 0 <=? nth n (loop O) 0
  | S j =>
      let t := sums_upto j in
      (0 <=? last_joined (of_loop t) (aside k)) && (0 <=? last_joined (of_none t) (loop k)) &&
      (0 <=? last_joined (of_added t) (leaves k)) && (0 <=? last_joined (of_left t) (added k)) &&
      match of_both t with
      | None => true
      | Some b => 0 <=? last_joined b (aside k)
      end
  end.

Definition sum_of_none (c : nat -> nat) : nat -> Z := sum_upto (fun x => nth (c x) (aside x) 0).
Definition sum_of_one (role : nat -> list Z) (c : nat -> nat) (a : nat) : nat -> Z :=
  sum_upto (fun x => nth (c x) (if (x =? a)%nat then role x else aside x) 0).
Definition sum_of_both (c : nat -> nat) (a d : nat) : nat -> Z :=
  sum_upto (fun x => nth (c x) (if (x =? a)%nat then added x else if (x =? d)%nat then leaves x else aside x) 0).

(** Below the action with a role, nothing has one. *)
Lemma sum_of_one_before role c a k : (k < a)%nat -> sum_of_one role c a k = sum_of_none c k.
Proof. intros A. apply sum_upto_ext. intros x X. destruct (Nat.eqb_spec x a); [lia | reflexivity]. Qed.

Lemma sum_of_both_before c a d k :
  ((k < d)%nat -> sum_of_both c a d k = sum_of_one added c a k) /\
  ((k < a)%nat -> sum_of_both c a d k = sum_of_one leaves c d k).
Proof.
  split; intros L; apply sum_upto_ext; intros x X.
  - destruct (Nat.eqb_spec x a); [reflexivity|]. destruct (Nat.eqb_spec x d); [lia | reflexivity].
  - destruct (Nat.eqb_spec x a); [lia | reflexivity].
Qed.

Definition below_all (t : sums) (k : nat) : Prop :=
  (is_row (of_none t) /\ is_row (of_added t) /\ is_row (of_left t) /\ is_row (of_loop t)) /\
  forall c, (count_upto c k <= n)%nat -> let i := count_upto c k in
    nth i (of_none t) 0 <= sum_of_none c k /\
    forall a, (a <= k)%nat ->
      nth i (of_added t) 0 <= sum_of_one added c a k /\ nth i (of_left t) 0 <= sum_of_one leaves c a k /\
      nth i (of_loop t) 0 <= sum_of_one loop c a k.

Definition both_below (t : sums) (k : nat) : Prop :=
  match of_both t with
  | None => k = 0%nat
  | Some b => is_row b /\ forall c a d, (count_upto c k <= n)%nat -> (a <= k)%nat -> (d <= k)%nat -> a <> d ->
      nth (count_upto c k) b 0 <= sum_of_both c a d k
  end.

Lemma with_role_row before none role now :
  is_row before -> is_row none -> is_row (with_role before none role now).
Proof. unfold is_row, with_role. intros B N. rewrite row_min_length; rewrite !joined_length; congruence. Qed.

Lemma with_role_le role before none k c a :
  (forall x, is_row (role x)) -> is_row before -> is_row none -> (count_upto c (S k) <= n)%nat -> (a <= S k)%nat ->
  nth (count_upto c k) none 0 <= sum_of_none c k ->
  ((a <= k)%nat -> nth (count_upto c k) before 0 <= sum_of_one role c a k) ->
  nth (count_upto c (S k)) (with_role before none (role (S k)) (aside (S k))) 0 <= sum_of_one role c a (S k).
Proof.
  intros R B N C A HN HB. cbn [count_upto] in *. unfold with_role.
  destruct (row_min_le (joined before [] (aside (S k))) (joined none [] (role (S k))) (count_upto c k + c (S k)))
    as [H1 H2]; [rewrite !joined_length; congruence|].
  unfold sum_of_one. cbn [sum_upto]. fold (sum_of_one role c a k). destruct (Nat.eqb_spec (S k) a) as [<-|D].
  - rewrite sum_of_one_before by lia.
    pose proof (joined_le none (role (S k)) (count_upto c k) (c (S k)) N (R _) C). lia.
  - pose proof (joined_le before (aside (S k)) (count_upto c k) (c (S k)) B (aside_rows _) C).
    specialize (HB ltac:(lia)). lia.
Qed.

Lemma sums_below k : below_all (sums_upto k) k.
Proof.
  induction k as [|k [(R1 & R2 & R3 & R4) IH]].
  - split; [cbn [sums_upto of_none of_added of_left of_loop]; auto|]. intros c C.
    cbn [count_upto sums_upto of_none of_added of_left of_loop].
    split; [unfold sum_of_none; simpl; lia|]. intros a A. replace a with 0%nat by lia. unfold sum_of_one. simpl. lia.
  - cbn [sums_upto]. set (t := sums_upto k) in *. split.
    + cbn [of_none of_added of_left of_loop]. repeat split; try (now apply with_role_row). now apply is_row_joined.
    + intros c C. cbv zeta. cbn [of_none of_added of_left of_loop]. pose proof C as C'. cbn [count_upto] in C.
      destruct (IH c ltac:(lia)) as [N H]. split.
      * unfold sum_of_none. cbn [sum_upto count_upto]. fold (sum_of_none c k).
        pose proof (joined_le (of_none t) (aside (S k)) (count_upto c k) (c (S k)) R1 (aside_rows _) C). lia.
      * intros a A. repeat split; (apply with_role_le; try assumption; intros L; apply (H a L)).
Qed.

Lemma with_both_le t k c a d :
  below_all t k -> both_below t k -> (count_upto c (S k) <= n)%nat -> (a <= S k)%nat -> (d <= S k)%nat -> a <> d ->
  nth (count_upto c (S k)) (with_both t (S k)) 0 <= sum_of_both c a d (S k).
Proof.
  intros [(R1 & R2 & R3 & R4) B] BB C A D N. cbn [count_upto] in *. destruct (B c ltac:(lia)) as [_ H].
  destruct (sum_of_both_before c a d k) as [E1 E2]. unfold sum_of_both. cbn [sum_upto]. fold (sum_of_both c a d k).
  set (new := row_min (joined (of_added t) [] (leaves (S k))) (joined (of_left t) [] (added (S k)))).
  assert (LN : length (joined (of_added t) [] (leaves (S k))) = length (joined (of_left t) [] (added (S k))))
    by (rewrite !joined_length; congruence).
  assert (RN : is_row new) by (unfold is_row, new; rewrite row_min_length, joined_length; assumption).
  set (i := (count_upto c k + c (S k))%nat) in *.
  destruct (row_min_le _ _ i LN) as [H1 H2]. fold new in H1, H2.
  assert (W : nth i (with_both t (S k)) 0 <= nth i new 0 /\
              forall b, of_both t = Some b -> is_row b -> nth i (with_both t (S k)) 0 <= nth i (joined b [] (aside (S k))) 0).
  { unfold with_both. fold new. unfold both_below in BB. destruct (of_both t) as [b|]; [|split; [lia | discriminate]].
    assert (L : length (joined b [] (aside (S k))) = length new) by (rewrite joined_length, RN; apply BB).
    destruct (row_min_le _ _ i L) as [G1 G2]. split; [exact G2|]. intros b' [= <-] _. exact G1. }
  destruct W as [W1 W2]. destruct (Nat.eqb_spec (S k) a) as [<-|NA]; [|destruct (Nat.eqb_spec (S k) d) as [<-|ND]].
  - rewrite E2 by lia. destruct (H d ltac:(lia)) as (_ & HD & _).
    pose proof (joined_le (of_left t) (added (S k)) (count_upto c k) (c (S k)) R3 (added_rows _) C). unfold i in *. lia.
  - rewrite E1 by lia. destruct (H a ltac:(lia)) as (HA & _ & _).
    pose proof (joined_le (of_added t) (leaves (S k)) (count_upto c k) (c (S k)) R2 (leaves_rows _) C). unfold i in *. lia.
  - unfold both_below in BB. destruct (of_both t) as [b|]; [|lia]. destruct BB as [RB BB].
    specialize (BB c a d ltac:(lia) ltac:(lia) ltac:(lia) N). specialize (W2 b eq_refl RB).
    pose proof (joined_le b (aside (S k)) (count_upto c k) (c (S k)) RB (aside_rows _) C). unfold i in *. lia.
Qed.

Lemma both_sums_below k : both_below (sums_upto k) k.
Proof.
  induction k as [|k IH]; [reflexivity|]. pose proof (sums_below k) as B. unfold both_below. cbn [sums_upto of_both]. split.
  - unfold with_both, is_row. destruct B as [(_ & R2 & R3 & _) _]. unfold both_below in IH.
    assert (L : length (joined (of_added (sums_upto k)) [] (leaves (S k))) = length (joined (of_left (sums_upto k)) [] (added (S k))))
      by (rewrite !joined_length; congruence).
    destruct (of_both (sums_upto k)) as [b|]; [|rewrite row_min_length, joined_length; assumption].
    rewrite row_min_length; rewrite joined_length; [apply IH|].
    rewrite row_min_length, joined_length by exact L. rewrite R2. apply IH.
  - intros c a d. now apply with_both_le.
Qed.

Theorem roles_fine_spec k c :
  roles_fine k = true -> count_upto c k = n ->
  (forall a, (a <= k)%nat -> 0 <= sum_of_one loop c a k) /\
  (forall a d, (a <= k)%nat -> (d <= k)%nat -> a <> d -> 0 <= sum_of_both c a d k).
Proof.
  intros H C. destruct k as [|k].
  - cbn [roles_fine] in H. apply Z.leb_le in H. cbn [count_upto] in C. split; [|lia].
    intros a A. unfold sum_of_one. simpl. destruct a; [simpl; rewrite C; exact H | lia].
  - cbn [roles_fine] in H. rewrite !andb_true_iff, !Z.leb_le in H. destruct H as [[[[H1 H2] H3] H4] H5].
    destruct (sums_below k) as [(R1 & R2 & R3 & R4) B]. pose proof (both_sums_below k) as BB.
    set (t := sums_upto k) in *. cbn [count_upto] in C. destruct (B c ltac:(lia)) as [BN BR].
    assert (J : forall l r, is_row l -> is_row r -> 0 <= last_joined l r -> 0 <= nth (count_upto c k) l 0 + nth (c (S k)) r 0).
    { intros l r L R N. pose proof (last_joined_le l r _ _ L R C). lia. }
    split.
    + intros a A. unfold sum_of_one. cbn [sum_upto]. fold (sum_of_one loop c a k).
      destruct (Nat.eqb_spec (S k) a) as [<-|N].
      * rewrite sum_of_one_before by lia. specialize (J _ _ R1 (loop_rows (S k)) H2). lia.
      * destruct (BR a ltac:(lia)) as (_ & _ & L). specialize (J _ _ R4 (aside_rows (S k)) H1). lia.
    + intros a d A D N. unfold sum_of_both. cbn [sum_upto]. fold (sum_of_both c a d k).
      destruct (sum_of_both_before c a d k) as [E1 E2].
      destruct (Nat.eqb_spec (S k) a) as [<-|NA]; [|destruct (Nat.eqb_spec (S k) d) as [<-|ND]].
      * rewrite E2 by lia. destruct (BR d ltac:(lia)) as (_ & L & _). specialize (J _ _ R3 (added_rows (S k)) H4). lia.
      * rewrite E1 by lia. destruct (BR a ltac:(lia)) as (L & _ & _). specialize (J _ _ R2 (leaves_rows (S k)) H3). lia.
      * unfold both_below in BB. destruct (of_both t) as [b|]; [|lia]. destruct BB as [RB BB].
        specialize (BB c a d ltac:(lia) ltac:(lia) ltac:(lia) N). apply Z.leb_le in H5.
        specialize (J _ _ RB (aside_rows (S k)) H5). lia.
Qed.

End Roles.
End Rows.
