"""Tables of a study in every form, summaries over seeds, and pictures."""

import csv
import io
from fractions import Fraction

import pytest
from small_study import ITEMS, csv_of, rows, run_here

from tallyplan.games.trials import median_confidence, quantile
from tallyplan.pictures.studies import draw_study
from tallyplan.studies.store import Store
from tallyplan.studies.tables import table, to_pandas, write_table


@pytest.fixture
def store(spec):
    run_here(spec)
    with Store("results.db") as opened:
        yield opened


def test_csv_holds_every_row(store):
    read = list(csv.DictReader(io.StringIO(csv_of("results.db").decode())))
    assert len(read) == ITEMS
    for line, row in zip(read, rows(store), strict=True):
        assert line == {name: "" if cell is None else str(cell) for name, cell in row.items()}


def test_frames_hold_every_row(store):
    pytest.importorskip("pandas")
    frame = to_pandas(table(store))
    assert frame.shape == (ITEMS, len(table(store).columns))
    assert frame["value"].tolist() == [row["value"] for row in rows(store)]


def test_latex_has_the_rules_of_booktabs_and_nothing_special_unescaped(store, tmp_path):
    write_table(table(store), "latex", "out.tex")
    lines = (tmp_path / "out.tex").read_text().splitlines()
    assert [lines[2], lines[4], *lines[-2:]] == [r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}"]
    assert len(lines) == ITEMS + 7
    columns = lines[1].count("l", lines[1].rindex("{"))
    assert all(line.count(" & ") == columns - 1 and line.endswith(r"\\") for line in lines[5:-2])
    assert r"my\_study\_players:alternate" in "\n".join(lines)


def test_the_summary_over_seeds_is_exact(store):
    single = [row for row in rows(store) if row["question"] == "play"]
    for row in rows(store, over=["seed"]):
        if row["question"] != "play":
            continue
        group = [
            Fraction(one["value"])
            for one in single
            if (one["instance"], one["learner"]) == (row["instance"], row["learner"])
        ]
        assert (row["items"], row["exact"]) == (2, 2)
        assert Fraction(row["mean"]) == sum(group) / 2
        assert (Fraction(row["least"]), Fraction(row["largest"])) == (min(group), max(group))
        assert Fraction(row["50%"]) == quantile(group, Fraction(1, 2))
        assert (row["median from"], row["median to"]) == (None, None)  # two values say little about a median
    everything = rows(store, over=["seed", "instance", "actions", "memory"])
    asked = ("question", "learner", "horizon")
    for row in everything:
        same = [one for one in rows(store) if all(one[name] == row[name] for name in asked)]
        sure = median_confidence([Fraction(one["value"]) for one in same])
        assert (Fraction(row["median from"]), Fraction(row["median to"])) == sure
    assert [row["items"] for row in everything] == [6, 6, 6, 12, 12]
    assert len(rows(store, over=["seed"], limit=2)) == 2


def test_rows_are_sorted_exactly(store):
    """Values first, as rationals; what has none comes last."""
    found = [row["value"] for row in rows(store, sort="value")]
    assert found == sorted(found, key=Fraction)
    horizons = [row["horizon"] for row in rows(store, sort="horizon")]
    assert horizons == [7] * 6 + [50] * 24 + [str(10**30)] * 6 + [None] * 6


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_picture_has_a_line_per_learner_and_is_the_same_every_time(store, tmp_path, suffix):
    paths = [tmp_path / f"{name}.{suffix}" for name in ("one", "two")]
    for path in paths:
        figure = draw_study(store, path, question="play", x="memory")
        labels = [text.get_text() for text in figure.legends[0].get_texts()]
        assert labels == ["alg-det", "my_study_players:alternate"]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    plans = draw_study(store, question="plan", x="horizon")
    found = [(a.get_xlabel(), a.get_ylabel(), a.get_xscale()) for a in (figure.axes[0], plans.axes[0])]
    assert found == [("memory", "regret", "linear"), ("horizon", "value", "log")]
