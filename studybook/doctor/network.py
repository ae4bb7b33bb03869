"""Advice on the network: one MTU along a path, jumbo frames, buffers of the interfaces."""

from __future__ import annotations

from studybook.doctor.check import SETUP_GUIDE, Check

CHECKS = (
    Check(
        id="one-mtu",
        title="All interfaces of a network have one MTU",
        advice=(
            "Large packets help where the whole network takes them. Set one MTU on all interfaces"
            " of a network; the smallest on a path is what counts."
        ),
        place="“Jumbo frames”, chapter 5",
        source="linux",
        table="linux_interface",
        capture="ifconfig or ip",
        sql="""
            WITH by_mtu AS (
                SELECT
                    run_id, network, mtu_bytes, count(DISTINCT machine) AS machines,
                    string_agg(DISTINCT machine || ' ' || interface, ', '
                        ORDER BY machine || ' ' || interface) AS names,
                    list(DISTINCT machine) AS list_of_machines
                FROM interface_mtu
                GROUP BY run_id, network, mtu_bytes
            )
            SELECT
                run_id, coalesce('network ' || network, 'network not known') AS subject,
                string_agg(mtu_bytes || ' bytes on '
                    || if(machines > 3, machines || ' hosts', names), '; '
                    ORDER BY machines DESC, mtu_bytes) AS found,
                'one MTU' AS wanted,
                if(len(list_distinct(flatten(list(list_of_machines)))) > 1 AND network IS NOT NULL,
                    count(*) = 1, NULL) AS ok
            FROM by_mtu
            GROUP BY run_id, network
        """,
    ),
    Check(
        id="mtu-to-driver",
        title="The load driver has the MTU of the system under test",
        advice=(
            "Packets to and from hosts outside are as large as the smaller MTU of the two lets them"
            " be. Best is one MTU everywhere; where the LAN does not take jumbo frames, having them"
            " between the guests only is nearly as good: responses took 5 % longer."
        ),
        place="“Only enabling jumbo frames for z/VM virtual networking”, chapter 5; Figure 18",
        source="linux",
        table="linux_interface",
        capture="ifconfig or ip",
        sql="""
            WITH side AS (
                SELECT
                    i.run_id, h.host IS NOT NULL AS is_driver,
                    list_sort(list(DISTINCT i.mtu_bytes)) AS mtus
                FROM interface_mtu i
                LEFT JOIN host h
                    ON h.run_id = i.run_id AND h.host = i.machine AND h.kind = 'load-driver'
                GROUP BY ALL
            )
            SELECT
                s.run_id, 'MTU outside' AS subject,
                'guests ' || array_to_string(s.mtus, ', ') || ' bytes, driver ' || coalesce(
                    array_to_string(d.mtus, ', ') || ' bytes', 'not captured'
                ) AS found,
                'the same' AS wanted, s.mtus = d.mtus AS ok
            FROM (FROM side WHERE NOT is_driver) s
            LEFT JOIN (FROM side WHERE is_driver) d ON d.run_id = s.run_id
            WHERE s.run_id IN (SELECT run_id FROM host WHERE kind = 'load-driver')
        """,
    ),
    Check(
        id="jumbo-frames",
        title="NSD servers and clients use jumbo frames",
        advice=(
            "Blocks of the file system cross the network between NSD servers and clients. With an"
            " MTU of 8192 in the place of 1492, packets became fewer by more than half, response"
            " times fell to those of shared disks, and 1.7 IFLs were saved."
        ),
        place="“Spectrum Scale network block I/O”, chapter 5; Figures 15 to 17",
        source="linux",
        table="linux_interface",
        capture="ifconfig or ip",
        sql="""
            WITH node AS (
                -- The interface that has the node's address in the cluster, or else any of the host
                SELECT
                    n.run_id, n.node,
                    coalesce(
                        min(i.mtu_bytes) FILTER (i.address = n.ip_address), min(i.mtu_bytes)
                    ) AS mtu_bytes
                FROM cluster_node n
                LEFT JOIN interface_mtu i
                    ON i.run_id = n.run_id
                    AND (i.address = n.ip_address OR short_name(i.machine) = short_name(n.node))
                WHERE n.run_id IN (SELECT run_id FROM nsd_server)
                GROUP BY n.run_id, n.node
            )
            SELECT
                run_id, 'nodes of the cluster' AS subject,
                concat_ws('; ',
                    string_agg(DISTINCT mtu_bytes::VARCHAR, ', ') || ' bytes',
                    'not captured: ' || if(count(*) FILTER (mtu_bytes IS NULL) > 3,
                        count(*) FILTER (mtu_bytes IS NULL) || ' nodes',
                        string_agg(node, ', ' ORDER BY node) FILTER (mtu_bytes IS NULL))
                ) AS found,
                'an MTU of more than 1500 bytes' AS wanted,
                CASE
                    WHEN bool_or(mtu_bytes <= 1500) THEN false
                    WHEN count(mtu_bytes) = count(*) THEN true
                END AS ok
            FROM node
            GROUP BY run_id
        """,
    ),
    Check(
        id="vswitch",
        title="Guests of z/VM are connected by a VSWITCH",
        advice=(
            "Connect the guests by a VSWITCH, with each other and with what is outside: it is fast,"
            " and the way that is recommended. Their devices are then virtual, of the type QDIO;"
            " those of a guest LAN look the same."
        ),
        place="“Virtual Networking” in “z/VM setup”; “Networking” in “Linux setup”",
        document=SETUP_GUIDE,
        source="linux",
        table="linux_qeth",
        capture="lsqeth",
        sql="""
            WITH by_type AS (
                SELECT
                    run_id, card_type, count(*) AS devices,
                    regexp_matches(card_type, '^(GuestLAN|Virt\\.NIC) QDIO') AS ok,
                    string_agg(coalesce(host || ' ', '') || interface, ', '
                        ORDER BY host, interface) AS names
                FROM (
                    SELECT DISTINCT run_id, host, interface, card_type
                    FROM network_interface
                    WHERE card_type IS NOT NULL
                )
                GROUP BY run_id, card_type
            )
            SELECT
                run_id, 'card_type' AS subject,
                string_agg(card_type || ' on '
                    || if(devices > 3, devices || ' devices', names), '; '
                    ORDER BY devices DESC, card_type) AS found,
                'virtual devices of the type QDIO' AS wanted,
                CASE
                    WHEN bool_and(ok) THEN true
                    -- Without z/VM there are no guests to connect.
                    WHEN bool_or(ok) OR run_id IN (
                        SELECT run_id FROM host WHERE kind = 'hypervisor'
                    ) THEN false
                END AS ok
            FROM by_type
            GROUP BY run_id
        """,
    ),
    Check(
        id="qeth-buffers",
        title="Network devices have 128 buffers for what comes in",
        advice=(
            "Raise buffer_count of the qeth devices from its default of 64 to 128 (attribute of the"
            " device, by a udev rule), on every server."
        ),
        place="“Networking” in “Linux setup”",
        document=SETUP_GUIDE,
        source="linux",
        table="linux_qeth",
        capture="lsqeth",
        sql="""
            WITH by_count AS (
                SELECT
                    run_id, buffer_count, count(*) AS devices,
                    string_agg(coalesce(host || ' ', '') || interface, ', '
                        ORDER BY host, interface) AS names
                FROM (
                    SELECT DISTINCT run_id, host, interface, buffer_count
                    FROM network_interface
                    WHERE buffer_count IS NOT NULL
                )
                GROUP BY run_id, buffer_count
            )
            SELECT
                run_id, 'buffer_count' AS subject,
                string_agg(buffer_count || ' on '
                    || if(devices > 3, devices || ' devices', names), '; '
                    ORDER BY devices DESC, buffer_count) AS found,
                'at least 128' AS wanted, min(buffer_count) >= 128 AS ok
            FROM by_count
            GROUP BY run_id
        """,
    ),
)
