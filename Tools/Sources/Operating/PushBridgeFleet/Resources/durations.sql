-- The durations of attempts by {grouping}.
SELECT {columns}, duration, CAST(COUNT(*) AS BIGINT) AS attempts
FROM attempts
WHERE outcome <> 'held'
GROUP BY {columns}, duration
ORDER BY {columns}, duration;
