-- What the loading report says of each host in each file of nmon.
FROM coverage_of('nmon_snapshot')
