"""What ``sar -A`` prints: the sections of two versions, their columns and items.

From the manual pages and the source of sysstat: the columns of 8.1.5 (SLES 11) and 12.6, in the
order in which ``sar`` prints them to a file.
"""

from __future__ import annotations

from dataclasses import dataclass

CPUS = 16

_WHOLE = (
    "MBfsfree MBfsused Ifree Iused dentunusd file-nr inode-nr pty-nr runq-sz plist-sz blocked"
    " totsck tcpsck udpsck rawsck ip-frag tcp-tw tcp6sck udp6sck raw6sck ip6-frag blg_len kbmemfree"
    " kbavail kbmemused kbbuffers kbcached kbcommit kbactive kbinact kbdirty kbanonpg kbslab"
    " kbkstack kbpgtbl kbvmused kbswpfree kbswpused kbswpcad kbhugfree kbhugused kbhugrsvd"
    " kbhugsurp"
)

#: Columns that are printed without decimals.
WHOLE = frozenset(_WHOLE.split())

#: How many rows ``sar`` prints to a file before it repeats the heading.
ROWS_PER_HEADING = 86_400


@dataclass(frozen=True)
class Activity:
    """A section of ``sar``.

    Parameters
    ----------
    heading : str
        The names in its heading, in their order, with the item's.
    items : tuple of str
        What it has a row for: CPUs, disks; one empty name if there is one row per sample.
    repeat : int
        After how many samples the heading comes again; 0 for the general rule.
    idle : float
        Share of the values that stay zero.
    item_last : bool
        Whether the item's name is the last column.
    """

    heading: str
    items: tuple[str, ...] = ("",)
    repeat: int = 0
    idle: float = 0.3
    item_last: bool = False

    @property
    def names(self) -> list[str]:
        """Names of the columns with values."""
        names = self.heading.split()
        if self.items == ("",):
            return names
        return names[:-1] if self.item_last else names[1:]

    @property
    def samples_per_heading(self) -> int:
        """After how many samples the heading comes again."""
        return self.repeat or ROWS_PER_HEADING // len(self.items)


@dataclass(frozen=True)
class Version:
    """A version of ``sar``: how its first line and its restarts look, and its sections."""

    release: str
    date: str
    cpus: str
    restart: str
    activities: tuple[Activity, ...]


_CPU = ("all", *map(str, range(CPUS)))
_NFS = "call/s retrans/s read/s write/s access/s getatt/s"
_NFSD = "scall/s badcall/s packet/s udp/s tcp/s hit/s miss/s sread/s swrite/s saccess/s sgetatt/s"
_PAGING = "pgpgin/s pgpgout/s fault/s majflt/s pgfree/s pgscank/s pgscand/s pgsteal/s %vmeff"
_ERRORS = "IFACE rxerr/s txerr/s coll/s rxdrop/s txdrop/s txcarr/s rxfram/s rxfifo/s txfifo/s"
_TTY = Activity("TTY rcvin/s xmtin/s framerr/s prtyerr/s brk/s ovrun/s", ("0",), idle=0.9)
_SWAP = Activity("kbswpfree kbswpused %swpused kbswpcad %swpcad")
_KERNEL = Activity("dentunusd file-nr inode-nr pty-nr")
_SOCKETS = Activity("totsck tcpsck udpsck rawsck ip-frag tcp-tw")

_OLD_DISKS = tuple(f"dev94-{4 * number}" for number in range(16)) + tuple(
    f"dev253-{number}" for number in range(8)
)
_OLD_NETWORK = ("lo", "eth0", "eth1", "eth2", "bond0", "bond0.1234", "sit0", "hsi0")

#: SLES 11. The many rows of interrupts make most of the lines.
SLES11 = Version(
    "3.0.101-0.47.67-default", "%m/%d/%y", "", "       LINUX RESTART",
    (
        Activity(
            "CPU %usr %nice %sys %iowait %steal %irq %soft %guest %idle", _CPU, 84, idle=0.2
        ),
        Activity("proc/s cswch/s", idle=0),
        Activity("INTR intr/s", ("sum", *map(str, range(256))), 328, idle=0.85),
        Activity("pswpin/s pswpout/s", idle=0.5),
        Activity(_PAGING),
        Activity("tps rtps wtps bread/s bwrtn/s", idle=0),
        Activity("frmpg/s bufpg/s campg/s", idle=0),
        Activity("kbmemfree kbmemused %memused kbbuffers kbcached kbcommit %commit", idle=0),
        _SWAP,
        _KERNEL,
        Activity("runq-sz plist-sz ldavg-1 ldavg-5 ldavg-15", idle=0),
        _TTY,
        Activity(
            "DEV tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz await svctm %util", _OLD_DISKS
        ),
        Activity(
            "IFACE rxpck/s txpck/s rxkB/s txkB/s rxcmp/s txcmp/s rxmcst/s", _OLD_NETWORK
        ),
        Activity(_ERRORS, _OLD_NETWORK, idle=0.8),
        Activity(_NFS),
        Activity(_NFSD, idle=0.9),
        _SOCKETS,
    ),
)  # fmt: skip

_NEW_DISKS = (
    *(f"sd{letter}" for letter in "abcdefghijklmnop"), *(f"dm-{number}" for number in range(40)),
    *(f"nvme{number}n1" for number in range(4)),
)  # fmt: skip
_NEW_NETWORK = ("lo", "eth0", "eth1", "eth2", "bond0", "bond0.1234", "docker0", "veth3f2a91c")
_NAMED_INTERRUPTS = ("NMI", "LOC", "SPU", "PMI", "IWI", "RTR", "RES", "CAL", "TLB", "TRM", "MCE")
_INTERRUPTS = ("sum", *map(str, range(24, 64)), *_NAMED_INTERRUPTS)
_FILE_SYSTEMS = ("/dev/mapper/system-root", "/dev/sda1", "/dev/gpfs0", "/dev/gpfs1")


def _pressure(*kinds: str) -> Activity:
    return Activity(" ".join(f"%{kind}-10 %{kind}-60 %{kind}-300 %{kind}" for kind in kinds))


#: Debian 12, RHEL 9, Ubuntu 24.04: 39 sections.
SYSSTAT12 = Version(
    "6.1.0-18-amd64", "%Y-%m-%d", f"\t({CPUS} CPU)", f"  LINUX RESTART\t({CPUS} CPU)",
    (
        Activity(
            "CPU %usr %nice %sys %iowait %steal %irq %soft %guest %gnice %idle", _CPU, 11, idle=0.2
        ),
        Activity("proc/s cswch/s", idle=0),
        Activity(
            "INTR all " + " ".join(f"CPU{number}" for number in range(CPUS)), _INTERRUPTS, 1,
            idle=0.6,
        ),
        Activity("pswpin/s pswpout/s", idle=0.5),
        Activity(_PAGING),
        Activity("tps rtps wtps dtps bread/s bwrtn/s bdscd/s", idle=0),
        Activity(
            "kbmemfree kbavail kbmemused %memused kbbuffers kbcached kbcommit %commit kbactive"
            " kbinact kbdirty kbanonpg kbslab kbkstack kbpgtbl kbvmused", idle=0,
        ),
        _SWAP,
        Activity("kbhugfree kbhugused %hugused kbhugrsvd kbhugsurp", idle=0.5),
        _KERNEL,
        Activity("runq-sz plist-sz ldavg-1 ldavg-5 ldavg-15 blocked", idle=0),
        _TTY,
        Activity("DEV tps rkB/s wkB/s dkB/s areq-sz aqu-sz await %util", _NEW_DISKS),
        Activity(
            "IFACE rxpck/s txpck/s rxkB/s txkB/s rxcmp/s txcmp/s rxmcst/s %ifutil", _NEW_NETWORK
        ),
        Activity(_ERRORS, _NEW_NETWORK, idle=0.8),
        Activity(_NFS),
        Activity(_NFSD, idle=0.9),
        _SOCKETS,
        Activity(
            "irec/s fwddgm/s idel/s orq/s asmrq/s asmok/s fragok/s fragcrt/s"
        ),
        Activity("ihdrerr/s iadrerr/s iukwnpr/s idisc/s odisc/s onort/s asmf/s fragf/s"),
        Activity(
            "imsg/s omsg/s iech/s iechr/s oech/s oechr/s itm/s itmr/s otm/s otmr/s iadrmk/s"
            " iadrmkr/s oadrmk/s oadrmkr/s", idle=0.9,
        ),
        Activity(
            "ierr/s oerr/s idstunr/s odstunr/s itmex/s otmex/s iparmpb/s oparmpb/s isrcq/s osrcq/s"
            " iredir/s oredir/s", idle=0.9,
        ),
        Activity("active/s passive/s iseg/s oseg/s"),
        Activity("atmptf/s estres/s retrans/s isegerr/s orsts/s"),
        Activity("idgm/s odgm/s noport/s idgmerr/s"),
        Activity("tcp6sck udp6sck raw6sck ip6-frag"),
        Activity(
            "irec6/s fwddgm6/s idel6/s orq6/s asmrq6/s asmok6/s imcpck6/s omcpck6/s fragok6/s"
            " fragcr6/s"
        ),
        Activity(
            "ihdrer6/s iadrer6/s iukwnp6/s i2big6/s idisc6/s odisc6/s inort6/s onort6/s asmf6/s"
            " fragf6/s itrpck6/s", idle=0.9,
        ),
        Activity(
            "imsg6/s omsg6/s iech6/s iechr6/s oechr6/s igmbq6/s igmbr6/s ogmbr6/s igmbrd6/s"
            " ogmbrd6/s irtsol6/s ortsol6/s irtad6/s inbsol6/s onbsol6/s inbad6/s onbad6/s",
            idle=0.9,
        ),
        Activity(
            "ierr6/s idtunr6/s odtunr6/s itmex6/s otmex6/s iprmpb6/s oprmpb6/s iredir6/s oredir6/s"
            " ipck2b6/s opck2b6/s", idle=0.9,
        ),
        Activity("idgm6/s odgm6/s noport6/s idgmer6/s"),
        Activity("CPU total/s dropd/s squeezd/s rx_rps/s flw_lim/s blg_len", _CPU, 11),
        Activity("CPU MHz", _CPU, 11, idle=0),
        Activity(
            "MBfsfree MBfsused %fsused %ufsused Ifree Iused %Iused FILESYSTEM", _FILE_SYSTEMS,
            idle=0, item_last=True,
        ),
        _pressure("scpu"),
        _pressure("sio", "fio"),
        _pressure("smem", "fmem"),
    ),
)  # fmt: skip
