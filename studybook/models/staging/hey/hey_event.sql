-- Responses that say that something failed, one row for all with the same status.
SELECT
    file_id, host, min(end_utc) AS time_utc, 'requests failed' AS kind,
    concat_ws(
        ': ', count(*) || coalesce(' of ' || label, ''), code, arg_min(message, line)
    ) || if(count(*) > 1,
            '; the last at ' || strftime(max(end_utc), '%Y-%m-%d %H:%M:%S') || ' UTC', '') AS text
FROM hey_ended
WHERE has_failed
GROUP BY file_id, host, label, code
