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

(* The table that is held and the edges that are evaluated, before any of it is done. *)

let binomial n k =
  List.fold_left (fun c i -> Z.divexact (Z.mul c (Z.of_int (n - k + i))) (Z.of_int i)) Z.one (List.init k succ)

let rec work_of_mean k m n = function
  | ByPotentials _ -> (n, Z.mul n k)
  | ByTallies (_, _, phi) ->
      let vectors = binomial (m + Z.to_int k - 1) m in
      if not (Z.equal vectors (Z.of_int (List.length phi))) then
        raise (Read.Refused "The list of potentials has a wrong number of entries.");
      (vectors, Z.mul vectors (Z.mul k (Z.mul k k)))
  | ByFewerArms (removed, rest) ->
      let k = Z.sub k (Z.of_int (List.length removed)) in
      work_of_mean k m (Z.pow k (min (m - 1) 400)) rest
  | _ -> (Z.one, Z.one)

(* The sweeps that are left; jumps in the wrong places are refused before any of them is made. *)
let sweeps steps jumps =
  let jump (at, count) ((t, p), k) =
    let later = Z.add t (Z.mul (Z.succ k) p) in
    if Z.lt t at || Z.gt later steps then raise (Read.Refused "A jump starts too early or ends too late.");
    (later, Z.add count (Z.add (Z.sub t at) (Z.mul (Z.of_int 3) p)))
  in
  let at, count = List.fold_left jump (Z.zero, Z.zero) jumps in
  Z.add count (Z.sub steps at)

let rec work_of_horizon k m n steps = function
  | ByRecursion jumps -> (n, Z.mul (Z.mul n k) (Z.max Z.one (sweeps steps jumps)))
  | ByDirect -> (n, Z.mul (Z.mul n k) steps)
  | ByMean (_, rest) -> work_of_mean k m n rest
  | ByFewerArmsHorizon (removed, rest) ->
      let k = Z.sub k (Z.of_int (List.length removed)) in
      work_of_horizon k m (Z.pow k (min (m - 1) 400)) steps rest
  | ByCounts | ByLeastLossOfSteps -> (Z.one, Z.one)

let work i c =
  let k = Z.of_int (int (actions_of i)) and m = int (memory_of i) in
  let n = Z.pow k (min (m - 1) 400) in
  match c with
  | MeanCycle (_, _, _, proof) -> work_of_mean k m n proof
  | Cyclic (_, _, _, _, groups) -> (n, Z.mul (Z.mul n k) (Z.of_int (List.length groups)))
  | Horizon (steps, _, _, _, _, proof) -> work_of_horizon k m n steps proof

(* That no loss is below [lower] is proved for tables of tallies. For other instances it is put as potentials that are
   all zero, whose check is proved for every kind; the losses of shorter windows are looked at here. *)
let with_potentials limit i c =
  let below lower loss = Z.lt (Z.mul loss.qnum lower.qden) (Z.mul lower.qnum loss.qden) in
  let zeros losses lower value word =
    if List.exists (below lower) losses then raise (Read.Refused "A loss is below the claimed mean.");
    let n = Z.pow (Z.of_int (int (actions_of i))) (min (int (memory_of i) - 1) 400) in
    if Z.gt n limit || not (Z.fits_int n) then raise (Read.Undecided "There are more histories than the limit of edges.");
    MeanCycle (lower, value, word, ByPotentials (Z.one, List.init (Z.to_int n) (fun _ -> Z.zero)))
  in
  match i, c with
  | Windows (_, _, tables), MeanCycle (lower, value, word, ByLeastLoss) -> zeros (List.concat tables) lower value word
  | Weighted (_, _, losses), MeanCycle (lower, value, word, ByLeastLoss) ->
      zeros (List.map snd (List.concat losses)) lower value word
  | (Windows _ | Weighted _), Horizon (_, _, _, _, _, ByLeastLossOfSteps) ->
      raise (Read.Undecided "The least loss of steps is proved for tables of tallies alone.")
  | _ -> c

(* The tables of a stage with the ways home B are those of the potentials phi + min(B, b) without them, plus B: such
   potentials are what is checked. Reduced costs are multiplied by u to be integers, and where they should be negative,
   which is refused, put as 0, so that the search for B ends. *)
let homeward i period lower gone w root =
  let k = int (actions_of i) and d = common_denominator i in
  let b = bandit_of (map_instance (scaled d) i) in
  let n = Array.length gone and actions = Array.init k Read.nat and phi = Array.of_list w.values in
  let u = Z.mul d w.mean.qden in
  let gap = Z.sub (Z.mul lower.qnum w.mean.qden) (Z.mul w.mean.qnum lower.qden) in
  let budget = Z.cdiv (Z.mul (Z.mul w.scale_of period) (Z.mul gap d)) lower.qden in
  if Array.length phi <> n || Z.sign budget <= 0 then w
  else begin
    let reduced s a there =
      let loss = loss b (Read.history actions (int (memory_of i) - 1) (Z.of_int s)) actions.(a) in
      let above = Z.mul w.scale_of (Z.sub (Z.mul loss w.mean.qden) (Z.mul w.mean.qnum d)) in
      Z.max Z.zero (Z.add above (Z.mul u (Z.sub phi.(there) phi.(s))))
    in
    let home = Array.make n budget and waiting = Queue.create () in
    home.(root) <- Z.zero;
    Queue.add root waiting;
    while not (Queue.is_empty waiting) do
      let there = Queue.take waiting in
      for dropped = 0 to k - 1 do
        let s = ((dropped * n) + there) / k and a = ((dropped * n) + there) mod k in
        let total = if gone.(s) then budget else Z.add home.(there) (reduced s a there) in
        if Z.lt total home.(s) then (home.(s) <- total; Queue.add s waiting)
      done
    done;
    { w with scale_of = Z.mul w.scale_of u; values = List.init n (fun s -> Z.add (Z.mul u phi.(s)) home.(s)) }
  end

let with_ways_home i ways_home = function
  | Cyclic (period, lower, value, word, groups) when List.mem true ways_home ->
      let k = int (actions_of i) in
      let gone = Array.make (Z.to_int (Z.pow (Z.of_int k) (int (memory_of i) - 1))) false in
      let code stage = List.fold_right (fun action code -> (code * k) + int action) stage.root 0 in
      let group (w, stages) home =
        let used = if home then homeward i period lower gone w (code (List.hd stages)) else w in
        List.iter (fun stage -> gone.(code stage) <- true) stages;
        (used, stages)
      in
      Cyclic (period, lower, value, word, List.map2 group groups ways_home)
  | c -> c

let verdict limit given text =
  let i, c, ways_home = Read.document text in
  let about_it text = Read.same_instance (Read.instance_file text) i in
  if not (Option.fold ~none:true ~some:about_it given) then
    raise (Read.Refused "The certificate is about another problem than the instance given.");
  let c = with_potentials limit i c in
  let table, edges = work i c in
  if Z.gt edges limit || Z.gt (Z.mul table (Z.of_int 100)) limit then
    raise (Read.Undecided (Printf.sprintf "Checking this certificate needs more than the limit of %s edges." (Z.to_string limit)));
  if check i (with_ways_home i ways_home c) then (print_instance i; print_claim c; print_endline "accepted"; 0)
  else raise (Read.Refused "The certificate does not prove its claim.")

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
    | exception (Stack_overflow | Out_of_memory) -> print_endline "Too large for this machine.\nundecided"; 3)
