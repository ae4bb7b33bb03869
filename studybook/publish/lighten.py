"""Taking out of built pages what their readers would load and not need.

The theme has each page load a script that draws two thousand icons, of which the font beside it has
all, and the index of the search, which only the page of the search uses. Sources of scripts and
styles, and fonts for browsers that nobody has any more, lie beside them.
"""

from __future__ import annotations

import re
from pathlib import Path

#: Scripts that no page needs, and those that only the page of the search does.
_NEVER = ("scripts/fontawesome.js",)
_SEARCH_ONLY = ("searchtools.js", "language_data.js", "searchindex.js")
_SEARCH = "search.html"

#: They begin by what is rare, for the sake of time: so what is around a script stays.
_SCRIPT = re.compile(r"""<script\b[^>]*\bsrc="(?P<src>[^"?]*)[^"]*"[^>]*></script>""")
_PRELOAD = re.compile(r"""<link rel="preload" as="script" href="(?P<src>[^"?]*)[^"]*"[^>]*>""")
_USED = re.compile(r"fa-[a-z0-9-]+")
#: The rules of an icon's name: one or more selectors, and its letter in the font.
_ICON = re.compile(r'((?:\.fa-[a-z0-9-]+:before,?)+)\{content:"[^"]*"\}')
_MAPS = re.compile(r"/[/*]# sourceMappingURL=[^\n*]*(?:\*/)?\n?")


def lighten(html: Path) -> None:
    """Make the pages of a built book light.

    Parameters
    ----------
    html : pathlib.Path
        The folder of the pages, which are written anew.
    """
    used: set[str] = set()
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        used.update(_USED.findall(text))
        needless = _NEVER if page.name == _SEARCH else (*_NEVER, *_SEARCH_ONLY)

        def kept(found: re.Match[str], needless: tuple[str, ...] = needless) -> str:
            return "" if found["src"].endswith(needless) else found[0]

        light = _PRELOAD.sub(kept, _SCRIPT.sub(kept, text))
        if light != text:
            page.write_text(light, encoding="utf-8")
    static = html / "_static"
    for name in _NEVER:
        (static / name).unlink(missing_ok=True)
    for pattern in ("*.map", "*.ttf", "*-macros.html"):
        for path in static.rglob(pattern):
            path.unlink()
    for path in (*static.rglob("*.js"), *static.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        light = _MAPS.sub("", text)
        if path.suffix == ".css":
            light = _ICON.sub(lambda rule: rule[0] if used & _icons(rule[1]) else "", light)
        if light != text:
            path.write_text(light, encoding="utf-8")


def _icons(selectors: str) -> set[str]:
    return set(_USED.findall(selectors))
