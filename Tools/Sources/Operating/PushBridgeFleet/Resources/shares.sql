-- The data for the verdict: the minimum numbers of all phones and of phones in trouble, by {grouping}.
SELECT
    {columns},
    CAST(MAX(attempts) AS BIGINT) AS phones,
    CAST(MAX(failed) AS BIGINT) AS failed,
    CAST(MAX(unproven) AS BIGINT) AS unproven,
    CAST(MAX(refused) AS BIGINT) AS refused,
    CAST(MAX(unreadable) AS BIGINT) AS unreadable,
    CAST(MAX(locked) AS BIGINT) AS locked,
    CAST(SUM(held) AS BIGINT) AS held,
    CAST(MAX(slow) AS BIGINT) AS slow
FROM (
    SELECT
        {columns}, attempt,
        SUM(CASE WHEN outcome = 'held' THEN 0 ELSE 1 END) AS attempts,
        SUM(CASE WHEN outcome IN ({failed}) THEN 1 ELSE 0 END) AS failed,
        SUM(unproven) AS unproven,
        SUM(CASE WHEN outcome IN ({incomplete}) THEN refused ELSE 0 END) AS refused,
        SUM(CASE WHEN outcome IN ({incomplete}) THEN unreadable ELSE 0 END) AS unreadable,
        SUM(CASE WHEN outcome = 'locked' THEN 1 ELSE 0 END) AS locked,
        SUM(CASE WHEN outcome = 'held' THEN 1 ELSE 0 END) AS held,
        SUM(CASE WHEN duration IN ('under1min', 'longer') THEN 1 ELSE 0 END) AS slow
    FROM attempts
    GROUP BY {columns}, attempt
) AS numbered
GROUP BY {columns}
ORDER BY {columns};
