"""File systems of Spectrum Scale: ``mmlsfs``, ``mmlsfileset`` and ``mmlsmount``."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection
from studybook.formats.names import pairs
from studybook.formats.scale.nodes import MASKED

#: Flag to the names that -Y prints; a flag with several lines has one name for each.
_NAMES = pairs("""
    -f=minFragmentSize -i=inodeSize -I=indirectBlockSize -m=defaultMetadataReplicas
    -M=maxMetadataReplicas -r=defaultDataReplicas -R=maxDataReplicas -j=blockAllocationType
    -D=fileLockingSemantics -k=ACLSemantics -n=numNodes -B=blockSize
    -Q=quotasAccountingEnabled,quotasEnforced,defaultQuotasEnabled
    --perfileset-quota=perfilesetQuotas --filesetdf=filesetdfEnabled
    -V=filesystemVersion,filesystemVersionOriginal --create-time=create-time -z=DMAPIEnabled
    -L=logfileSize -E=exactMtime -S=suppressAtime -K=strictReplication --fastea=fastEAenabled
    --encryption=encryption --inode-limit=maxNumberOfInodes --log-replicas=logReplicas
    --is4KAligned=is4KAligned --rapid-repair=rapidRepairEnabled
    --write-cache-threshold=write-cache-threshold --subblocks-per-full-block=subblocksPerFullBlock
    -P=storagePools --file-audit-log=file-audit-log --maintenance-mode=maintenance-mode -d=disks
    -A=automaticMountOption -o=additionalMountOptions -T=defaultMountPoint
""")
_HEADING = "flag value description"
_MISSPELT = {"--perfilesset-quota": "--perfileset-quota"}
_FLAG = re.compile(r"-[A-Za-z]|--[A-Za-z0-9][\w-]{1,40}")
#: Where the description begins, and how far a row without a flag is indented at least.
_DESCRIPTION = 45
_INDENT = 10


def split_value(text: str) -> tuple[str, str]:
    """Value and description in a row whose flag was replaced by blanks, so that columns stay."""
    if text[_DESCRIPTION - 1 : _DESCRIPTION] == " " and text[_DESCRIPTION : _DESCRIPTION + 1] > " ":
        value = text[:_DESCRIPTION].strip()
        if value:
            return value, text[_DESCRIPTION:].strip()
    # A long value pushes the description to the right, behind two blanks.
    value, _, description = text.strip().partition("  ")
    if description or " " not in value:
        return value, description.strip()
    # A transcription with single blanks: the value is one word, and maybe one in parentheses.
    first, _, rest = value.partition(" ")
    if rest.startswith("(") and ")" in rest:
        inner, _, rest = rest.partition(")")
        first = f"{first} {inner})"
    return first, rest.strip()


class Attributes(TableSection):
    """``mmlsfs``: ``flag  value  description``; a line without a flag goes on with that above."""

    flag = ""
    nth = 0

    def expects(self, line: Line) -> bool:
        """The heading of the columns follows the title."""
        return not self.rows and line.squeezed == _HEADING

    def _take(self, line: Line) -> bool | None:
        if self.expects(line):
            self.needs_rule(line)
            self.ruled = False
            return False
        return super()._take(line)

    def _row(self, line: Line) -> bool:
        row = self._with_tabs(line) if "\t" in line.text.strip() else self._in_columns(line)
        if row is None:
            return False
        flag, value, description = row
        if flag in _MISSPELT:
            self.mend(line.number, f"{flag} is {_MISSPELT[flag]} (transcribed)")
            flag = _MISSPELT[flag]
        # The list behind -d may be printed as several lines with the flag on each.
        self.flag, self.nth = (flag, 0) if flag else (self.flag, self.nth + 1)
        names = _NAMES[self.flag].split(",") if self.flag in _NAMES else None
        # Without a title the command may name the file system.
        title = self.title[1] if self.title.re.groups else ""
        cluster, _, device = title.rpartition(":")
        texts = {
            "file_system": device.removeprefix("/dev/") or self.command.device_of("mmlsfs"),
            "owning_cluster": cluster, "flag": self.flag,
            "name": names[min(self.nth, len(names) - 1)] if names else None, "value": value,
            "description": description,
        }  # fmt: skip
        self.row("scale_filesystem", line.number, texts)
        return True

    def _with_tabs(self, line: Line) -> tuple[str, str, str] | None:
        cells = [cell.strip() for cell in line.text.split("\t")]
        flag, value, *rest = cells
        if not flag and self.flag:
            self.mend(line.number, "rows that go on with a flag begin with a TAB (transcribed)")
        if (flag and not _FLAG.fullmatch(flag)) or not (flag or self.flag):
            return None
        return flag, value, " ".join(rest).strip()

    def _in_columns(self, line: Line) -> tuple[str, str, str] | None:
        flag = line.words[0]
        indent = len(line.text) - len(line.text.lstrip())
        if not _FLAG.fullmatch(flag):
            if not self.flag or indent < _INDENT:
                return None
            return "", *split_value(line.text)
        if len(line.words) < 2:
            # Such as -d of a file system whose disks are not known.
            return flag, "", ""
        if indent == 0:
            self.mend(line.number, "flags have lost their leading blank (transcribed)")
        # Columns count from a flag that is indented by one blank.
        text = " " * (1 + len(flag)) + line.text[indent + len(flag) :]
        return flag, *split_value(text)


_PATHS = "Name Status Path"
_INODES = "Name Id RootInode ParentId Created InodeSpace MaxInodes AllocInodes Comment"
_FILESET = {
    _PATHS: re.compile(
        r"(?P<fileset>\S+) (?P<status>(?i:Linked|Unlinked|Deleted)\S*) (?P<path>\S.*)"
    ),
    _INODES: re.compile(
        r"(?P<fileset>\S{1,255}) (?P<fileset_id>[0-9]{1,9}) (?P<root_inode>[0-9]{1,19})"
        r" (?P<parent_id>[0-9]{1,9}|--)"
        r" (?P<created>[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{1,2} [0-9:]{8} [0-9]{4})"
        r" (?P<inode_space>[0-9]{1,9}) (?P<max_inodes>[0-9]{1,19})"
        r" (?P<allocated_inodes>[0-9]{1,19})(?: (?P<comment>.{1,400}))?"
    ),
}


class Filesets(TableSection):
    """``mmlsfileset``: a heading without a rule, and a row for each fileset."""

    ruled = True
    headings = re.compile(f"{_PATHS}|{_INODES}")
    heading = ""

    def _take(self, line: Line) -> bool | None:
        if line.squeezed in _FILESET:
            self.heading = line.squeezed
        return super()._take(line)

    def _row(self, line: Line) -> bool:
        found = _FILESET[self.heading].fullmatch(line.squeezed) if self.heading else None
        if not found:
            return False
        texts = {"file_system": self.title[1], **found.groupdict()}
        if "path" in texts:
            texts["path"] = line.text.split(None, 2)[2].strip()  # maybe with several blanks
        # Two dashes stand for no parent and for no path.
        for column in {"path", "parent_id"} & texts.keys():
            texts[column] = None if texts[column] == "--" else texts[column]
        self.row("scale_fileset", line.number, texts)
        return True


_ADDRESS = re.compile(r"[0-9a-fA-Fx]{1,4}(?:[.:][0-9a-fA-Fx]{0,4}){2,7}")


class Mounts(TableSection):
    """``mmlsmount``: the sentence about a file system, and with -L the nodes below it."""

    ruled = True

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the sentence."""
        self.title, self.line = match, line.number
        cluster, _, real = (match["real"] or "").rpartition(":")
        self.file_system = {
            "file_system": match["name"], "real_file_system": real, "owning_cluster": cluster,
            "node_count": match["count"] or "0",
        }  # fmt: skip
        self.mounted = match["count"] is not None
        self.listed = match["end"] == ":"
        self.out.used()

    def _take(self, line: Line) -> bool | None:
        return super()._take(line) if self.listed else None

    def _row(self, line: Line) -> bool:
        address, *rest = line.words
        if not rest or not _ADDRESS.fullmatch(address):
            return False
        # Newer releases print the cluster of a node, too.
        texts = self.file_system | {
            "ip_address": address, "node": rest[0], "cluster": rest[1] if len(rest) > 1 else None,
            "mode": " ".join(rest[2:]),
        }  # fmt: skip
        self.row("scale_mount", line.number, texts, mounted=self.mounted)
        if "xxx" in address:
            self.say(line.number, MASKED)
        return True

    def close(self) -> None:
        """Hand over the row of the sentence, if no node was listed."""
        if not self.rows:
            self.row("scale_mount", self.line, self.file_system, mounted=self.mounted)
        count = self.file_system["node_count"]
        if self.listed and count != str(self.rows):
            self.say(
                self.line,
                f"{self.file_system['file_system']}: mounted on {count} nodes,"
                f" but {self.rows} are listed",
            )


STARTS = (
    Start(r"File system attributes for (\S+):", Attributes),
    Start(_HEADING, Attributes),
    Start(r"Filesets in file system '([^']{1,200})':", Filesets),
    Start(
        r"File system (?P<name>\S+)(?: \((?P<real>[^\s()]+)\))? is"
        r" (?:mounted on (?P<count>[0-9]+) nodes?(?P<end>[.:])|not mounted\.)",
        Mounts,
    ),
)
