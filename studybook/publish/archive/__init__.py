"""A book as one file: packed with an RO-Crate that says what is in it, and verified elsewhere."""
