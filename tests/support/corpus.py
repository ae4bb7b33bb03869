"""The list of sample files that cannot be committed: ``tests/corpus.yml``, written by this.

Run as ``python -m tests.support.corpus``. What stands in the list already keeps its origin.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

import yaml

from studybook.checked_yaml import SAFE_LOADER
from tests.conftest import CORPUS, samples_folder

HEADING = """\
# Sample files that the tests marked "corpus" read, and that cannot be committed: they are others',
# or large. Each has its origin and the sha256 of its content. To run these tests, put the files in
# a folder, by these names, and name it: STUDYBOOK_SAMPLES=FOLDER make test
# Written by: python -m tests.support.corpus
"""

#: A row of a table of origins: the file, repository @ commit, path there.
_TABLE = re.compile(r"^\| *`?([^|`]+?)`? *\| *([^|]+?) *\| *([^|]*?) *\|")
