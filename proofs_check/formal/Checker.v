(** * The verified checker

    [check i c = true] implies that the claim of the certificate c about the instance i holds: theorem [check_sound].
    Instances and claims are defined in [Claims.v] and [Graphs.v]; the six rules of docs/certificates.md are proved one by one
    in the other files. *)

Require Import List ZArith QArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Claims TallyPlan.Shapes TallyPlan.Graphs TallyPlan.Histories TallyPlan.Trie.
Require Import TallyPlan.Replay TallyPlan.Potentials TallyPlan.CheckPotentials TallyPlan.CheckSeparable TallyPlan.FewerActions.
Require Import TallyPlan.Opening TallyPlan.Counts TallyPlan.CheckHorizon TallyPlan.MeanBounds TallyPlan.Stages TallyPlan.CheckStages.
Import ListNotations.
Open Scope Z_scope.

(** ** Certificates *)

(** Rule "potential". *)
Inductive potential :=
| Zero
| Vector (scale : Z) (values : list Z)
| OverActions (slopes charges : list (list Q)).

(** Why no closed walk has a smaller mean. *)
Inductive mean_proof :=
| MeanByPotential (phi : potential)
| MeanOfFewer (out : left_out) (proof : mean_proof).

(** Why no word of T actions loses less. *)
Inductive total_proof :=
| TotalByLeastLoss
| TotalOverHistories (jumps : list (Z * Z * Z))
| TotalOverCounts
| TotalByClosing (mean : Q) (proof : mean_proof)
| TotalOfFewer (out : left_out) (proof : total_proof).

(** A stage of the rule "cases": potentials with their mean. *)
Record potentials_data := PotentialsData { mean : Q; scale_of : Z; values : list Z }.

(** Why no word of the period has a smaller mean. *)
Inductive period_proof :=
| PeriodByPotential (phi : potential)
| PeriodByCases (stages : list (potentials_data * list stage_data)) (rest : potential)
| PeriodOfFewer (out : left_out) (proof : period_proof).

Inductive certificate :=
| MeanCycle (lower value : Q) (word : list nat) (proof : mean_proof)
| Horizon (T : Z) (start : list nat) (lower value : Q) (runs : list (list nat * Z)) (proof : total_proof)
| Cyclic (period : Z) (lower value : Q) (word : list nat) (proof : period_proof).

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

Definition well_formed (i : instance Q) : bool :=
  (0 <? actions_of i)%nat && (0 <? memory_of i)%nat && shape i && forallb in_unit (values_of i).

Definition common_denominator (i : instance Q) : positive :=
  Z.to_pos (fold_left (fun d q => Z.lcm d (Zpos (Qden q))) (values_of i) 1).

(** ** The checks *)

Definition allowed_word (K : nat) (word : list nat) : bool := forallb (fun a => (a <? K)%nat) word.

(** Rationals as multiples of 1/unit, for a common unit. *)
Definition common_unit (qs : list Q) : Z := fold_left (fun d x => Z.lcm d (Zpos (Qden x))) qs 1.
Definition in_units (factor unit : Z) (x : Q) : Z := factor * (Qnum x * (unit / Zpos (Qden x))).

(** Slopes and charges as integers: their common unit, and both in parts of 1/(q D unit). *)
Definition unit_of (slopes charges : list (list Q)) : Z := common_unit (concat slopes ++ concat charges).

Definition integers (D : positive) (q unit : Z) (rows : list (list Q)) : list (list Z) :=
  map (map (in_units (q * Zpos D) unit)) rows.

(** No policy of the integer instance has a long-run loss per step below [lower]. *)
Definition potential_bound (D : positive) (i : instance Z) (lower : Q) (phi : potential) : bool :=
  let p := Qnum lower * Zpos D in
  let q := Zpos (Qden lower) in
  match phi with
  | Zero => shape i && forallb (fun c => p <=? q * c) (values_of i)
  | Vector scale values =>
      let unit := Zpos D * q in
      (0 <? scale) && potentials_check (bandit_of i) (scale * p) (scale * q) (Layers.fast_map (Z.mul unit) values)
  | OverActions slopes charges =>
      match i with
      | Tallying m rows =>
          let K := length rows in
          let unit := unit_of slopes charges in
          (0 <? unit) && (length slopes =? K)%nat && (length charges =? K)%nat && full_rows (m - 1) slopes &&
          full_rows m charges &&
          separable_check K m rows (unit * p) (unit * q) (integers D q unit slopes) (integers D q unit charges)
      | _ => false
      end
  end.

Fixpoint mean_bound (D : positive) (i : instance Z) (lower : Q) (proof : mean_proof) : bool :=
  match proof with
  | MeanByPotential phi => potential_bound D i lower phi
  | MeanOfFewer out rest =>
      match i with
      | Tallying m rows =>
          let kept := kept_actions (length rows) out in
          fewer_check None m rows out && (0 <? length kept)%nat && mean_bound D (Tallying m (kept_rows kept rows)) lower rest
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

(** The third bound of the rule "close". *)
Definition closing_by_potential (D : positive) (m : nat) (rows : list (list Z)) (s : list nat) (d : nat) (n : Z) (mean : Q)
    (proof : mean_proof) : option Z :=
  match proof with
  | MeanByPotential (OverActions slopes charges) =>
      let K := length rows in
      let unit := unit_of slopes charges in
      let q := Zpos (Qden mean) in
      let slopes' := integers D q unit slopes in
      let charges' := integers D q unit charges in
      let p' := unit * (Qnum mean * Zpos D) in
      let q' := unit * q in
      Some (rounded_up (2 * (n * p') + least_potential K m slopes' charges' + least_opened K m rows q' slopes' charges' s d) (2 * q'))
  | _ => None
  end.

Definition at_least (D : positive) (lower : Q) (v : option Z) : bool :=
  match v with
  | Some v => Qnum lower * Zpos D <=? v * Zpos (Qden lower)
  | None => false
  end.

Fixpoint horizon_bound (D : positive) (i : instance Z) (T : Z) (past : list nat) (lower : Q) (proof : total_proof) : bool :=
  let s := firstn (memory_of i - 1) past in
  let d := (memory_of i - length s)%nat in
  let hmin := match values_of i with [] => 0 | c :: rest => fold_left Z.min rest c end in
  match proof with
  | TotalByLeastLoss =>
      shape i && forallb (fun c => hmin <=? c) (values_of i) && at_least D lower (Some (T * hmin))
  | TotalOverHistories jumps => at_least D lower (recursion_value (bandit_of i) T past jumps)
  | TotalOverCounts =>
      match i with
      | Tallying m rows =>
          if T <=? Z.of_nat d then at_least D lower (Some (least_opening rows s (length rows) (Z.to_nat T)))
          else (T <=? Z.of_nat (2 * d + length s)) &&
               at_least D lower (counts_value (length rows) rows s d (Z.to_nat T))
      | _ => false
      end
  | TotalByClosing mean rest =>
      match i with
      | Tallying m rows =>
          let p := Qnum mean * Zpos D in
          let q := Zpos (Qden mean) in
          let hmax := fold_left Z.max (values_of i) hmin in
          let n := T - Z.of_nat d in
          (Z.of_nat d <? T) && mean_bound D i mean rest && full_rows m rows &&
          forallb (forallb (fun c => (hmin <=? c) && (c <=? hmax))) rows &&
          (let O := least_opening rows s (length rows) d in
           at_least D lower
             (Some (rounded_up (q * O + Z.max (q * (n * hmin)) (n * p - Z.of_nat (m - 1) * (q * hmax - p))) q)) ||
           at_least D lower (closing_by_potential D m rows s d n mean rest))
      | _ => false
      end
  | TotalOfFewer out rest =>
      match i with
      | Tallying m rows =>
          let kept := kept_actions (length rows) out in
          fewer_check None m rows out && (0 <? length kept)%nat && forallb (is_kept kept) s &&
          horizon_bound D (Tallying m (kept_rows kept rows)) T (map (new_name kept) s) lower rest
      | _ => false
      end
  end.

Definition weighing_of (D : positive) (w : potentials_data) : weighing :=
  let q := Zpos (Qden (mean w)) in
  Weighing (scale_of w * (Qnum (mean w) * Zpos D)) (scale_of w * q) (Layers.fast_map (Z.mul (Zpos D * q)) (values w)).

(** A potential for the closed walks that meet no history of X. *)
Definition rest_bound (D : positive) (i : instance Z) (lower : Q) (X : trie unit) (phi : potential) : bool :=
  match phi with
  | Vector scale values =>
      let b := bandit_of i in
      let w := weighing_of D (PotentialsData lower scale values) in
      (0 <? scale) && same_length values (Layers.fast_histories (actions_of i) (memory_of i - 1)) &&
      nonnegative_check b X (mean_p w) (mean_q w) (value_at (values_of_histories b (potentials w)))
  | _ => potential_bound D i lower phi
  end.

Fixpoint period_bound (D : positive) (i : instance Z) (L : nat) (lower : Q) (proof : period_proof) : bool :=
  match proof with
  | PeriodByPotential phi => potential_bound D i lower phi
  | PeriodByCases stages rest =>
      forallb (fun g => (0 <? scale_of (fst g)) &&
                        same_length (values (fst g)) (Layers.fast_histories (actions_of i) (memory_of i - 1))) stages &&
      match groups_check (bandit_of i) (Z.of_nat L) (Qnum lower * Zpos D) (Zpos (Qden lower)) Nil
              (map (fun g => (weighing_of D (fst g), snd g)) stages) with
      | Some X => rest_bound D i lower X rest
      | None => false
      end
  | PeriodOfFewer out rest =>
      match i with
      | Tallying m rows =>
          let kept := kept_actions (length rows) out in
          fewer_check (Some L) m rows out && (0 <? length kept)%nat && period_bound D (Tallying m (kept_rows kept rows)) L lower rest
      | _ => false
      end
  end.

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
      period_bound D j (length word) lower proof
  end.

(** A graph: the numbers of the edges of a cycle, and a potential. *)
Definition check_graph (graph : list edge) (lower value : Q) (numbers : list positive) (phi : potential) : bool :=
  match edges_at (put_all 1 graph Nothing) numbers, phi with
  | Some cycle, Zero => graph_check graph lower value cycle 1 []
  | Some cycle, Vector scale values => graph_check graph lower value cycle scale values
  | _, _ => false
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

Lemma row_entries (P : Z -> bool) m rows x y :
  forallb (forallb P) rows = true -> full_rows m rows = true -> (x < length rows)%nat -> (1 <= y <= m)%nat ->
  P (entry rows x y) = true.
Proof.
  intros H L X Y. unfold full_rows in L. rewrite forallb_forall in H, L. unfold entry.
  assert (I : In (nth x rows []) rows) by now apply nth_In.
  specialize (L _ I). apply Nat.eqb_eq in L. specialize (H _ I). rewrite forallb_forall in H.
  apply H, nth_In. lia.
Qed.

Theorem potential_bound_sound D i lower phi :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> potential_bound D i lower phi = true ->
  long_run_at_least (bandit_of i) (Qnum lower * Zpos D) (Zpos (Qden lower)).
Proof.
  intros K M. destruct phi as [|scale values|slopes charges]; cbn [potential_bound]; intros H.
  - apply andb_prop in H. destruct H as [S H]. rewrite forallb_forall in H. intros start V. exists 0. intros w W.
    rewrite Z.add_0_r. apply values_total; try assumption. intros c C. now apply Z.leb_le, H.
  - apply andb_prop in H. destruct H as [S H]. apply Z.ltb_lt in S.
    apply potentials_check_sound in H; [|exact K]. destruct H as (f & H).
    apply (potentials_sound (bandit_of i)) in H; [|lia]. now apply (long_run_factor _ scale).
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff in H. destruct H as [[[[[U _] _] _] _] H].
    apply Z.ltb_lt in U. apply separable_check_sound in H; [|exact M | exact K | lia].
    now apply (long_run_factor (bandit_of (Tallying m rows)) (unit_of slopes charges)).
Qed.

(** The instance of the actions that are left. *)
Lemma smaller_bandit m rows kept : bandit_of (Tallying m (kept_rows kept rows)) = smaller m rows kept.
Proof. unfold smaller, bandit_of. cbn [actions_of memory_of]. unfold kept_rows at 1. now rewrite map_length. Qed.

Lemma some_left_spec (kept : list nat) (rows : list (list Z)) : (0 <? length kept)%nat = true -> (0 < length (kept_rows kept rows))%nat.
Proof. unfold kept_rows. rewrite map_length. apply Nat.ltb_lt. Qed.

Theorem mean_bound_sound D i lower proof :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> mean_bound D i lower proof = true ->
  long_run_at_least (bandit_of i) (Qnum lower * Zpos D) (Zpos (Qden lower)).
Proof.
  revert i. induction proof as [phi | out proof IH]; intros i K M; cbn [mean_bound]; [now apply potential_bound_sound|].
  destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff. intros [[F S] H].
  apply (some_left_spec _ rows) in S. apply IH in H; [|exact S | exact M]. rewrite smaller_bandit in H.
  now apply (fewer_check_long_run m rows M out).
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

Lemma at_least_spec D lower v t : at_least D lower v = true -> (forall x, v = Some x -> x <= t) ->
  Qnum lower * Zpos D <= Zpos (Qden lower) * t.
Proof. destruct v as [v|]; cbn [at_least]; [|discriminate]. intros H B. apply Z.leb_le in H. specialize (B v eq_refl). nia.
Qed.

Theorem horizon_bound_sound D i T past lower proof :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> 0 <= T -> valid (bandit_of i) past ->
  horizon_bound D i T past lower proof = true ->
  forall played, plays (bandit_of i) (Z.to_nat T) played ->
    Qnum lower * Zpos D <= Zpos (Qden lower) * total (bandit_of i) past played.
Proof.
  revert i past.
  induction proof as [| jumps | | mean proof | out proof IH]; intros i past K M HT VP; cbn [horizon_bound];
    intros H played P; set (b := bandit_of i) in *.
  - rewrite !andb_true_iff, forallb_forall in H. destruct H as [[S F] H]. destruct P as [LP VPl].
    set (hmin := match values_of i with [] => 0 | c :: rest => fold_left Z.min rest c end) in *.
    apply (at_least_spec _ _ _ _ H). intros x [= <-].
    pose proof (values_total i hmin 1 past played S M) as B. rewrite LP, Z2Nat.id in B by exact HT. fold b in B.
    rewrite <- (Z.mul_1_l (total b past played)). apply B; try assumption. intros c C. specialize (F c C).
    apply Z.leb_le in F. lia.
  - apply (at_least_spec _ _ _ _ H). intros v E. apply recursion_value_sound in E; [|exact K | exact HT].
    subst v. now apply opt_lower.
  - destruct i as [m rows | |]; try discriminate. rewrite <- total_history. destruct P as [LP VPl]. cbn [memory_of] in *.
    set (s := firstn (m - 1) past) in *. change (history b past) with s.
    assert (LS : (length s <= m - 1)%nat) by (unfold s; rewrite firstn_length; lia).
    destruct (Z.leb_spec T (Z.of_nat (m - length s))) as [L|L].
    + apply (at_least_spec _ _ _ _ H). intros x [= <-].
      pose proof (least_opening_bound (length rows) m rows s played K) as O.
      rewrite LP in O. apply O; [lia | exact VPl].
    + apply andb_prop in H. destruct H as [L2 H]. apply Z.leb_le in L2. apply (at_least_spec _ _ _ _ H). intros x E.
      rewrite <- LP in E. apply (counts_value_sound (length rows) m rows M K s (m - length s)); try assumption; lia.
  - destruct i as [m rows | |]; try discriminate. cbn [memory_of] in *. rewrite !andb_true_iff in H.
    destruct H as [[[[L MB] R] E] H]. apply Z.ltb_lt in L.
    set (s := firstn (m - 1) past) in *. rewrite <- total_history. change (history b past) with s.
    destruct P as [LP VPl].
    assert (VS : valid b s) by now apply (valid_history b).
    assert (LS : (length s <= m - 1)%nat) by (unfold s; rewrite firstn_length; lia).
    set (d := (m - length s)%nat) in *. apply orb_prop in H. destruct H as [H|H]; apply (at_least_spec _ _ _ _ H).
    + intros x [= <-]. apply mean_bound_sound in MB; [|exact K | exact M].
      set (hmin := match values_of (Tallying m rows) with [] => 0 | c :: rest => fold_left Z.min rest c end) in *.
      set (hmax := fold_left Z.max (values_of (Tallying m rows)) hmin) in *.
      pose proof (mean_bound_game (length rows) m rows (Qnum mean * Zpos D) (Zpos (Qden mean)) hmin hmax s played d K M
                    ltac:(lia) (long_run_words _ _ _ MB)) as B. cbv zeta in B.
      rewrite LP, Z2Nat.id in B by exact HT. change (tallying _ _ _) with b in B.
      apply rounded_up_le; [lia|]. apply B; try assumption; try lia.
      intros x y X Y. pose proof (row_entries _ m rows x y E R X Y) as In. cbv beta in In.
      rewrite andb_true_iff, !Z.leb_le in In. lia.
    + intros x X. unfold closing_by_potential in X. destruct proof as [[| |slopes charges] |]; try discriminate.
      match type of X with Some ?v = _ => replace x with v by congruence end.
      cbn [mean_bound potential_bound] in MB. rewrite !andb_true_iff in MB. destruct MB as [[[[[U _] _] _] _] MB].
      apply Z.ltb_lt in U. apply rounded_up_le; [nia|].
      pose proof (separable_check_game _ m rows _ _ _ _ M K s played d MB VS VPl ltac:(lia) ltac:(lia)) as B.
      rewrite LP, Z2Nat.id in B by exact HT. exact B.
  - destruct i as [m rows | |]; try discriminate. cbn [memory_of] in *. rewrite !andb_true_iff in H.
    destruct H as [[[F S] KS] H]. set (kept := kept_actions (length rows) out) in *. set (s := firstn (m - 1) past) in *.
    apply (some_left_spec _ rows) in S. rewrite <- total_history. change (history b past) with s. destruct P as [LP VPl].
    assert (IS : Forall (fun a => In a kept) s).
    { apply Forall_forall. rewrite forallb_forall in KS. intros x X. now apply is_kept_spec, KS. }
    destruct (fewer_check_matched m rows M out s F IS played VPl) as (w' & P' & B). fold kept in P', B. rewrite LP in P'.
    apply (IH (Tallying m (kept_rows kept rows)) (map (new_name kept) s) S M HT) with (played := w') in H;
      rewrite ?smaller_bandit in *; [|  | exact P'].
    + change (tallying (length rows) m (entry rows)) with b in B. nia.
    + unfold valid. apply Forall_forall. intros y Y. apply in_map_iff in Y. destruct Y as (x & <- & X).
      rewrite Forall_forall in IS. now apply (new_name_in kept rows), IS.
Qed.

(** A bound for all words is one for all closed walks. *)
Lemma words_bound b L pv qv X : words_at_least b pv qv -> bound b L pv qv X.
Proof. intros W s w (F & V & N & E) <- _. rewrite (closed_cycle_loss b s w N F E). now apply W. Qed.

Lemma rest_bound_sound D i (L : nat) lower X phi :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> rest_bound D i lower X phi = true ->
  bound (bandit_of i) L (Qnum lower * Zpos D) (Zpos (Qden lower)) (fun s => removed X s = true).
Proof.
  intros K M H. destruct phi as [|scale values|slopes charges]; cbn [rest_bound] in H;
    try (apply words_bound, long_run_words; now apply potential_bound_sound in H).
  rewrite !andb_true_iff in H. destruct H as [[S _] H]. apply Z.ltb_lt in S. apply nonnegative_check_spec in H.
  eapply last_potentials; [| | | exact H]; cbn [weighing_of mean_p mean_q mean scale_of]; lia.
Qed.

Theorem period_bound_sound D i (L : nat) lower proof :
  (0 < actions_of i)%nat -> (0 < memory_of i)%nat -> (0 < L)%nat -> period_bound D i L lower proof = true ->
  forall u, plays (bandit_of i) L u ->
    Z.of_nat L * (Qnum lower * Zpos D) <= Zpos (Qden lower) * cycle_loss (bandit_of i) u.
Proof.
  revert i. induction proof as [phi | stages rest | out proof IH]; intros i K M HL; cbn [period_bound]; intros H u P.
  - apply potential_bound_sound in H; [|exact K | exact M]. apply long_run_words in H. destruct P as [<- V].
    apply H; [|exact V].
    destruct u; [simpl in HL; lia | discriminate].
  - apply andb_prop in H. destruct H as [_ H]. destruct (groups_check _ _ _ _ _ _) as [X|] eqn:G; [|discriminate].
    eapply groups_check_words; [exact HL | lia | exact G | now apply (rest_bound_sound D i L) in H | exact P].
  - destruct i as [m rows | |]; try discriminate. rewrite !andb_true_iff in H. destruct H as [[F S] H].
    apply (some_left_spec _ rows) in S. destruct (fewer_check_words m rows M L out HL F u P) as (u' & P' & B).
    apply (IH (Tallying m (kept_rows _ rows)) S M HL) with (u := u') in H; rewrite smaller_bandit in *; [|exact P'].
    change (tallying (length rows) m (entry rows)) with (bandit_of (Tallying m rows)) in B. nia.
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
    split; [lia|]. apply (cyclic_claim_scaled D); try tauto. now apply period_bound_sound with (proof := proof).
Qed.

Theorem check_graph_sound graph lower value numbers phi :
  check_graph graph lower value numbers phi = true ->
  exists cycle, edges_at (put_all 1 graph Nothing) numbers = Some cycle /\ graph_claim graph lower value cycle.
Proof.
  unfold check_graph. destruct (edges_at _ numbers) as [cycle|] eqn:E; [|discriminate]. intros H. exists cycle.
  split; [reflexivity|].
  destruct phi as [|scale values|]; [| |discriminate]; now apply (graph_check_sound graph lower value numbers) in H.
Qed.
