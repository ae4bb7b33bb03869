-- What only this study measures: of the guest with both engines, CE and PE, and of their operations.
WITH ce_pe AS (
    SELECT
        s.run_id, d.completed_per_s, s.ce_pe_cpus,
        sum(h.used_ifl) FILTER (h.role = 'ecm-node') AS ce_pe_ifl,
        sum(h.used_ifl) FILTER (h.role = 'database') AS db_ifl
    FROM setup s
    LEFT JOIN phase_driver d USING (run_id)
    LEFT JOIN phase_host_cpu h USING (run_id)
    WHERE s.ce_pe_cpus IS NOT NULL
    GROUP BY ALL
),
of_run AS (
    SELECT run_id, 'operations_per_s' AS metric, completed_per_s AS value FROM ce_pe
    UNION ALL
    SELECT run_id, 'ce_pe_ifl', ce_pe_ifl FROM ce_pe
    UNION ALL
    -- By the guest itself, if it tells: the hypervisor counts its own work for the guest, too.
    SELECT run_id, 'ce_pe_busy_percent', coalesce(c.busy_percent, 100 * ce_pe_ifl / ce_pe_cpus)
    FROM ce_pe LEFT JOIN (FROM phase_cpu WHERE role = 'ecm-node') c USING (run_id)
    UNION ALL
    SELECT run_id, 'ce_pe_cpu_ms_per_operation', 1000 * ce_pe_ifl / completed_per_s FROM ce_pe
    UNION ALL
    SELECT run_id, 'db_ifl', db_ifl FROM ce_pe
    UNION ALL
    -- Not weighted: as the document has it, each group counts the same.
    SELECT run_id, lower(engine) || '_response_ms', avg(response_ms)
    FROM phase_operation GROUP BY run_id, engine
    UNION ALL
    SELECT run_id, lower(engine) || '_slowest_ms', max(response_ms)
    FROM phase_operation GROUP BY run_id, engine
)
SELECT run_id, metric, MAP {}::MAP(VARCHAR, VARCHAR) AS own, value FROM of_run
UNION ALL
SELECT run_id, 'operation_ms', MAP {'operation': operation}, response_ms FROM phase_operation
