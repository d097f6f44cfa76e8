"""What a study asks: every combination, once, under a key that says what determines the answer."""

from small_study import CODE, ITEMS, PLAYERS

from tallyplan.studies import spec as spec_module
from tallyplan.studies.spec import read_spec, study_of

FAMILY = {"family": "uniform", "actions": 2, "memory": 2}


def keys(*questions, instances=(FAMILY,)):
    return [
        item.key for item in study_of({"instances": list(instances), "questions": list(questions)}).items()
    ]


def test_a_list_means_every_value(spec):
    study = read_spec(spec, CODE)
    items = list(study.items())
    assert len(items) == len(study) == ITEMS
    assert len({item.key for item in items}) == ITEMS
    assert [instance.name for instance in study.instances][-2:] == ["a", "b"]


def test_a_range_has_both_its_ends():
    assert len(keys({"ask": "plan", "horizon": "7-9"})) == 3
    assert keys({"ask": "plan", "horizon": "7-7"}) == keys({"ask": "plan", "horizon": 7})


def test_the_same_question_has_the_same_key_however_it_is_written():
    plan = {"ask": "plan", "horizon": "10^3"}
    assert (
        keys(plan)
        == keys({"ask": "plan", "horizon": 1000, "method": "auto"})
        == keys({"horizon": "1e3"} | plan)
    )
    play = {"ask": "play", "learner": "ucb1", "horizon": 5}
    assert keys(play) == keys(play | {"delta": "0.05", "seed": 0})


def test_whatever_determines_the_answer_changes_the_key(monkeypatch):
    plan = {"ask": "plan", "horizon": 9}
    different = [
        keys(plan),
        keys(plan | {"horizon": 8}),
        keys(plan | {"method": "graph"}),
        keys({"ask": "cyclic", "period": 9}),
        keys(plan, instances=[FAMILY | {"seed": 1}]),
    ]
    monkeypatch.setattr(spec_module, "__version__", "another")
    different.append(keys(plan))
    assert len({key for (key,) in different}) == 6


def test_another_source_of_ones_own_learner_is_another_item(spec):
    before = [item.key for item in read_spec(spec, CODE).items()]
    (spec.parent / "my_study_players.py").write_text(PLAYERS + "# changed\n")
    after = [item.key for item in read_spec(spec, CODE).items()]
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 6 * 2
