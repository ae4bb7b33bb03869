"""Times of day as sar prints them, and the days they belong to.

``strftime("%X")`` by the locale, padded to eleven characters: ``00:10:01``, ``12:10:01 AM``,
``10:46:25 AM IST``, ``17時45分02秒``. There is no date: a time that is earlier than the one
before it is of the next day.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

DAY = 86_400

#: A clock that goes back by no more than this, in seconds, was set, or its samples are out of
#: order; by more, and it is the next day.
_BACK = 3_600

#: A word for a zone, as in India. Web pages leave one blank of several, and then what follows
#: AM or PM may as well be the first name of a heading, a restart or a comment.
_ZONE = rb"(?!(?:CPU|DEV|IFACE|INTR|TTY|FAN|TEMP|IN|BAT|BUS|PID|PPID|LINUX|COM)\s)[A-Z]{2,5}"

TIME = re.compile(
    rb"(?P<before>\xe5\x8d\x88\xe5\x89\x8d|\xe5\x8d\x88\xe5\xbe\x8c)?"  # 午前, 午後
    # Web pages put blanks around these.
    rb"(\d{1,2})(?:[:.]| ?(?:\xe6\x99\x82|\xe6\x97\xb6|\xec\x8b\x9c) ?)"  # 時, 时, 시
    rb"(\d\d)(?:[:.]| ?(?:\xe5\x88\x86|\xeb\xb6\x84) ?)"  # 分, 분
    rb"(\d\d)(?: ?(?:\xe7\xa7\x92|\xec\xb4\x88))?"  # 秒, 초
    rb"(?:[ \t](?P<after>[AaPp]\.?[Mm]\.?)(?:[ \t](?P<zone>" + _ZONE + rb")(?=\s))?)?(?=\s)"
)


#: A comment of ``sadc -C``, behind the time; its text may be numbers, and look like a row.
COMMENT = re.compile(rb"\s+COM\s(.*)$")


def seconds(match: re.Match[bytes]) -> int | None:
    """The seconds since midnight of a time; None if there is no such time."""
    hour, minute, second = int(match[2]), int(match[3]), int(match[4])
    half = match["after"] or match["before"]
    if half:
        if not 1 <= hour <= 12:
            return None
        afternoon = half[:1] in b"Pp" or half == b"\xe5\x8d\x88\xe5\xbe\x8c"
        hour = hour % 12 + (12 if afternoon else 0)
    # 60 is the leap second.
    return hour * 3600 + minute * 60 + second if hour < 24 and minute < 60 > second - 1 else None


def on(before: int | None, time: int) -> int:
    """The next moment with a time of day, both in seconds since some midnight."""
    if before is None:
        return time
    day, of_day = divmod(before, DAY)
    return (day + (time - of_day < -_BACK)) * DAY + time


def roll(times: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Let times of day, in seconds and in order, go on over midnight.

    The first may be days on; all are counted from the midnight before it.
    """
    of_day = times % DAY
    days = np.zeros(len(times), np.int64)
    np.cumsum(of_day[1:] - of_day[:-1] < -_BACK, out=days[1:])
    on: npt.NDArray[np.int64] = times[0] // DAY * DAY + days * DAY + of_day
    return on
