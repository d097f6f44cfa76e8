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
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

(* A small number that is not negative, as a count. *)
let count where least value =
  let z = integer where least value in
  if not (Z.fits_int z) || Z.to_int z > 1_000_000 then raise (Undecided ("The " ^ where ^ " is too large.")) else Z.to_int z

let action where actions = function
  | Json.Int z when Z.sign z >= 0 && Z.lt z (Z.of_int (Array.length actions)) -> actions.(Z.to_int z)
  | _ -> refuse "The %s holds something that is not an action." where

let word_of where actions value = map (action where actions) (array where value)

let word where actions value =
  match word_of where actions value with [] -> refuse "The %s is empty." where | found -> found

(* ** Instances *)

(* A rational as instance files may write it: 1, 0.5, "0.5", "1/2". *)
let number where value =
  let bad () = refuse "The %s is not a number." where in
  let lowest p q = let d = Z.gcd p q in { qnum = Z.divexact p d; qden = Z.divexact q d } in
  let decimal text =
    let mantissa, exponent = match String.index_opt (String.lowercase_ascii text) 'e' with
      | None -> (text, 0)
      | Some i -> (String.sub text 0 i, int_of_string (String.sub text (i + 1) (String.length text - i - 1)))
    in
    let digits, places = match String.index_opt mantissa '.' with
      | None -> (mantissa, 0)
      | Some i ->
          let fraction = String.sub mantissa (i + 1) (String.length mantissa - i - 1) in
          if fraction = "" || i = 0 then bad ();
          (String.sub mantissa 0 i ^ fraction, String.length fraction)
    in
    let shift = exponent - places in
    if abs shift > 4000 then bad ();
    let power = Z.pow (Z.of_int 10) (abs shift) in
    if shift >= 0 then lowest (Z.mul (Z.of_string digits) power) Z.one else lowest (Z.of_string digits) power
  in
  match value with
  | Json.Int z -> lowest z Z.one
  | Json.String text -> (
      String.iter (function '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' | '/' -> () | _ -> bad ()) text;
      try
        match String.split_on_char '/' text with
        | [ whole ] -> decimal whole
        | [ p; q ] when Z.sign (Z.of_string q) > 0 -> lowest (Z.of_string p) (Z.of_string q)
        | _ -> bad ()
      with Invalid_argument _ | Failure _ -> bad ())
  | _ -> bad ()

(* Keys of an instance that carry no mathematics. *)
let for_people = [ "name"; "units" ]

let instance ?(number = rational) value =
  let losses where items = map (number where) items in
  let has key = match value with Json.Object pairs -> List.mem_assoc key pairs | _ -> false in
  let keys = if has "windows" then [ "memory"; "actions"; "windows" ]
    else if has "weights" then [ "memory"; "losses"; "weights" ] else [ "memory"; "losses" ] in
  let found = fields ~optional:for_people "instance" keys value in
  if has "name" then ignore (string "name of the instance" (get "name" found));
  if has "units" then begin
    let units = fields "units" [ "of"; "origin"; "factor" ] (get "units" found) in
    let sign = match string "kind of the units" (get "of" units) with
      | "losses" -> 1
      | "rewards" -> -1
      | _ -> refuse "The units are neither of losses nor of rewards."
    in
    ignore (number "origin of the units" (get "origin" units));
    if Z.sign (number "factor of the units" (get "factor" units)).qnum <> sign then
      refuse "The factor of the units is not above 0 for losses, or below 0 for rewards."
  end;
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

(* The same problem: kind, sizes, weights and losses equal as numbers. *)
let same_instance given certified =
  let sorted = function
    | Weighted (m, weights, rows) -> Weighted (m, weights, List.map (List.sort compare) rows)
    | other -> other
  in
  sorted given = sorted certified

let fingerprint = function
  | Json.Object pairs -> Sha256.hex (Json.canonical (Json.Object (List.filter (fun (key, _) -> not (List.mem key for_people)) pairs)))
  | _ -> refuse "The instance is not an object."

let check_provenance value raw =
  match value with
  | Json.Object pairs ->
      let text key = match List.assoc_opt key pairs with
        | Some found -> string key found
        | None -> refuse "The provenance lacks the key %s." key
      in
      ignore (text "program");
      ignore (text "version");
      if text "instance_sha256" <> fingerprint raw then refuse "The hash in the provenance is not that of the instance."
  | _ -> refuse "The provenance is not an object."

(* ** Claims and proofs *)

let ends found =
  let value = rational "claimed value" (get "value" found) in
  ((if List.mem_assoc "lower" found then rational "claimed lower bound" (get "lower" found) else value), value)

let method_of = function
  | Json.Object pairs -> List.assoc_opt "method" pairs
  | _ -> refuse "The dual side is not an object."

(* Pairs [x, z] of actions, no x twice. *)
let pairs actions value =
  let pair = function
    | Json.List [ x; z ] -> (action "pair of a removed action" actions x, action "pair of a removed action" actions z)
    | _ -> refuse "A pair of a removed action is not a pair."
  in
  let found = map pair (array "list of removed actions" value) in
  let names = List.map Stdlib.fst found in
  if List.length (List.sort_uniq compare names) < List.length names then refuse "An action is removed twice.";
  found

let without actions removed =
  let left = Array.length actions - List.length removed in
  if left < 1 then refuse "All actions are removed.";
  Array.sub actions 0 left

let unproved name = raise (Undecided ("The method " ^ name ^ " is not among those of the verified checker."))

(* The method separable is the method tallies with a potential that is a sum over the actions: it is written
   out for every vector of tallies, in lexicographic order, and then has to prove the bound like any other. *)
let most_vectors = 1_000_000

let sums_of_charges rows =
  let memory = List.length (List.hd rows) in
  if List.exists (fun row -> List.length row <> memory) rows then refuse "The lists of charges differ in length.";
  let arms = List.length rows in
  let rec count made i = if i = arms then made else
    let more = Z.div (Z.mul made (Z.of_int (memory + i))) (Z.of_int i) in
    if Z.gt more (Z.of_int most_vectors) then raise (Undecided "There are too many vectors of tallies.");
    count more (i + 1)
  in
  ignore (count Z.one 1);
  let sums row = Array.of_list (List.rev (List.fold_left (fun made c -> Z.add (List.hd made) c :: made) [ Z.zero ] row)) in
  let rec vectors total sum made = function
    | [] -> made
    | [ last ] -> Z.add sum last.(total) :: made
    | first :: rest ->
        let rec each y made = if y > total then made else
          each (y + 1) (vectors (total - y) (Z.add sum first.(y)) made rest)
        in
        each 0 made
  in
  List.rev (vectors memory Z.zero [] (map sums rows))

let rec mean_proof actions dual =
  match method_of dual with
  | Some (Json.String "cheap-arms") -> unproved "cheap-arms"
  | None | Some (Json.String "potentials") ->
      let found = fields ~optional:[ "method" ] "dual side" [ "scale"; "potentials" ] dual in
      let phi = map (any_integer "list of potentials") (array "list of potentials" (get "potentials" found)) in
      ByPotentials (integer "scale" 1 (get "scale" found), phi)
  | Some (Json.String "least-loss") -> ignore (fields "dual side" [ "method" ] dual); ByLeastLoss
  | Some (Json.String "two-arms") ->
      let found = fields "dual side" [ "method"; "slopes" ] dual in
      ByTwoArms (map (rational "slope") (array "list of slopes" (get "slopes" found)))
  | Some (Json.String "fewer-arms") ->
      let found = fields "dual side" [ "method"; "removed"; "proof" ] dual in
      let removed = pairs actions (get "removed" found) in
      ByFewerArms (removed, mean_proof (without actions removed) (get "proof" found))
  | Some (Json.String "tallies") ->
      let found = fields "dual side" [ "method"; "scale"; "slopes"; "potentials" ] dual in
      let integers where value = map (any_integer where) (array where value) in
      let slopes = map (integers "list of slopes") (array "list of slopes" (get "slopes" found)) in
      ByTallies (integer "scale" 1 (get "scale" found), slopes, integers "list of potentials" (get "potentials" found))
  | Some (Json.String "per-arm") ->
      let found = fields "dual side" [ "method"; "price"; "excesses" ] dual in
      ByPrices (rational "price" (get "price" found), map (rational "excess") (array "list of excesses" (get "excesses" found)))
  | Some (Json.String "separable") ->
      let found = fields "dual side" [ "method"; "scale"; "slopes"; "charges" ] dual in
      let rows where = map (fun row -> map (any_integer where) (array where row)) (array where (get where found)) in
      let charges = rows "charges" in
      if List.length charges <> Array.length actions then refuse "There is not one list of charges for each action.";
      ByTallies (integer "scale" 1 (get "scale" found), rows "slopes", sums_of_charges charges)
  | Some _ -> refuse "The method of the dual side is unknown."

let triple where least = function
  | Json.List [ t; p; k ] -> ((integer where 0 t, integer where least p), integer where least k)
  | _ -> refuse "A %s is not a list of three integers." where

(* Whether the proof inside, about what is left of the actions, is by the recursion. *)
let rec by_recursion dual =
  match method_of dual, dual with
  | None, _ -> true
  | Some (Json.String "fewer-arms"), Json.Object pairs ->
      (match List.assoc_opt "proof" pairs with Some proof -> by_recursion proof | None -> false)
  | _ -> false

let rec horizon_proof actions dual =
  match method_of dual with
  | Some (Json.String "cheap-arms") -> unproved "cheap-arms"
  | None ->
      let found = fields "dual side" [ "jumps" ] dual in
      ByRecursion (map (triple "jump" 1) (array "list of jumps" (get "jumps" found)))
  | Some (Json.String "counts") -> ignore (fields "dual side" [ "method" ] dual); ByCounts
  | Some (Json.String "direct") -> ignore (fields "dual side" [ "method" ] dual); ByDirect
  | Some (Json.String "least-loss") -> ignore (fields "dual side" [ "method" ] dual); ByLeastLossOfSteps
  | Some (Json.String "mean-cycle") ->
      let found = fields "dual side" [ "method"; "mean"; "proof" ] dual in
      ByMean (rational "mean" (get "mean" found), mean_proof actions (get "proof" found))
  | Some (Json.String "fewer-arms") ->
      let found = fields "dual side" [ "method"; "removed"; "proof" ] dual in
      let removed = pairs actions (get "removed" found) in
      ByFewerArmsHorizon (removed, horizon_proof (without actions removed) (get "proof" found))
  | Some _ -> refuse "The method of the dual side is unknown."

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

let stage actions length value =
  let found = fields ~optional:[ "home"; "repeat" ] "stage" [ "root"; "potentials" ] value in
  let home = match List.assoc_opt "home" found with
    | None -> false
    | Some (Json.Bool home) -> home
    | Some _ -> refuse "The home of a stage is not true or false."
  in
  let repeat = match List.assoc_opt "repeat" found with
    | None -> None
    | Some (Json.List [ t; p ]) -> Some (integer "start of a repeat" 0 t, integer "period of a repeat" 1 p)
    | Some _ -> refuse "The repeat of a stage is not a pair."
  in
  let code = integer "root of a stage" 0 (get "root" found) in
  if Z.geq code (histories actions length) then refuse "The root of a stage is not the code of a history.";
  (integer "index of potentials" 0 (get "potentials" found), (home, { root = history actions length code; repeats = repeat }))

let weighing histories value =
  let found = fields "entry of the list of potentials" [ "mean"; "scale"; "values" ] value in
  let values = map (any_integer "list of potentials") (array "list of potentials" (get "values" found)) in
  if not (Z.equal histories (Z.of_int (List.length values))) then refuse "A list of potentials has a wrong number of entries.";
  { mean = rational "mean of potentials" (get "mean" found);
    scale_of = integer "scale of potentials" 1 (get "scale" found);
    values }

(* Potentials with the stages that use them; unused ones do not matter, except for the last. A stage with the ways home
   stands alone, marked: [main.ml] gives it potentials of its own, after its potentials were tested without it. *)
let stages actions length dual =
  (match method_of dual with
  | Some (Json.String (("cheap-arms" | "fewer-arms") as name)) -> unproved (name ^ ", of words,")
  | _ -> ());
  let found = fields "dual side" [ "potentials"; "stages" ] dual in
  let weighings = map (weighing (histories actions length)) (array "list of potentials" (get "potentials" found)) in
  let listed = map (stage actions length) (array "list of stages" (get "stages" found)) in
  let count = List.length weighings in
  if count = 0 then refuse "The list of potentials is empty.";
  let step before (index, _) =
    if Z.geq index (Z.of_int count) then refuse "A stage names potentials beyond the end of the list.";
    if Z.lt index before then refuse "A stage goes back to earlier potentials.";
    index
  in
  ignore (List.fold_left step Z.zero listed);
  let group i w =
    let own (index, stage) = if Z.equal index (Z.of_int i) then Some stage else None in
    let plain needed stages = if needed || stages <> [] then [ ((w, List.rev stages), false) ] else [] in
    let add (found, stages, first) = function
      | true, stage -> (((w, [ stage ]), true) :: plain first stages @ found, [], false)
      | false, stage -> (found, stage :: stages, first)
    in
    let found, stages, _ = List.fold_left add ([], [], true) (List.filter_map own listed) in
    List.rev (plain (i = count - 1) stages @ found)
  in
  List.split (List.concat (List.mapi group weighings))

let beyond question = raise (Undecided ("The question " ^ question ^ " is not among those of the verified checker."))

let certificate length actions claim primal dual =
  let question = match claim with
    | Json.Object pairs -> (match List.assoc_opt "question" pairs with
      | Some (Json.String text) -> text
      | _ -> refuse "The claim has no question.")
    | _ -> refuse "The claim is not an object."
  in
  match question with
  | "mean-cycle" ->
      let lower, value = ends (fields ~optional:[ "lower" ] "claim" [ "question"; "value" ] claim) in
      let played = word "word of the primal side" actions (get "word" (fields "primal side" [ "word" ] primal)) in
      (MeanCycle (lower, value, played, mean_proof actions dual), [])
  | "horizon" ->
      let keys = [ "question"; "horizon"; "start"; "value" ] in
      let optional = if by_recursion dual then [] else [ "lower" ] in
      let found = fields ~optional "claim" keys claim in
      let lower, value = ends found in
      let played = runs actions (get "runs" (fields "primal side" [ "runs" ] primal)) in
      let start = word_of "start" actions (get "start" found) in
      (Horizon (integer "horizon" 0 (get "horizon" found), start, lower, value, played, horizon_proof actions dual), [])
  | "cyclic" ->
      let found = fields ~optional:[ "lower" ] "claim" [ "question"; "period"; "value" ] claim in
      let lower, value = ends found in
      let period = integer "period" 1 (get "period" found) in
      let played = word "word of the primal side" actions (get "word" (fields "primal side" [ "word" ] primal)) in
      let groups, ways_home = stages actions length dual in
      (Cyclic (period, lower, value, played, groups), ways_home)
  | "worst-case" -> beyond question
  | _ -> refuse "The question is unknown."

let instance_file text =
  match Json.parse ~decimals:true text with
  | parsed -> instance ~number parsed
  | exception Json.Bad what -> refuse "The instance given is not readable as JSON: %s." what

let document text =
  let parts = [ "format"; "version"; "instance"; "claim"; "primal"; "dual"; "provenance" ] in
  let parsed = try Json.parse text with Json.Bad what -> refuse "The certificate is not readable as JSON: %s." what in
  (* A game in the place of the instance. *)
  (match parsed with Json.Object pairs when List.mem_assoc "game" pairs -> beyond "minimax" | _ -> ());
  let found = fields "certificate" parts parsed in
  if get "format" found <> Json.String "tallyplan-certificate" then refuse "The format is not tallyplan-certificate.";
  (match get "version" found with
  | Json.Int z when Z.equal z Z.one -> ()
  | _ -> refuse "This checker knows version 1.");
  let raw = get "instance" found in
  let given = instance raw in
  check_provenance (get "provenance" found) raw;
  let actions = Array.init (int_of_nat (actions_of given)) nat in
  let claimed, ways_home =
    certificate (int_of_nat (memory_of given) - 1) actions (get "claim" found) (get "primal" found) (get "dual" found)
  in
  (given, claimed, ways_home)
