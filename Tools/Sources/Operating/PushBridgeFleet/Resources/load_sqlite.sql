-- Converts the lines to rows, for SQLite.

INSERT INTO events
SELECT
    lower(json_extract(line, '$.attemptId')),
    json_extract(line, '$.attempt'),
    json_extract(line, '$.step'),
    json_extract(line, '$.outcome'),
    CASE WHEN json_type(line, '$.duration') = 'text' THEN json_extract(line, '$.duration') ELSE 'none' END,
    CASE WHEN json_type(line, '$.source') = 'text' THEN json_extract(line, '$.source') ELSE 'other' END,
    CASE WHEN json_type(line, '$.versions.app') = 'text' AND length(json_extract(line, '$.versions.app')) <= 40
        THEN json_extract(line, '$.versions.app') ELSE 'unknown' END,
    CASE WHEN json_type(line, '$.versions.system') = 'text' AND length(json_extract(line, '$.versions.system')) <= 40
        THEN json_extract(line, '$.versions.system') ELSE 'unknown' END,
    CASE WHEN json_type(line, '$.versions.package') = 'text' AND length(json_extract(line, '$.versions.package')) <= 40
        THEN json_extract(line, '$.versions.package') ELSE 'unknown' END,
    CASE WHEN json_extract(line, '$.day') GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
        THEN json_extract(line, '$.day') ELSE 'unknown' END,
    CASE WHEN json_type(line, '$.guardHeld') = 'true' THEN 1 ELSE 0 END,
    COALESCE((
        SELECT SUM(json_extract(c.value, '$.count'))
        FROM json_each(line, '$.counts') AS c
        WHERE c.type = 'object' AND json_type(c.value, '$.count') = 'integer'
            AND json_extract(c.value, '$.count') BETWEEN 1 AND 1000000
    ), 0)
FROM checked_lines
WHERE form = 'event';

INSERT INTO event_troubles
SELECT attempt_id, kind, outcome, proven, records
FROM (
    SELECT
        lower(json_extract(l.line, '$.attemptId')) AS attempt_id,
        COALESCE(json_extract(c.value, '$.kind'), 'unknown') AS kind,
        COALESCE(json_extract(c.value, '$.outcome'), 'unknown') AS outcome,
        CASE WHEN json_type(c.value, '$.proven') = 'true' THEN 1 ELSE 0 END AS proven,
        json_extract(c.value, '$.count') AS records
    FROM checked_lines AS l, json_each(l.line, '$.counts') AS c
    WHERE l.form = 'event' AND c.type = 'object' AND json_type(c.value, '$.count') = 'integer'
        AND json_extract(c.value, '$.count') BETWEEN 1 AND 1000000
) AS counts
WHERE proven = 0 OR outcome NOT IN ({arrived});

INSERT INTO event_reasons
SELECT
    lower(json_extract(l.line, '$.attemptId')),
    COALESCE(json_extract(r.value, '$.code'), 'unknown'),
    json_extract(r.value, '$.count')
FROM checked_lines AS l, json_each(l.line, '$.reasons') AS r
WHERE l.form = 'event' AND r.type = 'object' AND json_type(r.value, '$.count') = 'integer'
    AND json_extract(r.value, '$.count') BETWEEN 1 AND 1000000;

INSERT INTO push_events
SELECT
    lower(json_extract(line, '$.attemptId')),
    json_extract(line, '$.push.kind'),
    CASE WHEN json_type(line, '$.push.result') = 'text' AND length(json_extract(line, '$.push.result')) <= 40
        THEN json_extract(line, '$.push.result') ELSE 'unknown' END,
    CASE WHEN json_type(line, '$.push.delay') = 'text' AND length(json_extract(line, '$.push.delay')) <= 40
        THEN json_extract(line, '$.push.delay') ELSE 'none' END,
    CASE WHEN json_type(line, '$.versions.app') = 'text' AND length(json_extract(line, '$.versions.app')) <= 40
        THEN json_extract(line, '$.versions.app') ELSE 'unknown' END
FROM checked_lines
WHERE form = 'push';
