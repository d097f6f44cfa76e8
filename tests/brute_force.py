"""Small instances and their certificates by brute force: plain recursions in rationals, nothing shared."""

import hashlib
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "vectors"


def text(x):
    x = Fraction(x)
    return f"{x.numerator}/{x.denominator}"


def tallying(*rows):
    return {"memory": len(rows[0]), "losses": [[text(x) for x in row] for row in rows]}


def size(instance):
    """The numbers K of actions and m of memory."""
    return instance.get("actions") or len(instance["losses"]), instance["memory"]


def loss(instance, window):
    """Straight from the table in the specification."""
    x = window[-1]
    if "windows" in instance:
        index = list(itertools.product(range(instance["actions"]), repeat=len(window))).index(tuple(window))
        return Fraction(instance["windows"][len(window) - 1][index])
    if "weights" in instance:
        held = [Fraction(w) for w, a in zip(instance["weights"], reversed(window), strict=False) if a == x]
        return Fraction(instance["losses"][x][text(sum(held))])
    return Fraction(instance["losses"][x][window.count(x) - 1])


def total(instance, start, actions):
    if "arms" in instance:
        return total_of_arms(instance["arms"], start, actions)
    played, result = list(start), Fraction(0)
    for a in actions:
        played.append(a)
        result += loss(instance, played[-instance["memory"] :])
    return result


def mean(instance, word):
    turns = instance["memory"]
    return total(instance, list(word) * turns, word) / len(word)


def best_plan(instance, T, start):
    """The least total loss and a plan, backwards over the histories of at most m - 1 actions."""
    K, m = size(instance)
    known = [past for length in range(m) for past in itertools.product(range(K), repeat=length)]
    windows = {past: [(*past, a) for a in range(K)] for past in known}
    steps = {w: (loss(instance, w), w[max(0, len(w) - m + 1) :]) for past in known for w in windows[past]}
    best: dict[tuple[int, ...], tuple[Fraction, Any]] = dict.fromkeys(known, (Fraction(0), ()))
    for _ in range(T):
        following = {w: (c + best[then][0], (w[-1], best[then][1])) for w, (c, then) in steps.items()}
        best = {past: min((following[w] for w in windows[past]), key=lambda one: one[0]) for past in known}
    value, rest = best[tuple(start)[max(0, len(start) - m + 1) :]]
    plan = []
    while rest:
        action, rest = rest
        plan.append(action)
    return value, tuple(plan)


def best_word(instance, lengths):
    K, _ = size(instance)
    words = (word for L in lengths for word in itertools.product(range(K), repeat=L))
    return min((mean(instance, word), len(word), word) for word in words)


def histories(instance):
    K, m = size(instance)
    return list(itertools.product(range(K), repeat=m - 1))


def edges(instance):
    """(code, action, code of the successor, loss) of every edge."""
    K, m = size(instance)
    codes = {history: code for code, history in enumerate(histories(instance))}
    for history, code in codes.items():
        for a in range(K):
            window = (*history, a)
            yield code, a, codes[window[len(window) - (m - 1) :]], loss(instance, window)


def longest(instance, value, removed=()):
    """Potentials by Bellman-Ford: phi[s] = least sum of loss - value over walks from s."""
    n = len(histories(instance))
    phi = [Fraction(0)] * n
    live = [e for e in edges(instance) if e[0] not in removed and e[2] not in removed]
    for _ in range(n + 1):
        for s, _, then, c in live:
            phi[s] = min(phi[s], c - value + phi[then])
    for s, _, then, c in live:
        assert c - value + phi[then] >= phi[s], "there is a cycle below the value"
    scale = math.lcm(*(x.denominator for x in phi))
    return {"mean": text(value), "scale": scale, "values": [int(x * scale) for x in phi]}


def potential(vector):
    return {"rule": "potential", "scale": vector["scale"], "values": vector["values"]}


def document(body, claim, primal, dual, about="instance"):
    bare = {k: v for k, v in body.items() if k not in ("name", "units")}
    digest = hashlib.sha256(json.dumps(bare, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return {
        "format": "tallyplan-certificate",
        "version": 2,
        about: body,
        "claim": claim,
        "primal": primal,
        "dual": dual,
        "provenance": {"program": "tallyplan", "version": "0.1.0", f"{about}_sha256": digest},
    }


def about(doc):
    """The key of what a certificate is about."""
    return next(key for key in ("graph", "game", "instance") if key in doc)


def rehashed(doc):
    return document(doc[about(doc)], doc["claim"], doc["primal"], doc["dual"], about(doc))


def mean_cycle(instance):
    value, _, word = best_word(instance, range(1, len(histories(instance)) + 1))
    found = longest(instance, value)
    claim = {"question": "mean-cycle", "value": text(value)}
    return document(instance, claim, {"rule": "replay", "word": list(word)}, potential(found))


def horizon(instance, T, start=()):
    value, plan = best_plan(instance, T, start)
    claim = {"question": "horizon", "horizon": T, "start": list(start), "value": text(value)}
    dual = {"rule": "recursion", "over": "histories", "jumps": []}
    return document(instance, claim, {"rule": "replay", "runs": [[list(plan), 1]] if plan else []}, dual)


def cyclic(instance, L):
    """Remove the histories of the best cycle left, one by one, until its mean is at least the value."""
    value, _, word = best_word(instance, [L])
    stages, removed = [], []
    while (left := best_cycle(instance, removed)) is not None and left[0] < value:
        mean_left, root = left
        if not stages or stages[-1]["mean"] != text(mean_left):
            stages.append(longest(instance, mean_left, removed) | {"roots": []})
        stages[-1]["roots"].append({"root": root})
        removed.append(root)
    rest = potential(longest(instance, value, removed))
    dual = {"rule": "cases", "stages": stages, "proof": rest} if stages else rest
    claim = {"question": "cyclic", "period": L, "value": text(value)}
    return document(instance, claim, {"rule": "replay", "word": list(word)}, dual)


def best_cycle(instance, removed):
    """The least mean of a closed walk among the histories left, and one history on it (brute force)."""
    live = [e for e in edges(instance) if e[0] not in removed and e[2] not in removed]
    return least_mean(set(range(len(histories(instance)))) - set(removed), live)


def least_mean(nodes, live):
    """The least mean of a cycle along these edges, and one node on it; None without a cycle."""
    best = None
    for root in nodes:
        table = {root: Fraction(0)}
        for length in range(1, len(nodes) + 1):
            following = {}
            for s, _, then, c in live:
                if s in table:
                    following[then] = min(table[s] + c, following.get(then, table[s] + c))
            table = following
            if root in table and (best is None or (table[root] / length, root) < best):
                best = (table[root] / length, root)
    return best


def moves(arms, state):
    """(action, state after, loss) of every play that is allowed."""
    for a, arm in enumerate(arms):
        after = [other["rested"][i] for other, i in zip(arms, state, strict=True)]
        after[a] = arm["played"][state[a]]
        if None not in after:
            yield a, tuple(after), Fraction(arm["losses"][state[a]])


def total_of_arms(arms, start, actions):
    state, losses = tuple(arm["start"] for arm in arms), []
    for action in (*start, *actions):
        state, loss = next((after, c) for a, after, c in moves(arms, state) if a == action)
        losses.append(loss)
    return sum(losses[len(start) :], Fraction(0))


def product_of_arms(arms):
    """The plays that are allowed, by each state that can be reached; the first is the start."""
    first = tuple(arm["start"] for arm in arms)
    graph = {first: list(moves(arms, first))}
    ahead = [first]
    for state in ahead:
        for _, after, _ in graph[state]:
            if after not in graph:
                graph[after] = list(moves(arms, after))
                ahead.append(after)
    return graph


def best_of_arms(instance, claim):
    """The answer to a question about arms; None if there is no such play."""
    graph = product_of_arms(instance["arms"])
    if claim["question"] == "mean-cycle":
        live = [(s, a, after, c) for s in graph for a, after, c in graph[s]]
        return (least_mean({*graph}, live) or [None])[0]
    if claim["question"] == "cyclic":
        turns = (walks(graph, s, claim["period"]).get(s) for s in graph)
        return min((turn / claim["period"] for turn in turns if turn is not None), default=None)
    first = next(iter(graph))
    for action in claim["start"]:
        first = next(after for a, after, _ in graph[first] if a == action)
    return min(walks(graph, first, claim["horizon"]).values(), default=None)


def walks(graph, state, steps):
    """The least loss of so many steps from a state, by the state that they lead to."""
    table = {state: Fraction(0)}
    for _ in range(steps):
        following = {}
        for s, so_far in table.items():
            for _, after, c in graph[s]:
                following[after] = min(so_far + c, following.get(after, so_far + c))
        table = following
    return table


def best_ratio(graph, claim):
    """The least ratio of a cycle; None if it is not asked for, or the claim lists other edges."""
    tails, heads, weights = graph["tails"], graph["heads"], list(map(Fraction, graph["weights"]))
    times = list(map(Fraction, graph.get("times", ["1/1"] * len(tails))))
    cycles, ahead = {}, [[e] for e in range(len(tails))]
    for walk in ahead:
        if heads[walk[-1]] == tails[walk[0]]:
            cycles[tuple(walk)] = sum(weights[e] for e in walk) / sum(times[e] for e in walk)
        elif heads[walk[-1]] not in {tails[e] for e in walk}:
            ahead += [[*walk, e] for e, tail in enumerate(tails) if tail == heads[walk[-1]]]
    best = min(cycles.values(), default=None)
    critical = {e for cycle, ratio in cycles.items() if ratio == best for e in cycle}
    if claim["question"] == "critical-graph" and critical != {*claim["edges"]}:
        return None
    return None if claim["question"] == "negative-cycle" and best is not None and best >= 0 else best


def weighted():
    tallies = ["1/1", "3/2", "5/4", "7/4"]
    rows = [["1/10", "1/2", "3/10", "9/10"], ["1/5", "2/5", "1/4", "4/5"]]
    tables = [dict(zip(tallies, row, strict=True)) for row in rows]
    return {"memory": 3, "weights": ["1/1", "1/2", "1/4"], "losses": tables, "name": "fading"}


def long_weighted():
    """Memory 4 and a table whose losses differ for all eight weighted tallies."""
    rows = [(1, 7, 2, 5, 3, 8, 4, 9), (2, 3, 9, 1, 6, 5, 8, 4)]
    tables = [{text(Fraction(8 + i, 8)): text(Fraction(x, 10)) for i, x in enumerate(row)} for row in rows]
    return {"memory": 4, "weights": ["1/1", "1/2", "1/4", "1/8"], "losses": tables}


def windowed():
    short = ["1/3", "2/3"]
    middle = ["1/2", "0/1", "1/6", "1/1"]
    full = ["1/1", "1/7", "2/7", "3/7", "1/2", "0/1", "1/14", "1/1"]
    return {"memory": 3, "actions": 2, "windows": [short, middle, full], "name": "counterexample"}


ALTERNATE = tallying((0, 1), (0, 1))
GENERAL = tallying(("1/5", "1/2", "9/10"), ("3/10", "1/3", "3/4"))
