(** * Extraction to OCaml

    What is trusted here, besides Rocq's extraction itself: booleans, pairs, lists and options become OCaml's own;
    binary integers become zarith's, with the operations listed below.  Natural numbers stay as they are (O and S):
    they only name actions and count entries of lists. *)

Require Import ZArith QArith List.
Require Import TallyPlan.Model TallyPlan.Claims TallyPlan.Trie TallyPlan.FewerActions TallyPlan.Checker.
Require Extraction.
Require Import ExtrOcamlBasic.
Extraction Language OCaml.
Set Extraction KeepSingleton.

Extract Inductive positive => "Zint.t" [ "Zint.double_succ" "Zint.double" "Zint.one" ] "Zint.positive_case".
Extract Inductive Z => "Zint.t" [ "Zint.zero" "Zint.same" "Zint.neg" ] "Zint.integer_case".

Extract Constant Pos.add => "Zint.add".
Extract Constant Pos.mul => "Zint.mul".
Extract Constant Pos.succ => "Zint.succ".
Extract Constant Pos.eqb => "Zint.equal".
Extract Constant Z.add => "Zint.add".
Extract Constant Z.sub => "Zint.sub".
Extract Constant Z.mul => "Zint.mul".
Extract Constant Z.opp => "Zint.neg".
Extract Constant Z.abs => "Zint.abs".
Extract Constant Z.min => "Zint.min".
Extract Constant Z.max => "Zint.max".
Extract Constant Z.succ => "Zint.succ".
Extract Constant Z.eqb => "Zint.equal".
Extract Constant Z.leb => "Zint.leq".
Extract Constant Z.ltb => "Zint.lt".
Extract Constant Z.gcd => "Zint.gcd".
Extract Constant Z.div => "Zint.floor_div".
Extract Constant Z.modulo => "Zint.floor_mod".

Extraction "checker.ml" check check_graph table_of loss kept_actions actions_of memory_of.
