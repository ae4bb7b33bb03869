-- An IPv4 address as a number, and the network that it is in.
CREATE OR REPLACE MACRO ipv4_number(address) AS
    list_reduce(
        list_transform(string_split(address, '.'), lambda x: try_cast(x AS UBIGINT)),
        lambda a, b: a * 256 + b
    );

CREATE OR REPLACE MACRO ipv4_network(address, prefix_length) AS
    array_to_string(
        list_transform(
            [24, 16, 8, 0],
            lambda shift: ((ipv4_number(address) >> (32 - prefix_length) << (32 - prefix_length))
                >> shift) & 255
        ), '.'
    ) || '/' || prefix_length;
