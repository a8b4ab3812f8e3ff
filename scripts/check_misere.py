#!/usr/bin/env python3
"""Checks a certificate of `nimwave misere octal CODE --certificate FILE`. Plain Python; shares nothing with nimwave.

A certificate holds an octal code, a finite commutative monoid with its P-portion, and the element of each heap up to M (the
pretending function), with the preperiod n0 and the period p. Checked is that this is the misère quotient of all heaps:

1. The products make a commutative monoid with identity 0 that the elements of the heaps generate, and any two elements are told
   apart: beside some element one of them is in the P-portion and the other is not.
2. The state of a position is its element and the set of the elements of its options. States of sums follow from those of the
   parts: (x, E) + (y, F) = (xy, xF u yE). All states that the heaps up to M generate are visited; at each one x must be in the
   P-portion exactly if E is not empty and meets the P-portion nowhere (misère play: who cannot move wins).
3. The elements of heaps n and n + p are equal for n0 <= n and n + p <= M, where M = 2*n0 + 2*p + k - 1, k being the last index of
   the code (n0 + p + k - 1 if no move splits a heap). Then larger heaps have the states of smaller ones: docs/PROOFS.md. The
   period and the preperiod must be the least ones.
4. The generators are the heaps that are not sums of smaller ones, the elements are numbered and named by their normal forms, and the
   relations are those that rewrite to them. Truth does not need that; it makes the certificate unique.

Exit code 0: the certificate is right; 1: it is not; 2: it cannot be read.
"""

import json
import sys

FIELDS = {"format", "version", "code", "digits", "play", "preperiod", "period", "heaps", "order", "elements", "p_portion",
          "pretending", "generators", "relations", "product"}
MOST_ELEMENTS, MOST_HEAPS = 8192, 1 << 20


class NotRight(Exception):
    """The certificate states something false."""


def natural(value, low, high, name):
    if type(value) is not int or not low <= value <= high:  # True and 1.0 are equal to 1, and are not of its type
        raise ValueError("%s must be a whole number from %d to %d, not %r" % (name, low, high, value))
    return value


def naturals(values, low, high, name):
    if type(values) is not list:
        raise ValueError("%s must be a list" % name)
    return [natural(value, low, high, "an entry of " + name) for value in values]


def texts(values, name):
    if type(values) is not list or any(type(value) is not str for value in values):
        raise ValueError("%s must be a list of texts" % name)
    return values


def fields_once(pairs):
    """The fields of a JSON object. Programs differ in which one of two equal names they read, so there may be only one."""
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a field is given twice")
    return data


def demand(truth, text):
    if not truth:
        raise NotRight(text)


def options(digits, n):
    """The options of a heap of n as pairs of heaps; an absent heap is 0."""
    for taken, digit in enumerate(digits):
        rest = n - taken
        if digit & 1 and rest == 0:
            yield 0, 0
        if digit & 2 and rest >= 1:
            yield rest, 0
        if digit & 4:
            for b in range(1, rest // 2 + 1):
                yield rest - b, b


def check_monoid(product, in_p, generators):
    """Commutative, with identity 0, associative, and reduced. The generators are known to generate everything."""
    order = len(product)
    demand(product[0] == list(range(order)), "0 is not the identity")
    for x in range(order):
        demand(all(product[x][y] == product[y][x] for y in range(x)), "the product is not commutative")
    for g in generators:  # (x g) y = x (g y) for generators g is enough
        for x in range(order):
            xg, row = product[product[x][g]], product[x]
            demand(all(xg[y] == row[product[g][y]] for y in range(order)), "the product is not associative")
    rows = {tuple(in_p[z] for z in row) for row in product}
    demand(len(rows) == order, "two elements are not told apart by any third one")


def normal_forms(product, generators, element):
    """The least monomial of each element, and the elements in the order of those; the last generator counts first."""
    names, found = {0: (0,) * len(generators)}, [0]
    for i, heap in enumerate(generators):
        level, power = [(x, x) for x in found], 0
        while True:
            power += 1
            level = [(base, product[x][element[heap]]) for base, x in level]
            new = []
            for base, x in level:
                if x not in names:
                    names[x] = names[base][:i] + (power,) + names[base][i + 1:]
                    new.append(x)
            if not new:
                break
            found += new
    return names, found


def show(monomial):
    letters = [chr(97 + i % 26) + (str(i // 26) if i >= 26 else "") for i in range(len(monomial))]
    factors = [letter + ("^%d" % power if power > 1 else "") for letter, power in zip(letters, monomial) if power]
    return "".join(factors) or "1"


def relations(product, generators, element, names):
    normal, lefts = set(names.values()), {}
    for x, form in names.items():
        for i, heap in enumerate(generators):
            left = form[:i] + (form[i] + 1,) + form[i + 1:]
            below = (left[:j] + (left[j] - 1,) + left[j + 1:] for j in range(len(left)) if left[j])
            if left not in normal and all(divisor in normal for divisor in below):
                lefts[left[::-1]] = "%s=%s" % (show(left), show(names[product[x][element[heap]]]))
    return [lefts[left] for left in sorted(lefts)]


def check_states(product, in_p, states_of_heaps):
    """Visits all states; how many there are. Sets of elements are the bits of integers."""
    p_bits = sum(1 << x for x, is_in in enumerate(in_p) if is_in)

    def times(bits, x, known={}):
        key = bits, x
        if key not in known:
            row, result, rest = product[x], 0, bits
            while rest:
                low = rest & -rest
                result |= 1 << row[low.bit_length() - 1]
                rest ^= low
            known[key] = result
        return known[key]

    states, seen = [(0, 0)], {(0, 0)}
    demand(not in_p[0], "the empty position must not be in the P-portion")
    for heap, (y, f) in enumerate(states_of_heaps, 1):
        if (y, f) in seen:
            continue
        # The states so far are closed under sums; the list grows while it is gone through.
        for x, e in states:
            state = product[x][y], times(f, x) | times(e, y)
            if state not in seen:
                demand(in_p[state[0]] == (state[1] != 0 and state[1] & p_bits == 0),
                       "a position with a heap of %d contradicts its options" % heap)
                seen.add(state)
                states.append(state)
    return len(states)


def check(data):
    """Checks a certificate as json.load gives it; what it proves, in words."""
    if type(data) is not dict or set(data) != FIELDS:
        raise ValueError("the fields of a certificate are " + ", ".join(sorted(FIELDS)))
    if data["format"] != "nimwave-misere-quotient" or natural(data["version"], 0, 1 << 32, "version") != 1:
        raise ValueError("not a certificate of a misère quotient of version 1")
    digits = naturals(data["digits"], 0, 7, "digits")
    if not digits or digits[0] not in (0, 4) or digits[-1] == 0:
        raise ValueError("digits must begin with 0 or 4 and must not end with 0")
    order = natural(data["order"], 1, MOST_ELEMENTS, "order")
    last = natural(data["heaps"], 1, MOST_HEAPS, "heaps")
    n0, p = natural(data["preperiod"], 1, last, "preperiod"), natural(data["period"], 1, last, "period")
    p_portion = naturals(data["p_portion"], 0, order - 1, "p_portion")
    element = naturals(data["pretending"], 0, order - 1, "pretending")
    generators = naturals(data["generators"], 1, last, "generators")
    names, stated = texts(data["elements"], "elements"), texts(data["relations"], "relations")
    if type(data["product"]) is not list:
        raise ValueError("product must be a list")
    product = [naturals(row, 0, order - 1, "product") for row in data["product"]]
    if len(product) != order or any(len(row) != order for row in product):
        raise ValueError("product must have as many rows and columns as there are elements")
    code = "%d.%s" % (digits[0], "".join(map(str, digits[1:])) or "0")
    demand(data["code"] == code, "the code is not that of the digits")
    demand(data["play"] == "misere", "the play is not misere")
    demand(p_portion == sorted(set(p_portion)), "p_portion is not in order")
    demand(len(element) == last + 1 and element[0] == 0, "pretending does not begin with the empty heap, or ends elsewhere")
    in_p = [False] * order
    for x in p_portion:
        in_p[x] = True

    reached, needed = {0}, []  # the heaps that are not sums of smaller ones
    for heap in range(1, last + 1):
        if element[heap] not in reached:
            needed.append(heap)
            frontier = list(reached)
            while frontier:
                new = {product[x][element[heap]] for x in frontier} - reached
                reached |= new
                frontier = list(new)
    demand(generators == needed, "the generators are not the heaps that are not sums of smaller ones")
    demand(len(reached) == order, "some element is not that of a position")
    check_monoid(product, in_p, [element[heap] for heap in generators])
    forms, in_order = normal_forms(product, generators, element)
    demand(in_order == list(range(order)), "the elements are not in the order of their normal forms")
    demand(names == [show(forms[x]) for x in range(order)], "an element is not named by its normal form")
    demand(stated == relations(product, generators, element, forms), "the relations are not the reduced ones")

    states_of_heaps = []
    for heap in range(1, last + 1):
        reached = {product[element[a]][element[b]] for a, b in options(digits, heap)}
        states_of_heaps.append((element[heap], sum(1 << x for x in reached)))
    states = check_states(product, in_p, states_of_heaps)

    k = len(digits) - 1
    splits = any(digit & 4 for digit in digits)
    demand(last == (2 * n0 + 2 * p if splits else n0 + p) + k - 1, "this is not the number of heaps that the theorem needs")

    def repeats(first, period):
        return all(element[n] == element[n + period] for n in range(first, last - period + 1))

    demand(repeats(n0, p), "the heaps do not repeat with this period")
    demand(n0 == 1 or element[n0 - 1] != element[n0 - 1 + p], "a smaller preperiod would do")
    demand(not any(repeats(n0, smaller) for smaller in range(1, p)), "a smaller period would do")
    return "the misère quotient of %s has order %d with %d elements in P, and heaps repeat from %d on with period %d (%d states)" % (
        code, order, len(p_portion), n0, p, states)


def main(paths):
    if not paths:
        print(__doc__)
        return 2
    worst = 0
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                print("%s: %s" % (path, check(json.load(file, object_pairs_hook=fields_once))))
        except NotRight as problem:
            print("%s: NOT RIGHT: %s" % (path, problem))
            worst = max(worst, 1)
        except (OSError, ValueError, RecursionError) as problem:
            print("%s: cannot be read: %s" % (path, problem))
            worst = 2
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
