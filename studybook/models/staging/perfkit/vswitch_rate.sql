-- Traffic of virtual switches (the real side) and of the guests' network adapters. What goes from
-- guest to guest on a switch is in the latter only, and there twice: once out, once in.
SELECT
    run_id, file_id, host, time_utc, interval_s,
    CASE report WHEN 'FCX240' THEN 'switch' ELSE 'adapter' END AS side,
    name['name'] AS vswitch, name['userid'] AS userid, name['address'] AS address,
    number['out_bytes_per_s'] / 1048576 AS out_mib_s,
    number['in_bytes_per_s'] / 1048576 AS in_mib_s,
    number['out_packets_per_s'] AS out_packets_per_s,
    number['in_packets_per_s'] AS in_packets_per_s,
    number['out_discards_per_s'] AS out_discards_per_s,
    number['in_discards_per_s'] AS in_discards_per_s
FROM perfkit_row
WHERE NOT mean_row AND report IN ('FCX240', 'FCX266')
