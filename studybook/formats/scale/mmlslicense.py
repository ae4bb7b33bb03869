"""``mmlslicense -L``: the licence of each node. Its summary is read as that of mmgetstate is."""

from __future__ import annotations

import re

from studybook.formats.captures.section import Line, Start, TableSection

_KIND = re.compile(r"server|client|fpo|none", re.IGNORECASE)


class Licenses(TableSection):
    """Node, the licence it needs and the one it has."""

    def take_row(self, line: Line) -> bool:
        """Account for a node."""
        words = line.words
        if len(words) == 4 and words[3] == "*":
            words = words[:3]  # marks a node that lacks the licence it needs: the two say so
        if len(words) != 3 or not all(map(_KIND.fullmatch, words[1:])):
            return False
        texts = {"node": words[0], "required": words[1], "designated": words[2]}
        self.row("scale_license", line.number, texts)
        return True


STARTS = (Start(re.compile("Node name Required license Designated license"), Licenses),)
