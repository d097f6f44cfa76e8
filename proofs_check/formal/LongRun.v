(** * What a mean-cycle claim says about infinite sequences

    docs/certificates.md: "no policy has a long-run loss per step below v".  [mean_cycle_claim] says it with a constant:
    any n steps lose at least n v - C.  So the mean loss of the first n steps of any infinite sequence is at least v - eps from
    some n on, for every eps > 0; and the word of the claim has the mean [value] when it is repeated for ever. *)

Require Import List ZArith QArith Qround Lia Arith Lqa.
Require Import TallyPlan.Model TallyPlan.Claims.
Import ListNotations.

Theorem long_run_mean i lower value word :
  mean_cycle_claim i lower value word ->
  forall start f, allowed i start -> (forall n, (f n < actions_of i)%nat) ->
  forall eps, (0 < eps)%Q -> exists N, forall n, (N <= n)%nat -> ((lower - eps) * qnat n <= qtotal i start (prefix f n))%Q.
Proof.
  intros [_ H] start f S F eps E. destruct (H start S) as (C & HC).
  exists (Z.to_nat (Qceiling (C / eps))). intros n N.
  assert (A : allowed i (prefix f n)).
  { apply Forall_forall. intros a I. apply in_map_iff in I. destruct I as (k & <- & _). apply F. }
  specialize (HC _ A). unfold prefix at 1 in HC. rewrite map_length, seq_length in HC.
  assert (B : (C <= eps * qnat n)%Q).
  { assert (Q : (C / eps <= qnat n)%Q).
    { apply Qle_trans with (inject_Z (Qceiling (C / eps))); [apply Qle_ceiling|]. unfold qnat. rewrite <- Zle_Qle. lia. }
    setoid_replace C with (eps * (C / eps))%Q by (field; intros Z; rewrite Z in E; discriminate E).
    apply Qmult_le_l; assumption. }
  lra.
Qed.

(** The word, played n times after its first m repetitions: n times the same loss. *)
Theorem word_attains D i lower value word start n :
  all_fit D i = true -> mean_cycle_claim i lower value word ->
  (qtotal i start (repeated (memory_of i + n) word)
   == qtotal i start (repeated (memory_of i) word) + qnat n * (value * qnat (length word)))%Q.
Proof.
  intros F [(N & _ & E) _]. rewrite <- E, (qcycle_loss_scaled D), !(qtotal_scaled D) by assumption.
  rewrite <- (memory_scaled D i), total_repeated by assumption.
  unfold qnat, inject_Z, Qeq, Qplus, Qmult. cbn [Qnum Qden]. rewrite !Pos2Z.inj_mul. ring.
Qed.
