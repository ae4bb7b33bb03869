-- One row per scrape and target: its host, and how its times become UTC. The host is the name that the
-- target gives itself; else that of run.yml for the file, where it has one target only; else the
-- address under which Prometheus asked the target, without the port.
WITH target AS (
    SELECT
        file_id, scrape_no, coalesce(instance, '') AS target,
        any_value(nodename) FILTER (metric = 'node_uname_info') AS nodename
    FROM prometheus_sample
    GROUP BY file_id, scrape_no, target
),
-- Of answers of the server, another may tell the name; of scrapes, those before and after.
elsewhere AS (
    SELECT file_id, target, min(nodename) AS nodename
    FROM target
    GROUP BY file_id, target
    HAVING count(DISTINCT nodename) = 1
),
named AS (
    SELECT
        c.run_id, c.file_id, t.scrape_no, t.target, c.zone,
        if(count(DISTINCT coalesce(t.nodename, e.nodename, t.target))
               OVER (PARTITION BY c.file_id) <= 1,
           coalesce(c.host, t.nodename, e.nodename),
           coalesce(t.nodename, e.nodename)) AS known,
        coalesce(
            known,
            nullif(regexp_replace(t.target, '^(.*?)(:\d{1,5})?$', '\1'), ''),
            o.host
        ) AS host
    FROM target t
    JOIN file_clock c USING (file_id)
    LEFT JOIN elsewhere e USING (file_id, target)
    JOIN nameless_host o USING (run_id)
)
SELECT
    n.* EXCLUDE (known), h.clock_offset_s, u.start_utc, s.time_known, s.interval_s AS stated_s,
    coalesce(
        utc_of(s.time_utc, NULL, n.zone, h.clock_offset_s),
        u.start_utc + to_microseconds((n.scrape_no * s.interval_s * 1e6)::BIGINT)
    ) AS scraped_utc
FROM named n
JOIN prometheus_scrape s USING (file_id, scrape_no)
JOIN run u USING (run_id)
LEFT JOIN host h ON h.run_id = n.run_id AND h.host = n.host
