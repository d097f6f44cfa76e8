"""One size of benchmarks/sweeps.py as JSON.

A sweep is timed there as one of a series of 4(m-1), and so is its fraction of memcpy's bandwidth.
"""

import json
import sys

from sweeps import row

if __name__ == "__main__":
    _, _, bellman, memcpy, fraction, speedup, relax = row(int(sys.argv[1]), int(sys.argv[2]))
    found = {"seconds": 1 / float(bellman), "memcpy": 1 / float(memcpy), "relax": 1 / float(relax)}
    print(json.dumps(found | {"fraction": float(fraction), "speedup": float(speedup)}))
