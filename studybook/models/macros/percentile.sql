-- The least response time that so large a part of all samples does not exceed.
CREATE OR REPLACE MACRO rank_at(value, up_to, of_all, part) AS
    (min(value) FILTER (up_to >= part * of_all))::DOUBLE;
