-- One row per recording of collectl: its host, and how its times become UTC.
FROM source_of('collectl_report')
