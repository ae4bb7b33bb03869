"""Two builds of a book, compared: what says something else now, by how much, and why."""
