-- Milliseconds in a unit of time; NULL for any other unit.
CREATE OR REPLACE MACRO ms_in(unit) AS CASE unit WHEN 'ms' THEN 1 WHEN 's' THEN 1000 END;
