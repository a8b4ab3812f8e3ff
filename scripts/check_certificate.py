#!/usr/bin/env python3
"""Checks a quotient certificate of nimwave. Plain Python 3; certificates of rules also need check_automaton.py beside it.

Usage: check_certificate.py CERTIFICATE.json      exit 0: proved, 1: not proved, 2: unreadable

The statement that is checked (docs/PROOFS.md, theorem 1). A certificate gives a threshold T, a period p,
finitely many classes, for each class c and letter a the class c*a, and the accepted classes. The letter of
a heap h is h itself if h < T+p, otherwise the number between T and T+p-1 that is congruent to h modulo p.
Claim: a position is a P-position exactly if the class of its heaps, starting from class 0, is accepted.

By induction on the play it is enough that a position without moves is accepted exactly in normal play,
and that any other position is accepted exactly if none of its options is.  This is checked for ALL
positions in finitely many steps: add one heap after the other and keep the class of the position together
with the set of the classes of its options. Adding a heap h turns (c, O) into (c*h, O*h + {c*r : r may
replace h}), so only finitely many such pairs can occur, and each of them is visited.
"""
import json
import sys


COVERED = ("minnie", "nimb", "nimtb")  # positions with a large smallest heap are settled by (B)
FIELDS = {"format", "version", "game", "misere", "threshold", "period", "largest_min", "accepted", "representatives", "action"}
OWN_FIELD = {"subtraction": {"amounts"}, "octal": {"digits"}, "rule": {"rule"}}


class NotProved(Exception):
    """A condition of the theorem does not hold."""


def demand(condition, message):
    if not condition:
        raise NotProved(message)


def natural(value, low, high, name):
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return value


def naturals(values, low, high, name):
    if type(values) is not list:
        raise ValueError(f"{name} must be a list, not {values!r}")
    return [natural(value, low, high, f"an entry of {name}") for value in values]


def ascending(values, low, high, name):
    if any(b <= a for a, b in zip(values, naturals(values, low, high, name)[1:])):
        raise ValueError(f"the entries of {name} must ascend")
    return values


def fields_once(pairs):
    """The fields of a JSON object. Programs differ in which one of two equal names they read, so there may be only one."""
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a field is given twice")
    return data


def families(game, data, m, T, p):
    """Families in which each heap moves on its own: (start heaps with moves, least further heap, its moves, reach)."""
    result = []
    for j in range(1, m + 1):  # j is the smallest heap
        lower = [(i,) for i in range(1, j)]
        if game == "minnie":  # every heap may lose 1..j
            take = lambda h, j=j: [(h - s,) for s in range(1, j + 1)]
            result.append(([(j, take(j))], j, take, j))
        if game == "nimb":  # make a smaller heap, or take away the only smallest heap
            result.append(([(j, lower + [()])], j + 1, lambda h, low=lower: low, j))
            result.append(([(j, lower), (j, lower)], j, lambda h, low=lower: low, j))
        if game == "nimtb":  # one heap: nim; several: the largest, L, becomes the smallest, the others cannot move
            result.append(([(j, lower + [()])], 0, None, 0))
            for L in range(j, max(T, j) + p):  # every letter of a heap from j on
                result.append(([(j, []), (L, lower)], j, lambda h: [], 0))
    if result or m == 0 and game in COVERED:
        return result
    if game == "subtraction":  # any position: every heap may lose one of the amounts
        amounts = ascending(data["amounts"], 1, 64, "amounts")
        natural(len(amounts), 1, 64, "number of amounts")
        return [([], 1, lambda h: [(h - s,) for s in amounts if s <= h], max(amounts))]
    digits = naturals(data["digits"], 0, 7, "digits")  # octal: 0.d1d2...
    natural(len(digits), 1, 64, "number of digits")
    natural(digits[-1], 1, 7, "last digit")

    def octal(h):
        for taken, digit in enumerate(digits, 1):
            rest = h - taken
            if rest == 0 and digit & 1:
                yield ()
            if rest > 0 and digit & 2:
                yield (rest,)
            if digit & 4:
                yield from ((part, rest - part) for part in range(1, rest // 2 + 1))

    return [([], 1, octal, len(digits))]


def rule_families(text, letter):
    """The same for a rule that goes by the heap and the smallest heap: (kind of the smallest heap, kinds of further heaps).

    Digits of the heap h, the smallest heap j and the new heap y are read together. For every h and j a set of pairs (state
    of the automaton of the moves, letter of y) says what h may become; for every j the sets for all h at once are the
    kinds beside j. y is less than h, so that only h may have more digits than j.
    """
    import check_automaton as rules

    digits = rules.Digits("base-2")
    clauses, positions = rules.Parser(text).rule()
    h, j, y = (rules.track(i) for i in range(3))
    demand(positions == ("and", []), "not every multiset of heaps is a position of this rule")
    either = []
    for names, numbers, condition in clauses:
        demand(numbers == {1} and len(names) == 1, "a move of this rule is not made in one heap")
        goes_by_heap_and_min(condition)
        meaning = rules.Meaning([j], None, None, (h, y), {names[0]: rules.plus(h, y, -1)})
        either.append(meaning.condition(condition))
    there = [rules.less(rules.constant(0), j), rules.at_most(j, h)]
    is_heap, is_heap_last = rules.automaton(digits, ("and", there), 2)
    legal, legal_last = rules.automaton(digits, ("and", there + [rules.less(y, h), ("or", either)]), 3)
    useful = rules.live(legal, legal_last)
    cache = {}

    def after(state, digit_h, digit_j):
        """A state: the letter of h, whether h and j can be heaps, and the pairs."""
        key = (state, digit_h, digit_j)
        if key not in cache:
            letter_h, place, pairs = state
            reached = set()
            for relation, letter_y in pairs:
                for digit_y in (0, 1):
                    follower = legal[relation][digit_h + 2 * digit_j + 4 * digit_y]
                    if follower in useful:
                        reached.add((follower, letter(2 * letter_y + digit_y)))
            cache[key] = (letter(2 * letter_h + digit_h), is_heap[place][digit_h + 2 * digit_j], frozenset(reached))
        return cache[key]

    def kind(state):
        letter_h, place, pairs = state
        if not is_heap_last[place]:
            return None
        new = frozenset((letter_y,) for relation, letter_y in pairs if legal_last[relation])
        return letter_h, new

    start = (0, 0, frozenset([(0, 0)]))
    leading, todo = {start}, [start]
    while todo:
        state = todo.pop()
        for more in {after(state, digit, 0) for digit in (0, 1)} - leading:
            leading.add(more)
            todo.append(more)
    first = (start, frozenset(leading))
    seen, todo, result = {first}, [first], set()
    while todo:
        own, beside = todo.pop()
        if kind(own) is not None:
            result.add((kind(own), frozenset(map(kind, beside)) - {None}))
        for digit in (0, 1):
            further = frozenset(after(state, digit_h, digit) for state in beside for digit_h in (0, 1))
            reached = (after(own, digit, digit), further)
            if reached not in seen:
                demand(len(seen) < 100_000, "the smallest heaps of this rule have too many states for this checker")
                seen.add(reached)
                todo.append(reached)
    return result


def goes_by_heap_and_min(tree):
    """Refuses conditions that look at other heaps than the one moved in and the smallest one."""
    if tree[0] == "of":
        demand(tree[1:] == ("before", "min"), "the rule looks at more than the heap moved in and the smallest heap")
    demand(tree[0] not in ("some", "every", "different"), "the rule looks at all heaps")
    for part in tree[1:]:
        for each in part if type(part) is list else [part]:
            if type(each) is tuple:
                goes_by_heap_and_min(each)


def check(data):
    if type(data) is not dict or type(data.get("game")) is not str:
        raise ValueError("not a certificate that names its game")
    game = data["game"]
    if set(data) != FIELDS | OWN_FIELD.get(game, set()):
        raise ValueError(f"the fields of a certificate of {game} are not {sorted(data)}")
    if data["format"] != "nimwave-quotient" or natural(data["version"], 0, 1 << 32, "version") != 1:
        raise ValueError("not a quotient certificate of version 1")
    misere, covered = data["misere"], game in COVERED
    if not covered and game not in OWN_FIELD or type(misere) is not bool:
        raise ValueError("unknown game or play convention")
    if game == "rule" and type(data["rule"]) is not str:
        raise ValueError("the rule must be a text")
    T, p = natural(data["threshold"], 1, 1024, "threshold"), natural(data["period"], 1, 1024, "period")
    if not covered and data["largest_min"] is not None:
        raise ValueError("largest_min is given for a game without a cover")
    m = natural(data["largest_min"], 0, T + p, "largest_min") if covered else 0
    table, names_given = data["action"], data["representatives"]
    if type(table) is not list or type(names_given) is not list:
        raise ValueError("action and representatives must be lists")
    classes = natural(len(table), 1, 8192, "number of classes")
    for row in table:
        if len(naturals(row, 0, classes - 1, "action")) != T + p:
            raise ValueError(f"a row of the action has {len(row)} entries instead of {T + p}")
    for heaps in names_given:
        naturals(heaps, 1, T + p - 1, "representatives")
    accepted = set(ascending(data["accepted"], 0, classes - 1, "accepted"))

    def letter(h):
        return h if h < T + p else T + (h - T) % p

    def product(c, heaps):
        for h in heaps:
            c = table[c][letter(h)]
        return c

    # (0) The empty heap changes nothing, the order of heaps does not matter, the empty position is right.
    for c in range(classes):
        demand(table[c][0] == c, f"an absent heap changes class {c}")
        for a in range(1, T + p):
            for b in range(1, a):
                demand(table[table[c][a]][b] == table[table[c][b]][a], f"class {c}: {a} and {b} do not commute")
    names = [[]]  # numbers and representatives must be those of a search in breadth: one proof, one certificate
    for c in range(classes):
        demand(c < len(names), f"class {c} is not reached")
        for a in range(1, T + p):
            if table[c][a] >= len(names):
                demand(table[c][a] == len(names), "the classes are not numbered in order of appearance")
                names.append(sorted(names[c] + [a]))
    demand(names == names_given, "the representatives are not the canonical ones")
    demand((0 in accepted) != misere, "the empty position has the wrong outcome")

    # (B) Smallest heap above m: never accepted, and lowering it to some i <= m gives an accepted position.
    def cover_fails(m):
        seen, todo = set(), [None]  # classes of the further heaps; None: there is no further heap
        while todo:
            c = todo.pop()
            least = 0 if c is None or game == "minnie" else 1  # nimb, nimtb: not away beside other heaps
            if not any(product(c or 0, [i]) in accepted for i in range(least, m + 1)):
                return f"no winning move beside class {c}"
            for h in range(m + 1, max(T, m + 1) + p):  # every letter that a heap above m can have
                d = product(c or 0, [h])
                if d in accepted:
                    return f"class {d} is accepted with smallest heap above {m}"
                if d not in seen:
                    seen.add(d)
                    todo.append(d)
        return None

    if covered:
        demand(cover_fails(m) is None, cover_fails(m))
        demand(m == 0 or cover_fails(m - 1), f"{m} is not the least bound of the cover")

    # (A) All other positions: visit every pair (class, set of the classes of the options).
    def kind(h, new):
        return letter(h), frozenset(tuple(sorted(map(letter, parts))) for parts in new)

    def add(state, heap):
        c, a, new = state[0], *heap
        return table[c][a], frozenset({table[o][a] for o in state[1]} | {product(c, parts) for parts in new})

    kinds = []  # for each family the kinds of its start heaps and of further heaps
    if game == "rule":
        import check_automaton

        try:
            kinds = [([own], beside) for own, beside in rule_families(data["rule"], letter)]
        except check_automaton.Wrong as problem:
            raise NotProved(str(problem)) from problem
    for start, floor, replacements, reach in families(game, data, m, T, p) if game != "rule" else ():
        # From `stable` on, h and h-p have the same letter and the same replacements, letter by letter.
        stable = 2 * (T + p) + reach if game == "octal" else T + p + reach + 1
        usable = {kind(h, replacements(h)) for h in range(floor, max(stable, floor + p))} if floor else set()
        kinds.append(([kind(h, new) for h, new in start], usable))
    total = 0
    for start, usable in kinds:
        state = (0, frozenset())
        for heap in start:
            state = add(state, heap)
        seen, todo = {state}, [state]
        while todo:
            state = todo.pop()
            c, options = state
            right = options.isdisjoint(accepted) if options else not misere
            demand((c in accepted) == right, f"class {c} contradicts its options {sorted(options)}")
            for further in usable:
                reached = add(state, further)
                if reached not in seen:
                    seen.add(reached)
                    todo.append(reached)
        total += len(seen)

    name = game + "".join(f" {data[k]}" for k in ("amounts", "digits", "rule") if k in data)
    print(f"PROVED for {'misere' if misere else 'normal'} {name}, any number of heaps of any sizes:")
    print(f"a position is a P-position exactly if its class is one of {len(accepted)} among {classes}")
    print(f"(threshold {T}, period {p}; {total} states visited).")
    if covered:
        print(f"In particular every position whose smallest heap is larger than {m} is an N-position.")
    if game == "minnie":  # Conjecture 5.6: smallest heap above 3, the others above 5
        seen, todo, holds = {0}, [0], True
        while todo:
            c = todo.pop()
            holds = holds and not any(product(c, [h]) in accepted for h in range(4, max(T, 4) + p))
            new = {product(c, [h]) for h in range(6, max(T, 6) + p)} - seen
            seen |= new
            todo += new
        print(f"Conjecture 5.6 (smallest heap above 3, the others above 5: N): {'PROVED' if holds else 'FALSE'}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            check(json.load(file, object_pairs_hook=fields_once))
    except NotProved as problem:
        print(f"NOT PROVED: {problem}", file=sys.stderr)
        return 1
    except (OSError, ValueError, RecursionError) as problem:
        print(f"cannot read the certificate: {problem!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
