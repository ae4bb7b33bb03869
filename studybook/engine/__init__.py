"""The run engine: which notebooks there are, which are stale and why, and running them."""
