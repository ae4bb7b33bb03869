"""The table of JMeter's results."""

from __future__ import annotations

from studybook.formats.contract import tables

(SAMPLE,) = tables("""
jtl_sample: one sample: a request, a part of one, or a transaction of several
    -- When the sample began. JMeter can be told to stamp the end; a file does not say so.
    time_utc TIMESTAMP, time_local TIMESTAMP,
    -- Without idle_ms: timers and pauses within a transaction.
    elapsed_ms BIGINT, idle_ms BIGINT, latency_ms BIGINT, connect_ms BIGINT, label VARCHAR,
    -- Of a Transaction Controller: told by its message.
    is_transaction BOOLEAN,
    -- 0, or more for a part of another sample (an embedded resource, a redirect), whose time
    -- is in that sample's time already.
    depth INTEGER, success BOOLEAN, response_code VARCHAR,
    -- The two messages are kept of samples that failed.
    response_message VARCHAR, failure_message VARCHAR, thread VARCHAR,
    -- Threads that were active: of the sample's group, and of all groups of this driver.
    group_threads BIGINT, all_threads BIGINT, bytes_received BIGINT, bytes_sent BIGINT, url VARCHAR,
    data_type VARCHAR, encoding VARCHAR, response_file VARCHAR, host VARCHAR,
    -- More than 1 where a driver sent sums only (mode Statistical): times are sums, too.
    samples BIGINT, errors BIGINT, line BIGINT
""")
