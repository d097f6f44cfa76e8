(** * Checking cases

    The executable side of [Stages.v]: docs/certificates.md, rule "cases".
     For a root, D_t holds the least reduced cost of a
    walk of t steps from the root to each history, walks outside the earlier roots X and below the budget only.  The costs H
    of the ways home are no business of the checker: any function that rises along no edge by more than its reduced cost
    makes new potentials phi + H, and these are the ones that are used for the root. *)

Require Import List ZArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Histories TallyPlan.Stages TallyPlan.Layers TallyPlan.Trie TallyPlan.CheckHorizon.
Import ListNotations.
Open Scope Z_scope.

(** Potentials with the mean p/q, in the order of the codes. *)
Record weighing := Weighing { mean_p : Z; mean_q : Z; potentials : list Z }.

(** A root, perhaps t and p with D_{t+p} = D_t, and the ways home: their costs where they are listed, [far] elsewhere. *)
Record stage_data := Stage { root : list nat; repeats : option (Z * Z); home : table; far : Z }.

(** A table from keys to values, and a value in it (0 where there is none). *)
Definition table_on (keys : list (list nat)) (values : list Z) : trie Z :=
  fold_left (fun t kv => update (fst kv) (fun _ => snd kv) t) (fast_map2 pair keys values) Nil.

Definition value_at (t : trie Z) (s : list nat) : Z := match get s t with Some z => z | None => 0 end.

Section Checking.
Variable b : bandit.

Definition removed (X : trie unit) (s : list nat) : bool := match get s X with Some _ => true | None => false end.

Definition values_of_histories (phi : list Z) : trie Z := table_on (fast_histories (actions b) (memory b - 1)) phi.

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

(** ** The ways home *)

Definition cost_home (data : stage_data) (s : list nat) : Z :=
  match get s (home data) with
  | Some (k, v) => if list_eq_dec Nat.eq_dec k s then v else far data
  | None => far data
  end.

Definition homeward (phi : list nat -> Z) (data : stage_data) (s : list nat) : Z := phi s + cost_home data s.

(** The edges that lead to a full history: where they start, and their action. *)
Definition edges_to (s : list nat) : list (list nat * nat) :=
  match s with
  | [] => map (fun a => ([], a)) (seq 0 (actions b))
  | a :: h => map (fun d => (h ++ [d], a)) (seq 0 (actions b))
  end.

Definition home_check (X : trie unit) (p q : Z) (phi : list nat -> Z) (data : stage_data) : bool :=
  forallb (fun sv => (snd sv <=? far data) &&
             forallb (fun edge => removed X (fst edge) ||
                                  (cost_home data (fst edge) <=? reduced b p q phi (fst edge) (snd edge) + snd sv))
                     (edges_to (fst sv)))
          (entries (home data) []).

Lemma in_edges_to s a : full b s -> (a < actions b)%nat -> In (s, a) (edges_to (history b (a :: s))).
Proof.
  intros [L V] A. unfold history. destruct (memory b - 1)%nat as [|k] eqn:M.
  - destruct s; [|discriminate]. simpl. apply in_map_iff. exists a. split; [reflexivity | apply in_seq; lia].
  - destruct (exists_last (l := s)) as (h & d & ->); [intros ->; discriminate|]. rewrite app_length in L. simpl in L.
    apply valid_app in V. destruct V as [_ V]. inversion V as [|? ? D _]; subst.
    cbn [firstn]. rewrite firstn_app, firstn_all2 by lia. replace (k - length h)%nat with 0%nat by lia.
    cbn [firstn]. rewrite app_nil_r. simpl. apply in_map_iff. exists d. split; [reflexivity | apply in_seq; lia].
Qed.

Lemma home_check_spec X p q phi data :
  nonnegative_outside b (fun s => removed X s = true) p q phi -> home_check X p q phi data = true ->
  nonnegative_outside b (fun s => removed X s = true) p q (homeward phi data).
Proof.
  unfold home_check. rewrite forallb_forall. intros P H s a F A N N'. specialize (P s a F A N N').
  unfold reduced in *. unfold homeward. set (s' := history b (a :: s)) in *.
  assert (low : forall s, cost_home data s <= far data).
  { intros r. unfold cost_home. destruct (get r (home data)) as [[k v]|] eqn:G; [|lia].
    destruct (list_eq_dec Nat.eq_dec k r); [|lia]. apply (get_in_entries r _ _ []) in G. specialize (H _ G).
    apply andb_prop in H. destruct H as [H _]. now apply Z.leb_le. }
  assert (E : cost_home data s' = far data \/ In (s', cost_home data s') (entries (home data) [])).
  { unfold cost_home. destruct (get s' (home data)) as [[k v]|] eqn:G; [|now left].
    destruct (list_eq_dec Nat.eq_dec k s') as [->|]; [|now left]. right. now apply (get_in_entries s'). }
  destruct E as [-> | I]; [specialize (low s); lia|]. specialize (H _ I). cbn [fst snd] in H.
  apply andb_prop in H. destruct H as [_ H]. rewrite forallb_forall in H.
  specialize (H (s, a) (in_edges_to s a F A)). cbn [fst snd] in H. apply orb_prop in H.
  destruct H as [H|H]; [contradiction|]. apply Z.leb_le in H. unfold reduced in H. fold s' in H. lia.
Qed.

Section Table.
Variables (X : trie unit) (p q : Z) (phi : list nat -> Z) (budget : Z).

Definition moves (sd : list nat * Z) : list (list nat * Z) :=
  filter (fun kv => (snd kv <? budget) && negb (removed X (fst kv)))
    (map (fun a => (history b (a :: fst sd), snd sd + reduced b p q phi (fst sd) a)) (seq 0 (actions b))).

Definition next_table (t : table) : table := stepped moves t.

Definition first_table (s : list nat) : table := if 0 <? budget then add_min Nil (s, 0) else Nil.

Let long := long_keys (memory b - 1).

Lemma length_history s a : length s = (memory b - 1)%nat -> length (history b (a :: s)) = (memory b - 1)%nat.
Proof. intros L. unfold history. rewrite firstn_length. simpl. lia. Qed.

Lemma next_table_spec t :
  long t ->
  long (next_table t) /\
  forall s e a, has s e t -> (a < actions b)%nat -> e + reduced b p q phi s a < budget ->
    removed X (history b (a :: s)) = false -> has (history b (a :: s)) (e + reduced b p q phi s a) (next_table t).
Proof.
  intros K. destruct (stepped_spec (memory b - 1) moves t K) as [K' S].
  - intros sd kv L I. apply filter_In in I. destruct I as [I _]. apply in_map_iff in I. destruct I as (a & <- & _).
    now apply length_history.
  - split; [exact K'|]. intros s e a H A B N. apply (S s e _ _ H). intros d D. exists (d + reduced b p q phi s a).
    split; [|lia]. apply filter_In. split.
    + apply in_map_iff. exists a. split; [reflexivity | apply in_seq; lia].
    + cbn [fst snd]. rewrite N. destruct (Z.ltb_spec (d + reduced b p q phi s a) budget); [reflexivity | lia].
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
  long (Nat.iter (length w) next_table (first_table s)) /\
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
      if home_check X p q phi data && stage_check X p q (homeward phi data) (room (Z.to_nat L) pv qv p q) L data
      then stages_check L pv qv p q phi (remove X (root data)) rest
      else None
  end.

(** What is removed in the end, if all goes well. *)
Fixpoint groups_check (L pv qv : Z) (X : trie unit) (groups : list (weighing * list stage_data)) : option (trie unit) :=
  match groups with
  | [] => Some X
  | (w, stages) :: rest =>
      let phi := value_at (values_of_histories (potentials w)) in
      let p := mean_p w in
      let q := mean_q w in
      if (0 <? q) && nonnegative_check X p q phi then
        match stages_check L pv qv p q phi X stages with
        | None => None
        | Some X' => groups_check L pv qv X' rest
        end
      else None
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
  rewrite Nat2Z.id in H. destruct (home_check X p q phi data) eqn:HC; [|discriminate]. cbn [andb] in H.
  destruct (stage_check _ _ _ _ _ _ data) eqn:C; [|discriminate]. apply home_check_spec in HC; [|exact P].
  assert (LR : length (root data) = (memory b - 1)%nat).
  { unfold stage_check in C. rewrite !andb_true_iff in C. now apply Nat.eqb_eq. }
  destruct (IH (remove X (root data))) as [P' B]; [| exact H |].
  - intros s a F A N N'. apply P; try assumption; intros E; [apply N | apply N']; apply removed_remove; try (now left).
    + rewrite LR. symmetry. apply F.
    + rewrite LR. symmetry. now apply length_history, F.
  - split; [exact P'|]. intros B'. apply (stage b L pv qv _ (root data) p q (homeward phi data)); try assumption.
    + now apply stage_check_spec.
    + intros s w CL LW O. apply (B B'); try assumption. destruct CL as ((LS & _) & _).
      revert O. apply outside_weaker; [|exact LS]. intros t LT. apply removed_remove. now rewrite LR.
Qed.

Theorem groups_check_sound (L : nat) pv qv groups X X' :
  0 < qv -> groups_check (Z.of_nat L) pv qv X groups = Some X' ->
  bound b L pv qv (fun s => removed X' s = true) -> bound b L pv qv (fun s => removed X s = true).
Proof.
  intros QV. revert X. induction groups as [|[w stages] rest IH]; intros X H; [now injection H as <-|].
  cbn [groups_check] in H. destruct (0 <? mean_q w) eqn:Q; [|discriminate]. cbn [andb] in H.
  destruct (nonnegative_check _ _ _ _) eqn:P; [|discriminate]. apply Z.ltb_lt in Q. apply nonnegative_check_spec in P.
  destruct (stages_check _ _ _ _ _ _ X stages) as [X1|] eqn:S; [|discriminate].
  apply stages_check_spec in S; try assumption. destruct S as [P' B]. intros E. apply B. now apply IH.
Qed.

Corollary groups_check_words (L : nat) pv qv groups X u :
  (0 < L)%nat -> 0 < qv -> groups_check (Z.of_nat L) pv qv Nil groups = Some X ->
  bound b L pv qv (fun s => removed X s = true) -> plays b L u -> Z.of_nat L * pv <= qv * cycle_loss b u.
Proof.
  intros HL QV H B P. apply bound_words; try assumption. apply groups_check_sound in H; [|assumption ..].
  intros s w C LW O. apply H; try assumption. clear. revert s.
  induction w as [|a w IH]; intros s; simpl; (split; [unfold removed; now rewrite get_Nil |]); auto.
Qed.

End Checking.
