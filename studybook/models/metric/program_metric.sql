-- Processors of programs that matter: those that took a hundredth of one in any run of the study.
-- Were it asked of each run alone, a program near that bound would count in its busier runs only.
SELECT
    run_id, 'program_cpus' AS metric,
    map_concat(host_and_role(host, role), MAP {'program': program}) AS own, used_cpus AS value
FROM phase_program
JOIN run USING (run_id)
QUALIFY max(used_cpus) OVER (PARTITION BY study, host, program) >= 0.01
