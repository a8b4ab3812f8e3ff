#!/usr/bin/env python3
"""The tables of docs/RECORDS-octal.md from a survey of octal games, compared with data/golden/octal-classes.tsv.

    nimwave survey octal '0.???' '4.???' --terms 2^24 --each 60s --out atlas
    python3 scripts/octal-atlas.py atlas/survey.json

Ends with 1 if anything differs from what is published.
"""
import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).parent.parent / "data/golden/octal-classes.tsv"


def grouped(value):
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def classes(rows):
    """The games by the first one of the same sequence."""
    first = {}
    for row in rows:
        if row["status"] == "invalid":
            continue
        leader = row["as"] or row["game"]
        first[row["game"]] = first.get(leader, leader)
    members = {}
    for game, leader in first.items():
        members.setdefault(leader, []).append(game)
    return members


def table(heads, lines):
    print("| " + " | ".join(heads) + " |")
    print("|" + "---|" * len(heads))
    for line in lines:
        print("| " + " | ".join(grouped(cell) for cell in line) + " |")
    print()


def others(members):
    return " ".join(members[1:])


def compare(by_game, members):
    leader = {game: first for first, games in members.items() for game in games}
    differences, compared, published = [], 0, {}
    for line in GOLDEN.read_text().splitlines():
        if line.startswith("#"):
            continue
        game, preperiod, period, largest, _, games = line.split("\t")
        games = games.split(" ")
        row = by_game.get(game)
        if row is None:
            continue
        published.update({other: game for other in games})
        apart = [other for other in games if other in leader and leader[other] != leader[game]]
        if apart:
            differences.append(f"{game}: published as equal to {' '.join(apart)}, which differ here")
        if period == "-":
            if row["status"] in ("proved", "same") and row["by"]:
                print(f"{game}: listed as unsolved, and proved here: period {row['period']:,} from {row['preperiod']:,} on.\n")
            continue
        found = (row["preperiod"], row["period"])
        if row["period"] is None:
            print(f"{game}: the published period {int(period):,} from {int(preperiod):,} on is beyond this survey.\n")
        elif found != (int(preperiod), int(period)):
            differences.append(f"{game}: published {preperiod}, {period}, found {found}")
        elif largest != "-" and row["max"] != int(largest):
            differences.append(f"{game}: largest value published {largest}, found {row['max']}")
        else:
            compared += 1
    for first, games in members.items():
        apart = sorted({published[game] for game in games if game in published})
        if len(apart) > 1:
            differences.append(f"{first}: the published classes {' '.join(apart)} are one here")
    print(f"{compared} published periods are as found here; {len(differences)} differences.\n")
    for difference in differences:
        print(f"- {difference}")
    return not differences


def main():
    survey = json.loads(Path(sys.argv[1]).read_text())
    rows = survey["rows"]
    by_game = {row["game"]: row for row in rows}
    members = classes(rows)
    leaders = [by_game[leader] for leader in members]
    proved = [row for row in leaders if row["status"] == "proved"]
    still_open = [row for row in leaders if row["status"] in ("open", "out of time")]
    forms = len({row["standard"] for row in rows if row["standard"]})
    print(f"{len(rows)} games in {forms} standard forms; {len(members)} different sequences: {len(proved)} periods proved, {len(still_open)} open.\n")
    print("### Periods\n")
    heads = ["game", "standard form", "preperiod", "period", "exceptions", "largest", "at", "proved by", "the same sequence"]
    table(heads, [
        [row["game"], row["standard"], row["preperiod"], row["period"], row["exceptions"], row["max"], row["max_at"], row["by"], others(members[row["game"]])]
        for row in proved])
    print("### Open\n")
    heads = ["game", "standard form", "terms", "largest", "at", "mask", "rare heaps", "last rare heap", "the same sequence"]
    table(heads, [
        [row["game"], row["standard"], row["terms"], row["max"], row["max_at"], row["mask"], row["rare"], row["last_rare"], others(members[row["game"]])]
        for row in still_open])
    print("### Beside what is published\n")
    sys.exit(not compare(by_game, members))


if __name__ == "__main__":
    main()
