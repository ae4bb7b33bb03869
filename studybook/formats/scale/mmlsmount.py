"""``mmlsmount``: which nodes have mounted a file system."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

_ADDRESS = re.compile(r"[0-9a-fA-Fx]{1,4}(?:[.:][0-9a-fA-Fx]{0,4}){2,7}")


class Mounts(TableSection):
    """The sentence about a file system, and with -L the nodes below it."""

    has_rule = False

    def begin(self, line: Line, match: re.Match[str]) -> None:
        """Take the sentence."""
        self.title, count = line, match["count"]
        cluster, _, real = (match["real"] or "").rpartition(":")
        self.file_system = {
            "file_system": match["name"], "real_file_system": real, "owning_cluster": cluster,
            "node_count": count or "0",
        }  # fmt: skip
        self.mounted = count is not None
        self.listed = match["end"] == ":"
        self.out.used()

    def take(self, line: Line) -> bool:
        """Account for a node; only -L lists them."""
        return self.listed and super().take(line)

    def take_row(self, line: Line) -> bool:
        """Account for a node: address, name, and in newer releases its cluster."""
        address, *rest = line.words
        if not rest or not _ADDRESS.fullmatch(address):
            return False
        texts = self.file_system | {
            "ip_address": address, "node": rest[0], "cluster": rest[1] if len(rest) > 1 else None,
            "mode": " ".join(rest[2:]),
        }  # fmt: skip
        self.row("scale_mount", line.number, texts, mounted=self.mounted)
        if "xxx" in address:
            self.say(line.number, "some values are masked in the capture; they are kept as printed")
        return True

    def close(self) -> None:
        """Hand over the row of the sentence, if no node was listed."""
        if not self.rows:
            self.row("scale_mount", self.title.number, self.file_system, mounted=self.mounted)
        count = self.file_system["node_count"]
        if self.listed and count != str(self.rows):
            self.say(
                self.title.number,
                f"{self.file_system['file_system']}: mounted on {count} nodes,"
                f" but {self.rows} are listed",
            )


STARTS = (
    Start(
        re.compile(
            r"File system (?P<name>\S+)(?: \((?P<real>[^\s()]+)\))? is"
            r" (?:mounted on (?P<count>[0-9]+) nodes?(?P<end>[.:])|not mounted\.)"
        ),
        Mounts,
    ),
)
