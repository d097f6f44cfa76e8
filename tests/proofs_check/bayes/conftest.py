"""Makes `brute.py` of this folder importable under a name of its own, whatever the import mode."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("bayes_brute", Path(__file__).parent / "brute.py")
module = importlib.util.module_from_spec(spec)
sys.modules["bayes_brute"] = module
spec.loader.exec_module(module)
