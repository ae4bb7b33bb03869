-- One row per striped segment of a logical volume: the control units of its disks in the order of
-- the stripes, and whether they take turns. They go round, so the first follows the last. Where one
-- control unit has more than half of the disks, some of its disks must be neighbours. NULL where the
-- control unit of a disk is not known, or the disks were not captured.
WITH segment AS (
    SELECT
        c.run_id, coalesce(c.host, s.host, 'file ' || c.file) AS machine, s.volume_group, s.volume,
        s.segment_no, s.file_id, s.stripes
    FROM linux_logical_volume_segment s
    JOIN file_clock c USING (file_id)
    WHERE s.stripes > 1 AND coalesce(s.kind, 'striped') = 'striped'
    QUALIFY row_number() OVER (
        PARTITION BY c.run_id, machine, s.volume_group, s.volume, s.segment_no
        ORDER BY s.file_id DESC, s.line DESC
    ) = 1
),
stripe AS (
    SELECT file_id, volume_group, volume, segment_no, stripe_no, last(device ORDER BY line) AS device
    FROM linux_logical_volume_stripe
    GROUP BY ALL
),
placed AS (
    SELECT
        g.run_id, g.machine, g.volume_group, g.volume, g.segment_no, g.stripes, s.stripe_no,
        d.control_unit
    FROM segment g
    LEFT JOIN stripe s USING (file_id, volume_group, volume, segment_no)
    LEFT JOIN volume_group_disk d
        ON d.run_id = g.run_id AND d.machine = g.machine AND d.volume_group = g.volume_group
        AND d.device = s.device
),
beside AS (
    SELECT
        *,
        coalesce(
            lead(control_unit) OVER (around ORDER BY stripe_no),
            first_value(control_unit) OVER (around ORDER BY stripe_no)
        ) AS next_unit,
        count(*) OVER (
            PARTITION BY run_id, machine, volume_group, volume, segment_no, control_unit
        ) AS alike
    FROM placed
    WINDOW around AS (PARTITION BY run_id, machine, volume_group, volume, segment_no)
)
SELECT
    run_id, machine, volume_group, volume, segment_no,
    string_agg(control_unit, ' ' ORDER BY stripe_no) AS control_units,
    if(
        count(control_unit) = count(*) AND count(*) >= any_value(stripes),
        max(alike) < count(*)
            AND count(*) FILTER (control_unit = next_unit) <= greatest(0, 2 * max(alike) - count(*)),
        NULL
    ) AS in_turn
FROM beside
GROUP BY ALL
