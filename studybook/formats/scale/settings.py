"""Settings of Spectrum Scale: their sizes, and ``mmlsconfig``."""

from __future__ import annotations

import re
from typing import Any

from studybook.formats.captures.section import Line, Section, Start
from studybook.formats.captures.values import whole
from studybook.formats.names import words

_SIZE = re.compile(r"([0-9]{1,12})([kmgtp])(?:i?b)?", re.IGNORECASE)

#: Settings that are sizes in bytes even when printed without a unit.
SIZES = frozenset(
    words("""
        pagepool maxblocksize maxBlockSize scatterBufferSize nsdInlineWriteMax tokenMemLimit
        seqDiscardThreshold seqDiscardThreshhold writebehindThreshold writebehindThreshhold
        sharedMemLimit prefetchLargeBlockThreshold ignorePrefetchLUNCountThreshold logBufferSize
    """)
)

#: Settings that count something, so that 4M is four million and not four mebibytes.
_COUNT = re.compile(r".*(?:Threads|ToCache|StatCache|Inodes|Count|Queues?)")


def size_bytes(attribute: str, value: str | None) -> int | None:
    """The bytes of a setting that is a size: units are powers of 1024.

    Parameters
    ----------
    attribute : str
        Name of the setting; a number without unit is bytes only for those in :data:`SIZES`,
        and what counts threads or files has no bytes.
    value : str or None
        The value as printed, such as ``3500m``.
    """
    if value is None or _COUNT.fullmatch(attribute):
        return None
    if sized := _SIZE.fullmatch(value):
        number = int(sized[1]) << 10 * ("kmgtp".index(sized[2].lower()) + 1)
        return whole(str(number), "BIGINT")
    return whole(value, "BIGINT") if attribute in SIZES else None


def keep_setting(section: Section, line: Line, name: str, value: str | None, **more: Any) -> None:
    """Record a setting, with its bytes where it is a size, and say so where that is damaged."""
    size = size_bytes(name, value)
    section.out.record(
        "scale_config", line=line.number, attribute=name, value=value, value_bytes=size, **more
    )
    # As 4O96M, with a letter in the place of the zero.
    if size is None and name in SIZES and value and re.search("[0-9]", value) and "%" not in value:
        section.say(line.number, f"{name}: {value!r} is no size: no bytes are known of it")


_KNOWN = """
    clusterName clusterId autoload minReleaseLevel dmapiFileHandleSize ccrEnabled cipherList
    tiebreakerDisks adminMode maxMBpS pagepoolMaxPhysMemPct nsdbufspace nsdBufSpace workerThreads
    worker1Threads worker3Threads scatterBuffers verbsRdma verbsRdmaSend verbsPorts verbsRdmaCm
    nsdMultiQueue nsdMultiQueueType nsdMaxWorkerThreads nsdMinWorkerThreads nsdThreadsPerQueue
    nsdThreadsPerDisk nsdSmallThreadRatio maxFilesToCache maxStatCache maxReceiverThreads
    prefetchThreads prefetchPct prefetchAggressiveness prefetchTimeout logWrapThreads tscWorkerPool
    maxFileCleaners maxBackgroundDeletionThreads maxInodeDeallocPrefetch statCacheDirPct
    maxAllocRegionsPerNode nfsPrefetchStrategy numaMemoryInterleave ignorePrefetchLUNCount
    tscCmdAllowRemoteConnections sdrNotifyAuthEnabled enforceFilesetQuotaOnRoot cesSharedRoot
    socketMaxListenConnections syncSambaMetadataOps minQuorumNodes unmountOnDiskFail
    failureDetectionTime maxBufferDescs maxGeneralThreads socketRcvBufferSize socketSndBufferSize
    nsdRAIDTracks nsdClientCksumTypeLocal readReplicaPolicy afmHashVersion flushedDataTarget
    flushedInodeTarget mmapRangeLock tokenMemLimit traceRecycle tracedevTimeFormat
    verbsRdmasPerConnection verbsRdmasPerNode verbsRdmaMinBytes leaseRecoveryWait systemLogLevel
    envVar usePersistentReserve useNSDserver disableInodeUpdateOnFdatasync
"""
#: Settings by which an output without its title is known; none of them is a word of English.
KNOWN = SIZES | frozenset(_KNOWN.split())

_ATTRIBUTE = re.compile(r"[a-z][A-Za-z0-9_-]{1,60}")
_SCOPE = re.compile(r"\[([^\[\]]{1,20000})\](?:\s+(.+))?")
#: What people write behind a value to explain it. mmlsconfig itself prints nothing there but nodes.
_REMARK_BEHIND = re.compile(r"(.*?\S)\s+((?:#|//|<[-=]|←|\().*)")
_SCOPE_BEHIND = re.compile(r"(.*\S)\s\[([^\[\]]+)\]")


def looks_like_setting(text: str) -> bool:
    """Whether a line is a known setting and a value of one word, as titleless outputs begin."""
    name, *value = text.split()
    return name in KNOWN and (len(value) == 1 or (len(value) == 2 and value[1].startswith("[")))


class Config(Section):
    """``mmlsconfig``: ``name value`` lines, between lines that say for which nodes."""

    takes_any = True
    scope = "common"
    apart = False

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Below the title a rule is due."""
        super().begin(line, match)
        self.ruled = False

    def _take(self, line: Line) -> bool | None:
        if self.is_rule(line):
            return False
        text = line.text.strip()
        scope = _SCOPE.fullmatch(text)
        if not scope:
            return self._setting(line, text, self.scope)
        self.apart = False
        if scope[2] and not self._setting(line, scope[2], scope[1].strip()):
            return None
        self.scope = scope[1].strip()
        if not scope[2]:
            return False
        self.mend(line.number, "section and setting stand on one line (transcribed)")
        return True

    def _setting(self, line: Line, text: str, scope: str) -> bool | None:
        name, *rest = text.split(None, 1)
        value = rest[0].strip() if rest else None
        apart = self.apart and not looks_like_setting(text)
        if apart or not _ATTRIBUTE.fullmatch(name) or not (value or name in KNOWN):
            return None
        remark = _REMARK_BEHIND.fullmatch(value) if value else None
        if remark:
            value = remark[1]
            self.say(line.number, f"{name}: {remark[2]!r} behind the value is taken for a remark")
        if value and value.endswith("]") and (behind := _SCOPE_BEHIND.fullmatch(value)):
            value, scope = behind[1], behind[2]
        keep_setting(self, line, name, value, command="mmlsconfig", scope=scope)
        self.needs_rule(line)
        self.apart = False
        return True

    def blank(self) -> bool:
        """After a blank line only a known setting or a section shows that it goes on."""
        self.apart = True
        return True


class FileSystems(Section):
    """``mmlsconfig``: the list of file systems at the end."""

    ruled = False

    def _take(self, line: Line) -> bool | None:
        if self.is_rule(line):
            return False
        device = line.squeezed
        if device != "(none)" and (len(line.words) != 1 or not device.startswith("/dev/")):
            return None
        self.needs_rule(line)
        if device == "(none)":
            return False
        texts = {"device": device, "file_system": device.removeprefix("/dev/")}
        self.row("scale_device", line.number, {"cluster_name": self.title[1], **texts})
        return True


STARTS = (
    Start(r"Configuration data for cluster (\S+):", Config),
    Start(r"File systems in cluster (\S+):", FileSystems),
)
