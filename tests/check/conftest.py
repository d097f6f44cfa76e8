"""Makes `build.py` of this folder importable under a name of its own, whatever the import mode."""

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("check_build", Path(__file__).parent / "build.py")
module = importlib.util.module_from_spec(spec)
sys.modules["check_build"] = module
spec.loader.exec_module(module)
