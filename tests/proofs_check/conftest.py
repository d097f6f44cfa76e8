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

    def __getitem__(self, id):
        if id not in self.ids:
            raise KeyError(id)
        while not self._file(id).exists():
            if not self.examine(id):
                time.sleep(0.05)
        return pickle.loads(self._file(id).read_bytes())

    def examine(self, id):
        """Examine the claim, unless another worker has begun."""
        import proofs_check

        lock = self._file(id).with_suffix(".lock")
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        try:
            [result] = proofs_check.verify([id], known=Others(self, id))
            unfinished = lock.with_suffix(".part")
            unfinished.write_bytes(pickle.dumps(result))
            unfinished.rename(self._file(id))
        except BaseException:
            lock.unlink()
            raise
        return True

    def _file(self, id):
        return self.folder / f"{id.replace('/', '--')}.pickle"


class Others(Mapping):
    """All results but one: what that one rests on is read, not examined again."""

    def __init__(self, shared, id):
        self.shared, self.id = shared, id

    def __iter__(self):
        return (id for id in self.shared if id != self.id)

    def __len__(self):
        return len(self.shared) - 1

    def __getitem__(self, id):
        if id == self.id:
            raise KeyError(id)
        return self.shared[id]


@pytest.fixture
def plant_formula(monkeypatch):
    """Replace a formula of a claim, for the rest of the test."""
    from proofs_check import claim

    def plant(id, name, text):
        monkeypatch.setitem(claim._REGISTRY, id, claim.named(id).having(name, text))

    return plant


@pytest.fixture
def with_formula(results):
    """The outcome of a claim, or of another that uses it, if a formula of the claim were another."""
    from proofs_check.claim import named
    from proofs_check.examining import Request, Run

    def outcome(id, name, text, of=None):
        run = Run(results, [named(id).having(name, text)])
        return run.result(of or id, Request()).outcome

    return outcome


@pytest.fixture(scope="session")
def results(tmp_path_factory, worker_id):
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "claims"
    folder.mkdir(exist_ok=True)
    shared = SharedResults(folder)
    for id in shared:
        shared.examine(id)
    return shared
