#!/usr/bin/env python3
"""Changes every part of a certificate, one entry at a time, and demands that the checker notices each change.

Usage: mutate_certificate.py CERTIFICATE.json [STRIDE]      every STRIDE-th change only (default 1)
"""
import contextlib
import copy
import io
import itertools
import json
import sys

import check_certificate
import check_drift
import check_misere
import check_period


def of_types(data):
    """Values that no entry may have: of another type, although Python says that some equal the right one, or out of range."""

    def wrong_for(value):
        if type(value) is bool:
            return [int(value), "true", None]
        if type(value) is int:
            return [value + 0.5, float(value), str(value), bool(value), None, [value], -1 - value, 1 << 64]
        if type(value) is str:
            return [value + " ", "", 0, None, [value]]
        if type(value) is list:
            return [{}, str(value), None, len(value), value + [-1], value + [None], value + [[]]]
        return [0, 0.0, False, "", []]  # in the place of null

    def set_at(path, value):
        def change(other):
            for key in path[:-1]:
                other = other[key]
            other[path[-1]] = value

        return change

    def walk(path, value):
        for wrong in wrong_for(value) if path else ():
            yield f"{path} = {wrong!r:.40}", set_at(path, wrong)
        entries = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
        for key, entry in entries:
            yield from walk(path + [key], entry)

    yield from walk([], data)
    for field in data:
        yield f"without {field}", lambda d: d.pop(field)
    yield "another field", lambda d: d.update(note="")


def of_period(data):
    """What could be another period. Any mask is sound, so the mask keeps its value."""
    for field in ("version", "preperiod", "period", "last_index"):
        for shift in (-2, -1, 1, 2, data["period"]):
            yield f"{field} {shift:+}", lambda d: d.update({field: d[field] + shift})
    yield "two periods", lambda d: d.update(period=2 * d["period"])
    for field in ("digits", "values"):
        yield f"longer {field}", lambda d: d[field].append(d[field][-1])
        yield f"shorter {field}", lambda d: d[field].pop()
        for i, entry in enumerate(data[field]):
            for other in range(8):
                if other != entry:
                    yield f"{field} {i} = {other}", lambda d: d[field].__setitem__(i, other)
    # The digits say what the game is; a code that agrees with them must still be that of the values.
    for i, entry in enumerate(data["digits"][1:], 1):
        for other in range(1, 8):
            if other != entry:
                digits = data["digits"][:i] + [other] + data["digits"][i + 1:]
                code = f"{digits[0]}." + "".join(map(str, digits[1:]))
                yield f"code {code}", lambda d: d.update(digits=digits, code=code)


def of_drift(data):
    """What could be another arithmetic period."""
    # A larger V and, where something else asks for more values, a larger n1 may do as well.
    for field in ("version", "preperiod", "period", "saltus", "last_index", "repeating"):
        for shift in (-2, -1, 1, 2, data["period"]) if field in data else ():
            yield f"{field} {shift:+}", lambda d: d.update({field: d[field] + shift})
    yield "two periods", lambda d: d.update(period=2 * d["period"], saltus=2 * d["saltus"])
    for field in ("digits", "values"):
        yield f"longer {field}", lambda d: d[field].append(d[field][-1])
        yield f"shorter {field}", lambda d: d[field].pop()
        for i, entry in enumerate(data[field]):
            for other in range(20):
                if other != entry:
                    yield f"{field} {i} = {other}", lambda d: d[field].__setitem__(i, other)
    if "times" in data:
        yield "V is not reached", lambda d: d.update(multiple=max(d["values"]) // d["saltus"] + 1)
        yield "fewer values are needed", lambda d: d.update({"from": d["from"] - 1})
        for i, entry in enumerate(data["digits"][1:], 1):
            for other in range(1, 16):
                if other != entry:
                    digits = data["digits"][:i] + [other] + data["digits"][i + 1:]
                    yield f"digits {digits}", lambda d: d.update(digits=digits, code=check_drift.code_of(digits, 0))


def of_quotient(data):
    """What could be another quotient: pairs of a description and a change."""
    classes, letters = len(data["action"]), data["threshold"] + data["period"]
    yield ("misere", lambda d: d.update(misere=not d["misere"]))
    for game in ("minnie", "nimb", "nimtb"):
        if game != data["game"]:
            yield (f"game {game}", lambda d: d.update(game=game))
    for field in ("threshold", "period", "largest_min", "version"):
        for shift in (-2, -1, 1, 2):
            yield (f"{field} {shift:+}", lambda d: d.update({field: (d[field] or 0) + shift}))
    for shift in range(1 - data["threshold"], data["period"]):
        if shift:
            yield (
                f"threshold and period {shift:+}",
                lambda d: d.update(threshold=d["threshold"] + shift, period=d["period"] - shift),
            )
    for c in range(classes):
        yield (f"acceptance of {c}", lambda d: d.update(accepted=sorted(set(d["accepted"]) ^ {c})))
        for i in range(len(data["representatives"][c])):
            for shift in (-1, 1):
                yield (f"representative {c}", lambda d: d["representatives"][c].__setitem__(
                    i, d["representatives"][c][i] + shift))
        yield (f"longer representative {c}", lambda d: d["representatives"][c].append(1))
        for a in range(letters):
            for to in range(classes):
                if to != data["action"][c][a]:
                    yield (f"action {c},{a} -> {to}", lambda d: d["action"][c].__setitem__(a, to))


def of_misere(data):
    """What could be another misère quotient."""
    order = data["order"]
    for field in ("version", "preperiod", "period", "heaps", "order"):
        for shift in (-2, -1, 1, 2, data["period"]):
            yield f"{field} {shift:+}", lambda d: d.update({field: d[field] + shift})
    yield "two periods", lambda d: d.update(period=2 * d["period"])
    for x in range(order):
        yield f"{x} in P", lambda d: d.update(p_portion=sorted(set(d["p_portion"]) ^ {x}))
    for field in ("elements", "p_portion", "pretending", "generators", "relations", "product"):
        if data[field]:
            yield f"longer {field}", lambda d: d[field].append(d[field][-1])
            yield f"shorter {field}", lambda d: d[field].pop()
    for heap, entry in enumerate(data["pretending"]):
        for other in range(order):
            if other != entry:
                yield f"heap {heap} -> {other}", lambda d: d["pretending"].__setitem__(heap, other)
    for x in range(order):
        for y in range(x, order):
            for other in range(order):
                if other != data["product"][x][y]:
                    def change(d):
                        d["product"][x][y] = d["product"][y][x] = other
                    yield f"{x} * {y} = {other}", change
    for i, entry in enumerate(data["digits"][1:], 1):
        for other in range(1, 8):
            if other != entry:
                digits = data["digits"][:i] + [other] + data["digits"][i + 1:]
                code = f"{digits[0]}." + "".join(map(str, digits[1:]))
                yield f"code {code}", lambda d: d.update(digits=digits, code=code)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    stride = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if data["format"] == "nimwave-octal-period":
        check, refusal, others = check_period.check, check_period.NotRight, of_period
    elif data["format"] in (check_drift.FINITE, check_drift.ENDLESS):
        check, refusal, others = check_drift.check, check_drift.NotRight, of_drift
    elif data["format"] == "nimwave-misere-quotient":
        check, refusal, others = check_misere.check, check_misere.NotRight, of_misere
    else:
        check, refusal, others = check_certificate.check, check_certificate.NotProved, of_quotient
    with contextlib.redirect_stdout(io.StringIO()):
        check(data)
    rejected = 0
    # One after the other: a change takes the variables of its loop as they are when it is made.
    for index, (description, change) in enumerate(itertools.chain(of_types(data), others(data))):
        if index % stride:
            continue
        other = copy.deepcopy(data)
        change(other)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                check(other)
        except (refusal, ValueError):  # any other exception is a mistake of the checker
            rejected += 1
        else:
            sys.exit(f"accepted although changed: {description}")
    print(f"all {rejected} mutations rejected")


if __name__ == "__main__":
    main()
