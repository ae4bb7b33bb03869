-- One row per report of iostat: its host, and how its times become UTC.
FROM source_of('iostat_report')
