(** * Short games by counts

    docs/certificates.md, rule "recursion" over counts: after a start of l actions the window is full after d = m - l steps,
    and in a game of d < T <= 2d + l steps what leaves it is the start and then the first e = max(0, T - d - l) plays.
     The other
    plays of the opening matter by their counts only.  For each of the K^e ways to begin, a table from the tallies of the
    window to the least cost so far is stepped T - d times. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Layers TallyPlan.LeastLoss TallyPlan.Trie TallyPlan.Knapsack
  TallyPlan.Opening TallyPlan.Separable.
Import ListNotations.
Open Scope Z_scope.

(** ** Vectors of tallies *)

Definition tallies (K : nat) (w : list nat) : list nat := map (fun x => tally x w) (seq 0 K).

(** One more a, one less a. *)
Fixpoint changed (f : nat -> nat) (a : nat) (v : list nat) {struct v} : list nat :=
  match v, a with
  | [], _ => []
  | n :: rest, O => f n :: rest
  | n :: rest, S k => n :: changed f k rest
  end.

(** All vectors of K numbers with the sum n. *)
Fixpoint vectors (K n : nat) : list (list nat) :=
  match K with
  | O => match n with O => [[]] | _ => [] end
  | S k => match k with
           | O => [[n]]
           | _ => fast_flat_map (fun c => map (cons c) (vectors k (n - c))) (seq 0 (S n))
           end
  end.

Lemma in_vectors K n v : length v = K -> list_sum v = n -> In v (vectors K n).
Proof.
  revert n v. induction K as [|K IH]; intros n [|c v] L E; try discriminate; [subst; now left|].
  simpl in L, E. cbn [vectors]. destruct K as [|K]; [destruct v; [left; f_equal; simpl in E; lia | discriminate]|].
  rewrite fast_flat_map_flat_map. apply in_flat_map. exists c. split; [apply in_seq; lia|]. apply in_map. apply IH; lia.
Qed.

Lemma changed_map f a (g : nat -> nat) k n :
  changed f a (map g (seq k n)) = map (fun x => if Nat.eq_dec (k + a) x then f (g x) else g x) (seq k n).
Proof.
  revert a k. induction n as [|n IH]; intros a k; [reflexivity|]. destruct a as [|a]; cbn [seq map changed].
  - destruct (Nat.eq_dec (k + 0) k); [|lia]. f_equal. apply map_ext_in. intros x X. apply in_seq in X.
    destruct (Nat.eq_dec (k + 0) x); [lia | reflexivity].
  - destruct (Nat.eq_dec (k + S a) k); [lia|]. f_equal. rewrite IH. apply map_ext. intros x.
    now replace (k + S a)%nat with (S k + a)%nat by lia.
Qed.

Lemma tallies_newer K a w : tallies K (a :: w) = changed S a (tallies K w).
Proof. unfold tallies. rewrite changed_map. now apply map_ext. Qed.

Lemma tallies_older K d w : changed pred d (tallies K (w ++ [d])) = tallies K w.
Proof.
  unfold tallies. rewrite changed_map. apply map_ext. intros x. rewrite tally_snoc, tally_cons. cbn [Nat.add].
  destruct (Nat.eq_dec d x); reflexivity.
Qed.

Lemma tallies_length K w : length (tallies K w) = K.
Proof. unfold tallies. now rewrite map_length, seq_length. Qed.

Lemma changed_length f a v : length (changed f a v) = length v.
Proof. revert a. induction v as [|n v IH]; intros [|a]; simpl; auto. Qed.

Lemma tallies_nth K w x : (x < K)%nat -> nth x (tallies K w) 0%nat = tally x w.
Proof.
  intros X. unfold tallies. set (f := fun x => tally x w).
  rewrite nth_indep with (d' := f 0%nat) by now rewrite map_length, seq_length.
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

Lemma list_sum_changed a v : (a < length v)%nat -> list_sum (changed S a v) = S (list_sum v).
Proof.
  revert a. induction v as [|n v IH]; intros a A; [simpl in A; lia|]. destruct a as [|a]; simpl; [reflexivity|].
  simpl in A. change (n + list_sum (changed S a v) = S (n + list_sum v))%nat. rewrite IH; lia.
Qed.

Lemma tallies_sum K w : Forall (fun a => (a < K)%nat) w -> list_sum (tallies K w) = length w.
Proof.
  intros V. induction V as [|a w A V IH].
  - unfold tallies. induction (seq 0 K) as [|x l IHl]; [reflexivity | exact IHl].
  - rewrite tallies_newer, list_sum_changed, IH by (rewrite ?tallies_length; assumption). reflexivity.
Qed.

Section Counts.
Variables (K m : nat) (rows : list (list Z)).
Hypothesis some_memory : (0 < m)%nat.
Hypothesis some_action : (0 < K)%nat.

Let h := entry rows.
Let b := tallying K m h.

(** ** After the opening *)

(** [gone] leaves the window, x is played. *)
Definition plays_after (gone : nat) (sd : list nat * Z) : list (list nat * Z) :=
  let v := changed pred gone (fst sd) in
  map (fun x => let v' := changed S x v in (v', snd sd + h x (nth x v' 0%nat))) (seq 0 K).

Definition after_goners (goners : list nat) (t : table) : table := fold_left (fun t g => stepped (plays_after g) t) goners t.

Lemma after_goners_spec y : forall past t v,
  (m <= length past)%nat -> (length y <= m)%nat -> valid b y -> long_keys K t -> has (tallies K (firstn m past)) v t ->
  let goners := firstn (length y) (rev (firstn m past)) in
  has (tallies K (firstn m (after past y))) (v + total b past y) (after_goners goners t).
Proof.
  induction y as [|a y IH]; intros past t v L LY V LK H; cbv zeta; [simpl; now rewrite Z.add_0_r|].
  inversion V as [|? ? A V']; subst. change (a < K)%nat in A. simpl in LY.
  assert (LW : length (firstn m past) = m) by (rewrite firstn_length; lia).
  destruct (exists_last (l := firstn m past)) as (g & d & E); [intros Z; rewrite Z in LW; simpl in LW; lia|].
  assert (LG : length g = (m - 1)%nat) by (rewrite E, app_length in LW; simpl in LW; lia).
  assert (FG : g = firstn (m - 1) past).
  { apply (f_equal (firstn (m - 1))) in E. rewrite firstn_firstn, Nat.min_l in E by lia. rewrite E, firstn_app.
    replace (m - 1 - length g)%nat with 0%nat by lia. cbn [firstn]. rewrite app_nil_r, firstn_all2 by lia. reflexivity. }
  assert (EW : firstn m (a :: past) = a :: g).
  { rewrite FG. destruct m; [lia|]. simpl. now rewrite Nat.sub_0_r. }
  rewrite E, rev_app_distr. cbn [rev app length firstn after_goners fold_left].
  destruct (stepped_spec K (plays_after d) t LK) as [LK' S].
  { intros sd kv LS I. apply in_map_iff in I. destruct I as (x & <- & _). cbn [fst]. now rewrite !changed_length. }
  set (loss_a := h a (tally a (a :: g))).
  assert (H1 : has (tallies K (a :: g)) (v + loss_a) (stepped (plays_after d) t)).
  { apply (S _ v _ _ H). intros c C. exists (c + loss_a). split; [|lia]. unfold plays_after. cbn [fst snd].
    rewrite E, tallies_older.
    apply in_map_iff. exists a. split; [|apply in_seq; lia]. cbv zeta. now rewrite <- tallies_newer, tallies_nth by exact A.
    }
  specialize (IH (a :: past) _ (v + loss_a) ltac:(simpl; lia) ltac:(lia) V' LK'). rewrite EW in IH. specialize (IH H1).
  cbv zeta in IH.
  rewrite after_cons. cbn [total]. unfold b at 1. rewrite loss_tallying by assumption. unfold window. rewrite EW.
  fold loss_a.
  rewrite Z.add_assoc.
  replace (firstn (length y) (rev (a :: g))) with (firstn (length y) (rev g)) in IH; [exact IH|].
  cbn [rev]. rewrite firstn_app, rev_length. replace (length y - length g)%nat with 0%nat by lia. cbn [firstn].
  now rewrite app_nil_r.
Qed.

(** ** The opening *)

(** The sum of the entries at these places, row by row. *)
Fixpoint picked (rows : list (list Z)) (v : list nat) : Z :=
  match rows, v with
  | row :: rows', n :: v' => nth n row 0 + picked rows' v'
  | _, _ => 0
  end.

Lemma picked_sum (row : nat -> list Z) (f : nat -> nat) k :
  picked (map row (seq 0 (S k))) (map f (seq 0 (S k))) = sum_upto (fun x => nth (f x) (row x) 0) k.
Proof.
  assert (A : forall l l', picked (map row (l ++ l')) (map f (l ++ l')) =
                           picked (map row l) (map f l) + picked (map row l') (map f l')).
  { induction l as [|x l IH]; intros l'; [reflexivity|]. cbn [app map picked]. rewrite IH. lia. }
  induction k as [|k IH]; [simpl; lia|]. rewrite seq_S, A, IH. cbn [map picked sum_upto Nat.add]. lia.
Qed.

Definition opening_table (past begin : list nat) (d : nat) : table :=
  let parts := map (fun x => skipn (tally x begin) (opening_row rows past d x)) (seq 0 K) in
  let base := tallies K (begin ++ past) in
  let key v := map (fun x => nth x v 0 + nth x base 0)%nat (seq 0 K) in
  table_of (fast_map (fun v => (key v, picked parts v)) (vectors K (d - length begin))).

Lemma opening_table_spec past begin rest d :
  (length past + d = m)%nat -> (length begin + length rest = d)%nat -> valid b begin -> valid b rest ->
  let t := opening_table past begin d in
  long_keys K t /\ has (tallies K (after past (begin ++ rest))) (total b past (begin ++ rest)) t.
Proof.
  intros L LB VB VR. cbv zeta. unfold opening_table. rewrite fast_map_map.
  set (parts := map _ (seq 0 K)). set (base := tallies K (begin ++ past)).
  set (key := fun v => map (fun x => nth x v 0 + nth x base 0)%nat (seq 0 K)).
  set (kvs := map (fun v => (key v, picked parts v)) (vectors K (d - length begin))).
  assert (keys : forall kv, In kv kvs -> length (fst kv) = K).
  { intros kv I. apply in_map_iff in I. destruct I as (v & <- & _). cbn [fst]. unfold key. now rewrite map_length, seq_length. }
  destruct (add_all K kvs Nil keys I) as (LK & _ & H). split; [exact LK|].
  assert (V : In (tallies K rest) (vectors K (d - length begin))).
  { apply in_vectors; [apply tallies_length|]. rewrite tallies_sum by exact VR. lia. }
  specialize (H _ (in_map (fun v => (key v, picked parts v)) _ _ V)). cbn [fst snd] in H.
  replace (key (tallies K rest)) with (tallies K (after past (begin ++ rest))) in H.
  2: { unfold key, base, tallies at 1. apply map_ext_in. intros x X. apply in_seq in X. rewrite !tallies_nth by lia.
       unfold after. rewrite !tally_app, tally_rev, tally_app. lia. }
  replace (total b past (begin ++ rest)) with (picked parts (tallies K rest)); [exact H|].
  unfold b. rewrite opening_total; [| rewrite app_length; lia | now apply Forall_app | assumption].
  unfold opening, parts, tallies. replace K with (S (K - 1)) at 1 2 by lia. rewrite picked_sum. apply sum_upto_ext.
  intros x X.
  unfold opening_row. rewrite nth_skipn, tally_app, gains_nth; [fold h; lia|].
  pose proof (count_occ_bound Nat.eq_dec x begin).
  pose proof (count_occ_bound Nat.eq_dec x rest). unfold tally. lia.
Qed.

(** ** The whole game *)

Definition least_option (v w : option Z) : option Z :=
  match v, w with
  | Some x, Some y => Some (Z.min x y)
  | _, _ => None
  end.

Definition counts_value (past : list nat) (d T : nat) : option Z :=
  let e := (T - d - length past)%nat in
  let one begin := least_entry (after_goners (firstn (T - d) (rev past ++ begin)) (opening_table past begin d)) in
  match fast_histories K e with
  | [] => None
  | first :: others => fold_left (fun low begin => least_option low (one begin)) others (one first)
  end.

Theorem counts_value_sound past d played v :
  (length past + d = m)%nat -> (d <= length played <= 2 * d + length past)%nat -> valid b played ->
  counts_value past d (length played) = Some v -> v <= total b past played.
Proof.
  intros L LP V H. set (T := length played) in *. set (e := (T - d - length past)%nat).
  set (begin := firstn e played). set (rest := firstn (d - e) (skipn e played)). set (y := skipn (d - e) (skipn e played)).
  assert (E1 : skipn e played = rest ++ y).
  { symmetry. apply firstn_skipn. }
  assert (E : played = (begin ++ rest) ++ y) by (rewrite <- app_assoc, <- E1; symmetry; apply firstn_skipn).
  assert (LB : length begin = e) by (unfold begin; rewrite firstn_length; lia).
  assert (LR : length rest = (d - e)%nat) by (unfold rest; rewrite firstn_length, skipn_length; lia).
  assert (LY : length y = (T - d)%nat) by (unfold y; rewrite !skipn_length; lia).
  rewrite E in V. apply valid_app in V. destruct V as [VO VY]. pose proof VO as VO'. apply valid_app in VO'.
  destruct VO' as [VB VR].
  destruct (opening_table_spec past begin rest d L ltac:(lia) VB VR) as [LK O]. cbv zeta in LK, O.
  set (P := after past (begin ++ rest)) in *.
  assert (LPm : length P = m) by (unfold P; rewrite length_after, app_length; lia).
  assert (FP : firstn m P = P) by (apply firstn_all2; lia).
  pose proof (after_goners_spec y P (opening_table past begin d) (total b past (begin ++ rest)) ltac:(lia) ltac:(lia) VY LK) as A.
  rewrite FP in A. specialize (A O). cbv zeta in A.
  replace (firstn (length y) (rev P)) with (firstn (T - d) (rev past ++ begin)) in A.
  2: { unfold P, after. rewrite LY, rev_app_distr, rev_involutive, app_assoc, (firstn_app _ (rev past ++ begin)).
       rewrite app_length, rev_length, LB. replace (T - d - (length past + e))%nat with 0%nat by lia. cbn [firstn].
       now rewrite app_nil_r. }
  set (one := fun begin => least_entry (after_goners (firstn (T - d) (rev past ++ begin)) (opening_table past begin d))).
  assert (here : forall x, one begin = Some x -> x <= total b past played).
  { intros x X. apply (least_entry_le _ _ _ _ A) in X. rewrite E, total_app. exact X. }
  assert (I : In begin (fast_histories K e)) by (rewrite fast_histories_histories; apply in_histories; now split).
  unfold counts_value in H. fold T in H. fold e in H. cbv zeta in H. fold one in H.
  destruct (fast_histories K e) as [|first others]; [destruct I|].
  assert (G : forall l low x, fold_left (fun low begin => least_option low (one begin)) l low = Some x ->
            (exists z, low = Some z /\ x <= z) /\ (In begin l -> x <= total b past played)).
  { induction l as [|u l IHl]; intros low x X; cbn [fold_left] in X; [split; [exists x; split; [exact X | lia] | intros []]|].
    destruct (IHl _ _ X) as [(z & Z1 & Z2) Y]. unfold least_option in Z1. destruct low as [z1|]; [|discriminate].
    destruct (one u) as [z2|] eqn:U; [|discriminate]. injection Z1 as <-. split; [exists z1; split; [reflexivity | lia]|].
    intros [-> | J]; [|now apply Y]. specialize (here z2 U). lia. }
  destruct (G others (one first) v H) as [(z & Z1 & Z2) Y]. destruct I as [-> | I]; [|now apply Y].
  specialize (here z Z1). lia.
Qed.

End Counts.
