"""The pictures of the benchmarks: lines that one can tell apart, crosses that say why, no empty panel."""

from benchmarks.large_memory import PAGE, draw, medians_of
from benchmarks.race.growth import draw as draw_race
from benchmarks.race.growth import endings


def run(solver, states, status="ok"):
    return {
        "question": "growth",
        "solver": solver,
        "states": states,
        "status": status,
        "seconds": states * 1e-6,
        "peak": states * 100 + 2**21,
        "baseline": 0,
    }


RACE = [
    *(run("tallyplan", 2**k) for k in range(10, 20)),
    *(run("lemon-howard", 2**k) for k in range(10, 14)),
    run("lemon-howard", 2**15, "MemoryError"),
    run("lemon-howard", 2**14, "time limit"),
    *(run("networkx", 2**k) for k in range(10, 12)),
    run("networkx", 2**12, "networkx.exception.NetworkXError: Negative cycle is detected but not found"),
]


def test_the_first_failure_of_a_solver_says_why_its_line_ends():
    assert endings(RACE) == {"lemon-howard": "time limit", "networkx": "NetworkXError"}


def test_the_reason_is_written_at_every_cross_and_in_the_legend(tmp_path):
    draw_race(RACE, tmp_path / "race.svg")
    picture = (tmp_path / "race.svg").read_text(encoding="utf-8")
    assert picture.count(">time limit<") == 2  # one in each panel
    assert picture.count(">NetworkXError<") == 2
    assert "ended by" in picture


def test_the_picture_of_large_memories_is_that_of_the_page(tmp_path):
    gaps = medians_of(PAGE.read_text(encoding="utf-8"))
    assert len(gaps) == 6 * 4 * 4
    for (family, K, m), gap in gaps.items():
        assert f"| {family} | {K} | {m} |" in PAGE.read_text(encoding="utf-8")
        assert 0 <= gap <= 1
    draw(gaps, tmp_path / "gaps.svg")
    picture = (tmp_path / "gaps.svg").read_text(encoding="utf-8")
    assert "2 arms: the median gap is 0" in picture
    assert ">2 arms<" not in picture
    assert [f">{K} arms<" in picture for K in (3, 5, 10)] == [True] * 3
