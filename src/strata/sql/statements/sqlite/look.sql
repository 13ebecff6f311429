-- What tells a process whether what it remembers is still so. The sum of a table's rows differs
-- after every change of it.
-- name: look
SELECT generation, removals, coalesce((SELECT max(version) FROM versions), 0),
    coalesce((SELECT max(id) FROM keyspaces), 0), (SELECT mark FROM access),
    (SELECT sum FROM digests WHERE name = 'settings')
FROM catalog;
