-- Processors and memory of each host, as run.yml says. A database that was loaded before
-- run.yml had them lacks the columns.
FROM host
UNION ALL BY NAME
SELECT NULL::INTEGER AS cpus, NULL::BIGINT AS memory_mib WHERE false
