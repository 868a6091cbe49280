-- Why records did not arrive or attempts failed, by frequency.
-- CROSS JOIN keeps SQLite, which knows nothing of the sizes, from going through all attempts for each row; the other engines
-- join as they like.
SELECT
    a.step, a.app_version, r.code,
    CAST(COUNT(*) AS BIGINT) AS attempts,
    CAST(SUM(r.records) AS BIGINT) AS records
FROM attempts AS a
CROSS JOIN (
    SELECT attempt_id, code, MAX(records) AS records
    FROM event_reasons
    GROUP BY attempt_id, code
) AS r
WHERE a.attempt_id = r.attempt_id
GROUP BY a.step, a.app_version, r.code
ORDER BY COUNT(*) DESC, a.step, a.app_version, r.code;
