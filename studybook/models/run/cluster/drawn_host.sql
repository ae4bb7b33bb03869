-- One row per host of a system, as drawings say it: its name ends at the first dot, unless two hosts of
-- the run would have the same name then.
WITH named AS (
    SELECT
        *,
        if(regexp_full_match(host, '[0-9.:]+'), host, split_part(host, '.', 1)) AS first_label,
        count(*) OVER (PARTITION BY run_id, first_label) AS alike
    FROM system_host
)
SELECT
    run_id, host, if(max(alike) OVER (PARTITION BY run_id) > 1, host, first_label) AS name,
    coalesce(role, 'other') AS role,
    if(cpus > 0, printf('%d CPU%s', round(cpus)::INTEGER, if(round(cpus) = 1, '', 's')), NULL)
        AS processors,
    format('{:.3g} GiB', memory_mib / 1024.0) AS memory,
    in_cluster, node, node_number, designation, mounted, ip_address, mtu_bytes, page_pool
FROM named
