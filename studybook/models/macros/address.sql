-- Whether an address or name is of loopback: 127.0.0.0/8, ::1, localhost under its names.
CREATE OR REPLACE MACRO is_loopback(remote) AS
    regexp_full_match(
        lower(remote::VARCHAR),
        '127(\.[0-9]{1,3}){3}|::1|(ip6-)?localhost[46]?(\.localdomain[46]?)?|ip6-loopback'
    );

-- Whether two names are of one host. Where one has no domain, its name has to do; an address has none.
CREATE OR REPLACE MACRO is_same_host(one, other) AS
    lower(one::VARCHAR) = lower(other::VARCHAR)
    OR (
        (position('.' IN one::VARCHAR) = 0 OR position('.' IN other::VARCHAR) = 0)
        AND split_part(lower(one::VARCHAR), '.', 1) = split_part(lower(other::VARCHAR), '.', 1)
        AND NOT regexp_matches(one::VARCHAR || ' ' || other::VARCHAR, '(^| )[0-9.]+( |$)|:')
    );
