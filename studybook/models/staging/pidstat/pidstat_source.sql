-- One row per report of pidstat: its host, and how its times become UTC.
FROM source_of('pidstat_report')
