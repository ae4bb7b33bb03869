-- The NSD servers of each file system: for how many disks each stands first, second, … in the
-- server list; a disk that was captured twice counts once. The first server that is up does the I/O of a disk.
WITH place AS (
    SELECT
        f.run_id, n.file_system, n.nsd,
        unnest(string_split(n.servers, ',')) AS server,
        unnest(range(1, len(string_split(n.servers, ',')) + 1)) AS position
    FROM scale_nsd n
    JOIN raw_file f USING (file_id)
    WHERE n.servers IS NOT NULL
)
SELECT
    run_id, file_system, trim(server) AS server,
    count(DISTINCT nsd) FILTER (position = 1) AS first_disks,
    count(DISTINCT nsd) FILTER (position = 2) AS second_disks,
    count(DISTINCT nsd) AS disks
FROM place
GROUP BY run_id, file_system, trim(server)
