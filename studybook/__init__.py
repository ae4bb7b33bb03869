"""The study book: from raw performance exports to a published, checkable book.

Data flows one way through this package::

    data/raw -> formats -> store (DuckDB) -> views -> notebooks -> book
"""

__version__ = "0.1.0"
