-- The tables of a fleet's events, and the definitions that convert JSON lines to rows: SQLite 3.38 or later.

-- The lines as received; lines that were loaded may be removed.
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
    line,
    CASE
        WHEN NOT json_valid(line) THEN 'damaged'
        WHEN json_type(line) <> 'object' THEN 'damaged'
        WHEN COALESCE(json_type(line, '$.schema'), '') <> 'integer' THEN 'damaged'
        WHEN json_extract(line, '$.schema') > 1 THEN 'newer'
        WHEN json_extract(line, '$.schema') = 1
            AND json_type(line, '$.attemptId') = 'text' AND length(json_extract(line, '$.attemptId')) = 36
            AND json_type(line, '$.push') = 'object'
            AND json_extract(line, '$.push.kind') IN ({pushSteps})
            THEN 'push'
        WHEN json_extract(line, '$.schema') = 1
            AND json_type(line, '$.attemptId') = 'text' AND length(json_extract(line, '$.attemptId')) = 36
            AND json_type(line, '$.attempt') = 'integer' AND json_extract(line, '$.attempt') BETWEEN 0 AND 1000000
            AND json_extract(line, '$.step') IN ({steps})
            AND json_extract(line, '$.outcome') IN ({outcomes})
            THEN 'event'
        ELSE 'damaged'
    END AS form
FROM lines;
