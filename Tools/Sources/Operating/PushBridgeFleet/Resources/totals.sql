-- Events that arrived, attempts after those that came twice were counted once, and the records of the attempts.
SELECT
    (SELECT CAST(COUNT(*) AS BIGINT) FROM events) AS events,
    CAST(COUNT(*) AS BIGINT) AS attempts,
    CAST(COALESCE(SUM(records), 0) AS BIGINT) AS records
FROM attempts;
