-- Load drivers that log single samples, other than JMeter, whose samples may be sums of several
-- and parts of others (10_jtl.sql): what follows from them for intervals of 10 seconds.
FROM k6_ended
UNION ALL BY NAME
FROM gatling_ended
