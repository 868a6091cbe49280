-- The durations of attempts.
SELECT step, app_version, duration, CAST(COUNT(*) AS BIGINT) AS attempts
FROM attempts
WHERE outcome <> 'held'
GROUP BY step, app_version, duration
ORDER BY step, app_version, duration;
