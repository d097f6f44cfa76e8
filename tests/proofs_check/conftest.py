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


def examined(known, instead, id):
    """The result of a claim, if this one stood in the place of that of its name."""
    from proofs_check.examining import Request, Run

    return Run(known, [instead]).result(id, Request())


@pytest.fixture
def with_formula(results):
    """The outcome of a claim, or of another that uses it, if a formula of the claim were another."""
    from proofs_check.claim import named

    return lambda id, name, text, of=None: examined(results, named(id).having(name, text), of or id).outcome


@pytest.fixture(scope="session")
def results(tmp_path_factory, worker_id):
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "claims"
    folder.mkdir(exist_ok=True)
    shared = SharedResults(folder)
    for id in shared:
        shared.examine(id)
    return shared
