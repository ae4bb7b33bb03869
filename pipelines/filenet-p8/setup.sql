-- The setup of each measured run by the names that figures use, from the factors of run.yml. cpus: of the
-- guest with both engines, and of the database. A factor that a run does not have is NULL.
SELECT
    run_id, origin,
    try_cast(factors['ce_pe_cpus'] AS INTEGER) AS ce_pe_cpus,
    try_cast(factors['db_cpus'] AS INTEGER) AS db_cpus,
    factors['ce_pe_cpus'] || '-' || factors['db_cpus'] AS cpus,
    try_cast(factors['load_level'] AS INTEGER) AS load_level,
    try_cast(factors['users'] AS INTEGER) AS users
FROM run_factors
WHERE kind = 'measurement'
