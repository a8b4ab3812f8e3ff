"""Tables of outcomes and values."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time as clock
import warnings
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Game
from ._games import Position, game as as_game, position_text
from ._progress import Display, Progress
from ._questions import Answer, Heaps


@dataclass(frozen=True)
class Verdict:
    """The verdict of code that did not make the table."""

    kind: str
    """``"full"`` or ``"sample"``; ``"checksums"`` where the file is damaged."""
    method: str
    entries: int
    """The number of entries that were checked."""
    coverage: float
    verdict: str
    """``"passed"`` or ``"failed"``."""
    failure: str | None
    """The first entry that is wrong, or the damage."""
    blake3: str | None
    program_version: str
    seconds: float
    date: str

    @property
    def passed(self) -> bool:
        """Whether nothing wrong was found."""
        return self.verdict == "passed"

    def __bool__(self) -> bool:
        return self.passed


class Table:
    """A finished table in a folder.

    ``len(table)`` is the number of its entries. The array of a table without ``out=`` lives as long as it is used, the
    folder as long as the table.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the table in the folder ``path``."""
        self._table = _core.Table(path)
        self.path = Path(path)
        """The folder."""

    def __repr__(self) -> str:
        return f"<nimwave.Table of {len(self)} {self.manifest['quantity']} of {self.game.name} in {str(self.path)!r}>"

    def __len__(self) -> int:
        return len(self._table)

    @property
    def game(self) -> Game:
        """The game of the table."""
        return self._table.game()

    @property
    def manifest(self) -> dict[str, Any]:
        """What the table holds, how it was made and how it was verified (docs/FORMAT.md), as the folder has it now."""
        return dict(json.loads(self._table.manifest()))

    @property
    def has_values(self) -> bool:
        """Whether the table holds Grundy values, otherwise outcomes."""
        return self._table.width() != "bit"

    @cached_property
    def array(self) -> npt.NDArray[Any]:
        """The data file, mapped and not copied: one value per entry, or 8 outcomes per byte, the lowest bit first.

        It is read as it is looked at, and cannot be written to. A table in shards is put together in memory.
        """
        file = self._table.data_file()
        if file is not None:
            mapped: npt.NDArray[Any] = np.load(file, mmap_mode="r")
            return mapped
        return np.frombuffer(self._table.data(), dtype="<u2" if self._table.width() == "u16" else "u1")

    @property
    def outcomes(self) -> npt.NDArray[np.bool_]:
        """One truth value per entry, in memory: whether it is a P-position."""
        if self.has_values:
            return np.asarray(self.array == 0)
        return np.unpackbits(self.array, count=len(self), bitorder="little").view(np.bool_)

    def rank(self, position: Position) -> int:
        """The index of a position in the array."""
        return self._table.rank(position_text(position))

    def unrank(self, index: int) -> Heaps:
        """The position of an index: heaps in ascending order, absent ones as 0."""
        return tuple(self._table.unrank(index))

    def ranks(self, positions: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The indices of many positions: the last axis of ``positions`` has as many heaps as the table, 0 for absent
        ones, in any order. ``table.array[table.ranks(positions)]`` are their values."""
        heaps = np.sort(np.asarray(positions, dtype=np.int64), axis=-1)
        count, largest = self._size()
        if heaps.ndim == 0 or heaps.shape[-1] != count:
            raise ValueError(f"positions of this table have {count} heaps, 0 for absent ones")
        if heaps.size and (heaps.min() < 0 or heaps.max() > largest):
            raise ValueError(f"heaps of this table are from 0 to {largest}")
        total = np.zeros(heaps.shape[:-1], dtype=np.int64)
        for i in range(count):
            m = count - i
            # The number of sorted sequences of m heaps that begin with v or more, for v = 0, 1, ...
            begin = np.array([comb(largest - v + m, m) for v in range(largest + 1)], dtype=np.int64)
            previous = begin[heaps[..., i - 1]] if i else begin[0]
            total += previous - begin[heaps[..., i]]
        if total.size and total.max() >= len(self):
            raise ValueError("a position has a larger smallest heap than the positions of this table")
        return total

    def matrix(self, *fixed: int) -> npt.NDArray[Any]:
        """Values, or outcomes as truth values, of the positions with these heaps and two more, which are row and column."""
        count, largest = self._size()
        if len(fixed) + 2 != count:
            raise ValueError(f"give {max(count - 2, 0)} heaps: two of {count} are row and column")
        row, column = np.indices((largest + 1, largest + 1))
        ranks = self.ranks(np.stack([row, column, *(np.full_like(row, heap) for heap in fixed)], axis=-1))
        if self.has_values:
            return np.asarray(self.array[ranks])
        return np.asarray(self.array[ranks >> 3] >> (ranks & 7).astype(np.uint8) & 1, dtype=np.bool_)

    def _size(self) -> tuple[int, int]:
        """The number of heaps, and the largest heap."""
        parameters = self.manifest["parameters"]
        if "heaps" not in parameters:
            raise ValueError(f"this is a table of {self.game.name}, not of several heaps")
        return parameters["heaps"], parameters["max"]

    def value(self, position: Position) -> int:
        """The Grundy value of a position (of several heaps of a sequence: of their sum)."""
        value = self._table.brief(position_text(position))[1]
        if value is None:
            raise ValueError("the table holds outcomes, not values; solve it with values=True")
        return value

    def outcome(self, position: Position) -> str:
        """``"P"`` if the player who has just moved wins, ``"N"`` if the player to move does."""
        return self._table.brief(position_text(position))[0]

    def winning_moves(self, position: Position) -> list[Heaps]:
        """The positions that winning moves leave."""
        return self.query(position).winning_moves

    def query(self, position: Position) -> Answer:
        """Everything that the table says about a position."""
        return Answer.from_json(self._table.answer(position_text(position)))

    def positions(self) -> Iterator[Heaps]:
        """All positions, in the order of the array."""
        return map(self.unrank, range(len(self)))

    def verify(
        self,
        sample: int | None = None,
        *,
        threads: int | None = None,
        time: float | None = None,
        memory: int | None = None,
        progress: Progress = None,
    ) -> Verdict:
        """Checks every entry against all its options by code that did not make the table: a proof, given the rules.

        With ``sample`` only so many entries, taken at random. The verdict goes into the manifest.
        """
        with Display("verify", progress) as shown:
            text, unwritten = self._table.verify(sample, shown.limits(threads, time, memory))
        if unwritten:
            warnings.warn(f"the verdict could not be written into the manifest: {unwritten}", stacklevel=2)
        return Verdict(**{"blake3": None, **json.loads(text)})


def open(path: str | os.PathLike[str]) -> Table:
    """Opens the finished table in a folder, which this package or the program ``nimwave`` made."""
    return Table(path)


class _Bounds(NamedTuple):
    heaps: int | None
    max: int | None
    smallest: int | None
    terms: int | None
    values: bool


def solve(
    game: str | Game,
    heaps: int | None = None,
    max: int | None = None,
    values: bool = True,
    misere: bool = False,
    out: str | os.PathLike[str] | None = None,
    *,
    smallest: int | None = None,
    terms: int | None = None,
    threads: int | None = None,
    time: float | None = None,
    memory: int | None = None,
    progress: Progress = None,
    **parameters: bool | int | str,
) -> Table:
    """Solves all positions of at most ``heaps`` heaps of at most ``max`` counters, or the first ``terms`` heaps of an
    octal game.

    With ``values`` the table has Grundy values, otherwise outcomes, an eighth of the size. ``out`` is the folder; a run
    that was stopped there is resumed, and a table that is complete is opened. Without it the table is in a temporary
    folder (see ``tempfile.gettempdir``) that goes with it. ``smallest`` keeps to positions whose smallest heap, absent
    ones counted as 0, is at most this; ``time`` (seconds) and ``memory`` (bytes) are limits.

    Raises ``ValueError`` for arguments that make no sense, ``MemoryError`` for what does not fit into memory or disk,
    ``OSError`` for files, and ``Interrupted`` when the time is over.
    """
    chosen = as_game(game, misere, **parameters)
    bounds = _Bounds(heaps, max, smallest, terms, values)
    temporary = None
    if out is None:
        temporary = tempfile.mkdtemp(prefix="nimwave-")
        out = Path(temporary, "table")
    try:
        with Display(f"solve {chosen.name}", progress) as shown:
            _core.solve(chosen, bounds, out, temporary is None, shown.limits(threads, time, memory))
        table = Table(out)
    except BaseException:
        if temporary is not None:
            _remove(temporary, os.getpid())
        raise
    if temporary is not None:
        weakref.finalize(table, _remove, temporary, os.getpid())
    return table


def _remove(folder: str, process: int) -> None:
    """Removes a temporary folder, but not in a process that was forked from its owner."""
    for _ in range(20):
        if os.getpid() != process or not os.path.exists(folder):
            return
        shutil.rmtree(folder, ignore_errors=True)
        # A run that was stopped may still be writing its last file.
        if os.path.exists(folder):
            clock.sleep(0.1)
