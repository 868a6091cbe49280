-- Each phone's first three attempts, by system version, day and attempt number. Versions with fewer than 500 of these
-- attempts are omitted, because so few attempts cannot show a trend.
SELECT
    step, app_version, system_version, day, attempt,
    CAST(SUM(CASE WHEN outcome = 'held' THEN 0 ELSE 1 END) AS BIGINT) AS attempts,
    CAST(SUM(CASE WHEN outcome IN ({failed}) THEN 1 ELSE 0 END) AS BIGINT) AS failed,
    CAST(SUM(unproven) AS BIGINT) AS unproven,
    CAST(SUM(CASE WHEN outcome IN ({incomplete}) THEN refused ELSE 0 END) AS BIGINT) AS refused,
    CAST(SUM(CASE WHEN outcome IN ({incomplete}) THEN unreadable ELSE 0 END) AS BIGINT) AS unreadable,
    CAST(SUM(CASE WHEN outcome = 'locked' THEN 1 ELSE 0 END) AS BIGINT) AS locked,
    CAST(SUM(CASE WHEN outcome = 'held' THEN 1 ELSE 0 END) AS BIGINT) AS held,
    CAST(SUM(CASE WHEN duration IN ('under1min', 'longer') THEN 1 ELSE 0 END) AS BIGINT) AS slow
FROM (
    SELECT a.*
    FROM (
        SELECT step, app_version, system_version
        FROM attempts
        WHERE attempt <= 3
        GROUP BY step, app_version, system_version
        HAVING COUNT(*) >= 500
    ) AS large
    JOIN attempts AS a ON a.step = large.step AND a.app_version = large.app_version AND a.system_version = large.system_version
    WHERE a.attempt <= 3
) AS first_attempts
GROUP BY step, app_version, system_version, day, attempt
ORDER BY step, app_version, system_version, day, attempt;
