-- Metrics of a configuration, in the form of the model metric: what captures and run.yml say of a
-- setup. A count or a setting is its own test: runs with different ones are not repetitions of one
-- another.
WITH number AS (
    -- Nodes of the cluster
    SELECT run_id, 'cluster_nodes' AS metric, MAP {} AS own, count(*) AS value
    FROM cluster_node
    WHERE quorum IS NOT NULL
    GROUP BY run_id
    UNION ALL
    SELECT run_id, 'quorum_nodes', MAP {}, count(*) FILTER (quorum)
    FROM cluster_node
    WHERE quorum IS NOT NULL
    GROUP BY run_id
    UNION ALL
    SELECT f.run_id, 'mounted_nodes', MAP {'scale_file_system': m.file_system},
        coalesce(nullif(count(DISTINCT short_name(m.node)), 0), max(m.node_count), 0)
    FROM scale_mount m JOIN raw_file f USING (file_id)
    GROUP BY f.run_id, m.file_system
    UNION ALL
    -- Disks and file systems
    SELECT run_id, 'first_servers', MAP {}, count(DISTINCT server) FILTER (first_disks > 0)
    FROM nsd_server
    GROUP BY run_id
    UNION ALL
    SELECT f.run_id, 'directly_attached_disks', MAP {},
        count(DISTINCT n.nsd) FILTER (n.directly_attached)
    FROM scale_nsd n JOIN raw_file f USING (file_id)
    GROUP BY f.run_id
    UNION ALL
    SELECT DISTINCT f.run_id, 'block_size_kib', MAP {'scale_file_system': s.file_system},
        try_cast(s.value AS BIGINT) / 1024
    FROM scale_filesystem s JOIN raw_file f USING (file_id)
    WHERE s.flag = '-B'
    UNION ALL
    -- Settings: a row for each value that nodes of a role have
    SELECT DISTINCT run_id, 'pagepool_' || role || '_mib', MAP {}, value_bytes / 1048576
    FROM node_setting
    WHERE name = 'pagepool'
    UNION ALL
    SELECT DISTINCT run_id, 'max_files_to_cache', MAP {}, setting_number(value)
    FROM node_setting
    WHERE name = 'maxFilesToCache'
    UNION ALL
    SELECT DISTINCT run_id, 'max_stat_cache', MAP {}, setting_number(value)
    FROM node_setting
    WHERE name = 'maxStatCache'
    UNION ALL
    -- Hosts, from run.yml
    SELECT run_id, 'hosts', MAP {'role': role}, count(*)
    FROM host
    GROUP BY run_id, role
    UNION ALL
    SELECT DISTINCT run_id, 'host_cpus', MAP {'role': role}, cpus FROM host_size
    UNION ALL
    SELECT DISTINCT run_id, 'host_memory_gib', MAP {'role': role}, memory_mib / 1024
    FROM host_size
    UNION ALL
    SELECT run_id, 'vcpus_per_ifl', MAP {}, vcpus / ifls
    FROM overcommitment
    WHERE without_cpus IS NULL
)
SELECT
    run_id, metric, own, 1 AS n, value::DOUBLE AS mean, 0.0::DOUBLE AS sd, NULL::VARCHAR AS text,
    printf('%.6g', value::DOUBLE) AS test
FROM number
WHERE value IS NOT NULL
UNION ALL
-- Which nodes have a designation, and how many: 'client' and 'nonquorum' are printed as nothing
SELECT
    run_id, 'designated_nodes', MAP {'designation': designation}, 1, count(*), 0,
    string_agg(node, ', ' ORDER BY node), string_agg(node, ', ' ORDER BY node)
FROM (
    SELECT run_id, node, unnest([
        if(manager, 'manager', 'client'), if(quorum, 'quorum', 'nonquorum')
    ]) AS designation
    FROM cluster_node
    WHERE quorum IS NOT NULL
)
GROUP BY run_id, designation
UNION ALL
-- The release that all nodes have at least, in full and as it is spoken of: 4.2.0.1, 4.2
SELECT DISTINCT run_id, metric, MAP {}, 1, 0, 0, text, NULL
FROM (
    SELECT run_id, unnest(['release_level', 'scale_release']) AS metric,
        unnest([value, regexp_extract(value, '^[0-9]+\.[0-9]+')]) AS text
    FROM node_setting
    WHERE name = 'minReleaseLevel'
)
