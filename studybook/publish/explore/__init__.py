"""The page on which readers ask the data of a book in SQL, by DuckDB in their browser."""
