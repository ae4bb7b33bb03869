"""Serving a built book to browsers: its files, and nothing else of the machine."""

from __future__ import annotations

import gzip
import hashlib
import io
import ipaddress
import json
import re
import socket
from base64 import b64encode
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition
from typing import Any
from urllib.parse import urlsplit

#: Pages get all that they need from where they come from. The compiler of expressions is Vega's.
_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-eval'{scripts}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}

#: What the theme has in its pages: scripts, which stand in that of the search, too, where no text
#: of a book does but in the list of its pages; what its buttons call; and the name of the page.
_INLINE = re.compile(rb"<script(?![^>]*\b(?:src|type)=)[^>]*>(.*?)</script>", re.DOTALL)
_WITHOUT_TEXT, _LIST = "search.html", (b"<nav", b"</nav>")
_BUTTONS = ("toggleFullScreen()", "window.print()")
_NAME = "DOCUMENTATION_OPTIONS.pagename = '{}';"

#: Addresses of no files: the script that listens, and what it listens to.
_SCRIPT, _CHANGES = "/-/reload.js", "/-/changes"

#: Seconds after which a page without news is written to, to learn whether it is still there.
_BEAT_S = 15.0

#: Files that shrink.
_TEXTS = frozenset((".css", ".csv", ".html", ".js", ".json", ".svg", ".txt"))


class Handler(SimpleHTTPRequestHandler):
    """Answers requests for files of the book.

    A page of another site may have its own name lead to this machine, and would then read the book
    in its reader's name: who asks must do so by the machine's address or name. No folder is listed,
    and no link followed that leads out of the book. Of scripts within a page those of the theme
    run, and no other that came into it with a text.
    """

    scripts = ""

    def parse_request(self) -> bool:
        """Refuse who asks by another name."""
        if not super().parse_request():
            return False
        if _is_ours(self.headers.get("Host", "")):
            return True
        self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "the book is not served by that name")
        return False

    def send_head(self) -> Any:  # its type is private to the base
        """Refuse what lies elsewhere; texts are sent by this, all else as the base does."""
        path, book = Path(self.translate_path(self.path)), Path(self.directory).resolve()
        if path.is_dir() and urlsplit(self.path).path.endswith("/"):
            path /= "index.html"
        path = path.resolve()
        if not path.is_relative_to(book):
            self.send_error(HTTPStatus.NOT_FOUND, "there is no such page")
            return None
        self.scripts = _own_scripts(book, path) if path.suffix == ".html" else ""
        if path.suffix in _TEXTS:
            try:
                return self.send_text(self.guess_type(str(path)), self.content(path))
            except OSError:  # of which the base says that it is not there
                pass
        return super().send_head()

    def content(self, path: Path) -> bytes:
        """What a file holds."""
        return path.read_bytes()

    def send_text(self, kind: str, text: bytes) -> io.BytesIO:
        """Send the headers of a text: as gzip, where that is understood, in a quarter of the bytes.

        Parameters
        ----------
        kind : str
            What it is.
        text : bytes
            The text.

        Returns
        -------
        io.BytesIO
            What is to be sent after them.
        """
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            text = gzip.compress(text, compresslevel=6, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Vary", "Accept-Encoding")
        self.end_headers()
        return io.BytesIO(text)

    def list_directory(self, path: object) -> None:
        """List nothing."""
        self.send_error(HTTPStatus.NOT_FOUND, "there is no such page")

    def end_headers(self) -> None:
        """Send the headers that bind the browser, too."""
        self.send_header("Content-Security-Policy", _POLICY.format(scripts=self.scripts))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()


def _own_scripts(book: Path, page: Path) -> str:
    """What the policy of a page has of the theme's scripts: the hash of each."""
    scripts = [text.encode() for text in _BUTTONS]
    with suppress(OSError):
        text = (book / _WITHOUT_TEXT).read_bytes()
        for part in (text.partition(_LIST[0])[0], text.rpartition(_LIST[1])[2]):
            scripts += _INLINE.findall(part)
    scripts.append(_NAME.format(page.relative_to(book).with_suffix("").as_posix()).encode())
    hashes = (b64encode(hashlib.sha256(each).digest()).decode() for each in scripts)
    return "".join((" 'unsafe-hashes'", *(f" 'sha256-{each}'" for each in hashes)))


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


class News:
    """What open pages are told: which edition of the book there is, and what is wrong."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        self._fault = ""
        self._told = Condition()

    def tell(self, edition: str, fault: str = "") -> None:
        """Tell all pages.

        Parameters
        ----------
        edition : str
            Differs from the one before if the pages may.
        fault : str
            What went wrong, for people; empty if nothing did.
        """
        with self._told:
            self.edition, self._fault = edition, fault
            self._told.notify_all()

    def after(self, text: str) -> str:
        """What there is to tell; the text itself, if for some seconds there is nothing else."""
        with self._told:
            self._told.wait_for(lambda: self._text() != text, _BEAT_S)
            return self._text()

    def _text(self) -> str:
        return json.dumps({"edition": self.edition, "fault": self._fault})


class _Quiet(Handler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Write no log."""


class _Live(_Quiet):
    """Adds to each page a script that listens to news; the files stay as they are."""

    def __init__(self, *arguments: Any, news: News, **named: Any) -> None:
        self.news = news
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:
        """Answer for what is no file, too."""
        if self.path == _CHANGES:
            self._tell_changes()
        elif self.path == _SCRIPT:
            text = Path(__file__).with_name("reload.js").read_bytes()
            self.wfile.write(self.send_text("text/javascript", text).getvalue())
        else:
            super().do_GET()

    def content(self, path: Path) -> bytes:
        """What a file holds, with the script if it is a page."""
        # Before the page is read: if another takes its place now, it is loaded once more.
        added = f'<script src="{_SCRIPT}" data-edition="{self.news.edition}"></script>\n'
        return super().content(path) + (added.encode() if path.suffix == ".html" else b"")

    def end_headers(self) -> None:
        """Have the browser ask each time."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def _tell_changes(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        said = ""
        with suppress(ConnectionError):  # the page was left
            while True:
                text = self.news.after(said)
                self.wfile.write(f"data: {text}\n\n".encode() if text != said else b":\n\n")
                said = text


def server_of(
    folder: Path, host: str, port: int, *, quiet: bool = False, news: News | None = None
) -> ThreadingHTTPServer:
    """Make a server of the files of a folder, which does not answer yet.

    Parameters
    ----------
    folder : pathlib.Path
        The files.
    host, port : str, int
        Where it listens.
    quiet : bool
        Whether it keeps no log.
    news : News, optional
        What pages are told while they are open; it keeps no log then.

    Raises
    ------
    OSError
        If it cannot listen there.
    """
    kind = partial(_Live, news=news) if news else _Quiet if quiet else Handler
    return ThreadingHTTPServer((host, port), partial(kind, directory=str(folder)))
