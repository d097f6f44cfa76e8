"""One run of all claims, shared by all tests that only read it, in all worker processes."""

import os
import pickle
import time
from collections.abc import Mapping

import pytest


class SharedResults(Mapping):
    """id -> result. The worker that comes first examines a claim; the others read its file."""

    def __init__(self, folder):
        import proofs_check

        self.folder = folder
        self.ids = [claim.id for claim in proofs_check.claims()]

    def __iter__(self):
        """Whoever asks for all examines those that no other worker has begun."""
        for id in self.ids:
            self.examine(id)
        return iter(self.ids)

    def __len__(self):
        return len(self.ids)

    def __contains__(self, id):
        return id in self.ids

    def __getitem__(self, id):
        while not self._file(id).exists():
            if not self.examine(id):
                time.sleep(0.05)
        return pickle.loads(self._file(id).read_bytes())

    def examine(self, id):
        """Examine the claim, unless another worker has begun; what it rests on is read."""
        from proofs_check.claim import named

        lock = self._file(id).with_suffix(".lock")
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        try:
            unfinished = lock.with_suffix(".part")
            unfinished.write_bytes(pickle.dumps(examined(self, named(id), id)))
            unfinished.rename(self._file(id))
        except BaseException:
            lock.unlink()
            raise
        return True

    def _file(self, id):
        return self.folder / f"{id.replace('/', '--')}.pickle"


@pytest.fixture
def instead(results):
    """The outcome of a claim that stands in the place of its like, or of another claim that uses it."""
    return lambda claim, of=None: examined(results, claim, of or claim.id).outcome


def examined(known, claim, id):
    from proofs_check.claim import named
    from proofs_check.examining import Request, examine
    from proofs_check.parallel import rests_on

    below = rests_on([named(id), claim], {})

    def concerned(other):
        return other == claim.id or any(map(concerned, below[other]))

    request = Request(known={other: known[other] for other in below if not (other == id or concerned(other))})
    new = request.known[claim.id] = examine(claim, request)
    return new if id == claim.id else request.result(id)


@pytest.fixture(scope="session")
def results(tmp_path_factory, worker_id):
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "claims"
    folder.mkdir(exist_ok=True)
    return SharedResults(folder)
