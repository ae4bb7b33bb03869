-- Laws that exports of the same run must obey together.
--
-- A law sets two numbers from different exports against each other, and says between which bounds
-- their ratio must lie; NULL is no bound. What is counted twice must agree. Elsewhere one number is
-- a bound of the other: what no export shows must then have room; because says for what. slack is
-- what the digits of the exports may hide, in the unit of the two numbers: it counts where they are
-- small. left_needs and right_needs are the exports that the two numbers come from.
SELECT row_number() OVER () AS place, * FROM (VALUES
    ('Guests and CP make up the system', 'IFL', 0.98, 1.02, 0.03,
     'sum of guests and CP itself', 'USER or USERLOG, and PROCLOG or PRCLOG',
     'system', 'SYSSUMLG or another total',
     'The hypervisor (CP) counts its own time apart, as that of no guest; rounding.'),
    ('Guests fit into the system', 'IFL', 0.8, 1.01, 0.03,
     'sum of guests', 'USER or USERLOG', 'system', 'SYSSUMLG or another total',
     'Where CP itself is not in an export: its time is all that the guests leave.'),
    ('Totals of z/VM agree', 'IFL', 0.98, 1.02, 0.03,
     'another report', 'a second total', 'system', 'SYSSUMLG or another total',
     'Several reports count the same processors; rounding.'),
    ('PR/SM counts what z/VM counts', 'IFL', 0.98, 1.1, 0.03,
     'partition', 'LPAR or LPARLOG', 'system', 'SYSSUMLG or another total',
     'The machine adds what it needs itself to run the partition.'),
    ('All of Linux fits into the system', 'IFL', 0.75, 1.01, 0.03,
     'sum of hosts by sar', 'sar of processors',
     'system, less CP itself and guests without sar', 'SYSSUMLG or another total',
     'Linux does not see what CP does on behalf of its guest, for packets and disks.'),
    ('Linux fits into its guest', 'IFL', 0.5, 1.02, 0.002,
     'host by sar', 'sar of processors', 'guest by z/VM', 'USER or USERLOG',
     'The same for each host: for one that mainly passes packets on, CP may do nearly half.'),
    ('sar and z/VM count the same packets', '1/s', 0.97, 1.03, 0.1,
     'by sar', 'sar of the network', 'by z/VM', 'GVNIC',
     'They count at both ends of one adapter; small rates have few digits.'),
    ('sar and z/VM count the same bytes', 'MiB/s', 0.9, 1.1, 0.00002,
     'by sar', 'sar of the network', 'by z/VM', 'GVNIC',
     'One may count frame headers that the other leaves out: much of a small packet.'),
    ('No packet is larger than the MTU', 'bytes', NULL, 1.0, 0,
     'mean packet', 'sar of the network', 'MTU and frame header', 'the MTU',
     'Ethernet adds 14 bytes, a VLAN 4 more. Where an adapter cuts segments (TSO), Linux counts them '
     || 'uncut, and this is no law.'),
    ('No packet is smaller than its headers', 'bytes', 1.0, NULL, 0,
     'mean packet', 'sar of the network', 'headers of IP and UDP', '',
     '20 bytes of IPv4 and 8 of UDP are the least.'),
    ('What is sent is received', 'MiB/s', 0.95, 1.05, 0,
     'sent by hosts and driver', 'sar of all hosts, and bytes of the load driver',
     'received by hosts and driver', 'sar of all hosts, and bytes of the load driver',
     'Hosts and load driver send to each other only; the driver counts no headers of packets.'),
    ('NSD servers send what they read', 'MiB/s', 0.97, 1.25, 0,
     'sent by servers', 'sar of the network', 'read from disk by servers', 'sar of disks',
     'A server reads on behalf of clients and keeps nothing for later; headers and messages add.'),
    ('NSD servers receive what they write', 'MiB/s', 0.97, 1.25, 0,
     'received by servers', 'sar of the network', 'written to disk by servers', 'sar of disks',
     'The same the other way: what a server writes came over the network.'),
    ('NSD clients receive what servers send', 'MiB/s', 0.98, NULL, 0,
     'received by clients', 'sar of the network of clients',
     'sent by servers', 'sar of the network of servers',
     'Clients receive from others, too: no upper bound.'),
    ('NSD clients send what servers receive', 'MiB/s', 0.98, NULL, 0,
     'sent by clients', 'sar of the network of clients',
     'received by servers', 'sar of the network of servers',
     'Clients send to others, too: no upper bound.'),
    ('What is written reaches the disks', 'MiB/s', 0.9, NULL, 0,
     'written to disk', 'sar of disks', 'written by applications', 'mmpmon',
     'A weak law: what is deleted or written over at once need not reach a disk. Whole blocks, logs '
     || 'and metadata add without bound.'),
    ('Users outnumber the requests in work', 'users', 0.99, NULL, 0,
     'users', 'users of the load driver',
     'X × R', 'throughput and response time of the load driver',
     'N ≥ X × R: nobody waits for two answers at a time; the think time cannot be negative.'),
    ('Users think as in the other runs', 'users', 0.98, 1.02, 0,
     'X × (R + Z)', 'throughput and response time of the load driver', 'users',
     'users of the load driver',
     'N = X × (R + Z). No export has the think time Z: taken is the median of what the law gives '
     || 'for the other runs with as many users. Four standard errors of the number of requests add.')
) t (
    law, unit, lowest, highest, slack, left_name, left_needs, right_name, right_needs, because
)
