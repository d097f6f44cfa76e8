"""The file: template, style, script and pictures in one, and a policy by which a browser lets no request out.

Names from stores and files are text: Jinja2 escapes them, and data blocks have no `<`. The policy allows the
script of the page by its hash and no other, so that even text that slipped through would not run.
"""

from __future__ import annotations

import base64
import hashlib
import platform
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from proofs_check.examining import Result
from proofs_check.outcome import Verdict
from proofs_check.page.contents import Contents, Races
from proofs_check.pictures.constants import draw_constants
from proofs_check.report import expected
from proofs_check.story import HEADINGS, pieces, story
from proofs_check.typesetting import mathml
from proofs_check.worst_case.claims import BestConstant
from tallyplan import __version__
from tallyplan.formula import Formula
from tallyplan.games.trials import Summary, quantile
from tallyplan.model.files import json_text
from tallyplan.model.rationals import about, plain, text
from tallyplan.pictures.regret import MIDDLE, draw_regret
from tallyplan.pictures.style import picture_bytes

LIBRARIES = ("numpy", "sympy", "z3-solver", "python-flint", "ortools", "pplpy", "matplotlib")
PACKAGES = ("tallyplan", "proofs_check")


def page(
    contents: Contents,
    *,
    command: str,
    study: dict[str, Any] | None = None,
    title: str = "tallyplan: a report",
) -> str:
    """The report as HTML.

    Parameters
    ----------
    command : what makes this page again.
    study : a section that only some reports have.
    """
    script = _part("page.js")
    data = json_text(as_data(contents), compact=True)
    verdicts = _verdicts(contents.results)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(_part("template.html")).render(
        title=title,
        command=command,
        policy=_policy(script),
        css=Markup(_part("page.css")),
        picture=_picture,
        script=Markup(script),
        results=contents.results,
        story=partial(story, recorded=expected() | verdicts),
        known=verdicts,
        headings=HEADINGS,
        pieces=pieces,
        typeset=lambda text: Markup(mathml(Formula(text))),
        counts=_counts(contents.results),
        constants=contents.constants,
        draw_constants=draw_constants,
        judged=_known,
        plain=plain,
        races=contents.races,
        draw_regrets=draw_regret,
        regrets=_rows,
        study=study,
        versions=_versions(),
        hashes={
            "the data of this page": hashlib.sha256(data.encode()).hexdigest(),
            "the code that made it": code_hash(),
        },
        data=Markup(data.replace("<", "\\u003c")),
    )


def _picture(figure: Any) -> str:
    """A figure as the address of an image, which has no scripts and no names in common with the page."""
    return f"data:image/svg+xml;base64,{base64.b64encode(picture_bytes(figure, '.svg')).decode()}"


def code_hash() -> str:
    """SHA-256 of the Python files of both packages, by name."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[2]
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def as_data(contents: Contents) -> dict[str, Any]:
    """The numbers of the page, exact: verdicts, constants, regrets."""
    return {
        "version": __version__,
        "claims": _verdicts(contents.results),
        "constants": [row.to_json() for one in contents.constants for row in one.rows],
        "regrets": [_regrets(summary) for one in contents.races for summary in one.summaries],
    }


def _verdicts(results: Iterable[Result]) -> dict[str, str]:
    return {result.claim.id: result.outcome.verdict.value for result in results}


def _regrets(summary: Summary) -> dict[str, Any]:
    setup = summary.setup
    return {
        "instance": summary.bandit.to_json(),
        "learner": setup.name,
        "feedback": setup.feedback_name,
        "horizon": setup.horizon,
        "seeds": [setup.seed, setup.seed + len(summary.losses) - 1],
        "optimum": [text(summary.optimum.lower), text(summary.optimum.upper)],
        "losses": [text(loss) for loss in summary.losses],
    }


def _part(name: str) -> str:
    return files("proofs_check.page").joinpath(name).read_text("utf-8")


def _policy(script: str) -> str:
    """The script with this hash, and styles and images of the page itself; nothing else, from nowhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _versions() -> dict[str, str]:
    found = {"tallyplan": __version__, "Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _counts(results: Iterable[Result]) -> dict[str, int]:
    counts = Counter(result.outcome.verdict for result in results)
    return {verdict.value: counts[verdict] for verdict in Verdict if counts[verdict]}


def _known(row: BestConstant) -> str:
    """What theorems say of a constant, the formula in backticks."""
    if not row.expected:
        return "–"
    known = row.expected[0]
    return known.judged(row).replace(str(known.formula), f"{known.kind} `{known.formula}`")


def _rows(race: Races) -> dict[str, list[str]]:
    """The median regrets of each learner by horizon, and the optima."""
    ordered = sorted(race.summaries, key=lambda one: one.setup.horizon)
    medians = [(one.setup.name, quantile([r.upper for r in one.regrets], MIDDLE)) for one in ordered]
    rows = {name: [_six_digits(mid) for whose, mid in medians if whose == name] for name in race.learners}
    optima = {one.setup.horizon: _six_digits(one.optimum.upper) for one in ordered}
    return {**rows, "OPT_T": list(optima.values())}


def _six_digits(value: Fraction) -> str:
    return f"{about(value):.6g}"
