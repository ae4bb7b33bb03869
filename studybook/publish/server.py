"""Serving a built book to browsers: its files, and nothing else of the machine."""

from __future__ import annotations

import gzip
import io
import ipaddress
import socket
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

#: Pages get all that they need from where they come from. Inline scripts and the compiler of
#: expressions are those of the theme and of Vega.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


#: Files that shrink.
_TEXTS = frozenset((".css", ".csv", ".html", ".js", ".json", ".svg", ".txt"))


class Handler(SimpleHTTPRequestHandler):
    """Answers requests for files of the book.

    A page of another site may have its own name lead to this machine, and would then read the book
    in its reader's name: who asks must do so by the machine's address or name. No folder is listed,
    and no link followed that leads out of the book.
    """

    def send_head(self) -> Any:  # its type is private to the base
        """Refuse who asks by another name, and what lies elsewhere; else, as the base does."""
        if not _is_ours(self.headers.get("Host", "")):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "the book is not served by that name")
            return None
        path, book = Path(self.translate_path(self.path)), Path(self.directory).resolve()
        if not path.resolve().is_relative_to(book):
            self.send_error(HTTPStatus.NOT_FOUND, "there is no such page")
            return None
        if "gzip" in self.headers.get("Accept-Encoding", "") and path.suffix in _TEXTS:
            return self._packed(path)
        return super().send_head()

    def _packed(self, path: Path) -> Any:
        """A text as gzip, which takes a quarter of the bytes."""
        try:
            data = gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)
        except OSError:
            return super().send_head()  # which says that it is not there
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        return io.BytesIO(data)

    def list_directory(self, path: object) -> None:
        """List nothing."""
        self.send_error(HTTPStatus.NOT_FOUND, "there is no such page")

    def end_headers(self) -> None:
        """Send the headers that bind the browser, too."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()


def _is_ours(host: str) -> bool:
    """Whether a request's host is an address, or a name of this machine."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if name in {"localhost", socket.gethostname().lower(), socket.getfqdn().lower()}:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def server_of(folder: Path, host: str, port: int, *, quiet: bool = False) -> ThreadingHTTPServer:
    """Make a server of the files of a folder, which does not answer yet.

    Raises
    ------
    OSError
        If it cannot listen there.
    """
    handler = _Quiet if quiet else Handler
    return ThreadingHTTPServer((host, port), partial(handler, directory=str(folder)))


class _Quiet(Handler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Write no log."""
