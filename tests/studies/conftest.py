"""A folder with a small study."""

import json
import sys

import pytest
from small_study import PLAYERS, SPEC


@pytest.fixture
def spec(tmp_path, monkeypatch):
    """The path of the spec, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "mine").mkdir()
    (tmp_path / "my_study_players.py").write_text(PLAYERS)
    for name, losses in {"a": [["0", "1"], ["0", "1"]], "b": [["1/3"], ["2/7"]]}.items():
        document = {"memory": len(losses[0]), "losses": losses}
        (tmp_path / "mine" / f"{name}.json").write_text(json.dumps(document))
    (tmp_path / "study.toml").write_text(SPEC)
    yield tmp_path / "study.toml"
    sys.modules.pop("my_study_players", None)
