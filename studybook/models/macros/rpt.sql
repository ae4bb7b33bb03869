-- The mean of interval means, each weighted by how many it is the mean of; NULL where that is
-- not known. An unweighted mean of means would give an interval of one page the weight of one of
-- a hundred.
CREATE OR REPLACE MACRO weighted_mean(mean, n) AS
    sum(mean * n) / nullif(sum(n) FILTER (mean IS NOT NULL), 0);

-- Milliseconds in a unit of time; NULL for any other unit.
CREATE OR REPLACE MACRO ms_in(unit) AS CASE unit WHEN 'ms' THEN 1 WHEN 's' THEN 1000 END;
