-- Counts as they are typed: 20000, or 20k for twenty thousand.
CREATE OR REPLACE MACRO setting_number(value) AS
    CASE
        WHEN regexp_full_match(value, '[0-9]+') THEN value::DOUBLE
        WHEN regexp_full_match(lower(value), '[0-9]+k') THEN value[:-2]::DOUBLE * 1000
        WHEN regexp_full_match(lower(value), '[0-9]+m') THEN value[:-2]::DOUBLE * 1000000
    END;

-- Bytes as people read them: 2 GiB, 512 MiB.
CREATE OR REPLACE MACRO binary_size(bytes) AS
    if(bytes % 1073741824 = 0, printf('%d GiB', (bytes // 1073741824)::BIGINT),
        printf('%.6g MiB', bytes / 1048576));

-- Nodes are named with their domain by one command and without by another.
CREATE OR REPLACE MACRO short_name(name) AS
    lower(if(regexp_full_match(name, '[0-9.:]+'), name, split_part(name, '.', 1)));

-- Whether a node belongs to a node class; NULL where no capture says so. User-defined classes are
-- known by their names only: what is named after NSDs or servers is taken for the servers.
CREATE OR REPLACE MACRO in_node_class(class, role, quorum, manager) AS
    CASE lower(class)
        WHEN 'all' THEN true
        WHEN 'nsdnodes' THEN role = 'server'
        WHEN 'nonnsdnodes' THEN role = 'client'
        WHEN 'quorumnodes' THEN quorum
        WHEN 'nonquorumnodes' THEN NOT quorum
        WHEN 'managernodes' THEN manager
        WHEN 'clientnodes' THEN NOT manager
        ELSE CASE
            WHEN regexp_matches(lower(class), 'client|compute') THEN role = 'client'
            WHEN regexp_matches(lower(class), 'nsd|server') THEN role = 'server'
        END
    END;
