"""How fast tallyplan is, and next to whom. Run from the root of the project:

python -m benchmarks.race            speed next to LEMON and memcpy (`make bench`)
python -m benchmarks.agreement       our answers next to those of other tools (`make peers`)
python -m benchmarks.large_memory    planning without the state graph: how often exact, gaps, times
python -m benchmarks.optimism        bounds and regrets of the optimistic planner, SE-TB and ALG_stoch
python -m benchmarks.studies         a study on all cores next to a plain loop
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"  # not committed
