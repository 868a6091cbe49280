-- Outcomes by release and system version. An event names no phone. A phone has at most one attempt with each number, so the largest
-- count of attempts with one number is the minimum number of phones. The guard holds back a phone once per release.
SELECT o.step, o.app_version, o.system_version, o.outcome, o.attempts, o.phones, g.phones AS of_phones
FROM (
    SELECT
        step, app_version, system_version, outcome,
        CAST(SUM(attempts) AS BIGINT) AS attempts,
        CAST(CASE WHEN outcome = 'held' THEN SUM(attempts) ELSE MAX(attempts) END AS BIGINT) AS phones
    FROM (
        SELECT step, app_version, system_version, outcome, attempt, COUNT(*) AS attempts
        FROM attempts
        GROUP BY step, app_version, system_version, outcome, attempt
    ) AS numbered
    GROUP BY step, app_version, system_version, outcome
) AS o
JOIN (
    SELECT step, app_version, system_version, CAST(MAX(attempts) AS BIGINT) AS phones
    FROM (
        SELECT step, app_version, system_version, attempt, SUM(CASE WHEN outcome = 'held' THEN 0 ELSE 1 END) AS attempts
        FROM attempts
        GROUP BY step, app_version, system_version, attempt
    ) AS numbered
    GROUP BY step, app_version, system_version
) AS g ON g.step = o.step AND g.app_version = o.app_version AND g.system_version = o.system_version
ORDER BY o.step, o.app_version, o.system_version, o.outcome;
