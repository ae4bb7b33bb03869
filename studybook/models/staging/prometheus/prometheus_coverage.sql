-- What the loading report says of each host in each file of Prometheus.
FROM coverage_of('prometheus_value')
