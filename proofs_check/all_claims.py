"""Every claim there is; importing their files registers them."""

from __future__ import annotations

import runpy
from importlib import import_module
from pathlib import Path

from proofs_check.claim import Claim, registered
from tallyplan.errors import InvalidInput


def claims() -> tuple[Claim, ...]:
    """All claims: those of the paper in its order, then our own.

    >>> [one.id for one in claims() if one.id.startswith("lemma-2")]
    ['lemma-2']

    See Also
    --------
    proofs_check.verify : examines them.
    proofs_check.Claim : what they are.
    """
    from proofs_check.paper import in_order

    import_module("proofs_check.ours")
    return in_order(registered())


def of_ones_own(text: str) -> tuple[Claim, ...]:
    """The claims of a file `my_file.py`, or the one that a function of a module states, `module:function`."""
    place, _, function = (text, "", "") if text.endswith(".py") else text.partition(":")
    if not function and not Path(place).exists():
        raise InvalidInput(f"there is no file {place}.")
    before = {one.id for one in registered()}
    try:
        name = runpy.run_path(place, run_name=Path(place).stem)["__name__"] if not function else place
        if function:
            import_module(place)
    except (Exception, SystemExit) as error:  # whatever a file of someone else's raises
        what = f"{type(error).__name__}: {str(error).rstrip('.')}"
        raise InvalidInput(f"{place} cannot be read: {what}.") from None
    new = [one for one in registered() if one.id not in before or one.derive.__module__ == name]
    found = tuple(one for one in new if function in ("", one.derive.__name__))
    if not found:
        raise InvalidInput(f"{text} states no claim; `@claim(...)` of proofs_check.claim makes one.")
    return found
