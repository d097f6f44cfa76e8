(** * Checking stages

    The executable side of [Stages.v]: docs/certificates.md, section 5.  For a root, D_t holds the least reduced cost of
    a walk of t steps from the root to each history, walks outside the earlier roots X and below the budget only. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Stages TallyPlan.Layers TallyPlan.Trie TallyPlan.CheckHorizon.
Import ListNotations.
Open Scope Z_scope.

(** Potentials with the mean p/q, in the order of the codes. *)
Record weighing := Weighing { mean_p : Z; mean_q : Z; potentials : list Z }.

(** A root, and perhaps t and p with D_{t+p} = D_t. *)
Record stage_data := Stage { root : list nat; repeats : option (Z * Z) }.

(** A table from keys to values, and a value in it (0 where there is none). *)
Definition table_on (keys : list (list nat)) (values : list Z) : trie Z :=
  fold_left (fun t kv => update (fst kv) (fun _ => snd kv) t) (fast_map2 pair keys values) Nil.

Definition value_at (t : trie Z) (s : list nat) : Z := match get s t with Some z => z | None => 0 end.

Section Checking.
Variable b : bandit.

Definition removed (X : trie unit) (s : list nat) : bool := match get s X with Some _ => true | None => false end.

Definition table_of (phi : list Z) : trie Z := table_on (fast_histories (actions b) (memory b - 1)) phi.

(** ** r >= 0 on the edges outside X *)

Definition nonnegative_check (X : trie unit) (p q : Z) (phi : list nat -> Z) : bool :=
  let numbers := seq 0 (actions b) in
  forallb (fun s => removed X s ||
             forallb (fun a => removed X (history b (a :: s)) || (0 <=? reduced b p q phi s a)) numbers)
          (fast_histories (actions b) (memory b - 1)).

Lemma nonnegative_check_spec X p q phi :
  nonnegative_check X p q phi = true -> nonnegative_outside b (fun s => removed X s = true) p q phi.
Proof.
  unfold nonnegative_check. rewrite forallb_forall. intros H s a F A N N'.
  rewrite fast_histories_histories in H. specialize (H s (proj1 (full_in_histories b s) F)).
  apply orb_prop in H. destruct H as [H|H]; [contradiction|]. rewrite forallb_forall in H.
  assert (I : In a (seq 0 (actions b))) by (apply in_seq; lia). specialize (H a I). apply orb_prop in H.
  destruct H as [H|H]; [contradiction|].
  now apply Z.leb_le.
Qed.

(** ** The tables D_t *)

Definition table := trie (list nat * Z).

Definition add_min (s : list nat) (d : Z) : table -> table :=
  update s (fun o => match o with Some (_, e) => (s, Z.min d e) | None => (s, d) end).

Section Table.
Variables (X : trie unit) (p q : Z) (phi : list nat -> Z) (budget : Z).

Definition relax (sd : list nat * Z) (t : table) (a : nat) : table :=
  let s' := history b (a :: fst sd) in
  let e := snd sd + reduced b p q phi (fst sd) a in
  if (e <? budget) && negb (removed X s') then add_min s' e t else t.

Definition relax_all (numbers : list nat) (u : table) (sd : list nat * Z) : table := fold_left (relax sd) numbers u.

Definition next_table (t : table) : table := fold_left (relax_all (seq 0 (actions b))) (entries t []) Nil.

Definition first_table (s : list nat) : table := if 0 <? budget then add_min s 0 Nil else Nil.

(** The entry for s exists and is at most e. *)
Definition has (s : list nat) (e : Z) (t : table) : Prop := exists d, get s t = Some (s, d) /\ d <= e.

Definition long_keys (t : table) : Prop := all (fun sd => length (fst sd) = (memory b - 1)%nat) t.

Lemma add_min_has s d t : has s d (add_min s d t).
Proof.
  unfold has, add_min. rewrite get_update_same. destruct (get s t) as [[s0 e]|]; eexists; (split; [reflexivity | lia]).
Qed.

Lemma add_min_keeps s e s' d t : length s' = length s -> has s e t -> has s e (add_min s' d t).
Proof.
  intros L (d0 & G & D). unfold has, add_min. destruct (list_eq_dec Nat.eq_dec s' s) as [->|N].
  - rewrite get_update_same, G. eexists. split; [reflexivity | lia].
  - rewrite get_update_other by assumption. now exists d0.
Qed.

Lemma add_min_long s d t : length s = (memory b - 1)%nat -> long_keys t -> long_keys (add_min s d t).
Proof. intros L. apply all_update. intros [[s0 e]|]; exact L. Qed.

Lemma length_history s a : length s = (memory b - 1)%nat -> length (history b (a :: s)) = (memory b - 1)%nat.
Proof. intros L. unfold history. rewrite firstn_length. simpl. lia. Qed.

Lemma relax_keeps sd t a s e :
  length (fst sd) = (memory b - 1)%nat -> length s = (memory b - 1)%nat ->
  long_keys t -> long_keys (relax sd t a) /\ (has s e t -> has s e (relax sd t a)).
Proof.
  intros LS L K. unfold relax. destruct (_ && _); [|now split]. split.
  - apply add_min_long; [now apply length_history | exact K].
  - apply add_min_keeps. now rewrite length_history.
Qed.

Lemma relax_all_keeps sd numbers t s e :
  length (fst sd) = (memory b - 1)%nat -> length s = (memory b - 1)%nat ->
  long_keys t -> long_keys (fold_left (relax sd) numbers t) /\ (has s e t -> has s e (fold_left (relax sd) numbers t)).
Proof.
  intros LS L. revert t. induction numbers as [|a numbers IH]; intros t K; [now split|]. simpl.
  destruct (relax_keeps sd t a s e LS L K) as [K' H]. destruct (IH _ K') as [K'' H']. split; [exact K'' | auto].
Qed.

Lemma relax_all_reaches sd numbers t a :
  length (fst sd) = (memory b - 1)%nat -> long_keys t -> In a numbers ->
  snd sd + reduced b p q phi (fst sd) a < budget -> removed X (history b (a :: fst sd)) = false ->
  has (history b (a :: fst sd)) (snd sd + reduced b p q phi (fst sd) a) (fold_left (relax sd) numbers t).
Proof.
  intros LS K I B N. revert t K. induction numbers as [|c numbers IH]; intros t K; [destruct I|]. simpl.
  pose proof (length_history (fst sd) a LS) as LH.
  destruct (relax_keeps sd t c _ 0 LS LH K) as [K' _]. destruct I as [-> | I]; [|now apply IH].
  apply relax_all_keeps; try assumption. unfold relax.
  apply Z.ltb_lt in B. rewrite B, N. simpl. apply add_min_has.
Qed.

Lemma next_table_spec t :
  long_keys t ->
  long_keys (next_table t) /\
  forall s e a, has s e t -> (a < actions b)%nat -> e + reduced b p q phi s a < budget ->
    removed X (history b (a :: s)) = false -> has (history b (a :: s)) (e + reduced b p q phi s a) (next_table t).
Proof.
  intros K. unfold next_table. set (numbers := seq 0 (actions b)).
  assert (LE : forall sd, In sd (entries t []) -> length (fst sd) = (memory b - 1)%nat).
  { intros sd. apply (all_entries (fun sd => length (fst sd) = (memory b - 1)%nat)); [exact K | now intros u []]. }
  assert (general : forall l u, (forall sd, In sd l -> length (fst sd) = (memory b - 1)%nat) -> long_keys u ->
    long_keys (fold_left (relax_all numbers) l u) /\
    (forall s e, length s = (memory b - 1)%nat -> has s e u -> has s e (fold_left (relax_all numbers) l u)) /\
    (forall sd a, In sd l -> In a numbers -> snd sd + reduced b p q phi (fst sd) a < budget ->
       removed X (history b (a :: fst sd)) = false ->
       has (history b (a :: fst sd)) (snd sd + reduced b p q phi (fst sd) a) (fold_left (relax_all numbers) l u))).
  { induction l as [|sd l IH]; intros u LL KU; [now repeat split|]. simpl.
    assert (LS : length (fst sd) = (memory b - 1)%nat) by (apply LL; now left).
    assert (K' : long_keys (relax_all numbers u sd)) by now apply (relax_all_keeps sd numbers u (fst sd) 0).
    destruct (IH _ (fun x I => LL x (or_intror I)) K') as (I1 & I2 & I3). repeat split; [exact I1 | |].
    - intros s e LG G. apply I2; [exact LG|]. now apply relax_all_keeps.
    - intros sd' a [<- | I] A B N; [|now apply I3].
      apply I2; [now apply length_history | now apply relax_all_reaches]. }
  destruct (general (entries t []) Nil LE I) as (G1 & _ & G3). split; [exact G1|].
  intros s e a (d & G & D) A B N. assert (Is : In (s, d) (entries t [])) by now apply (get_in_entries s).
  destruct (G3 (s, d) a Is) as (d' & G' & D'); [apply in_seq; lia | simpl; lia | exact N |].
  exists d'. simpl in *. split; [exact G' | lia].
Qed.

Definition tables (n : Z) (t : table) : table := times n next_table t.

Lemma reduced_sum_snoc s w a :
  full b s -> valid b w ->
  reduced_sum b p q phi s (w ++ [a]) = reduced_sum b p q phi s w + reduced b p q phi (ends b s w) a.
Proof.
  revert s. induction w as [|c w IH]; intros s F V.
  - unfold ends, after. simpl rev. simpl app. rewrite history_full by assumption. simpl. lia.
  - inversion V as [|? ? C V']; subst. cbn [reduced_sum app].
    rewrite IH, <- ends_cons by (assumption || now apply full_next). lia.
Qed.

(** Every cheap walk from the root is in the table. *)
Lemma table_complete s w :
  nonnegative_outside b (fun s => removed X s = true) p q phi -> full b s -> valid b w ->
  outside b (fun s => removed X s = true) s w -> reduced_sum b p q phi s w < budget ->
  long_keys (Nat.iter (length w) next_table (first_table s)) /\
  has (ends b s w) (reduced_sum b p q phi s w) (Nat.iter (length w) next_table (first_table s)).
Proof.
  intros P F. induction w as [|a w IH] using rev_ind; intros V O R.
  - simpl in R. unfold ends, after. simpl rev. simpl app. rewrite history_full by assumption. simpl.
    unfold first_table. destruct (Z.ltb_spec 0 budget); [|lia].
    split; [apply add_min_long; [apply F | exact I] | apply add_min_has].
  - apply valid_app in V. destruct V as [V Va]. inversion Va as [|? ? A _]; subst.
    destruct (outside_parts b _ w [a] s (proj1 F) O) as [O1 O2].
    rewrite reduced_sum_snoc in * by assumption.
    assert (FE : full b (ends b s w)).
    { apply full_history; [apply valid_after; [apply F | exact V] |]. rewrite length_after, (proj1 F). lia. }
    simpl in O2. destruct O2 as [N [N' _]].
    pose proof (P _ _ FE A N N') as NN.
    destruct (IH V O1 ltac:(lia)) as [K H].
    rewrite app_length, Nat.add_1_r. simpl. destruct (next_table_spec _ K) as [K' step]. split; [exact K'|].
    replace (ends b s (w ++ [a])) with (history b (a :: ends b s w)).
    + apply step; try assumption. now apply not_true_is_false.
    + unfold ends. now rewrite after_app, history_cons.
Qed.

(** ** D_L, perhaps by a repetition *)

Definition equal_entries (x y : list nat * Z) : bool :=
  if list_eq_dec Nat.eq_dec (fst x) (fst y) then snd x =? snd y else false.

Definition last_table (L : Z) (s : list nat) (repeat : option (Z * Z)) : option table :=
  match repeat with
  | None => Some (tables L (first_table s))
  | Some (t, period) =>
      if (0 <=? t) && (1 <=? period) && (t + period <=? L) then
        let x := tables t (first_table s) in
        if same equal_entries (tables period x) x then Some (tables ((L - t) mod period) x) else None
      else None
  end.

Lemma iter_add {A} (f : A -> A) n k x : Nat.iter (n + k) f x = Nat.iter n f (Nat.iter k f x).
Proof. induction n as [|n IH]; [reflexivity|]. simpl. now rewrite IH. Qed.

Lemma iter_period {A} (f : A -> A) n k x : Nat.iter n f x = x -> Nat.iter (k * n) f x = x.
Proof. intros H. induction k as [|k IH]; [reflexivity|]. simpl. now rewrite iter_add, IH. Qed.

Lemma last_table_spec L s repeat t :
  last_table (Z.of_nat L) s repeat = Some t -> t = Nat.iter L next_table (first_table s).
Proof.
  unfold last_table, tables. destruct repeat as [[t0 period]|]; [|intros [= <-]; now rewrite times_iter, Nat2Z.id].
  destruct ((0 <=? t0) && (1 <=? period) && (t0 + period <=? Z.of_nat L)) eqn:C; [|discriminate].
  rewrite !andb_true_iff, !Z.leb_le in C. destruct C as [[C1 C2] C3].
  rewrite !times_iter. set (x := Nat.iter (Z.to_nat t0) next_table (first_table s)).
  destruct (same equal_entries _ x) eqn:S; [|discriminate]. intros [= <-].
  apply same_spec in S.
  - set (n := Z.to_nat period) in *. set (r := Z.to_nat ((Z.of_nat L - t0) mod period)).
    set (k := Z.to_nat ((Z.of_nat L - t0) / period)).
    pose proof (Z_div_mod_eq_full (Z.of_nat L - t0) period) as E.
    pose proof (Z.mod_pos_bound (Z.of_nat L - t0) period ltac:(lia)).
    pose proof (Z.div_pos (Z.of_nat L - t0) period ltac:(lia) ltac:(lia)).
    replace L with (r + (k * n + Z.to_nat t0))%nat by nia.
    rewrite !iter_add. fold x. now rewrite iter_period.
  - intros [u d] [v e]. unfold equal_entries. simpl. destruct (list_eq_dec Nat.eq_dec u v) as [->|]; [|discriminate].
    intros H. apply Z.eqb_eq in H. now subst.
Qed.

Definition stage_check (L : Z) (data : stage_data) : bool :=
  (length (root data) =? memory b - 1)%nat && negb (removed X (root data)) &&
  match last_table L (root data) (repeats data) with
  | Some t => match get (root data) t with Some _ => false | None => true end
  | None => false
  end.

Lemma stage_check_spec L data :
  nonnegative_outside b (fun s => removed X s = true) p q phi -> stage_check (Z.of_nat L) data = true ->
  forall w, length w = L -> valid b w -> ends b (root data) w = root data ->
    outside b (fun s => removed X s = true) (root data) w -> full b (root data) ->
    budget <= reduced_sum b p q phi (root data) w.
Proof.
  intros P H w LW V E O F. unfold stage_check in H. rewrite !andb_true_iff in H. destruct H as [_ H].
  destruct (last_table (Z.of_nat L) (root data) (repeats data)) as [t|] eqn:T; [|discriminate].
  apply last_table_spec in T.
  destruct (Z.le_gt_cases budget (reduced_sum b p q phi (root data) w)) as [|G]; [assumption|].
  destruct (table_complete (root data) w P F V O ltac:(lia)) as [_ (d & D & _)].
  rewrite E, LW, <- T in D. now rewrite D in H.
Qed.

End Table.

(** ** All stages *)

Definition remove (X : trie unit) (s : list nat) : trie unit := update s (fun _ => tt) X.

Fixpoint stages_check (L pv qv p q : Z) (phi : list nat -> Z) (X : trie unit) (stages : list stage_data)
    : option (trie unit) :=
  match stages with
  | [] => Some X
  | data :: rest =>
      if stage_check X p q phi (room (Z.to_nat L) pv qv p q) L data
      then stages_check L pv qv p q phi (remove X (root data)) rest
      else None
  end.

Fixpoint groups_check (L pv qv : Z) (X : trie unit) (groups : list (weighing * list stage_data)) : bool :=
  match groups with
  | [] => false
  | (w, stages) :: rest =>
      let phi := value_at (table_of (potentials w)) in
      let p := mean_p w in
      let q := mean_q w in
      (0 <? q) && nonnegative_check X p q phi &&
      match stages_check L pv qv p q phi X stages with
      | None => false
      | Some X' =>
          match rest with
          | [] => pv * q <=? p * qv
          | _ => groups_check L pv qv X' rest
          end
      end
  end.

Lemma removed_remove X r s :
  length r = length s -> removed (remove X r) s = true <-> removed X s = true \/ s = r.
Proof.
  intros L. unfold removed, remove. destruct (list_eq_dec Nat.eq_dec r s) as [->|N].
  - rewrite get_update_same. tauto.
  - rewrite get_update_other by assumption. split; [tauto | intros [H | ->]; [exact H | congruence]].
Qed.

Lemma outside_weaker (Y Y' : list nat -> Prop) s w :
  (forall s, length s = (memory b - 1)%nat -> Y' s -> Y s) ->
  length s = (memory b - 1)%nat -> outside b Y s w -> outside b Y' s w.
Proof.
  intros H. revert s.
  induction w as [|a w IH]; intros s L [N O]; simpl; split; try tauto; try (intros Y1; apply N; auto).
  apply IH; [now apply length_history | exact O].
Qed.

Lemma stages_check_spec (L : nat) pv qv p q phi stages X X' :
  0 < q -> 0 < qv -> nonnegative_outside b (fun s => removed X s = true) p q phi ->
  stages_check (Z.of_nat L) pv qv p q phi X stages = Some X' ->
  nonnegative_outside b (fun s => removed X' s = true) p q phi /\
  (bound b L pv qv (fun s => removed X' s = true) -> bound b L pv qv (fun s => removed X s = true)).
Proof.
  intros Q QV. revert X.
  induction stages as [|data stages IH]; intros X P H; simpl in H; [injection H as <-; now split|].
  rewrite Nat2Z.id in H. destruct (stage_check _ _ _ _ _ _ data) eqn:C; [|discriminate].
  assert (LR : length (root data) = (memory b - 1)%nat).
  { unfold stage_check in C. rewrite !andb_true_iff in C. now apply Nat.eqb_eq. }
  destruct (IH (remove X (root data))) as [P' B]; [| exact H |].
  - intros s a F A N N'. apply P; try assumption; intros E; [apply N | apply N']; apply removed_remove; try (now left).
    + rewrite LR. symmetry. apply F.
    + rewrite LR. symmetry. now apply length_history, F.
  - split; [exact P'|]. intros B'. apply (stage b L pv qv _ (root data) p q phi); try assumption.
    + now apply stage_check_spec.
    + intros s w CL LW O. apply (B B'); try assumption. destruct CL as ((LS & _) & _).
      revert O. apply outside_weaker; [|exact LS]. intros t LT. apply removed_remove. now rewrite LR.
Qed.

Theorem groups_check_sound (L : nat) pv qv groups X :
  0 < qv -> groups_check (Z.of_nat L) pv qv X groups = true -> bound b L pv qv (fun s => removed X s = true).
Proof.
  intros QV. revert X. induction groups as [|[w stages] rest IH]; intros X H; [discriminate|].
  cbn [groups_check] in H. rewrite !andb_true_iff in H. destruct H as [[Q P] H].
  apply Z.ltb_lt in Q. apply nonnegative_check_spec in P.
  destruct (stages_check _ _ _ _ _ _ X stages) as [X'|] eqn:S; [|discriminate].
  apply stages_check_spec in S; try assumption. destruct S as [P' B]. apply B.
  destruct rest as [|g rest]; [|now apply IH]. apply Z.leb_le in H.
  now apply (last_potentials b L pv qv _ (mean_p w) (mean_q w) (value_at (table_of (potentials w)))).
Qed.

Corollary groups_check_words (L : nat) pv qv groups u :
  (0 < L)%nat -> 0 < qv -> groups_check (Z.of_nat L) pv qv Nil groups = true -> plays b L u ->
  Z.of_nat L * pv <= qv * cycle_loss b u.
Proof.
  intros HL QV H P. apply bound_words; try assumption. apply groups_check_sound in H; [|assumption].
  intros s w C LW O. apply H; try assumption. clear. revert s.
  induction w as [|a w IH]; intros s; simpl; (split; [unfold removed; now rewrite get_Nil |]); auto.
Qed.

End Checking.
