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

Exit code 0: the certificate is right; 1: it is not; 2: it cannot be read.
"""

import json
import sys


def fail(message):
    print("NOT RIGHT:", message)
    sys.exit(1)


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        sys.exit(2)
    try:
        with open(sys.argv[1]) as file:
            certificate = json.load(file)
        if certificate["format"] != "nimwave-octal-period" or certificate["version"] != 1:
            raise ValueError("not a certificate of this format")
        digits = [int(d) for d in certificate["digits"]]
        n0, p = int(certificate["preperiod"]), int(certificate["period"])
        mask, g = int(certificate["mask"]), [int(v) for v in certificate["values"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        print("cannot read the certificate:", error)
        sys.exit(2)

    code = "%d." % digits[0] + ("".join(map(str, digits[1:])) or "0")
    if code != certificate["code"] or digits[0] not in (0, 4) or not all(0 <= d <= 7 for d in digits):
        fail("code %s does not fit its digits" % certificate["code"])
    t = max(i for i, d in enumerate(digits) if d)
    if t != certificate["last_index"] or n0 < 1 or p < 1 or len(g) < 2 * n0 + 2 * p + t:
        fail("too few values for n0 = %d, p = %d, t = %d" % (n0, p, t))

    check_values(digits, g, mask)
    for n in range(n0, 2 * n0 + p + t):
        if g[n + p] != g[n]:
            fail("G(%d) = %d, but G(%d) = %d" % (n, g[n], n + p, g[n + p]))
    if n0 > 1 and g[n0 - 1] == g[n0 - 1 + p]:
        fail("the preperiod is smaller than %d" % n0)
    for q in range(1, p):
        if p % q == 0 and all(g[n] == g[n + q] for n in range(n0, n0 + p)):
            fail("the period is %d, a divisor of %d" % (q, p))
    print("%s: period %d from heap %d on: right, for all heaps (%d values checked)" % (code, p, n0, len(g)))


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
            fail("heap %d has the value %d, and an option has it too" % (n, value))
        for smaller in range(value):
            if smaller not in options and not (rare_value[smaller] and among_all_pairs(n, smaller)):
                fail("heap %d has the value %d, and no option has the value %d" % (n, value, smaller))


main()
