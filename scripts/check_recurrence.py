#!/usr/bin/env python3
"""Checks a certificate of a recurring state (docs/PROOFS.md, section 11) without nimwave: plain Python.

Usage: check_recurrence.py FILE [--stretch K] [--heaps N]

Without --stretch everything is made again from the first heap on, which small games allow: the rare heaps, both
conditions at every heap up to `checked`, the recurrence, the least preperiod. With --stretch K the N heaps behind
snapshot K are made again from its window, and both conditions are checked at them.
"""
import argparse
import json
import sys


def fail(why):
    print("REFUSED:", why)
    sys.exit(1)


class Game:
    def __init__(self, digits, mask, parity, rare):
        self.digits, self.mask, self.parity = digits, mask, parity
        self.rare = [heap for heap, _ in rare]
        self.values = dict(map(tuple, rare))
        self.splits = [i for i, digit in enumerate(digits) if digit & 4]
        self.singles = [i for i, digit in enumerate(digits) if digit & 2]
        if parity and len({i % 2 for i in self.splits}) > 1:
            fail("the parity of the heap cannot take part")
        self.common = (1 + self.splits[0]) % 2 if parity else 1

    def is_rare(self, n, value):
        return (bin(value & self.mask).count("1") + (n if self.parity else 0)) % 2 != self.common

    def options(self, n, G):
        """All options of heap n by the definition; G is a list from heap 0 on."""
        found = set()
        for i, digit in enumerate(self.digits):
            if digit & 1 and n == i and i > 0:
                found.add(0)
            if digit & 2 and n > i:
                found.add(G[n - i])
            if digit & 4:
                found.update(G[a] ^ G[n - i - a] for a in range(1, (n - i) // 2 + 1))
        return found

    def next(self, n, G, small, known):
        """The value of heap n by conditions (a) and (b), or None if (b) is not seen. G(n - k) is G[-k], for k <= known."""
        seen, singles = set(), set()
        for i in self.singles:
            (singles if self.is_rare(n, G[-i]) else seen).add(G[-i])
        for r in self.rare:
            if r > 0:
                seen.update(self.values[r] ^ G[-(i + r)] for i in self.splits)
        m = 0
        while m in seen or self.is_rare(n, m):
            m += 1
        needed = {v for v in range(m) if self.is_rare(n, v)} - singles
        for a in range(1, len(small)):
            if not needed:
                return m
            if small[a] is not None:
                for i in self.splits:
                    if i + a <= known:
                        needed.discard(small[a] ^ G[-(i + a)])
        return None if needed else m


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--stretch", type=int)
    parser.add_argument("--heaps", type=int, default=20000)
    asked = parser.parse_args()
    c = json.load(open(asked.file))
    if (c["format"], c["version"]) != ("nimwave-octal-recurrence", 1):
        fail("not a certificate of a recurring state")
    game = Game(c["digits"], c["mask"], c["parity"], c["rare"])
    last = max(game.rare)
    reach = last + len(game.digits)
    # Up to twice the last rare heap by the definition, which shows which heaps are rare; then by the conditions.
    G = []
    while len(G) < 2 * reach:
        found, value = game.options(len(G), G), 0
        while value in found:
            value += 1
        G.append(value)
    if [n for n, value in enumerate(G) if game.is_rare(n, value)] != game.rare:
        fail("these are not the rare heaps")
    if any(G[n] != value for n, value in game.values.items()):
        fail("a rare heap has another value")
    size = min(c["small"], c["opening"])
    small = [None if n == 0 or n in game.values else G[n] for n in range(len(G))]

    def extend(to):
        while len(G) < to:
            n = len(G)
            value = game.next(n, G, small, n - 1)
            if value is None:
                found, value = game.options(n, G), 0
                while value in found:
                    value += 1
                if n >= c["opening"] or game.is_rare(n, value):
                    fail(f"condition (b) does not hold at heap {n}")
            G.append(value)
            if len(small) < size:
                small.append(value)

    def index(value):
        low = game.mask & -game.mask
        return (value & (low - 1)) | (value // (2 * low)) * low

    if asked.stretch is not None:
        extend(min(size, 4096))
        at, window = c["snapshots"][asked.stretch]
        window = list(bytes.fromhex(window))
        width = len(window)
        low = game.mask & -game.mask

        def value(n, i):
            v = (i & (low - 1)) | (i // low) * 2 * low
            return v | low if game.is_rare(n, v) else v

        H = [value(at - width + j, i) for j, i in enumerate(window)]
        open_heaps = 0
        for n in range(at, at + asked.heaps):
            m = game.next(n, H, small, len(H))
            if m is None:
                # The small heap that shows it needs more of the past than the snapshot has.
                open_heaps += 1
                fewer = [x for x in range(256) if not game.is_rare(n, x)]
                seen = {H[-i] for i in game.singles} | {game.values[r] ^ H[-(i + r)] for r in game.rare if r for i in game.splits}
                m = next(x for x in fewer if x not in seen)
            H.append(m)
        following = [s for s in c["snapshots"] if at < s[0] <= at + asked.heaps]
        for n, w in following:
            if [index(v) for v in H[n - at : n - at + width]] != list(bytes.fromhex(w)):
                fail(f"snapshot {n} does not follow")
        print(f"{c['code']}: {asked.heaps} heaps from {at} on follow, {len(following)} snapshots among them;"
              f" at {open_heaps} of them the window of the snapshot is too short for condition (b)")
        return
    n0, p, first = c["preperiod"], c["period"], c["recurs_from"]
    behind = size - 1 + len(game.digits)
    if c["checked"] < first + p + behind or first < c["opening"] or game.parity and p % 2:
        fail("the conditions were not checked far enough")
    if c["checked"] > 5_000_000:
        fail("too long for plain Python: ask for a --stretch")
    extend(c["checked"])
    for at, window in c["snapshots"]:
        if [index(v) for v in G[at - len(window) // 2 : at]] != list(bytes.fromhex(window)):
            fail(f"snapshot {at} is not the window there")
    if G[first - reach : first] != G[first + p - reach : first + p]:
        fail("the state does not recur")
    if any(G[n] != G[n + p] for n in range(n0, first)) or n0 > 0 and G[n0 - 1] == G[n0 - 1 + p]:
        fail("the preperiod is another one")
    for d in range(1, p):
        if p % d == 0 and all(G[n] == G[n + d] for n in range(first, first + p)):
            fail(f"{d} is a period, too")
    print(f"{c['code']}: period {p} from heap {n0} on, checked at all {c['checked']} heaps")


main()
