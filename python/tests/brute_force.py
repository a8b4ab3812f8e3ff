"""The definitions, in plain Python: what the tests compare the library with."""

from functools import lru_cache
from itertools import combinations_with_replacement


def mex(values):
    """The smallest number that is not among the values."""
    values = set(values)
    return next(n for n in range(len(values) + 1) if n not in values)


def minnie_options(heaps):
    """A move takes at most as many counters from a heap as the smallest heap has."""
    heaps = tuple(heap for heap in heaps if heap)
    for i, heap in enumerate(heaps):
        for taken in range(1, min(heaps) + 1):
            yield tuple(sorted((*heaps[:i], heap - taken, *heaps[i + 1 :])))


def wythoff_options(heaps):
    """A move takes any number from one heap, or the same number from both."""
    a, b = heaps
    yield from ((left, b) for left in range(a))
    yield from ((a, left) for left in range(b))
    yield from ((a - taken, b - taken) for taken in range(1, min(a, b) + 1))


def values(options, count, largest, misere=False):
    """The values of all sorted positions, in the order of a table."""

    @lru_cache(maxsize=None)
    def value(heaps):
        below = [value(tuple(sorted(option))) for option in options(heaps)]
        return mex(below) if below or not misere else 1

    def padded(heaps):
        return tuple(sorted(heaps))

    return [value(padded(heaps)) for heaps in combinations_with_replacement(range(largest + 1), count)]


def octal_values(digits, terms):
    """The values of an octal game with the digits behind the point, heap by heap."""
    known = []
    for n in range(terms):
        options = set()
        for taken, digit in enumerate(digits, 1):
            left = n - taken
            if digit & 1 and left == 0:
                options.add(0)
            if digit & 2 and left > 0:
                options.add(known[left])
            if digit & 4 and left > 1:
                options.update(known[a] ^ known[left - a] for a in range(1, left // 2 + 1))
        known.append(mex(options))
    return known
