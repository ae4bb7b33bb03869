-- Processors and memory of each host, as run.yml says.
FROM host
