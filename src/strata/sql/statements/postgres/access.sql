-- name: document_role
WITH RECURSIVE above (team) AS (
    SELECT f.team FROM placements AS p JOIN folders AS f ON f.ws = :ws AND f.id = p.folder
    WHERE p.ws = :ws AND p.document = ?2 AND f.team IS NOT NULL
    UNION
    SELECT t.parent FROM above AS a JOIN teams AS t ON t.ws = :ws AND t.id = a.team
    WHERE t.parent IS NOT NULL
)
SELECT (SELECT owner FROM placements WHERE ws = :ws AND document = ?2),
    greatest(
        coalesce((SELECT 5 FROM placements AS p JOIN folders AS f ON f.ws = :ws AND f.id = p.folder
            WHERE p.ws = :ws AND p.document = ?2 AND f.owner = ?1), 0),
        coalesce((SELECT max(m.role) FROM above AS a
            JOIN members AS m ON m.ws = :ws AND m.team = a.team AND m.user_id = ?1), 0),
        coalesce((SELECT role FROM shares
            WHERE ws = :ws AND document = ?2 AND user_id = ?1), 0),
        coalesce((SELECT role FROM link_readers
            WHERE ws = :ws AND document = ?2 AND user_id = ?1), 0)
    );

-- name: stray_documents
SELECT DISTINCT v.key FROM keyspaces AS h
    JOIN branches AS b ON b.ws = :ws AND b.id > ?3
    JOIN versions AS v ON v.ws = :ws AND v.branch = b.id AND v.keyspace = h.id
WHERE h.ws = :ws AND h.space = ?1 AND h.kind = ?2 AND v.flags & 4 = 0
    AND NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.ws = :ws AND p.document = v.key);

-- An array of no documents is not NULL.
-- name: visible_documents
WITH RECURSIVE reach (team, role) AS (
    SELECT team, role FROM members WHERE ws = :ws AND user_id = ?1
    UNION
    SELECT t.id, r.role FROM reach AS r JOIN teams AS t ON t.ws = :ws AND t.parent = r.team
), best (team, role) AS (
    SELECT team, max(role) FROM reach GROUP BY team
), seen (folder, role) AS (
    SELECT id, 5 FROM folders WHERE ws = :ws AND owner = ?1
    UNION ALL
    SELECT f.id, b.role FROM best AS b JOIN folders AS f ON f.ws = :ws AND f.team = b.team
)
SELECT s.role, json_agg(p.document)::text
FROM seen AS s JOIN placements AS p ON p.ws = :ws AND p.folder = s.folder GROUP BY s.role
UNION ALL
SELECT role, json_agg(document)::text FROM shares
WHERE ws = :ws AND user_id = ?1 GROUP BY role
UNION ALL
SELECT role, json_agg(document)::text FROM link_readers
WHERE ws = :ws AND user_id = ?1 GROUP BY role
UNION ALL
SELECT 5, coalesce(json_agg(c.value)::text, '[]')
FROM jsonb_array_elements_text(?2::jsonb) AS c (value)
WHERE NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.ws = :ws AND p.document = c.value);

-- Callers compare the arrays of two reads, so their order is given here and below.
-- name: documents_of_folders
WITH RECURSIVE reach (team) AS (
    SELECT team FROM members WHERE ws = :ws AND user_id = ?1
    UNION
    SELECT t.id FROM reach AS r JOIN teams AS t ON t.ws = :ws AND t.parent = r.team
), seen (folder) AS (
    SELECT id FROM folders WHERE ws = :ws AND owner = ?1
    UNION
    SELECT f.id FROM reach AS r JOIN folders AS f ON f.ws = :ws AND f.team = r.team
)
SELECT p.folder, json_agg(p.document ORDER BY p.document)::text
FROM seen AS s JOIN placements AS p ON p.ws = :ws AND p.folder = s.folder
GROUP BY p.folder ORDER BY p.folder;

-- name: documents_of_spaces
SELECT space, json_agg(document ORDER BY document)::text FROM space_documents WHERE ws = :ws
GROUP BY space ORDER BY space;

-- The lock of the workspace, which every writer holds, keeps the next number free.
-- name: insert_audit
INSERT INTO audit (ws, number, time, user_id, action, subject, details)
SELECT :ws, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ? FROM audit WHERE ws = :ws;

-- name: audit_entries
SELECT number, time, user_id, action, subject, details FROM audit
WHERE ws = :ws AND number < ?1
    AND (?2::text IS NULL OR user_id = ?2) AND (?3::text IS NULL OR subject = ?3)
    AND (?5::text IS NULL OR action = ?5 OR substr(action, 1, length(?5) + 1) = ?5 || '.')
    AND (?6::bigint IS NULL OR time >= ?6) AND (?7::bigint IS NULL OR time < ?7)
ORDER BY number DESC LIMIT ?4;

-- name: user_who_owns
SELECT id, email, name, created, is_owner FROM users WHERE ws = :ws AND is_owner <> 0;

-- name: bind_invitations
INSERT INTO shares (ws, document, user_id, role, created)
SELECT :ws, document, ?1, role, ?3 FROM invitations WHERE ws = :ws AND match = ?2
ON CONFLICT (ws, document, user_id) DO UPDATE SET role = greatest(shares.role, excluded.role);

-- The first team needs the type and collation of the others.
-- name: team_audience
WITH RECURSIVE above (team) AS (
    SELECT ?1::text COLLATE "C"
    UNION
    SELECT t.parent FROM above AS a JOIN teams AS t ON t.ws = :ws AND t.id = a.team
    WHERE t.parent IS NOT NULL
)
SELECT u.id, u.name, u.email, m.role, t.name
FROM above AS a JOIN members AS m ON m.ws = :ws AND m.team = a.team
    JOIN users AS u ON u.ws = :ws AND u.id = m.user_id
    JOIN teams AS t ON t.ws = :ws AND t.id = m.team
ORDER BY u.match, m.role DESC;
