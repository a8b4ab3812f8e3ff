"""Games and positions."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterable
from typing import NamedTuple, Union

from . import _core
from ._core import Game

Position = Union[str, int, Iterable[Union[int, str]]]
"""Heaps, one heap, or text such as ``"4 6 13"``."""


class Entry(NamedTuple):
    """What the catalogue says about a game."""

    name: str
    source: str
    moves: str
    parameters: str
    example: str
    on_heaps: bool


def games() -> list[Entry]:
    """Every game of the catalogue: its name, where it comes from, what a move is, and what can be set."""
    return [Entry(**entry) for entry in json.loads(_core.games())]


def game(name: str | Game, misere: bool = False, **parameters: bool | int | str) -> Game:
    """The game of this name, in normal or misère play, such as ``game("wynnie", together="all")``.

    An octal code or the name of an octal game, such as ``"0.6"`` or ``"kayles"``, is a game, too. What is a game
    already is returned as it is; then nothing else may be given.
    """
    if isinstance(name, Game):
        if misere or parameters:
            raise ValueError("the game has its play and its parameters already; give them where it is made")
        return name
    return Game(name, misere, parameters)


def rule(text: str, misere: bool = False) -> Game:
    """The game of a rule in one line (docs/RULES.md), such as ``rule("take s from one heap where s <= min")``."""
    return Game("rule", misere, {"rule": text})


def position_text(position: Position) -> str:
    """The position as the library reads it."""
    if isinstance(position, str):
        return position
    if isinstance(position, Iterable):
        heaps = [heap if isinstance(heap, str) else str(operator.index(heap)) for heap in position]
        return " ".join(heaps) or "0"
    return str(operator.index(position))
