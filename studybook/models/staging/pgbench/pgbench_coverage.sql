-- What the loading report says of each file of pgbench that has times.
FROM progress_coverage('progress_interval', 'pgbench')
