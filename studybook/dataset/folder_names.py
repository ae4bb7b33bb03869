"""What the names of folders tell of runs: ``{release}-p{producers}-rep{repetition}``."""

from __future__ import annotations

import re
from functools import lru_cache

from pydantic import TypeAdapter, ValidationError

from studybook.dataset.manifest import FactorName

#: A factor, any letters, or what stands there as it is.
_PART = re.compile(r"\{(?P<factor>[^{}]*)\}|(?P<any>\*)|(?P<plain>[^{}*]+)|(?P<other>.)", re.S)
#: Zeros before a number are there to sort names.
_NUMBER = re.compile(r"[0-9]{1,15}")


@lru_cache
def pattern_of(text: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Expressions for a pattern: the first values as short as can be, and as long.

    Parameters
    ----------
    text : str
        ``{name}`` stands for the value of a factor, ``*`` for any letters, ``/`` parts folders.

    Raises
    ------
    ValueError
        If it names no factor, or one that none can be called or twice, or if two have nothing
        between them.
    """
    found, names, is_open = "", list[str](), False
    for part in _PART.finditer(text):
        if part["other"]:
            raise ValueError(f"{text!r} has a brace without its other\n  → write as {{release}}")
        if is_open and not part["plain"]:
            raise ValueError(
                f"{text!r} has nothing between {part[0]} and what stands before it\n"
                "  → say what parts them, such as a hyphen"
            )
        if part["plain"]:
            found += re.escape(part["plain"])
        elif part["any"]:
            found += "[^/]*?"
        else:
            try:
                names.append(TypeAdapter(FactorName).validate_python(part["factor"]))
            except ValidationError as error:
                said = error.errors()[0]["msg"].removeprefix("Value error, ")
                raise ValueError(f"{part[0]}: {said}") from error
            found += f"(?P<{names[-1]}>[^/]+?)"
        is_open = not part["plain"]
    if not names or len({*names}) < len(names):
        what = "a factor twice" if names else "no factor"
        raise ValueError(f"{text!r} names {what}\n  → write as {{release}}-{{users}}")
    return re.compile(found), re.compile(found.replace("]+?)", "]+)").replace("]*?", "]*"))


def factors_in(text: str, folder: str) -> dict[str, int | str] | None:
    """What the name of a folder tells by a pattern; None where it does not fit, or in several ways.

    Parameters
    ----------
    text : str
        As of :func:`pattern_of`.
    folder : str
        A path, of which the last folders that fit are asked.

    Returns
    -------
    dict
        Whole numbers as such, other values as they are written: ``2.0`` may be a release.
    """
    parts, depth = folder.split("/"), text.count("/") + 1
    for first in range(len(parts) - depth, -1, -1):
        name = "/".join(parts[first : first + depth])
        shortest, longest = (each.fullmatch(name) for each in pattern_of(text))
        if shortest and longest:
            if shortest.groupdict() != longest.groupdict():
                return None
            return {
                factor: int(value) if _NUMBER.fullmatch(value) else value
                for factor, value in shortest.groupdict().items()
            }
    return None
