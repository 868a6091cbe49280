-- Attempts that ended without an outcome, and phones that the guard holds back.
SELECT
    app_version, system_version,
    CAST(SUM(CASE WHEN outcome = 'interrupted' THEN 1 ELSE 0 END) AS BIGINT) AS interrupted,
    CAST(SUM(CASE WHEN outcome = 'held' THEN 1 ELSE 0 END) AS BIGINT) AS held
FROM attempts
WHERE outcome IN ('interrupted', 'held')
GROUP BY app_version, system_version
ORDER BY app_version, system_version;
