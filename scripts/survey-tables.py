#!/usr/bin/env python3
"""The surveys below a folder (scripts/survey-rules makes them) as the Markdown tables of docs/RECORDS-rules.md.

    python3 scripts/survey-tables.py surveys
"""
import json
import sys
from collections import Counter
from pathlib import Path


def theorem(row):
    if row["status"] == "same":
        return f"as {row['as']}"
    if row["status"] != "proved":
        return row["status"]
    heaps = "any number of heaps" if row["heaps"] == "any" else f"{row['heaps']} heaps"
    return f"{row['by']}, {heaps}"


def cell(value):
    return "" if value is None else str(value).replace("|", "\\|")


def main():
    folders = sorted(Path(sys.argv[1]).glob("*/survey.json"), key=lambda path: path.stat().st_mtime)
    surveys = [(path.parent.name, json.loads(path.read_text())) for path in folders]
    total, counts = 0, Counter()
    for name, survey in surveys:
        rows = survey["rows"]
        total += len(rows)
        counts.update(row["by"].split()[0] if row["status"] == "proved" else row["status"] for row in rows)
        play = ", misère" if survey["survey"]["misere"] else ""
        print(f"### {name}: `{survey['survey']['rule']}`{play}\n")
        names = survey["columns"][: survey["columns"].index("status")]
        print(f"| {', '.join(names)} | theorem | from, period | classes | states | P | first P-positions |")
        print("|---|---|---|---|---|---|---|")
        for row in rows:
            repeats = "" if row["period"] is None else f"{row['threshold']}, {row['period']}"
            alike = f" (looks like {row['as']})" if row["as"] and row["status"] != "same" else ""
            first = " ".join((row["first"] or "").split()[:5])
            cells = [", ".join(str(row[name]) for name in names), theorem(row) + alike, repeats, row["classes"], row["states"],
                     row["p_positions"], first]
            print("| " + " | ".join(cell(one) for one in cells) + " |")
        print()
    print(f"{total} games: " + ", ".join(f"{count} {what}" for what, count in counts.most_common()), file=sys.stderr)


main()
