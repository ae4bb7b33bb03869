-- Each value of each series as a UTC instant, and how much a counter has grown since the one before;
-- not where it began anew. Names that node_exporter had before 0.16 are those of today.
WITH placed AS (
    SELECT
        s.run_id, v.file_id, s.host, coalesce(v.time_utc, s.scraped_utc) AS time_utc,
        CASE
            WHEN v.time_utc IS NOT NULL OR s.time_known IS NOT NULL THEN 'UTC, in the file'
            ELSE 'no times: from the start of the run on'
        END AS clock,
        coalesce(o.name, v.metric) AS metric, v.kind,
        regexp_replace(v.cpu, '^cpu(\d)', '\1') AS cpu, v.mode, v.device, v.job, v.instance,
        v.labels, coalesce(o.factor, 1) * v.value AS value, v.line
    FROM prometheus_sample v
    JOIN prometheus_source s
        ON s.file_id = v.file_id AND s.scrape_no = v.scrape_no
        AND s.target = coalesce(v.instance, '')
    LEFT JOIN (
        VALUES
            ('node_cpu', 'node_cpu_seconds_total', 1),
            ('node_boot_time', 'node_boot_time_seconds', 1),
            ('node_context_switches', 'node_context_switches_total', 1),
            ('node_forks', 'node_forks_total', 1),
            ('node_disk_reads_completed', 'node_disk_reads_completed_total', 1),
            ('node_disk_writes_completed', 'node_disk_writes_completed_total', 1),
            ('node_disk_bytes_read', 'node_disk_read_bytes_total', 1),
            ('node_disk_bytes_written', 'node_disk_written_bytes_total', 1),
            ('node_disk_read_time_ms', 'node_disk_read_time_seconds_total', 0.001),
            ('node_disk_write_time_ms', 'node_disk_write_time_seconds_total', 0.001),
            ('node_disk_io_time_ms', 'node_disk_io_time_seconds_total', 0.001),
            ('node_disk_io_time_weighted', 'node_disk_io_time_weighted_seconds_total', 0.001),
            ('node_network_receive_bytes', 'node_network_receive_bytes_total', 1),
            ('node_network_transmit_bytes', 'node_network_transmit_bytes_total', 1),
            ('node_network_receive_packets', 'node_network_receive_packets_total', 1),
            ('node_network_transmit_packets', 'node_network_transmit_packets_total', 1),
            ('node_memory_MemTotal', 'node_memory_MemTotal_bytes', 1),
            ('node_memory_MemFree', 'node_memory_MemFree_bytes', 1),
            ('node_memory_MemAvailable', 'node_memory_MemAvailable_bytes', 1),
            ('node_memory_Buffers', 'node_memory_Buffers_bytes', 1),
            ('node_memory_Cached', 'node_memory_Cached_bytes', 1),
            ('node_memory_Dirty', 'node_memory_Dirty_bytes', 1),
            ('node_memory_Committed_AS', 'node_memory_Committed_AS_bytes', 1),
            ('node_memory_SwapTotal', 'node_memory_SwapTotal_bytes', 1),
            ('node_memory_SwapFree', 'node_memory_SwapFree_bytes', 1),
            ('node_memory_SwapCached', 'node_memory_SwapCached_bytes', 1)
    ) o (old, name, factor) ON o.old = v.metric
),
single AS (
    SELECT *
    FROM placed
    WHERE time_utc IS NOT NULL AND metric IS NOT NULL AND value IS NOT NULL
    QUALIFY row_number() OVER (
        PARTITION BY file_id, host, metric, labels, time_utc ORDER BY line) = 1
),
followed AS (
    SELECT
        *,
        lag(value) OVER series AS value_before,
        date_diff('microsecond', lag(time_utc) OVER series, time_utc) / 1e6 AS interval_s
    FROM single
    -- Two exporters of one host may give the same name and labels to what each counts for itself.
    WINDOW series AS (PARTITION BY file_id, host, metric, labels ORDER BY time_utc)
)
SELECT
    * EXCLUDE (value_before),
    -- What is no counter has no such growth; nobody asks for that.
    if(value >= value_before, value - value_before, NULL) AS increase,
    value_before > value AND (kind = 'counter' OR metric LIKE '%\_total' ESCAPE '\') AS is_reset,
    increase / interval_s AS increase_per_s
FROM followed
