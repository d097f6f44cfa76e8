"""Plan an instance, have the answers checked, verify the paper's claims. Run by `make demo`."""

import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = """\
{"name": "three arms", "memory": 3,
 "losses": [["0.077", "0.023", "0.029"], ["0.003", "0.034", "0.045"], ["0.010", "0.082", "0.083"]]}
"""

STEPS = [
    ("An instance: three arms, memory 3.", None),
    (
        "The least long-run loss per step. No word that plays each arm in one run is as good.",
        "cycle three.json --certificate cycle.cert",
    ),
    (
        "An optimal plan for 10^15 steps: the cost of planning follows the instance, not the horizon.",
        "plan three.json --horizon 10^15 --certificate plan.cert",
    ),
    ("The best word of exactly 10 actions.", "cyclic three.json --period 10 --certificate cyclic.cert"),
    (
        "The independent checker (standard library only) verifies all three.",
        "check cycle.cert --instance three.json",
    ),
    (None, "check plan.cert --instance three.json"),
    (None, "check cyclic.cert --instance three.json"),
    (
        "ALG_det does not know the losses: its regret, exactly, next to the bounds of Proposition 1.",
        "play alg-det three.json --horizon 1000 --seed 1",
    ),
    (
        "The best constant of Lemma 3 at K = 2, m = 3, T = 64, over all loss tables.",
        "constants lemma-3 --actions 2 --memory 3 --period 8",
    ),
    (
        "Claims of the paper, each verdict derived now; `tallyplan verify` examines all of them.",
        "verify lemma-3* theorem-1* algorithm-1",
    ),
]


def main() -> None:
    """Run the steps in an empty folder, each as a user would."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "three.json").write_text(EXAMPLE, encoding="utf-8")
        for words, command in STEPS:
            if words:
                print(f"\n# {words}", flush=True)
            print(
                f"$ tallyplan {command}" if command else f"$ cat three.json\n{EXAMPLE}",
                end="\n" if command else "",
                flush=True,
            )
            if command:
                subprocess.run([sys.executable, "-m", "tallyplan", *command.split()], cwd=folder, check=True)


if __name__ == "__main__":
    main()
