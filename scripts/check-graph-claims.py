#!/usr/bin/env python3
"""Second route to the failing claims about games on graphs: plain definitions, no code of nimwave.

Every claim about a graph game, about Grand Left/Right or about a cookie board that the audit reports as failing is
recomputed here from the rules as the documents state them. Prints one line a check and exits with 1 if one of them disagrees
with what data/claims records. Usage: python3 scripts/check-graph-claims.py
"""
import itertools
import sys
from functools import lru_cache

sys.setrecursionlimit(100_000)
failures = 0


def check(name, good):
    global failures
    failures += not good
    print(f"{'ok    ' if good else 'WRONG '} {name}")


# --- partizan games as hash-consed forms, compared by the definition -----------------------------------------------

forms, names = [], {}


def game(left, right):
    key = (frozenset(left), frozenset(right))
    if key not in names:
        names[key] = len(forms)
        forms.append(key)
    return names[key]


@lru_cache(None)
def le(g, h):
    return not any(le(h, x) for x in forms[g][0]) and not any(le(y, g) for y in forms[h][1])


def equal(g, h):
    return le(g, h) and le(h, g)


def integer(n):
    value = game([], [])
    for _ in range(abs(n)):
        value = game([value], []) if n > 0 else game([], [value])
    return value


ZERO = integer(0)


def star(n):
    """The number n plus *."""
    return game([integer(n)], [integer(n)])


# --- vertex deletion ------------------------------------------------------------------------------------------------


class Graph:
    def __init__(self, n, edges, directed=False):
        self.n, self.into = n, [0] * n
        for u, v in edges:
            self.into[v] |= 1 << u
            if not directed:
                self.into[u] |= 1 << v

    def removable(self, s, odd):
        return [v for v in range(self.n) if s >> v & 1 and bin(self.into[v] & s).count("1") % 2 == odd]

    def grundy(self, odd):
        @lru_cache(None)
        def value(s):
            seen = {value(s & ~(1 << v)) for v in self.removable(s, odd)}
            return next(k for k in itertools.count() if k not in seen)

        return value((1 << self.n) - 1)

    def even_odd(self):
        @lru_cache(None)
        def value(s):
            side = lambda odd: [value(s & ~(1 << v)) for v in self.removable(s, odd)]
            return game(side(0), side(1))

        return value((1 << self.n) - 1)


def edges(text, sign="-"):
    return [tuple(map(int, e.split(sign))) for e in text.split(",")]


def undirected(n, text):
    return Graph(n, edges(text))


def directed(n, text):
    return Graph(n, edges(text, ">"), True)


def cycle(n):
    return Graph(n, [(i, (i + 1) % n) for i in range(n)])


def broom(n, k):
    path = n - k
    return Graph(n, [(i, i + 1) for i in range(path - 1)] + [(1, leaf) for leaf in range(path, n)])


switch = lambda a, b: game([integer(a)], [integer(b)])
check("3.1.11: the cycle on 5 vertices has value 3, not 2", equal(cycle(5).even_odd(), integer(3)))
check("3.1.11 corrected: C_k = (k+4)/3 for k = 8, 11", all(equal(cycle(k).even_odd(), integer((k + 4) // 3)) for k in (8, 11)))
p92 = broom(9, 2).even_odd()
check("table 3.1: P(9,2) = {4|2}", equal(p92, switch(4, 2)))
printed = game([integer(4), switch(5, 3)], [integer(2)])
check("table 3.1: P(9,2) is not {4,{5|3}|2}", not equal(p92, printed))
check("3.1.13: P(5,3) = {4|0} and P(3,1) = {2|0}", equal(broom(5, 3).even_odd(), switch(4, 0)) and equal(broom(3, 1).even_odd(), switch(2, 0)))
check("Odd/Odd: a third graph of value 2", undirected(6, "0-1,0-2,0-3,1-4,2-5,4-5").grundy(1) == 2)
check("Odd/Odd: the first two", undirected(4, "0-1,0-2,0-3,1-3").grundy(1) == 2 and undirected(5, "0-1,0-2,0-4,1-3,1-4,2-4").grundy(1) == 2)
check("Odd/Odd: a connected graph of value 3", undirected(6, "0-1,0-2,0-5,1-3,1-5,2-4,3-5").grundy(1) == 3)
check("Even/Even: a digraph of value 3", directed(5, "1>0,1>3,1>4,2>0,4>1,4>3").grundy(0) == 3)

# --- the dictionary of digraphs: all orientations, up to isomorphism ------------------------------------------------


def triples(n, keep):
    """The multiset of (Even/Odd form, Even/Even, Odd/Odd) of connected oriented graphs on n vertices."""
    pairs = list(itertools.combinations(range(n), 2))
    seen, result = set(), []
    for states in itertools.product((0, 1, 2), repeat=len(pairs)):
        arcs = [(u, v) if s == 1 else (v, u) for (u, v), s in zip(pairs, states) if s]
        reached, grown = {0}, True
        while grown:
            grown = False
            for u, v in arcs:
                if (u in reached) != (v in reached):
                    reached |= {u, v}
                    grown = True
        if len(reached) < n or not keep(arcs):
            continue
        form = min(tuple(sorted((p[u], p[v]) for u, v in arcs)) for p in itertools.permutations(range(n)))
        if form not in seen:
            seen.add(form)
            g = Graph(n, arcs, True)
            result.append((g.even_odd(), g.grundy(0), g.grundy(1)))
    return result


half = game([ZERO], [integer(1)])
small = [t for n in (1, 2, 3, 4) for t in triples(n, lambda arcs: True)]
count = lambda value, ee, oo: sum(1 for t in small if t[1:] == (ee, oo) and equal(t[0], value))
check("tables 3.3, 3.4: 41 connected oriented graphs on up to 4 vertices", len(small) == 41)
check("tables 3.3, 3.4: one has (1/2, *1, *1)", count(half, 1, 1) == 1)
check("tables 3.3, 3.4: none has (-1, 0, 0), one has (-1, 0, *1)", count(integer(-1), 0, 0) == 0 and count(integer(-1), 0, 1) == 1)
check("tables 3.3, 3.4: none has ({1|0}, *2, 0), one has ({1|0}, *2, *1)", count(switch(1, 0), 2, 0) == 0 and count(switch(1, 0), 2, 1) == 1)
check("tables 3.3, 3.4: (1*, 0, *1) occurs 5 times, (1*, 0, 0) 3 times", (count(star(1), 0, 1), count(star(1), 0, 0)) == (5, 3))


def is_path(arcs):
    degree = [sum(v in arc for arc in arcs) for v in range(5)]
    return len(arcs) == 4 and max(degree) <= 2


five = triples(5, is_path)
check("table 3.5: 10 directed paths on 5 vertices", len(five) == 10)
twos = sorted(t[1:] for t in five if equal(t[0], star(2)))
check("table 3.5: those of value 2* have Odd/Odd values 0, 0, 0, *1 and *2", twos == [(1, 0), (1, 0), (1, 0), (1, 1), (1, 2)])

# --- Grand Left/Right -----------------------------------------------------------------------------------------------


def grand(rows):
    height, width = len(rows), len(rows[0])
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)]

    def end(board, start, d, turn):
        path = []

        def free(square, d):
            r, c = square[0] + steps[d][0], square[1] + steps[d][1]
            ok = 0 <= r < height and 0 <= c < width and board[r * width + c] == "." and (r, c) not in path
            return (r, c) if ok else None

        at = free(start, d)
        if at is None:
            return None
        while True:
            path.append(at)
            if free(at, d) is None:
                d = (d + turn) % 4
            if free(at, d) is None:
                return at
            at = free(at, d)

    @lru_cache(None)
    def value(board):
        sides = []
        for token, turn in (("L", 1), ("R", 3)):
            squares = [divmod(i, width) for i, c in enumerate(board) if c == token]
            ends = {end(board, s, d, turn) for s in squares for d in range(4)} - {None}
            put = lambda r, c: board[: r * width + c] + token + board[r * width + c + 1 :]
            sides.append([value(put(r, c)) for r, c in ends])
        return game(*sides)

    return value("".join(rows))


check("table 4.1 is not complete: ..R/L.L is {2|±1}", equal(grand(["..R", "L.L"]), game([integer(2)], [switch(1, -1)])))
check("table 4.1, a cell as a control: LLRL/L..L is {1|*}", equal(grand(["LLRL", "L..L"]), game([integer(1)], [star(0)])))

# --- nim on graphs --------------------------------------------------------------------------------------------------


def nim(edge_list, weights, token):
    @lru_cache(None)
    def wins(weights, at):
        for i, (u, v) in enumerate(edge_list):
            if at in (u, v):
                to = v if at == u else u
                for w in range(weights[i]):
                    if not wins(weights[:i] + (w,) + weights[i + 1 :], to):
                        return True
        return False

    return wins(tuple(weights), token)


square = [(0, 1), (1, 2), (2, 3), (3, 0)]
check("nim on graphs 2.3: the square with all weights 1 is lost, though n - M = 1 is odd", not nim(square, (1, 1, 1, 1), 0))


def corrected(weights):
    least, n = min(weights), len(weights)
    places = [i for i in range(n) if weights[i] == least]
    return places[0] % 2 == 1 or (n - 1 - places[-1]) % 2 == 1


check("nim on graphs 2.3 corrected: all squares with weights 1 to 4", all(nim(square, w, 0) == corrected(w) for w in itertools.product(range(1, 5), repeat=4)))
triangle = [(0, 1), (1, 2), (2, 3), (3, 1), (1, 1)]
check("nim on graphs 3.3: the triangle with a loop on a stalk is won", nim(triangle, (1, 1, 1, 1, 1), 0))
check("nim on graphs 3.3: its T+ (a link to a vertex with a loop) is lost", not nim([(0, 1), (1, 1)], (1, 1), 0))

# --- cookie cutter with an arbitrarily large cutter ------------------------------------------------------------------


def cookie(rows):
    squares = frozenset((r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "#")

    def options(s):
        height, width = len(rows), len(rows[0])
        # A cutter that covers any board reaches from the border: it removes a quadrant, that is rows < or > and columns < or >.
        sides = lambda size: [range(0, k) for k in range(1, size + 1)] + [range(k, size) for k in range(1, size)]
        for rs in sides(height):
            for cs in sides(width):
                left = frozenset(x for x in s if not (x[0] in rs and x[1] in cs))
                if left != s:
                    yield left

    @lru_cache(None)
    def value(s):
        seen = {value(t) for t in options(s)}
        return next(k for k in itertools.count() if k not in seen)

    return value(squares), {len(t) for t in options(squares)}, len(squares)


value, left, size = cookie(["##..", "####", "..#."])
check("section 5.3: ##../####/..#. can leave any number of squares but has value 4, not 7", (value, size) == (4, 7) and left >= set(range(7)))
check("section 5.3, a control: the 2x3 board has value 6", cookie(["###", "###"])[0] == 6)

print("all agree" if failures == 0 else f"{failures} disagree")
sys.exit(1 if failures else 0)
