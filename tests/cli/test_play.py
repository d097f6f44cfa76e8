"""`tallyplan play`, `tallyplan regret` and `tallyplan learners`: the JSON contract, pictures, bad input."""

import json
from fractions import Fraction

import pytest
from strategies import plan
from typer.testing import CliRunner

from tallyplan import InvalidInput, make
from tallyplan.cli import app
from tallyplan.games.learners.registry import LEARNERS
from tallyplan.games.regret import regrets
from tallyplan.games.trials import Trial, play_repeatedly, spread_times
from tallyplan.pictures.regret import draw_regret_by_horizon, draw_regret_over_time

BANDIT = make("uniform", actions=2, memory=3)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "u.json"
    BANDIT.save(path)
    return str(path)


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, list(arguments), input=stdin, catch_exceptions=False)


def data(*arguments, stdin=None):
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", [name for name in LEARNERS if not name.startswith("se-tb")])
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
        "value": "8.00000000000",
        "proved": True,
        "below_horizon": True,
        "exceeded": 0,
    }
    assert Fraction(answer["regret"]) <= 5
    words = run("play", "alg-det", file, "--horizon", "3").stdout
    assert "not proved for this number of steps" in words


def test_repeats_are_summarised_exactly(file):
    answer = data("play", "exp3", file, "--horizon", "50", "--seed", "5", "--repeats", "7", "--json")
    losses = play_repeatedly(BANDIT, Trial("exp3", 50, 5), 7).losses
    optimum = plan(BANDIT, 50).value
    assert answer["repeats"] == 7
    assert Fraction(answer["regret"]) == sum(losses) / 7 - optimum
    assert Fraction(answer["regrets"]["50%"]) == sorted(losses)[3] - optimum
    assert Fraction(answer["regrets"]["max"]) == max(losses) - optimum
    words = run("play", "exp3", file, "--horizon", "50", "--seed", "5", "--repeats", "7").stdout
    assert "seeds 5 to 11" in words
    assert answer["regrets"]["95%"] in words


def test_several_horizons_give_a_list(file):
    answers = data("play", "round-robin", file, "--horizons", "10,10^3,1e6", "--json")
    assert [answer["horizon"] for answer in answers] == [10, 1000, 10**6]


def test_several_learners_give_a_list(file):
    answers = data("play", "round-robin,alg-det", file, "--horizon", "40", "--json")
    assert [answer["algorithm"] for answer in answers] == ["round-robin", "alg-det"]
    assert answers[1] == data("play", "alg-det", file, "--horizon", "40", "--json")


def test_the_log_of_a_game_has_the_regret_of_the_game(file, tmp_path):
    log = str(tmp_path / "log.json")
    played = data("play", "alg-stoch", file, "--horizon", "10^6", "--seed", "2", "--log", log, "--json")
    answer = data("regret", log, file, "--json")
    assert answer["complete"] == played["regret"]
    assert answer["loss"] == played["loss"]
    assert answer["horizon"] == 10**6


def test_regret_reads_actions_runs_and_plans(file):
    expected = regrets(BANDIT, [0, 1, 0, 1, 1])
    plain = data("regret", "-", file, "--json", stdin="[0,1,0,1,1]")
    assert plain == data("regret", "-", file, "--json", stdin="[[[0,1],2],[[1],1]]")
    assert {key: Fraction(value) for key, value in plain.items()} == {
        "horizon": 5,
        "loss": expected.loss,
        "optimum": expected.optimum,
        "best_constant": expected.best_constant,
        "complete": expected.complete,
        "constant": expected.constant,
        "traditional": expected.traditional,
        "traditional_complete": expected.traditional_complete,
    }
    optimal = json.dumps(data("plan", file, "--horizon", "1000", "--json"))
    assert data("regret", "-", file, "--json", stdin=optimal)["complete"] == "0/1"
    assert "traditional regret, all sequences" in run("regret", "-", file, stdin="[0]").stdout


def test_learners_are_listed():
    assert {entry["name"] for entry in data("learners", "--json")} == set(LEARNERS)
    assert "successive-elimination" in run("learners").stdout


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_pictures_are_written(file, tmp_path, suffix):
    over_time, by_horizon = tmp_path / f"t{suffix}", tmp_path / f"T{suffix}"
    result = run("play", "ucb1", file, "--horizon", "50", "--repeats", "3", "--plot", str(over_time))
    assert result.exit_code == 0
    assert f"wrote {over_time}" in result.stderr
    run("play", "optimistic-planner", file, "--horizons", "100,10^6,10^11", "--plot", str(by_horizon))
    for path in (over_time, by_horizon):
        assert path.stat().st_size > 5000


def lines(figure):
    return {line.get_gid(): line for line in figure.axes[0].lines if line.get_gid()}


def test_a_picture_shows_medians_and_bounds_where_they_say_something():
    summaries = [play_repeatedly(BANDIT, Trial("optimistic-planner", T), 3) for T in (10**9, 10**3, 10**12)]
    drawn = lines(draw_regret_by_horizon(summaries))
    medians = [float(sorted(s.regrets)[1]) for s in sorted(summaries, key=lambda s: s.trial.horizon)]
    assert list(drawn["regret-optimistic-planner"].get_xdata()) == [10**3, 10**9, 10**12]
    assert list(drawn["regret-optimistic-planner"].get_ydata()) == medians
    for name in ("Theorem 1", "Theorem 1, sharpened"):
        for T, value in zip(*drawn[f"bound-{name}"].get_data(), strict=True):
            assert not value >= T
        proved = [(24 * (2**S - 1)) ** 2 for S in range(2, 16)]  # between 10^3 and 10^12
        assert list(drawn[f"proved-{name}"].get_xdata()) == proved


def test_a_picture_of_several_learners_has_a_line_for_each():
    trials = [Trial(name, T) for name in ("alg-det", "round-robin", "ucb1") for T in (10, 100)]
    drawn = lines(draw_regret_by_horizon([play_repeatedly(BANDIT, trial, 1) for trial in trials]))
    assert {gid for gid in drawn if gid.startswith("regret-")} == {
        *("regret-alg-det", "regret-round-robin", "regret-ucb1")
    }
    assert "bound-Theorem 1" in drawn
    alone = lines(draw_regret_by_horizon([play_repeatedly(BANDIT, Trial("alg-det", T), 1) for T in (3, 9)]))
    assert {"bound-Proposition 1", "bound-Proposition 1, sharp"} <= set(alone)
    sharp = alone["bound-Proposition 1, sharp"]
    for T, value in zip(*sharp.get_data(), strict=True):
        assert value == min(T - 3, 5) if T >= 6 else not value > 0


def test_nothing_to_draw_is_said():
    for draw in (draw_regret_over_time, draw_regret_by_horizon):
        with pytest.raises(InvalidInput, match=r"there (is|are) no game"):
            draw([])
    with pytest.raises(InvalidInput, match="no games with times"):
        draw_regret_over_time([play_repeatedly(BANDIT, Trial("ucb1", 5), 1)])


def test_a_picture_over_time_ends_in_the_regret_of_the_game():
    summary = play_repeatedly(BANDIT, Trial("exp3", 70), 1, times=spread_times(70))
    drawn = lines(draw_regret_over_time([summary]))
    assert drawn["regret-exp3"].get_ydata()[-1] == float(summary.regrets[0])
    assert drawn["bound-trivial"].get_xdata()[-1] == 70


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "nobody", "FILE", "--horizon", "5"], "there is no learner 'nobody'"),
        (["play", "ucb1", "FILE"], "give --horizon T or --horizons"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--horizons", "5"], "one of the two"),
        (["play", "ucb1", "FILE", "--horizon", "-5"], "--horizon is -5"),
        (["play", "ucb1", "FILE", "--horizon", "x"], "an integer is needed"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--seed", "-1"], "--seed is -1"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--delta", "1"], "delta is '1'"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--feedback", "gauss"], "there is no feedback 'gauss'"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--repeats", "0"], "--repeats is 0"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--plot", "x.gif"], "does not end in .svg or .png"),
        (["play", "ucb1", "FILE", "--horizon", "5", "--repeats", "2", "--log", "l"], "--log is for one game"),
        (["play", "ucb1", "missing.json", "--horizon", "5"], "cannot be read"),
        (["regret", "-", "-"], "cannot both be standard input"),
        (["regret", "missing.json", "FILE"], "cannot be read"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, words, file):
    result = run(*(file if argument == "FILE" else argument for argument in arguments))
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_the_sharp_options_of_se_tb_have_a_name_a_bound_and_a_picture(tmp_path):
    instance = tmp_path / "u.json"
    make("uniform", actions=2, memory=2, seed=1).save(instance)
    picture = tmp_path / "sharp.svg"
    arguments = ["play", "se-tb-sharp", str(instance), "--horizons", "256,2304", "--plot", str(picture)]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert "Theorem 1, sharpened, C_s / 8" in picture.read_text()
