"""The results of all claims, for the tests that only read them, in all worker processes."""

import os
import pickle
import random
from collections.abc import Mapping

import pytest


class Results(Mapping):
    """id -> result. The worker that first asks for a claim examines it; the others read its file."""

    def __init__(self, folder):
        import proofs_check

        ids = [claim.id for claim in proofs_check.claims()]
        self.folder, self.ids = folder, random.sample(ids, len(ids))  # no two workers in one order

    def __iter__(self):
        return iter(self.ids)

    def __len__(self):
        return len(self.ids)

    def __contains__(self, id):
        return id in self.ids

    def __getitem__(self, id):
        from proofs_check.claim import named

        file = self.folder / f"{id.replace('/', '--')}.pickle"
        if not file.exists():
            unfinished = file.with_suffix(f".{os.getpid()}")
            unfinished.write_bytes(pickle.dumps(examined(self, named(id), id)))
            unfinished.rename(file)
        return pickle.loads(file.read_bytes())


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


@pytest.fixture
def instead(results):
    """The outcome of a claim that stands in the place of its like, or of another claim that uses it."""
    return lambda claim, of=None: examined(results, claim, of or claim.id).outcome


@pytest.fixture(scope="session")
def results(tmp_path_factory, worker_id):
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "claims"
    folder.mkdir(exist_ok=True)
    return Results(folder)
