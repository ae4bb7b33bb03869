"""Statistics as pure functions of numbers: no files, no database, no charts."""
