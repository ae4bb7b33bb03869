-- One row per report of nmon: its host, and how its times become UTC.
FROM source_of('nmon_named')
