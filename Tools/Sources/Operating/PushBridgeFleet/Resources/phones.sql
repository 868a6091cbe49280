-- The progress of phones, by attempt number. A column's largest value over all attempt numbers is the minimum number of phones,
-- also over several releases and system versions. Events with the outcome held are not counted, because the phone made no step.
SELECT
    app_version, system_version, attempt,
    CAST(SUM(CASE WHEN step = 'apply' THEN 1 ELSE 0 END) AS BIGINT) AS applied,
    CAST(SUM(CASE WHEN step = 'rehearse' THEN 1 ELSE 0 END) AS BIGINT) AS rehearsed,
    CAST(SUM(CASE WHEN step = 'apply' AND outcome IN ({moved}) THEN 1 ELSE 0 END) AS BIGINT) AS moved,
    CAST(SUM(CASE WHEN step = 'compare' THEN 1 ELSE 0 END) AS BIGINT) AS compared,
    CAST(SUM(CASE WHEN step = 'retire' AND outcome = 'complete' THEN 1 ELSE 0 END) AS BIGINT) AS retired
FROM attempts
WHERE outcome <> 'held'
GROUP BY app_version, system_version, attempt
ORDER BY app_version, system_version, attempt;
