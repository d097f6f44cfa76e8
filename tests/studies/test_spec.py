"""What a study asks: every combination, once, under a key that says what determines the answer."""

import pytest
from small_study import CODE, ITEMS, PLAYERS

from tallyplan import InvalidInput
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


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[[questions]", "not a valid TOML file"),
        ("", "nothing is asked"),
        ("[[questions]]\nask = 'cycle'", "there are no instances"),
        ("[[questions]]\nhorizon = 5", "does not say what to ask"),
        ("[[questions]]\nask = 'cycel'", "did you mean 'cycle'"),
        ("[[questions]]\nask = 5", "there is no question 5"),
        ("[[questions]]\nask = 'plan'\nhorizn = 5", "did you mean 'horizon'"),
        (
            "[[questions]]\nask = 'play'\nlearner = 'ucb1'\nhorizon = 5\nfeedback = 'beat'",
            "did you mean 'beta'",
        ),
        ("[[questions]]\nask = 'plan'\nhorizon = 5\nmethod = 'grph'", "did you mean 'graph'"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfamly='uniform'", "one of the two"),
        ("[[question]]\nask='cycle'", "did you mean 'questions'"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfamily='uniform'\nactoins=2", "did you mean 'actions'"),
        ("questions = 5", "begin with [[questions]]"),
        ("speed = 5\n[[questions]]\nask = 'cycle'", "has no 'speed'"),
        ("[[questions]]\nask = 'cycle'\nhorizon = 5", "has no parameter 'horizon'"),
        ("[[questions]]\nask = 'plan'", "needs horizon"),
        ("[[questions]]\nask = 'plan'\nhorizon = []", "an empty list"),
        ("[[questions]]\nask = 'plan'\nhorizon = -1", "at least 0"),
        ("[[questions]]\nask = 'plan'\nhorizon = 'many'", "an integer is needed"),
        ("[[questions]]\nask = 'plan'\nhorizon = true", "a number or a text"),
        ("[[questions]]\nask = 'plan'\nhorizon = 5\nmethod = 'magic'", "The methods are auto"),
        ("[[questions]]\nask = 'cyclic'\nperiod = 0", "at least 1"),
        ("[[questions]]\nask = 'play'\nlearner = 'ucb2'\nhorizon = 5", "did you mean 'ucb1'"),
        ("[[questions]]\nask = 'play'\nlearner = 'ucb1'\nhorizon = 5\nfeedback = 'x'", "feedback"),
        ("[[questions]]\nask = 'play'\nlearner = 'ucb1'\nhorizon = 5\ndelta = 2", "strictly between"),
        ("[[questions]]\nask = 'play'\nlearner = 'no_such_module:X'\nhorizon = 5", "--code no_such_module"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfamily='uniform'\nfiles=['x']", "one of the two"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nseed=5", "one of the two"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfamily='unifrom'", "did you mean 'uniform'"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfamily='uniform'\nactions=2", "needs memory"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfiles=['no/*.json']", "no file matches"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfiles=['study.toml']", "not a valid JSON file"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfiles=[5]", "a text is needed"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfiles=['**x']", "no pattern"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfiles=['/**/*']", "would leave the folder"),
        ("[[questions]]\nask='cycle'\n[[instances]]\nfiles=['../../**/*.json']", "would leave the folder"),
    ],
)
def test_a_spec_that_makes_no_sense_is_refused_in_a_sentence(tmp_path, content, words):
    (tmp_path / "study.toml").write_text(content)
    with pytest.raises(InvalidInput) as refusal:
        read_spec(tmp_path / "study.toml")
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
