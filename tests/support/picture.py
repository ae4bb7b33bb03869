"""Take the picture of the book that the README shows: ``make picture``."""

from __future__ import annotations

from tests.conftest import REPOSITORY
from tests.support.browser import chromium, served, visit

PAGE = "notebooks/flexible-scale/bandwidth.html"
TARGET = REPOSITORY / "docs/book.png"


def main() -> None:
    """Open a figure page at desktop width and keep what is seen of it."""
    TARGET.parent.mkdir(exist_ok=True)
    with (
        served(REPOSITORY / "build/reference/html") as address,
        chromium() as browser,
        visit(browser, f"{address}/{PAGE}", size=(1280, 1250)) as seen,
    ):
        seen.drawn()
        seen.page.screenshot(path=TARGET)


if __name__ == "__main__":
    main()
