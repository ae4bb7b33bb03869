"""The wording of answers without ``-p``."""

from __future__ import annotations

import re

from studybook.formats.names import pairs

HEADING = re.compile(r"mmpmon node (\S+) name (\S+?):? (\S.*)")
VERSION = re.compile(r"version ([0-9]+)\.([0-9]+)\.([0-9]+)")
FAILURE = re.compile(r"failure status (\S+) timestamp ([0-9]+)/([0-9]+)")
NODE_LIST = re.compile(r"nlist (\w+)(?: OK)?")
REQUEST = re.compile(
    r"(\w+)(?: (.+?))?? (?:OK|status (-?[0-9]+))(?: (read|write)(?= timestamp))?"
    r"(?: timestamp ([0-9]+)/([0-9]+))?(?: (.+))?"
)
OPERATION = {"read": "read", "r": "read", "write": "write", "w": "write"}
EXPLANATION = re.compile(
    r"(?:lock is busy|not yet enabled|no file systems mounted|lost quorum|quorum .{1,60}"
    r"|node .{1,60} not .{1,60})"
)
SIZE = re.compile(r"size range ([0-9]+) (?:to ([0-9]+)|and \w+)(?: bytes)?(?: count ([0-9]+))?")
LATENCY = re.compile(
    r"latency range ([0-9.]+) (?:to ([0-9.]+)|and \w+)(?: milliseconds)?(?: count ([0-9]+))?"
)
LABELLED = re.compile(r"([A-Za-z][\w /()-]{0,40}?)(?::\s*|\s{2,})(\S.*)", re.ASCII)
STAMP = re.compile(r"([0-9]+)/([0-9]+)")

#: Labels of an answer to ``fs_io_s`` or ``io_s``, and their columns.
TEXTS = {"cluster": "cluster", "filesystem": "file_system"}
NUMBERS = pairs("""
    disks=disks; bytes read=read_bytes; bytes written=written_bytes; opens=opens; closes=closes;
    reads=reads; writes=writes; readdir=readdirs; inode updates=inode_updates
""")

#: Lines of an answer to ``nlist``.
MEMBER = re.compile(
    r"node name (\S+?),? OK(?: \(name used: (\S+?), IP address (\S+?)\))?", re.ASCII
)
REFUSED_MEMBER = re.compile(r"node name (\S+?),? (?:error )?status ([0-9]{1,9})(?: \(.*\))?")
LISTED = re.compile(r"(?:node |member )?name (\S+?),? IP address (\S+)")
LIST_NUMBERS = {
    "name count": "names",
    "node names processed": "names_processed",
    "current node list count": "nodes_in_list",
}
LIST_LINE = re.compile(
    r"(initial status|final status|timestamp|" + "|".join(LIST_NUMBERS) + r") (\S+)"
)
