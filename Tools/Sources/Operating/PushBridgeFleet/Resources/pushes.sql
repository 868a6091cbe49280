-- The steps of pushes, each counted once; they belong to no attempt. If several events have the same attempt_id, each value is their maximum.
SELECT app_version, kind, result, delay, CAST(COUNT(*) AS BIGINT) AS pushes
FROM (
    SELECT
        attempt_id,
        MAX(app_version) AS app_version,
        MAX(kind) AS kind,
        MAX(result) AS result,
        MAX(delay) AS delay
    FROM push_events
    GROUP BY attempt_id
) AS steps
GROUP BY app_version, kind, result, delay
ORDER BY app_version, kind, result, delay;
