(* Strict JSON: no duplicate keys, no fractions or exponents, no constants such as NaN; integers of any size. *)

exception Bad of string

type t =
  | Null
  | Bool of bool
  | Int of Z.t
  | String of string (* UTF-8; a lone surrogate as its three bytes *)
  | List of t list
  | Object of (string * t) list

let most_digits = 4300
let deepest = 100

(* The code point c as UTF-8. *)
let add_code buffer c =
  let byte b = Buffer.add_char buffer (Char.chr b) in
  let tail shift = byte (0x80 lor ((c lsr shift) land 0x3f)) in
  if c < 0x80 then byte c
  else if c < 0x800 then (byte (0xc0 lor (c lsr 6)); tail 0)
  else if c < 0x10000 then (byte (0xe0 lor (c lsr 12)); tail 6; tail 0)
  else (byte (0xf0 lor (c lsr 18)); tail 12; tail 6; tail 0)

(* The code point at position i of a UTF-8 text, and the position after it. *)
let code_at text i =
  let at k = Char.code text.[i + k] land 0x3f in
  match Char.code text.[i] with
  | c when c < 0x80 -> (c, i + 1)
  | c when c < 0xe0 -> (((c land 0x1f) lsl 6) lor at 1, i + 2)
  | c when c < 0xf0 -> (((c land 0x0f) lsl 12) lor (at 1 lsl 6) lor at 2, i + 3)
  | c -> (((c land 0x07) lsl 18) lor (at 1 lsl 12) lor (at 2 lsl 6) lor at 3, i + 4)

let check_utf8 text =
  let n = String.length text in
  let rec from i =
    if i < n then begin
      let c = Char.code text.[i] in
      let length = if c < 0x80 then 1 else if c < 0xc2 then 0 else if c < 0xe0 then 2 else if c < 0xf0 then 3
        else if c < 0xf5 then 4 else 0 in
      let continues k = Char.code text.[i + k] land 0xc0 = 0x80 in
      let fine = length > 0 && i + length <= n && List.for_all continues (List.init (length - 1) succ) in
      if not fine then raise (Bad "not UTF-8");
      let code, next = code_at text i in
      let least = [| 0; 0; 0x80; 0x800; 0x10000 |].(length) in
      if code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) then raise (Bad "not UTF-8");
      from next
    end
  in
  from 0

(* No text has more digits in a row, wherever they stand. *)
let check_digits text =
  let row = ref 0 in
  let count c =
    row := if c >= '0' && c <= '9' then !row + 1 else 0;
    if !row > most_digits then raise (Bad "too many digits in a row") in
  String.iter count text

(* With [decimals], a number with a fraction or an exponent stays as its text. *)
let parse ?(decimals = false) text =
  check_utf8 text;
  check_digits text;
  let n = String.length text in
  let place = ref 0 in
  let fail what = raise (Bad (Printf.sprintf "%s at byte %d" what !place)) in
  let peek () = if !place < n then text.[!place] else '\000' in
  let rec space () =
    match peek () with ' ' | '\t' | '\n' | '\r' when !place < n -> incr place; space () | _ -> ()
  in
  let expect c = if !place < n && peek () = c then incr place else fail (Printf.sprintf "'%c' expected" c) in
  let literal word value =
    let k = String.length word in
    if !place + k <= n && String.sub text !place k = word then (place := !place + k; value) else fail "unknown word"
  in
  let hex4 () =
    let digit c = match c with
      | '0' .. '9' -> Char.code c - 48
      | 'a' .. 'f' -> Char.code c - 87
      | 'A' .. 'F' -> Char.code c - 55
      | _ -> fail "a hexadecimal digit expected"
    in
    let value = ref 0 in
    for _ = 1 to 4 do value := (!value * 16) + digit (peek ()); incr place done;
    !value
  in
  let escaped buffer =
    let c = peek () in
    incr place;
    match c with
    | '"' | '\\' | '/' -> Buffer.add_char buffer c
    | 'b' -> Buffer.add_char buffer '\b'
    | 'f' -> Buffer.add_char buffer '\012'
    | 'n' -> Buffer.add_char buffer '\n'
    | 'r' -> Buffer.add_char buffer '\r'
    | 't' -> Buffer.add_char buffer '\t'
    | 'u' ->
        let high = hex4 () in
        let pair = high >= 0xd800 && high < 0xdc00 && !place + 1 < n && peek () = '\\' && text.[!place + 1] = 'u' in
        if not pair then add_code buffer high
        else begin
          let before = !place in
          place := !place + 2;
          let low = hex4 () in
          if low >= 0xdc00 && low < 0xe000 then
            add_code buffer (0x10000 + ((high - 0xd800) lsl 10) + (low - 0xdc00))
          else (place := before; add_code buffer high)
        end
    | _ -> fail "unknown escape"
  in
  let string () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec more () =
      if !place >= n then fail "string without end";
      match peek () with
      | '"' -> incr place
      | '\\' -> incr place; escaped buffer; more ()
      | c when Char.code c < 0x20 -> fail "control character in a string"
      | c -> Buffer.add_char buffer c; incr place; more ()
    in
    more ();
    Buffer.contents buffer
  in
  let number () =
    let first = !place in
    if peek () = '-' then incr place;
    let digits = !place in
    while (match peek () with '0' .. '9' -> true | _ -> false) do incr place done;
    let count = !place - digits in
    if count = 0 then fail "a digit expected";
    if count > 1 && text.[digits] = '0' then fail "a number starts with 0";
    let rest () = match peek () with '0' .. '9' | '.' | 'e' | 'E' | '+' | '-' -> true | _ -> false in
    if not (rest ()) then Int (Z.of_string (String.sub text first (!place - first)))
    else if not decimals then fail "a fraction or an exponent"
    else begin
      while rest () do incr place done;
      String (String.sub text first (!place - first))
    end
  in
  let rec value depth =
    space ();
    match peek () with
    | ('{' | '[') when depth >= deepest -> fail "nested too deeply"
    | '{' -> incr place; members depth
    | '[' -> incr place; elements depth
    | '"' -> String (string ())
    | 't' -> literal "true" (Bool true)
    | 'f' -> literal "false" (Bool false)
    | 'n' -> literal "null" Null
    | '-' | '0' .. '9' -> number ()
    | _ -> fail "a value expected"
  and elements depth =
    space ();
    if peek () = ']' then (incr place; List [])
    else
      let rec more found =
        let found = value (depth + 1) :: found in
        space ();
        if peek () = ',' then (incr place; more found) else (expect ']'; List (List.rev found))
      in
      more []
  and members depth =
    let seen = Hashtbl.create 8 in
    let member () =
      space ();
      let key = string () in
      if Hashtbl.mem seen key then fail "a key occurs twice";
      Hashtbl.add seen key ();
      space ();
      expect ':';
      (key, value (depth + 1))
    in
    space ();
    if peek () = '}' then (incr place; Object [])
    else
      let rec more found =
        let found = member () :: found in
        space ();
        if peek () = ',' then (incr place; more found) else (expect '}'; Object (List.rev found))
      in
      more []
  in
  let result = value 0 in
  space ();
  if !place < n then fail "something after the document";
  result

(* The canonical text: sorted keys, no white space, ASCII. *)
let canonical value =
  let buffer = Buffer.create 1000 in
  let put = Buffer.add_string buffer in
  let string text =
    put "\"";
    let rec from i =
      if i < String.length text then begin
        let c, next = code_at text i in
        (match c with
        | 0x22 -> put "\\\""
        | 0x5c -> put "\\\\"
        | 0x0a -> put "\\n"
        | 0x0d -> put "\\r"
        | 0x09 -> put "\\t"
        | 0x08 -> put "\\b"
        | 0x0c -> put "\\f"
        | c when c < 0x20 || (c >= 0x7f && c < 0x10000 && c <> 0x7f) -> put (Printf.sprintf "\\u%04x" c)
        | c when c >= 0x10000 ->
            let c = c - 0x10000 in
            put (Printf.sprintf "\\u%04x\\u%04x" (0xd800 lor (c lsr 10)) (0xdc00 lor (c land 0x3ff)))
        | c -> Buffer.add_char buffer (Char.chr c));
        from next
      end
    in
    from 0;
    put "\""
  in
  let separated one items = List.iteri (fun i item -> if i > 0 then put ","; one item) items in
  let rec write = function
    | Null -> put "null"
    | Bool b -> put (string_of_bool b)
    | Int z -> put (Z.to_string z)
    | String s -> string s
    | List items -> put "["; separated write items; put "]"
    | Object pairs ->
        put "{";
        separated (fun (key, item) -> string key; put ":"; write item)
          (List.sort (fun (a, _) (b, _) -> compare a b) pairs);
        put "}"
  in
  write value;
  Buffer.contents buffer
