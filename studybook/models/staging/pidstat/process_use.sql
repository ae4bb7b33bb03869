-- What the processes of each program took of the processors and of the disks, by pidstat, in each
-- interval of a report. It prints none that did nothing meanwhile: such a program took 0, also where
-- another report of the run alone has it, and this one tells of all programs. Of two recordings of one
-- host that overlap at other times, both are there.
-- Threads (-t) are in their processes. What a process that may not be looked at did to disks is not
-- known: pidstat prints -1, which the reader leaves out.
WITH placed AS (
    SELECT
        s.run_id, s.host, r.file_id, r.report_no, r.line, r.pid,
        -- With -h no heading says when the first interval began: it is as long as others.
        coalesce(r.interval_s, quantile_disc(r.interval_s, 0.5) OVER (
            PARTITION BY r.file_id, r.report_no)) AS interval_s,
        utc_of_pass(r.time_utc, r.time_local, r.set_back, s.zone, s.clock_offset_s) AS time_utc,
        -- The name of the file, without where it lies and what it was called with; of threads of the
        -- system, such as kworker/0:1, which have no arguments, that before the stroke.
        rtrim(if(regexp_matches(r.command, '^(\.{0,2}/|~)|^\S*/\S*\s'),
            regexp_extract(r.command, '^(?:\S*/)?(\S*)', 1),
            regexp_extract(r.command, '^\[?([^\s/\]]*)', 1)), ':') AS program,
        -- With -I what it prints as the sum is of all processors; the parts never are.
        coalesce(r.user_percent + r.system_percent + coalesce(r.guest_percent, 0), r.cpu_percent)
            AS cpu_percent, r.user_percent, r.system_percent, r.wait_percent,
        r.read_kib_s, r.write_kib_s,
        r.io_delay_ticks IS NOT NULL AND r.write_kib_s IS NULL AS is_secret
    FROM pidstat_process r
    JOIN pidstat_source s USING (file_id, report_no)
    WHERE coalesce(r.tid, '-') = '-'
),
-- Without -h, what is of processors and what is of disks has a row each.
process AS (
    SELECT * FROM one_series('placed',
        {'pid': pid, 'program': program, 'cpu': cpu_percent IS NULL, 'io': write_kib_s IS NULL})
    WHERE interval_s > 0 AND time_utc IS NOT NULL
),
-- Where nothing at all is printed between the beginning of an interval and the one before it,
-- nothing was done meanwhile.
printed AS (
    SELECT
        *, epoch(lead(time_utc) OVER report - time_utc) - lead(interval_s) OVER report AS idle_s
    FROM (SELECT DISTINCT run_id, file_id, report_no, host, time_utc, interval_s FROM process)
    WINDOW report AS (PARTITION BY file_id, report_no ORDER BY time_utc)
),
instant AS (
    SELECT
        run_id, file_id, report_no, host, interval_s,
        unnest(range(1 + least(greatest(coalesce(round(idle_s / interval_s), 0), 0), 100000)::BIGINT))
            AS later,
        time_utc + to_microseconds((later * interval_s * 1e6)::BIGINT) AS time_utc
    FROM printed
),
printed_program AS (
    SELECT run_id, host, file_id, report_no, program,
        bool_or(bool_or(cpu_percent IS NOT NULL)) OVER report AS of_processors,
        bool_or(bool_or(write_kib_s IS NOT NULL)) OVER report AND NOT bool_or(is_secret) AS of_disks
    FROM process
    WHERE program <> ''
    GROUP BY run_id, host, file_id, report_no, program
    WINDOW report AS (PARTITION BY file_id, report_no)
),
report_of_all AS (
    SELECT
        run_id, host, file_id, report_no, bool_or(of_processors) AS of_processors,
        bool_and(of_disks) AS of_disks
    FROM printed_program
    GROUP BY run_id, host, file_id, report_no
    HAVING bool_or(is_of_system(program))
),
program AS (
    FROM printed_program
    UNION ALL BY NAME
    FROM (
        SELECT DISTINCT r.*, p.program
        FROM report_of_all r
        JOIN printed_program p USING (run_id, host)
    )
    ANTI JOIN printed_program USING (file_id, report_no, program)
)
SELECT
    i.run_id, i.host, g.program, i.time_utc, any_value(i.interval_s) AS interval_s,
    if(bool_or(of_processors), coalesce(sum(cpu_percent), 0), NULL) AS cpu_percent,
    if(bool_or(of_processors), coalesce(sum(user_percent), 0), NULL) AS user_percent,
    if(bool_or(of_processors), coalesce(sum(system_percent), 0), NULL) AS system_percent,
    if(bool_or(of_processors), coalesce(sum(wait_percent), 0), NULL) AS wait_percent,
    if(bool_or(of_disks), coalesce(sum(read_kib_s), 0), NULL) AS read_kib_s,
    if(bool_or(of_disks), coalesce(sum(write_kib_s), 0), NULL) AS write_kib_s,
    count(DISTINCT pid) AS processes
FROM instant i
JOIN program g USING (file_id, report_no)
LEFT JOIN process p USING (file_id, report_no, time_utc, program)
GROUP BY i.run_id, i.host, g.program, i.time_utc
