"""`make formal` compiles the proofs and then runs these tests; where nothing is compiled most are skipped."""

import pytest

from proofs_check.formal import recorded
from proofs_check.formal import theorems as formal
from proofs_check.verified import PROGRAM


@pytest.fixture(scope="session")
def compiled():
    """The folder with the compiled files."""
    sources = recorded.FOLDER.glob("*.v")
    copies = ((source, formal.COMPILED / source.name) for source in sources)
    as_they_are = all(copy.exists() and copy.read_bytes() == source.read_bytes() for source, copy in copies)
    if not (PROGRAM.exists() and as_they_are):
        pytest.skip("these formal proofs are not compiled here; `make formal` does it and runs these tests")
    return formal.COMPILED
