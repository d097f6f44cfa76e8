(* From the JSON document to the input of the extracted checker: shapes and types only.  Nothing here decides whether
   a certificate proves its claim; see docs/formal.md for what is trusted. *)

open Checker
module Z = Zint

exception Refused of string
exception Undecided of string

let refuse format = Printf.ksprintf (fun text -> raise (Refused text)) format

let fields ?(optional = []) where required = function
  | Json.Object pairs ->
      List.iter (fun key -> if not (List.mem_assoc key pairs) then refuse "The %s lacks the key %s." where key) required;
      List.iter
        (fun (key, _) ->
          if not (List.mem key required || List.mem key optional) then refuse "The %s has an unknown key." where)
        pairs;
      pairs
  | _ -> refuse "The %s is not an object." where

let get key pairs = List.assoc key pairs
let has key = function Json.Object pairs -> List.mem_assoc key pairs | _ -> false
let array where = function Json.List items -> items | _ -> refuse "The %s is not a list." where

let array_of where length value =
  let items = array where value in
  if List.compare_length_with items length <> 0 then refuse "The %s has a wrong number of entries." where;
  items

let string where = function Json.String text -> text | _ -> refuse "The %s is not a string." where

let integer where least = function
  | Json.Int z -> if Z.lt z (Z.of_int least) then refuse "The %s is below %d." where least else z
  | _ -> refuse "The %s is not an integer." where

let any_integer where = function Json.Int z -> z | _ -> refuse "The %s is not an integer." where

(* Tail recursive, for long lists. *)
let map f items = List.rev (List.rev_map f items)

(* An integer p, or p/q in lowest terms: the only way to write a rational. *)
let rational where value =
  let text = string where value in
  let bad () = refuse "The %s is not a rational p/q in lowest terms." where in
  match String.index_opt text '/' with
  | None -> bad ()
  | Some i ->
      let part first length =
        let s = String.sub text first length in
        if s = "" || String.length s > Json.most_digits then bad ();
        String.iteri (fun k c -> match c with '0' .. '9' -> () | '-' when k = 0 -> () | _ -> bad ()) s;
        match Z.of_string s with z -> z | exception _ -> bad ()
      in
      let p = part 0 i and q = part (i + 1) (String.length text - i - 1) in
      if Z.sign q < 1 || not (Z.equal (Z.gcd p q) Z.one) || text <> Z.to_string p ^ "/" ^ Z.to_string q then bad ();
      { qnum = p; qden = q }

let rec nat n = if n = 0 then O else S (nat (n - 1))

(* 0, 1, .., n-1, each the successor of the one before it. *)
let naturals n =
  let found = Array.make n O in
  for i = 1 to n - 1 do found.(i) <- S found.(i - 1) done;
  found

let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

let action where actions = function
  | Json.Int z when Z.sign z >= 0 && Z.lt z (Z.of_int (Array.length actions)) -> actions.(Z.to_int z)
  | _ -> refuse "The %s holds something that is not an action." where

let word_of where actions value = map (action where actions) (array where value)

let word where actions value =
  match word_of where actions value with [] -> refuse "The %s is empty." where | found -> found

(* ** Instances *)

(* A rational as instance files may write it: 1, 0.5, "0.5", " +1/2 ". *)
let number where value =
  let bad () = refuse "The %s is not a number." where in
  let lowest p q = let d = Z.gcd p q in { qnum = Z.divexact p d; qden = Z.divexact q d } in
  let digits text =
    if text = "" || String.length text > Json.most_digits then bad ();
    String.iter (function '0' .. '9' -> () | _ -> bad ()) text;
    Z.of_string text
  in
  let cut text i = (String.sub text 0 i, String.sub text (i + 1) (String.length text - i - 1)) in
  let unsigned text = if text <> "" && (text.[0] = '+' || text.[0] = '-') then Stdlib.snd (cut text 0) else text in
  let decimal text =
    let mantissa, exponent = match String.index_opt (String.lowercase_ascii text) 'e' with
      | None -> (text, 0)
      | Some i ->
          let mantissa, power = cut text i in
          if String.length (unsigned power) > 4 then bad ();
          (mantissa, (if power <> "" && power.[0] = '-' then -1 else 1) * Z.to_int (digits (unsigned power)))
    in
    let whole, fraction = match String.index_opt mantissa '.' with None -> (mantissa, "") | Some i -> cut mantissa i in
    let shift = exponent - String.length fraction in
    let power = Z.pow (Z.of_int 10) (abs shift) and all = digits (whole ^ fraction) in
    if shift >= 0 then lowest (Z.mul all power) Z.one else lowest all power
  in
  match value with
  | Json.Int z -> { qnum = z; qden = Z.one }
  | Json.String text -> (
      let text = String.trim text in
      let found = match String.split_on_char '/' (unsigned text) with
        | [ whole ] -> decimal whole
        | [ p; q ] when Z.sign (digits q) > 0 -> lowest (digits p) (digits q)
        | _ -> bad ()
      in
      if text.[0] = '-' then { found with qnum = Z.neg found.qnum } else found)
  | _ -> bad ()

(* Keys of an instance that carry no mathematics. *)
let for_people = [ "name"; "units" ]

let instance ?(number = rational) value =
  let losses where items = map (number where) items in
  let has key = has key value in
  let keys = if has "windows" then [ "memory"; "actions"; "windows" ]
    else if has "weights" then [ "memory"; "losses"; "weights" ] else [ "memory"; "losses" ] in
  let found = fields ~optional:for_people "instance" keys value in
  let m = integer "memory" 1 (get "memory" found) in
  let exactly where value =
    let items = array where value in
    if not (Z.equal m (Z.of_int (List.length items))) then refuse "The %s has a wrong number of entries." where;
    items
  in
  let rows () = match array "list of losses" (get "losses" found) with
    | [] -> refuse "The instance has no actions."
    | rows -> rows
  in
  if has "windows" then begin
    let k = integer "number of actions" 1 (get "actions" found) in
    let tables = exactly "list of windows" (get "windows" found) in
    let size = ref Z.one in
    let table value =
      size := Z.mul !size k;
      let items = array "list of losses of windows" value in
      if not (Z.equal !size (Z.of_int (List.length items))) then refuse "A list of windows has a wrong length.";
      losses "loss of the instance" items
    in
    let tables = map table tables in
    Windows (nat (Z.to_int m), nat (Z.to_int k), tables)
  end
  else if has "weights" then begin
    let weights = losses "weight" (exactly "list of weights" (get "weights" found)) in
    let entry (key, loss) = (number "tally" (Json.String key), number "loss of the instance" loss) in
    let row = function Json.Object pairs -> map entry pairs | _ -> refuse "A table of losses is not an object." in
    Weighted (nat (Z.to_int m), weights, map row (rows ()))
  end
  else
    let row value = losses "loss of the instance" (exactly "row of losses" value) in
    let table = map row (rows ()) in
    Tallying (nat (Z.to_int m), table)

let check_provenance about value raw =
  let bare = match raw with
    | Json.Object pairs -> Json.Object (List.filter (fun (key, _) -> not (List.mem key for_people)) pairs)
    | _ -> refuse "The %s is not an object." about
  in
  match value with
  | Json.Object pairs ->
      let text key = match List.assoc_opt key pairs with
        | Some found -> string key found
        | None -> refuse "The provenance lacks the key %s." key
      in
      ignore (text "program");
      ignore (text "version");
      if text (about ^ "_sha256") <> Sha256.hex (Json.canonical bare) then
        refuse "The hash in the provenance is not that of the %s." about
  | _ -> refuse "The provenance is not an object."

(* ** Graphs: the nodes and edges are numbered from 1 in the checker *)

type graph = { nodes : Z.t; edges : edge list }

(* Numbers 0 .. count-1, each plus one. *)
let numbers where count value =
  let one = function
    | Json.Int z when Z.sign z >= 0 && Z.lt z count -> Z.succ z
    | _ -> refuse "The %s holds something that is not in its range." where
  in
  map one (array where value)

let graph ?(number = rational) value =
  let found = fields ~optional:[ "names" ] "graph" [ "nodes"; "tails"; "heads"; "weights" ] value in
  let nodes = integer "number of nodes" 1 (get "nodes" found) in
  let tails = numbers "list of tails" nodes (get "tails" found) in
  let heads = numbers "list of heads" nodes (get "heads" found) in
  let weights = map (number "weight") (array "list of weights" (get "weights" found)) in
  if List.compare_lengths tails heads <> 0 || List.compare_lengths tails weights <> 0 then
    refuse "The lists of tails, heads and weights differ in length.";
  let ends = List.rev (List.rev_map2 (fun tail head -> (tail, head)) tails heads) in
  let edge (tail, head) weight = { tail; head; weight } in
  { nodes; edges = List.rev (List.rev_map2 edge ends weights) }

(* ** Proofs *)

let rule_of = function
  | Json.Object pairs -> (match List.assoc_opt "rule" pairs with
    | Some (Json.String rule) -> rule
    | _ -> refuse "A proof names no rule.")
  | _ -> refuse "A proof is not an object."

let integers where value = map (any_integer where) (array where value)
let wrong_rule rule = refuse "The rule %s is unknown, or not one for this claim." rule

let potential proof =
  if has "values" proof then
    let found = fields "potential" [ "rule"; "scale"; "values" ] proof in
    Vector (integer "scale" 1 (get "scale" found), integers "list of values" (get "values" found))
  else if has "slopes" proof then
    let found = fields "potential" [ "rule"; "slopes"; "charges" ] proof in
    let rows where = map (fun row -> map (rational where) (array where row)) (array where (get where found)) in
    OverActions (rows "slopes", rows "charges")
  else (ignore (fields "potential" [ "rule" ] proof); Zero)

(* What is left out, the names of what is left, and the proof inside. *)
let fewer actions proof =
  if has "replaced" proof then begin
    let found = fields "rule fewer-actions" [ "rule"; "replaced"; "proof" ] proof in
    let pair = function
      | Json.List [ x; z ] -> (action "pair of actions" actions x, action "pair of actions" actions z)
      | _ -> refuse "A pair of actions is not a pair."
    in
    let pairs = map pair (array "list of replaced actions" (get "replaced" found)) in
    let names = List.map Stdlib.fst pairs in
    if List.length (List.sort_uniq compare names) < List.length names then refuse "An action is replaced twice.";
    let left = Array.length actions - List.length pairs in
    if left < 1 then refuse "All actions are replaced.";
    (Replaced pairs, Array.sub actions 0 left, get "proof" found)
  end
  else
    let found = fields "rule fewer-actions" [ "rule"; "kept"; "proof" ] proof in
    let kept = word_of "list of kept actions" actions (get "kept" found) in
    if List.compare_length_with kept (Array.length actions) > 0 then refuse "An action is kept twice.";
    (KeptOnly kept, Array.sub actions 0 (List.length kept), get "proof" found)

let rec mean_proof actions proof =
  match rule_of proof with
  | "potential" -> MeanByPotential (potential proof)
  | "fewer-actions" ->
      let out, left, inside = fewer actions proof in
      MeanOfFewer (out, mean_proof left inside)
  | rule -> wrong_rule rule

let triple where = function
  | Json.List [ t; p; k ] -> ((integer where 0 t, integer where 1 p), integer where 1 k)
  | _ -> refuse "A %s is not a list of three integers." where

let rec total_proof actions proof =
  match rule_of proof with
  | "potential" -> (match potential proof with
    | Zero -> TotalByLeastLoss
    | _ -> refuse "For a horizon only the zero potential is a proof.")
  | "recursion" when has "jumps" proof ->
      let found = fields "rule recursion" [ "rule"; "over"; "jumps" ] proof in
      if get "over" found <> Json.String "histories" then refuse "Jumps are for the recursion over histories.";
      TotalOverHistories (map (triple "jump") (array "list of jumps" (get "jumps" found)))
  | "recursion" ->
      if get "over" (fields "rule recursion" [ "rule"; "over" ] proof) <> Json.String "counts" then
        refuse "The recursion is over histories, with jumps, or over counts.";
      TotalOverCounts
  | "close" ->
      let found = fields "rule close" [ "rule"; "mean"; "proof" ] proof in
      TotalByClosing (rational "mean" (get "mean" found), mean_proof actions (get "proof" found))
  | "fewer-actions" ->
      let out, left, inside = fewer actions proof in
      TotalOfFewer (out, total_proof left inside)
  | rule -> wrong_rule rule

let runs actions value =
  let run = function
    | Json.List [ played; repeats ] -> (word "word of a run" actions played, integer "number of repeats" 1 repeats)
    | _ -> refuse "A run is not a pair."
  in
  map run (array "list of runs" value)

(* The history with a given code, latest action first. *)
let history actions length code =
  let k = Z.of_int (Array.length actions) in
  let rec digits count code = if count = 0 then [] else
    let rest, digit = Z.div_rem code k in
    actions.(Z.to_int digit) :: digits (count - 1) rest
  in
  digits length code

(* How many histories there are; beyond all lists if they are long. *)
let histories actions length = Z.pow (Z.of_int (Array.length actions)) (min length 400)

(* A root still lacks its ways home: [main.ml] finds them, and the checker tests what it found. *)
let root actions length value =
  let found = fields ~optional:[ "repeat" ] "root of a stage" [ "root" ] value in
  let repeats = match List.assoc_opt "repeat" found with
    | None -> None
    | Some (Json.List [ t; p ]) -> Some (integer "start of a repeat" 0 t, integer "period of a repeat" 1 p)
    | Some _ -> refuse "The repeat of a root is not a pair."
  in
  let code = integer "root of a stage" 0 (get "root" found) in
  if Z.geq code (histories actions length) then refuse "The root of a stage is not the code of a history.";
  { root = history actions length code; repeats; home = Nil; far = Z.zero }

let stage actions length value =
  let found = fields "stage" [ "mean"; "scale"; "values"; "roots" ] value in
  let values = integers "list of values" (get "values" found) in
  if not (Z.equal (histories actions length) (Z.of_int (List.length values))) then
    refuse "A list of values has a wrong number of entries.";
  let potentials =
    { mean = rational "mean of a stage" (get "mean" found); scale_of = integer "scale of a stage" 1 (get "scale" found); values }
  in
  (potentials, map (root actions length) (array "list of roots" (get "roots" found)))

let rec period_proof actions length proof =
  match rule_of proof with
  | "potential" -> PeriodByPotential (potential proof)
  | "cases" ->
      let found = fields "rule cases" [ "rule"; "stages"; "proof" ] proof in
      let inside = get "proof" found in
      if rule_of inside <> "potential" then refuse "The last proof of the rule cases is not a potential.";
      PeriodByCases (map (stage actions length) (array "list of stages" (get "stages" found)), potential inside)
  | "fewer-actions" ->
      let out, left, inside = fewer actions proof in
      PeriodOfFewer (out, period_proof left length inside)
  | rule -> wrong_rule rule

(* ** The document *)

type document =
  | About of q instance * certificate
  | AboutGraph of graph * q * q * Z.t list * potential

let question_of = function
  | Json.Object pairs -> (match List.assoc_opt "question" pairs with
    | Some (Json.String text) -> text
    | _ -> refuse "The claim has no question.")
  | _ -> refuse "The claim is not an object."

let ends found =
  let value = rational "claimed value" (get "value" found) in
  ((if List.mem_assoc "lower" found then rational "claimed lower bound" (get "lower" found) else value), value)

let played what primal =
  let found = fields "primal side" [ "rule"; what ] primal in
  if get "rule" found <> Json.String "replay" then refuse "The rule of the primal side is not replay.";
  get what found

let beyond question = raise (Undecided ("The question " ^ question ^ " is not among those of the verified checker."))

let certificate length actions claim primal dual =
  let read keys = fields ~optional:[ "lower" ] "claim" ("question" :: "value" :: keys) claim in
  match question_of claim with
  | "mean-cycle" ->
      let lower, value = ends (read []) in
      MeanCycle (lower, value, word "word of the primal side" actions (played "word" primal), mean_proof actions dual)
  | "horizon" ->
      let found = read [ "horizon"; "start" ] in
      let lower, value = ends found in
      let start = word_of "start" actions (get "start" found) in
      Horizon (integer "horizon" 0 (get "horizon" found), start, lower, value, runs actions (played "runs" primal),
        total_proof actions dual)
  | "cyclic" ->
      let found = read [ "period" ] in
      let lower, value = ends found in
      let word = word "word of the primal side" actions (played "word" primal) in
      Cyclic (integer "period" 1 (get "period" found), lower, value, word, period_proof actions length dual)
  | ("worst-case" | "minimax") as question -> beyond question
  | _ -> refuse "The question is unknown."

let graph_certificate given claim primal dual =
  if question_of claim <> "mean-cycle" then refuse "About a graph there is only the question mean-cycle.";
  let lower, value = ends (fields ~optional:[ "lower" ] "claim" [ "question"; "value" ] claim) in
  let cycle = numbers "cycle" (Z.of_int (List.length given.edges)) (played "cycle" primal) in
  if rule_of dual <> "potential" then wrong_rule (rule_of dual);
  let phi = potential dual in
  (match phi with
  | Vector (_, values) when not (Z.equal given.nodes (Z.of_int (List.length values))) ->
      refuse "The list of values has a wrong number of entries."
  | _ -> ());
  AboutGraph (given, lower, value, cycle, phi)

let parsed ?decimals what text =
  try Json.parse ?decimals text with Json.Bad why -> refuse "The %s is not readable as JSON: %s." what why

(* The same problem as the one in this file: kind, sizes, weights and losses equal as numbers. *)
let same_problem text document =
  let given = parsed ~decimals:true "instance given" text in
  let sorted = function
    | Weighted (m, weights, rows) -> Weighted (m, weights, List.map (List.sort compare) rows)
    | other -> other
  in
  match document with
  | About (certified, _) -> sorted (instance ~number given) = sorted certified
  | AboutGraph (certified, _, _, _, _) -> graph ~number given = certified

let document text =
  let parsed = parsed "certificate" text in
  let about = if has "game" parsed then "game" else if has "graph" parsed then "graph" else "instance" in
  let found = fields "certificate" [ "format"; "version"; about; "claim"; "primal"; "dual"; "provenance" ] parsed in
  if get "format" found <> Json.String "tallyplan-certificate" then refuse "The format is not tallyplan-certificate.";
  (match get "version" found with
  | Json.Int z when Z.equal z (Z.of_int 2) -> ()
  | _ -> refuse "This checker knows version 2 only.");
  let raw = get about found and claim = get "claim" found and primal = get "primal" found and dual = get "dual" found in
  check_provenance about (get "provenance" found) raw;
  if about = "game" then beyond "minimax"
  else if has "arms" raw then raise (Undecided "Arms that are automata are not among the instances of the verified checker.")
  else if about = "graph" && List.mem (question_of claim) [ "ratio-cycle"; "critical-graph"; "negative-cycle" ] then
    beyond (question_of claim)
  else if about = "graph" then graph_certificate (graph raw) claim primal dual
  else
    let given = instance raw in
    let actions = naturals (int_of_nat (actions_of given)) in
    About (given, certificate (int_of_nat (memory_of given) - 1) actions claim primal dual)
