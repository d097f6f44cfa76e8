"""Every claim there is; importing their files registers them."""

from __future__ import annotations

import runpy
from importlib import import_module
from pathlib import Path

from proofs_check.claim import Claim, registered
from tallyplan.errors import InvalidInput
from tallyplan.model.plugins import import_plugin, users_code


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
    if function:
        import_plugin(place)
    else:
        with users_code(f"{place} cannot be read"):
            runpy.run_path(place, run_name=Path(place).stem)
    name = place if function else Path(place).stem
    new = [one for one in registered() if one.id not in before or one.derive.__module__ == name]
    found = tuple(one for one in new if function in ("", one.derive.__name__))
    if not found:
        raise InvalidInput(f"{text} states no claim; `@claim(...)` of proofs_check.claim makes one.")
    return found
