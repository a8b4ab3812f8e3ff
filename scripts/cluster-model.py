#!/usr/bin/env python3
"""Memory and traffic of a table in shards (docs/CLUSTER.md), computed from the formulas there, without nimwave.

    scripts/cluster-model.py HEAPS MAX RANKS [SHARDS_PER_RANK] [BYTES_PER_VALUE] [--positions-per-second P] [--bytes-per-second B]

Needs NumPy. Rates are those of one rank, for the predicted time.
"""
import argparse
import math

import numpy


def rows_by_sum(parts, top):
    """How many sorted sequences of `parts` heaps of at most `top` have each sum."""
    rows = numpy.zeros(parts * top + 1)
    rows[0] = 1
    for i in range(1, parts + 1):
        step = top + i
        if step < len(rows):
            rows[step:] -= rows[:-step].copy()
        for start in range(i):
            rows[start::i] = numpy.cumsum(rows[start::i])
    return rows


def cuts(heaps, largest, shards):
    """The first heap of each shard: equal shares of the estimated work and of the entries (engine/src/cluster/plan.rs)."""
    rows, work, entries = 1.0, [0.0], [0.0]
    for u in range(largest + 1):
        cells = largest - u + 1
        work.append(work[-1] + rows * (cells * (25 + 8 * u / (heaps - 1)) + 300))
        entries.append(entries[-1] + rows * cells)
        rows *= (u + heaps - 1) / (u + 1)
    until = [w / work[-1] + e / entries[-1] for w, e in zip(work, entries)]
    found = [0]
    for shard in range(1, shards):
        cut = next(i for i, sofar in enumerate(until) if sofar >= 2 * shard / shards)
        if found[-1] < cut <= largest:
            found.append(cut)
    return found + [largest + 1]


def halo_rows(heaps, first, gaussian):
    """Rows that come together, by the sum of the key without its last heap: the sum of m over those keys."""
    n = heaps - 2
    rows = numpy.zeros(n * max(first, 1) + 1)
    if first == 0:
        return rows
    rows[0] = first
    for zeros in range(n):
        for a in range(1, first):
            behind = gaussian(n - zeros - 1, first - 1 - a)
            at = a * (n - zeros)
            rows[at : at + len(behind)] += a * behind
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heaps", type=int)
    parser.add_argument("max", type=int)
    parser.add_argument("ranks", type=int)
    parser.add_argument("per_rank", type=int, nargs="?", default=4)
    parser.add_argument("bytes", type=int, nargs="?", default=1)
    parser.add_argument("--positions-per-second", type=float)
    parser.add_argument("--bytes-per-second", type=float)
    a = parser.parse_args()
    edges = cuts(a.heaps, a.max, a.per_rank * a.ranks)
    shards = len(edges) - 1
    known = {}

    def gaussian(parts, top):
        if (parts, top) not in known:
            known[parts, top] = rows_by_sum(parts, top)
        return known[parts, top]

    waves = (a.heaps - 1) * a.max + 1
    table = numpy.zeros(a.ranks)
    live = numpy.zeros((a.ranks, waves + a.max + 2))
    came = numpy.zeros((a.ranks, waves + a.max + 2))
    for shard in range(shards):
        first, end, rank = edges[shard], edges[shard + 1], shard % a.ranks
        table[rank] += sum(math.comb(u + a.heaps - 2, a.heaps - 2) * (a.max - u + 1) for u in range(first, end))
        cells = halo_rows(a.heaps, first, gaussian) * (a.max - first + 1) * a.bytes
        came[rank, first : first + len(cells)] += cells
        for stay in range(end - first):
            live[rank, first + stay : first + stay + len(cells)] += cells
    entries = math.comb(a.max + a.heaps, a.heaps)
    print(f"{a.heaps} heaps of at most {a.max}: {entries:.4g} entries, {shards} shards, {a.ranks} ranks, {a.bytes} bytes an entry")
    print(f"table of the largest rank   {table.max() * a.bytes:.4g} bytes ({table.max() / entries * a.ranks:.2f} of the mean)")
    print(f"halo of the largest rank    {live.max():.4g} bytes ({live.max() / (entries * a.bytes / a.ranks):.2f} of the mean table of a rank)")
    print(f"received by the busiest     {came.sum(axis=1).max():.4g} bytes at most: if all rows come from other ranks")
    print(f"received in one wave        {came.max():.4g} bytes at most, {came.sum(axis=1).max() / waves:.4g} on average")
    if a.positions_per_second and a.bytes_per_second:
        work = entries / a.ranks / a.positions_per_second
        wire = came.sum(axis=1).max() / a.bytes_per_second
        print(f"work {work:.4g} s, messages {wire:.4g} s: {max(work, wire):.4g} s with full overlap, {work + wire:.4g} s with none")


main()
