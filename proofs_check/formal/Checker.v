(** * The verified checker

    [check i c = true] implies that the claim of the certificate c about the instance i holds: theorem [check_sound].
    Instances and claims are defined in [Claims.v], the rules are proved one by one in the other files. *)

Require Import List ZArith QArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Claims TallyPlan.Replay.
Require Import TallyPlan.Histories TallyPlan.Potentials TallyPlan.LeastLoss TallyPlan.CheckPotentials TallyPlan.CheckHorizon.
Require Import TallyPlan.Trie TallyPlan.CheckStages TallyPlan.TwoArms TallyPlan.FewerArms TallyPlan.Tallies TallyPlan.Prices.
Require Import TallyPlan.Opening TallyPlan.MeanBounds TallyPlan.SlopeBounds.
Import ListNotations.
Open Scope Z_scope.

(** ** Certificates *)

(** Why no policy has a smaller mean (section 3). *)
Inductive mean_proof :=
| ByPotentials (scale : Z) (phi : list Z)
| ByLeastLoss
| ByTwoArms (slopes : list Q)
| ByPrices (price : Q) (excesses : list Q)
| ByTallies (scale : Z) (slopes : list (list Z)) (phi : list Z)
| ByFewerArms (removed : list (nat * nat)) (proof : mean_proof).

(** Why no word of T actions loses less (section 4). *)
Inductive horizon_proof :=
| ByRecursion (jumps : list (Z * Z * Z))
| ByCounts
| ByDirect
| ByLeastLossOfSteps
| ByMean (mean : Q) (proof : mean_proof)
| ByFewerArmsHorizon (removed : list (nat * nat)) (proof : horizon_proof).

(** Why no word of the period has a smaller mean (section 5): potentials, each with the stages that use them, the
    last ones for what is left. *)
Record potentials_data := PotentialsData { mean : Q; scale_of : Z; values : list Z }.

Inductive certificate :=
| MeanCycle (lower value : Q) (word : list nat) (proof : mean_proof)
| Horizon (T : Z) (start : list nat) (lower value : Q) (runs : list (list nat * Z)) (proof : horizon_proof)
| Cyclic (period : Z) (lower value : Q) (word : list nat) (proof : list (potentials_data * list stage_data)).

(** What a certificate claims. *)
Definition claim (i : instance Q) (c : certificate) : Prop :=
  match c with
  | MeanCycle lower value word _ => mean_cycle_claim i lower value word
  | Horizon T start lower value runs _ =>
      allowed i start /\ 0 <= T /\ horizon_claim i (Z.to_nat T) start lower value (unrolled runs)
  | Cyclic period lower value word _ => 0 < period /\ cyclic_claim i (Z.to_nat period) lower value word
  end.

(** ** The instance *)

Definition in_unit (q : Q) : bool := (0 <=? Qnum q) && (Qnum q <=? Zpos (Qden q)).

Fixpoint powers (K size : Z) (tables : list (list Q)) : bool :=
  match tables with
  | [] => true
  | t :: rest => (Zlength t =? size) && powers K (K * size) rest
  end.

Definition listed (q : Q) (keys : list Q) : bool := existsb (Qeq_bool q) keys.

Definition add_new (keys : list Q) (q : Q) : list Q := if listed q keys then keys else q :: keys.

(** The tallies that a weighted instance must list: the first weight plus any subset of the others.  The list stops to
    grow when it is longer than the tables, which are then refused. *)
Definition possible_tallies (weights : list Q) (most : nat) : list Q :=
  match weights with
  | [] => []
  | w :: rest =>
      fold_left (fun sums x => if (most <? length sums)%nat then sums
                               else fold_left add_new (map (fun s => Qred (s + x)) sums) sums) rest [w]
  end.

Fixpoint distinct (keys : list Q) : bool :=
  match keys with
  | [] => true
  | q :: rest => negb (listed q rest) && distinct rest
  end.

Definition weighted_row (tallies : list Q) (row : list (Q * Q)) : bool :=
  let keys := map fst row in
  distinct keys && forallb (fun q => listed q keys) tallies && forallb (fun q => listed q tallies) keys.

Definition shape (i : instance Q) : bool :=
  match i with
  | Tallying m losses => forallb (fun row => (length row =? m)%nat) losses
  | Windows m K windows => (length windows =? m)%nat && powers (Z.of_nat K) (Z.of_nat K) windows
  | Weighted m weights losses =>
      let tallies := possible_tallies weights (length (nth 0 losses [])) in
      (length weights =? m)%nat && forallb (weighted_row tallies) losses
  end.

Definition well_formed (i : instance Q) : bool :=
  (0 <? actions_of i)%nat && (0 <? memory_of i)%nat && shape i && forallb in_unit (values_of i).

Definition common_denominator (i : instance Q) : positive :=
  Z.to_pos (fold_left (fun d q => Z.lcm d (Zpos (Qden q))) (values_of i) 1).

(** ** The checks *)

Definition allowed_word (K : nat) (word : list nat) : bool := forallb (fun a => (a <? K)%nat) word.

Definition full_rows (m : nat) (rows : list (list Z)) : bool := forallb (fun row => (length row =? m)%nat) rows.

(** Rationals as multiples of 1/unit, for a common unit. *)
Definition common_unit (qs : list Q) : Z := fold_left (fun d x => Z.lcm d (Zpos (Qden x))) qs 1.
Definition in_units (unit : Z) (x : Q) : Z := Qnum x * (unit / Zpos (Qden x)).

(** The slope t_k, times the common unit of the slopes and a factor. *)
Definition scaled_slope (factor : Z) (slopes : list Q) : nat -> Z :=
  let t := map (fun x => factor * in_units (common_unit slopes) x) slopes in fun k => nth (k - 1) t 0.

(** No policy of the integer instance has a long-run loss per step below [lower]. *)
Fixpoint mean_bound (D : positive) (i : instance Z) (lower : Q) (proof : mean_proof) : bool :=
  let p := Qnum lower * Zpos D in
  let q := Zpos (Qden lower) in
  match proof with
  | ByPotentials scale phi =>
      let unit := Zpos D * q in
      (0 <? scale) && potentials_check (bandit_of i) (scale * p) (scale * q) (Layers.fast_map (Z.mul unit) phi)
  | ByLeastLoss =>
      match i with
      | Tallying m rows => forallb (forallb (fun c => p <=? q * c)) rows && full_rows m rows
      | _ => false
      end
  | ByTwoArms slopes =>
      match i with
      | Tallying m rows =>
          let unit := common_unit slopes in
          (length rows =? 2)%nat && (length slopes =? m - 1)%nat && (0 <? unit) &&
          two_arms_check m (entry rows) (unit * p) (unit * q) (scaled_slope (q * Zpos D) slopes)
      | _ => false
      end
  | ByPrices price excesses =>
      match i with
      | Tallying m rows =>
          let unit := common_unit (price :: excesses) in
          let e := map (fun x => q * Zpos D * in_units unit x) excesses in
          (0 <? unit) && (length excesses =? length rows)%nat &&
          prices_check (length rows) m (entry rows) (unit * p) (unit * q) (q * Zpos D * in_units unit price)
            (fun x => nth x e 0)
      | _ => false
      end
  | ByTallies scale slopes phi =>
      match i with
      | Tallying m rows =>
          let unit := Zpos D * q in
          let K := length rows in
          let t := entry (map (map (Z.mul unit)) slopes) in
          let table := table_on (vectors K m) (Layers.fast_map (Z.mul unit) phi) in
          (0 <? scale) && (2 <=? K)%nat && (length slopes =? K)%nat && full_rows (m - 1) slopes &&
          same_length phi (vectors K m) &&
          tallies_check K m (entry rows) (scale * p) (scale * q) t (value_at table)
      | _ => false
      end
  | ByFewerArms removed rest =>
      match i with
      | Tallying m rows =>
          fewer_arms_check m rows removed &&
          mean_bound D (Tallying m (kept_rows (kept_arms (length rows) removed) rows)) lower rest
      | _ => false
      end
  end.

Definition check_mean (b : bandit) (D : positive) (value : Q) (word : list nat) : bool :=
  match word with
  | [] => false
  | _ => replayed_cycle_loss b word * Zpos (Qden value) =? Qnum value * Zpos D * Z.of_nat (length word)
  end.

Definition check_runs (i : instance Q) (runs : list (list nat * Z)) : bool :=
  forallb (fun run => match fst run with [] => false | _ => true end && (1 <=? snd run)
                      && allowed_word (actions_of i) (fst run)) runs.

Definition rounded_up (a b : Z) : Z := - ((- a) / b).

(** The third bound of section 4, for a proof by slopes. *)
Definition slope_end (m : nat) (rows : list (list Z)) (s : list nat) (d : nat) (n p q : Z) (t : nat -> Z) : Z :=
  let h := entry rows in
  let H := heights m h p q t in
  rounded_up (2 * (n * p) + least_potential m t H + opening_less_potential m h q t H s d) (2 * q).

Fixpoint horizon_bound (D : positive) (i : instance Z) (T : Z) (past : list nat) (lower : Q)
    (proof : horizon_proof) : bool :=
  let at_least v := Qnum lower * Zpos D <=? v * Zpos (Qden lower) in
  let s := firstn (memory_of i - 1) past in
  let l := Z.of_nat (length s) in
  let d := Z.of_nat (memory_of i) - l in
  match proof with
  | ByRecursion jumps =>
      match recursion_value (bandit_of i) T past jumps with
      | Some v => Qnum lower * Zpos D =? v * Zpos (Qden lower)
      | None => false
      end
  | ByCounts =>
      match i with
      | Tallying m rows => (T <=? d) && at_least (least_opening (entry rows) s (length rows) (Z.to_nat T))
      | _ => false
      end
  | ByDirect =>
      match i with
      | Tallying _ _ =>
          (d <=? T) && (T <=? d + l + d) &&
          match recursion_value (bandit_of i) T past [] with Some v => at_least v | None => false end
      | _ => false
      end
  | ByLeastLossOfSteps =>
      match i with
      | Tallying m rows =>
          let all := concat rows in
          let hmin := fold_left Z.min all (nth 0 all 0) in
          full_rows m rows && forallb (forallb (fun c => hmin <=? c)) rows && at_least (T * hmin)
      | _ => false
      end
  | ByMean mean rest =>
      match i with
      | Tallying m rows =>
          let p := Qnum mean * Zpos D in
          let q := Zpos (Qden mean) in
          let all := concat rows in
          let hmin := fold_left Z.min all (nth 0 all 0) in
          let hmax := fold_left Z.max all 0 in
          let n := T - d in
          let O := least_opening (entry rows) s (length rows) (Z.to_nat d) in
          (d <? T) && mean_bound D i mean rest && full_rows m rows &&
          forallb (forallb (fun c => (hmin <=? c) && (c <=? hmax))) rows &&
          (at_least (rounded_up (q * O + Z.max (q * (n * hmin)) (n * p - Z.of_nat (m - 1) * (q * hmax - p))) q) ||
           match rest with
           | ByTwoArms slopes =>
               let unit := common_unit slopes in
               at_least (slope_end m rows s (Z.to_nat d) n (unit * p) (unit * q) (scaled_slope (q * Zpos D) slopes))
           | _ => false
           end)
      | _ => false
      end
  | ByFewerArmsHorizon removed rest =>
      match i with
      | Tallying m rows =>
          let kept := kept_arms (length rows) removed in
          fewer_arms_check m rows removed && forallb (fun a => existsb (Nat.eqb a) kept) s &&
          horizon_bound D (Tallying m (kept_rows kept rows)) T (map (new_name kept removed) s) lower rest
      | _ => false
      end
  end.

Definition weighing_of (D : positive) (w : potentials_data) : weighing :=
  let q := Zpos (Qden (mean w)) in
  Weighing (scale_of w * (Qnum (mean w) * Zpos D)) (scale_of w * q) (Layers.fast_map (Z.mul (Zpos D * q)) (values w)).

Definition cyclic_bound (D : positive) (i : instance Z) (period : Z) (lower : Q)
    (groups : list (potentials_data * list stage_data)) : bool :=
  forallb (fun g => (0 <? scale_of (fst g)) &&
                    same_length (values (fst g)) (Layers.fast_histories (actions_of i) (memory_of i - 1))) groups &&
  groups_check (bandit_of i) period (Qnum lower * Zpos D) (Zpos (Qden lower)) Nil
    (map (fun g => (weighing_of D (fst g), snd g)) groups).

Definition check (i : instance Q) (c : certificate) : bool :=
  let D := common_denominator i in
  let j := map_instance (scaled D) i in
  let b := bandit_of j in
  well_formed i && all_fit D i &&
  match c with
  | MeanCycle lower value word proof =>
      allowed_word (actions_of i) word && check_mean b D value word && mean_bound D j lower proof
  | Horizon T start lower value runs proof =>
      (0 <=? T) && allowed_word (actions_of i) start && check_runs i runs && (runs_length runs =? T) &&
      (play_runs b (rev start) runs 0 * Zpos (Qden value) =? Qnum value * Zpos D) &&
      horizon_bound D j T (rev start) lower proof
  | Cyclic period lower value word proof =>
      (Z.of_nat (length word) =? period) && allowed_word (actions_of i) word && check_mean b D value word &&
      cyclic_bound D j period lower proof
  end.

(** ** Soundness *)

Lemma allowed_word_spec i word : allowed_word (actions_of i) word = true -> allowed i word.
Proof.
  unfold allowed_word, allowed. rewrite forallb_forall, Forall_forall.
  intros H a A. specialize (H a A). now apply Nat.ltb_lt in H.
Qed.

Lemma check_mean_spec b D value word :
  check_mean b D value word = true ->
  word <> [] /\ cycle_loss b word * Zpos (Qden value) = Qnum value * Zpos D * Z.of_nat (length word).
Proof.
  unfold check_mean. destruct word as [|a w]; [discriminate|]. intros H. apply Z.eqb_eq in H.
  rewrite replayed_cycle_loss_spec in H by discriminate. split; [discriminate | exact H].
Qed.

Lemma kept_instance_fine m rows removed :
  (0 < length rows)%nat -> fewer_arms_check m rows removed = true ->
  (0 < length (kept_rows (kept_arms (length rows) removed) rows))%nat.
Proof.
  intros K H. destruct (fewer_arms_check_spec m rows removed H) as (into & _ & _).
  unfold kept_rows. rewrite map_length. specialize (into 0%nat K). lia.
Qed.

Lemma row_entries (P : Z -> bool) m rows x y :
  forallb (forallb P) rows = true -> full_rows m rows = true -> (x < length rows)%nat -> (1 <= y <= m)%nat ->
  P (entry rows x y) = true.
Proof.
  intros H L X Y. unfold full_rows in L. rewrite forallb_forall in H, L. unfold entry.
  assert (I : In (nth x rows []) rows) by now apply nth_In.
  specialize (L _ I). apply Nat.eqb_eq in L. specialize (H _ I). rewrite forallb_forall in H.
  apply H, nth_In. lia.
Qed.

Theorem mean_bound_sound D i lower proof :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> mean_bound D i lower proof = true ->
  long_run_at_least (bandit_of i) (Qnum lower * Zpos D) (Zpos (Qden lower)).
Proof.
  revert i.
  induction proof as [scale phi | | slopes | price excesses | scale slopes phi | removed proof IH];
    intros i K M; cbn [mean_bound].
  - intros H. apply andb_prop in H. destruct H as [S H]. apply Z.ltb_lt in S.
    apply potentials_check_sound in H; [|exact K]. destruct H as (f & H).
    apply (potentials_sound (bandit_of i)) in H; [|lia]. now apply (long_run_factor _ scale).
  - destruct i as [m rows | |]; try discriminate. intros H. apply andb_prop in H. destruct H as [H L].
    apply (least_loss_sound (length rows) m (entry rows)); [exact M|]. intros x y X Y.
    apply Z.leb_le. now apply (row_entries (fun c => _ <=? _ * c) m).
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff. intros [[[K2 _] U] H].
    apply Nat.eqb_eq in K2. apply Z.ltb_lt in U. apply two_arms_check_sound in H; [|exact M | lia].
    apply (long_run_factor _ (common_unit slopes)); [exact U|].
    change (bandit_of (Tallying m rows)) with (tallying (length rows) m (entry rows)). now rewrite K2.
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff. intros [[U _] H].
    apply Z.ltb_lt in U. apply prices_check_sound in H; [|exact M | exact K].
    now apply (long_run_factor (bandit_of (Tallying m rows)) (common_unit (price :: excesses))).
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff. intros [[[[[S _] _] _] _] H].
    apply Z.ltb_lt in S. apply tallies_check_sound in H; [|exact M | exact K | lia].
    now apply (long_run_factor (bandit_of (Tallying m rows)) scale).
  - destruct i as [m rows | |]; try discriminate. rewrite andb_true_iff. intros [F H].
    pose proof (kept_instance_fine m rows removed K F) as K'.
    apply IH in H; [|exact K' | exact M].
    apply (fewer_arms_check_sound m rows removed); [exact M | lia | exact F|].
    unfold bandit_of in H. cbn [actions_of] in H. unfold kept_rows at 1 in H. rewrite map_length in H. exact H.
Qed.

Lemma check_runs_spec i runs :
  check_runs i runs = true -> proper_runs runs /\ Forall (fun run => allowed i (fst run)) runs.
Proof.
  unfold check_runs, proper_runs. rewrite forallb_forall, !Forall_forall. intros H.
  assert (E : forall run, In run runs -> (fst run <> [] /\ 1 <= snd run) /\ allowed i (fst run)).
  { intros [u r] I. specialize (H _ I). cbn [fst snd] in *. rewrite !andb_true_iff in H. destruct H as [[N R] A].
    repeat split; [now destruct u | now apply Z.leb_le | now apply allowed_word_spec]. }
  split; intros run I; now apply E.
Qed.

Lemma rounded_up_le a b x : 0 < b -> a <= b * x -> rounded_up a b <= x.
Proof. intros B H. unfold rounded_up. pose proof (Z.div_le_mono (- (b * x)) (- a) b B ltac:(lia)).
  replace (- (b * x)) with ((- x) * b) in H0 by lia. rewrite Z.div_mul in H0 by lia. lia. Qed.

Theorem horizon_bound_sound D i T past lower proof :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> 0 <= T -> valid (bandit_of i) past ->
  horizon_bound D i T past lower proof = true ->
  forall played, plays (bandit_of i) (Z.to_nat T) played ->
    Qnum lower * Zpos D <= Zpos (Qden lower) * total (bandit_of i) past played.
Proof.
  revert i past.
  induction proof as [jumps | | | | mean proof | removed proof IH]; intros i past K M HT VP; cbn [horizon_bound];
    intros H played P; set (b := bandit_of i) in *.
  - destruct (recursion_value b T past jumps) as [v|] eqn:E; [|discriminate].
    apply Z.eqb_eq in H. apply recursion_value_sound in E; [|exact K | exact HT].
    pose proof (opt_lower b (Z.to_nat T) past played P). nia.
  - destruct i as [m rows | |]; try discriminate. apply andb_prop in H. destruct H as [L H].
    apply Z.leb_le in L, H. rewrite <- total_history. destruct P as [LP VPl]. cbn [memory_of] in *.
    set (s := firstn (m - 1) past) in *. change (history b past) with s.
    pose proof (least_opening_bound (length rows) m (entry rows) s played K) as O.
    rewrite LP in O. specialize (O ltac:(lia) VPl). change (tallying _ _ _) with b in O. nia.
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff in H. destruct H as [_ H].
    destruct (recursion_value b T past []) as [v|] eqn:E; [|discriminate].
    apply Z.leb_le in H. apply recursion_value_sound in E; [|exact K | exact HT].
    pose proof (opt_lower b (Z.to_nat T) past played P). nia.
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff in H. destruct H as [[R E] H].
    apply Z.leb_le in H. destruct P as [LP VPl]. cbn [memory_of] in *.
    set (hmin := fold_left Z.min (concat rows) _) in *.
    assert (N : no_entry_below (length rows) m (entry rows) hmin 1).
    { intros x y X Y. rewrite Z.mul_1_l. apply Z.leb_le. now apply (row_entries (fun c => hmin <=? c) m). }
    pose proof (least_loss_total (length rows) m (entry rows) hmin 1 past played M N VPl) as B.
    rewrite LP, Z2Nat.id in B by exact HT. change (tallying _ _ _) with b in B. nia.
  - destruct i as [m rows | |]; try discriminate. cbn [memory_of] in *. rewrite !andb_true_iff in H.
    destruct H as [[[[L MB] R] E] H]. apply Z.ltb_lt in L.
    set (s := firstn (m - 1) past) in *. rewrite <- total_history. change (history b past) with s.
    destruct P as [LP VPl].
    assert (VS : valid b s) by now apply (valid_history b).
    assert (LS : (length s <= m - 1)%nat) by (unfold s; rewrite firstn_length; lia).
    set (d := (m - length s)%nat). replace (Z.of_nat m - Z.of_nat (length s)) with (Z.of_nat d) in * by lia.
    rewrite Nat2Z.id in H. apply orb_prop in H. destruct H as [H|H].
    + apply Z.leb_le in H. apply mean_bound_sound in MB; [|exact K | exact M].
      set (hmin := fold_left Z.min (concat rows) _) in *. set (hmax := fold_left Z.max (concat rows) 0) in *.
      pose proof (mean_bound_game (length rows) m (entry rows) (Qnum mean * Zpos D) (Zpos (Qden mean)) hmin hmax s played d K M
                    ltac:(lia) (long_run_words _ _ _ MB)) as B. cbv zeta in B.
      rewrite LP, Z2Nat.id in B by exact HT. change (tallying _ _ _) with b in B.
      apply (rounded_up_le _ (Zpos (Qden mean))) in B; [nia | lia | | | | lia | lia].
      * intros x y X Y. pose proof (row_entries _ m rows x y E R X Y) as In. cbv beta in In.
        rewrite andb_true_iff, !Z.leb_le in In. lia.
      * exact VS.
      * exact VPl.
    + destruct proof as [| | slopes | | |]; try discriminate. apply Z.leb_le in H. cbn [mean_bound] in MB.
      rewrite !andb_true_iff in MB. destruct MB as [[[K2 _] U] MB]. apply Nat.eqb_eq in K2. apply Z.ltb_lt in U.
      apply two_arms_check_spec in MB. destruct MB as (C1 & C2 & C3).
      assert (EB : b = tallying 2 m (entry rows)) by (unfold b; rewrite <- K2; reflexivity).
      pose proof (slope_bound_game m (entry rows) _ _ _ M s played d C1 C2 C3) as B. cbv zeta in B. rewrite <- EB in B.
      specialize (B VS VPl ltac:(lia) ltac:(lia)). rewrite LP, Z2Nat.id in B by exact HT.
      apply rounded_up_le in B; [|lia]. unfold slope_end in H. nia.
  - destruct i as [m rows | |]; try discriminate. cbn [memory_of] in *. rewrite !andb_true_iff in H.
    destruct H as [[F _] H]. set (kept := kept_arms (length rows) removed) in *. set (s := firstn (m - 1) past) in *.
    destruct (fewer_arms_check_spec m rows removed F) as (into & no_more & falls). fold kept in into, no_more, falls.
    set (f := new_name kept removed) in *. pose proof (kept_instance_fine m rows removed K F) as K'. fold kept in K'.
    rewrite <- total_history. change (history b past) with s. destruct P as [LP VPl].
    assert (VS : valid b s) by now apply (valid_history b).
    assert (EK : length (kept_rows kept rows) = length kept) by (unfold kept_rows; apply map_length).
    assert (ren : forall w, valid b w -> valid (bandit_of (Tallying m (kept_rows kept rows))) (map f w)).
    { intros w W. unfold valid. cbn [bandit_of actions actions_of]. rewrite EK.
      apply (valid_renamed (length rows) (length kept) m (entry rows) (entry (kept_rows kept rows)) f into w W). }
    apply (IH (Tallying m (kept_rows kept rows)) (map f s) K' M HT (ren s VS)) with (played := map f played) in H.
    + pose proof (total_renamed (length rows) (length kept) m (entry rows) (entry (kept_rows kept rows)) f M no_more falls
                    played s VPl VS) as B.
      change (bandit_of (Tallying m (kept_rows kept rows))) with
        (tallying (length (kept_rows kept rows)) m (entry (kept_rows kept rows))) in H. rewrite EK in H.
      change (tallying (length rows) m (entry rows)) with b in B. nia.
    + split; [now rewrite map_length | now apply ren].
Qed.

Theorem cyclic_bound_sound D i (L : nat) lower groups :
  (0 < L)%nat -> cyclic_bound D i (Z.of_nat L) lower groups = true ->
  forall u, plays (bandit_of i) L u ->
    Z.of_nat L * (Qnum lower * Zpos D) <= Zpos (Qden lower) * cycle_loss (bandit_of i) u.
Proof.
  intros HL H u P. apply andb_prop in H. destruct H as [_ H].
  apply (groups_check_words _ L _ _ _ u HL) in H; [exact H | lia | exact P].
Qed.

Theorem check_sound i c : check i c = true -> claim i c.
Proof.
  unfold check. set (D := common_denominator i). intros H.
  rewrite !andb_true_iff in H. destruct H as [[W F] H]. fold (scaled_bandit D i) in H.
  unfold well_formed in W. rewrite !andb_true_iff in W. destruct W as [[[WK WM] _] _]. apply Nat.ltb_lt in WK, WM.
  assert (KK : (0 < actions_of (map_instance (scaled D) i))%nat) by (now destruct i; simpl in *; rewrite ?map_length).
  assert (MM : (0 < memory_of (map_instance (scaled D) i))%nat) by (now destruct i).
  destruct c as [lower value word proof | T start lower value runs proof | period lower value word proof]; cbn [claim] in *.
  - rewrite !andb_true_iff in H. destruct H as [[A P] B]. apply allowed_word_spec in A. apply check_mean_spec in P.
    apply (mean_cycle_claim_scaled D); try tauto. now apply (mean_bound_sound D _ lower proof).
  - rewrite !andb_true_iff in H. destruct H as [[[[[HT A] R] L] P] B].
    apply Z.leb_le in HT. apply Z.eqb_eq in L, P. apply allowed_word_spec in A. apply check_runs_spec in R.
    destruct R as [R V].
    split; [exact A|]. split; [exact HT|]. rewrite play_runs_spec in P by assumption. rewrite Z.add_0_l in P.
    apply (horizon_claim_scaled D); try assumption.
    + pose proof (length_unrolled runs R). lia.
    + apply (allowed_valid D), valid_unrolled. eapply Forall_impl; [|exact V]. intros run. apply (allowed_valid D).
    + apply horizon_bound_sound with (proof := proof); try assumption.
      apply (valid_rev (scaled_bandit D i)). now apply (allowed_valid D).
  - rewrite !andb_true_iff in H. destruct H as [[[L A] P] B]. apply Z.eqb_eq in L. apply allowed_word_spec in A.
    apply check_mean_spec in P. destruct P as [N P]. subst period. rewrite Nat2Z.id.
    assert (HL : (0 < length word)%nat) by (destruct word; [congruence | simpl; lia]).
    split; [lia|]. apply (cyclic_claim_scaled D); try tauto. now apply cyclic_bound_sound with (groups := proof).
Qed.
