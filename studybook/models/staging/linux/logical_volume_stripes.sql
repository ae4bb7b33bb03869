-- One row per logical volume whose segments were captured: the smallest number of stripes of its
-- segments, NULL where they are of a kind that has none (mirrors, pools).
SELECT
    c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.volume_group, s.volume,
    if(bool_and(s.stripes IS NOT NULL OR s.kind = 'linear'), min(coalesce(s.stripes, 1)), NULL)
        AS stripes
FROM linux_logical_volume_segment s
JOIN file_clock c USING (file_id)
GROUP BY ALL
