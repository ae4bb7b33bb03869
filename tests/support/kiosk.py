"""A study of an invented name whose data are tables that no reader knows: a kiosk."""

from __future__ import annotations

from pathlib import Path

from studybook.plugins import FOLDER

STUDY = "kiosk"

WORDS = """\
study: kiosk
factors:
  clerks: {meaning: people behind the counter, whole_from: 1}
roles:
  till: takes money
metrics:
  serving_ms: {label: Time to serve, unit: ms, better: lower, decimals: 1}
  served_per_s: {label: Served, unit: customers/s, better: higher, decimals: 2}
  queue_length: {label: Queue, better: lower, decimals: 1}
"""

CSV = """\
when;till;goods;seconds;queue;weather
14.06.2024 12:00:00;till1;paper;0,5;3;rain
14.06.2024 12:00:01;till1;paper;1,5;4;rain
14.06.2024 12:00:02;till2;sweets;2,5;;sun
"""

TABLE = """\
    table:
      time: when
      time_format: "%d.%m.%Y %H:%M:%S"
      host: till
      label: goods
      delimiter: ";"
      decimal: ","
      metrics:
        - {column: seconds, name: serving_ms, unit: s}
        - {column: queue, name: queue_length, statistic: max}
"""


#: A format of its own: the clerk's own book-keeping.
FORMAT = """\
from studybook.formats.contract import Format, tables

(SALE,) = tables('''
ledger_sale: one sale, as the clerk wrote it down
    goods VARCHAR, took_s DOUBLE, line BIGINT
''')


def recognise(head):
    return head.first.startswith("Kiosk ledger")


def read(raw, out):
    for number, text in raw.lines():
        goods, _, took = text.partition(": ")
        if took.replace(".", "", 1).isdigit():
            out.record("ledger_sale", goods=goods, took_s=float(took), line=number)
            out.used()
        elif number == 1 or not text.strip():
            out.heading()
        else:
            out.unknown(number, text)


FORMAT = Format("kiosk-ledger", "ledger of a kiosk", "ledger", (SALE,), recognise, read)
"""


def book(root: Path, words: str = WORDS) -> Path:
    """Write a book without pages, with the words of the study; its folder."""
    (root / "data/raw").mkdir(parents=True)
    (root / "_config.yml").write_text("title: Kiosk\n", encoding="utf-8")
    place = root / "pipelines" / STUDY
    place.mkdir(parents=True)
    (place / "study.yml").write_text(words, encoding="utf-8")
    return root


def add_run(root: Path, files: dict[str, str | bytes], listed: str, run: str = "monday") -> Path:
    """Write a run of the study; its folder.

    Parameters
    ----------
    root : pathlib.Path
        The book.
    files : dict
        Contents by path.
    listed : str
        What stands under ``files`` in its run.yml.
    run : str
        Its name.
    """
    folder = root / "data/raw/mine" / STUDY / run
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    manifest = (
        f"study: {STUDY}\nrun: {run}\ntitle: A day\norigin: measured\ntime_zone: Europe/Berlin\n"
        f"hosts: [{{name: till1, role: till}}]\nfiles:\n{listed}"
    )
    (folder / "run.yml").write_text(manifest, encoding="utf-8")
    return folder


def plugged(root: Path, text: str = FORMAT, name: str = "ledger.py") -> Path:
    """Write a format of the book; its file."""
    path = root / FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
