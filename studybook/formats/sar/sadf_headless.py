"""Rows of ``sadf -d`` without a heading, as sysstat up to 7.0 (RHEL 4 and 5) prints them.

The columns are told by the number of values and by their kind: counts are whole, rates and
shares have decimals, names begin with a letter. Two activities of one value each (processes
created, context switches) look the same: their values go to ``sar_other``. Later releases print
headings; where those were taken off, columns of other meaning may look like these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

_DECIMALS = re.compile(r"-?\d+[.,]\d+", re.ASCII)
_WHOLE = re.compile(r"-?\d+", re.ASCII)

#: Kinds of the values (s name, i whole, d decimals) and the names they have in ``sar``.
_KINDS = {
    "idddddd": "CPU %user %nice %system %iowait %steal %idle",
    "id": "INTR intr/s",
    "iid": "CPU INTR intr/s",
    "dd": "pswpin/s pswpout/s",
    "ddddd": "tps rtps wtps bread/s bwrtn/s",
    "ddd": "frmpg/s bufpg/s campg/s",
    "idididididid": "TTY rcvin/s xmtin/s framerr/s prtyerr/s brk/s ovrun/s",
    "sddddddd": "IFACE rxpck/s txpck/s rxbyt/s txbyt/s rxcmp/s txcmp/s rxmcst/s",
    "sddddddddd": "IFACE rxerr/s txerr/s coll/s rxdrop/s txdrop/s txcarr/s rxfram/s rxfifo/s"
    " txfifo/s",
    "sdddddddd": "DEV tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz await svctm %util",
    "dddddd": "call/s retrans/s read/s write/s access/s getatt/s",
    "ddddddddddd": "scall/s badcall/s packet/s udp/s tcp/s hit/s miss/s sread/s swrite/s"
    " saccess/s sgetatt/s",
    "dddd": "pgpgin/s pgpgout/s fault/s majflt/s",
    "iidiiiidi": "kbmemfree kbmemused %memused kbbuffers kbcached kbswpfree kbswpused %swpused"
    " kbswpcad",
    "iiiididid": "dentunusd file-sz inode-sz super-sz %super-sz dquot-sz %dquot-sz rtsig-sz"
    " %rtsig-sz",
    "iiiii": "totsck tcpsck udpsck rawsck ip-frag",
    "iiddd": "runq-sz plist-sz ldavg-1 ldavg-5 ldavg-15",
}


#: Rows of one value: processes created, context switches. Releases from 8.1.3 print no such row.
ONE_VALUE = "d"
#: What later releases print by the same kinds, with another meaning or unit: both of these in
#: one row; TCP, UDP and pressure; interfaces in kB; disks in kB, and interfaces with %ifutil.
_LATER = frozenset(["dd", "id", "dddd", "ddddd", "d" * 11, "sddddddd", "sdddddddd"])


@cache
def _names(kinds: str, *, known: bool) -> tuple[str, ...]:
    if known:
        return tuple(_KINDS[kinds].split())
    return tuple(f"value {place}" for place in range(1, len(kinds) + 1))


def names_of(kinds: str, *, old: bool) -> tuple[str, ...]:
    """Tell the columns of a row by the kinds of its values.

    Parameters
    ----------
    kinds : str
        One letter for each value.
    old : bool
        Whether the file has rows of one value: then it is of a release up to 8.1.2.

    Returns
    -------
    tuple of str
        ``value 1`` and so on if they are not known. No row of that time is longer than those
        known: a longer one has no names.
    """
    if len(kinds) > max(map(len, _KINDS)):
        return ()
    return _names(kinds, known=kinds in _KINDS and (old or kinds not in _LATER))


def is_strange(kinds: str) -> bool:
    """Whether no release up to 7.0 prints a row of such values."""
    return kinds not in _KINDS and kinds != ONE_VALUE


def kinds_of(values: Sequence[str]) -> str:
    """The kind of each value of a row."""
    return "".join(map(_kind, values))


def _kind(value: str) -> str:
    if _DECIMALS.fullmatch(value):
        return "d"
    return "i" if _WHOLE.fullmatch(value) else "s"
