-- The setup of each measured run by the names that figures use, from the factors of run.yml. system: how
-- the nodes share their files. A factor that a run does not have is NULL.
SELECT
    run_id, origin,
    CASE factors['cluster']
        WHEN 'nsd' THEN 'NSD'
        WHEN 'shared-disk' THEN if(factors['nodes'] = '1', 'SD, one node', 'SD')
        ELSE if(factors['file_system'] = 'xfs', 'XFS', NULL)
    END AS system,
    try_cast(factors['nodes'] AS INTEGER) AS nodes,
    try_cast(factors['mtu_bytes'] AS INTEGER) AS mtu_bytes,
    CASE factors['mtu_scope']
        WHEN 'inside-zvm' THEN 'MTU ' || factors['mtu_bytes'] || ' inside z/VM'
        ELSE 'MTU ' || factors['mtu_bytes']
    END AS mtu,
    replace(factors['routing'], '-', ' ') AS routing,
    try_cast(factors['client_pagepool_mib'] AS INTEGER) AS client_pagepool_mib,
    try_cast(factors['server_pagepool_mib'] AS INTEGER) AS server_pagepool_mib,
    factors['server_list'] AS server_list,
    try_cast(factors['users'] AS INTEGER) AS users
FROM run_factors
WHERE kind = 'measurement'
