(** * Lemma 3: some sqrt(T)-cyclic policy is nearly optimal

    Paper, lem:cyclic_approx_well (line 395; proof at line 594): T mu(pi_star) - OPT_T <= (m+1) sqrt(T).

    Here T = L*L, losses are integers between 0 and D, v is the least [period_loss] of a word of length L, which is
    L mu(pi_star), so that L*v is T mu(pi_star).  Sharper: the gap is at most (m-1) L, for all K, m and L, and at least -(m-1)
    where mu is well defined, m <= L+1.  The upper end is attained by h(1) = 0, h(y) = 1 for y >= 2 on m
    actions (further ones always lose 1), for every K >= m and L = qm - 1. *)

Require Import List ZArith Lia Arith.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.LeastLoss TallyPlan.Sequences TallyPlan.Lemma1 TallyPlan.Lemma2.
Import ListNotations.
Open Scope Z_scope.

(** The bounds, for sqrt(T) = L. *)
Definition lemma3_sharp (m L : nat) : Z := (Z.of_nat m - 1) * Z.of_nat L.
Definition lemma3_lower (m : nat) : Z := - (Z.of_nat m - 1).

(** v is L mu(pi_star): the least loss of a period of an L-cyclic policy. *)
Definition is_least_period (K m : nat) (h : nat -> nat -> Z) (L : nat) (v : Z) : Prop :=
  (exists pi, plays (tallying K m h) L pi /\ period_loss K m h pi = v) /\
  (forall pi, plays (tallying K m h) L pi -> v <= period_loss K m h pi).

(** A period, played after anything, loses at least L mu minus D for each of its first m-1 steps. *)
Lemma period_loss_forgets K m h D pi past : (0 < m)%nat -> 0 <= D -> table_within K m h D ->
  valid (tallying K m h) pi -> period_loss K m h pi <= total (tallying K m h) past pi + (Z.of_nat m - 1) * D.
Proof.
  intros M P H V. unfold period_loss, N. rewrite <- total_by_counts by assumption.
  pose proof (forgetting_most (tallying K m h) D (rev pi) past pi P (tallying_steps_within K m h D M H) V) as F.
  simpl in F. nia.
Qed.

(** ** The upper bound *)

(** Of n blocks of L steps, some block loses at most the mean of the blocks. *)
Lemma some_block_at_most_the_mean b L n : forall past w, plays b (S n * L) w ->
  exists before block, plays b L block /\ Z.of_nat (S n) * total b before block <= total b past w.
Proof.
  induction n as [|n IH]; intros past w P.
  - exists past, w. rewrite Nat.mul_1_l in P. split; [exact P | lia].
  - destruct (plays_split b L (S n * L) w ltac:(simpl in *; exact P)) as [P1 P2].
    destruct (IH (after past (firstn L w)) _ P2) as (before & block & B & E).
    rewrite <- (firstn_skipn L w), total_app.
    destruct (Z_le_gt_dec (total b past (firstn L w)) (total b before block)) as [G|G].
    + exists past, (firstn L w). split; [exact P1 | nia].
    + exists before, block. split; [exact B | nia].
Qed.

Theorem lemma3 K m h D L v opt : (0 < m)%nat -> 0 <= D -> table_within K m h D ->
  is_least_period K m h L v -> is_optimum (tallying K m h) (L * L) [] opt ->
  Z.of_nat L * v - opt <= lemma3_sharp m L * D.
Proof.
  unfold lemma3_sharp. intros M P H [_ least] [(w & W & <-) _]. destruct L as [|n].
  - destruct w; [simpl; lia | destruct W as [W _]; discriminate].
  - destruct (some_block_at_most_the_mean (tallying K m h) (S n) n [] w W) as (before & block & B & E).
    specialize (least block B). pose proof (period_loss_forgets K m h D block before M P H (proj2 B)). nia.
Qed.

(** ** The lower end *)

(** n periods of pi, after anything, lose n L mu, and at most D more for each of the first m-1 steps. *)
Lemma execution K m h D pi past n : (0 < m)%nat -> 0 <= D -> table_within K m h D -> (m <= lemma2_exact (length pi))%nat ->
  valid (tallying K m h) pi ->
  total (tallying K m h) past (repeated n pi) <= Z.of_nat n * period_loss K m h pi + (Z.of_nat m - 1) * D.
Proof.
  intros M P H X V. induction n as [|n IH]; [simpl; nia|]. rewrite repeated_S', total_app.
  destruct n as [|n].
  - pose proof (forgetting_most (tallying K m h) D past (rev pi) pi P (tallying_steps_within K m h D M H) V) as F.
    unfold period_loss, N. rewrite <- total_by_counts by assumption.
    change (memory (tallying K m h)) with m in F. rewrite Nat2Z.inj_sub in F by lia.
    change (after past (repeated 0 pi)) with past. change (repeated 0 pi) with (@nil nat). cbn [total]. lia.
  - rewrite later_periods_lose_mu by (assumption || lia). lia.
Qed.

Theorem lemma3_from_below K m h D L v opt : (0 < m)%nat -> 0 <= D -> table_within K m h D -> (m <= lemma2_exact L)%nat ->
  is_least_period K m h L v -> is_optimum (tallying K m h) (L * L) [] opt ->
  lemma3_lower m * D <= Z.of_nat L * v - opt.
Proof.
  unfold lemma3_lower. intros M P H X [(pi & [LP V] & <-) _] [_ below].
  specialize (below (repeated L pi)). pose proof (execution K m h D pi [] L M P H ltac:(now rewrite LP) V).
  enough (opt <= total (tallying K m h) [] (repeated L pi)) by lia. apply below.
  split; [now rewrite length_repeated, LP | now apply valid_repeated].
Qed.

(** ** The upper end is attained *)

(** h(1) = 0 and h(y) = D for y >= 2 on the first m actions; all others always lose D. *)
Definition rested (m : nat) (D : Z) (x y : nat) : Z := if ((x <? m) && (y =? 1))%nat%bool then 0 else D.

Lemma rested_within K m D : 0 <= D -> table_within K m (rested m D) D.
Proof. intros P x y _ _. unfold rested. destruct (_ && _)%bool; lia. Qed.

Lemma recent_actions (f : nat -> nat) a k T : In a (firstn k (rev (prefix f T))) ->
  exists s, (T - k <= s < T)%nat /\ a = f s.
Proof.
  revert k. induction T as [|T IH]; intros k; [simpl; rewrite firstn_nil; intros []|].
  unfold prefix in *. rewrite seq_S, map_app, rev_app_distr. simpl. destruct k as [|k]; [intros []|].
  intros [<- | I]; [exists T; split; [lia | reflexivity]|]. destruct (IH k I) as (s & S1 & S2). exists s. split; [lia | exact S2].
Qed.

Lemma prefix_S (f : nat -> nat) T : prefix f (S T) = prefix f T ++ [f T].
Proof. unfold prefix. now rewrite seq_S, map_app. Qed.

(** The first m actions in turn: a window holds each of them once. *)
Lemma in_turn_loses_nothing K m D T : (0 < m)%nat ->
  total (tallying K m (rested m D)) [] (prefix (fun t => (t mod m)%nat) T) = 0.
Proof.
  intros M. set (f := fun t => (t mod m)%nat). induction T as [|T IH]; [reflexivity|].
  rewrite prefix_S, total_app, IH. unfold after. cbn [total]. rewrite app_nil_r, loss_tallying by assumption.
  assert (E : tally (f T) (window m (rev (prefix f T)) (f T)) = 1%nat).
  { unfold window, tally. destruct m as [|k]; [lia|]. rewrite firstn_cons. rewrite count_occ_cons_eq by reflexivity.
    f_equal. apply count_occ_not_In. intros I. apply recent_actions in I as (s & S1 & S2). unfold f in S2.
    pose proof (Nat.div_mod_eq T (S k)). pose proof (Nat.div_mod_eq s (S k)). rewrite S2 in *.
    assert (T - s = S k * (T / S k - s / S k))%nat by nia. nia. }
  rewrite E. unfold rested, f. pose proof (Nat.mod_upper_bound T m ltac:(lia)).
  destruct (Nat.ltb_spec (T mod m) m); [reflexivity | lia].
Qed.

(** How many of the last m-1 actions, counted from the latest, come before the first x. *)
Fixpoint free (x : nat) (l : list nat) : nat :=
  match l with
  | [] => 0
  | a :: r => if (a =? x)%nat then 0 else S (free x r)
  end.

Lemma free_firstn_S x k l : (free x (firstn k l) <= free x (firstn (S k) l))%nat.
Proof.
  revert l. induction k as [|k IH]; intros l; [simpl; lia|]. destruct l as [|a l]; [simpl; lia|].
  rewrite !firstn_cons. cbn [free]. destruct (a =? x)%nat; [lia | specialize (IH l); lia].
Qed.

Lemma free_all x l : tally x l = 0%nat -> free x l = length l.
Proof.
  unfold tally. induction l as [|a l IH]; [reflexivity|]. simpl.
  destruct (Nat.eq_dec a x); [discriminate|]. destruct (Nat.eqb_spec a x); [congruence|]. intros E. now rewrite IH.
Qed.

(** An action has tally 1 only m or more steps after its last turn. *)
Lemma turns_step m x past a : (0 < m)%nat -> (m - 1 <= length past)%nat ->
  (m * hits m x 1 past a + free x (firstn (m - 1) (a :: past)) <= 1 + free x (firstn (m - 1) past))%nat.
Proof.
  intros M L. unfold hits, window. destruct m as [|k]; [lia|]. replace (S k - 1)%nat with k in * by lia.
  destruct (Nat.eqb_spec a x) as [->|N]; cbn [andb].
  - assert (F : free x (firstn k (x :: past)) = 0%nat) by (destruct k; simpl; [reflexivity | now rewrite Nat.eqb_refl]).
    rewrite F. rewrite firstn_cons. unfold tally. rewrite count_occ_cons_eq by reflexivity.
    fold (tally x (firstn k past)). destruct (Nat.eqb_spec (S (tally x (firstn k past))) 1) as [E|E]; [|lia].
    rewrite free_all, firstn_length by lia. lia.
  - destruct k as [|j]; [simpl; lia|]. rewrite firstn_cons. cbn [free].
    destruct (Nat.eqb_spec a x); [congruence|]. pose proof (free_firstn_S x j past). lia.
Qed.

Lemma turns_along m x w : (0 < m)%nat -> forall past, (m - 1 <= length past)%nat ->
  (m * count m x 1 past w + free x (firstn (m - 1) (after past w)) <= length w + free x (firstn (m - 1) past))%nat.
Proof.
  intros M. induction w as [|a w IH]; intros past L; [unfold after; simpl; lia|].
  specialize (IH (a :: past) ltac:(simpl; lia)). rewrite after_cons. cbn [count length].
  pose proof (turns_step m x past a M L). lia.
Qed.

(** So it has tally 1 at most L/m times in a period. *)
Lemma turns_in_a_period m x pi : (0 < m)%nat -> (m <= lemma2_exact (length pi))%nat -> (m * N m pi x 1 <= length pi)%nat.
Proof.
  unfold lemma2_exact. intros M X. pose proof (turns_along m x pi M (rev pi) ltac:(rewrite rev_length; lia)) as T.
  assert (E : firstn (m - 1) (after (rev pi) pi) = firstn (m - 1) (rev pi)).
  { apply (history_after (tallying 0 m (fun _ _ => 0)) (rev pi) pi). simpl. lia. }
  rewrite E in T. unfold N. lia.
Qed.

(** What is lost is D for each step that is none of the first m actions at tally 1. *)
Lemma rested_total K m D w : (0 < m)%nat -> forall past,
  total (tallying K m (rested m D)) past w
  = D * (Z.of_nat (length w) - sum (fun x => Z.of_nat (count m x 1 past w)) 0 m).
Proof.
  intros M. induction w as [|a w IH]; intros past.
  - simpl. rewrite sum_zero by reflexivity. lia.
  - cbn [total length count]. rewrite IH, loss_tallying by assumption.
    rewrite (sum_ext (fun x => Z.of_nat (hits m x 1 past a + count m x 1 (a :: past) w))
                     (fun x => Z.of_nat (hits m x 1 past a) + Z.of_nat (count m x 1 (a :: past) w))) by (intros; lia).
    rewrite sum_add.
    assert (S1 : sum (fun x => Z.of_nat (hits m x 1 past a)) 0 m
                 = if ((a <? m) && (tally a (window m past a) =? 1))%nat%bool then 1 else 0).
    { destruct (Nat.ltb_spec a m) as [A|A]; cbn [andb].
      - rewrite (sum_only _ 0 m a); [|lia | intros i _ O; unfold hits; destruct (Nat.eqb_spec a i); [congruence | reflexivity]].
        unfold hits. rewrite Nat.eqb_refl. cbn [andb]. now destruct (_ =? 1)%nat.
      - apply sum_zero. intros i I. unfold hits. destruct (Nat.eqb_spec a i); [lia | reflexivity]. }
    rewrite S1. unfold rested. destruct (_ && _)%bool; lia.
Qed.

Theorem lemma3_attained K m q D L v opt : (0 < m)%nat -> (m <= K)%nat -> 0 <= D -> (1 <= q)%nat -> L = (q * m - 1)%nat ->
  is_least_period K m (rested m D) L v -> is_optimum (tallying K m (rested m D)) (L * L) [] opt ->
  Z.of_nat L * v - opt = lemma3_sharp m L * D.
Proof.
  intros M MK P Q EL least best. apply Z.le_antisymm; [exact (lemma3 K m _ D L v opt M P (rested_within K m D P) least best)|].
  assert (O : opt <= 0).
  { destruct best as [_ below]. rewrite <- (in_turn_loses_nothing K m D (L * L) M). apply below. split.
    - unfold prefix. now rewrite map_length, seq_length.
    - apply Forall_forall. intros a I. apply in_map_iff in I as (t & <- & _). simpl.
      pose proof (Nat.mod_upper_bound t m ltac:(lia)). lia. }
  assert (X : (q * m >= m)%nat) by nia.
  assert (V : D * (Z.of_nat m - 1) <= v).
  { destruct least as [(pi & [LP VP] & <-) _]. unfold period_loss. fold (N m pi).
    unfold N. rewrite <- total_by_counts, rested_total by assumption.
    apply Z.mul_le_mono_nonneg_l; [exact P|].
    assert (C : sum (fun x => Z.of_nat (count m x 1 (rev pi) pi)) 0 m <= sum (fun _ => Z.of_nat q - 1) 0 m).
    { apply sum_le. intros x _. pose proof (turns_in_a_period m x pi M ltac:(unfold lemma2_exact; lia)) as T.
      unfold N in T. nia. }
    rewrite sum_const in C. nia. }
  unfold lemma3_sharp. nia.
Qed.

(** ** The lower end is attained *)

(** The needle: h_star(m) = 0, every other loss D. *)
Definition needle (star m : nat) (D : Z) (x y : nat) : Z := if ((x =? star) && (y =? m))%nat%bool then 0 else D.

Lemma needle_within K star m D : 0 <= D -> table_within K m (needle star m D) D.
Proof. intros P x y _ _. unfold needle. destruct (_ && _)%bool; lia. Qed.

(** In the first m-1 steps no tally is m, so every policy loses D there at each step. *)
Lemma needle_start K star m D past w : (0 < m)%nat -> (length w + length past < m)%nat ->
  total (tallying K m (needle star m D)) past w = Z.of_nat (length w) * D.
Proof.
  intros M. revert past. induction w as [|a w IH]; intros past S1; [reflexivity|]. cbn [total length] in *.
  rewrite IH by (simpl; lia). rewrite loss_tallying by assumption. unfold needle.
  assert (T : (tally a (window m past a) <= S (length past))%nat).
  { unfold tally. etransitivity; [apply count_occ_bound|]. unfold window. rewrite firstn_length. simpl. lia. }
  destruct (Nat.eqb_spec (tally a (window m past a)) m); [lia|]. rewrite Bool.andb_false_r. lia.
Qed.

(** Always star, once the window is full of it, loses nothing. *)
Lemma needle_always K star m D k : (0 < m)%nat -> forall past, firstn (m - 1) past = repeat star (m - 1) ->
  total (tallying K m (needle star m D)) past (repeat star k) = 0.
Proof.
  intros M. induction k as [|k IH]; intros past F; [reflexivity|]. cbn [repeat total].
  assert (F' : firstn (m - 1) (star :: past) = repeat star (m - 1)).
  { rewrite (firstn_cons_history (m - 1) star past (repeat star (m - 1))).
    - exact (firstn_repeat star (m - 1) (S (m - 1)) ltac:(lia)).
    - rewrite F. symmetry. now apply firstn_repeat. }
  rewrite (IH _ F'), loss_tallying by assumption.
  assert (T : tally star (window m past star) = m).
  { rewrite <- window_history, F. unfold window. change (star :: repeat star (m - 1)) with (repeat star (S (m - 1))).
    rewrite firstn_repeat, tally_repeat by lia. reflexivity. }
  rewrite T. unfold needle. now rewrite !Nat.eqb_refl.
Qed.
