"""``mmlsconfig``: the settings of a cluster, of some of its nodes, or one setting."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Command, Line, Section, Start
from studybook.formats.contract import Reading
from studybook.formats.scale.values import SIZES, keep_setting

_KNOWN = """
    clusterName clusterId autoload minReleaseLevel dmapiFileHandleSize ccrEnabled cipherList
    tiebreakerDisks adminMode maxMBpS pagepoolMaxPhysMemPct nsdbufspace nsdBufSpace
    workerThreads worker1Threads worker3Threads scatterBuffers verbsRdma verbsRdmaSend
    verbsPorts verbsRdmaCm nsdMultiQueue nsdMultiQueueType nsdMaxWorkerThreads
    nsdMinWorkerThreads nsdThreadsPerQueue nsdThreadsPerDisk nsdSmallThreadRatio
    maxFilesToCache maxStatCache maxReceiverThreads prefetchThreads prefetchPct
    prefetchAggressiveness prefetchTimeout logWrapThreads tscWorkerPool maxFileCleaners
    maxBackgroundDeletionThreads maxInodeDeallocPrefetch statCacheDirPct
    maxAllocRegionsPerNode nfsPrefetchStrategy numaMemoryInterleave ignorePrefetchLUNCount
    tscCmdAllowRemoteConnections sdrNotifyAuthEnabled enforceFilesetQuotaOnRoot
    cesSharedRoot socketMaxListenConnections syncSambaMetadataOps minQuorumNodes
    unmountOnDiskFail failureDetectionTime maxBufferDescs maxGeneralThreads
    socketRcvBufferSize socketSndBufferSize nsdRAIDTracks nsdClientCksumTypeLocal
    readReplicaPolicy afmHashVersion flushedDataTarget flushedInodeTarget mmapRangeLock
    tokenMemLimit traceRecycle tracedevTimeFormat verbsRdmasPerConnection
    verbsRdmasPerNode verbsRdmaMinBytes leaseRecoveryWait systemLogLevel
    envVar usePersistentReserve useNSDserver disableInodeUpdateOnFdatasync
"""
#: Settings by which an output without its title is known; none of them is a word of English.
KNOWN = SIZES | frozenset(_KNOWN.split())

_ATTRIBUTE = re.compile(r"[a-z][A-Za-z0-9_-]{1,60}")
_SCOPE = re.compile(r"\[([^\[\]]{1,20000})\](?:\s+(.+))?")
_SCOPE_BEHIND = re.compile(r"(.*\S)\s\[([^\[\]]+)\]")


def looks_like_setting(text: str) -> bool:
    """Whether a line is a known setting and a value of one word, as titleless outputs begin."""
    name, *value = text.split()
    return name in KNOWN and (len(value) == 1 or (len(value) == 2 and value[1].startswith("[")))


class Config(Section):
    """``name value`` lines, between lines that say for which nodes."""

    takes_any = True

    def __init__(self, out: Reading, command: Command) -> None:
        super().__init__(out, command)
        self.scope = "common"
        self.apart = False

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Below the title a rule is due."""
        super().begin(line, match)
        self.ruled = False

    def take(self, line: Line) -> bool:
        """Account for a setting or the line that names its nodes."""
        if self.rule(line):
            return True
        text = line.text.strip()
        if scope := _SCOPE.fullmatch(text):
            self.apart = False
            if scope[2] is None:
                self.scope = scope[1].strip()
                self.out.heading()
                return True
            if not self._setting(line, scope[2], scope[1].strip()):
                return False
            self.scope = scope[1].strip()
            self.mend(line.number, "section and setting stand on one line (transcribed)")
            return True
        return self._setting(line, text, self.scope)

    def _setting(self, line: Line, text: str, scope: str) -> bool:
        name, *rest = text.split(None, 1)
        value = rest[0].strip() if rest else None
        apart = self.apart and not looks_like_setting(text)
        if apart or not _ATTRIBUTE.fullmatch(name) or not (value or name in KNOWN):
            return False
        if value and value.endswith("]") and (behind := _SCOPE_BEHIND.fullmatch(value)):
            value, scope = behind[1], behind[2]
        keep_setting(self, line, name, value, command="mmlsconfig", scope=scope)
        self.out.used()
        self.needs_rule(line)
        self.apart = False
        return True

    def blank(self) -> bool:
        """After a blank line only a known setting or a section shows that it goes on."""
        self.apart = True
        return True


class FileSystems(Section):
    """The list of file systems at the end."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the cluster; a rule is due."""
        super().begin(line, match)
        self.cluster = match[1]
        self.ruled = False

    def take(self, line: Line) -> bool:
        """Account for a device of the list."""
        if self.rule(line):
            return True
        if line.squeezed == "(none)":
            self.needs_rule(line)
            self.out.heading()
            return True
        if len(line.words) != 1 or not line.words[0].startswith("/dev/"):
            return False
        device = line.words[0]
        texts = {
            "cluster_name": self.cluster,
            "device": device,
            "file_system": device.removeprefix("/dev/"),
        }
        self.needs_rule(line)
        self.row("scale_device", line.number, texts)
        self.out.used()
        return True


STARTS = (
    Start(re.compile(r"Configuration data for cluster (\S+):"), Config),
    Start(re.compile(r"File systems in cluster (\S+):"), FileSystems),
)
