"""What tools that start others put in front of each line: a host, a rank, the time.

Such a file is not read: what stands in front may be all that tells the outputs of several hosts
apart. But the refusal says what the file is, and how to bring it into shape.
"""

from __future__ import annotations

import re

from studybook.formats.raw import Head

#: By what prints it: ``srun -l``, ``mpirun --tag-output``, ``mmdsh`` and ``pdsh``, ``ts`` and the
#: like, mail. With a pattern of sed that takes it off.
_PREFIXES = (
    # a time of day is no number of a task, whatever has lost its heading
    (re.compile(r"\s*\d{1,6}:(?!\d\d:\d\d(?!:)) ?", re.ASCII), r"^ *[0-9]*: \{0,1\}"),
    (re.compile(r"\[\d{1,6}(?:,\d{1,6})?\]<std\w{2,4}>:", re.ASCII), "^[^>]*>:"),
    (
        re.compile(r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\S{0,8}\]? ", re.ASCII),
        r"^[^:]*:[^:]*:[^ ]* ",
    ),
    (re.compile(r"[A-Za-z][\w.-]{0,80}: {0,2}", re.ASCII), r"^[^:]*: \{0,2\}"),
    (re.compile(r"# ?"), r"^# \{0,1\}"),
    (re.compile(r"[>|] ?"), r"^[>|] \{0,1\}"),
)

#: Lines that are looked at, and how many of them must have it.
_LINES, _SHARE = 200, 0.9


def without_prefix(head: Head) -> tuple[str, str, Head] | None:
    """The head of a file without what stands in front of nearly all its lines.

    Returns
    -------
    tuple of str, str and Head, or None
        The first prefix, an expression for ``sed`` that takes all off, and what is left; None if
        nothing stands there.
    """
    lines = [line for line in head.lines[:_LINES] if line.strip()]
    for pattern, expression in _PREFIXES:
        found = [match for line in lines if (match := pattern.match(line))]
        if len(found) > 1 and len(found) >= _SHARE * len(lines):
            text = "\n".join(pattern.sub("", line, count=1) for line in head.lines[:-1])
            return found[0][0], f"s/{expression}//", Head(text + "\n", text.encode())
    return None
