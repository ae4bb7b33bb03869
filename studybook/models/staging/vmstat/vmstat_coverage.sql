-- What the loading report says of each host in each file of vmstat.
FROM coverage_of('vmstat_interval')
