"""Words and runs: sequences of actions, plain and compact, and how they are read and written.

A *word* is a tuple of actions. *Runs* are the compact form of long sequences: ((word, repeats), ...) plays
each word `repeats` times, one after the other.

In text, `(10)^5 0` is the word 10 five times and then 0. With up to ten actions a word is its digits, `1020`;
with more it is a list, `10,2,0`. Lists are read for any number of actions. What has two readings is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, combinations, pairwise
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import MAX_DIGITS, ceil_div, shown

Word = tuple[int, ...]
Runs = Sequence[tuple[Sequence[int], int]]

LONGEST_PERIOD = 64  # periods looked for when a plain stretch is written as runs
MOST_ACTIONS_AS_DIGITS = 10  # with more, a word is a list with commas
ITEM = r"(?:\([^()^]*\)|[^\s()^]+)(?:\^\d+)?"  # letters, or letters in parentheses, and repeats


def items(value: object, what: str, needed: str = "a list of actions") -> Iterator[Any]:
    """The entries of a list or another iterable; strings are rejected.

    >>> list(items(range(3), "start"))
    [0, 1, 2]
    """
    if type(value) is tuple:
        return iter(value)  # as a rule
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        with suppress(TypeError):  # an array without dimensions
            return iter(value)
    raise InvalidInput(f"{what} is {shown(value)}; {needed} is needed.")


def last(actions: Sequence[int], count: int) -> Word:
    """The last `count` actions, or all of them if there are fewer.

    >>> last((0, 1, 2), 2), last((0, 1, 2), 0), last((0,), 2)
    ((1, 2), (), (0,))
    """
    return tuple(actions[max(0, len(actions) - count) :])


def length(runs: Runs) -> int:
    """How many steps the runs take.

    >>> length([((0, 1), 10**18), ((2,), 1)])
    2000000000000000001
    """
    return sum(len(word) * repeats for word, repeats in runs)


def expand(runs: Runs) -> list[int]:
    """The runs as a plain list of actions, for short horizons.

    >>> expand([((0, 1), 2), ((1,), 1)])
    [0, 1, 0, 1, 1]
    """
    return list(chain.from_iterable(tuple(word) * repeats for word, repeats in runs))


def last_of_runs(runs: Runs, count: int) -> Word:
    """The last `count` actions of runs, or all of them if there are fewer.

    >>> last_of_runs([((0, 1), 10**18), ((2,), 1)], 4)
    (1, 0, 1, 2)
    """
    found: Word = ()
    for word, repeats in reversed(runs):
        if len(found) >= count:
            break
        enough = ceil_div(count - len(found), max(1, len(word)))
        found = tuple(word) * min(repeats, enough) + found
    return last(found, count)


def cut(runs: Runs, times: Sequence[int]) -> list[list[tuple[Word, int]]]:
    """The runs cut at increasing times: what is played up to the first, from there to the second, and so on.

    What comes after the last of the times is left out.

    >>> cut([((0, 1), 10**18)], [3, 6])
    [[((0, 1), 1), ((0,), 1)], [((1,), 1), ((0, 1), 1)]]
    """
    pieces, now = [], 0
    rest = [(tuple(word), repeats) for word, repeats in reversed(runs) if word]
    for time in times:
        piece: list[tuple[Word, int]] = []
        while now < time and rest:
            word, repeats = rest.pop()
            whole, part = divmod(time - now, len(word))
            if whole >= repeats:
                whole, part = repeats, 0
            elif part:
                rest += [(word, repeats - whole - 1), (word[part:], 1)]
            else:
                rest.append((word, repeats - whole))
            now += whole * len(word) + part
            piece += [run for run in ((word, whole), (word[:part], 1)) if all(run)]
        pieces.append(piece)
    return pieces


def shortest(runs: Sequence[tuple[Word, int]]) -> tuple[tuple[Word, int], ...]:
    """The same sequence, repeated stretches as long as they can be, the rest as `compress` writes it.

    >>> shortest([((2, 0), 1), ((1, 0), 10**9), ((1, 1), 1)])
    (((2,), 1), ((0, 1), 1000000001), ((1,), 1))
    """
    before: list[int] = []  # plain actions
    repeated: list[tuple[Word, int, list[int]]] = []  # a word, its repeats, the plain actions after it
    for word, repeats in runs:
        if repeats < 2:
            (repeated[-1][2] if repeated else before).extend(word * repeats)
        else:
            part = root(word)
            repeated.append((part, repeats * (len(word) // len(part)), []))
    found: list[tuple[Word, int]] = []
    for word, repeats, after in repeated:
        word, repeats = _widened(before, word, repeats, after)
        found.extend(compress(before))
        if found and found[-1][0] == word:
            repeats += found.pop()[1]
        found.append((word, repeats))
        before = after
    return (*found, *compress(before))


def compress(actions: list[int]) -> list[tuple[Word, int]]:
    """Write a plain sequence as runs, greedily: at each point the period that covers most, if it repeats.

    >>> compress([0, 1, 0, 1, 0, 1, 2])
    [((0, 1), 3), ((2,), 1)]
    """
    runs: list[tuple[Word, int]] = []
    pending: list[int] = []
    at = 0
    while at < len(actions):
        period, repeats = _best_period(actions, at)
        if repeats >= 2 and period * repeats >= 4:
            if pending:
                runs.append((tuple(pending), 1))
                pending = []
            runs.append((tuple(actions[at : at + period]), repeats))
            at += period * repeats
        else:
            pending.append(actions[at])
            at += 1
    return [*runs, (tuple(pending), 1)] if pending else runs


def _best_period(actions: list[int], at: int) -> tuple[int, int]:
    """The period from `at` on that covers most, the shortest of equals; fewer than four letters have none."""
    best, left = (1, 1), len(actions) - at
    for period in range(1, min(LONGEST_PERIOD, left // 2) + 1 if left >= 4 else 1):
        if actions[at + period] != actions[at]:
            continue
        repeats = (_end_of_period(actions, at, period) - at) // period
        if repeats >= 2 and period * repeats > best[0] * best[1]:
            best = (period, repeats)
        if best[0] * best[1] == left:
            break
    return best


def _end_of_period(actions: list[int], at: int, period: int) -> int:
    """Where the stretch from `at` on stops repeating itself with this period."""
    end, size = at + period, 1
    while size:
        size = min(size, len(actions) - end)
        if actions[end : end + size] == actions[end - period : end - period + size]:
            end, size = end + size, 2 * size
        else:
            size //= 2
    return end


def _widened(before: list[int], word: Word, repeats: int, after: list[int]) -> tuple[Word, int]:
    """The repeated stretch, extended by the plain actions on either side that continue it."""
    length, back = len(word), 0
    while back < len(before) and before[-1 - back] == word[-1 - back % length]:
        back += 1
    if back:
        after[:0] = before[-back:]
        del before[-back:]
        word = word[-back % length :] + word[: -back % length]
    taken, letters = 0, list(word)
    while letters and after[taken : taken + length] == letters:
        taken += length
    del after[:taken]
    return word, repeats + taken // length


def root(word: Word) -> Word:
    """The shortest word of which this one is a power.

    >>> root((0, 1, 0, 1)), root((0, 1, 0))
    ((0, 1), (0, 1, 0))
    """
    length = len(word)
    for period in range(1, length // 2 + 1):
        if length % period == 0 and word[:period] * (length // period) == word:
            return word[:period]
    return word


def written(runs: Runs, actions: int) -> str:
    """The runs as text that `read` reads back; `actions` is K.

    >>> written([((1, 0, 2, 0), 3), ((0,), 2), ((1, 1), 1)], 3), written([((10, 2), 1)], 11)
    ('(1020)^3 0^2 11', '10,2')
    """
    separator = "" if actions <= MOST_ACTIONS_AS_DIGITS else ","
    parts = []
    for word, repeats in runs:
        letters = separator.join(map(str, word))
        if repeats > 1:
            letters = f"{letters}^{repeats}" if len(word) == 1 else f"({letters})^{repeats}"
        parts.append(letters)
    return " ".join(parts)


def read(given: str, actions: int, what: str) -> tuple[tuple[Word, int], ...]:
    """The runs that a text means; `what` names it in the error message, `actions` is K.

    >>> read("(1020)^3 0^2 11", 3, "the word")
    (((1, 0, 2, 0), 3), ((0,), 2), ((1, 1), 1))
    >>> read("0,1", 3, "the word"), read("10,2", 11, "the word"), read("", 2, "the word")
    ((((0, 1), 1),), (((10, 2), 1),), ())

    Raises
    ------
    InvalidInput : an unknown action, a text that is not a word, or an ambiguous one, such as `01^3`.
    """
    text = re.sub(r"\s*([,^])\s*", r"\1", given.strip())
    if re.fullmatch(rf"({ITEM}(\s+|$))*", text, re.ASCII) is None:
        raise InvalidInput(
            f"{what} is {shown(text)}, which is not a word; words are written like 1020, 10,2,0 or (10)^5 0."
        )
    return tuple(_item(item, actions, what) for item in re.findall(ITEM, text, re.ASCII))


def _item(item: str, actions: int, what: str) -> tuple[Word, int]:
    letters, _, repeats = item.partition("^")
    word = _letters(letters.strip("()").strip(), actions, what)
    if repeats and len(word) != 1 and not letters.startswith("("):
        one = written([(word[-1:], 1)], actions)
        raise InvalidInput(
            f"{item!r} in {what} has two readings; write ({letters})^{repeats} for the whole word "
            f"{repeats} times, or put a space before {one}^{repeats}."
        )
    if len(repeats) > MAX_DIGITS:
        raise InvalidInput(f"a number of repeats in {what} has more than {MAX_DIGITS} digits.")
    if not word or (repeats and not int(repeats)):
        raise InvalidInput(f"{item!r} in {what} plays nothing.")
    return word, int(repeats or 1)


def _letters(letters: str, actions: int, what: str) -> Word:
    """The actions of `1020` or `10,2,0`, in parts that spaces may separate."""
    word: list[int] = []
    for part in letters.split():
        digits = actions <= MOST_ACTIONS_AS_DIGITS and "," not in part
        for letter in part if digits else part.split(","):
            if re.fullmatch(r"0|[1-9]\d{0,8}", letter, re.ASCII) is None or int(letter) >= actions:
                raise InvalidInput(
                    f"{what} has the action {shown(letter)}; the actions are 0 to {actions - 1} here"
                    + ("." if digits else ", with commas between them.")
                )
            word.append(int(letter))
    return tuple(word)


def least_rotation(word: Word) -> Word:
    """The lexicographically first of all rotations, in time linear in the length.

    The candidates i < j agree in `same` letters; the one that then has the larger letter is beaten, and with
    it every rotation that starts within the letters compared.

    >>> least_rotation((1, 0, 2, 0)), least_rotation((1, 0))
    ((0, 1, 0, 2), (0, 1))
    """
    i, j, same = 0, 1, 0
    length = len(word)
    while j < length and same < length:
        one, two = word[(i + same) % length], word[(j + same) % length]
        if one == two:
            same += 1
            continue
        if one > two:
            i = max(i + same + 1, j)
            j = i + 1
        else:
            j += same + 1
        same = 0
    return (*word[i:], *word[:i])


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0, in lexicographic order.

    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    places = total + parts - 1
    for bars in combinations(range(places), parts - 1):
        yield tuple(after - before - 1 for before, after in pairwise((-1, *bars, places)))
