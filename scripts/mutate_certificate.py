#!/usr/bin/env python3
"""Changes every part of a certificate, one entry at a time, and demands that each change is noticed.

Usage: mutate_certificate.py CERTIFICATE.json [STRIDE]      every STRIDE-th change only (default 1)
"""
import contextlib
import copy
import io
import json
import sys

import check_certificate


def mutations(data):
    """Pairs of a description and a function that returns a changed certificate."""

    def changed(description, change):
        def apply():
            other = copy.deepcopy(data)
            change(other)
            return other

        return description, apply

    classes, letters = len(data["action"]), data["threshold"] + data["period"]
    yield changed("misere", lambda d: d.update(misere=not d["misere"]))
    for game in ("minnie", "nimb", "nimtb"):
        if game != data["game"]:
            yield changed(f"game {game}", lambda d: d.update(game=game))
    for field in ("threshold", "period", "largest_min", "version"):
        for shift in (-2, -1, 1, 2):
            yield changed(f"{field} {shift:+}", lambda d: d.update({field: d[field] + shift}))
    for shift in range(1 - data["threshold"], data["period"]):
        if shift:
            yield changed(
                f"threshold and period {shift:+}",
                lambda d: d.update(threshold=d["threshold"] + shift, period=d["period"] - shift),
            )
    for c in range(classes):
        yield changed(f"acceptance of {c}", lambda d: d.update(accepted=sorted(set(d["accepted"]) ^ {c})))
        for i in range(len(data["representatives"][c])):
            for shift in (-1, 1):
                yield changed(f"representative {c}", lambda d: d["representatives"][c].__setitem__(
                    i, d["representatives"][c][i] + shift))
        yield changed(f"longer representative {c}", lambda d: d["representatives"][c].append(1))
        for a in range(letters):
            for to in range(classes):
                if to != data["action"][c][a]:
                    yield changed(f"action {c},{a} -> {to}", lambda d: d["action"][c].__setitem__(a, to))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    stride = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    with contextlib.redirect_stdout(io.StringIO()):
        check_certificate.check(data)
    rejected = 0
    for index, (description, changed) in enumerate(mutations(data)):
        if index % stride:
            continue
        other = changed()
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                check_certificate.check(other)
        except (check_certificate.NotProved, ValueError, KeyError, TypeError, IndexError):
            rejected += 1
        else:
            sys.exit(f"accepted although changed: {description}")
    print(f"all {rejected} mutations rejected")


if __name__ == "__main__":
    main()
