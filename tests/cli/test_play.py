"""`tallyplan play`, `tallyplan regret` and `tallyplan learners`: the JSON contract, pictures, bad input."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from commands import data, run
from strategies import plan

from tallyplan import make, optimal_plan
from tallyplan.errors import InternalError
from tallyplan.games.bounds import SHARPENED, SHARPENED_HOEFFDING
from tallyplan.games.learners.explore_then_plan import AlgDet
from tallyplan.games.registry import learners
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.pictures.regret import draw_regret

BANDIT = make("uniform", actions=2, memory=3)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "u.json"
    BANDIT.save(path)
    return str(path)


@pytest.mark.parametrize("name", [name for name in learners() if not name.startswith("se-tb")])
def test_play_prints_the_contract(name, file):
    answer = data("play", name, file, "--horizon", "200", "--seed", "3", "--json")
    assert answer.keys() >= {"algorithm", "horizon", "seed", "loss", "optimum", "regret"}
    assert (answer["algorithm"], answer["horizon"], answer["seed"]) == (name, 200, 3)
    assert Fraction(answer["optimum"]) == plan(BANDIT, 200).value
    assert Fraction(answer["regret"]) == Fraction(answer["loss"]) - Fraction(answer["optimum"]) >= 0
    assert answer == data("play", name, file, "--horizon", "200", "--seed", "3", "--json")
    assert "/" in answer["loss"]


def test_alg_det_is_measured_against_its_proposition(file):
    answer = data("play", "alg-det", file, "--horizon", "10^9", "--json")
    assert answer["feedback"] == "deterministic"
    assert answer["bounds"]["Proposition 1"] == {
        "formula": "(m + 1) * K",
        "probability": "1",
        "hypotheses": ["TallyingBandit", "deterministic feedback", "algorithm alg-det", "T >= m * K"],
        "holds": True,
        "value": "8.00000000000",
        "below_horizon": True,
        "exceeded": 0,
    }
    assert Fraction(answer["regret"]) <= 5
    assert "at most 8, certain; held in 1 of 1 games" in run("play", "alg-det", file, "--horizon", "9").stdout


def bounds(*arguments):
    found = data("play", *arguments, "--json")["bounds"].values()
    assert found
    return list(found)


def test_a_theorem_that_does_not_apply_says_why(tmp_path):
    for name, family in (("w.json", "counterexample-2"), ("u.json", "uniform")):
        make(family, memory=2, **({"actions": 2} if family == "uniform" else {})).save(tmp_path / name)
    windows, uniform = str(tmp_path / "w.json"), str(tmp_path / "u.json")
    for bound in bounds("se-tb-sharp", windows, "--horizon", "2304"):
        assert (bound["holds"], "exceeded" in bound) == (False, False)
        assert bound["fails"] == "it is about a TallyingBandit, and this is a WindowBandit"
    for learner, horizon, nearest, words in (
        ("se-tb", "10000", [48**2, 112**2], "the nearest T are 2304 and 12544"),
        ("se-tb", "100", [None, 256], "the nearest T is 256"),
        ("alg-det", "3", [None, 4], "it needs T >= m * K; the nearest T is 4"),
    ):
        for bound in bounds(learner, uniform, "--horizon", horizon):
            assert (bound["holds"], bound["nearest_horizons"]) == (False, nearest)
        assert words in " ".join(run("play", learner, uniform, "--horizon", horizon).stdout.split())
    assert all(bound["holds"] for bound in bounds("se-tb", uniform, "--horizon", "2304"))


def test_a_proved_bound_that_is_exceeded_is_an_internal_error(file, monkeypatch):
    """A learner that explores forever is no ALG_det, whatever it calls itself."""
    monkeypatch.setattr(AlgDet, "play", lambda self, game: game.run((0,), game.horizon))
    with pytest.raises(InternalError, match="Proposition 1 holds for these games"):
        run("play", "alg-det", file, "--horizon", "10^4")


def test_a_regret_known_up_to_an_interval_is_printed_with_status_3(tmp_path):
    instance, log = tmp_path / "large.json", tmp_path / "log.json"
    large = make("uniform", actions=3, memory=20, seed=1)
    large.save(instance)
    result = run("play", "round-robin", str(instance), "--horizon", "3000", "--log", str(log), "--json")
    assert result.exit_code == 3
    answer, best = json.loads(result.stdout), optimal_plan(large, 3000)
    loss = Fraction(answer["loss"])
    assert {end: Fraction(value) for end, value in answer["optimum"].items()} == {
        "lower": best.lower,
        "upper": best.upper,
    }
    assert Fraction(answer["regret"]["upper"]) == loss - best.lower
    assert Fraction(answer["regret"]["lower"]) == max(0, loss - best.upper)
    result = run("regret", str(log), str(instance), "--json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["complete"] == answer["regret"]
    for arguments in (
        ["play", "round-robin", str(instance), "--horizon", "3000"],
        ["regret", str(log), str(instance)],
    ):
        result = run(*arguments)
        assert result.exit_code == 3
        assert "between" in result.stdout


def test_repeats_are_summarised_exactly(file):
    answer = data("play", "exp3", file, "--horizon", "50", "--seed", "5", "--repeats", "7", "--json")
    losses = play_repeatedly(BANDIT, Setup("exp3", 50, 5), 7).losses
    optimum = plan(BANDIT, 50).value
    assert answer["repeats"] == 7
    assert Fraction(answer["regret"]) == sum(losses) / 7 - optimum
    assert Fraction(answer["regrets"]["50%"]) == sorted(losses)[3] - optimum
    assert Fraction(answer["regrets"]["max"]) == max(losses) - optimum
    words = run("play", "exp3", file, "--horizon", "50", "--seed", "5", "--repeats", "7").stdout
    assert "seeds 5 to 11" in words
    assert answer["regrets"]["95%"] in words


def lines(figure):
    return {line.get_gid(): line for line in figure.axes[0].lines if line.get_gid()}


def test_bounds_of_se_tb_are_drawn_where_they_are_proved_and_below_t():
    bandit = make("uniform", actions=2, memory=1)
    horizons = [(8 * (2**S - 1)) ** 2 for S in (1, 8, 9)]
    for name, bound in (("se-tb", SHARPENED), ("se-tb-sharp", SHARPENED_HOEFFDING)):
        summaries = [play_repeatedly(bandit, Setup(name, T), 1) for T in horizons]
        drawn = lines(draw_regret(summaries))
        assert {gid for gid in drawn if gid.startswith("bound-")} == {"bound-trivial", f"bound-{bound.name}"}
        settings = [replace(summaries[0].setting, horizon=(8 * (2**S - 1)) ** 2) for S in range(1, 10)]
        useful = [setting for setting in settings if bound(setting) < setting.horizon]
        assert 0 < len(useful) < 9
        line = drawn[f"bound-{bound.name}"]
        assert list(line.get_xdata()) == [setting.horizon for setting in useful]
        assert list(line.get_ydata()) == [float(bound(setting)) for setting in useful]
        assert line.get_linestyle() == "None"


@pytest.mark.parametrize("setup", [Setup("alg-det", 50, feedback="bernoulli"), Setup("se-tb", 10**4)])
def test_bounds_that_do_not_apply_are_not_drawn(setup):
    for figure in (
        draw_regret([play_repeatedly(BANDIT, setup, 1)]),
        draw_regret([play_repeatedly(BANDIT, setup, 1, times=(1, setup.horizon))]),
    ):
        assert {gid for gid in lines(figure) if gid.startswith("bound-")} == {"bound-trivial"}


def test_a_picture_of_several_learners_has_a_line_for_each():
    setups = [Setup(name, T) for name in ("alg-det", "round-robin", "ucb1") for T in (10, 100)]
    drawn = lines(draw_regret([play_repeatedly(BANDIT, setup, 1) for setup in setups]))
    curves = {gid for gid in drawn if gid.startswith("regret-")}
    assert curves == {"regret-alg-det", "regret-round-robin", "regret-ucb1"}
    alone = lines(draw_regret([play_repeatedly(BANDIT, Setup("alg-det", T), 1) for T in (3, 90)]))
    for name, value in (("Proposition 1", lambda T: 8), ("Proposition 1, sharp", lambda T: min(T - 3, 5))):
        places, values = alone[f"bound-{name}"].get_data()
        assert list(values) == [value(T) for T in places]
        assert min(places) == next(T for T in range(6, 90) if value(T) < T)


def test_several_files_and_learners_give_one_table(tmp_path, monkeypatch):
    """The exact regret next to a decimal; a learner is found whatever the case of its letters."""
    monkeypatch.chdir(tmp_path)
    for seed in (0, 1):
        make("uniform", actions=2, memory=3, seed=seed).save(f"{seed}.json")
    common = ("--horizon", "60", "--repeats", "3")
    documents = data("play", "UCB1,round-robin", "0.json", "1.json", *common, "--json")
    single = [
        {"file": file} | document
        for file in ("0.json", "1.json")
        for document in data("play", "ucb1,round-robin", file, *common, "--json")
    ]
    assert documents == single
    header, _, *lines = run("play", "ucb1,round-robin", "0.json", "1.json", *common).stdout.splitlines()
    assert header.split()[:4] == ["file", "learner", "steps", "optimum"]
    for line, document in zip(lines, documents, strict=True):
        file, learner, steps, _, regret, about, *_ = line.split()
        assert (file, learner, steps) == (document["file"], document["algorithm"], "60")
        assert (regret, float(about)) == (
            document["regret"],
            pytest.approx(float(Fraction(regret)), rel=1e-5),
        )
    assert run("play", "ucb1", "0.json", "--horizons", "5,50", "--plot", "x.svg").stderr == "wrote x.svg\n"
    assert ">horizon T<" in (tmp_path / "x.svg").read_text(encoding="utf-8")
