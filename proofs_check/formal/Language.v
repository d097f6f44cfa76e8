(** * The symbols of the kernel's theory

    The statements of the claims are printed in these words ([gallina.py]): [Stated.v] is written by the program, and
    [Closed.v] proves it.  Actions, steps and tallies are integers from 1 on, as in the paper, a play is a function of the
    step, and losses are real numbers.  The second half goes over to the model of the other files, in which losses are
    integers: that is, to tables whose entries have a common denominator. *)

Require Import List ZArith Reals Lia Lra Arith Bool FunctionalExtensionality.
Require Import TallyPlan.Model TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2 TallyPlan.Lemma3.
Import ListNotations.
Open Scope Z_scope.

Definition between (i n : Z) : list Z := map (fun k => i + Z.of_nat k) (seq 0 (Z.to_nat (n + 1 - i))).
Definition sum (f : Z -> R) (i n : Z) : R := fold_right Rplus 0%R (map f (between i n)).

(** A definition by recursion: the base where n <= 0. *)
Definition recursion {A} (base : A) (step : Z -> A -> A) (n : Z) : A :=
  nat_rect (fun _ => A) base (fun k before => step (Z.of_nat (S k)) before) (Z.to_nat n).

Definition count (a : Z -> Z) (x t : Z) : Z := Z.of_nat (length (filter (fun s => a s =? x) (between 1 t))).
Definition loss (a : Z -> Z) (h : Z -> Z -> R) (m t : Z) : R := h (a t) (count a (a t) t - count a (a t) (t - m)).
Definition total (a : Z -> Z) (h : Z -> Z -> R) (m t : Z) : R := sum (loss a h m) 1 t.

(** Words of T actions, as plays: 1 after their end, or repeated. *)
Fixpoint words (K T : nat) : list (list nat) :=
  match T with
  | O => [[]]
  | S t => flat_map (fun x => map (cons x) (words K t)) (seq 0 K)
  end.
Definition played (w : list nat) (t : Z) : Z := Z.of_nat (nth (Z.to_nat (t - 1)) w 0%nat) + 1.
Definition cycled (w : list nat) (L t : Z) : Z := played w ((t - 1) mod L + 1).
Definition second_period (a : Z -> Z) (h : Z -> Z -> R) (m L : Z) : R := (total a h m (2 * L) - total a h m L)%R.

Definition least_word (f : list nat -> R) (l : list (list nat)) : list nat :=
  fold_right (fun w least => if Rle_dec (f w) (f least) then w else least) (hd [] l) l.
Definition best (h : Z -> Z -> R) (K m T : Z) : Z -> Z :=
  played (least_word (fun w => total (played w) h m T) (words (Z.to_nat K) (Z.to_nat T))).
Definition OPT (h : Z -> Z -> R) (K m T : Z) : R := total (best h K m T) h m T.
Definition cycle (h : Z -> Z -> R) (K m L : Z) : Z -> Z :=
  cycled (least_word (fun w => second_period (cycled w L) h m L) (words (Z.to_nat K) (Z.to_nat L))) L.
Definition mu (h : Z -> Z -> R) (K m L : Z) : R := (second_period (cycle h K m L) h m L / IZR L)%R.

(** A table whose entries have the denominator D. *)
Definition rational (g : Z -> Z -> Z) (D x y : Z) : R := (IZR (g x y) / IZR D)%R.

(** * From plays to words *)

Lemma between_S i n : i <= n + 1 -> between i (n + 1) = between i n ++ [n + 1].
Proof.
  intros H. unfold between. replace (Z.to_nat (n + 1 + 1 - i)) with (S (Z.to_nat (n + 1 - i))) by lia.
  rewrite seq_S, map_app. cbn [map Nat.add]. f_equal. f_equal. lia.
Qed.

Lemma fold_plus l r : fold_right Rplus r l = (fold_right Rplus 0 l + r)%R.
Proof. induction l as [|x l IH]; cbn; [lra | rewrite IH; lra]. Qed.

Lemma sum_none f i n : n < i -> sum f i n = 0%R.
Proof. intros H. unfold sum, between. now replace (Z.to_nat (n + 1 - i)) with 0%nat by lia. Qed.

Lemma sum_next f i n : i <= n + 1 -> sum f i (n + 1) = (sum f i n + f (n + 1)%Z)%R.
Proof. intros H. unfold sum. rewrite between_S, map_app, fold_right_app, fold_plus by exact H. cbn. lra. Qed.

Lemma count_none a x t : t <= 0 -> count a x t = 0.
Proof. intros H. unfold count, between. now replace (Z.to_nat (t + 1 - 1)) with 0%nat by lia. Qed.

Lemma count_next a x t : 0 <= t -> count a x (t + 1) = count a x t + (if a (t + 1) =? x then 1 else 0).
Proof.
  intros H. unfold count. rewrite between_S, filter_app, app_length by lia. cbn [filter].
  destruct (a (t + 1) =? x); cbn [length]; lia.
Qed.

(** Actions of the model are numbered from 0. *)
Definition acts (a : Z -> Z) (k : nat) : nat := Z.to_nat (a (Z.of_nat k + 1) - 1).
Definition cells (g : Z -> Z -> Z) (x y : nat) : Z := g (Z.of_nat x + 1) (Z.of_nat y).

Lemma count_prefix a x n : 1 <= x -> (forall s, 1 <= s <= Z.of_nat n -> 1 <= a s) ->
  count a x (Z.of_nat n) = Z.of_nat (tally (Z.to_nat (x - 1)) (prefix (acts a) n)).
Proof.
  intros X. induction n as [|n IH]; intros H; [reflexivity|].
  replace (Z.of_nat (S n)) with (Z.of_nat n + 1) in * by lia.
  rewrite count_next, IH, prefix_S by (try (intros; apply H); lia).
  unfold tally. rewrite count_occ_app. cbn [count_occ]. specialize (H (Z.of_nat n + 1) ltac:(lia)). unfold acts at 3.
  destruct (Nat.eq_dec _ _), (Z.eqb_spec (a (Z.of_nat n + 1)) x); lia.
Qed.

Lemma prefix_split (f : nat -> nat) k n : (k <= n)%nat -> prefix f n = prefix f k ++ skipn k (prefix f n).
Proof.
  intros H. rewrite <- (firstn_skipn k (prefix f n)) at 1. f_equal. unfold prefix. rewrite firstn_map. f_equal.
  replace n with (k + (n - k))%nat by lia. rewrite seq_app, firstn_app, seq_length, Nat.sub_diag, app_nil_r.
  apply firstn_all2. now rewrite seq_length.
Qed.

Lemma length_prefix (f : nat -> nat) n : length (prefix f n) = n.
Proof. unfold prefix. now rewrite map_length, seq_length. Qed.

Lemma window_prefix f m n : window m (rev (prefix f n)) (f n) = rev (skipn (S n - m) (prefix f (S n))).
Proof.
  unfold window. replace (f n :: rev (prefix f n)) with (rev (prefix f (S n))) by now rewrite prefix_S, rev_app_distr.
  rewrite firstn_rev, length_prefix. reflexivity.
Qed.

Lemma tally_rev x l : tally x (rev l) = tally x l.
Proof. apply count_occ_rev. Qed.

Lemma loss_play a g D K m n : 1 <= m -> (forall s, 1 <= s <= Z.of_nat (S n) -> 1 <= a s) ->
  loss a (rational g D) m (Z.of_nat n + 1)
  = (IZR (Model.loss (tallying K (Z.to_nat m) (cells g)) (rev (prefix (acts a) n)) (acts a n)) / IZR D)%R.
Proof.
  intros M H. pose proof (H (Z.of_nat n + 1) ltac:(lia)) as A. unfold loss, rational. do 2 f_equal.
  rewrite loss_tallying by lia. unfold cells. rewrite window_prefix, tally_rev. unfold acts at 1.
  replace (Z.of_nat (Z.to_nat (a (Z.of_nat n + 1) - 1)) + 1) with (a (Z.of_nat n + 1)) by lia. f_equal.
  set (x := a (Z.of_nat n + 1)) in *. replace (Z.of_nat n + 1) with (Z.of_nat (S n)) by lia.
  rewrite count_prefix by (try exact H; lia). fold (acts a n). change (Z.to_nat (x - 1)) with (acts a n).
  rewrite (prefix_split (acts a) (S n - Z.to_nat m) (S n)) at 1 by lia. unfold tally at 1. rewrite count_occ_app.
  destruct (Z_le_gt_dec (Z.of_nat (S n) - m) 0) as [E|E].
  - rewrite count_none by lia. replace (S n - Z.to_nat m)%nat with 0%nat by lia. cbn [prefix seq map count_occ].
    unfold tally. lia.
  - replace (Z.of_nat (S n) - m) with (Z.of_nat (S n - Z.to_nat m)) by lia.
    rewrite count_prefix by (try (intros; apply H); lia). change (Z.to_nat (x - 1)) with (acts a n). unfold tally. lia.
Qed.

(** What a play loses is what its word loses in the model. *)
Lemma total_play a g D K m n : 1 <= m -> (forall s, 1 <= s <= Z.of_nat n -> 1 <= a s) ->
  total a (rational g D) m (Z.of_nat n)
  = (IZR (Model.total (tallying K (Z.to_nat m) (cells g)) [] (prefix (acts a) n)) / IZR D)%R.
Proof.
  intros M. unfold total. induction n as [|n IH]; intros H.
  - rewrite sum_none by lia. cbn. lra.
  - rewrite Nat2Z.inj_succ. unfold Z.succ. rewrite sum_next, IH, prefix_S, total_app by (try (intros; apply H); lia).
    rewrite (loss_play a g D K m n M H). unfold after. rewrite app_nil_r. cbn [Model.total]. rewrite Z.add_0_r, plus_IZR. lra.
Qed.

(** * The least values *)

Lemma in_words K T w : In w (words K T) <-> length w = T /\ Forall (fun x => (x < K)%nat) w.
Proof.
  revert w. induction T as [|T IH]; intros w; cbn [words].
  - cbn. split; [intros [<- | []]; split; [reflexivity | constructor] | intros [H _]; left; now destruct w].
  - rewrite in_flat_map. split.
    + intros (x & X & I). apply in_map_iff in I as (v & <- & I). apply IH in I as [<- V]. apply in_seq in X.
      split; [reflexivity | constructor; [lia | exact V]].
    + intros [L V]. destruct w as [|x w]; [discriminate|]. inversion V as [|? ? X V']; subst. injection L as L.
      exists x. split; [apply in_seq; lia | apply in_map, IH; now split].
Qed.

Lemma some_word K T : (0 < K)%nat -> words K T <> [].
Proof.
  intros H E. assert (I : In (repeat 0%nat T) (words K T)).
  { apply in_words. split; [apply repeat_length | apply Forall_forall; intros x X; apply repeat_spec in X; lia]. }
  rewrite E in I. destruct I.
Qed.

Lemma least_word_least f l : (forall w, In w l -> (f (least_word f l) <= f w)%R) /\ (l <> [] -> In (least_word f l) l).
Proof.
  unfold least_word. assert (G : forall d, let v := fold_right (fun w v => if Rle_dec (f w) (f v) then w else v) d l in
    (f v <= f d)%R /\ (forall w, In w l -> (f v <= f w)%R) /\ (v = d \/ In v l)).
  { intros d. induction l as [|w l IH]; cbn; [repeat split; [lra | intros ? [] | now left]|].
    destruct IH as (A & B & C). destruct (Rle_dec _ _) as [E|E].
    - repeat split; [lra | | now right; left]. intros u [-> | U]; [lra | specialize (B u U); lra].
    - repeat split; [exact A | | tauto]. intros u [-> | U]; [lra | now apply B]. }
  specialize (G (hd [] l)). cbn in G. destruct G as (_ & B & C). split; [exact B|]. intros N.
  destruct C as [-> | C]; [|exact C]. destruct l; [contradiction | now left].
Qed.

Lemma prefix_ext (f g : nat -> nat) n : (forall k, (k < n)%nat -> f k = g k) -> prefix f n = prefix g n.
Proof. intros H. apply map_ext_in. intros k I. apply H. apply in_seq in I. lia. Qed.

Lemma prefix_nth w n : length w = n -> prefix (fun k => nth k w 0%nat) n = w.
Proof.
  intros <-. apply (nth_ext _ _ 0%nat 0%nat); [apply length_prefix|]. intros k K. rewrite length_prefix in K. unfold prefix.
  rewrite (nth_indep _ _ (nth 0 w 0%nat)) by now rewrite map_length, seq_length.
  rewrite (map_nth (fun k => nth k w 0%nat) (seq 0 (length w)) 0%nat k), seq_nth; auto.
Qed.

Lemma acts_played w k : acts (played w) k = nth k w 0%nat.
Proof. unfold acts, played. replace (Z.to_nat (Z.of_nat k + 1 - 1)) with k by lia. lia. Qed.

Lemma total_word w g D K m : 1 <= m ->
  total (played w) (rational g D) m (Z.of_nat (length w))
  = (IZR (Model.total (tallying K (Z.to_nat m) (cells g)) [] w) / IZR D)%R.
Proof.
  intros M. rewrite (total_play _ _ _ K) by (try (intros; unfold played); lia). do 3 f_equal.
  rewrite <- (prefix_nth w _ eq_refl) at 3. apply prefix_ext. intros. apply acts_played.
Qed.

Lemma over_le u v D : 0 < D -> (IZR u / IZR D <= IZR v / IZR D)%R -> u <= v.
Proof.
  intros P H. apply IZR_lt in P. apply le_IZR. apply (Rmult_le_reg_r (/ IZR D)); [now apply Rinv_0_lt_compat | exact H].
Qed.

(** The word of the best play; its loss is OPT. *)
Lemma best_word g D K m T : 1 <= K -> 1 <= m -> 0 < D -> 0 <= T -> exists w,
  plays (tallying (Z.to_nat K) (Z.to_nat m) (cells g)) (Z.to_nat T) w /\ best (rational g D) K m T = played w /\
  is_optimum (tallying (Z.to_nat K) (Z.to_nat m) (cells g)) (Z.to_nat T) []
    (Model.total (tallying (Z.to_nat K) (Z.to_nat m) (cells g)) [] w).
Proof.
  intros HK M P HT. set (b := tallying _ _ _). unfold best.
  destruct (least_word_least (fun w => total (played w) (rational g D) m T) (words (Z.to_nat K) (Z.to_nat T))) as [B I].
  set (w := least_word _ _) in *. specialize (I (some_word (Z.to_nat K) (Z.to_nat T) ltac:(lia))). apply in_words in I.
  exists w. split; [exact I|]. split; [reflexivity|]. split; [now exists w|]. intros u [U V].
  specialize (B u (proj2 (in_words _ _ _) (conj U V))).
  replace T with (Z.of_nat (length w)) in B at 1 by (destruct I; lia). replace T with (Z.of_nat (length u)) in B by lia.
  rewrite !(total_word _ _ _ (Z.to_nat K)) in B by exact M. now apply over_le in B.
Qed.

Lemma OPT_model g D K m T : 1 <= K -> 1 <= m -> 0 < D -> 0 <= T -> exists v,
  is_optimum (tallying (Z.to_nat K) (Z.to_nat m) (cells g)) (Z.to_nat T) [] v /\ OPT (rational g D) K m T = (IZR v / IZR D)%R.
Proof.
  intros HK M P HT. destruct (best_word g D K m T HK M P HT) as (w & [W _] & E & O).
  eexists. split; [exact O|]. unfold OPT. rewrite E. replace T with (Z.of_nat (length w)) by lia. now apply total_word.
Qed.

(** A play that repeats n actions, in its first k periods. *)
Lemma prefix_repeated f n k : (forall i, (i < k * n)%nat -> f (i + n)%nat = f i) ->
  prefix f (S k * n) = repeated (S k) (prefix f n).
Proof.
  induction k as [|k IH]; intros H; [now rewrite Nat.mul_1_l; unfold repeated; cbn; rewrite app_nil_r|].
  rewrite repeated_S', <- IH by (intros; apply H; nia). replace (S (S k) * n)%nat with (S k * n + n)%nat by lia.
  unfold prefix. rewrite seq_app, map_app. f_equal. cbn [Nat.add]. apply (nth_ext _ _ 0%nat 0%nat); rewrite !map_length, !seq_length;
    [reflexivity|]. intros i I. rewrite !(nth_indep (map f _) 0%nat (f 0%nat)) by now rewrite map_length, seq_length.
  rewrite !map_nth, !seq_nth by lia. cbn. clear IH.
  assert (G : forall j, (j <= S k)%nat -> f (j * n + i)%nat = f i).
  { induction j as [|j IH]; intros J; [reflexivity|]. rewrite <- IH by lia. replace (S j * n + i)%nat with (j * n + i + n)%nat by lia.
    apply H. nia. }
  apply (G (S k)). lia.
Qed.

Lemma period_model g D K m w : 1 <= m -> w <> [] -> Forall (fun x => (x < Z.to_nat K)%nat) w ->
  second_period (cycled w (Z.of_nat (length w))) (rational g D) m (Z.of_nat (length w))
  = (IZR (period_loss (Z.to_nat K) (Z.to_nat m) (cells g) w) / IZR D)%R.
Proof.
  intros M E V. set (n := length w). assert (P : (0 < n)%nat) by (unfold n; destruct w; [contradiction | cbn; lia]). clear E.
  assert (A : forall k, (k < n)%nat -> acts (cycled w (Z.of_nat n)) k = nth k w 0%nat).
  { intros k B. unfold acts, cycled. rewrite Z.mod_small by lia. rewrite <- acts_played. unfold acts. do 3 f_equal. lia. }
  assert (E : prefix (acts (cycled w (Z.of_nat n))) n = w).
  { rewrite <- (prefix_nth w n eq_refl) at 2. now apply prefix_ext. }
  unfold second_period. replace (2 * Z.of_nat n) with (Z.of_nat (2 * n)) by lia.
  rewrite !(total_play _ _ _ (Z.to_nat K)) by (try (intros; unfold cycled, played); lia).
  rewrite (prefix_repeated _ n 1), E.
  - unfold period_loss, N. rewrite <- total_by_counts by (exact V || lia). unfold repeated. cbn [repeat concat]. rewrite app_nil_r, total_app.
    unfold after. rewrite app_nil_r, plus_IZR. lra.
  - intros i I. unfold acts, cycled. do 3 f_equal. replace (Z.of_nat (i + n) + 1 - 1) with (Z.of_nat i + 1 - 1 + 1 * Z.of_nat n) by lia.
    now rewrite Z.mod_add by lia.
Qed.

Lemma mu_model g D K m L : 1 <= K -> 1 <= m -> 0 < D -> 1 <= L -> exists v,
  is_least_period (Z.to_nat K) (Z.to_nat m) (cells g) (Z.to_nat L) v /\ (IZR L * mu (rational g D) K m L = IZR v / IZR D)%R.
Proof.
  intros HK M P HL. unfold mu, cycle.
  destruct (least_word_least (fun w => second_period (cycled w L) (rational g D) m L) (words (Z.to_nat K) (Z.to_nat L))) as [B I].
  set (w := least_word _ _) in *. specialize (I (some_word (Z.to_nat K) (Z.to_nat L) ltac:(lia))). apply in_words in I.
  assert (E : forall u, length u = Z.to_nat L -> Forall (fun x => (x < Z.to_nat K)%nat) u -> second_period (cycled u L) (rational g D) m L
    = (IZR (period_loss (Z.to_nat K) (Z.to_nat m) (cells g) u) / IZR D)%R).
  { intros u U V. replace L with (Z.of_nat (length u)) by lia. apply period_model; [exact M | | exact V].
    destruct u; [cbn in U; lia | discriminate]. }
  exists (period_loss (Z.to_nat K) (Z.to_nat m) (cells g) w). split; [split|].
  - now exists w.
  - intros u [U V]. specialize (B u (proj2 (in_words _ _ _) (conj U V))). cbn beta in B.
    rewrite !E in B by (assumption || apply I). now apply over_le in B.
  - rewrite E by apply I. field. split; apply not_0_IZR; lia.
Qed.
