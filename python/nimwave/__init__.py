"""Impartial combinatorial games: verified tables of outcomes and Grundy values, sequences, periods and theorems.

>>> import nimwave
>>> table = nimwave.solve("minnie", heaps=3, max=60)
>>> table.value([4, 6, 13])
5
>>> table.winning_moves([5, 5, 8])
[(1, 5, 8)]
>>> table.verify().passed
True
>>> nimwave.octal("0.77", 12).tolist()
[0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
>>> nimwave.period("0.77").period
12

Ctrl-C stops every call; what is finished of a table with ``out=`` is kept, and the same call resumes. Positions are
sequences of heaps, single heaps, or text such as ``"4 6 13"``.
"""

from ._core import Game, Interrupted, Undecided, __version__
from ._games import Entry, game, games, rule
from ._questions import Answer, Period, Proof, octal, period, prove, query
from ._table import Table, Verdict, open, solve

__all__ = [
    "Answer",
    "Entry",
    "Game",
    "Interrupted",
    "Period",
    "Proof",
    "Table",
    "Undecided",
    "Verdict",
    "__version__",
    "game",
    "games",
    "octal",
    "open",
    "period",
    "prove",
    "query",
    "rule",
    "solve",
]
