"""The accounts of docs/certificates.md, section 10: counted here by hand, the checker stops just there."""

import json
import sys
from fractions import Fraction
from itertools import product
from math import ceil, lcm

import pytest
from check_build import VECTORS, document, mean_cycle, size, tallying

from tallyplan.check import check
from tallyplan.check.document import LONGEST_INTEGER
from tallyplan.check.verdict import blocks


class Account:
    """Edges spent, and the most entries that ever had to fit at once."""

    def __init__(self):
        self.spent = self.kept = self.most = 0

    def edges(self, x, b=0):
        self.spent += x * (1 + b // 256)

    def products(self, x, b, c):
        self.spent += x * (1 + b // 256) * (1 + c // 256)

    def fit(self, x, b=0):
        self.most = max(self.most, self.kept + x * (1 + b // 256))

    def keep(self, x, b=0):
        self.fit(x, b)
        self.kept += x * (1 + b // 256)

    def common(self, numbers):
        whole = 1
        for d in sorted({Fraction(x).denominator for x in numbers}):
            self.products(1, whole.bit_length(), d.bit_length())
            self.fit(len(numbers), whole.bit_length() + d.bit_length())
            whole = lcm(whole, d)
        return whole

    def power(self, base, exponent):
        for i in range(1, exponent + 1):
            self.fit(base**i)

    def least_limit(self):
        return max(self.spent, 100 * self.most)


def read(account, instance):
    losses = [Fraction(loss) for row in instance["losses"] for loss in row]
    for loss in losses:
        account.keep(3, loss.denominator.bit_length())
    D = account.common(losses)
    account.common([Fraction(1)] * instance["memory"])  # a tallying instance has the weights 1
    account.products(len(losses), D.bit_length(), D.bit_length())
    return D, len(losses)


def of_mean_cycle(proof):
    account = Account()
    instance, claim, dual = proof["instance"], proof["claim"], proof["dual"]
    K, m = size(instance)
    D, S = read(account, instance)
    method = dual.get("method", "potentials")
    v = Fraction(claim.get("lower", claim["value"]))
    ends = v.numerator.bit_length() + v.denominator.bit_length()
    n, word = K ** (m - 1), proof["primal"]["word"]
    mean = lambda: account.edges((len(word) + m) * m, D.bit_length())  # noqa: E731
    if method == "potentials":
        account.power(K, m - 1)
        mean()
        b = D.bit_length() + dual["scale"].bit_length() + ends
        b += max(phi.bit_length() for phi in dual["potentials"])
        account.edges(n * K, b)
        account.products(S, b, b)
        account.fit(S, b)
        account.fit(n * K // 4)
    elif method == "two-arms":
        slopes = [Fraction(0), *map(Fraction, dual["slopes"])]
        u = account.common(slopes)
        mean()
        b = u.bit_length() + max(x.numerator.bit_length() for x in slopes)
        b += D.bit_length() + m.bit_length() + ends
        account.products(20 * m, b, b)
        account.fit(3 * m, b)
    elif method == "per-arm":
        numbers = [Fraction(dual["price"]), *map(Fraction, dual["excesses"])]
        u = account.common(numbers)
        b = max(x.numerator.bit_length() + x.denominator.bit_length() for x in numbers)
        account.products(4 * K * m, D.bit_length() + m.bit_length(), 2 * b)
        account.products(20 * K, u.bit_length(), b)
        mean()
    return account


def of_graph(proof):
    account = Account()
    graph = proof["graph"]
    v, weights = Fraction(proof["claim"]["value"]), [Fraction(w) for w in graph["weights"]]
    width = lambda x: x.numerator.bit_length() + x.denominator.bit_length()  # noqa: E731
    account.keep(len(graph.get("names", [])) + 2 * len(weights))
    for weight in weights:
        account.keep(1, width(weight))
    cycle = proof["primal"]["cycle"]
    account.edges(2 * len(cycle))
    account.fit(len(cycle))
    used = [weights[edge] for edge in cycle]
    D = account.common(used)
    b = D.bit_length() + max(map(width, used)) + len(cycle).bit_length()
    account.products(len(cycle) + 2, b, b)
    account.products(2, b + width(v), b + width(v))
    b = width(v) + max(map(width, weights))
    phi = max(p.bit_length() for p in proof["dual"]["potentials"])
    account.products(5 * len(weights), b, max(b, proof["dual"]["scale"].bit_length(), 1 + phi))
    return account


def long_numbers():
    """Losses with denominators of 400 digits: B counts."""
    p = 10**400 + 69
    return mean_cycle(tallying((Fraction(1, p), Fraction(2, p)), (Fraction(1, 3), Fraction(1, 7))))


def stops_at(proof, account):
    limit = account.least_limit()
    assert check(proof, limit=limit).status == "accepted"
    assert check(proof, limit=limit - 1).status == "undecided"


@pytest.mark.parametrize(
    "name", ["mean-cycle", "mean-cycle-three-actions", "two-arms", "two-arms-memory-4", "per-arm-interval"]
)
def test_a_proof_of_a_mean_stops_where_the_accounts_say(name):
    proof = json.loads((VECTORS / "accepted" / f"{name}.json").read_text())
    stops_at(proof, of_mean_cycle(proof))


def test_work_on_long_numbers_stops_where_the_accounts_say():
    account = of_mean_cycle(long_numbers())
    assert account.spent > 100
    stops_at(long_numbers(), account)


@pytest.mark.parametrize("name", ["triangle", "named", "large-numbers", "walked-twice"])
def test_a_proof_about_a_graph_stops_where_the_accounts_say(name):
    proof = json.loads((VECTORS / "graph" / "accepted" / f"{name}.json").read_text())
    stops_at(proof, of_graph(proof))


def of_horizon(proof):
    """The recursion without jumps."""
    account = Account()
    instance, T = proof["instance"], proof["claim"]["horizon"]
    K, m = size(instance)
    D, _ = read(account, instance)
    d = min(T, m - 1 - len(proof["claim"]["start"]))
    if d < T:
        account.power(K, m - 1)
    for word, repeats in proof["primal"]["runs"]:
        turns = min(repeats, ceil((m - 1) / len(word))) + 1
        account.edges(turns * len(word) * m, D.bit_length())
    b = (D * (T + 1)).bit_length()
    account.power(K, d)
    account.fit(K**d, b)
    if d < T:
        account.power(K, m - 1)
        account.fit(K ** (m - 1), b)
        account.edges(K**m, b)
        account.fit(K**m // 4)
        account.fit(8 * (K + 9) * K ** (m - 1) * (1 + b // 64) // 100)
        account.edges((T - d) * (K**m + 20 * K), b)
    account.edges(2 * K**d + K * d * m, b)
    return account


@pytest.mark.parametrize("name", ["horizon", "horizon-partial-start", "horizon-below-memory", "horizon-runs"])
def test_a_recursion_stops_where_the_accounts_say(name):
    proof = json.loads((VECTORS / "accepted" / f"{name}.json").read_text())
    stops_at(proof, of_horizon(proof))


@pytest.mark.parametrize("digits", [0, 640, 5000])
def test_the_number_of_digits_is_the_formats_not_pythons(digits):
    before = sys.get_int_max_str_digits()
    verdicts = []
    for length, sign in product((LONGEST_INTEGER - 1, LONGEST_INTEGER), ("", "-")):
        q = 10**length  # length + 1 digits
        proof = document(
            {"memory": 1, "losses": [["0/1"]]}, {"question": "mean-cycle", "value": "0/1"}, {"word": [0]}, {}
        )
        nought = "0" * length
        proof["dual"] = {"scale": 1, "potentials": [q if not sign else -q]}
        proof["claim"]["lower"] = f"-1/1{nought}" if sign else "0/1"
        sys.set_int_max_str_digits(digits)
        try:
            verdicts.append(check(proof).status)
        finally:
            sys.set_int_max_str_digits(before)
    assert verdicts == ["accepted", "accepted", "accepted", "refused"]
    assert sys.get_int_max_str_digits() == before


def test_a_number_of_256_bits_counts_twice():
    assert [blocks(bits) for bits in (0, 255, 256, 511, 512)] == [1, 1, 2, 2, 3]
