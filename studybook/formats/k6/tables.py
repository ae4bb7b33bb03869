"""The table of k6's results."""

from __future__ import annotations

from studybook.formats.contract import tables

(SAMPLE,) = tables("""
k6_sample: one value of one metric: each request has several, one per part of its time
    -- When it was taken: of a request, its end. k6 cuts it to the second unless told otherwise.
    time_utc TIMESTAMP, metric VARCHAR,
    -- In the metric's unit: ms of http_req_*, iteration_duration and group_duration; bytes of
    -- data_*; else a count, or 0 or 1.
    value DOUBLE, check_name VARCHAR, error VARCHAR, error_code VARCHAR,
    -- Of a request: whether its status is one that the script expects (200 to 399 by default).
    expected_response BOOLEAN,
    -- The groups that it is in: ::outer::inner
    group_path VARCHAR, method VARCHAR,
    -- The address, unless the script names the request.
    name VARCHAR, scenario VARCHAR, status VARCHAR, url VARCHAR, extra_tags VARCHAR, line BIGINT
""")
