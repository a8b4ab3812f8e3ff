"""Limits of a run, and how its progress is shown."""

from __future__ import annotations

import sys
import time as clock
from typing import Any, Callable, NamedTuple, Union

Report = Callable[[int, int, str], object]
Progress = Union[None, bool, Report]
"""``None``: shown where a person looks on and a run takes more than a second; ``True`` and ``False``: always, never; a
function: called some times a second with what is done, the total (0 where nobody knows it), and what is being done."""


class Limits(NamedTuple):
    """What a run may take, and who is told how it gets on."""

    threads: int | None = None
    time: float | None = None
    memory: int | None = None
    progress: Report | None = None


class Display:
    """Shows progress: by tqdm where it is installed, otherwise as a line of text. Used in a ``with`` statement."""

    def __init__(self, title: str, progress: Progress) -> None:
        self.title = title
        self.function = progress if callable(progress) else None
        self.shown = _is_watched() if progress is None else bool(progress)
        self.patience = 1.0 if progress is None else 0.0
        self.started = clock.monotonic()
        self.last_line = 0.0
        self.bar: Any = None
        self.is_text = False

    def limits(self, threads: int | None, time: float | None, memory: int | None) -> Limits:
        """The limits of a run that is shown here."""
        if self.function is not None:
            return Limits(threads, time, memory, self.function)
        return Limits(threads, time, memory, self.show if self.shown else None)

    def show(self, done: int, total: int, text: str) -> None:
        """Shows how far the run is."""
        if clock.monotonic() - self.started < self.patience:
            return
        if self.bar is None and not self.is_text:
            self.bar = _tqdm(self.title)
            self.is_text = self.bar is None
        if self.bar is not None:
            self.bar.total = total or None
            self.bar.n = done
            self.bar.set_postfix_str(text, refresh=False)
            self.bar.refresh()
        elif clock.monotonic() - self.last_line >= 0.5:
            self.last_line = clock.monotonic()
            self._line(f"{100 * done / total:5.1f}% {text}" if total else text)

    def _line(self, text: str, end: str = "") -> None:
        print(f"\r{self.title}: {text}"[:100].ljust(80), end=end, file=sys.stderr, flush=True)

    def __enter__(self) -> Display:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.bar is not None:
            if kind is None and self.bar.total:
                self.bar.n = self.bar.total
                self.bar.refresh()
            self.bar.close()
        elif self.last_line:
            self._line("done" if kind is None else "stopped", end="\n")


def _tqdm(title: str) -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return None
    return tqdm(desc=title, unit_scale=True)


def _is_watched() -> bool:
    """Whether a person looks on: at a terminal or in a notebook."""
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", bool)())
