-- Attempts and attempts with problems, by release, day and attempt number. Only a phone's first three attempts count.
-- Otherwise, a phone that fails at every launch would outweigh the phones that have migrated and send no more events.
SELECT
    step, app_version, day, attempt,
    CAST(SUM(CASE WHEN outcome = 'held' THEN 0 ELSE 1 END) AS BIGINT) AS attempts,
    CAST(SUM(CASE WHEN outcome IN ({failed}) THEN 1 ELSE 0 END) AS BIGINT) AS failed,
    CAST(SUM(unproven) AS BIGINT) AS unproven,
    CAST(SUM(CASE WHEN outcome IN ({incomplete}) THEN refused ELSE 0 END) AS BIGINT) AS refused,
    CAST(SUM(CASE WHEN outcome IN ({incomplete}) THEN unreadable ELSE 0 END) AS BIGINT) AS unreadable,
    CAST(SUM(CASE WHEN outcome = 'locked' THEN 1 ELSE 0 END) AS BIGINT) AS locked,
    CAST(SUM(CASE WHEN outcome = 'held' THEN 1 ELSE 0 END) AS BIGINT) AS held,
    CAST(SUM(CASE WHEN duration IN ('under1min', 'longer') THEN 1 ELSE 0 END) AS BIGINT) AS slow
FROM attempts
WHERE attempt <= 3
GROUP BY step, app_version, day, attempt
ORDER BY step, app_version, day, attempt;
