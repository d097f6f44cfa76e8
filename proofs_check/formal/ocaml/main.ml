(* verified-check FILE [--instance FILE] [--limit N]: says whether the certificate proves its claim, and what was proved.
   Exit status: 0 accepted, 1 refused, 2 bad usage or no such file, 3 undecided. *)

open Checker
module Z = Zint

let shown q = Z.to_string q.qnum ^ "/" ^ Z.to_string q.qden
let int = Read.int_of_nat
let letters word = String.concat " " (List.map (fun a -> string_of_int (int a)) word)
let row losses = String.concat " " (List.map shown losses)

let print_instance i =
  let sizes = Printf.sprintf "%d actions, memory %d" (int (actions_of i)) (int (memory_of i)) in
  match i with
  | Tallying (_, losses) ->
      Printf.printf "Tallying bandit: %s. Losses h_x(1), h_x(2), ...:\n" sizes;
      List.iteri (fun x h -> Printf.printf "  x = %d: %s\n" x (row h)) losses
  | Windows (_, _, tables) ->
      Printf.printf "Window bandit: %s. Losses of the windows of each length, in the order of their codes:\n" sizes;
      List.iteri (fun j t -> Printf.printf "  length %d: %s\n" (j + 1) (row t)) tables
  | Weighted (_, weights, losses) ->
      Printf.printf "Weighted tallies: %s, weights %s. Losses by weighted tally:\n" sizes (row weights);
      let pair (key, loss) = shown key ^ " -> " ^ shown loss in
      List.iteri (fun x h -> Printf.printf "  x = %d: %s\n" x (String.concat ", " (List.map pair h))) losses

let equal p q = Z.equal p.qnum q.qnum && Z.equal p.qden q.qden

let interval lower value =
  if equal lower value then "is " ^ shown value
  else Printf.sprintf "is at least %s and at most %s" (shown lower) (shown value)

let print_claim = function
  | MeanCycle (lower, value, word, _) ->
      Printf.printf "Proved: the least long-run loss per step %s; the word %s, repeated for ever, loses %s per step.\n"
        (interval lower value) (letters word) (shown value)
  | Horizon (steps, start, lower, value, _, _) ->
      let after = if start = [] then "" else " after the actions " ^ letters start in
      Printf.printf "Proved: the least total loss of %s steps%s %s.\n" (Z.to_string steps) after (interval lower value)
  | Cyclic (period, lower, value, word, _) ->
      Printf.printf "Proved: the least mean loss per step over words of length %s %s; the word %s has the mean %s.\n"
        (Z.to_string period) (interval lower value) (letters word) (shown value)

let print_graph graph lower value cycle =
  Printf.printf "Graph: %s nodes, %d edges (tail, head, weight):\n" (Z.to_string graph.Read.nodes) (List.length graph.Read.edges);
  let node n = Z.to_string (Z.pred n) in
  List.iter (fun e -> Printf.printf "  %s %s %s\n" (node e.tail) (node e.head) (shown e.weight)) graph.Read.edges;
  Printf.printf "Proved: the least mean weight of a closed walk %s; the edges %s have the mean %s.\n" (interval lower value)
    (String.concat " " (List.map node cycle)) (shown value)

(* The entries of the largest table, before it is made. *)

let binomial n k =
  List.fold_left (fun c i -> Z.divexact (Z.mul c (Z.of_int (n - k + i))) (Z.of_int i)) Z.one (List.init k succ)

let left k = function Replaced pairs -> k - List.length pairs | KeptOnly kept -> List.length kept
let power k e = if k < 2 then Z.one else Z.pow (Z.of_int k) (min e 400)
let of_potential k m = function Vector _ -> power k (m - 1) | _ -> Z.one

let rec of_mean k m = function
  | MeanByPotential phi -> of_potential k m phi
  | MeanOfFewer (out, rest) -> of_mean (left k out) m rest

let rec of_total k m steps start = function
  | TotalByLeastLoss -> Z.one
  | TotalOverHistories _ -> power k (m - 1)
  | TotalOverCounts ->
      let d = m - start in
      if Z.leq steps (Z.of_int d) || Z.gt steps (Z.of_int (d + m)) then Z.one
      else
        let ways = power k (max 0 (Z.to_int steps - m)) and size = binomial (d + k - 1) (min d (k - 1)) in
        Z.max ways (Z.mul size (Z.of_int k))
  | TotalByClosing (_, rest) -> of_mean k m rest
  | TotalOfFewer (out, rest) -> of_total (left k out) m steps start rest

let rec of_period k m = function
  | PeriodByPotential phi -> of_potential k m phi
  | PeriodByCases _ -> power k (m - 1)
  | PeriodOfFewer (out, rest) -> of_period (left k out) m rest

let largest_table i c =
  let k = int (actions_of i) and m = int (memory_of i) in
  match c with
  | MeanCycle (_, _, _, proof) -> of_mean k m proof
  | Horizon (steps, start, _, _, _, proof) -> of_total k m steps (min (m - 1) (List.length start)) proof
  | Cyclic (_, _, _, _, proof) -> of_period k m proof

(* Steps along lists, which touch no integer and so are not counted on the way: the windows of what is played, and the
   actions that are left out, number by number. Ten of them are charged as one. *)

let product = List.fold_left (fun made n -> Z.mul made (Z.of_int n)) Z.one
let sum = List.fold_left Z.add Z.zero

let of_run m (word, repeats) =
  let length = List.length word in
  let most = 2 + (m / length) in
  product [ length; m; (if Z.lt repeats (Z.of_int most) then Z.to_int repeats else most) ]

let of_word m word = of_run m (word, Z.of_int max_int)

let of_left_out k m = function
  | Replaced pairs -> Z.add (product [ List.length pairs; k; 1 + (k / 3) ]) (product [ List.length pairs; m; m ])
  | KeptOnly kept -> product [ List.length kept; k + m ]

let rec outs_of_mean k m = function
  | MeanByPotential _ -> Z.zero
  | MeanOfFewer (out, rest) -> Z.add (of_left_out k m out) (outs_of_mean (left k out) m rest)

let rec outs_of_total k m = function
  | TotalOfFewer (out, rest) -> Z.add (of_left_out k m out) (outs_of_total (left k out) m rest)
  | TotalByClosing (_, rest) -> outs_of_mean k m rest
  | _ -> Z.zero

let rec outs_of_period k m = function
  | PeriodOfFewer (out, rest) -> Z.add (of_left_out k m out) (outs_of_period (left k out) m rest)
  | _ -> Z.zero

let list_steps i c =
  let k = int (actions_of i) and m = int (memory_of i) in
  match c with
  | MeanCycle (_, _, word, proof) -> Z.add (of_word m word) (outs_of_mean k m proof)
  | Horizon (_, _, _, _, runs, proof) -> Z.add (sum (List.map (of_run m) runs)) (outs_of_total k m proof)
  | Cyclic (_, _, _, word, proof) -> Z.add (of_word m word) (outs_of_period k m proof)

(* ** The ways home of the rule cases: found here, tested by the checker. *)

module Ahead = Set.Make (struct type t = Z.t * int let compare = compare end)

(* r(s, a) of all edges, as the checker scales them; negative ones, which are refused, as 0, so that the search ends. *)
let reduced_costs costs n k d w =
  let phi = Array.of_list w.values and den = w.mean.qden in
  Array.init (n * k) (fun edge ->
      let s = edge / k and there = edge mod n in
      let above = Z.mul w.scale_of (Z.sub (Z.mul den costs.(edge)) (Z.mul w.mean.qnum d)) in
      Z.max Z.zero (Z.add above (Z.mul (Z.mul d den) (Z.sub phi.(there) phi.(s)))))

let ways_home costs n k gone root room =
  let home = Array.make n room and ahead = ref (Ahead.singleton (Z.zero, root)) and found = ref [] in
  home.(root) <- Z.zero;
  while not (Ahead.is_empty !ahead) do
    let ((far, there) as nearest) = Ahead.min_elt !ahead in
    ahead := Ahead.remove nearest !ahead;
    if Z.equal far home.(there) then begin
      found := (there, far) :: !found;
      for dropped = 0 to k - 1 do
        let edge = (dropped * n) + there in
        let s = edge / k in
        let total = Z.add far costs.(edge) in
        if (not gone.(s)) && Z.lt total home.(s) then (home.(s) <- total; ahead := Ahead.add (total, s) !ahead)
      done
    end
  done;
  !found

let with_ways_home d i period lower stages =
  let k = int (actions_of i) and m = int (memory_of i) in
  let actions = Read.naturals k and n = Z.to_int (power k (m - 1)) in
  let b = bandit_of (map_instance (scaled d) i) and gone = Array.make n false in
  let history s = Read.history actions (m - 1) (Z.of_int s) in
  let costs = lazy (Array.init (n * k) (fun edge -> loss b (history (edge / k)) actions.(edge mod k))) in
  let code word = List.fold_right (fun action code -> (code * k) + int action) word 0 in
  let stage (w, roots) =
    let gap = Z.sub (Z.mul lower.qnum w.mean.qden) (Z.mul w.mean.qnum lower.qden) in
    let far = Z.cdiv (Z.mul (Z.mul w.scale_of period) (Z.mul gap d)) lower.qden in
    let reduced = lazy (reduced_costs (Lazy.force costs) n k d w) in
    let root data =
      let code = code data.root in
      let found = if Z.sign far <= 0 then [] else ways_home (Lazy.force reduced) n k gone code far in
      gone.(code) <- true;
      { data with home = table_of (List.rev_map (fun (s, cost) -> (history s, cost)) found); far }
    in
    (w, List.map root roots)
  in
  List.map stage stages

(* The smaller instance, as the checker makes it. *)
let without i out = match i with
  | Tallying (m, rows) -> Tallying (m, kept_rows (kept_actions (actions_of i) out) rows)
  | other -> other

let rec with_homes d i period lower = function
  | PeriodByCases (stages, rest) -> PeriodByCases (with_ways_home d i period lower stages, rest)
  | PeriodOfFewer (out, rest) -> PeriodOfFewer (out, with_homes d (without i out) period lower rest)
  | proof -> proof

let prepared i = function
  | Cyclic (period, lower, value, word, proof) when Z.equal period (Z.of_int (List.length word)) ->
      Cyclic (period, lower, value, word, with_homes (common_denominator i) i period lower proof)
  | c -> c

(* ** The verdict *)

let too_much limit = raise (Read.Undecided (Printf.sprintf "Checking this certificate takes more than the limit of %s steps." (Z.to_string limit)))

let verdict limit given text =
  let document = Read.document text in
  if Option.fold ~none:false ~some:(fun text -> not (Read.same_problem text document)) given then
    raise (Read.Refused "The certificate is about another problem than the instance given.");
  Zint.steps_left := if Z.fits_int limit then Z.to_int limit else max_int;
  let proved = match document with
    | Read.About (i, c) ->
        let few = Z.leq (Z.mul (largest_table i c) (Z.of_int 100)) limit in
        if not (few && Z.leq (list_steps i c) (Z.mul (Z.of_int 10) limit)) then too_much limit;
        check i (prepared i c)
    | Read.AboutGraph (graph, lower, value, cycle, phi) -> check_graph graph.Read.edges lower value cycle phi
  in
  if not proved then raise (Read.Refused "The certificate does not prove its claim.");
  Zint.steps_left := max_int;
  (match document with
  | Read.About (i, c) -> print_instance i; print_claim c
  | Read.AboutGraph (graph, lower, value, cycle, _) -> print_graph graph lower value cycle);
  print_endline "accepted";
  0

let contents path =
  let channel = if path = "-" then stdin else open_in_bin path in
  let buffer = Buffer.create 65536 in
  (try
     while true do
       Buffer.add_channel buffer channel 1
     done
   with End_of_file -> ());
  let text = Buffer.contents buffer in
  if path <> "-" then close_in channel;
  text

let usage () = prerr_endline "usage: verified-check FILE [--instance FILE] [--limit N]"; exit 2

(* The path, the instance file and the limit, in any order. *)
let rec options path given limit = function
  | [] -> ((match path with Some path -> path | None -> usage ()), given, limit)
  | "--instance" :: file :: rest -> options path (Some file) limit rest
  | "--limit" :: n :: rest -> options path given (try Z.of_string n with Invalid_argument _ -> usage ()) rest
  | file :: rest when path = None -> options (Some file) given limit rest
  | _ -> usage ()

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 32 * 1024 * 1024 };
  let path, given, limit = options None None (Z.of_int 1_000_000_000) (List.tl (Array.to_list Sys.argv)) in
  let read path = try contents path with Sys_error what -> prerr_endline what; exit 2 in
  let text = read path and given = Option.map read given in
  exit
    (match verdict limit given text with
    | status -> status
    | exception Read.Refused why -> Printf.printf "%s\nrefused\n" why; 1
    | exception Read.Undecided why -> Printf.printf "%s\nundecided\n" why; 3
    | exception Zint.Limit -> Printf.printf "Checking this certificate takes more than the limit of %s steps.\nundecided\n" (Z.to_string limit); 3
    | exception (Stack_overflow | Out_of_memory) -> print_endline "Too large for this machine.\nundecided"; 3)
