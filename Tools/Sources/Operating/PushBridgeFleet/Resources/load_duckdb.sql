-- Converts the lines to rows, for DuckDB.

INSERT INTO events
SELECT
    lower(event ->> '$.attemptId'),
    TRY_CAST(event ->> '$.attempt' AS BIGINT),
    event ->> '$.step',
    event ->> '$.outcome',
    CASE WHEN json_type(event, '$.duration') = 'VARCHAR' THEN event ->> '$.duration' ELSE 'none' END,
    CASE WHEN json_type(event, '$.source') = 'VARCHAR' THEN event ->> '$.source' ELSE 'other' END,
    CASE WHEN json_type(event, '$.versions.app') = 'VARCHAR' AND length(event ->> '$.versions.app') <= 40
        THEN event ->> '$.versions.app' ELSE 'unknown' END,
    CASE WHEN json_type(event, '$.versions.system') = 'VARCHAR' AND length(event ->> '$.versions.system') <= 40
        THEN event ->> '$.versions.system' ELSE 'unknown' END,
    CASE WHEN json_type(event, '$.versions.package') = 'VARCHAR' AND length(event ->> '$.versions.package') <= 40
        THEN event ->> '$.versions.package' ELSE 'unknown' END,
    CASE WHEN regexp_full_match(event ->> '$.day', '[0-9]{4}-[0-9]{2}-[0-9]{2}') THEN event ->> '$.day' ELSE 'unknown' END,
    CASE WHEN (event ->> '$.guardHeld') = 'true' THEN 1 ELSE 0 END,
    COALESCE(list_sum(list_filter(
        list_transform(TRY_CAST(event -> '$.counts' AS JSON[]), lambda c: TRY_CAST(c ->> '$.count' AS BIGINT)),
        lambda n: n BETWEEN 1 AND 1000000
    )), 0)
FROM checked_lines
WHERE form = 'event';

INSERT INTO event_troubles
SELECT attempt_id, kind, outcome, proven, records
FROM (
    SELECT
        attempt_id,
        COALESCE(c ->> '$.kind', 'unknown') AS kind,
        COALESCE(c ->> '$.outcome', 'unknown') AS outcome,
        CASE WHEN (c ->> '$.proven') = 'true' THEN 1 ELSE 0 END AS proven,
        TRY_CAST(c ->> '$.count' AS BIGINT) AS records
    FROM (
        SELECT lower(event ->> '$.attemptId') AS attempt_id, unnest(TRY_CAST(event -> '$.counts' AS JSON[])) AS c
        FROM checked_lines
        WHERE form = 'event'
    ) AS each_count
) AS counts
WHERE records BETWEEN 1 AND 1000000
    AND (proven = 0 OR outcome NOT IN ({arrived}));

INSERT INTO event_reasons
SELECT attempt_id, COALESCE(r ->> '$.code', 'unknown'), TRY_CAST(r ->> '$.count' AS BIGINT)
FROM (
    SELECT lower(event ->> '$.attemptId') AS attempt_id, unnest(TRY_CAST(event -> '$.reasons' AS JSON[])) AS r
    FROM checked_lines
    WHERE form = 'event'
) AS each_reason
WHERE TRY_CAST(r ->> '$.count' AS BIGINT) BETWEEN 1 AND 1000000;

INSERT INTO push_events
SELECT
    lower(event ->> '$.attemptId'),
    event ->> '$.push.kind',
    CASE WHEN json_type(event, '$.push.result') = 'VARCHAR' AND length(event ->> '$.push.result') <= 40
        THEN event ->> '$.push.result' ELSE 'unknown' END,
    CASE WHEN json_type(event, '$.push.delay') = 'VARCHAR' AND length(event ->> '$.push.delay') <= 40
        THEN event ->> '$.push.delay' ELSE 'none' END,
    CASE WHEN json_type(event, '$.versions.app') = 'VARCHAR' AND length(event ->> '$.versions.app') <= 40
        THEN event ->> '$.versions.app' ELSE 'unknown' END
FROM checked_lines
WHERE form = 'push';
