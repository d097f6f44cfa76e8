"""A small report with hostile names in it, for the tests of the page and of the browser."""

from dataclasses import replace

from proofs_check.page.contents import Constants, Contents, Races, collect
from proofs_check.page.study import shown_study
from proofs_check.page.writing import page
from proofs_check.report import chosen_claims
from proofs_check.worst_case.table import box
from tallyplan.model.instance import TallyingBandit
from tallyplan.studies.questions import find
from tallyplan.studies.runners import local_workers, resumable
from tallyplan.studies.spec import Asked, Instance, Study

HOSTILE = '"><img src=x onerror="document.title=1"><script>document.title=2</script></script>{{7*7}}'
CLAIMS = ["lemma-2", "algorithm-2*"]  # one proved, one argued, one refuted; quick


def wanted() -> Contents:
    """Three claims, three constants, six games."""
    return Contents(
        tuple(chosen_claims(CLAIMS)),
        (Constants("lemma-3", "the largest gap", tuple(box("lemma-3", [2], [2], None, [2, 3, 4])), "c"),),
        (Races("counterexample-3", {}, ("alg-det", "round-robin"), (10, 100, 1000), 1),),
    )


def hostile_study(path) -> None:
    """A store with an instance whose name would like to run."""
    bandit = TallyingBandit([["0", "1"], ["0", "1"]], name=HOSTILE)
    study = Study(
        (Instance(HOSTILE, bandit),), tuple(Asked(find("plan"), {"horizon": T}) for T in (1, 10, 100))
    )
    with resumable(path, study) as kept:
        kept.answers(local_workers(1))


def small_report(folder) -> tuple[Contents, str]:
    """The contents and the page."""
    contents = collect(wanted(), folder / "report.db", jobs=1)
    named = TallyingBandit([["0", "1"], ["0", "1"]], name=HOSTILE)  # the counterexample, under another name
    games = tuple(replace(one, bandit=named) for one in contents.races[0].summaries)
    contents = replace(contents, races=(replace(contents.races[0], summaries=games),))
    hostile_study(folder / "study.db")
    shown = shown_study(folder / "study.db")
    made = page(contents, command=f"tallyplan report {HOSTILE}", study=shown, title=HOSTILE)
    return contents, made
