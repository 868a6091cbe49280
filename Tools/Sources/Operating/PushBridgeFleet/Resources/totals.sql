-- The numbers of events that arrived, of attempts (repeated events count once), and of the attempts' records.
SELECT
    (SELECT CAST(COUNT(*) AS BIGINT) FROM events) AS events,
    CAST(COUNT(*) AS BIGINT) AS attempts,
    CAST(COALESCE(SUM(records), 0) AS BIGINT) AS records
FROM attempts;
