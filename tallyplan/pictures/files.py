"""Picture files: which formats there are, and how one is written."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.model.files import write
from tallyplan.pictures.style import sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".svg", ".png", ".pdf")


def picture_format(path: str | os.PathLike[str]) -> str:
    """The suffix of a picture file.

    Raises
    ------
    InvalidInput : it is none of .svg, .png and .pdf.

    See Also
    --------
    tallyplan.pictures.write_picture : the file itself.

    Examples
    --------
    >>> picture_format("Plan.SVG")
    '.svg'
    >>> picture_format("plan.gif")
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: plan.gif does not end in .svg, .png or .pdf, the formats of a picture.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise InvalidInput(f"{path} does not end in .svg, .png or .pdf, the formats of a picture.")
    return suffix


def write_picture(path: str | os.PathLike[str], figure: Figure) -> None:
    """Write a figure in the format that the suffix names; the same figure is the same file.

    Raises
    ------
    InvalidInput : the suffix is none of .svg, .png and .pdf, or the file cannot be written.

    See Also
    --------
    tallyplan.pictures.picture_bytes : the content, without a file.
    tallyplan.pictures.picture_format : which suffixes there are.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from matplotlib.figure import Figure
    >>> with TemporaryDirectory() as folder:
    ...     write_picture(Path(folder, "empty.svg"), Figure())
    ...     Path(folder, "empty.svg").read_text("utf-8").startswith("<?xml")
    True
    """
    write(path, picture_bytes(figure, picture_format(path)))


def picture_bytes(figure: Figure, suffix: str) -> bytes:
    """The content of a picture file: text in SVG stays text, and no format carries a date.

    Parameters
    ----------
    suffix : `.svg`, `.png` or `.pdf`, as `picture_format` gives it.

    See Also
    --------
    tallyplan.pictures.write_picture : the same into a file.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> picture_bytes(Figure(), ".png")[1:4]
    b'PNG'
    """
    buffer = io.BytesIO()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})
    with sheet():
        figure.savefig(buffer, format=suffix[1:], metadata=metadata)
    return buffer.getvalue()
