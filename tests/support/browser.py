"""A real browser for tests: a served folder, a page, and a record of what went wrong."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Route,
    sync_playwright,
)

from studybook.publish.server import server_of

#: Longest wait for anything, in milliseconds: only what hangs is as late, however busy the machine.
PATIENCE = 180_000

#: Nothing outside this machine can be reached, whatever a page or the browser tries. Pages are
#: open for too short a time for the optimising compilers of scripts to pay.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--js-flags=--no-turbofan --no-maglev",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)

DESKTOP = (1280, 900)
PHONE = (390, 844)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine.

    Parameters
    ----------
    folder : pathlib.Path
        What to serve.

    Yields
    ------
    str
        The address, without a slash at its end.
    """
    server = server_of(folder, "127.0.0.1", 0, quiet=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the Chromium of the system, without a window.

    Yields
    ------
    playwright.sync_api.Browser
        The browser.

    Raises
    ------
    RuntimeError
        If there is no Chromium, with what to install.
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if not path:
        raise RuntimeError(
            "No chromium on the path: the browser tests need one.\n"
            "  → Install it: apt-get install chromium (Debian), dnf install chromium (Fedora)."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), timeout=PATIENCE
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page that is open, and what went wrong in it so far.

    Attributes
    ----------
    page : playwright.sync_api.Page
        The page.
    errors : list of str
        Errors and warnings of the console, exceptions of scripts, and failed local requests.
    outside : list of str
        Requests to any other machine; each was stopped.
    """

    page: Page
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def drawn(self) -> list[str | None]:
        """Wait until the loader is done with every chart, and say how it ended for each.

        Returns
        -------
        list of str or None
            The ``data-rendered`` of each figure, in the order of the page.
        """
        self.page.wait_for_function(
            "[...document.querySelectorAll('figure.study-chart')]"
            ".every(figure => figure.dataset.rendered)"
        )
        # One that is drawn goes on where it has a second view, or a bar at the side came meanwhile.
        self.at_its_width()
        found: list[str | None] = self.page.eval_on_selector_all(
            "figure.study-chart", "figures => figures.map(figure => figure.dataset.rendered)"
        )
        return found

    def overflow(self) -> int:
        """Say by how many pixels the page is wider than the window.

        Returns
        -------
        int
            Zero where nothing scrolls sideways.
        """
        wide: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return wide

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window, and wait until every chart is drawn anew.

        It waits until the page fits, too, which comes after that.
        """
        # without a change nothing is drawn, and there is nothing to wait for
        if self.page.viewport_size == {"width": size[0], "height": size[1]}:
            return
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        # until the page knows, all charts have the width that they had
        self.page.wait_for_function("width => innerWidth === width", arg=size[0])
        self.at_its_width()
        self.page.wait_for_function(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )

    def at_its_width(self) -> None:
        """Wait until every chart that is seen is drawn at the width that it has."""
        self.page.wait_for_function(
            "[...document.querySelectorAll('figure[data-rendered=true] .study-chart-view')]"
            ".filter(view => view.checkVisibility())"
            ".every(view => Number(view.dataset.drawn) === Math.floor(view.clientWidth))"
        )

    def turn(self, theme: str) -> None:
        """Have the reader prefer dark or light pages from now on, and wait until this one is so."""
        self.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        self.page.wait_for_function(
            "theme => document.documentElement.dataset.theme === theme", arg=theme
        )


def note_errors(page: Page, errors: Callable[[], list[str]]) -> None:
    """Take down what goes wrong in a page from now on, in the list that is asked for."""

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors().append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: errors().append(str(error)))


@contextmanager
def visit(
    browser: Browser,
    address: str,
    *,
    size: tuple[int, int] = DESKTOP,
    dark: bool = False,
    scripts: bool = True,
    calm: bool = True,
    of_book: bool = True,
) -> Iterator[Visit]:
    """Open a page in a fresh context of the browser.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
        The browser.
    address : str
        The page, as served by :func:`served`.
    size : tuple of int, optional
        Width and height of the window.
    dark : bool, optional
        Whether the reader prefers dark pages.
    scripts : bool, optional
        Whether scripts run.
    calm : bool, optional
        Whether the reader prefers reduced motion.
    of_book : bool, optional
        Whether the policy of a book's server holds; without, as in a notebook's editor.

    Yields
    ------
    Visit
        The page, once it is loaded.
    """
    context = browser.new_context(
        bypass_csp=not of_book,
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
        java_script_enabled=scripts,
    )
    context.set_default_timeout(PATIENCE)
    seen = Visit(context.new_page())

    def local_only(route: Route) -> None:
        if urlsplit(route.request.url).hostname in ("127.0.0.1", "localhost"):
            route.continue_()
        else:
            seen.outside.append(route.request.url)
            route.abort()

    context.route("**/*", local_only)
    note_errors(seen.page, lambda: seen.errors)
    try:
        seen.page.goto(address)
        yield seen
    finally:
        context.close()


class Tab:
    """One tab in which a reader opens one page after the other.

    A page in a tab or a context of its own costs a process: three times the work of the page
    itself. What the pages share is loaded once, too.

    Parameters
    ----------
    context : playwright.sync_api.BrowserContext
        Of a browser that is kept from other machines by its :data:`ARGUMENTS`.
    """

    def __init__(self, context: BrowserContext) -> None:
        self._page = context.new_page()
        self._seen = Visit(self._page)
        # asked anew for each message: it belongs to the page that is open
        note_errors(self._page, lambda: self._seen.errors)
        self._page.on("request", self._note_outside)

    def _note_outside(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.hostname != "127.0.0.1":
            self._seen.outside.append(request.url)

    def open(self, address: str, size: tuple[int, int] = DESKTOP) -> Visit:
        """Open a page; the visit before ends.

        Parameters
        ----------
        address : str
            The page, as served by :func:`served`.
        size : tuple of int, optional
            Width and height of the window.

        Returns
        -------
        Visit
            The page, once it is loaded.
        """
        self._page.set_viewport_size({"width": size[0], "height": size[1]})
        self._seen = Visit(self._page)
        self._page.goto(address)
        return self._seen

    def show_on_screen(self) -> None:
        """End the print that a test was looking at."""
        self._page.emulate_media(media="screen")


@contextmanager
def tab(browser: Browser, *, dark: bool = False) -> Iterator[Tab]:
    """Open a tab in a fresh context of the browser, for a reader who wants no motion.

    Parameters
    ----------
    browser : playwright.sync_api.Browser
        The browser.
    dark : bool, optional
        Whether the reader prefers dark pages.

    Yields
    ------
    Tab
        The tab, with no page in it yet.
    """
    context = browser.new_context(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    try:
        yield Tab(context)
    finally:
        context.close()
