-- The steps of pushes. Here, attempt_id identifies a step of a push. If several events have the same attempt_id, they count
-- once, and each value is their maximum.
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
