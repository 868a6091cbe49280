-- Outcomes by release and day. An event names no phone. A phone has at most one attempt with each number, so the largest
-- count of attempts with one number is the minimum number of phones. The guard holds back a phone once per release.
SELECT o.step, o.app_version, o.day, o.outcome, o.attempts, o.phones, g.phones AS of_phones
FROM (
    SELECT
        step, app_version, day, outcome,
        CAST(SUM(attempts) AS BIGINT) AS attempts,
        CAST(CASE WHEN outcome = 'held' THEN SUM(attempts) ELSE MAX(attempts) END AS BIGINT) AS phones
    FROM (
        SELECT step, app_version, day, outcome, attempt, COUNT(*) AS attempts
        FROM attempts
        GROUP BY step, app_version, day, outcome, attempt
    ) AS numbered
    GROUP BY step, app_version, day, outcome
) AS o
JOIN (
    SELECT step, app_version, day, CAST(MAX(attempts) AS BIGINT) AS phones
    FROM (
        SELECT step, app_version, day, attempt, SUM(CASE WHEN outcome = 'held' THEN 0 ELSE 1 END) AS attempts
        FROM attempts
        GROUP BY step, app_version, day, attempt
    ) AS numbered
    GROUP BY step, app_version, day
) AS g ON g.step = o.step AND g.app_version = o.app_version AND g.day = o.day
ORDER BY o.step, o.app_version, o.day, o.outcome;
