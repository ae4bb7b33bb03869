"""The table of Locust's results."""

from __future__ import annotations

from studybook.formats.contract import tables

(STATE,) = tables("""
locust_state: what was known at one moment of one kind of request, or of all together
    time_utc TIMESTAMP, users BIGINT, method VARCHAR, name VARCHAR,
    -- Of all requests together, which Locust calls Aggregated.
    is_total BOOLEAN,
    -- Means over the last ten seconds, about.
    requests_per_s DOUBLE, failures_per_s DOUBLE,
    -- Of the last ten seconds where the file has the full history, else of all requests since
    -- the start. Locust rounds response times: from 100 ms on, two digits are left.
    p50_ms DOUBLE, p66_ms DOUBLE, p75_ms DOUBLE, p80_ms DOUBLE, p90_ms DOUBLE, p95_ms DOUBLE, p98_ms
    DOUBLE, p99_ms DOUBLE, p99_9_ms DOUBLE, p99_99_ms DOUBLE, p100_ms DOUBLE,
    -- Since the start, or since the statistics were reset.
    total_requests BIGINT, total_failures BIGINT, total_median_ms DOUBLE, total_mean_ms DOUBLE,
    total_min_ms DOUBLE, total_max_ms DOUBLE,
    -- Of the content, without headers.
    total_mean_bytes DOUBLE, line BIGINT
""")
