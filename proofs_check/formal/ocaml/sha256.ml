(* SHA-256 (FIPS 180-4), in OCaml's 63-bit integers.  The constants are computed from their definition: the first 32
   bits of the fractional parts of the cube roots and square roots of the first primes. *)

let mask = 0xffffffff

let primes count =
  let rec from n found =
    if List.length found = count then List.rev found
    else from (n + 1) (if List.exists (fun p -> n mod p = 0) found then found else n :: found)
  in
  from 2 []

let fraction power p =
  let scaled = Z.root (Z.shift_left (Z.of_int p) (32 * power)) power in
  Z.to_int (Z.logand scaled (Z.of_int mask))

let round_constants = Array.of_list (List.map (fraction 3) (primes 64))
let initial = Array.of_list (List.map (fraction 2) (primes 8))
let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land mask

let padded text =
  let n = String.length text in
  let zeros = (119 - (n mod 64)) mod 64 in
  let length = String.init 8 (fun i -> Char.chr (((n * 8) lsr (8 * (7 - i))) land 255)) in
  text ^ "\x80" ^ String.make zeros '\000' ^ length

let block state text offset =
  let w = Array.make 64 0 in
  for i = 0 to 15 do
    w.(i) <- Int32.to_int (String.get_int32_be text (offset + (4 * i))) land mask
  done;
  for i = 16 to 63 do
    let x = w.(i - 15) and y = w.(i - 2) in
    let s0 = rotate x 7 lxor rotate x 18 lxor (x lsr 3) and s1 = rotate y 17 lxor rotate y 19 lxor (y lsr 10) in
    w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
  done;
  let v = Array.copy state in
  for i = 0 to 63 do
    let a = v.(0) and e = v.(4) in
    let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 in
    let choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
    let t1 = v.(7) + s1 + choice + round_constants.(i) + w.(i) in
    let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 in
    let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
    Array.blit v 0 v 1 7;
    v.(4) <- (v.(4) + t1) land mask;
    v.(0) <- (t1 + s0 + majority) land mask
  done;
  Array.mapi (fun i x -> (x + v.(i)) land mask) state

let hex text =
  let text = padded text in
  let state = ref initial in
  for i = 0 to (String.length text / 64) - 1 do
    state := block !state text (64 * i)
  done;
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list !state))
