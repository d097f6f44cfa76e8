"""The picture of large memories: lines that one can tell apart, no empty panel."""

from benchmarks.large_memory import PAGE, draw, medians_of


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
