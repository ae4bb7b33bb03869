-- What the loading report says of each file of sysbench that has times.
FROM progress_coverage('progress_interval', 'sysbench')
