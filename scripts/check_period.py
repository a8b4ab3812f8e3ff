#!/usr/bin/env python3
"""Checks a certificate of `nimwave period octal CODE --certificate FILE`. Plain Python; shares nothing with nimwave.

A certificate holds the code, n0, p and the values G(0), ..., G(2*n0 + 2*p + t - 1), t being the last index of the code.
Two things are checked.

1. Every value is the mex of its options' values. For any mask, call a value rare if popcount(value AND mask) is even. The
   XOR of two values is then common exactly if one of them is rare. So the pairs with a rare part decide which common values are
   options; each rare value that matters is looked for among all pairs. With mask 0 every value is rare and
   all pairs are gone through. The mask only saves time.
2. G(n + p) = G(n) for n0 <= n < 2*n0 + p + t. By the theorem of Guy and Smith it then holds for all n >= n0.
   The values just before n0 must break the period, and no smaller period may do.

Before that, every field must be there, once, with a value of its type and within its range, and no other field.

Exit code 0: the certificate is right; 1: it is not; 2: it cannot be read.
"""

import json
import sys

FIELDS = {"format", "version", "code", "digits", "preperiod", "period", "last_index", "mask", "values"}


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


def fields_once(pairs):
    """The fields of a JSON object. Programs differ in which one of two equal names they read, so there may be only one."""
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a field is given twice")
    return data


def check(data):
    """Checks a certificate as json.load gives it; what it proves, in words."""
    if type(data) is not dict or set(data) != FIELDS:
        raise ValueError("the fields of a certificate are " + ", ".join(sorted(FIELDS)))
    if data["format"] != "nimwave-octal-period" or natural(data["version"], 0, 1 << 32, "version") != 1:
        raise ValueError("not a period certificate of version 1")
    digits = naturals(data["digits"], 0, 7, "digits")
    if not digits or digits[0] not in (0, 4) or digits[-1] == 0:
        raise ValueError("digits must begin with 0 or 4 and must not end with 0")
    t = natural(data["last_index"], 0, 4096, "last_index")
    n0, p = natural(data["preperiod"], 1, 1 << 40, "preperiod"), natural(data["period"], 1, 1 << 40, "period")
    mask, g = natural(data["mask"], 0, 65535, "mask"), naturals(data["values"], 0, 65535, "values")

    code = "%d." % digits[0] + ("".join(map(str, digits[1:])) or "0")
    if data["code"] != code or t != len(digits) - 1:
        raise NotRight("the code %s and the last index %d do not fit the digits" % (data["code"], t))
    if len(g) != 2 * n0 + 2 * p + t:
        raise NotRight("%d values for n0 = %d, p = %d, t = %d" % (len(g), n0, p, t))
    check_values(digits, g, mask)
    for n in range(n0, 2 * n0 + p + t):
        if g[n + p] != g[n]:
            raise NotRight("G(%d) = %d, but G(%d) = %d" % (n, g[n], n + p, g[n + p]))
    if n0 > 1 and g[n0 - 1] == g[n0 - 1 + p]:
        raise NotRight("the preperiod is smaller than %d" % n0)
    for q in range(1, p):
        if p % q == 0 and all(g[n] == g[n + q] for n in range(n0, n0 + p)):
            raise NotRight("the period is %d, a divisor of %d" % (q, p))
    return "%s: period %d from heap %d on: right, for all heaps (%d values checked)" % (code, p, n0, len(g))


def check_values(digits, g, mask):
    rare_value = [bin(v & mask).count("1") % 2 == 0 for v in range(2 * max(g) + 2)]
    rares = [n for n in range(1, len(g)) if rare_value[g[n]]]
    known_rares = 0
    splits = [i for i, d in enumerate(digits) if d & 4]

    def among_all_pairs(n, wanted):
        for i in splits:
            rest = n - i
            for a in range(1, rest // 2 + 1):
                if g[a] ^ g[rest - a] == wanted:
                    return True
        return False

    for n, value in enumerate(g):
        while known_rares < len(rares) and rares[known_rares] < n:
            known_rares += 1
        options = set()
        for i, d in enumerate(digits):
            rest = n - i
            if rest < 0:
                break
            if d & 1 and rest == 0:
                options.add(0)
            if d & 2 and rest >= 1:
                options.add(g[rest])
            if d & 4:
                for k in range(known_rares):
                    a = rares[k]
                    if a >= rest:
                        break
                    options.add(g[a] ^ g[rest - a])
        if value in options or (rare_value[value] and among_all_pairs(n, value)):
            raise NotRight("heap %d has the value %d, and an option has it too" % (n, value))
        for smaller in range(value):
            if smaller not in options and not (rare_value[smaller] and among_all_pairs(n, smaller)):
                raise NotRight("heap %d has the value %d, and no option has the value %d" % (n, value, smaller))


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
