"""Every question of the race, by the name that `--questions` takes."""

from collections.abc import Callable

from benchmarks.race import against_peers, without_peers
from benchmarks.race.against_peers import Race

QUESTIONS: dict[str, Callable[[Race], None]] = {
    "startup": without_peers.startup,
    "sweep": without_peers.sweep,
    "threads": without_peers.threads,
    "mmc": against_peers.mean_cycle,
    "single": without_peers.single,
    "many": without_peers.many,
    "memory": against_peers.memory,
    "horizon": against_peers.horizon,
    "long-horizon": against_peers.long_horizon,
    "cyclic": against_peers.cyclic,
    "growth": against_peers.growth,
}
