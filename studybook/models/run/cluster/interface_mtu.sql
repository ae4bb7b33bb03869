-- The MTU of each interface that is up and no loopback, with its IPv4 network, if its address was
-- captured. machine: the host, or the file where no host is known.
SELECT DISTINCT
    i.run_id, coalesce(i.host, 'file ' || f.name) AS machine, i.interface, i.mtu_bytes, a.address,
    if(regexp_full_match(a.address, '([0-9]{1,3}\.){3}[0-9]{1,3}'),
        ipv4_network(a.address, a.prefix_length), NULL) AS network
FROM network_interface i
JOIN raw_file f USING (file_id)
LEFT JOIN linux_address a
    ON a.file_id = i.file_id AND a.capture_no = i.capture_no AND a.interface = i.interface
    AND a.family = 'inet'
WHERE i.mtu_bytes IS NOT NULL AND coalesce(i.up, true)
    AND i.interface <> 'lo' AND NOT lower(coalesce(i.kind, '')) LIKE '%loopback%'
