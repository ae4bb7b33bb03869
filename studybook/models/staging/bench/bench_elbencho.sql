-- Phases of elbencho as a whole, to the end of the last thread.
SELECT
    f.run_id, p.file_id, p.operation, p.hosts, p.threads, p.block_size_bytes, p.depth, p.direct,
    p.random, p.elapsed_last_s AS elapsed_s, p.entries_last_per_s AS entries_per_s,
    p.operations_last_per_s AS operations_per_s, p.rate_last_mib_s AS rate_mib_s,
    p.io_mean_us, p.entry_mean_us, p.line
FROM elbencho_phase p
JOIN raw_file f USING (file_id)
