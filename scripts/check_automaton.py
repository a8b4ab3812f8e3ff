#!/usr/bin/env python3
"""Checks a certificate that `nimwave prove ... --heaps K --certificate FILE` has written for automata.

Plain Python, written from docs/RULES.md (the language of rules) and docs/PROOFS.md (theorem 4), without
nimwave. It checks that each automaton is complete, that zeros in front change nothing, and that the set of
value v is exactly the set of those positions that are in no set of a smaller value (and, in misère play, have
a move), and from which no move leads into the set. By induction on the counters only one set is.

    python3 scripts/check_automaton.py FILE [FILE ...]
"""
import itertools
import json
import re
import sys
from fractions import Fraction
from math import lcm


class Wrong(Exception):
    """The certificate does not prove what it says."""


# ---- The language of rules: from text to trees -------------------------------------------------------------

TOKEN = re.compile(r"\s*([0-9]+|[a-z_]+|<=|>=|!=|[-+*/%|(){},:=<>])")
COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}
QUANTITIES = {"min", "max", "count", "sum"}


class Parser:
    def __init__(self, text):
        text = text.lower().strip()
        self.tokens, at = [], 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise Wrong(f"the rule cannot be read at {text[at:]!r}")
            self.tokens.append(found.group(1))
            at = found.end()
        self.at = 0

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def take(self, *words):
        if self.tokens[self.at:self.at + len(words)] == list(words):
            self.at += len(words)
            return True
        return False

    def need(self, *words):
        if not self.take(*words):
            raise Wrong(f"the rule has {self.peek()!r} where {' '.join(words)!r} should come")

    def rule(self):
        clauses = [self.clause()]
        while self.take("or"):
            clauses.append(self.clause())
        self.take(",")
        positions = ("and", [])
        if self.take("positions", "where"):
            positions = self.either()
        if self.peek() is not None:
            raise Wrong(f"the rule goes on with {self.peek()!r}")
        return clauses, positions

    def clause(self):
        self.need("take")
        names = [self.name()]
        while self.take(",") or self.take("and"):
            names.append(self.name())
        self.need("from")
        numbers = set()
        while True:
            word = self.peek()
            if word not in COUNTS and word not in ("any", "all"):
                raise Wrong(f"{word!r} is not a number of heaps")
            numbers.add(COUNTS.get(word, word))
            self.at += 1
            if not (self.take("or") or self.take(",")):
                break
        if not (self.take("heap") or self.take("heaps")):
            raise Wrong("the rule does not say from which heaps is taken")
        if self.peek() == "," and self.peek(1) == "split":
            raise Wrong("rules that split heaps have no automata")
        return names, numbers, self.either() if self.take("where") else ("and", [])

    def name(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def either(self):
        parts = [self.both()]
        while self.peek() == "or" and self.peek(1) not in ("take", "split"):
            self.at += 1
            parts.append(self.both())
        return parts[0] if len(parts) == 1 else ("or", parts)

    def both(self):
        parts = [self.negation()]
        while self.take("and"):
            parts.append(self.negation())
        return parts[0] if len(parts) == 1 else ("and", parts)

    def negation(self):
        if self.take("not"):
            return ("not", self.negation())
        for word in ("some", "every"):
            if self.take(word):
                scope = self.scope()
                name = self.name()
                self.need(":")
                return (word, scope, name, self.either())
        if self.peek() == "(":
            # A bracket holds a condition or a number: whichever can be read.
            start = self.at
            try:
                self.at += 1
                inner = self.either()
                self.need(")")
                if self.peek() in (None, ")", "and", "or", ","):
                    return inner
            except Wrong:
                pass
            self.at = start
        return self.statement()

    def scope(self):
        return "new" if self.take("new") else "other" if self.take("other") else "before"

    def statement(self):
        start = self.at
        scope = self.scope()
        if self.take("heaps", "are", "different"):
            return ("different", scope)
        if scope == "before" and self.take("heaps", "stay", "different"):
            return ("different", "new")
        if scope == "before" and self.peek() in QUANTITIES and self.peek(1) == "changes":
            quantity = self.name()
            self.at += 1
            return ("not", ("=", ("of", "before", quantity), ("of", "new", quantity)))
        self.at = start
        left = self.sum()
        if self.take("is"):
            if self.take("even"):
                return ("even", left)
            if self.take("odd"):
                return ("not", ("even", left))
            raise Wrong("powers need a projection, which this checker does not have")
        negated = self.take("not")
        if self.take("in"):
            if self.take("{"):
                listed = [self.sum()]
                while self.take(","):
                    listed.append(self.sum())
                self.need("}")
                found = ("or", [("=", left, one) for one in listed])
            else:
                scope = self.scope()
                self.need("heaps")
                found = ("some", scope, "in ", ("=", left, ("name", "in ")))
            return ("not", found) if negated else found
        if self.take("divides"):
            return ("divides", left, self.sum())
        chain = []
        while self.peek() in ("=", "!=", "<", "<=", ">", ">="):
            sign = self.name()
            right = self.sum()
            chain.append(("not", ("=", left, right)) if sign == "!=" else (sign, left, right))
            left = right
        if not chain:
            raise Wrong(f"{self.peek()!r} stands where a comparison should")
        return ("and", chain)

    def sum(self):
        left = self.product()
        while self.peek() in ("+", "-"):
            left = (self.name(), left, self.product())
        return left

    def product(self):
        left = self.number()
        while self.peek() in ("*", "/", "%", "mod"):
            left = (self.name().replace("mod", "%"), left, self.number())
        return left

    def number(self):
        if self.take("-"):
            return ("-", ("number", 0), self.number())
        if self.take("("):
            inner = self.sum()
            self.need(")")
            return inner
        if self.take("|"):
            inner = self.sum()
            self.need("|")
            return ("abs", inner)
        scope = self.scope()
        word = self.name() if self.peek() is not None else None
        if word == "heap" and scope in ("before", "new"):
            return ("heap", scope)
        if word in QUANTITIES:
            if scope == "before" and self.take("("):
                all_of = [self.sum()]
                while self.take(","):
                    all_of.append(self.sum())
                self.need(")")
                return ("call", word, all_of)
            return ("of", scope, word)
        if word and word.isdigit():
            return ("number", int(word))
        if word and word.isalpha() and word not in ("xor", "gcd"):
            return ("name", word)
        raise Wrong(f"{word!r} is not a number that automata know")


# ---- From trees to formulas over the tracks ----------------------------------------------------------------
# A linear form is a dictionary track -> Fraction, with the constant at None. A number is a list of cases
# (conditions, form), exactly one of which holds; a quotient by c is told apart by the c remainders.

def plus(a, b, factor=1):
    total = dict(a)
    for key, value in b.items():
        total[key] = total.get(key, Fraction(0)) + factor * value
    return {key: value for key, value in total.items() if value or key is None}


def constant(value):
    return {None: Fraction(value)}


def track(number):
    return {None: Fraction(0), number: Fraction(1)}


def whole(form):
    scale = lcm(*(value.denominator for value in form.values()), 1)
    return tuple(sorted((key, int(value * scale)) for key, value in form.items() if key is not None and value)), \
        int(form.get(None, Fraction(0)) * scale), scale


def at_most(a, b):
    coefficients, rest, _ = whole(plus(a, b, -1))
    return ("le", coefficients, rest)


def equal(a, b):
    coefficients, rest, _ = whole(plus(a, b, -1))
    return ("eq", coefficients, rest)


def less(a, b):
    coefficients, rest, scale = whole(plus(a, b, -1))
    return ("le", coefficients, rest + 1)


def congruent(form, remainder, modulus):
    """form = remainder modulo modulus, where the values of form are whole."""
    coefficients, rest, scale = whole(plus(form, constant(-remainder)))
    return ("mod", coefficients, rest, modulus * scale)


def negation(formula):
    return ("not", formula)


class Meaning:
    """What the names of a condition stand for: sorted heaps before, after and beside the move."""

    def __init__(self, before, new, other, heap, names):
        self.scopes = {"before": before, "new": new, "other": other}
        self.heap, self.names = heap, names

    def cases(self, tree):
        kind = tree[0]
        if kind == "number":
            return [([], constant(tree[1]))]
        if kind == "name":
            if tree[1] not in self.names:
                raise Wrong(f"the rule does not say what {tree[1]!r} is")
            return [([], self.names[tree[1]])]
        if kind == "heap":
            if self.heap is None:
                raise Wrong("positions cannot speak of a move")
            return [([], self.heap[tree[1] == "new"])]
        if kind == "of":
            return self.quantity(self.scopes[tree[1]], tree[2])
        if kind == "abs":
            found = []
            for guards, form in self.cases(tree[1]):
                negative = less(form, constant(0))
                found.append((guards + [negation(negative)], form))
                found.append((guards + [negative], plus({}, form, -1)))
            return found
        if kind == "call":
            found = self.cases(tree[2][0])
            for other in tree[2][1:]:
                longer = []
                for (g, a), (h, b) in itertools.product(found, self.cases(other)):
                    first = at_most(a, b) if tree[1] == "min" else at_most(b, a)
                    longer += [(g + h + [first], a), (g + h + [negation(first)], b)]
                found = longer
            if tree[1] not in ("min", "max"):
                raise Wrong(f"{tree[1]} of numbers is not a formula of addition")
            return found
        found = []
        for (g, a), (h, b) in itertools.product(self.cases(tree[1]), self.cases(tree[2])):
            guards, b_only = g + h, set(b) == {None}
            if kind in "+-":
                found.append((guards, plus(a, b, 1 if kind == "+" else -1)))
            elif kind == "*":
                if set(a) != {None} and not b_only:
                    raise Wrong("products of numbers that are not constants are no formula of addition")
                value, form = (a[None], b) if set(a) == {None} else (b[None], a)
                found.append((guards, {key: value * each for key, each in form.items()}))
            else:
                if not b_only or b[None] <= 0 or b[None].denominator != 1:
                    raise Wrong("quotients by numbers that are not constants are no formula of addition")
                modulus = int(b[None])
                for remainder in range(modulus):
                    rest = constant(remainder)
                    quotient = {key: value / modulus for key, value in plus(a, rest, -1).items()}
                    found.append((guards + [congruent(a, remainder, modulus)], quotient if kind == "/" else rest))
        return found

    @staticmethod
    def quantity(heaps, quantity):
        if quantity == "max":
            return [([], heaps[-1] if heaps else constant(0))]
        if quantity == "sum":
            total = constant(0)
            for heap in heaps:
                total = plus(total, heap)
            return [([], total)]
        found = []
        for empty in range(len(heaps) + 1):
            guards = [equal(heaps[empty - 1], constant(0))] if empty else []
            guards += [less(constant(0), heaps[empty])] if empty < len(heaps) else []
            smallest = heaps[empty] if empty < len(heaps) else constant(0)
            found.append((guards, constant(len(heaps) - empty) if quantity == "count" else smallest))
        return found

    def compare(self, left, right, statement):
        cases = itertools.product(self.cases(left), self.cases(right))
        return ("or", [("and", g + h + [statement(a, b)]) for (g, a), (h, b) in cases])

    def condition(self, tree):
        kind = tree[0]
        if kind in ("and", "or"):
            return (kind, [self.condition(part) for part in tree[1]])
        if kind == "not":
            return negation(self.condition(tree[1]))
        if kind in ("some", "every"):
            parts = []
            for heap in self.scopes[tree[1]]:
                inner = Meaning(*self.scopes.values(), self.heap, {**self.names, tree[2]: heap})
                there, holds = less(constant(0), heap), inner.condition(tree[3])
                parts.append(("and", [there, holds]) if kind == "some" else ("or", [negation(there), holds]))
            return ("or" if kind == "some" else "and", parts)
        if kind == "different":
            heaps = self.scopes[tree[1]]
            pairs = zip(heaps, heaps[1:])
            return ("and", [("or", [equal(a, constant(0)), less(a, b)]) for a, b in pairs])
        if kind == "even":
            return ("or", [("and", g + [congruent(a, 0, 2)]) for g, a in self.cases(tree[1])])
        if kind == "divides":
            [(_, divisor)] = self.cases(tree[1])
            if set(divisor) != {None}:
                raise Wrong("multiples of a heap are no formula of addition")
            if divisor[None] == 0:
                return self.compare(tree[2], ("number", 0), equal)
            modulus = abs(int(divisor[None]))
            return ("or", [("and", g + [congruent(a, 0, modulus)]) for g, a in self.cases(tree[2])])
        signs = {"=": equal, "<": less, "<=": at_most, ">": lambda a, b: less(b, a), ">=": lambda a, b: at_most(b, a)}
        return self.compare(tree[1], tree[2], signs[kind])


# ---- From formulas to automata -----------------------------------------------------------------------------

class Digits:
    def __init__(self, name):
        base = re.fullmatch(r"base-([2-9]|10)", name)
        if name != "zeckendorf" and not base:
            raise Wrong(f"{name!r} are no digits")
        self.base = int(base.group(1)) if base else 2
        self.zeckendorf = not base
        self.atoms = {}

    def step(self, state, digit):
        """The value of a linear form with one more digit, and with that digit and a zero."""
        u, v = state
        return (v + digit, u + v + 2 * digit) if self.zeckendorf else (self.base * u + digit, 0)

    def settled(self, state, weight, rest):
        """1 or -1 if the form plus rest is certainly positive or negative, whatever digits follow."""
        u, v = state
        if self.zeckendorf:
            for sign in (1, -1):
                if sign * u > weight + abs(rest) and sign * v > 2 * weight + abs(rest):
                    return sign
            return 0
        return (u > max(weight, abs(rest))) - (u < -max(weight, abs(rest)))

    def letters(self, tracks):
        """All letters as tuples of digits, the first track in the lowest place."""
        return [tuple(reversed(word)) for word in itertools.product(range(self.base), repeat=tracks)]


def explore(letters, start, after, accepts):
    """The minimal automaton of what is reached from `start`."""
    numbers, order, rows = {start: 0}, [start], []
    for state in order:
        row = []
        for letter in range(letters):
            follower = after(state, letter)
            if follower not in numbers:
                numbers[follower] = len(order)
                order.append(follower)
                if len(order) > 1_000_000:
                    raise Wrong("an automaton has too many states for this checker")
            row.append(numbers[follower])
        rows.append(row)
    return minimal(rows, [accepts(state) for state in order])


def atom_automaton(digits, atom, tracks):
    """The automaton of a comparison with 0 or of a congruence; words that are no numbers do not matter here."""
    if (atom, tracks) in digits.atoms:
        return digits.atoms[atom, tracks]
    kind, coefficients, rest = atom[:3]
    letters = digits.letters(tracks)
    changes = [sum(factor * letter[place] for place, factor in coefficients) for letter in letters]
    weight = sum(abs(factor) for _, factor in coefficients)

    def after(state, letter):
        if isinstance(state, int):
            return state
        u, v = digits.step(state, changes[letter])
        if kind == "mod":
            return (u % atom[3], v % atom[3])
        return digits.settled((u, v), weight, rest) or (u, v)

    def accepts(state):
        value = state if isinstance(state, int) else state[0] + rest
        if kind == "mod":
            return value % atom[3] == 0
        return value == 0 or (value < 0 and kind == "le")

    digits.atoms[atom, tracks] = explore(len(letters), (0, 0), after, accepts)
    return digits.atoms[atom, tracks]


def combine(letters, left, right, accepts):
    return explore(
        letters, (0, 0),
        lambda state, letter: (left[0][state[0]][letter], right[0][state[1]][letter]),
        lambda state: accepts(left[1][state[0]], right[1][state[1]]),
    )


def of_formula(digits, formula, tracks):
    kind, letters = formula[0], digits.base ** tracks
    if kind == "not":
        rows, accepting = of_formula(digits, formula[1], tracks)
        return rows, [not each for each in accepting]
    if kind not in ("and", "or"):
        return atom_automaton(digits, formula, tracks)
    joined = ([[0] * letters], [kind == "and"])
    for part in formula[1]:
        join = (lambda a, b: a and b) if kind == "and" else (lambda a, b: a or b)
        joined = combine(letters, joined, of_formula(digits, part, tracks), join)
    return joined


def automaton(digits, formula, tracks):
    """The minimal complete automaton (next, accepting) of the numbers that satisfy the formula."""
    letters = digits.letters(tracks)
    found = of_formula(digits, formula, tracks)
    if not digits.zeckendorf:
        return found
    # No two neighbouring digits of a number are 1; the state is the last letter.
    fault = len(letters)
    clash = [[any(a and b for a, b in zip(last, letter)) for letter in letters] for last in letters]
    rows = [[fault if clash[last][letter] else letter for letter in range(fault)] for last in range(fault)]
    numerals = (rows + [[fault] * fault], [True] * fault + [False])
    return combine(fault, found, numerals, lambda a, b: a and b)


def minimal(rows, accepting):
    classes, count = [int(each) for each in accepting], 0
    while True:
        names = {}
        classes = [
            names.setdefault((classes[state], tuple(classes[after] for after in row)), len(names))
            for state, row in enumerate(rows)
        ]
        if len(names) == count:
            break
        count = len(names)
    representative = {}
    for state, each in enumerate(classes):
        representative.setdefault(each, state)
    order, place = [classes[0]], {classes[0]: 0}
    found = []
    for each in order:
        row = []
        for after in rows[representative[each]]:
            if classes[after] not in place:
                place[classes[after]] = len(order)
                order.append(classes[after])
            row.append(place[classes[after]])
        found.append(row)
    return found, [accepting[representative[each]] for each in order]


def live(rows, accepting):
    before = [[] for _ in rows]
    for state, row in enumerate(rows):
        for after in set(row):
            before[after].append(state)
    alive = [state for state, each in enumerate(accepting) if each]
    seen = set(alive)
    for state in alive:
        for earlier in before[state]:
            if earlier not in seen:
                seen.add(earlier)
                alive.append(earlier)
    return seen


# ---- The game and the theorem ------------------------------------------------------------------------------

def position_formula(positions, heaps, smallest):
    formula = [at_most(a, b) for a, b in zip(heaps, heaps[1:])]
    formula.append(Meaning(heaps, heaps, [], None, {}).condition(positions))
    if smallest is not None:
        formula.append(at_most(heaps[0], constant(smallest)))
    return ("and", formula)


def relations(clauses, positions, heaps, smallest, digits):
    """Every kind of move: an automaton over the heaps and the new numbers, and the tracks after the move."""
    before = [track(i) for i in range(heaps)]
    for names, numbers, condition in clauses:
        for size in range(1, heaps + 1):
            for moved in itertools.combinations(range(heaps), size):
                free = "any" in numbers or size in numbers
                if not free and not ("all" in numbers and moved == tuple(range(heaps - size, heaps))):
                    continue
                if len(names) > 1 and len(names) != size:
                    continue
                staying = [i for i in range(heaps) if i not in moved]
                for after in itertools.permutations(staying + [heaps + i for i in range(size)]):
                    # The heaps that stay keep their order; a heap that is lowered stays below those above it, and
                    # below one of which the same is taken.
                    place = {number: at for at, number in enumerate(after)}
                    below = [(heaps + at, j) for at, i in enumerate(moved) for j in staying if j > i]
                    below += list(zip(staying, staying[1:]))
                    if len(names) == 1:
                        below += [(heaps + at, heaps + at + 1) for at in range(size - 1)]
                    if any(place[a] > place[b] for a, b in below):
                        continue
                    new = [track(i) for i in after]
                    other = [before[i] for i in staying]
                    taken = [plus(before[i], track(heaps + at), -1) for at, i in enumerate(moved)]
                    either = []
                    for order in itertools.permutations(range(size)) if len(names) > 1 else [None]:
                        parts = [less(constant(0), each) for each in taken]
                        if order is None:
                            parts += [equal(taken[0], each) for each in taken[1:]]
                            meant = {names[0]: taken[0]}
                        else:
                            meant = {names[name]: taken[at] for at, name in enumerate(order)}
                        if not free:
                            parts += [equal(each, constant(0)) for each in other]
                        for at, i in enumerate(moved):
                            heap = (before[i], track(heaps + at))
                            parts.append(Meaning(before, new, other, heap, meant).condition(condition))
                        either.append(("and", parts))
                    formula = ("and", [
                        position_formula(positions, before, smallest),
                        position_formula(positions, new, smallest),
                        ("or", either),
                    ])
                    rows, accepting = automaton(digits, formula, heaps + size)
                    if any(accepting):
                        yield rows, accepting, after


def reaching(digits, heaps, moves, target):
    """The automaton of the positions from which some move leads into `target`."""
    letters = len(digits.letters(heaps))
    kinds = []
    for rows, accepting, after in moves:
        # Reading a letter of the heaps and guessing the digits of the new numbers.
        steps = [[] for _ in range(letters)]
        for number, letter in enumerate(digits.letters(heaps + sum(place >= heaps for place in after))):
            reached = sum(letter[place] * digits.base ** at for at, place in enumerate(after))
            steps[number % letters].append((number, reached))
        kinds.append((rows, accepting, live(rows, accepting), steps))
    alive = live(*target)
    cache = {}

    def followers(state, letter):
        found = cache.get((state, letter))
        if found is None:
            kind, relation, place = state
            rows, _, useful, steps = kinds[kind]
            found = set()
            for number, reached in steps[letter]:
                next_relation, next_place = rows[relation][number], target[0][place][reached]
                if next_relation in useful and next_place in alive:
                    found.add((kind, next_relation, next_place))
            cache[state, letter] = found
        return found

    def accepts(subset):
        return any(kinds[kind][1][relation] and target[1][place] for kind, relation, place in subset)

    def after(subset, letter):
        return frozenset().union(*(followers(state, letter) for state in subset))

    return explore(letters, frozenset((kind, 0, 0) for kind in range(len(kinds))), after, accepts)


def first_difference(letters, automata, agree):
    """A shortest word after which `agree` is false of what the automata say."""
    start = tuple(0 for _ in automata)
    origin, order = {start: None}, [start]
    for state in order:
        if not agree(*(accepting[each] for (_, accepting), each in zip(automata, state))):
            word = []
            while origin[state] is not None:
                state, letter = origin[state]
                word.append(letter)
            return word[::-1]
        for letter in range(letters):
            follower = tuple(rows[each][letter] for (rows, _), each in zip(automata, state))
            if follower not in origin:
                origin[follower] = (state, letter)
                order.append(follower)
    return None


def shown(digits, heaps, word):
    letters = digits.letters(heaps)
    states = [(0, 0)] * heaps
    for letter in word:
        states = [digits.step(state, digit) for state, digit in zip(states, letters[letter])]
    return [state[0] for state in states]


def is_count(value, least, most):
    return type(value) is int and least <= value <= most


def read(path):
    with open(path, encoding="utf-8") as file:
        stored = json.load(file)
    keys = {"format", "game", "rule", "misere", "heaps", "smallest", "digits", "sets"}
    if type(stored) is not dict or set(stored) - {"multiples"} != keys or stored["format"] != "nimwave-automaton-1":
        raise Wrong("this is not a certificate of automata")
    if not all(type(stored[key]) is str for key in ("game", "rule", "digits")) or type(stored["misere"]) is not bool:
        raise Wrong("game, rule and digits are texts, and misere is true or false")
    if not is_count(stored["heaps"], 1, 6):
        raise Wrong("heaps is a number from 1 to 6")
    if stored["smallest"] is not None and not is_count(stored["smallest"], 0, 10**6):
        raise Wrong("smallest is null or a number")
    if type(stored["sets"]) is not list or not stored["sets"] or (stored["misere"] and len(stored["sets"]) > 1):
        raise Wrong("sets is a list of automata, of one in misère play")
    digits = Digits(stored["digits"])
    letters = digits.base ** stored["heaps"]
    multiples = stored.get("multiples", [])
    if type(multiples) is not list or multiples and len(multiples) != len(stored["sets"]) + stored["misere"]:
        raise Wrong("multiples is a list with an automaton for each set, and in misère play one more")
    sets = []
    for automaton_stored in stored["sets"] + multiples:
        if type(automaton_stored) is not dict or set(automaton_stored) != {"accepting", "next"}:
            raise Wrong("an automaton has accepting states and next states")
        rows, accepting = automaton_stored["next"], automaton_stored["accepting"]
        if type(rows) is not list or not rows or type(accepting) is not list:
            raise Wrong("an automaton has at least one state")
        for row in rows:
            if type(row) is not list or len(row) != letters or not all(is_count(each, 0, len(rows) - 1) for each in row):
                raise Wrong("every state has one next state for each letter")
        if not all(is_count(each, 0, len(rows) - 1) for each in accepting) or sorted(set(accepting)) != accepting:
            raise Wrong("the accepting states are states, ascending")
        if rows[0][0] != 0:
            raise Wrong("zeros in front must change nothing: state 0 loops on the letter of zeros")
        sets.append((rows, [state in set(accepting) for state in range(len(rows))]))
    return stored, digits, sets[:len(stored["sets"])], sets[len(stored["sets"]):]


def is_multiple(tree, name):
    """Whether the condition says `some other x: x divides s`."""
    return tree[0] == "some" and tree[1] == "other" and tree[3] == ("divides", ("name", tree[2]), ("name", name))


def multiples_allowed(clauses, positions):
    """The clause whose moves take multiples of the other one of two heaps, and the rest of its condition."""
    for at, (names, numbers, condition) in enumerate(clauses):
        parts = [condition]
        while any(part[0] == "and" for part in parts):
            parts = [each for part in parts for each in (part[1] if part[0] == "and" else [part])]
        rest = [part for part in parts if not is_multiple(part, names[0])]
        if len(rest) < len(parts) and numbers == {1} and len(names) == 1 and positions == ("and", []):
            return at, names[0], ("and", rest)
    raise Wrong("no clause of the rule takes multiples of the other heap")


def check_multiples(digits, name, rest, target, own):
    """That `own` holds exactly the pairs (h, d) such that a multiple of d, taken from h, leads into `target`.

    By induction on h it does if: never where d = 0 or h < d; and for h = y + d, d > 0, exactly if y may be left and
    is in the target beside d, or the pair (y, d) is in `own`. What may be left must not depend on h.
    """
    h, d, y = (track(i) for i in range(3))

    def left(heap):
        return Meaning(None, None, None, (heap, y), {name: plus(heap, y, -1)}).condition(rest)

    positive, below = less(constant(0), d), at_most(plus(y, d), h)
    least, any_heap = automaton(digits, left(plus(y, d)), 3), automaton(digits, left(h), 3)
    letters = digits.letters(3)
    numbers = automaton(digits, ("and", [positive, below]), 3)
    word = first_difference(len(letters), [numbers, least, any_heap], lambda n, a, b: not n or a == b)
    if word is not None:
        raise Wrong("what may be left depends on the heap as it was")

    def on_tracks(dfa, tracks):
        number = [sum(letter[place] * digits.base ** at for at, place in enumerate(tracks)) for letter in letters]
        return [[row[each] for each in number] for row in dfa[0]], dfa[1]

    step = automaton(digits, ("and", [positive, equal(plus(y, d), h)]), 3)
    small, large = automaton(digits, at_most(y, d), 3), automaton(digits, at_most(d, y), 3)
    word = first_difference(
        len(letters),
        [step, on_tracks(own, [0, 1]), on_tracks(own, [2, 1]), least, small, large,
         on_tracks(target, [2, 1]), on_tracks(target, [1, 2])],
        lambda step, here, below, allowed, small, large, first, second:
            not step or here == (below or allowed and (small and first or large and second)),
    )
    if word is not None:
        raise Wrong(f"the multiples are wrong at or below {shown(digits, 3, word)}")
    outside = automaton(digits, ("or", [equal(d, constant(0)), less(h, d)]), 2)
    if first_difference(len(digits.letters(2)), [outside, own], lambda out, here: not (out and here)) is not None:
        raise Wrong("a multiple is taken from a smaller heap")


def by_multiples(digits, own):
    """The sorted positions (d, h) of the pairs (h, d)."""
    letters = digits.letters(2)
    turned = [letters.index((second, first)) for first, second in letters]
    sorted_heaps = automaton(digits, at_most(track(0), track(1)), 2)
    rows = [[row[each] for each in turned] for row in own[0]]
    return combine(len(letters), (rows, own[1]), sorted_heaps, lambda a, b: a and b)


def check(path):
    stored, digits, sets, multiples = read(path)
    heaps, smallest = stored["heaps"], stored["smallest"]
    clauses, positions = Parser(stored["rule"]).rule()
    letters = len(digits.letters(heaps))
    all_positions = automaton(digits, position_formula(positions, [track(i) for i in range(heaps)], smallest), heaps)
    by_multiple = []
    if multiples:
        if heaps != 2:
            raise Wrong("moves by multiples are decided on two heaps")
        at, name, rest = multiples_allowed(clauses, positions)
        del clauses[at]
        for target, own in zip(sets + [all_positions], multiples):
            check_multiples(digits, name, rest, target, own)
            by_multiple.append(by_multiples(digits, own))
    moves = list(relations(clauses, positions, heaps, smallest, digits))
    everything = ([[0] * letters], [True])
    movable = reaching(digits, heaps, moves, everything) if stored["misere"] else everything
    if stored["misere"] and multiples:
        movable = combine(letters, movable, by_multiple[-1], lambda a, b: a or b)
    for value, own in enumerate(sets):
        into = reaching(digits, heaps, moves, own)
        if multiples:
            into = combine(letters, into, by_multiple[value], lambda a, b: a or b)
        word = first_difference(
            letters, [all_positions, movable, into, own, *sets[:value]],
            lambda position, can_move, reaches, is_in, *earlier:
                is_in == (position and can_move and not reaches and not any(earlier)),
        )
        if word is not None:
            raise Wrong(f"the set of value {value} is wrong at or after {shown(digits, heaps, word)}")
    sizes = ", ".join(str(len(rows)) for rows, _ in sets)
    play = "misère " if stored["misere"] else ""
    print(f"{path}: proved: {play}{stored['game']} on {heaps} heaps, automata with {sizes} states ({stored['digits']})")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for path in sys.argv[1:]:
        try:
            check(path)
        except (Wrong, OSError, ValueError, TypeError, RecursionError) as error:
            sys.exit(f"{path}: NOT PROVED: {error}")


if __name__ == "__main__":
    main()
