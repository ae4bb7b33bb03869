"""What goes wrong in the code of a format is a refusal of the file, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from studybook.errors import ReaderFailed, Refused
from studybook.formats.contract import Format
from studybook.formats.registry import plugged_in


@contextmanager
def failing_in_words(
    path: Path, what: str, whose: Format, beyond: Sequence[Exception] = ()
) -> Iterator[None]:
    """Make a refusal of what goes wrong with a file; what went wrong beyond the reader goes on.

    A file may hold anything. That it can bring a reader down is a mistake of ours, which must not
    keep the other files from being read.
    """
    try:
        yield
    except Refused as refusal:
        refusal.path = refusal.path or path
        raise
    except (OSError, MemoryError):
        raise
    except Exception as error:
        if error in beyond:
            raise
        said = (str(error).splitlines() or [""])[0][:200]
        own = plugged_in(whose.name)
        raise ReaderFailed(
            f"{what} failed: {type(error).__name__}: {said}".rstrip(": "),
            f"a mistake in {own}: mend it there"
            if own
            else "a mistake of this program: please report it, with the file if it may be shown",
            path=path,
        ) from error
