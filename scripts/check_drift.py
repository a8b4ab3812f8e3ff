#!/usr/bin/env python3
"""Checks a certificate of an arithmetic period, of `nimwave period octal CODE --certificate FILE`. Plain Python; shares nothing with nimwave.

A certificate holds the digits of a code, n0, p, s, and first values of G. In both formats every value is checked to be the mex of the
values of its options, by the definition, and p and n0 to be the least ones. Then G(n + p) = G(n) + s for all n >= n0 follows from
finitely many conditions, by theorems of docs/PROOFS.md, section 12, whose letters are used here:

nimwave-arithmetic-period: a finite code. The theorem is used with P = times * p and S = times * s, with V = multiple * S, and with
    n1 = from; conditions (A) and (B) are gone through as they stand.
nimwave-endless-arithmetic-period: an endless code that never splits; the last `repeating` digits repeat for ever. The theorem is used
    with the least P = k * p that `repeating` divides and with S = k * s; n2 is the number of values.

Before that, every field must be there, once, with a value of its type and within its range, and no other field.

Exit code 0: the certificate is right; 1: it is not; 2: it cannot be read.
"""

import json
import math
import sys

from check_period import NotRight, fields_once, natural, naturals

COMMON = {"format", "version", "code", "digits", "preperiod", "period", "saltus", "last_index", "values"}
FINITE, ENDLESS = "nimwave-arithmetic-period", "nimwave-endless-arithmetic-period"


def check(data):
    """Checks a certificate as json.load gives it; what it proves, in words."""
    if type(data) is not dict or data.get("format") not in (FINITE, ENDLESS):
        raise ValueError("not a certificate of an arithmetic period")
    finite = data["format"] == FINITE
    fields = COMMON | ({"times", "multiple", "from"} if finite else {"repeating"})
    if set(data) != fields:
        raise ValueError("the fields of such a certificate are " + ", ".join(sorted(fields)))
    if natural(data["version"], 0, 1 << 32, "version") != 1:
        raise ValueError("not a certificate of version 1")
    digits = naturals(data["digits"], 0, 15, "digits")
    t = natural(data["last_index"], 0, 4096, "last_index")
    repeating = 0 if finite else natural(data["repeating"], 1, 4096, "repeating")
    if len(digits) != t + 1 or repeating > t or digits[0] % 4 != 0:
        raise ValueError("digits must have one for each index, and the first allows only splits")
    if finite and digits[-1] == 0 or not finite and any(d not in (0, 3) for d in digits):
        raise ValueError("the theorem does not speak of this code")
    if data["code"] != code_of(digits, repeating):
        raise NotRight("the digits are those of %s, not of %s" % (code_of(digits, repeating), data["code"]))
    g = naturals(data["values"], 0, 65535, "values")
    n0, p = natural(data["preperiod"], 0, 1 << 40, "preperiod"), natural(data["period"], 1, 1 << 40, "period")
    s = natural(data["saltus"], 1 if finite else 0, 65535, "saltus")

    check_values(digits, repeating, g)
    if finite:
        times = natural(data["times"], 1, 64, "times")
        multiple = natural(data["multiple"], 1, 65535, "multiple")
        by_moving_along(digits, g, n0, p, s, times, multiple, natural(data["from"], 1, 1 << 40, "from"))
    else:
        by_a_state_that_recurs(digits, repeating, g, n0, p, s)
    if n0 > 0 and g[n0 - 1] + s == g[n0 - 1 + p]:
        raise NotRight("the preperiod is smaller than %d" % n0)
    for q in range(1, p):
        if p % q == 0 and s * q % p == 0 and all(g[n + q] == g[n] + s * q // p for n in range(n0, n0 + p)):
            raise NotRight("the period is %d, a divisor of %d" % (q, p))
    what = "G(n + %d) = G(n) + %d from heap %d on" % (p, s, n0)
    return "%s: %s: right, for all heaps (%d values checked)" % (data["code"], what, len(g))


def code_of(digits, repeating):
    digits = ["%X" % d for d in digits]
    if repeating:
        digits.insert(len(digits) - repeating, "[")
        digits.append("...]")
    return digits[0] + "." + ("".join(digits[1:]) or "0")


def digit(digits, repeating, i):
    if i < len(digits):
        return digits[i]
    return digits[len(digits) - repeating + (i - len(digits)) % repeating] if repeating else 0


def check_values(digits, repeating, g):
    # The values of two and of three heaps, by the sum of their sizes; a sum n comes only after all heaps below n.
    two, three = [], []
    splits = any(d & 12 for d in digits)
    for n, value in enumerate(g):
        if splits:
            two.append({g[a] ^ g[n - a] for a in range(1, n // 2 + 1)})
            three.append({g[a] ^ pair for a in range(1, n - 1) for pair in two[n - a]} if any(d & 8 for d in digits) else set())
        options = set()
        for i in range(n + 1 if repeating else min(n + 1, len(digits))):
            d, rest = digit(digits, repeating, i), n - i
            if d & 1 and rest == 0:
                options.add(0)
            if d & 2 and rest > 0:
                options.add(g[rest])
            if d & 4:
                options |= two[rest]
            if d & 8:
                options |= three[rest]
        mex = next(v for v in range(len(options) + 1) if v not in options)
        if mex != value:
            raise NotRight("the mex of the options of heap %d is %d, not %d" % (n, mex, value))


def by_a_state_that_recurs(digits, repeating, g, n0, p, s):
    h = len(digits) - repeating
    P = math.lcm(p, repeating)
    S = s * (P // p)
    n2 = len(g)
    n1 = n2 - P
    if n1 < h + repeating - 1 or n1 < n0 + p:
        raise NotRight("%d values are too few" % n2)
    for n in range(n0, n2 - p):
        if g[n + p] != g[n] + s:
            raise NotRight("G(%d) = %d, but G(%d) = %d" % (n, g[n], n + p, g[n + p]))
    if any(g[n2 - j] != g[n1 - j] + S for j in range(1, h + repeating)):
        raise NotRight("the last values before %d are not those before %d moved by %d" % (n2, n1, S))

    def u(r, n):
        return {
            g[m - i]
            for m in range(r, n, repeating)
            for i in range(h, min(m, h + repeating - 1) + 1)
            if digits[i] == 3
        }

    for r in range(repeating):
        if u(r, n2) != set(range(S)) | {v + S for v in u(r, n1)}:
            raise NotRight("the set of class %d at %d is not that at %d moved by %d" % (r, n2, n1, S))


def by_moving_along(digits, g, n0, p, s, times, multiple, n1):
    t, N = len(digits) - 1, len(g)
    first = max(n0, 1)
    if N < first + 2 * times * p:
        raise NotRight("%d values are too few" % N)
    for n in range(n0, N - p):
        if g[n + p] != g[n] + s:
            raise NotRight("G(%d) = %d, but G(%d) = %d" % (n, g[n], n + p, g[n + p]))
    p, s = times * p, times * s
    V = multiple * s
    low_part = s & -s  # 2^g
    sigma = s // low_part

    def low(v):
        return v % low_part

    def high(v):
        return v // low_part

    # The least regular heap of each class, from above.
    a = [0] * p
    for r in range(p):
        n = (N - 1 - p) - (N - 1 - p - r) % p
        while n >= 1 and g[n + p] == g[n] + s:
            a[r], n = n, n - p
    exceptional = [n for n in range(1, max(a)) if n < a[n % p]]
    e = max(exceptional, default=0)
    # As many values as the theorem asks for, and no more.
    needed = max(n1 + 2 * p, t + 3 * e + 1, max(a) + 1, first + 2 * p)
    if not (all(a) and n1 > e and N == needed):
        raise NotRight("%d values, where %d are needed" % (N, needed))

    # (A)
    def differs(i, family):
        regular = [b for b in family if b >= a[b % p]]
        C = 0
        for b in family:
            if b < a[b % p]:
                C ^= g[b]
        z = i + sum(family)
        r = z % p
        lows = low(C)
        for b in regular:
            lows ^= low(g[b])
        assert (a[r] - z) % p == 0
        delta = high(C) + sum(high(g[b]) for b in regular) + sigma * ((a[r] - z) // p) - high(g[a[r]])
        if lows != low(g[a[r]]) or delta < 0 or delta % 2 == 1:
            return True
        return len(regular) == 1 and (delta // 2) & ~high(C) != 0

    bases = sorted(exceptional + a)
    families = [(k, i) for i, d in enumerate(digits) for k in (1, 2, 3) if d >> k & 1]
    for k, i in families:
        for family in multisets(bases, k):
            if any(b >= a[b % p] for b in family) and not differs(i, family):
                raise NotRight("condition (A) fails: taking %d, heaps %s" % (i, list(family)))

    # (B)
    end = n1 + 2 * p
    further = [{} for _ in range(end)]  # for each sum: values below 2^g of two heaps, and whether two regular heaps have it
    for total in range(2, end):
        for b in range(1, total // 2 + 1):
            c = total - b
            u = g[b] ^ g[c]
            if u < low_part:
                further[total][u] = further[total].get(u, False) or (b >= a[b % p] and c >= a[c % p])
    for n in range(n1, end):
        moved, stays, both = set(), set(), set()
        for i, d in enumerate(digits):
            rest = n - i
            if d & 2 and rest >= a[rest % p]:
                moved.add(g[rest])
            if d & 4:
                for b in range(1, rest):
                    if b >= a[b % p] and g[rest - b] < low_part:
                        moved.add(g[b] ^ g[rest - b])
                stays |= {u for u, regular in further[rest].items() if regular}
            if d & 8:
                for b in range(1, rest):
                    is_regular = b >= a[b % p]
                    for u, regular in further[rest - b].items():
                        v = g[b] ^ u
                        if is_regular:
                            moved.add(v)
                        if regular:
                            stays.add(v)
                        if is_regular and regular:
                            both.add(v)
        if g[n] < V or V < s:
            raise NotRight("condition (B) fails: G(%d) = %d is below V = %d" % (n, g[n], V))
        for v in range(g[n]):
            if v not in (stays if v < V - s else both if v < V else moved):
                raise NotRight("condition (B) fails: the value %d from heap %d" % (v, n))


def multisets(items, size, start=0):
    if size == 0:
        yield ()
        return
    for k in range(start, len(items)):
        for rest in multisets(items, size - 1, k):
            yield (items[k],) + rest


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            print(check(json.load(file, object_pairs_hook=fields_once)))
    except NotRight as problem:
        print("NOT RIGHT:", problem)
        return 1
    except (OSError, ValueError, RecursionError) as problem:
        print("cannot read the certificate:", problem)
        return 2


if __name__ == "__main__":
    sys.exit(main())
