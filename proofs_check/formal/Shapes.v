(** * Tables that list what they should

    docs/certificates.md, section 2: a tallying instance lists m losses for each action, a window instance the losses of all
    windows, a weighted one exactly those of the weighted tallies that can occur.
     So the loss of every step is a loss of the
    instance, and no step loses less than the least of them (rule "potential", zero). *)

Require Import List ZArith QArith Lia Arith Bool.
Require Import TallyPlan.Model TallyPlan.Claims TallyPlan.LeastLoss.
Import ListNotations.
Open Scope Z_scope.

Definition full_rows {A} (m : nat) (rows : list (list A)) : bool := forallb (fun row => (length row =? m)%nat) rows.

Fixpoint powers {A} (K size : Z) (tables : list (list A)) : bool :=
  match tables with
  | [] => true
  | t :: rest => (Zlength t =? size) && powers K (K * size) rest
  end.

Definition listed (q : Q) (keys : list Q) : bool := existsb (Qeq_bool q) keys.

Definition add_new (keys : list Q) (q : Q) : list Q := if listed q keys then keys else q :: keys.

(** The weight of the current step plus any subset of the others, as long as all of them are keys. *)
Fixpoint possible_tallies (keys : list Q) (first : Q) (others : list Q) : option (list Q) :=
  match others with
  | [] => if listed first keys then Some [first] else None
  | x :: rest =>
      match possible_tallies keys first rest with
      | None => None
      | Some sums =>
          let new := map (fun s => Qred (x + s)) sums in
          if forallb (fun s => listed s keys) new then Some (fold_left add_new new sums) else None
      end
  end.

Fixpoint distinct (keys : list Q) : bool :=
  match keys with
  | [] => true
  | q :: rest => negb (listed q rest) && distinct rest
  end.

Definition keys_of {A} (row : list (Q * A)) : list Q := map fst row.

Definition weighted_row {A} (tallies : list Q) (row : list (Q * A)) : bool :=
  distinct (keys_of row) && forallb (fun q => listed q (keys_of row)) tallies && forallb (fun q => listed q tallies) (keys_of row).

Definition shape {A} (i : instance A) : bool :=
  match i with
  | Tallying m losses => full_rows m losses
  | Windows m K windows => (length windows =? m)%nat && powers (Z.of_nat K) (Z.of_nat K) windows
  | Weighted m weights losses =>
      (length weights =? m)%nat &&
      match weights with
      | [] => false
      | first :: others =>
          match possible_tallies (keys_of (nth 0 losses [])) first others with
          | Some tallies => forallb (weighted_row tallies) losses
          | None => false
          end
      end
  end.

(** ** Windows *)

Lemma powers_nth {A} K size (tables : list (list A)) j :
  powers K size tables = true -> (j < length tables)%nat -> Zlength (nth j tables []) = K ^ Z.of_nat j * size.
Proof.
  revert size j. induction tables as [|t rest IH]; intros size j H L; [simpl in L; lia|].
  cbn [powers] in H. apply andb_prop in H. destruct H as [E H]. apply Z.eqb_eq in E. destruct j as [|j]; [simpl nth; lia|].
  cbn [nth]. rewrite (IH (K * size) j H) by (simpl in L; lia). rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma code_below K w : Forall (fun a => (a < K)%nat) w -> Z.of_nat (code K w) < Z.of_nat K ^ Z.of_nat (length w).
Proof.
  intros V. induction V as [|a w A V IH]; [simpl; lia|]. cbn [code length].
  rewrite Nat2Z.inj_succ, Z.pow_succ_r, Nat2Z.inj_add, Nat2Z.inj_mul by lia. nia.
Qed.

(** ** Weighted tallies *)

Lemma listed_in q keys : listed q keys = true <-> exists k, In k keys /\ (q == k)%Q.
Proof.
  unfold listed. rewrite existsb_exists. split; intros (k & I & E); exists k; (split; [exact I|]); now apply Qeq_bool_iff.
Qed.

Lemma add_new_all sums new q : listed q sums = true \/ listed q new = true -> listed q (fold_left add_new new sums) = true.
Proof.
  revert sums. induction new as [|x new IH]; intros sums H; simpl.
  - destruct H as [H|H]; [exact H | discriminate].
  - apply IH. unfold add_new. destruct H as [H|H].
    + left. destruct (listed x sums) eqn:X; [exact H|]. simpl. rewrite H. apply orb_true_r.
    + simpl in H. apply orb_prop in H. destruct H as [H|H]; [|now right]. left. apply Qeq_bool_iff in H.
      destruct (listed x sums) eqn:X.
      * apply listed_in in X. destruct X as (k & I & X). apply listed_in. exists k. split; [exact I | now rewrite H].
      * simpl. apply orb_true_iff. left. now apply Qeq_bool_iff.
Qed.

Lemma possible_tallies_all keys first others sums w a :
  possible_tallies keys first others = Some sums -> listed (first + weighted_tally others w a) sums = true.
Proof.
  revert sums w. induction others as [|x others IH]; intros sums w H; cbn [possible_tallies] in H.
  - destruct (listed first keys); [|discriminate]. injection H as <-. apply listed_in. exists first. split; [now left|].
    simpl. ring.
  - destruct (possible_tallies keys first others) as [before|] eqn:E; [|discriminate].
    destruct (forallb _ _); [|discriminate]. injection H as <-. apply add_new_all. destruct w as [|c w].
    + left. specialize (IH before [] eq_refl). destruct others; exact IH.
    + specialize (IH before w eq_refl). cbn [weighted_tally]. destruct (c =? a)%nat; [|now left]. right.
      apply listed_in in IH. destruct IH as (k & I & Q). apply listed_in. exists (Qred (x + k)). split.
      * now apply (in_map (fun s => Qred (x + s))).
      * rewrite !Qred_correct, <- Q. ring.
Qed.

Lemma found_at_listed {A} (zero : A) key row : listed key (keys_of row) = true -> In (found_at zero key row) (map snd row).
Proof.
  induction row as [|[k v] row IH]; simpl; [discriminate|]. intros H. destruct (Qeq_bool k key) eqn:E; [now left|].
  right. apply IH. apply orb_prop in H. destruct H as [H|H]; [|exact H]. apply Qeq_bool_iff in H. symmetry in H.
  apply Qeq_bool_iff in H. congruence.
Qed.

(** ** All kinds *)

Lemma nth_nth_inside {A} (zero : A) x y rows :
  (x < length rows)%nat -> (y < length (nth x rows []))%nat -> In (nth y (nth x rows []) zero) (concat rows).
Proof. intros X Y. apply in_concat. exists (nth x rows []). split; now apply nth_In. Qed.

Theorem loss_in_values i past a :
  shape i = true -> (0 < memory_of i)%nat -> valid (bandit_of i) past -> (a < actions_of i)%nat ->
  In (loss (bandit_of i) past a) (values_of i).
Proof.
  intros H M V A. unfold loss. cbn [bandit_of cost memory]. set (w := window (memory_of i) past a).
  assert (W : w = a :: firstn (memory_of i - 1) past).
  { unfold w, window. destruct (memory_of i); [lia|]. simpl. now rewrite Nat.sub_0_r. }
  destruct i as [m losses | m K windows | m weights losses]; cbn [window_loss values_of shape memory_of actions_of] in *.
  - rewrite W. cbn [window_loss]. rewrite <- W. pose proof (tally_bounds m past a M) as T. fold w in T.
    unfold full_rows in H. rewrite forallb_forall in H. apply nth_nth_inside; [exact A|].
    specialize (H _ (nth_In losses [] A)). apply Nat.eqb_eq in H. lia.
  - rewrite W. cbn [window_loss]. rewrite <- W. apply andb_prop in H. destruct H as [L P]. apply Nat.eqb_eq in L.
    assert (LW : (1 <= length w <= m)%nat) by (rewrite W; simpl; rewrite firstn_length; lia).
    apply nth_nth_inside; [lia|]. pose proof (powers_nth _ _ _ (length w - 1) P ltac:(lia)) as E.
    assert (VW : Forall (fun a => (a < K)%nat) w).
    { rewrite W. constructor; [exact A|]. apply Forall_firstn. exact V. }
    pose proof (code_below K w VW) as C. rewrite Zlength_correct in E.
    replace (Z.of_nat K ^ Z.of_nat (length w - 1) * Z.of_nat K) with (Z.of_nat K ^ Z.of_nat (length w)) in E; [lia|].
    replace (Z.of_nat (length w)) with (Z.succ (Z.of_nat (length w - 1))) by lia. rewrite Z.pow_succ_r by lia. lia.
  - rewrite W. cbn [window_loss]. apply andb_prop in H. destruct H as [_ H].
    destruct weights as [|first others]; [discriminate|].
    destruct (possible_tallies _ first others) as [tallies|] eqn:E; [|discriminate].
    rewrite forallb_forall in H. specialize (H _ (nth_In losses [] A)). unfold weighted_row in H.
    rewrite !andb_true_iff, forallb_forall in H. destruct H as [[_ H] _].
    set (key := weighted_tally (first :: others) (a :: firstn (m - 1) past) a).
    assert (F : In (found_at 0 key (nth a losses [])) (map snd (nth a losses []))).
    { apply found_at_listed. pose proof (possible_tallies_all _ _ _ _ (firstn (m - 1) past) a E) as P.
      apply listed_in in P. destruct P as (k & I & P). specialize (H k I). apply listed_in in H.
      destruct H as (k' & I' & H').
      apply listed_in. exists k'. split; [exact I'|]. rewrite <- H', <- P. unfold key. cbn [weighted_tally].
      rewrite Nat.eqb_refl. apply Qred_correct. }
    apply in_map_iff in F. destruct F as (kv & <- & I). apply in_map, in_concat. exists (nth a losses []).
    split; [now apply nth_In | exact I].
Qed.

(** The zero potential: n steps lose at least n times the least loss. *)
Theorem values_total i p q start w :
  shape i = true -> (0 < memory_of i)%nat -> (forall c, In c (values_of i) -> p <= q * c) ->
  valid (bandit_of i) start -> valid (bandit_of i) w -> Z.of_nat (length w) * p <= q * total (bandit_of i) start w.
Proof.
  intros S M H VS VW. revert start VS. induction VW as [|a w A VW IH]; intros start VS; [simpl; lia|].
  specialize (IH (a :: start) (Forall_cons a A VS)). pose proof (H _ (loss_in_values i start a S M VS A)).
  cbn [total length]. nia.
Qed.
