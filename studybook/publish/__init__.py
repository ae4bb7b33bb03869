"""From executed notebooks and written pages to the published book."""
