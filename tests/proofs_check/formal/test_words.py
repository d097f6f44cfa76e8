"""What is said where the verified checker is not built."""

from typer.testing import CliRunner

from proofs_check import verified
from tallyplan.cli import app


def test_where_the_verified_checker_is_not_built_nothing_is_decided(monkeypatch, tmp_path):
    monkeypatch.setattr(verified, "PROGRAM", tmp_path / "verified-check")
    done = CliRunner().invoke(app, ["check", "any.cert", "--verified"])
    assert done.exit_code == 3
    assert "the verified checker is not built here; `make formal` builds it" in done.stderr
