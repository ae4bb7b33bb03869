-- What the loading report says of each host in each file of PCP.
FROM coverage_of('pcp_measured')
