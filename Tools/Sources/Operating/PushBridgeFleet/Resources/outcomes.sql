-- The numbers of phones by outcome and {grouping}. An event names no phone. A phone has at most one attempt with each number,
-- so the largest count of attempts with one number is the minimum number of phones. Each phone sends the outcome held once
-- per release, so the counts of this outcome are added.
SELECT {o.columns}, o.outcome, o.attempts, o.phones, g.phones AS of_phones
FROM (
    SELECT
        {columns}, outcome,
        CAST(SUM(attempts) AS BIGINT) AS attempts,
        CAST(CASE WHEN outcome = 'held' THEN SUM(attempts) ELSE MAX(attempts) END AS BIGINT) AS phones
    FROM (
        SELECT {columns}, outcome, attempt, COUNT(*) AS attempts
        FROM attempts
        GROUP BY {columns}, outcome, attempt
    ) AS numbered
    GROUP BY {columns}, outcome
) AS o
JOIN (
    SELECT {columns}, CAST(MAX(attempts) AS BIGINT) AS phones
    FROM (
        SELECT {columns}, attempt, SUM(CASE WHEN outcome = 'held' THEN 0 ELSE 1 END) AS attempts
        FROM attempts
        GROUP BY {columns}, attempt
    ) AS numbered
    GROUP BY {columns}
) AS g ON {sameGroup}
ORDER BY {o.columns}, o.outcome;
