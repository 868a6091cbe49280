-- The tables of a fleet's events, and the definitions that convert JSON lines to rows: PostgreSQL 14 or later.

-- The lines as received. To load a file of any content with psql:
-- CREATE TEMPORARY TABLE incoming (number BIGSERIAL, line TEXT);
-- \copy incoming (line) from 'events.jsonl' with (format csv, delimiter e'\x01', quote e'\x02')
-- INSERT INTO lines SELECT 'events.jsonl', number, line FROM incoming;
CREATE TABLE lines (file TEXT NOT NULL, number BIGINT NOT NULL, line TEXT NOT NULL);

-- One row for each event that arrived; an event that was delivered twice has two rows.
CREATE TABLE events (
    attempt_id TEXT COLLATE "C" NOT NULL,
    attempt BIGINT NOT NULL,
    step TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    duration TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    app_version TEXT COLLATE "C" NOT NULL,
    system_version TEXT COLLATE "C" NOT NULL,
    package_version TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    guard_held INTEGER NOT NULL,
    records BIGINT NOT NULL
);

-- Records that did not arrive, or are not proven.
CREATE TABLE event_troubles (
    attempt_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    proven INTEGER NOT NULL,
    records BIGINT NOT NULL
);

CREATE TABLE event_reasons (
    attempt_id TEXT COLLATE "C" NOT NULL,
    code TEXT COLLATE "C" NOT NULL,
    records BIGINT NOT NULL
);

-- One row for each step of a push that an event reported instead of an attempt; an event that was delivered twice has two rows.
CREATE TABLE push_events (
    attempt_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    result TEXT COLLATE "C" NOT NULL,
    delay TEXT COLLATE "C" NOT NULL,
    app_version TEXT COLLATE "C" NOT NULL
);

-- The JSON of a line; NULL if the line is not JSON.
CREATE FUNCTION event_of(line TEXT) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
    RETURN line::jsonb;
EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
END
$$;

-- A whole number from 0 to a million; NULL for other values.
CREATE FUNCTION whole_of(value jsonb) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN jsonb_typeof(value) <> 'number' THEN NULL
        WHEN value #>> '{}' ~ '^[0-9]{1,7}$' AND (value #>> '{}')::BIGINT <= 1000000 THEN (value #>> '{}')::BIGINT
    END
$$;

-- The elements of a list; no elements for other values.
CREATE FUNCTION elements_of(value jsonb) RETURNS SETOF jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT jsonb_array_elements(CASE WHEN jsonb_typeof(value) = 'array' THEN value ELSE '[]' END)
$$;

-- The kind of each line: an event of an attempt (event) or of a push (push), an event in a newer format (newer), or no event (damaged).
CREATE VIEW checked_lines AS
SELECT
    file,
    number,
    event,
    CASE
        WHEN event IS NULL OR jsonb_typeof(event) <> 'object' THEN 'damaged'
        WHEN whole_of(event -> 'schema') > 1 THEN 'newer'
        WHEN whole_of(event -> 'schema') = 1
            AND jsonb_typeof(event -> 'attemptId') = 'string' AND length(event ->> 'attemptId') = 36
            AND jsonb_typeof(event -> 'push') = 'object'
            AND event #>> '{push,kind}' IN ({pushSteps})
            THEN 'push'
        WHEN whole_of(event -> 'schema') = 1
            AND jsonb_typeof(event -> 'attemptId') = 'string' AND length(event ->> 'attemptId') = 36
            AND whole_of(event -> 'attempt') IS NOT NULL
            AND event ->> 'step' IN ({steps})
            AND event ->> 'outcome' IN ({outcomes})
            THEN 'event'
        ELSE 'damaged'
    END AS form
FROM (SELECT file, number, event_of(line) AS event FROM lines) AS parsed;
