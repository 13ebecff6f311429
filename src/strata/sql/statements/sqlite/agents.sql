-- Choosing what is done next. The index is named: the other index by user also leads through
-- the tasks that have ended.

-- The next task: the oldest one of the user who has the fewest running and was served longest ago.
-- name: next_task
SELECT t.id FROM tasks AS t INDEXED BY tasks_open
WHERE t.ended IS NULL AND (t.status = 'pending' OR (t.status = 'running' AND t.leased_until <= ?1))
    AND t.user_id = (
        SELECT w.user_id FROM (
            SELECT user_id, min(created) AS first FROM tasks INDEXED BY tasks_open
            WHERE ended IS NULL
                AND (status = 'pending' OR (status = 'running' AND leased_until <= ?1))
            GROUP BY user_id
        ) AS w
        ORDER BY
            (SELECT count(*) FROM tasks AS r WHERE r.ended IS NULL AND r.status = 'running'
                AND r.user_id = w.user_id AND r.leased_until > ?1),
            coalesce((SELECT max(s.started) FROM tasks AS s
                WHERE s.user_id = w.user_id AND s.started IS NOT NULL), 0),
            w.first, w.user_id
        LIMIT 1)
ORDER BY t.created, t.id LIMIT 1;
