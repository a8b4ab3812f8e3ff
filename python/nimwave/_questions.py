"""Single positions, nim-sequences, periods and theorems."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Game
from ._games import Position, game as as_game, position_text
from ._progress import Display, Progress

Heaps = tuple[int, ...]


@dataclass(frozen=True)
class Answer:
    """What is known of a position."""

    position: Heaps
    outcome: str
    """``"P"``: the player who has just moved wins; ``"N"``: the player to move."""
    value: int | None
    """The Grundy value, where it is known; in misère play the misère one."""
    winning_moves: list[Heaps]
    """The positions that winning moves leave."""
    source: str
    """Where the answer comes from: a table, a sweep, a search or a theorem."""
    value_above: int | None = None
    """What the value is larger than, where a theorem knows only the small ones."""
    more_winning_moves: int = 0
    """The number of winning moves that are not listed, because they are very many."""
    more_winning_moves_by_period: int | None = None
    """If set: there are more, which differ from those listed by multiples of this number."""
    theorem: str | None = None
    """The theorem for a fixed number of heaps that the answer comes from."""

    @classmethod
    def from_json(cls, text: str) -> Answer:
        """The answer that the library gave."""
        found = json.loads(text)

        # Heaps of more than 64 bits come as text.
        def heaps(sizes: list[int | str]) -> Heaps:
            return tuple(int(size) for size in sizes)

        found["position"] = heaps(found["position"])
        found["winning_moves"] = [heaps(sizes) for sizes in found["winning_moves"]]
        found["more_winning_moves"] = int(found.get("more_winning_moves", 0))
        return cls(**found)


def query(
    game: str | Game,
    position: Position,
    misere: bool = False,
    *,
    threads: int | None = None,
    time: float | None = None,
    memory: int | None = None,
    progress: Progress = None,
    **parameters: bool | int | str,
) -> Answer:
    """Outcome, value and winning moves of a position, from a theorem, a search or a sweep of what it leads to.

    What is estimated to take more than a minute is refused unless ``time`` (seconds) allows it.
    """
    chosen = as_game(game, misere, **parameters)
    with Display(f"query {chosen.name}", progress) as shown:
        limits = shown.limits(threads, time, memory)
        return Answer.from_json(_core.query(chosen, position_text(position), limits))


def octal(
    code: str,
    terms: int,
    *,
    threads: int | None = None,
    time: float | None = None,
    memory: int | None = None,
    progress: Progress = None,
) -> npt.NDArray[np.unsignedinteger[Any]]:
    """The values of the heaps 0, 1, ..., ``terms - 1`` of an octal game, such as ``octal("0.6", 10**6)``.

    ``code`` may also be a name (``"kayles"``) or ``"subtraction 1,3,4"``. The array is in memory and belongs to the
    caller; ``solve(code, terms=..., out=...)`` makes a sequence in a folder, which can be resumed and continued.
    """
    with Display(f"octal {code}", progress) as shown:
        data, width = _core.octal(code, terms, shown.limits(threads, time, memory))
    return np.frombuffer(data, dtype="<u2" if width == 2 else "u1")


@dataclass(frozen=True)
class Period:
    """What the values of an octal game say about its period."""

    code: str
    proved: bool
    """Whether the theorem of Guy and Smith proves the period."""
    preperiod: int | None
    """The heap from which on the values repeat, where that is proved."""
    period: int | None
    last_exception: int | None
    """The last heap n with G(n + period) different from G(n)."""
    max_value: int
    max_at: int
    """The first heap of the largest value."""
    terms: int
    """The number of terms that were computed."""
    seconds: float
    certificate: dict[str, Any] | None
    """What scripts/check_period.py checks."""

    def __str__(self) -> str:
        if self.proved:
            return f"{self.code}: period {self.period} from heap {self.preperiod} on, proved by {self.terms} terms"
        return f"{self.code}: no period proved by {self.terms} terms"


def period(
    code: str,
    terms: int = 2**24,
    *,
    threads: int | None = None,
    time: float | None = None,
    memory: int | None = None,
    progress: Progress = None,
) -> Period:
    """Looks for the period of an octal game among its first ``terms`` values, or for ``time`` seconds."""
    with Display(f"period {code}", progress) as shown:
        facts, certificate = _core.period(code, terms, shown.limits(threads, time, memory))
    return Period(**json.loads(facts), certificate=json.loads(certificate) if certificate else None)


@dataclass(frozen=True)
class Proof:
    """What became of an attempt to prove something about all heap sizes."""

    proved: bool
    text: str
    """The theorem in words, or what was seen where there is none."""
    certificate: dict[str, Any] | None
    """What scripts/check_certificate.py, check_automaton.py or check_period.py check; theorems by gaps have none."""

    def __str__(self) -> str:
        return self.text


def prove(
    game: str | Game,
    heaps: int | None = None,
    misere: bool = False,
    *,
    threads: int | None = None,
    time: float | None = None,
    memory: int | None = None,
    progress: Progress = None,
    **parameters: bool | int | str,
) -> Proof:
    """Proves what can be proved: about any number of heaps of any sizes, or about at most ``heaps`` of them."""
    chosen = as_game(game, misere, **parameters)
    with Display(f"prove {chosen.name}", progress) as shown:
        proved, text, certificate = _core.prove(chosen, heaps, shown.limits(threads, time, memory))
    return Proof(proved, text, json.loads(certificate) if certificate else None)
