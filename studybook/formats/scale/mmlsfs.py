"""``mmlsfs``: the attributes of a file system."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

#: Flag to the names that -Y prints; a flag with several lines has one name for each.
NAMES: dict[str, tuple[str, ...]] = {
    "-f": ("minFragmentSize",),
    "-i": ("inodeSize",),
    "-I": ("indirectBlockSize",),
    "-m": ("defaultMetadataReplicas",),
    "-M": ("maxMetadataReplicas",),
    "-r": ("defaultDataReplicas",),
    "-R": ("maxDataReplicas",),
    "-j": ("blockAllocationType",),
    "-D": ("fileLockingSemantics",),
    "-k": ("ACLSemantics",),
    "-n": ("numNodes",),
    "-B": ("blockSize",),
    "-Q": ("quotasAccountingEnabled", "quotasEnforced", "defaultQuotasEnabled"),
    "--perfileset-quota": ("perfilesetQuotas",),
    "--filesetdf": ("filesetdfEnabled",),
    "-V": ("filesystemVersion", "filesystemVersionOriginal"),
    "--create-time": ("create-time",),
    "-z": ("DMAPIEnabled",),
    "-L": ("logfileSize",),
    "-E": ("exactMtime",),
    "-S": ("suppressAtime",),
    "-K": ("strictReplication",),
    "--fastea": ("fastEAenabled",),
    "--encryption": ("encryption",),
    "--inode-limit": ("maxNumberOfInodes",),
    "--log-replicas": ("logReplicas",),
    "--is4KAligned": ("is4KAligned",),
    "--rapid-repair": ("rapidRepairEnabled",),
    "--write-cache-threshold": ("write-cache-threshold",),
    "--subblocks-per-full-block": ("subblocksPerFullBlock",),
    "-P": ("storagePools",),
    "--file-audit-log": ("file-audit-log",),
    "--maintenance-mode": ("maintenance-mode",),
    "-d": ("disks",),
    "-A": ("automaticMountOption",),
    "-o": ("additionalMountOptions",),
    "-T": ("defaultMountPoint",),
}

_MISSPELT = {"--perfilesset-quota": "--perfileset-quota"}
_FLAG = re.compile(r"-[A-Za-z]|--[A-Za-z0-9][\w-]{1,40}")
#: Where the description begins, and how far a row without a flag is indented at least.
_DESCRIPTION = 45
_INDENT = 10


def split_value(text: str) -> tuple[str, str]:
    """Value and description in a row whose flag has been taken off.

    Parameters
    ----------
    text : str
        The row with blanks in the place of its flag, so that its columns are where they were.
    """
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
    """``flag  value  description``; a line without a flag goes on with the flag above."""

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the file system from the title, or from the command."""
        super().begin(line, match)
        cluster, _, device = match[1].rpartition(":") if match.re.groups else ("", "", "")
        named = self.command.device if self.command.name == "mmlsfs" else None
        self.file_system = device.removeprefix("/dev/") if match.re.groups else named
        self.cluster = cluster or None
        self.flag = ""
        self.nth = 0

    def expects(self, line: Line) -> bool:
        """The heading of the columns follows the title."""
        return not self.rows and line.squeezed == "flag value description"

    def take(self, line: Line) -> bool:
        """Account for a heading, a rule or an attribute."""
        if self.expects(line):
            self.needs_rule(line)
            self.ruled = False
            self.out.heading()
            return True
        return super().take(line)

    def take_row(self, line: Line) -> bool:
        """Account for an attribute."""
        row = self._with_tabs(line) if "\t" in line.text.strip() else self._in_columns(line)
        if row is None:
            return False
        flag, value, description = row
        if flag in _MISSPELT:
            self.mend(line.number, f"{flag} is {_MISSPELT[flag]} (transcribed)")
            flag = _MISSPELT[flag]
        if flag:
            # The list behind -d may be printed as several lines with the flag on each.
            self.nth = 0
            self.flag = flag
        else:
            self.nth += 1
        names = NAMES.get(self.flag)
        texts = {
            "file_system": self.file_system, "owning_cluster": self.cluster, "flag": self.flag,
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


STARTS = (
    Start(re.compile(r"File system attributes for (\S+):"), Attributes),
    Start(re.compile("flag value description"), Attributes),
)
