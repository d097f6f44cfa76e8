"""The picture of large memories: lines that one can tell apart, no empty panel."""

from itertools import product

from benchmarks.large_memory import ACTIONS, FAMILIES, MEMORIES, draw
from tallyplan.pictures import write_picture


def test_a_number_of_arms_that_is_always_exact_has_a_sentence_and_no_panel(tmp_path):
    gaps = {key: 0.0 if key[1] == 2 else 1 / key[2] for key in product(FAMILIES, ACTIONS, MEMORIES)}
    write_picture(tmp_path / "gaps.svg", draw(gaps))
    picture = (tmp_path / "gaps.svg").read_text(encoding="utf-8")
    assert "2 arms: the median gap is 0" in picture
    assert [f">{K} arms<" in picture for K in ACTIONS] == [False, True, True, True]
