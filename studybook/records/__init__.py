"""From raw files to tables of records, with a ledger of every file and line."""
