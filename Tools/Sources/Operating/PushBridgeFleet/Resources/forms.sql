-- By release and day: the number of attempts, and the largest number of attempts that are equal in system version, outcome,
-- duration and number of records. The attempts of different phones usually differ in these columns.
SELECT step, app_version, day, CAST(MAX(attempts) AS BIGINT) AS alike, CAST(SUM(attempts) AS BIGINT) AS attempts
FROM (
    SELECT step, app_version, day, system_version, outcome, duration, records, COUNT(*) AS attempts
    FROM attempts
    GROUP BY step, app_version, day, system_version, outcome, duration, records
) AS forms
GROUP BY step, app_version, day
ORDER BY step, app_version, day;
