"""Vectors of LANES numbers, as a type of the compiler, and what kernels do with them, lane by lane.

The compiler does not find them by itself: a loop over lanes that touches several rows is left alone, since
two of these might overlap. numba's cache notices a change of the file of a kernel only: who changes this one
throws away what was compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

LANES = 16  # 32-bit numbers of the widest registers

emitted: Callable[[Callable[..., Any]], Any] = intrinsic  # a function, given by the code that it becomes


class Lanes(types.Type):
    """The type of a vector of numbers of a type."""

    def __init__(self, entry: Any) -> None:
        self.entry = entry
        super().__init__(f"Lanes({entry})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        entry = manager.lookup(lanes.entry).get_value_type()
        super().__init__(manager, lanes, ir.VectorType(entry, LANES))  # type: ignore[no-untyped-call]


def _operation(emit: Callable[..., Any]) -> Any:
    """An operation on two vectors, given how a builder of code emits it."""

    @emitted
    def operation(typing: Any, x: Any, y: Any) -> Any:
        return x(x, y), lambda context, builder, signature, vectors: emit(builder, *vectors)

    return operation


plus = _operation(lambda builder, x, y: builder.add(x, y))
minus = _operation(lambda builder, x, y: builder.sub(x, y))
times = _operation(lambda builder, x, y: builder.mul(x, y))
common_bits = _operation(lambda builder, x, y: builder.and_(x, y))
either_bits = _operation(lambda builder, x, y: builder.or_(x, y))
other_bits = _operation(lambda builder, x, y: builder.xor(x, y))
lesser = _operation(lambda builder, x, y: builder.select(builder.icmp_signed("<", x, y), x, y))
greater = _operation(lambda builder, x, y: builder.select(builder.icmp_signed(">", x, y), x, y))


def _choice(relation: str) -> Any:
    """`then` where x is in this relation to y."""

    @emitted
    def choice(typing: Any, x: Any, y: Any, then: Any, otherwise: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, vectors: Any) -> Any:
            x, y, then, otherwise = vectors
            return builder.select(builder.icmp_signed(relation, x, y), then, otherwise)

        return x(x, y, then, otherwise), emit

    return choice


if_equal, if_less = _choice("=="), _choice("<")


@emitted
def everywhere(typing: Any, number: Any) -> Any:
    """The number in every lane."""

    def emit(context: Any, builder: Any, signature: Any, numbers: Any) -> Any:
        nothing = ir.Constant(ir.VectorType(numbers[0].type, LANES), ir.Undefined)
        return builder.shuffle_vector(
            builder.insert_element(nothing, numbers[0], _lane(0)), nothing, _lanes([0] * LANES)
        )

    return Lanes(number)(number), emit


@emitted
def load(typing: Any, array: Any, at: Any) -> Any:
    """The entries of a contiguous array, counted through all its axes, from `at` on."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _load_at(context, builder, signature.args[0], *arguments)

    return Lanes(array.dtype)(array, types.intp), emit


@emitted
def store(typing: Any, array: Any, at: Any, vector: Any) -> Any:
    """The vector becomes the entries from `at` on."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _store_at(context, builder, signature.args[0], *arguments)
        return context.get_dummy_value()

    return types.void(array, types.intp, vector), emit


@emitted
def gather(typing: Any, array: Any, start: Any, places: Any, at: Any) -> Any:
    """The entries of an array that are `places[at]`, `places[at + 1]`, .. beyond `start`."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, _, of_places, _ = signature.args
        entries, start, places, at = arguments
        vector = ir.Constant(ir.VectorType(context.get_value_type(kind.dtype), LANES), ir.Undefined)
        for lane in range(LANES):
            place = builder.load(_pointer(context, builder, of_places, places, _after(builder, at, lane)))
            place = builder.add(start, builder.sext(place, start.type))
            entry = builder.load(_pointer(context, builder, kind, entries, place))
            vector = builder.insert_element(vector, entry, _lane(lane))
        return vector

    return Lanes(array.dtype)(array, types.intp, places, types.intp), emit


@emitted
def transpose(typing: Any, source: Any, start: Any, stride: Any, target: Any, at: Any, pitch: Any) -> Any:
    """target[at + i pitch + j] = source[start + j stride + i] for all i and j below LANES.

    For each power of 2 below LANES, vectors that are so far apart exchange the entries that are so far apart.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, start, stride, target, at, pitch = arguments
        vectors = [
            _load_at(context, builder, signature.args[0], source, _after(builder, start, i, stride))
            for i in range(LANES)
        ]
        for apart in (1 << bit for bit in range(LANES.bit_length() - 1)):
            for i in (i for i in range(LANES) if not i & apart):
                pair = vectors[i], vectors[i + apart]
                low = [j if not j & apart else LANES + j - apart for j in range(LANES)]
                vectors[i] = builder.shuffle_vector(*pair, _lanes(low))
                vectors[i + apart] = builder.shuffle_vector(*pair, _lanes([j + apart for j in low]))
        for i, vector in enumerate(vectors):
            _store_at(context, builder, signature.args[3], target, _after(builder, at, i, pitch), vector)
        return context.get_dummy_value()

    return types.void(source, types.intp, types.intp, target, types.intp, types.intp), emit


def _load_at(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    pointer, size = _to_vector(context, builder, kind, array, at)
    return builder.load(pointer, align=size)


def _store_at(context: Any, builder: Any, kind: Any, array: Any, at: Any, vector: Any) -> None:
    pointer, size = _to_vector(context, builder, kind, array, at)
    builder.store(vector, pointer, align=size)


def _to_vector(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> tuple[Any, int]:
    """Where a vector begins in an array of this kind; and the size of an entry, all that it is aligned to."""
    entry = context.get_value_type(kind.dtype)
    pointer = _pointer(context, builder, kind, array, at)
    return builder.bitcast(pointer, ir.VectorType(entry, LANES).as_pointer()), context.get_abi_sizeof(entry)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    if kind.layout != "C":
        raise TypeError(f"vectors are of contiguous arrays, not of {kind}.")
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def _after(builder: Any, start: Any, count: int, stride: Any = None) -> Any:
    """start + count * stride, in code."""
    steps = ir.Constant(start.type, count)
    return builder.add(start, steps if stride is None else builder.mul(steps, stride))


def _lane(lane: int) -> Any:
    return ir.Constant(ir.IntType(32), lane)


def _lanes(which: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), which)
