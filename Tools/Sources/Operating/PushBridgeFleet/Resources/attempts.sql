-- One row for each attempt. If several events have the same attempt_id, each value is their maximum or minimum. So the
-- number and the order of arrivals do not change the row; if the events differ, the worst outcome counts.
DROP TABLE IF EXISTS attempts;

CREATE TABLE attempts AS
SELECT
    e.attempt_id,
    e.attempt,
    e.step,
    CASE
        -- The time limit ended a rehearsal or a comparison, and every record that it read arrives and is proven.
        WHEN e.severity = {severityOfPartial} AND e.step IN ('rehearse', 'compare') AND t.attempt_id IS NULL
            AND COALESCE(r.refused, 0) = 0 AND COALESCE(r.unreadable, 0) = 0 THEN 'outOfTime'
        ELSE CASE e.severity {outcomesBySeverity} END
    END AS outcome,
    e.duration,
    e.app_version,
    e.system_version,
    e.day,
    e.guard_held,
    e.records,
    -- 1 if a record arrived and was not proven.
    COALESCE(t.unproven, 0) AS unproven,
    -- 1 if a record did not arrive, and the legacy record is not the reason.
    COALESCE(r.refused, 0) AS refused,
    -- 1 if a record did not arrive because of the legacy record.
    COALESCE(r.unreadable, 0) AS unreadable
FROM (
    SELECT
        attempt_id,
        MAX(attempt) AS attempt,
        MAX(step) AS step,
        MAX(CASE outcome {severities} END) AS severity,
        MIN(duration) AS duration,
        MAX(app_version) AS app_version,
        MAX(system_version) AS system_version,
        MAX(day) AS day,
        MAX(guard_held) AS guard_held,
        MAX(records) AS records
    FROM events
    GROUP BY attempt_id
) AS e
LEFT JOIN (
    SELECT attempt_id, MAX(CASE WHEN proven = 0 AND outcome IN ({arrived}) THEN 1 ELSE 0 END) AS unproven
    FROM event_troubles
    GROUP BY attempt_id
) AS t ON t.attempt_id = e.attempt_id
LEFT JOIN (
    SELECT
        attempt_id,
        -- All other codes, including unknown ones, are faults of the migration.
        MAX(CASE WHEN code IN ({harmless}) THEN 0 ELSE 1 END) AS refused,
        MAX(CASE WHEN code IN ({unreadable}) THEN 1 ELSE 0 END) AS unreadable
    FROM event_reasons
    GROUP BY attempt_id
) AS r ON r.attempt_id = e.attempt_id;
