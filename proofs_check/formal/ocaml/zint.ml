(* The integers of the extracted checker: zarith's, with Rocq's conventions for division and for matching. *)

include Z

(* Every operation on integers that the extracted checker makes is a step; wide numbers make several. *)
exception Limit

let steps_left = ref Stdlib.max_int

let step x y =
  let width = Stdlib.(if Obj.is_int (Obj.repr x) && Obj.is_int (Obj.repr y) then 1 else 1 + ((Z.size x + Z.size y) / 4)) in
  Stdlib.(steps_left := !steps_left - width);
  if Stdlib.(!steps_left < 0) then raise Limit

let add x y = step x y; add x y
let sub x y = step x y; sub x y
let mul x y = step x y; mul x y
let min x y = step x y; min x y
let leq x y = step x y; leq x y

let same x = x
let double p = shift_left p 1
let double_succ p = succ (shift_left p 1)

let positive_case odd even one_ p =
  if equal p one then one_ ()
  else
    let half = shift_right p 1 in
    if is_odd p then odd half else even half

let integer_case zero_ positive negative z =
  let s = sign z in
  if s = 0 then zero_ () else if s > 0 then positive z else negative (neg z)

(* Rocq: x / 0 = 0, x mod 0 = x, otherwise rounded down. *)
let floor_div a b = if sign b = 0 then zero else fdiv a b
let floor_mod a b = if sign b = 0 then a else sub a (mul b (fdiv a b))
