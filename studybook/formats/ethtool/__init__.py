"""ethtool -S: counters of network interfaces, as their drivers keep them."""

from __future__ import annotations

from studybook.formats.contract import Format
from studybook.formats.ethtool.reader import TABLES, read, recognise

FORMAT = Format(
    "ethtool", "ethtool -S: counters of a network interface", "ethtool", TABLES, recognise, read
)
