-- Virtual processors of all guests against the processors of the hypervisor; NULL for the guests
-- where run.yml leaves one of them out.
SELECT
    run_id, sum(cpus) FILTER (is_guest) AS vcpus, sum(cpus) FILTER (kind = 'hypervisor') AS ifls,
    string_agg(host, ', ' ORDER BY host) FILTER (is_guest AND cpus IS NULL) AS without_cpus
FROM (SELECT *, kind NOT IN ('hypervisor', 'load-driver', 'storage') AS is_guest FROM host_size)
GROUP BY run_id
HAVING count(*) FILTER (kind = 'hypervisor') > 0 AND count(*) FILTER (is_guest) > 0
