"""Giving names to what the theme leaves without one in built pages, for who hears them.

Who sees a chevron beside a chapter knows what it unfolds; a screen reader says "triangle", and the
same of each of the twenty. Other names hide what is to be seen: each fold of code is "Toggle hidden
content", though "Code" is written on it, and who speaks to a computer says what is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_MARKUP = re.compile(r"<[^>]*>")

#: A chapter at the side, and the chevron that unfolds what is below it.
_CHEVRON = re.compile(
    r'(?P<link><a class="[^"]*\breference internal" href="[^"]*">(?P<text>[^\n]*?)</a>'
    r"<details[^>]*>)"
    r'<summary>(?=<span class="toctree-toggle")'
)
#: What has words of its own, and another name: folds of code, and the search with its keys.
_RENAMED = re.compile(
    r'(?P<start><summary|<button class="[^"]*\bsearch-button-field\b[^>]*?)'
    r' aria-label="(?:Toggle hidden content|Search)"'
)
#: The column at the side is a landmark with all that is in it: its title was in none.
_NAMES = {
    '<div id="pst-primary-sidebar" ': 'role="navigation" aria-label="Book" ',
    '<dialog id="pst-primary-sidebar-modal"': ' aria-label="Book"',
    '<dialog id="pst-secondary-sidebar-modal"': ' aria-label="Contents of this page"',
    '<dialog id="pst-search-dialog"': ' aria-label="Search"',
}


def give_names(pages: Iterable[Path]) -> None:
    """Name what has no name in some pages of a built book, or one that hides its words.

    Parameters
    ----------
    pages : iterable of pathlib.Path
        The pages, which are written anew.
    """
    for page in pages:
        text = page.read_text(encoding="utf-8")
        named = _RENAMED.sub(lambda found: found["start"], _CHEVRON.sub(_chevron, text))
        for start, says in _NAMES.items():
            if start + says not in named:
                named = named.replace(start, start + says)
        if named != text:
            page.write_text(named, encoding="utf-8")


def _chevron(found: re.Match[str]) -> str:
    chapter = _MARKUP.sub("", found["text"]).strip().replace('"', "&quot;")
    return f'{found["link"]}<summary aria-label="Pages below {chapter}">'
