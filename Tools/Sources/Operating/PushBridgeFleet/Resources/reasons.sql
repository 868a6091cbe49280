-- The reasons why records did not arrive or attempts failed, by {grouping}; the most frequent reason comes first.
-- CROSS JOIN prevents SQLite, which does not know the sizes of the tables, from reading all attempts for each row; other
-- engines choose the order themselves.
SELECT
    {a.columns}, r.code,
    CAST(COUNT(*) AS BIGINT) AS attempts,
    CAST(SUM(r.records) AS BIGINT) AS records
FROM attempts AS a
CROSS JOIN (
    SELECT attempt_id, code, MAX(records) AS records
    FROM event_reasons
    GROUP BY attempt_id, code
) AS r
WHERE a.attempt_id = r.attempt_id
GROUP BY {a.columns}, r.code
ORDER BY COUNT(*) DESC, {a.columns}, r.code;
