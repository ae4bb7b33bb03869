-- Network interfaces of the hosts: one row for each output in which an interface is, with its
-- counters so far. What lsqeth says of it comes from the same host, or, where no host is known,
-- from the same file; of several outputs the last counts. An interface that only lsqeth shows
-- has no MTU. To compare MTUs along a path: count(DISTINCT mtu_bytes) of the run's interfaces.
WITH interface AS (
    SELECT
        c.run_id, i.file_id, coalesce(c.host, i.host) AS host, i.capture_no, i.line,
        i.interface, i.command, i.kind, i.mac, i.mtu_bytes, i.state, i.flags, i.up, i.queue_length,
        coalesce(c.host, i.host, 'file ' || i.file_id) AS machine
    FROM linux_interface i
    JOIN file_clock c USING (file_id)
),
qeth AS (
    SELECT
        c.run_id, q.file_id, coalesce(c.host, q.host) AS host, q.capture_no, q.line, q.interface,
        q.buffer_count, q.card_type, q.layer2, q.isolation, q.portname,
        coalesce(c.host, q.host, 'file ' || q.file_id) AS machine
    FROM linux_qeth q
    JOIN file_clock c USING (file_id)
    QUALIFY row_number() OVER (
        PARTITION BY c.run_id, machine, q.interface ORDER BY q.file_id DESC, q.line DESC
    ) = 1
),
counter AS (
    SELECT
        file_id, capture_no, interface,
        any_value(packets) FILTER (direction = 'rx') AS rx_packets,
        any_value(bytes) FILTER (direction = 'rx') AS rx_bytes,
        any_value(errors) FILTER (direction = 'rx') AS rx_errors,
        any_value(dropped) FILTER (direction = 'rx') AS rx_dropped,
        any_value(packets) FILTER (direction = 'tx') AS tx_packets,
        any_value(bytes) FILTER (direction = 'tx') AS tx_bytes,
        any_value(errors) FILTER (direction = 'tx') AS tx_errors,
        any_value(dropped) FILTER (direction = 'tx') AS tx_dropped
    FROM linux_interface_counter
    GROUP BY ALL
),
address AS (
    SELECT
        file_id, capture_no, interface,
        string_agg(address || coalesce('/' || prefix_length, ''), ', ' ORDER BY line) AS addresses
    FROM linux_address
    GROUP BY ALL
)
SELECT
    run_id,
    coalesce(i.file_id, q.file_id) AS file_id,
    coalesce(i.host, q.host) AS host,
    interface,
    coalesce(i.capture_no, q.capture_no) AS capture_no,
    i.command, i.kind, i.mac, i.mtu_bytes, i.state, i.flags, i.up, i.queue_length, a.addresses,
    q.buffer_count, q.card_type, q.layer2, q.isolation, q.portname,
    n.rx_packets, n.rx_bytes, n.rx_errors, n.rx_dropped,
    n.tx_packets, n.tx_bytes, n.tx_errors, n.tx_dropped
FROM interface i
FULL JOIN qeth q USING (run_id, machine, interface)
LEFT JOIN counter n
    ON n.file_id = i.file_id AND n.capture_no = i.capture_no AND n.interface = i.interface
LEFT JOIN address a
    ON a.file_id = i.file_id AND a.capture_no = i.capture_no AND a.interface = i.interface
