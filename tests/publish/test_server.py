"""The server of a book: its files to those who ask by the machine's name, and nothing else."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest

from tests.support.browser import chromium, served


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return host and port of a served folder with a page, a folder, and links."""
    folder = tmp_path_factory.mktemp("served")
    book = folder / "html"
    (book / "data").mkdir(parents=True)
    (book / "index.html").write_text("<h1>The book</h1>", encoding="utf-8")
    (book / "data/rows.csv").write_text("a\n1\n", encoding="utf-8")
    (folder / "secret.txt").write_text("not for readers", encoding="utf-8")
    (book / "out.txt").symlink_to(folder / "secret.txt")
    (book / "outside").symlink_to(folder)
    (book / "same.csv").symlink_to(book / "data/rows.csv")
    with served(book) as found:
        yield found.removeprefix("http://")


def ask(address: str, path: str, host: str = "") -> tuple[HTTPResponse, str]:
    connection = HTTPConnection(address)
    connection.request("GET", path, headers={"Host": host or address})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


@pytest.mark.parametrize("path", ["/", "/index.html", "/data/rows.csv", "/same.csv"])
def test_files_of_the_book_are_served(address: str, path: str) -> None:
    answer, text = ask(address, path)
    assert answer.status == 200
    assert text in {"<h1>The book</h1>", "a\n1\n"}
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_of_scripts_within_a_page_those_of_the_theme_run(tmp_path: Path) -> None:
    """Others stand in a page because a text brought them there."""
    theme = (
        "<script>\n  window.ran = ['theme']; window.DOCUMENTATION_OPTIONS = {};\n</script>"
        "<script data-cfasync='false'>window.ran.push('again')</script>"
    )
    # A title in the list of pages may hold anything.
    title = "<nav><a>A page</nav><script>window.ran.push('text')</script></a></nav>"
    (tmp_path / "search.html").write_text(
        f"{theme}{title}<script>window.ran.push('search')</script>"
    )
    (tmp_path / "book").mkdir()
    (tmp_path / "book/page.html").write_text(
        f"{theme}<script>window.ran.push('text')</script>"
        "<script type='application/json'>{\"a\": 1}</script>"
        "<script>DOCUMENTATION_OPTIONS.pagename = 'book/page';</script>"
        "<button onclick='window.ran.push(1)'>press</button>"
        "<img src='/none' onerror='window.ran.push(2)'>"
        "<a href='javascript:window.ran.push(3)'>go</a>"
    )
    with served(tmp_path) as address, chromium() as browser:
        page = browser.new_page()
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.goto(f"{address}/book/page.html", wait_until="networkidle")
        page.click("button")
        page.click("a")
        assert page.evaluate("window.ran") == ["theme", "again"]
        assert page.evaluate("DOCUMENTATION_OPTIONS.pagename") == "book/page"
        refused = [each for each in told if "Content Security Policy" in each]
        assert len(refused) == 4


@pytest.mark.parametrize(
    "path",
    [
        *("/data/", "/out.txt", "/outside/", "/outside/secret.txt", "/../secret.txt"),
        *("/%2e%2e/secret.txt", "//secret.txt", "/no-such-page.html"),
    ],
)
def test_nothing_is_listed_and_nothing_outside_is_served(address: str, path: str) -> None:
    answer, text = ask(address, path)
    assert answer.status == 404
    assert "not for readers" not in text
    assert "rows.csv" not in text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:1", "[::1]:8000", "192.168.1.7"])
def test_addresses_and_names_of_the_machine_are_answered(address: str, host: str) -> None:
    assert ask(address, "/", host)[0].status == 200


@pytest.mark.parametrize("host", ["book.example.com", "localhost.example.com", "[::1", "a b"])
def test_a_name_of_another_site_is_refused(address: str, host: str) -> None:
    answer, text = ask(address, "/", host)
    assert answer.status == 421
    assert "The book" not in text


def test_texts_are_packed_for_who_can_unpack_them(address: str) -> None:
    connection = HTTPConnection(address)
    connection.request("GET", "/data/rows.csv", headers={"Accept-Encoding": "gzip, br"})
    answer = connection.getresponse()
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.read()) == b"a\n1\n"
    connection.request("GET", "/no-such.csv", headers={"Accept-Encoding": "gzip"})
    missing = connection.getresponse()
    missing.read()
    connection.close()
    assert missing.status == 404
