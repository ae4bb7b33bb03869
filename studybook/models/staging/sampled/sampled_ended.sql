-- Single samples of load drivers other than JMeter, whose samples may be sums of several and parts
-- of others.
FROM k6_ended
UNION ALL BY NAME
FROM gatling_ended
UNION ALL BY NAME
FROM vegeta_ended
UNION ALL BY NAME
FROM hey_ended
