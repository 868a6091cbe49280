-- The tables of a fleet's events, and the definitions that convert JSON lines to rows: DuckDB 1.0 or later.

-- The lines as received. To load a file:
-- INSERT INTO lines SELECT 'events.jsonl', row_number() OVER (), line
-- FROM read_csv('events.jsonl', columns = {'line': 'VARCHAR'}, header = false, delim = '\x01', quote = '', escape = '',
--     strict_mode = false);
CREATE TABLE lines (file TEXT NOT NULL, number BIGINT NOT NULL, line TEXT NOT NULL);

-- One row for each event that arrived; an event that was delivered twice has two rows.
CREATE TABLE events (
    attempt_id TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    step TEXT NOT NULL,
    outcome TEXT NOT NULL,
    duration TEXT NOT NULL,
    source TEXT NOT NULL,
    app_version TEXT NOT NULL,
    system_version TEXT NOT NULL,
    package_version TEXT NOT NULL,
    day TEXT NOT NULL,
    guard_held INTEGER NOT NULL,
    records BIGINT NOT NULL
);

-- Records that did not arrive, or are not proven.
CREATE TABLE event_troubles (
    attempt_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    proven INTEGER NOT NULL,
    records BIGINT NOT NULL
);

CREATE TABLE event_reasons (attempt_id TEXT NOT NULL, code TEXT NOT NULL, records BIGINT NOT NULL);

-- One row for each step of a push that an event reported instead of an attempt; an event that was delivered twice has two rows.
CREATE TABLE push_events (
    attempt_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    result TEXT NOT NULL,
    delay TEXT NOT NULL,
    app_version TEXT NOT NULL
);

-- The kind of each line: an event of an attempt (event) or of a push (push), an event in a newer format (newer), or no event (damaged).
CREATE VIEW checked_lines AS
SELECT
    file,
    number,
    event,
    CASE
        WHEN event IS NULL OR json_type(event) <> 'OBJECT' THEN 'damaged'
        WHEN COALESCE(json_type(event, '$.schema'), '') NOT IN ('UBIGINT', 'BIGINT') THEN 'damaged'
        WHEN TRY_CAST(event ->> '$.schema' AS BIGINT) > 1 THEN 'newer'
        WHEN TRY_CAST(event ->> '$.schema' AS BIGINT) = 1
            AND json_type(event, '$.attemptId') = 'VARCHAR' AND length(event ->> '$.attemptId') = 36
            AND json_type(event, '$.push') = 'OBJECT'
            AND (event ->> '$.push.kind') IN ({pushSteps})
            THEN 'push'
        WHEN TRY_CAST(event ->> '$.schema' AS BIGINT) = 1
            AND json_type(event, '$.attemptId') = 'VARCHAR' AND length(event ->> '$.attemptId') = 36
            AND json_type(event, '$.attempt') IN ('UBIGINT', 'BIGINT')
            AND TRY_CAST(event ->> '$.attempt' AS BIGINT) BETWEEN 0 AND 1000000
            AND (event ->> '$.step') IN ({steps})
            AND (event ->> '$.outcome') IN ({outcomes})
            THEN 'event'
        ELSE 'damaged'
    END AS form
FROM (SELECT file, number, TRY_CAST(line AS JSON) AS event FROM lines) AS parsed;
