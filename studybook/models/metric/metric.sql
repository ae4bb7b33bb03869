-- The metrics of the registry (studybook/units.py) in one form: a sample of n repetitions with
-- its mean and population standard deviation, or a text; and the factors it was taken under.
-- What a claim is judged by. Rows that differ in test are not repetitions of one another: for a
-- count it is the count itself; counts and settings are exact, without scatter. from_model is what a number was taken from: who asks for one metric
-- depends on that, and not on all that is united here.
WITH found AS (
    SELECT
        run_id, 'bandwidth_gb_s' AS metric, MAP {'operation': operation, 'tool': tool} AS own,
        n, mean_gb_s AS mean, sd_gb_s AS sd, NULL::VARCHAR AS text, test,
        false AS exact, 'bandwidth' AS from_model
    FROM bandwidth
    UNION ALL
    SELECT
        run_id, 'client_nodes', MAP {'operation': operation, 'tool': tool},
        1, tasks / tasks_per_node, 0, NULL, (tasks / tasks_per_node)::VARCHAR, true,
        'bandwidth'
    FROM bandwidth
    WHERE tasks_per_node > 0
    UNION ALL
    SELECT f.run_id, 'nsd_disks', MAP {}, 1, count(DISTINCT n.nsd), 0, NULL,
        count(DISTINCT n.nsd)::VARCHAR, true, 'scale_nsd'
    FROM scale_nsd n JOIN raw_file f USING (file_id)
    GROUP BY f.run_id
    UNION ALL
    SELECT f.run_id, 'file_systems', MAP {}, 1, count(DISTINCT n.file_system), 0, NULL,
        count(DISTINCT n.file_system)::VARCHAR, true, 'scale_nsd'
    FROM scale_nsd n JOIN raw_file f USING (file_id)
    GROUP BY f.run_id
    UNION ALL
    SELECT run_id, 'nsd_servers', MAP {}, 1, count(DISTINCT server), 0, NULL,
        count(DISTINCT server)::VARCHAR, true, 'nsd_server'
    FROM nsd_server
    GROUP BY run_id
    UNION ALL
    SELECT
        run_id, 'first_server_disks', MAP {'server': server}, 1, sum(first_disks), 0, NULL,
        sum(first_disks)::VARCHAR, true, 'nsd_server'
    FROM nsd_server
    GROUP BY run_id, server
    UNION ALL
    SELECT f.run_id, 'scale_build', MAP {}, 1, 0, 0, v.build, NULL, true, 'scale_version'
    FROM scale_version v JOIN raw_file f USING (file_id)
    UNION ALL
    SELECT run_id, metric, MAP {}, 1, value, 0, NULL, NULL, false, from_model
    FROM run_metric
    WHERE value IS NOT NULL
    UNION ALL
    SELECT run_id, metric, own, 1, value, 0, NULL, test, false, 'label_metric'
    FROM label_metric
    WHERE value IS NOT NULL
    UNION ALL
    SELECT run_id, metric, own, 1, value, 0, NULL, array_to_string(map_values(own), ' '), false,
        'histogram_metric'
    FROM histogram_metric
    UNION ALL
    SELECT *, true, 'configuration_metric' FROM configuration_metric
    UNION ALL
    SELECT
        run_id, 'load_levels', MAP {}, 1, load_levels, 0, NULL,
        printf('%.6g', load_levels::DOUBLE), true, 'user_levels'
    FROM user_levels
    UNION ALL
    -- Hosts, and directions, are no repetitions of one another.
    SELECT run_id, metric, own, 1, value, 0, NULL, array_to_string(map_values(own), ' '), false,
        from_model
    FROM host_metric
    WHERE value IS NOT NULL
    UNION ALL
    SELECT run_id, metric, own, 1, value, 0, NULL, array_to_string(map_values(own), ' '), false,
        'setup_metric'
    FROM setup_metric
    WHERE value IS NOT NULL
    UNION ALL
    SELECT run_id, metric, own, 1, value, 0, NULL, array_to_string(map_values(own), ' '), false,
        'program_metric'
    FROM program_metric
    UNION ALL
    -- Settings, such as the number of processes, are no repetitions of one another.
    SELECT run_id, metric, own, 1, value, 0, NULL,
        concat_ws(', ', array_to_string(map_values(own), ' '), nullif(other, '')), false,
        'small_benchmark'
    FROM small_benchmark
    WHERE value IS NOT NULL
)
SELECT
    r.study, r.run_id, r.origin, found.metric, map_concat(r.factors, found.own) AS factors,
    found.n, found.mean, found.sd, found.text, found.test,
    found.exact, found.from_model
FROM found
JOIN run_factors r USING (run_id)
