"""Certificates of small instances, made by brute force: plain recursions in exact rationals, nothing shared.

`python tests/check/build.py` writes the documents of `tests/vectors`; they are kept in the repository, so
that another checker can be tried on them too.
"""

import copy
import hashlib
import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

VECTORS = Path(__file__).parent.parent / "vectors"


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
    played, result = list(start), Fraction(0)
    for a in actions:
        played.append(a)
        result += loss(instance, played[-instance["memory"] :])
    return result


def mean(instance, word):
    turns = instance["memory"]
    return total(instance, list(word) * turns, word) / len(word)


def best_plan(instance, T, start):
    """The least total loss and a plan, by recursion over the last m-1 actions."""
    K, m = size(instance)
    known = {}

    def best(left, past):
        if left == 0:
            return Fraction(0), ()
        if (left, past) not in known:
            options = []
            for a in range(K):
                window = (*past, a)
                value, plan = best(left - 1, window[max(0, len(window) - (m - 1)) :])
                options.append((value + loss(instance, window), (a, *plan)))
            known[left, past] = min(options)
        return known[left, past]

    past = tuple(start)[max(0, len(start) - (m - 1)) :]
    for left in range(0, T, 400):  # fill the table from below, within Python's recursion limit
        for history in itertools.product(range(K), repeat=m - 1):
            best(left, history)
    return best(T, past)


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
    scale = 1
    for x in phi:
        scale = math.lcm(scale, x.denominator)
    return {"mean": text(value), "scale": scale, "values": [int(x * scale) for x in phi]}


def document(instance, claim, primal, dual):
    bare = {k: v for k, v in instance.items() if k not in ("name", "units")}
    digest = hashlib.sha256(json.dumps(bare, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return {
        "format": "tallyplan-certificate",
        "version": 1,
        "instance": instance,
        "claim": claim,
        "primal": primal,
        "dual": dual,
        "provenance": {"program": "tallyplan", "version": "0.1.0", "instance_sha256": digest},
    }


def rehashed(doc):
    return document(doc["instance"], doc["claim"], doc["primal"], doc["dual"])


def mean_cycle(instance):
    value, _, word = best_word(instance, range(1, len(histories(instance)) + 1))
    found = longest(instance, value)
    claim = {"question": "mean-cycle", "value": text(value)}
    dual = {"scale": found["scale"], "potentials": found["values"]}
    return document(instance, claim, {"word": list(word)}, dual)


def horizon(instance, T, start=(), runs=None, jumps=()):
    if runs is None:
        value, plan = best_plan(instance, T, start)
        runs = [[list(plan), 1]] if plan else []
    else:
        value = total(instance, start, [a for word, repeats in runs for a in word * repeats])
    claim = {"question": "horizon", "horizon": T, "start": list(start), "value": text(value)}
    return document(instance, claim, {"runs": runs}, {"jumps": [list(j) for j in jumps]})


def slopes_of(instance, lower):
    """Multiples of 1/180 that satisfy the inequalities of section 3 for this bound, all of them tried."""
    m, (zero, one) = instance["memory"], [[Fraction(x) for x in row] for row in instance["losses"]]
    grid = [Fraction(i, 180) for i in range(-180, 181)]

    def up(k, theta):
        return one[k - 1] - lower - (m - k) * theta

    def down(k, theta):
        return zero[m - k - 1] - lower + k * theta

    def extended(slopes):
        k = len(slopes) + 1
        for theta in grid if k < m else ():
            if up(k, theta) < 0 or down(k, theta) < 0:
                continue
            if k > 1:
                apart = abs(theta - slopes[-1]) * (k - 1) * (m - k)
                if up(k, theta) + down(k - 1, slopes[-1]) < apart:
                    continue
            yield [*slopes, theta]

    found = [[]]
    for _ in range(m - 1):
        found = [longer for slopes in found for longer in extended(slopes)][:4000]
    return [text(theta) for theta in found[len(found) // 2]]


def slopes(instance, word=None, lower=None):
    """A mean-cycle document with slopes: for the best word, or for another word and a lower bound."""
    value, _, best = best_word(instance, range(1, len(histories(instance)) + 1))
    if word is None:
        claim, word, lower = {"value": text(value)}, best, value
    else:
        claim = {"value": text(mean(instance, word)), "lower": text(lower)}
    dual = {"method": "two-arms", "slopes": slopes_of(instance, lower)}
    return document(instance, {"question": "mean-cycle"} | claim, {"word": list(word)}, dual)


def by_slopes(instance, lower, slopes, potentials):
    """An interval, proved by slopes and potentials in sixths."""
    dual = {"method": "tallies", "scale": 6, "slopes": slopes, "potentials": potentials}
    doc = by_name(instance, dual, [0])
    doc["claim"]["lower"] = lower
    return doc


def by_name(instance, dual, word):
    claim = {"question": "mean-cycle", "value": text(mean(instance, word))}
    return document(instance, claim, {"word": list(word)}, dual)


def bounded(instance, T, lower, dual, start=()):
    """A horizon document with the best plan and a proof of a lower bound."""
    value, plan = best_plan(instance, T, start)
    claim = {"question": "horizon", "horizon": T, "start": list(start), "value": text(value)}
    bound = {} if lower == value else {"lower": text(lower)}
    return document(instance, claim | bound, {"runs": [[list(plan), 1]]}, dual)


def least_per_step(instance, T, start=(), above=0):
    """A horizon document by the least loss of its table, or by a little more."""
    losses = [
        Fraction(loss)
        for row in instance.get("windows") or instance["losses"]
        for loss in (row.values() if isinstance(row, dict) else row)
    ]
    return bounded(instance, T, T * min(losses) + above, {"method": "least-loss"}, start)


def within(smaller, doc):
    """The same proof about the instance without some arms."""
    return {**doc, "dual": {**smaller, "proof": doc["dual"]}}


def without_graph():
    """Proofs that need no list of histories."""
    mean_dual = {
        "method": "mean-cycle",
        "mean": "1/4",
        "proof": slopes(GENERAL, (0,), Fraction(1, 4))["dual"],
    }
    counts = {"method": "counts"}
    falling = by_name(FALLING, {"method": "least-loss"}, [1])
    smaller = {"method": "fewer-arms", "removed": [[1, 0]], "proof": {"method": "least-loss"}}
    return {
        "two-arms": slopes(GENERAL),
        "two-arms-memory-1": slopes(tallying(("1/2",), ("1/3",))),
        "two-arms-memory-2": slopes(ALTERNATE),
        "two-arms-memory-4": slopes(FOUR),
        "two-arms-interval": slopes(GENERAL, (0,), Fraction(1, 4)),
        "least-loss": falling,
        "fewer-arms": by_name(ABOVE, smaller, [0]),
        "fewer-arms-none": by_name(FALLING, smaller | {"removed": [], "proof": falling["dual"]}, [1]),
        "fewer-arms-potentials": fewer_arms_with_potentials(),
        "horizon-least-loss": least_per_step(GENERAL, 7),
        "horizon-least-loss-attained": least_per_step(MEMORYLESS, 4),
        "horizon-least-loss-of-weights": least_per_step(weighted(), 1, (1,)),
        "horizon-least-loss-of-windows": least_per_step(windowed(), 5, (1,)),
        "horizon-least-loss-fewer-arms": within(smaller, least_per_step(ABOVE, 3)),
        "horizon-counts": bounded(GENERAL, 3, best_plan(GENERAL, 3, ())[0], counts),
        "horizon-counts-after-start": bounded(GENERAL, 2, best_plan(GENERAL, 2, (1,))[0], counts, (1,)),
        "horizon-counts-three-actions": bounded(THREE, 2, best_plan(THREE, 2, ())[0], counts),
        "horizon-direct": bounded(GENERAL, 5, best_plan(GENERAL, 5, ())[0], {"method": "direct"}),
        "horizon-direct-after-start": bounded(
            THREE, 2, best_plan(THREE, 2, (1,))[0], {"method": "direct"}, (1,)
        ),
        "horizon-direct-partial-start": bounded(
            GENERAL, 4, best_plan(GENERAL, 4, (1,))[0], {"method": "direct"}, (1,)
        ),
        "horizon-direct-long-start": bounded(FOUR, 6, Fraction(0), {"method": "direct"}, (0, 0)),
        "horizon-direct-fills": bounded(GENERAL, 3, best_plan(GENERAL, 3, ())[0], {"method": "direct"}),
        "horizon-mean-cycle-closed": closed(),
        "horizon-mean-cycle": bounded(GENERAL, 8, Fraction(119, 60), mean_dual),
        "horizon-mean-cycle-full-start": bounded(GENERAL, 5, Fraction(37, 30), mean_dual, (0, 1)),
        "horizon-mean-cycle-least-loss": bounded(
            FALLING, 6, Fraction(23, 10), {**mean_dual, "mean": "1/5", "proof": {"method": "least-loss"}}
        ),
        "horizon-fewer-arms-kept-before": bounded(
            ABOVE, 1, best_plan(ABOVE, 1, (0,))[0], {**smaller, "proof": {"method": "counts"}}, (0,)
        ),
        "horizon-fewer-arms": bounded(
            ABOVE, 2, best_plan(ABOVE, 2, ())[0], {**smaller, "proof": {"method": "counts"}}
        ),
    }


def priced(instance, price, word):
    """A document by a price; each arm's least excess over all runs that see c plays of the run before."""
    m, excesses = instance["memory"], []
    for row in instance["losses"]:
        h = [Fraction(0), *map(Fraction, row)]
        excesses.append(
            min(
                (sum(h[c + 1 : n + 1]) + c * h[c] - price * n) / (n + m - c)
                for n in range(m + 1)
                for c in range(n + 1)
            )
        )
    claim = {
        "question": "mean-cycle",
        "value": text(mean(instance, word)),
        "lower": text(price + sum(excesses)),
    }
    if Fraction(claim["lower"]) == Fraction(claim["value"]):
        del claim["lower"]
    dual = {"method": "per-arm", "price": text(price), "excesses": [text(e) for e in excesses]}
    return document(instance, claim, {"word": list(word)}, dual)


def divisions(total, parts):
    return [s for s in itertools.product(range(total + 1), repeat=parts) if sum(s) == total]


def tally_steps(instance, theta, lower):
    """(state before, state after, cost - lower) of every step and loop; theta[x] lists y = 1 .. m-1."""
    K, m = size(instance)
    h = [[Fraction(0), *map(Fraction, row)] for row in instance["losses"]]
    theta = [{0: Fraction(0), m: Fraction(0), **dict(enumerate(row, 1))} for row in theta]
    for before in divisions(m, K):
        for d, a in itertools.product(range(K), repeat=2):
            after = [y - (x == d) + (x == a) for x, y in enumerate(before)]
            if before[d] == 0:
                continue
            y = after[a]
            cost = h[a][y] - m * theta[a][y] + sum(n * theta[x][n] for x, n in enumerate(after))
            if a != d:
                cost -= abs(theta[a][y] - theta[a][y - 1]) * (y - 1) * (m - y)
            yield before, tuple(after), cost - lower


def tally_dual(instance, theta, lower):
    """Potentials for these slopes by Bellman-Ford, or None if the bound is too high for them."""
    K, m = size(instance)
    steps = list(tally_steps(instance, theta, lower))
    phi = {s: Fraction(0) for s in divisions(m, K)}
    for _ in range(len(phi) + 1):
        for s, then, cost in steps:
            phi[s] = min(phi[s], cost + phi[then])
    if any(cost + phi[then] < phi[s] for s, then, cost in steps):
        return None
    numbers = [*phi.values(), *(t for row in theta for t in row), *(c for _, _, c in steps)]
    scale = math.lcm(*(x.denominator for x in numbers))
    rows = [[int(t * scale) for t in row] for row in theta]
    return {
        "method": "tallies",
        "scale": scale,
        "slopes": rows,
        "potentials": [int(x * scale) for x in phi.values()],
    }


def tallied(instance, word, lower, grid):
    """A document with the first slopes of the grid that prove the bound."""
    K, m = size(instance)
    value = mean(instance, word)
    for flat in itertools.product(grid, repeat=K * (m - 1)):
        theta = [flat[x * (m - 1) : (x + 1) * (m - 1)] for x in range(K)]
        dual = tally_dual(instance, theta, Fraction(lower))
        if dual is not None:
            bound = {} if lower == value else {"lower": text(lower)}
            claim = {"question": "mean-cycle", "value": text(value)} | bound
            return document(instance, claim, {"word": list(word)}, dual)
    raise AssertionError("no slopes of the grid prove the bound")


def many_arms():
    """Proofs for any number of arms."""
    sixtieths = [Fraction(i, 60) for i in range(-12, 13)]
    best = best_word(THREE, range(1, 4))
    return {
        "per-arm": priced(ALTERNATE, Fraction(0), [0, 1]),
        "per-arm-interval": priced(GENERAL, Fraction(1, 2), [0]),
        "per-arm-three-actions": priced(THREE, Fraction(2, 5), best[2]),
        "per-arm-memory-1": priced(MEMORYLESS, Fraction(1, 3), [1]),
        "per-arm-one-action": priced(ONE_ARM, Fraction(6), [0]),
        "tallies-three-actions": tallied(THREE, best[2], best[0], sixtieths),
        "tallies-slopes-of-two-arms": by_slopes(
            tallying(("2/3", "2/3", "1"), ("0", "1/2", "5/6")), "-1/1", [[2, 0], [2, 0]], [2, -1, -2, 0]
        ),
        "tallies-interval": tallied(GENERAL, [0], Fraction(1, 4), sixtieths[::3]),
        "tallies-memory-1": tallied(MEMORYLESS, [1], Fraction(1, 3), [0]),
        "separable-two-actions": separated(tallied(GENERAL, [0], Fraction(1, 4), sixtieths[::3])),
        "separable-three-actions": by_charges(
            tallying(("1/3", "1", "1"), ("5/6", "0", "1"), ("2/3", "1/3", "2/3")),
            [[-10, -10], [-12, -12], [-9, -9]],
            [[36, 35, 36], [36, 36, 35], [35, 36, 36]],
            [0, 1, 1],
        ),
        "separable-memory-1": by_charges(MEMORYLESS, [[], [], []], [[0], [0], [0]], [1]),
    }


def by_charges(instance, slopes, charges, word):
    """The mean of the word, proved by slopes and charges in eighteenths."""
    dual = {"method": "separable", "scale": 18, "slopes": slopes, "charges": charges}
    return by_name(instance, dual, word)


def separated(doc):
    """The same proof for two actions: the potentials are a function of the tallies of action 0 alone."""
    phi = doc["dual"]["potentials"]
    charges = [[after - before for before, after in itertools.pairwise(phi)], [0] * (len(phi) - 1)]
    dual = {key: value for key, value in doc["dual"].items() if key != "potentials"}
    return changed(doc, (("dual",), {**dual, "method": "separable", "charges": charges}))


def wrong_many_arms(docs):
    for name, part in (("per-arm", "add up to less"), ("per-arm-interval", "add up to less")):
        doc = docs[name]
        high = text(Fraction(doc["claim"].get("lower", doc["claim"]["value"])) + Fraction(1, 10**9))
        yield f"{name}-bound-above", (changed(doc, (("claim", "lower"), high)), part)
    doc = docs["per-arm-interval"]
    excess = ("dual", "excesses", 0)
    raised = text(Fraction(doc["dual"]["excesses"][0]) + Fraction(1, 10**9))
    yield "per-arm-excess-raised", (changed(doc, (excess, raised)), "below its claimed excess")
    yield "per-arm-excess-positive", (changed(docs["per-arm"], (excess, "1/9")), "below its claimed excess")
    yield "per-arm-excess-missing", (changed(doc, (excess, DROP)), "entries where 2")
    yield "per-arm-price-other", (changed(doc, (("dual", "price"), "3/5")), "below its claimed excess")
    prices = {"method": "per-arm", "price": "0/1", "excesses": ["0/1", "0/1"]}
    windows = changed(docs["mean-cycle-window"], (("dual",), prices))
    yield "per-arm-of-windows", (windows, "for tallying instances")
    doc = docs["tallies-three-actions"]
    value = Fraction(doc["claim"]["value"])
    phi = doc["dual"]["potentials"]
    yield (
        "tallies-bound-above",
        (changed(docs["tallies-interval"], (("claim", "lower"), "1/1")), "below the claimed"),
    )
    worse = changed(doc, (VALUE, text(value + 1)))
    yield "tallies-other-value", (worse, "does not have the claimed mean")
    low = changed(doc, (("dual", "potentials", 1), phi[1] + 10**6))
    yield "tallies-potential-raised", (low, "A step by action")
    high = changed(doc, (("dual", "potentials", 1), phi[1] - 10**6))
    yield "tallies-potential-lowered", (high, "A step by action")
    loop = ([[1, 0], [-1, -2]], [-2, 2, -1, 0])
    loop = by_slopes(tallying(("0", "1/3", "5/6"), ("5/6", "1/6", "2/3")), "-2/3", *loop)
    yield "tallies-loop-below", (loop, "A loop of the tallies [1, 2]")
    apart = ([[-1, 1], [0, 2], [0, 1]], [0, 1, 0, 1, 2, 1, -2, 1, -1, -1])
    rows = tallying(("1/3", "1", "1"), ("5/6", "0", "1"), ("2/3", "1/3", "2/3"))
    yield "tallies-slopes-too-far-apart", (by_slopes(rows, "-1/1", *apart), "A step by action 1")
    held = ([[-1, -1, -1], [2, 1, -2]], [-2, -1, 2, -2, 0])
    rows = tallying(("1/2", "2/3", "1", "2/3"), ("1/2", "1/2", "5/6", "1"))
    yield "tallies-held-too-low", (by_slopes(rows, "-1/1", *held), "A step by action 1 to the tallies [3, 1]")
    yield "tallies-potential-missing", (changed(doc, (("dual", "potentials", 1), DROP)), "one entry for each")
    yield "tallies-potential-true", (changed(doc, (("dual", "potentials", 1), True)), "not an integer")
    yield "tallies-no-potentials", (changed(doc, (("dual", "potentials"), [])), "one entry for each")
    slope = changed(doc, (("dual", "slopes", 0, 0), doc["dual"]["slopes"][0][0] + doc["dual"]["scale"]))
    yield "tallies-slope-raised", (slope, "below the claimed bound")
    yield "tallies-slopes-missing", (changed(doc, (("dual", "slopes", 0), DROP)), "entries where 3")
    yield "tallies-scale-0", (changed(doc, (("dual", "scale"), 0)), "below 1")
    yield (
        "tallies-one-action",
        (by_name(ONE_ARM, {**doc["dual"], "slopes": [[0, 0]]}, [0]), "two actions or more"),
    )
    yield from wrong_charges(docs)


def wrong_charges(docs):
    doc = docs["separable-three-actions"]
    yield (
        "separable-bound-above",
        (changed(docs["separable-two-actions"], (("claim", "lower"), "1/1")), "below the claimed"),
    )
    hair = text(Fraction(doc["claim"]["value"]) + Fraction(1, 10**9))
    longer = changed(doc, (("claim",), {**doc["claim"], "lower": hair}))
    yield "separable-bound-a-hair-above", (longer, "below the claimed bound")
    for place in range(3):
        for change in (-18, 18):
            charge = doc["dual"]["charges"][0][place]
            raised = changed(doc, (("dual", "charges", 0, place), charge + change))
            name = f"separable-charge-{place}-{'raised' if change > 0 else 'lowered'}"
            yield name, (raised, "A step to some tallies")
    slope = changed(doc, (("dual", "slopes", 0, 0), 8))
    yield "separable-slope-raised", (slope, "below the claimed bound")
    low = changed(docs["separable-two-actions"], (("dual", "slopes"), [[99, 99], [99, 99]]))
    yield "separable-loop-below", (low, "A loop of some tallies")
    yield "separable-slopes-missing", (changed(doc, (("dual", "slopes", 0), DROP)), "entries where 3")
    yield "separable-charge-missing", (changed(doc, (("dual", "charges", 0, 0), DROP)), "entries where 3")
    yield "separable-charge-true", (changed(doc, (("dual", "charges", 0, 0), True)), "not an integer")
    yield "separable-scale-0", (changed(doc, (("dual", "scale"), 0)), "below 1")
    dual = {**doc["dual"], "slopes": [[0, 0]], "charges": [[0, 0, 0]]}
    yield "separable-one-action", (by_name(ONE_ARM, dual, [0]), "two actions or more")


def fewer_arms_with_potentials():
    """The second action costs at least as much as the constant third one, which plays for it."""
    instance = tallying((0, "1/2"), ("1/2", "2/3"), ("2/5", "2/5"))
    smaller = mean_cycle(tallying((0, "1/2"), ("2/5", "2/5")))
    dual = {"method": "fewer-arms", "removed": [[1, 2]], "proof": {**smaller["dual"], "method": "potentials"}}
    return by_name(instance, dual, [2 * a for a in smaller["primal"]["word"]])


def cheap(proof, kept=(0, 1, 2, 3)):
    return {"method": "cheap-arms", "kept": list(kept), "proof": proof}


def of_kept(instance, kept):
    return {**instance, "losses": [instance["losses"][x] for x in kept]}


def cheap_arms():
    """Actions left out that are dearer than enough others, in each of the three questions."""
    few, three = of_kept(MANY, KEPT), {"method": "fewer-arms", "removed": [[5, 3]]}
    short = tallying(("1/2", "1/4", "1/2"), ("1/2", "1/3", "1/2"), ("1/3", "1/2", "1/2"), (1, 1, "1/8"))
    return {
        "cheap-arms": by_name(MANY, cheap(mean_cycle(few)["dual"]), mean_cycle(few)["primal"]["word"]),
        "cheap-arms-all-kept": by_name(
            MANY, cheap(mean_cycle(MANY)["dual"], range(6)), mean_cycle(MANY)["primal"]["word"]
        ),
        "cheap-arms-memory-1": by_name(MEMORYLESS, cheap({"method": "least-loss"}, [1]), [1]),
        "cheap-arms-twice": by_name(
            MANY, three | {"proof": cheap(mean_cycle(few)["dual"])}, mean_cycle(few)["primal"]["word"]
        ),
        "horizon-cheap-arms": bounded(MANY, 7, best_plan(MANY, 7, ())[0], cheap({"jumps": []})),
        "horizon-cheap-arms-after-start": bounded(
            MANY, 7, best_plan(MANY, 7, (3,))[0], cheap({"jumps": []}), (3,)
        ),
        "horizon-cheap-arms-kept-before": bounded(
            MANY, 7, best_plan(MANY, 7, (4,))[0], cheap({"jumps": []}, [0, 1, 2, 3, 4]), (4,)
        ),
        "horizon-cheap-arms-counts": bounded(MANY, 2, best_plan(MANY, 2, ())[0], cheap({"method": "counts"})),
        "horizon-fewer-arms-jumps": bounded(
            MANY,
            6,
            best_plan(MANY, 6, ())[0],
            {"method": "fewer-arms", "removed": [[5, 3]], "proof": {"jumps": []}},
        ),
        "cyclic-cheap-arms": repeated(MANY, 5, cheap, KEPT),
        "cyclic-cheap-arms-two": repeated(MANY, 2, cheap, [0, 1]),
        "cyclic-cheap-arms-short": repeated(short, 2, cheap, [0, 1, 3]),
        "cyclic-cheap-arms-one": repeated(short, 1, cheap, [3]),
        "cyclic-fewer-arms": repeated(
            ABOVE, 3, lambda proof, _: {"method": "fewer-arms", "removed": [[1, 0]], "proof": proof}, [0]
        ),
    }


def repeated(instance, L, wrapped, kept):
    """The best word of length L, and the proof for the kept actions."""
    value, _, word = best_word(instance, [L])
    claim = {"question": "cyclic", "period": L, "value": text(value)}
    proof = cyclic(of_kept(instance, kept), L)["dual"]
    return document(instance, claim, {"word": list(word)}, wrapped(proof, kept))


def wrong_cheap_arms(docs):
    doc, kept = docs["cheap-arms"], ("dual", "kept")
    yield "cheap-arms-too-few", (changed(doc, (kept, [0, 1])), "Fewer actions are kept")
    yield "cheap-arms-dips", (changed(doc, (kept, [0, 1, 2])), "Action 3 is not kept")
    yield "cheap-arms-others", (changed(doc, (kept, [1, 2, 3, 5])), "Action 0 is not kept")
    yield "cheap-arms-third-dear", (changed(doc, (kept, [0, 1, 3])), "Action 2 is not kept")
    yield "cheap-arms-disorder", (changed(doc, (kept, [0, 2, 1, 3])), "not increasing")
    yield "cheap-arms-twice-the-same", (changed(doc, (kept, [0, 1, 2, 2, 3])), "not increasing")
    yield "cheap-arms-beyond", (changed(doc, (kept, [0, 1, 2, 3, 6])), "not an action in 0..5")
    yield "cheap-arms-with-removed", (changed(doc, (("dual", "removed"), [])), "unknown key 'removed'")
    windows = changed(docs["mean-cycle-window"], (("dual",), cheap({"method": "least-loss"}, [0])))
    yield "cheap-arms-of-windows", (windows, "for tallying instances")
    alternate = tallying((0, 1), (0, 1), (0, 1), ("1/2", "1/2"))
    few = cheap({"method": "least-loss"}, [0, 1, 2])
    yield "cheap-arms-below", (by_name(alternate, few, [3]), "below the claimed bound")
    game = docs["horizon-cheap-arms"]
    yield "horizon-cheap-arms-with-lower", (changed(game, (("claim", "lower"), "0/1")), "'lower'")
    after = bounded(MANY, 7, best_plan(MANY, 7, (4,))[0], game["dual"], (4,))
    yield "horizon-cheap-arms-played", (after, "was played before the game began")
    worse = changed(game, (("primal", "runs"), [[[5], 7]]), (VALUE, text(total(MANY, (), [5] * 7))))
    yield "horizon-cheap-arms-worse-plan", (worse, "below the claimed value")
    long, short = docs["cyclic-cheap-arms"], docs["cyclic-cheap-arms-short"]
    yield "cyclic-cheap-arms-too-few", (changed(long, (kept, [0, 1])), "Fewer actions are kept")
    yield "cyclic-cheap-arms-short-too-few", (changed(short, (kept, [3])), "Fewer actions are kept")
    yield "cyclic-cheap-arms-short-others", (changed(short, (kept, [0, 2, 3])), "Action 1 is not kept")
    one = changed(docs["cyclic-cheap-arms-one"], (kept, [1]))
    yield "cyclic-cheap-arms-dips", (one, "Action 0 is not kept")
    twice = tallying((0, 1, 1), (0, 1, 1), ("1/2", "1/2", "1/2"))  # at the first tally it would be dear
    proof = cyclic(of_kept(twice, [0, 1]), 2)
    wrong = document(twice, proof["claim"], proof["primal"], cheap(proof["dual"], [0, 1]))
    yield "cyclic-cheap-arms-by-the-first-tally", (wrong, "Action 2 is not kept")


def wrong_bounds(docs):
    doc, theta = docs["two-arms"], ("dual", "slopes")
    value = Fraction(doc["claim"]["value"])
    hair = text(value + Fraction(1, 10**9))
    yield "two-arms-slope-too-high", (changed(doc, ((*theta, 0), "1/2")), "level 1 is outside its bounds")
    yield "two-arms-slope-too-low", (changed(doc, ((*theta, 1), "-1/2")), "level 2 is outside its bounds")
    yield "two-arms-slope-dropped", (changed(doc, ((*theta, 1), DROP)), "1 entries where 2")
    yield "two-arms-slope-number", (changed(doc, ((*theta, 1), 0)), "lowest terms")
    yield "two-arms-apart", (slopes_apart(), "levels 1 and 2 are too far apart")
    yield "two-arms-apart-falling", (slopes_apart_falling(), "levels 1 and 2 are too far apart")
    between = docs["two-arms-interval"]
    yield "two-arms-bound-above", (changed(between, (("claim", "lower"), hair)), "level")
    constant = changed(docs["two-arms-memory-1"], (("claim", "lower"), "1/2"), (VALUE, "1/2"))
    constant = changed(constant, (("primal", "word"), [0]))
    yield "two-arms-constant-below", (constant, "A constant word loses less")
    three = by_name(THREE, {"method": "two-arms", "slopes": ["0/1"]}, [0])
    yield "two-arms-of-three", (three, "with two actions")
    windows = changed(docs["mean-cycle-window"], (("dual",), {"method": "two-arms", "slopes": ["0/1"] * 2}))
    yield "two-arms-of-windows", (windows, "for tallying instances")
    least = docs["least-loss"]
    yield "least-loss-with-data", (changed(least, (("dual", "slopes"), [])), "unknown key 'slopes'")
    yield "least-loss-not-least", (by_name(FALLING, {"method": "least-loss"}, [0]), "below the claimed bound")
    yield "method-unknown", (changed(least, (("dual", "method"), "trust")), "is none of")
    yield "method-number", (changed(least, (("dual", "method"), 1)), "is none of")
    fewer, removed = docs["fewer-arms"], ("dual", "removed")
    late = tallying(("1/3", "1/4", "1/2"), ("1/2", "1/2", "1/2"))
    yield "fewer-arms-rising-late", (by_name(late, fewer["dual"], [1]), "rise")
    yield "fewer-arms-rising", (by_name(ALTERNATE, fewer["dual"], [0, 1]), "rise")
    yield "fewer-arms-loses-more", (changed(fewer, (removed, [[0, 1]])), "loses more")
    yield "fewer-arms-all", (changed(fewer, (removed, [[0, 1], [1, 0]])), "is removed, and so cannot play")
    yield "fewer-arms-itself", (changed(fewer, (removed, [[1, 1]])), "is removed, and so cannot play")
    yield "fewer-arms-twice", (changed(fewer, (removed, [[1, 0], [1, 0]])), "removed twice")
    yield "fewer-arms-beyond", (changed(fewer, (removed, [[1, 2]])), "beyond 1")
    yield "fewer-arms-false", (changed(fewer, (("dual", "proof"), {"method": "counts"})), "is none of")
    windows = changed(docs["mean-cycle-window"], (("dual",), fewer["dual"]))
    yield "fewer-arms-of-windows", (windows, "for tallying instances")


def wrong_horizon_bounds(docs):
    for kind, instance in (("", GENERAL), ("-of-weights", weighted()), ("-of-windows", windowed())):
        above = least_per_step(instance, 5, above=Fraction(1, 10**9))  # rounded up, too much
        yield f"horizon-least-loss{kind}-above", (above, "proves less than the claimed lower bound")
    data = changed(docs["horizon-least-loss"], (("dual", "mean"), "0/1"))
    yield "horizon-least-loss-with-data", (data, "unknown key 'mean'")
    counts = docs["horizon-counts"]
    other = changed(counts, (("claim", "lower"), counts["claim"]["value"]), (VALUE, "3/1"))
    yield "horizon-counts-other-runs", (other, "total loss of the runs")
    long = bounded(GENERAL, 4, best_plan(GENERAL, 4, ())[0], {"method": "counts"})
    yield "horizon-counts-overflow", (long, "more than counts matters")
    worse = changed(counts, (("primal", "runs"), [[[0], 3]]), (VALUE, text(total(GENERAL, (), [0] * 3))))
    yield "horizon-counts-worse-plan", (worse, "proves less than the claimed lower bound")
    long = bounded(GENERAL, 3, best_plan(GENERAL, 3, (1,))[0], {"method": "counts"}, (1,))
    yield "horizon-counts-overflow-after-start", (long, "more than counts matters")
    windows = bounded(windowed(), 2, best_plan(windowed(), 2, ())[0], {"method": "counts"})
    yield "horizon-counts-of-windows", (windows, "for tallying instances")
    long = bounded(GENERAL, 7, best_plan(GENERAL, 7, ())[0], {"method": "direct"})
    yield "horizon-direct-too-long", (long, "a little longer than the memory")
    short = bounded(GENERAL, 2, best_plan(GENERAL, 2, ())[0], {"method": "direct"})
    yield "horizon-direct-too-short", (short, "a little longer than the memory")
    direct, other = docs["horizon-direct"], [1, 1, 0, 0, 0]
    worse = changed(direct, (("primal", "runs"), [[other, 1]]), (VALUE, text(total(GENERAL, (), other))))
    yield "horizon-direct-worse-plan", (worse, "proves less than the claimed lower bound")
    yield "horizon-direct-order", (wrong_order(), "proves less than the claimed lower bound")
    ends = docs["horizon-mean-cycle"]
    high = text(Fraction(ends["claim"]["lower"]) + Fraction(1, 10**9))
    yield "horizon-bound-above", (changed(ends, (("claim", "lower"), high)), "proves less than the claimed")
    yield "horizon-closed-above", (closed(more=1), "proves less than the claimed")
    yield "horizon-mean-above", (changed(ends, (("dual", "mean"), "2/5")), "level")
    yield "horizon-mean-short", (changed(counts, (("dual",), ends["dual"])), "before the window is full")
    yield (
        "horizon-method-unknown",
        (changed(ends, (("dual", "method"), "trust")), "is none of least-loss, counts"),
    )
    yield "horizon-jumps-with-lower", (changed(docs["horizon"], (("claim", "lower"), "0/1")), "'lower'")
    after = bounded(ABOVE, 2, best_plan(ABOVE, 2, (1,))[0], docs["horizon-fewer-arms"]["dual"], (1,))
    yield "horizon-fewer-arms-played", (after, "was played before the game began")


def slopes_apart():
    """Both slopes are within their bounds for the bound 0, and too different for each other."""
    instance = tallying((1, "1/8", 1), (1, "1/8", 1))
    claim = {"question": "mean-cycle", "value": "1/1", "lower": "0/1"}
    dual = {"method": "two-arms", "slopes": ["-1/16", "1/8"]}
    return document(instance, claim, {"word": [0]}, dual)


def slopes_apart_falling():
    instance = tallying((1, 1, 0, 1), (1, 0, 1, 1))
    claim = {"question": "mean-cycle", "value": "1/1", "lower": "0/1"}
    dual = {"method": "two-arms", "slopes": ["1/3", "0/1", "0/1"]}
    return document(instance, claim, {"word": [0]}, dual)


def wrong_order():
    """The second best loss; it would pass if the history left the window after the first plays."""
    instance = tallying((1, "1/4", 0), ("1/4", 1, 1))
    plans = itertools.product(range(2), repeat=5)
    value, plan = min(
        (total(instance, (1,), p), p) for p in plans if total(instance, (1,), p) > Fraction(5, 4)
    )
    assert Fraction(5, 4) == best_plan(instance, 5, (1,))[0] < value <= Fraction(7, 4)
    claim = {"question": "horizon", "horizon": 5, "start": [1], "value": text(value)}
    return document(instance, claim, {"runs": [[list(plan), 1]]}, {"method": "direct"})


def closed(more=0):
    """A game of 30 steps bounded by closing it to a cycle, rounded up to a multiple of 1/60, and more."""
    cycle = mean_cycle(GENERAL)
    mean_, (opening, _) = Fraction(cycle["claim"]["value"]), best_plan(GENERAL, 3, ())
    bound = opening + 27 * mean_ - 2 * (Fraction(9, 10) - mean_)
    assert bound > opening + 27 * Fraction(1, 5)
    lower = Fraction(math.ceil(60 * bound) + more, 60)
    dual = {"method": "mean-cycle", "mean": text(mean_), "proof": cycle["dual"]}
    return bounded(GENERAL, 30, lower, dual)


def reduced_tables(instance, weighing, root, value, L, removed, home=False):
    """D_0..D_L of section 5."""
    phi, q, w = weighing["values"], weighing["scale"], Fraction(weighing["mean"])
    room = q * L * (value - w)
    back = dict.fromkeys(range(len(phi)), room if home else 0) | {root: 0}
    for _ in phi:
        for s, _, then, c in edges(instance):
            if s not in removed and then not in removed:
                back[s] = min(back[s], q * (c - w) + phi[then] - phi[s] + back[then])
    tables = [{root: Fraction(0)} if room > 0 else {}]
    for _ in range(L):
        table = {}
        for s, _, then, c in edges(instance):
            if s in tables[-1] and then not in removed:
                d = tables[-1][s] + q * (c - w) + phi[then] - phi[s]
                if d < room - back[then] and d < table.get(then, room):
                    table[then] = d
        tables.append(table)
    return tables


def cyclic(instance, L, repeat=False, above=False, home=False):
    """Remove the histories of the best cycle left, one by one, until its mean is at least the value.

    Potentials serve until the mean rises. With `above`, the last ones have the mean of what is left.
    """
    value, _, word = best_word(instance, [L])
    weighings, stages, removed = [], [], []
    while (left := best_cycle(instance, removed)) is not None and left[0] < value:
        mean_left, root = left
        if not weighings or weighings[-1]["mean"] != text(mean_left):
            weighings.append(longest(instance, mean_left, removed))
        stage = {"root": root, "potentials": len(weighings) - 1} | ({"home": True} if home else {})
        tables = reduced_tables(instance, weighings[-1], root, value, L, removed, home)
        assert root not in tables[L]
        pairs = [(t, u) for u in range(1, L + 1) for t in range(u) if tables[t] == tables[u] and tables[t]]
        if repeat and pairs:
            t, u = pairs[0]
            stage["repeat"] = [t, u - t]
        stages.append(stage)
        removed.append(root)
    weighings.append(longest(instance, left[0] if above else value, removed))
    claim = {"question": "cyclic", "period": L, "value": text(value)}
    return document(instance, claim, {"word": list(word)}, {"potentials": weighings, "stages": stages})


def best_cycle(instance, removed):
    """The least mean of a closed walk among the histories left, and one history on it (brute force)."""
    n = len(histories(instance))
    live = [e for e in edges(instance) if e[0] not in removed and e[2] not in removed]
    best = None
    for root in set(range(n)) - set(removed):
        table = {root: Fraction(0)}
        for length in range(1, n + 1):
            following = {}
            for s, _, then, c in live:
                if s in table and table[s] + c < following.get(then, n + 1):
                    following[then] = table[s] + c
            table = following
            if root in table and (best is None or (table[root] / length, root) < best):
                best = (table[root] / length, root)
    return best


def weighted():
    tallies = ["1/1", "3/2", "5/4", "7/4"]
    rows = [["1/10", "1/2", "3/10", "9/10"], ["1/5", "2/5", "1/4", "4/5"]]
    tables = [dict(zip(tallies, row, strict=True)) for row in rows]
    return {"memory": 3, "weights": ["1/1", "1/2", "1/4"], "losses": tables, "name": "fading"}


def long_weighted():
    """Memory 4 and a table whose losses differ for all eight weighted tallies."""
    weights = [Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]
    subsets = itertools.product((0, 1), repeat=3)
    tallies = [
        weights[0] + sum(w for w, on in zip(weights[1:], subset, strict=True) if on) for subset in subsets
    ]
    rows = [(1, 7, 2, 5, 3, 8, 4, 9), (2, 3, 9, 1, 6, 5, 8, 4)]
    tables = [{text(t): text(Fraction(x, 10)) for t, x in zip(tallies, row, strict=True)} for row in rows]
    return {"memory": 4, "weights": [text(w) for w in weights], "losses": tables}


def returning():
    """One sweep from zero gives G; F(iG) leaves the line at i = 1 and is back on it at i = 10."""
    rows = ["1/1", "1/2", "3/5", "1/1", "51/100", "1/1", "1/1", "1/1", "49/100"]
    return {"memory": 2, "actions": 3, "windows": [["1/1"] * 3, rows]}


def windowed():
    short = ["1/3", "2/3"]
    middle = ["1/2", "0/1", "1/6", "1/1"]
    full = ["1/1", "1/7", "2/7", "3/7", "1/2", "0/1", "1/14", "1/1"]
    return {"memory": 3, "actions": 2, "windows": [short, middle, full], "name": "counterexample"}


def in_circles():
    """Only 0, 1, 2, 0, 1, 2, ... loses nothing."""
    after = [text((b - a) % 3 != 1) for a in range(3) for b in range(3)]
    return {"memory": 2, "actions": 3, "windows": [["0/1"] * 3, after]}


ALTERNATE = tallying((0, 1), (0, 1))
GENERAL = tallying(("1/5", "1/2", "9/10"), ("3/10", "1/3", "3/4"))
THREE = tallying(("1/10", "1/2"), ("1/5", "2/5"), ("1/4", "3/10"))
ONE_ARM = tallying(("1/10", "1/2", "7/10"))
MEMORYLESS = tallying(("1/2",), ("1/3",), ("2/3",))
FOUR = tallying((0, 0, 1, 1), (0, 0, 1, 1))
FALLING = tallying((1, "1/2", "1/4"), ("3/4", "3/4", "1/5"))
ABOVE = tallying(("1/3", "1/4"), ("1/2", "1/4"))
MANY = tallying(  # the last two never lose less than the third does at first; the fourth does
    ("1/10", 1), ("1/5", "1/2"), ("3/10", "1/2"), ("1/2", "1/4"), ("3/10", "2/5"), ("1/2", "1/3")
)
KEPT = [0, 1, 2, 3]
"""The first action falls and never costs more than the second."""
LAZY = tallying((1, Fraction(501, 1000)), (1, Fraction(1, 2)))
"""Two arms that are nearly as good, and a price of 1/2 for a switch: worth it only far from the end."""


def accepted():
    """The documents that a checker must accept, by name."""
    return (
        {
            "mean-cycle": mean_cycle(GENERAL),
            "mean-cycle-named": mean_cycle({**ALTERNATE, "name": "alternate \u00e9"}),
            "mean-cycle-of-losses": mean_cycle({**ALTERNATE, "units": units("losses", "3/2")}),
            "mean-cycle-of-rewards": mean_cycle({**ALTERNATE, "units": units("rewards", "-3/2")}),
            "mean-cycle-three-actions": mean_cycle(THREE),
            "mean-cycle-one-action": mean_cycle(ONE_ARM),
            "mean-cycle-memory-1": mean_cycle(MEMORYLESS),
            "mean-cycle-weighted": mean_cycle(weighted()),
            "mean-cycle-window": mean_cycle(windowed()),
            "mean-cycle-weights-of-any-sign": mean_cycle(any_sign()),
            "least-loss-of-windows": by_name(
                {"memory": 1, "actions": 2, "windows": [["1/2", "1/3"]]}, {"method": "least-loss"}, [1]
            ),
            "horizon": horizon(GENERAL, 9),
            "horizon-0": horizon(GENERAL, 0),
            "horizon-0-after-start": horizon(GENERAL, 0, (1, 0, 1)),
            "horizon-below-memory": horizon(GENERAL, 1),
            "horizon-equals-tree": horizon(GENERAL, 2),
            "horizon-partial-start": horizon(GENERAL, 7, (1,)),
            "horizon-full-start": horizon(GENERAL, 7, (1, 1)),
            "horizon-long-start": horizon(GENERAL, 7, (0, 0, 0, 1, 1)),
            "horizon-three-actions": horizon(THREE, 6, (2,)),
            "horizon-one-action": horizon(
                ONE_ARM, 50, (0,), runs=[[[0], 20], [[0, 0, 0], 10]], jumps=[[0, 1, 9]]
            ),
            "horizon-memory-1": horizon(MEMORYLESS, 12, (2, 0)),
            "horizon-weighted": horizon(weighted(), 8, (1,)),
            "horizon-weighted-partial-start": horizon(long_weighted(), 7, (1, 0)),
            "horizon-window": horizon(windowed(), 8),
            "horizon-window-partial-start": horizon(windowed(), 8, (1,)),
            "horizon-runs": horizon(ALTERNATE, 41, runs=[[[0, 1], 20], [[0], 1]]),
            "horizon-constant-jump": alternating(10**18),
            "horizon-line-jump": lazy(900, [[3, 5, 90]]),
            "horizon-two-jumps": lazy(2000, [[0, 1, 400], [600, 7, 100]]),
            "horizon-line-jump-of-1": lazy(900, [[3, 5, 1]]),
            "horizon-jump-to-the-end-of-the-line": lazy(900, [[first_bad_jump(LAZY) - 2, 1, 1]]),
            "horizon-runs-of-one-step": one_by_one(horizon(GENERAL, 9)),
            "horizon-one-beyond-tree": horizon(GENERAL, 3),
            "cyclic": cyclic(GENERAL, 4),
            "cyclic-stages": cyclic(ALTERNATE, 3),
            "cyclic-stages-general": cyclic(GENERAL, 5),
            "cyclic-period-1": cyclic(ALTERNATE, 1),
            "cyclic-below-memory": cyclic(FOUR, 3),
            "cyclic-wild-when-removed": wild_when_removed(cyclic(FOUR, 3)),
            "cyclic-stage-without-room": no_room(cyclic(FOUR, 3)),
            "cyclic-left-above": cyclic(ALTERNATE, 3, above=True),
            "cyclic-unused-potentials": unused(cyclic(FOUR, 3)),
            "cyclic-needlessly-low-mean": low_mean(cyclic(FOUR, 3)),
            "cyclic-interval": interval(cyclic(FOUR, 3)),
            "cyclic-repeat": cyclic(ALTERNATE, 7, repeat=True),
            "cyclic-repeat-to-the-end": changed(
                cyclic(ALTERNATE, 7, repeat=True), (("dual", "stages", 0, "repeat"), [1, 6])
            ),
            "cyclic-repeat-three-actions": cyclic(THREE, 5, repeat=True),
            "cyclic-repeat-of-three-steps": changed(
                cyclic(in_circles(), 4, repeat=True), (("dual", "stages", 0, "repeat"), [1, 3])
            ),
            "cyclic-home": cyclic(GENERAL, 5, home=True),
            "cyclic-home-only-there-a-repeat": cyclic(FOUR, 7, repeat=True, home=True),
            "cyclic-home-and-not": changed(
                cyclic(FOUR, 3, home=True), (("dual", "stages", 0, "home"), False)
            ),
            "cyclic-home-without-room": no_room(cyclic(FOUR, 3, home=True)),
            "cyclic-home-memory-1": cyclic(MEMORYLESS, 3, home=True),
            "cyclic-window": cyclic(windowed(), 5),
            "cyclic-weighted": cyclic(weighted(), 4),
            "cyclic-one-action": cyclic(ONE_ARM, 2),
            "cyclic-memory-1": cyclic(MEMORYLESS, 3),
        }
        | without_graph()
        | cheap_arms()
        | many_arms()
    )


def lazy(T, jumps):
    value, plan = best_plan(LAZY, T, (0,))
    runs = [[[a], len(list(group))] for a, group in itertools.groupby(plan)]
    doc = horizon(LAZY, T, (0,), runs, jumps)
    assert doc["claim"]["value"] == text(value)
    return doc


def one_by_one(doc):
    """The same plays, each a run of its own: shorter than the memory, so that no copy may be added."""
    plays = [a for word, repeats in doc["primal"]["runs"] for a in word * repeats]
    return {**doc, "primal": {"runs": [[[a], 1] for a in plays]}}


def alternating(T):
    """The alternating plan for a long even horizon, of value 0, with one jump over nearly all of it."""
    claim = {"question": "horizon", "horizon": T, "start": [], "value": "0/1"}
    return document(ALTERNATE, claim, {"runs": [[[0, 1], T // 2]]}, {"jumps": [[1, 2, (T - 2) // 2 - 1]]})


def low_mean(doc):
    """A lower mean only means more room, and here the walk of length L that would need it costs too much."""
    doc["dual"]["potentials"][0]["mean"] = "-9/1"
    return doc


def unused(doc):
    """Potentials that no stage names, other than the last ones, prove nothing and need not hold."""
    doc["dual"]["potentials"].insert(1, {"mean": "1/1", "scale": 1, "values": [0, 5, -7, 0, 0, 9, 0, 1]})
    return doc


def interval(doc):
    """The proof of the optimum as a lower bound, with a word that does not attain it."""
    word = [1, 1, 1]
    upper = mean(doc["instance"], word)
    claim = {**doc["claim"], "lower": doc["claim"]["value"], "value": text(upper)}
    assert Fraction(claim["lower"]) < upper
    return {**doc, "claim": claim, "primal": {"word": word}}


def no_room(doc):
    """A stage with the last potentials has the budget 0: all its tables are empty, and so repeat at once."""
    doc["dual"]["stages"].append(
        {"root": 5, "potentials": len(doc["dual"]["potentials"]) - 1, "repeat": [0, 1]}
    )
    return doc


def wild_when_removed(doc):
    """Potentials are free at histories that were removed before their first use."""
    doc["dual"]["potentials"][-1]["values"][doc["dual"]["stages"][0]["root"]] = 10**40
    return doc


def units(of, factor):
    """What the losses of an instance once were."""
    return {"of": of, "origin": "1/2", "factor": factor}


def changed(doc, *changes, rehash=True):
    """A copy with the values at some paths replaced (`DROP` removes), with the hash of the new instance."""
    doc = copy.deepcopy(doc)
    for path, value in changes:
        *way, last = path
        place = doc
        for step in way:
            place = place[step]
        if value is DROP:
            del place[last]
        else:
            place[last] = value
    return {**doc, "provenance": rehashed(doc)["provenance"]} if rehash else doc


DROP = object()
VALUE = ("claim", "value")


def wrong_values(docs):
    """Every claim is refused with its value one unit higher or lower: the last digit of the scaled value."""
    for name in ("mean-cycle", "horizon", "horizon-line-jump", "cyclic-stages", "cyclic", "horizon-window"):
        value = Fraction(docs[name]["claim"]["value"])
        unit = Fraction(1, 30 * value.denominator)
        for word, new in (("above", value + unit), ("below", value - unit)):
            yield f"{name}-value-{word}", (changed(docs[name], (VALUE, text(new))), "claimed")


def worse_policies(docs):
    """A policy replayed rightly, but not the best: only the dual side can tell."""
    value = total(GENERAL, (), [0] * 9)
    doc = changed(docs["horizon"], (("primal", "runs"), [[[0], 9]]), (VALUE, text(value)))
    yield "horizon-worse-plan", (doc, "below the claimed value")
    doc = changed(docs["mean-cycle"], (("primal", "word"), [0]), (VALUE, text(mean(GENERAL, [0]))))
    yield "mean-cycle-worse-word", (doc, "fail on the edge")
    worse = max((mean(GENERAL, w), w) for w in itertools.product(range(2), repeat=4) if 0 < sum(w) < 4)
    doc = changed(docs["cyclic"], (("primal", "word"), list(worse[1])), (VALUE, text(worse[0])))
    yield "cyclic-worse-word", (doc, "room for a closed walk")
    doc = changed(docs["mean-cycle"], (("primal", "word"), [0]))
    yield "mean-cycle-other-word", (doc, "does not have the claimed mean")
    first = docs["horizon"]["primal"]["runs"][0][0]
    doc = changed(docs["horizon"], (("primal", "runs", 0, 0), [1 - a for a in first]))
    yield "horizon-swapped-actions", (doc, "total loss of the runs")


def wrong_potentials(docs):
    phi = docs["mean-cycle"]["dual"]["potentials"]
    for s, word, by in ((0, "lowered", -50), (1, "raised", 50), (2, "raised", 50)):
        doc = changed(docs["mean-cycle"], (("dual", "potentials", s), phi[s] + by))
        yield f"mean-cycle-potential-{s}-{word}", (doc, "fail on the edge")
    doc = docs["mean-cycle"]
    yield (
        "mean-cycle-potential-dropped",
        (changed(doc, (("dual", "potentials", 3), DROP)), "3 entries where 4"),
    )
    yield "mean-cycle-potential-null", (changed(doc, (("dual", "potentials", 3), None)), "not an integer")
    yield "mean-cycle-potential-true", (changed(doc, (("dual", "potentials", 3), True)), "not an integer")
    yield "mean-cycle-scale-0", (changed(doc, (("dual", "scale"), 0)), "below 1")
    yield (
        "mean-cycle-potential-huge",
        (changed(doc, (("dual", "potentials", 3), 10**4000)), "fail on the edge"),
    )


def wrong_instances(docs):
    doc = docs["mean-cycle"]
    yield "memory-too-small", (changed(doc, (("instance", "memory"), 2)), "entries where 2 are needed")
    yield "memory-hostile", (changed(doc, (("instance", "memory"), 10**9)), "entries where 1000000000 are")
    yield (
        "memory-true",
        (changed(docs["mean-cycle-memory-1"], (("instance", "memory"), True)), "not an integer"),
    )
    yield "memory-0", (changed(doc, (("instance", "memory"), 0)), "below 1")
    short = tallying(("1/5", "1/2"), ("3/10", "1/3"))
    yield "memory-of-another", (changed(doc, (("instance",), short)), "4 entries where 2")
    swapped = {**GENERAL, "losses": GENERAL["losses"][::-1]}
    yield "swapped-actions", (changed(doc, (("instance",), swapped)), "")
    yield "no-actions", (changed(doc, (("instance", "losses"), [])), "no actions")
    entry = ("instance", "losses", 0, 0)
    for name, value in (
        ("unreduced", "2/10"),
        ("decimal", "0.2"),
        ("signed", "+1/5"),
        ("negative-zero", "-0/1"),
    ):
        yield f"loss-{name}", (changed(doc, (entry, value)), "lowest terms")
    for name, value in (("zero-denominator", "1/0"), ("unicode", "\u0661/5"), ("digits", "1/1" + "0" * 9000)):
        yield f"loss-{name}", (changed(doc, (entry, value)), "lowest terms")
    yield "loss-integer", (changed(doc, (entry, 1)), "lowest terms")
    yield "loss-above-1", (changed(doc, (entry, "6/5")), "outside [0, 1]")
    yield "loss-below-0", (changed(doc, (entry, "-1/5")), "outside [0, 1]")
    yield "instance-unknown-key", (changed(doc, (("instance", "kind"), "tallying")), "unknown key 'kind'")
    yield "instance-name-number", (changed(doc, (("instance", "name"), 7)), "not a string")
    for name, of, factor in (
        ("nothing", "losses", "0/1"),
        ("losses-turned-round", "losses", "-1/1"),
        ("rewards-turned-round", "rewards", "1/1"),
    ):
        yield (
            f"units-of-{name}",
            (changed(doc, (("instance", "units"), units(of, factor))), "not above 0 for losses, or below 0"),
        )
    window = docs["mean-cycle-window"]
    yield "window-missing", (changed(window, (("instance", "windows", 2, 7), DROP)), "7 entries where 8")
    yield "window-actions-hostile", (changed(window, (("instance", "actions"), 10**4000)), "an integer of")
    weighted_ = docs["mean-cycle-weighted"]
    yield (
        "tally-missing",
        (changed(weighted_, (("instance", "losses", 1, "5/4"), DROP)), "exactly the possible"),
    )
    yield (
        "tally-added",
        (changed(weighted_, (("instance", "losses", 0, "2/1"), "1/1")), "exactly the possible"),
    )
    yield "tally-unreduced", (changed(weighted_, (("instance", "losses", 0, "4/2"), "1/1")), "lowest terms")


def wrong_documents(docs):
    doc = docs["horizon"]
    yield "wrong-format", (changed(doc, (("format",), "certificate")), "The format is")
    yield "wrong-version", (changed(doc, (("version",), 2)), "version 1")
    yield "version-true", (changed(doc, (("version",), True)), "version 1")
    yield "unknown-key", (changed(doc, (("note",), "hello")), "unknown key 'note'")
    for key in ("format", "version", "instance", "claim", "primal", "dual", "provenance"):
        yield f"without-{key}", (changed(doc, ((key,), DROP), rehash=False), f"lacks the key '{key}'")
    for key in ("horizon", "start", "value"):
        yield f"claim-without-{key}", (changed(doc, (("claim", key), DROP)), f"lacks the key '{key}'")
    yield "claim-unknown-key", (changed(doc, (("claim", "period"), 3)), "unknown key 'period'")
    yield "unknown-question", (changed(doc, (("claim", "question"), "discounted")), "is none of")
    yield "claim-list", (changed(doc, (("claim",), [])), "not an object")
    yield "value-unreduced", (changed(doc, (VALUE, "154/60")), "lowest terms")
    yield "value-number", (changed(doc, (VALUE, 3)), "lowest terms")
    digest = ("provenance", "instance_sha256")
    yield "wrong-hash", (changed(doc, (digest, "0" * 64), rehash=False), "hash")
    capitals = doc["provenance"]["instance_sha256"].upper()
    yield "hash-in-capitals", (changed(doc, (digest, capitals), rehash=False), "hash")
    long = f"1/1{'0' * 4300}"
    yield "value-too-many-digits", (changed(doc, (VALUE, long)), "lowest terms")
    yield "hash-missing", (changed(doc, (digest, DROP), rehash=False), "lacks the key 'instance_sha256'")
    yield "program-number", (changed(doc, (("provenance", "program"), 1), rehash=False), "not a string")
    yield (
        "provenance-float",
        (changed(doc, (("provenance", "seconds"), 0.5), rehash=False), "a fraction or an"),
    )


def wrong_horizons(docs):
    doc, runs = docs["horizon"], ("primal", "runs")
    yield "horizon-one-more", (changed(doc, (("claim", "horizon"), 10)), "do not add up")
    yield "horizon-one-less", (changed(doc, (("claim", "horizon"), 8)), "do not add up")
    yield "horizon-negative", (changed(doc, (("claim", "horizon"), -1)), "below 0")
    yield "horizon-text", (changed(doc, (("claim", "horizon"), "9")), "not an integer")
    yield "start-other", (changed(docs["horizon-full-start"], (("claim", "start"), [0, 1])), "")
    yield "start-out-of-range", (changed(doc, (("claim", "start"), [2])), "not an action")
    yield "run-empty-word", (changed(doc, (runs, [[[], 9]])), "is empty")
    yield "run-negative-repeats", (changed(doc, (runs, [[[0], 10], [[1], -1]])), "below 1")
    yield "run-no-repeats", (changed(doc, (runs, [[[0] * 9, 1], [[1], 0]])), "below 1")
    yield "run-true", (changed(doc, ((*runs, 0, 1), True)), "not an integer")
    yield "run-action-out-of-range", (changed(doc, ((*runs, 0, 0, 0), 2)), "not an action")
    yield "run-action-negative", (changed(doc, ((*runs, 0, 0, 0), -1)), "not an action")
    yield "run-action-true", (changed(doc, ((*runs, 0, 0, 0), True)), "not an action")
    yield "run-of-three", (changed(doc, ((*runs, 0), [[0], 9, 1])), "3 entries where 2")
    yield "potentials-for-horizon", (changed(doc, (("dual", "potentials"), [])), "unknown key")
    huge_ = docs["horizon-constant-jump"]
    off = [[[0, 1], 5 * 10**17 - 1], [[0], 1], [[0], 1]]
    yield "horizon-huge-wrong-end", (changed(huge_, (runs, off)), "total loss of the runs")


def wrong_jumps(docs):
    two, jumps = docs["horizon-two-jumps"], ("dual", "jumps")
    leaves = "leaves the line"
    yield "jump-too-long", (changed(two, (jumps, [[0, 1, 700]])), leaves)
    yield "jump-just-too-long", (changed(two, (jumps, [[0, 1, first_bad_jump(LAZY)]])), leaves)
    yield "jump-beyond-the-horizon", (changed(two, (jumps, [[0, 1, 2000]])), "beyond the last layer")
    yield "jumps-overlap", (changed(two, (jumps, [[0, 1, 400], [400, 1, 3]])), "before the end")
    yield "jumps-in-wrong-order", (changed(two, (jumps, [[600, 7, 100], [0, 1, 400]])), "before the end")
    yield "jump-at-10-to-the-30", (changed(two, (jumps, [[10**30, 1, 1]])), "beyond the last layer")
    yield "jump-negative-start", (changed(two, (jumps, [[-1, 1, 1]])), "below 0")
    yield "jump-period-0", (changed(two, (jumps, [[0, 0, 1]])), "below 1")
    yield "jump-count-0", (changed(two, (jumps, [[0, 1, 0]])), "below 1")
    yield "jump-of-two", (changed(two, (jumps, [[0, 1]])), "2 entries where 3")
    back = horizon(returning(), 11, (0,), runs=[[[2], 11]])
    yield "jump-back-to-the-line", (changed(back, (jumps, [[0, 1, 10]])), leaves)
    # The tree of a short start takes steps too: m-1 = 2 of the 9 are not sweeps.
    yield "jump-into-the-tree", (changed(docs["horizon"], (jumps, [[0, 1, 7]])), "beyond the last layer")
    early = horizon(GENERAL, 30)
    yield "jump-in-the-transient", (changed(early, (jumps, [[0, 1, 20]])), leaves)


def first_bad_jump(instance):
    """The least k for which [0, 1, k] is false, from the layers themselves."""
    ways = list(edges(instance))
    layers = [[Fraction(0)] * len(histories(instance))]
    while layers[-1] == [(len(layers) - 1) * x for x in layers[min(1, len(layers) - 1)]]:
        layer = layers[-1]
        layers.append(
            [min(c + layer[then] for s, _, then, c in ways if s == here) for here in range(len(layer))]
        )
    return len(layers) - 2


def wrong_cyclic(docs):
    doc = docs["cyclic-below-memory"]
    stages, stage, first, last = (
        ("dual", "stages"),
        ("dual", "stages", 1),
        ("dual", "potentials", 0),
        ("dual", "potentials", 1),
    )
    assert len(doc["dual"]["potentials"]) == 2
    yield "cyclic-other-period", (changed(doc, (("claim", "period"), 4)), "3 entries where 4")
    yield "cyclic-period-0", (changed(doc, (("claim", "period"), 0)), "below 1")
    yield "cyclic-empty-word", (changed(doc, (("primal", "word"), [])), "0 entries where 3")
    yield (
        "cyclic-without-potentials",
        (changed(doc, (("dual", "potentials"), DROP)), "lacks the key 'potentials'"),
    )
    yield "cyclic-no-potentials", (changed(doc, (("dual", "potentials"), []), (stages, [])), "is empty")
    yield "cyclic-without-stages", (changed(doc, (stages, DROP)), "lacks the key 'stages'")
    yield "last-potentials-dropped", (changed(doc, (last, DROP)), "mean below the claimed value")
    yield "last-mean-lowered", (changed(doc, ((*last, "mean"), "1/2")), "mean below the claimed value")
    yield "stage-dropped", (changed(doc, (stage, DROP)), "fail on the edge")
    yield "all-stages-dropped", (changed(doc, (stages, [])), "fail on the edge")
    twice = [*doc["dual"]["stages"], doc["dual"]["stages"][0]]
    yield "root-twice", (changed(doc, (stages, twice)), "root of two stages")
    yield "root-out-of-range", (changed(doc, ((*stage, "root"), 8)), "not the code of a history")
    yield "root-negative", (changed(doc, ((*stage, "root"), -1)), "below 0")
    yield "index-beyond-the-list", (changed(doc, ((*stage, "potentials"), 2)), "beyond the end of the list")
    yield "index-negative", (changed(doc, ((*stage, "potentials"), -1)), "below 0")
    yield "index-true", (changed(doc, ((*stage, "potentials"), True)), "not an integer")
    yield "index-goes-back", (changed(doc, ((*stages, 0, "potentials"), 1)), "goes back")
    yield (
        "last-potentials-used-too-early",
        (changed(doc, ((*stage, "potentials"), 1)), "entry 1 of the list fail"),
    )
    yield "potential-null", (changed(doc, ((*first, "values", 5), None)), "not an integer")
    yield "potential-dropped", (changed(doc, ((*first, "values", 5), DROP)), "7 entries where 8")
    idle = ("dual", "potentials", 1)  # no stage uses them, and they are not the last
    yield (
        "unused-potential-dropped",
        (changed(docs["cyclic-unused-potentials"], ((*idle, "values", 5), DROP)), "7 entries where 8"),
    )
    yield "potential-raised", (changed(doc, ((*first, "values", 4), 9)), "fail on the edge from history 4")
    yield "potential-lowered", (changed(doc, ((*last, "values", 4), -9)), "fail on the edge")
    yield "mean-raised", (changed(doc, ((*first, "mean"), "1/2")), "fail on the edge")
    yield "scale-0", (changed(doc, ((*last, "scale"), 0)), "below 1")
    homeward = docs["cyclic-home-only-there-a-repeat"]
    for name, home in (("1", 1), ("null", None), ("text", "true")):
        yield f"stage-home-{name}", (changed(homeward, ((*stage, "home"), home)), "not true or false")
    yield (
        "stage-repeat-but-for-home",
        (changed(homeward, ((*stage, "home"), DROP)), "do not repeat as claimed"),
    )
    value = Fraction(homeward["claim"]["value"])
    too_high = {**homeward["claim"], "lower": text(value + Fraction(1, 10**9)), "value": text(1)}
    doc_too_high = changed(homeward, (("claim",), too_high), (("primal", "word"), [1] * 7))
    yield "cyclic-home-lower-bound-a-hair-too-high", (doc_too_high, "claimed")
    yield "stage-unknown-key", (changed(doc, ((*stage, "note"), 1)), "unknown key")
    yield "potentials-unknown-key", (changed(doc, ((*last, "note"), 1)), "unknown key")
    between = docs["cyclic-interval"]
    lower = Fraction(between["claim"]["lower"])
    for name, unit in (("hair", Fraction(1, 10**9)), ("lot", Fraction(1, 4))):
        doc_too_high = changed(between, (("claim", "lower"), text(lower + unit)))
        yield f"cyclic-lower-bound-a-{name}-too-high", (doc_too_high, "room for a closed walk")
    yield (
        "cyclic-interval-other-upper-end",
        (changed(between, (VALUE, text(Fraction(between["claim"]["value"]) + 1))), "claimed"),
    )
    repeated = docs["cyclic-repeat"]
    place = ("dual", "stages", 0, "repeat")
    yield "repeat-that-does-not", (changed(repeated, (place, [0, 3])), "do not repeat")
    yield "repeat-beyond-the-period", (changed(repeated, (place, [6, 2])), "beyond the period")
    hiding = cyclic(ALTERNATE, 8, repeat=True)
    through = {"root": 0, "potentials": 0, "repeat": [1, 4]}
    low = [{"mean": mean, "scale": 1, "values": [0, 0]} for mean in ("0/1", "1/8")]
    hiding["dual"] = {"potentials": low, "stages": [through]}
    hiding["claim"] |= {"lower": "1/8", "value": "1/4"}
    hiding["primal"]["word"] = [0, 0, 1, 0, 1, 0, 1, 1]
    yield "repeat-that-hides-a-walk", (hiding, "leaves room for a closed walk")
    for side in ("claim", "primal"):
        yield (
            f"cyclic-{side}-with-a-remark",
            (changed(repeated, ((side, "remark"), "")), "unknown key 'remark'"),
        )
    yield "repeat-period-0", (changed(repeated, (place, [0, 0])), "below 1")
    yield "repeat-null", (changed(repeated, (place, None)), "not a list")
    lie = changed(
        repeated,
        (place, [1, 2]),
        (("claim", "period"), 8),
        (("primal", "word"), [0, 1, 0, 1, 0, 1, 0, 0]),
        (VALUE, "1/4"),
    )
    yield "repeat-hides-a-walk", (lie, "room for a closed walk")


def broken_texts(docs):
    """Not documents at all, or documents that a lenient parser would read in two ways."""
    whole = json.dumps(docs["horizon"])
    yield "byte-order-mark", ("\ufeff" + whole, "not readable as JSON")
    yield "truncated", (whole[:-20], "not readable as JSON")
    yield "empty", ("", "not readable as JSON")
    yield "trailing", (whole + "{}", "not readable as JSON")
    yield "duplicate-key", (whole.replace('"version": 1,', '"version": 2, "version": 1,', 1), "occurs twice")
    yield "duplicate-value", (whole.replace('"value":', '"value": "0/1", "value":', 1), "occurs twice")
    yield "not-a-number", (whole.replace('"horizon": 9', '"horizon": NaN'), "NaN")
    yield "infinity", (whole.replace('"horizon": 9', '"horizon": -Infinity'), "Infinity")
    yield "float", (whole.replace('"horizon": 9', '"horizon": 9.0'), "a fraction or an exponent")
    yield "exponent", (whole.replace('"horizon": 9', '"horizon": 9e0'), "a fraction or an exponent")
    yield (
        "too-many-digits",
        (whole.replace('"horizon": 9', '"horizon": 9' + "0" * 5000), "not readable as JSON"),
    )
    yield "nested", ("[" * 20000, "nested too deeply")
    yield "list", ("[]", "not an object")


def other_problems(docs):
    """Right proofs, with the right hash, about an easier problem than the one asked about."""
    asked = {"memory": 3, "losses": [[0.2, "0.5", "9/10"], [0.3, "1/3", 0.7500001]]}
    yield "easier-losses", (docs["mean-cycle"], "the losses differ", asked)
    yield "easier-memory", (docs["cyclic-stages"], "the memory differs", {"memory": 1, "losses": [[0], [0]]})
    yield (
        "fewer-actions",
        (docs["cyclic-stages"], "number of actions differs", tallying((0, 1), (0, 1), (0, 1))),
    )
    yield "other-kind", (docs["mean-cycle-window"], "the kind differs", GENERAL)
    yield "other-weights", (docs["mean-cycle-weighted"], "the weights differ", other_weights())


def any_sign():
    """Weights 1, -1/2 and 0."""
    tables = [{"1/1": "1/3", "1/2": "1/10"}, {"1/1": "1/2", "1/2": "1/5"}]
    return {"memory": 3, "weights": ["1/1", "-1/2", "0/1"], "losses": tables}


def other_weights():
    """Other weights with the same set of weighted tallies."""
    return {**weighted(), "weights": ["1/1", "1/4", "1/2"]}


def remarks(docs):
    """No side may say more than it has to."""
    duals = [
        "mean-cycle",
        "two-arms",
        "per-arm",
        "tallies-three-actions",
        "fewer-arms",
        "cheap-arms",
        "separable-three-actions",
    ]
    duals += ["horizon-counts", "horizon-direct", "horizon-mean-cycle", "horizon-fewer-arms"]
    for name in duals:
        yield (
            f"remark-in-the-dual-of-{name}",
            (
                changed(docs[name], (("dual", "remark"), "")),
                "unknown key 'remark'",
            ),
        )
    remark = changed(docs["mean-cycle"], (("claim", "remark"), ""))
    yield "remark-in-the-claim-of-mean-cycle", (remark, "unknown key 'remark'")


def refused(docs):
    """name -> (document or text, part of the reason[, instance given])."""
    makers = (
        remarks,
        wrong_values,
        worse_policies,
        wrong_potentials,
        wrong_instances,
        wrong_documents,
        wrong_horizons,
        wrong_jumps,
        wrong_cyclic,
        wrong_bounds,
        wrong_cheap_arms,
        wrong_many_arms,
        wrong_horizon_bounds,
        broken_texts,
        other_problems,
    )
    return dict(itertools.chain.from_iterable(make(docs) for make in makers))


def write():
    docs = accepted()
    manifest = {}
    for folder in ("accepted", "refused", "instances"):
        (VECTORS / folder).mkdir(parents=True, exist_ok=True)
    for name, doc in docs.items():
        (VECTORS / "accepted" / f"{name}.json").write_text(json.dumps(doc) + "\n")
    for name, (doc, reason, *instance) in refused(docs).items():
        body = doc if isinstance(doc, str) else json.dumps(doc) + "\n"
        (VECTORS / "refused" / f"{name}.json").write_text(body)
        manifest[f"{name}.json"] = {"reason": reason}
        if instance:
            (VECTORS / "instances" / f"{name}.json").write_text(json.dumps(instance[0]) + "\n")
            manifest[f"{name}.json"]["instance"] = f"instances/{name}.json"
    (VECTORS / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    write()
