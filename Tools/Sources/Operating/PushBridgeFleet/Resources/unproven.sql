-- Records that arrived but were not proven.
-- The query for the reasons why records did not arrive explains CROSS JOIN.
SELECT
    a.step, a.app_version, a.system_version, t.kind, t.outcome,
    CAST(COUNT(*) AS BIGINT) AS attempts,
    CAST(SUM(t.records) AS BIGINT) AS records
FROM attempts AS a
CROSS JOIN (
    SELECT attempt_id, kind, outcome, MAX(records) AS records
    FROM event_troubles
    WHERE proven = 0 AND outcome IN ({arrived})
    GROUP BY attempt_id, kind, outcome
) AS t
WHERE a.attempt_id = t.attempt_id
GROUP BY a.step, a.app_version, a.system_version, t.kind, t.outcome
ORDER BY a.step, a.app_version, a.system_version, t.kind, t.outcome;
