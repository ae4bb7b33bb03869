-- What the loading report says of each host in each file of collectl.
FROM coverage_of('collectl_value')
