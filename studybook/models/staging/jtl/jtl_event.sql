-- Failures, one row for all of a label with the same code; and where a clock was set back.
SELECT
    file_id, host, min(end_utc) AS time_utc, kind || 's failed' AS kind,
    concat_ws(
        ': ', sum(failed)::BIGINT || coalesce(' of ' || label, ''),
        nullif(concat_ws(' ', response_code, arg_min(response_message, line)), ''),
        arg_min(failure_message, line)
    ) || coalesce(
        if(sum(failed) > 1,
           '; the last at ' || strftime(max(end_utc), '%Y-%m-%d %H:%M:%S') || ' UTC', NULL), ''
    ) AS text
FROM jtl_ended
WHERE failed > 0
GROUP BY file_id, host, kind, label, response_code
UNION ALL
SELECT
    file_id, host, min(begin_utc), 'clock set back', 'the times from here on had been printed before'
FROM jtl_ended
WHERE set_back
GROUP BY file_id, host
