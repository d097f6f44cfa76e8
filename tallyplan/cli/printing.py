"""How commands print: an answer is a list of lines, a table for people or one JSON document for programs.

Words and runs are printed so that they can be read back (`tallyplan.model.words`): whole, or not at all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from tallyplan.model.files import json_text
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import digits, plain, text
from tallyplan.model.words import Runs, Word, compress, length, written

if TYPE_CHECKING:
    from tallyplan.answers import Answer, Interval

    Ends = Answer | Interval  # between which a number lies; it is known exactly if they are equal

SHORT_WORD = 60  # actions of a word that is shown as it is
LONGEST_TEXT = 1200  # letters of a word or of runs on the screen, fifteen lines
LONGEST_WORD = 10**6  # actions up to which a word is searched for repetitions
SAMPLED_ACTIONS = 10**4  # at the beginning of a word: if they do not repeat, it is not searched
WIDEST_ROW = 10**5  # characters of a row that is not wrapped


class Line(NamedTuple):
    """One line of an answer: a label and words for people, a key and a value for programs.

    A line without a label is for programs only, one without a key for people only.
    """

    label: str = ""
    words: str | Callable[[], str] = ""
    key: str = ""
    value: Any = None


def answer(lines: Iterable[Line], *, as_json: bool) -> None:
    """Print an answer."""
    if as_json:
        json_document(document(lines))
    else:
        rows = [line for line in lines if line.label]
        table(*((line.label, line.words if isinstance(line.words, str) else line.words()) for line in rows))


def document(lines: Iterable[Line]) -> dict[str, Any]:
    """An answer as a JSON object."""
    return {line.key: line.value for line in lines if line.key}


def number_line(label: str, found: Fraction | Ends, key: str = "") -> Line:
    """A number, or the two between which it lies."""
    return Line(label, in_words(found), key, in_json(found))


def instance(bandit: Bandit) -> Line:
    """The line that names the instance."""
    name = bandit.name or "unnamed"
    return Line("instance", f"{name}: {bandit.size}")


def optimum(found: Ends) -> list[Line]:
    """An optimum, or the interval in which it lies."""
    if found.lower == found.upper:
        return [number_line("optimum", found.upper, "value")]
    gap = f"{float(100 * (found.upper - found.lower) / found.upper):.3g}% of the upper end"
    ends = [number_line("at least", found.lower, "lower"), number_line("at most", found.upper, "upper")]
    return [*ends, Line("gap", gap)]


def original(bandit: Bandit, found: Ends, steps: int = 1) -> list[Line]:
    """An answer in the numbers that the table was made from, if these were others."""
    from tallyplan.answers import in_units

    if bandit.units is None:
        return []
    told = in_units(bandit, found.lower, found.upper, steps)
    value = {"of": bandit.units.of} | document(optimum(told))
    return [Line(f"as {bandit.units.of}", in_words(told), "original", value)]


def originals(bandit: Bandit, found: Mapping[str, Any], steps: int) -> list[Line]:
    """The same for a game: its total, the optimum and the regret."""
    from tallyplan.answers import Interval

    units = bandit.units
    if units is None:
        return []
    told = {
        name: Interval(units.regret(value.lower), units.regret(value.upper))
        if name == "regret"
        else Interval(*units.ends(value.lower, value.upper, steps))
        for name, value in ((name, ends(value)) for name, value in found.items())
    }
    words = ", ".join(f"{name} {in_words(value)}" for name, value in told.items())
    value = {"of": units.of} | {name: in_json(value) for name, value in told.items()}
    return [Line(f"as {units.of}", words, "original", value)]


def start(history: Word) -> list[Line]:
    """For programs: what was played before, if anything was."""
    return [Line(key="start", value=list(history))] if history else []


def after(history: Word, bandit: Bandit) -> str:
    """For people: the words of a question that say what was played before."""
    return f" after {word(history, bandit)}" if history else ""


def certificate(path: str | None) -> list[Line]:
    """The line that says where the certificate is, if there is one."""
    return [] if path is None else [Line("certificate", f"{path}  (verify: tallyplan check {path})")]


def json_document(document: Any) -> None:
    """One line of JSON."""
    print(json_text(document))


def listing(entries: Iterable[Mapping[str, Any]], *, as_json: bool) -> None:
    """Things that have a name and a summary."""
    if as_json:
        json_document(list(entries))
    else:
        table(*((entry["name"], entry["summary"]) for entry in entries))


def table(*rows: tuple[str, str]) -> None:
    """Two columns; the second is wrapped at spaces on a terminal where its words fit, and whole elsewhere.

    So words and runs can be read back: an exponent is never broken.
    """
    cells = [(harmless(label), harmless(words)) for label, words in rows]
    margin = max((len(label) for label, _ in cells), default=0) + 2
    room = get_terminal_size().columns - margin if sys.stdout.isatty() else 0
    fits = all(len(word) <= room for _, words in cells for word in words.split())
    for label, words in cells:
        lines = wrap(words, room, break_on_hyphens=False) if fits and room > 0 else [words]
        name = f"\x1b[1m{label}\x1b[0m" if room else label
        between = " " * (margin - len(label))
        print((name + between + f"\n{' ' * margin}".join(lines)).rstrip())


def grid(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of several columns; rows are not broken, so that their cells can be read back."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for name in header:
        table.add_column(name, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    console = Console(file=sys.stdout, width=WIDEST_ROW)
    with console.capture() as captured:  # rich would end the program if the reader of a pipe has left
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def harmless(entry: str) -> str:
    """The entry with unprintable characters escaped: names come from files, and could control a terminal.

    Among these are line breaks, lone surrogates, and marks that reverse the direction of writing.

    >>> print(harmless(chr(27) + "[31mred " + chr(0x202E) + "tfel"))
    \\x1b[31mred \\u202etfel
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in entry)


def in_words(found: Fraction | Ends) -> str:
    """A number, or the two between which it lies, for people."""
    both = ends(found)
    if both.lower == both.upper:
        return number(both.upper)
    return f"between {number(both.lower)} and {number(both.upper)}"


def in_json(found: Fraction | Ends) -> str | dict[str, str]:
    """The same for programs."""
    both = ends(found)
    lower, upper = text(both.lower), text(both.upper)
    return upper if lower == upper else {"lower": lower, "upper": upper}


def ends(found: Fraction | Ends) -> Ends:
    """A number as an interval."""
    from tallyplan.answers import Interval

    return Interval(found, found) if isinstance(found, Fraction) else found


def number(value: Fraction) -> str:
    """An exact number, and about how large it is."""
    exact = plain(value)
    if value.denominator == 1 or abs(value) > sys.float_info.max or abs(value) < sys.float_info.min:
        return exact
    return f"{exact}  (about {float(value):.10g})"


def decimals(found: Fraction | Ends) -> str:
    """A number, or the two between which it lies, rounded."""
    both = ends(found)
    lower, upper = (
        plain(end) if abs(end) > sys.float_info.max else f"{float(end):.6g}"
        for end in (both.lower, both.upper)
    )
    return upper if lower == upper else f"{lower} to {upper}"


def runs(played: Runs, bandit: Bandit) -> str:
    """Runs that can be read back; or, where they are too long for a screen, how long they are."""
    whole = written(played, bandit.actions)
    return whole if len(whole) <= LONGEST_TEXT else too_long(length(played))


def word(actions: Word, bandit: Bandit) -> str:
    """A word that can be read back: plain if it is short, else as runs; or how long it is.

    >>> from tallyplan import TallyingBandit
    >>> word((0, 1) * 40, TallyingBandit([["0"], ["1"]]))
    '(01)^40'
    """
    if len(actions) <= SHORT_WORD:
        return written([(actions, 1)], bandit.actions)
    sample = compress(list(actions[:SAMPLED_ACTIONS]))
    if len(actions) > LONGEST_WORD or runs(sample, bandit) == too_long(SAMPLED_ACTIONS):
        return too_long(len(actions))
    return runs(compress(list(actions)), bandit)


def nodes(cycle: Sequence[Any]) -> str:
    """The nodes of a cycle, if they fit on a screen; or how many there are.

    >>> nodes(("a", "b"))
    'a -> b -> a  (2 edges)'
    """
    whole = " -> ".join(map(str, [*cycle, cycle[0]]))
    edges = f"{len(cycle)} edge{'s' if len(cycle) > 1 else ''}"
    if len(whole) > LONGEST_TEXT:
        return f"too long to show: {edges} (--json has them all)"
    return f"{whole}  ({edges})"


def too_long(steps: int) -> str:
    """What is printed in place of a sequence that would fill the screen; it cannot be mistaken for a word."""
    return f"too long to show: {digits(steps)} actions (--json and --certificate have them all)"
