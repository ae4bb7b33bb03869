"""Names of studies and runs, made from words."""

from __future__ import annotations

import re
import unicodedata


def slug(text: str) -> str:
    """A name of small letters, digits and hyphens; empty where nothing of it can be kept."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
