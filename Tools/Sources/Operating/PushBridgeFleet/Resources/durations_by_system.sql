-- The durations of attempts, by system version.
SELECT step, app_version, system_version, duration, CAST(COUNT(*) AS BIGINT) AS attempts
FROM attempts
WHERE outcome <> 'held'
GROUP BY step, app_version, system_version, duration
ORDER BY step, app_version, system_version, duration;
