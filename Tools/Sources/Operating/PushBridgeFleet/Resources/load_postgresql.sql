-- Converts the lines to rows, for PostgreSQL.

INSERT INTO events
SELECT
    lower(event ->> 'attemptId'),
    whole_of(event -> 'attempt'),
    event ->> 'step',
    event ->> 'outcome',
    CASE WHEN jsonb_typeof(event -> 'duration') = 'string' THEN event ->> 'duration' ELSE 'none' END,
    CASE WHEN jsonb_typeof(event -> 'source') = 'string' THEN event ->> 'source' ELSE 'other' END,
    CASE WHEN jsonb_typeof(event #> '{versions,app}') = 'string' AND length(event #>> '{versions,app}') <= 40
        THEN event #>> '{versions,app}' ELSE 'unknown' END,
    CASE WHEN jsonb_typeof(event #> '{versions,system}') = 'string' AND length(event #>> '{versions,system}') <= 40
        THEN event #>> '{versions,system}' ELSE 'unknown' END,
    CASE WHEN jsonb_typeof(event #> '{versions,package}') = 'string' AND length(event #>> '{versions,package}') <= 40
        THEN event #>> '{versions,package}' ELSE 'unknown' END,
    CASE WHEN event ->> 'day' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' THEN event ->> 'day' ELSE 'unknown' END,
    CASE WHEN event -> 'guardHeld' = 'true' THEN 1 ELSE 0 END,
    COALESCE((
        SELECT SUM(whole_of(c -> 'count'))
        FROM elements_of(event -> 'counts') AS c
    ), 0)
FROM checked_lines
WHERE form = 'event';

INSERT INTO event_troubles
SELECT attempt_id, kind, outcome, proven, records
FROM (
    SELECT
        lower(event ->> 'attemptId') AS attempt_id,
        COALESCE(c ->> 'kind', 'unknown') AS kind,
        COALESCE(c ->> 'outcome', 'unknown') AS outcome,
        CASE WHEN c -> 'proven' = 'true' THEN 1 ELSE 0 END AS proven,
        whole_of(c -> 'count') AS records
    FROM checked_lines, elements_of(event -> 'counts') AS c
    WHERE form = 'event'
) AS counts
WHERE records > 0 AND (proven = 0 OR outcome NOT IN ({arrived}));

INSERT INTO event_reasons
SELECT lower(event ->> 'attemptId'), COALESCE(r ->> 'code', 'unknown'), whole_of(r -> 'count')
FROM checked_lines, elements_of(event -> 'reasons') AS r
WHERE form = 'event' AND whole_of(r -> 'count') > 0;

INSERT INTO push_events
SELECT
    lower(event ->> 'attemptId'),
    event #>> '{push,kind}',
    CASE WHEN jsonb_typeof(event #> '{push,result}') = 'string' AND length(event #>> '{push,result}') <= 40
        THEN event #>> '{push,result}' ELSE 'unknown' END,
    CASE WHEN jsonb_typeof(event #> '{push,delay}') = 'string' AND length(event #>> '{push,delay}') <= 40
        THEN event #>> '{push,delay}' ELSE 'none' END,
    CASE WHEN jsonb_typeof(event #> '{versions,app}') = 'string' AND length(event #>> '{versions,app}') <= 40
        THEN event #>> '{versions,app}' ELSE 'unknown' END
FROM checked_lines
WHERE form = 'push';
