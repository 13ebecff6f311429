-- Who made a document, NULL where it has no place, and the greatest role of one user.
-- name: document_role
WITH RECURSIVE above (team) AS (
    SELECT f.team FROM placements AS p JOIN folders AS f ON f.id = p.folder
    WHERE p.document = ?2 AND f.team IS NOT NULL
    UNION
    SELECT t.parent FROM above AS a JOIN teams AS t ON t.id = a.team WHERE t.parent IS NOT NULL
)
SELECT (SELECT owner FROM placements WHERE document = ?2),
    max(
        coalesce((SELECT 5 FROM placements AS p JOIN folders AS f ON f.id = p.folder
            WHERE p.document = ?2 AND f.owner = ?1), 0),
        coalesce((SELECT max(m.role) FROM above AS a
            JOIN members AS m ON m.team = a.team AND m.user_id = ?1), 0),
        coalesce((SELECT role FROM shares WHERE document = ?2 AND user_id = ?1), 0),
        coalesce((SELECT role FROM link_readers WHERE document = ?2 AND user_id = ?1), 0)
    );

-- Documents that no folder has, because a bundle brought them, on branches after one.
-- name: stray_documents
SELECT DISTINCT v.key FROM keyspaces AS h, branches AS b
    JOIN versions AS v ON v.branch = b.id AND v.keyspace = h.id
WHERE h.space = ?1 AND h.kind = ?2 AND b.id > ?3 AND v.flags & 4 = 0
    AND NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.document = v.key);

-- Every document that a user may see, many to a row: those of their own folders, of teams'
-- folders, those shared with them or by a link, and those that had no place (?2, JSON) and still
-- have none.
-- One that is in several rows has the greatest of their roles.
-- name: visible_documents
WITH RECURSIVE reach (team, role) AS (
    SELECT team, role FROM members WHERE user_id = ?1
    UNION
    SELECT t.id, r.role FROM reach AS r JOIN teams AS t ON t.parent = r.team
), best (team, role) AS (
    SELECT team, max(role) FROM reach GROUP BY team
), seen (folder, role) AS (
    SELECT id, 5 FROM folders WHERE owner = ?1
    UNION ALL
    SELECT f.id, b.role FROM best AS b JOIN folders AS f ON f.team = b.team
)
SELECT s.role, json_group_array(p.document)
FROM seen AS s JOIN placements AS p ON p.folder = s.folder GROUP BY s.role
UNION ALL
SELECT role, json_group_array(document) FROM shares WHERE user_id = ?1 GROUP BY role
UNION ALL
SELECT role, json_group_array(document) FROM link_readers WHERE user_id = ?1 GROUP BY role
UNION ALL
SELECT 5, json_group_array(c.value) FROM json_each(?2) AS c
WHERE NOT EXISTS (SELECT 1 FROM placements AS p WHERE p.document = c.value);

-- What lies in each folder that a user sees, many documents to a row.
-- name: documents_of_folders
WITH RECURSIVE reach (team) AS (
    SELECT team FROM members WHERE user_id = ?1
    UNION
    SELECT t.id FROM reach AS r JOIN teams AS t ON t.parent = r.team
), seen (folder) AS (
    SELECT id FROM folders WHERE owner = ?1
    UNION
    SELECT f.id FROM reach AS r JOIN folders AS f ON f.team = r.team
)
SELECT p.folder, json_group_array(p.document)
FROM seen AS s JOIN placements AS p ON p.folder = s.folder GROUP BY p.folder ORDER BY p.folder;

-- What is in each Space, many documents to a row.
-- name: documents_of_spaces
SELECT space, json_group_array(document) FROM space_documents GROUP BY space ORDER BY space;

-- name: insert_audit
INSERT INTO audit (time, user_id, action, subject, details) VALUES (?, ?, ?, ?, ?);

-- The newest first; NULL asks for all persons, subjects, actions or times. An action is asked for
-- by its name, or by the part before the dot.
-- name: audit_entries
SELECT number, time, user_id, action, subject, details FROM audit
WHERE number < ?1 AND (?2 IS NULL OR user_id = ?2) AND (?3 IS NULL OR subject = ?3)
    AND (?5 IS NULL OR action = ?5 OR substr(action, 1, length(?5) + 1) = ?5 || '.')
    AND (?6 IS NULL OR time >= ?6) AND (?7 IS NULL OR time < ?7)
ORDER BY number DESC LIMIT ?4;

-- name: user_who_owns
SELECT id, email, name, created, is_owner FROM users WHERE is_owner;

-- name: bind_invitations
INSERT INTO shares (document, user_id, role, created)
SELECT document, ?1, role, ?3 FROM invitations WHERE match = ?2
ON CONFLICT (document, user_id) DO UPDATE SET role = max(role, excluded.role);

-- Everybody in a team and above it.
-- name: team_audience
WITH RECURSIVE above (team) AS (
    SELECT ?1
    UNION
    SELECT t.parent FROM above AS a JOIN teams AS t ON t.id = a.team WHERE t.parent IS NOT NULL
)
SELECT u.id, u.name, u.email, m.role, t.name
FROM above AS a JOIN members AS m ON m.team = a.team
    JOIN users AS u ON u.id = m.user_id JOIN teams AS t ON t.id = m.team
ORDER BY u.match, m.role DESC;
