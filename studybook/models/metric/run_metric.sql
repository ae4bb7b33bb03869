-- One number per run for each metric that is a mean over the stable phase. A run is one repetition.
WITH -- Who does the input and output of the file system: its servers where there are some. What storage does
-- is theirs again, and counts where nobody else was recorded.
disk AS (
    FROM (
        FROM phase_disk
        WHERE kind NOT IN ('hypervisor', 'load-driver')
        QUALIFY (kind = 'storage') = min(kind = 'storage') OVER (PARTITION BY run_id)
    )
    QUALIFY file_system_place(kind) = min(file_system_place(kind)) OVER (PARTITION BY run_id)
)
SELECT run_id, 'response_ms' AS metric, response_ms AS value, 'phase_driver' AS from_model
FROM phase_driver
UNION ALL
SELECT run_id, 'pages_per_s', completed_per_s, 'phase_driver' FROM phase_driver
UNION ALL
SELECT run_id, 'active_users', users, 'phase_driver' FROM phase_driver WHERE users IS NOT NULL
UNION ALL
SELECT run_id, 'total_ifl', sum(used_ifl), 'phase_ifl' FROM phase_ifl WHERE chosen GROUP BY run_id
UNION ALL
SELECT run_id, 'disk_read_mib_s', sum(read_mib_s), 'phase_disk' FROM disk GROUP BY run_id
UNION ALL
SELECT run_id, 'disk_write_mib_s', sum(write_mib_s), 'phase_disk' FROM disk GROUP BY run_id
UNION ALL
SELECT run_id, 'disk_mib_s', sum(read_mib_s + write_mib_s), 'phase_disk' FROM disk GROUP BY run_id
UNION ALL
SELECT run_id, 'file_system_read_mib_s', sum(read_mib_s), 'phase_file_system'
FROM phase_file_system GROUP BY run_id
UNION ALL
SELECT run_id, 'file_system_write_mib_s', sum(write_mib_s), 'phase_file_system'
FROM phase_file_system GROUP BY run_id
UNION ALL
SELECT run_id, metric, value, 'own_metric' FROM own_metric WHERE cardinality(own) = 0
UNION ALL
SELECT run_id, metric, value, 'mapped_metric' FROM mapped_metric WHERE cardinality(own) = 0
