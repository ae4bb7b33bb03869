-- One row per disk and host with a path to it. Servers have the turn of their place in the disk's list;
-- where it has none, nodes reach the disk themselves, in turn 0: those that mount its file
-- system, or all where it was not captured who does. A disk that nobody reaches has one row, without name.
WITH listed AS (
    SELECT
        * EXCLUDE servers,
        list_filter(list_transform(string_split(coalesce(servers, ''), ','), lambda s: trim(s)),
            lambda s: s != '') AS servers
    FROM cluster_disk
),
way AS (
    SELECT
        run_id, file_system, nsd, line, servers[turn] AS server, turn::INTEGER AS turn
    FROM listed, unnest(range(1, len(servers) + 1)) AS place (turn)
    UNION ALL
    SELECT run_id, file_system, nsd, line, NULL, 0 FROM listed WHERE len(servers) = 0
)
SELECT
    w.run_id, coalesce(w.file_system, '') AS file_system, w.nsd, w.line, w.turn,
    coalesce(h.name, w.server) AS name
FROM way w
LEFT JOIN drawn_host h
    ON h.run_id = w.run_id
    AND if(
        w.turn = 0,
        h.in_cluster AND w.file_system != '' AND (
            h.mounted IS NULL OR list_contains(string_split(h.mounted, ', '), w.file_system)
        ),
        short_name(w.server) IN (short_name(h.host), short_name(h.node))
    )
-- Two hosts may have one short name: then a server is the one that has all of the name.
QUALIFY w.turn = 0 OR row_number() OVER (
    PARTITION BY w.run_id, w.file_system, w.nsd, w.turn
    ORDER BY lower(w.server) IN (lower(h.host), lower(h.node)) DESC, h.host
) = 1
