"""`make formal` compiles the proofs and then runs these tests; where nothing is compiled most are skipped."""

import pytest

from proofs_check.verified import PROGRAM
from proofs_check.ways import formal


@pytest.fixture(scope="session")
def compiled():
    """The folder with the compiled files."""
    if not PROGRAM.exists():
        pytest.skip("the formal proofs are not compiled here; `make formal` does it and runs these tests")
    return formal.COMPILED
