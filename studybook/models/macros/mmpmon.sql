-- Whether a difference below 0 cannot be of a counter of 32 bits that wrapped: it fell by too
-- little, or would have risen at a rate that no node can reach.
CREATE OR REPLACE MACRO no_wrap(x, interval_s) AS
    x BETWEEN -2147483648 AND -1 OR (x < 0 AND x + 4294967296 > 1e6 * interval_s);

CREATE OR REPLACE MACRO mib_s(bytes, interval_s) AS bytes / 1048576.0 / interval_s;

CREATE OR REPLACE MACRO mean_kib(bytes, requests) AS bytes / 1024.0 / nullif(requests, 0);

CREATE OR REPLACE MACRO mmpmon_rc(rc) AS CASE rc
    WHEN 0 THEN 'ok'
    WHEN 1 THEN 'no file system mounted, or the histogram not enabled'
    WHEN 2 THEN 'node name not known'
    WHEN 13 THEN 'node of a remote cluster'
    WHEN 16 THEN 'histogram lock is busy'
    WHEN 17 THEN 'node already in the list'
    WHEN 22 THEN 'ranges of the histogram not valid'
    WHEN 233 THEN 'node not joined to the cluster'
    WHEN 668 THEN 'quorum lost'
    ELSE 'return code ' || rc END;
