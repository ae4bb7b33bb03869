-- One row per report of mpstat: its host, and how its times become UTC.
FROM source_of('mpstat_report')
