"""Policies that were saved, read back."""

from __future__ import annotations

from tallyplan.answers import Policy
from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath, read_json
from tallyplan.model.instance import from_json
from tallyplan.model.rationals import shown
from tallyplan.planning.arm_reduction import horizon_policy
from tallyplan.planning.on_graph.cycles import cycle_on_graph
from tallyplan.planning.on_graph.policy_io import FORMAT, VERSION, steps_to_go


def load_policy(path: AnyPath) -> Policy:
    """Read a policy that `policy.save` wrote; it is found again.

    Raises
    ------
    InvalidInput : the file cannot be read, or holds something else.

    >>> import tempfile, pathlib
    >>> from tallyplan import TallyingBandit, minimum_mean_cycle
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "policy.json"
    ...     minimum_mean_cycle(TallyingBandit([["0", "1"], ["0", "1"]])).policy.save(path)
    ...     load_policy(path).action([1])
    0

    See Also
    --------
    tallyplan.answers.Policy : what is read.
    tallyplan.optimal_values : where policies come from.
    """
    document = read_json(path)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidInput(f"{path} is not a policy; policy.save(path) writes one.")
    if document.get("version") != VERSION:
        raise InvalidInput(f"{path} is a policy of version {shown(document.get('version'))}, not {VERSION}.")
    bandit = from_json(document.get("instance"))
    if document.get("policy") == "horizon":
        return horizon_policy(bandit, steps_to_go(document.get("horizon"), 0))
    return cycle_on_graph(bandit).policy
