-- Processors of programs that matter: those that took a hundredth of one in any run of the study. They
-- have a value in each run of which pidstat tells all programs: 0 where none of their processes ran. Else
-- a program would count in its busier runs only.
WITH known AS (
    SELECT p.*, r.study FROM phase_program p JOIN run r USING (run_id)
),
recorded AS (
    SELECT study, run_id, host, any_value(role) AS role, bool_or(is_of_system(program)) AS of_all
    FROM known
    GROUP BY study, run_id, host
),
matters AS (
    SELECT DISTINCT study, host, program FROM known WHERE used_cpus >= 0.01
)
SELECT
    r.run_id, 'program_cpus' AS metric,
    map_concat(host_and_role(r.host, r.role), MAP {'program': m.program}) AS own,
    coalesce(k.used_cpus, 0) AS value
FROM recorded r
JOIN matters m USING (study, host)
LEFT JOIN known k ON k.run_id = r.run_id AND k.host = r.host AND k.program = m.program
WHERE r.of_all OR k.used_cpus IS NOT NULL
