-- One row per output of PCP: its host, and how its times become UTC.
FROM source_of('pcp_report')
