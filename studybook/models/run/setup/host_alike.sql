-- What the pages of settings list: hosts that are alike in everything share a row, with the number of
-- their configurations. Processors and memory are from run.yml, MTU and buffers from captures; what
-- nothing says is a dash.
WITH device AS (
    SELECT
        i.run_id, i.machine AS host, max(i.mtu_bytes) AS mtu_bytes, max(n.buffer_count) AS buffers
    FROM interface_mtu i
    LEFT JOIN network_interface n
        ON n.run_id = i.run_id AND n.host = i.machine AND n.interface = i.interface
    GROUP BY i.run_id, i.machine
),
alike AS (
    SELECT
        h.role, coalesce(h.cpus::VARCHAR, '–') AS processors,
        -- 1536 MiB are 1.5 GiB, and 8192 are 8.
        coalesce(regexp_replace((h.memory_mib / 1024)::VARCHAR, '\.0$', ''), '–') AS memory,
        coalesce(d.mtu_bytes::VARCHAR, '–') AS mtu_bytes,
        coalesce(d.buffers::VARCHAR, '–') AS buffers,
        r.origin, list_sort(list(DISTINCT h.host)) AS names, count(DISTINCT r.run_id) AS runs
    FROM host_size h
    JOIN run r USING (run_id)
    LEFT JOIN device d USING (run_id, host)
    GROUP BY ALL
)
SELECT
    role, array_to_string(names, ', ') AS hosts, processors, memory AS "memory (GiB)",
    mtu_bytes, buffers, runs AS configurations, origin
FROM alike
