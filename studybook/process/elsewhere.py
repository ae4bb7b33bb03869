"""Places on any file system that fsspec knows, by their URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from studybook.errors import StudyBookError

#: How a URL begins, and that it names something.
_URL = re.compile(r"\w+://.")

#: Who asks, and by which password, which may have an oblique stroke in it; behind a host there is
#: a port.
_USER = re.compile(r"\w+://((?:[^/@:]*:(?!\d+(?:/|$)).*|[^/]*)@)")

#: What allows to read for a while stands behind the path.
_SIGNED = re.compile(r"https?://[^?#]*([?#].*)")

#: A shorter password is a word of any message.
_FEWEST = 4


def is_url(text: str) -> bool:
    """Whether a text is a URL and no path."""
    return bool(_URL.match(text))


class Elsewhere:
    """A place that is reached by a library for its file system.

    Parameters
    ----------
    address : str
        Its URL: ``s3://bucket/prefix``, ``https://host/file``, ``file:///mnt/all``.
    install : str
        How to install what reads it, where that is missing.

    Raises
    ------
    StudyBookError
        If no such file system is known, or what reads it is not installed.
    """

    def __init__(self, address: str, install: str) -> None:
        user, signed = _USER.match(address), _SIGNED.match(address)
        secrets = [found[1] for found in (user, signed) if found]
        password = user[1].removesuffix("@").partition(":")[2] if user else ""
        secrets += [each for each in (password, unquote(password)) if len(each) >= _FEWEST]
        self._secrets = secrets
        self.address = address
        #: As it is told to people: without what only its owner knows.
        self.name = self._told(address)
        try:
            if not is_url(address):
                raise ValueError("is no URL of a folder")
            from fsspec.core import url_to_fs

            # Others write there, too: what was listed before says nothing.
            self.files, root = url_to_fs(address, use_listings_cache=False)
        except ImportError as error:
            raise self.fault(str(error), install) from error
        except Exception as error:  # of whichever library it is
            raise self.fault(
                str(error), "name a place such as s3://bucket/prefix or file:///mnt/all"
            ) from error
        self.root = str(root).rstrip("/")

    @contextmanager
    def saying(self, what: str, do: str) -> Iterator[None]:
        """Say what failed, of whichever library the error is."""
        try:
            yield
        except Exception as error:
            raise self.fault(f"{what}: {error}", do) from error

    def fault(self, what: str, do: str) -> StudyBookError:
        """What is wrong with this place, and what to do."""
        return StudyBookError(f"{self.name}: {self._told(what)}\n  → {do}")

    def _told(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "")
        return text
