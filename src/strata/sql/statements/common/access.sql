-- name: change_access_mark
UPDATE access SET mark = ?;

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

-- People.

-- name: users
SELECT id, email, name, created, is_owner FROM users WHERE removed IS NULL
ORDER BY is_owner DESC, match;

-- name: user_names
SELECT id, name FROM users ORDER BY id;

-- name: count_users
SELECT count(*) FROM users;

-- name: user_by_id
SELECT id, email, name, created, is_owner FROM users WHERE id = ? AND removed IS NULL;

-- name: user_by_email
SELECT id, email, name, created, is_owner FROM users WHERE match = ? AND removed IS NULL;

-- name: user_who_owns
SELECT id, email, name, created, is_owner FROM users WHERE is_owner;

-- name: insert_user
INSERT INTO users (id, email, match, name, is_owner, created) VALUES (?, ?, ?, ?, 0, ?);

-- name: update_user
UPDATE users SET email = ?2, match = ?3, name = ?4 WHERE id = ?1;

-- name: remove_user
UPDATE users SET removed = ?2 WHERE id = ?1;

-- name: user_belongings
SELECT (SELECT count(*) FROM placements AS p JOIN folders AS f ON f.id = p.folder
        WHERE f.owner = ?1),
    (SELECT count(*) FROM document_spaces WHERE owner = ?1);

-- name: give_placements
UPDATE placements SET owner = ?2 WHERE owner = ?1;

-- name: give_placements_of_folder
UPDATE placements SET folder = ?2 WHERE folder = ?1;

-- name: give_subfolders
UPDATE folders SET owner = ?2, parent = CASE WHEN parent = ?3 THEN ?4 ELSE parent END
WHERE owner = ?1 AND parent IS NOT NULL;

-- name: give_spaces
UPDATE document_spaces SET owner = ?2 WHERE owner = ?1;

-- name: delete_folders_of_user
DELETE FROM folders WHERE owner = ?;

-- name: delete_members_of_user
DELETE FROM members WHERE user_id = ?;

-- name: delete_shares_of_user
DELETE FROM shares WHERE user_id = ?;

-- name: revoke_tokens_of_user
UPDATE tokens SET revoked = ?2 WHERE user_id = ?1 AND revoked IS NULL;

-- Teams.

-- name: teams
SELECT id, name, parent, created FROM teams ORDER BY parent IS NOT NULL, name, id;

-- name: insert_team
INSERT INTO teams (id, name, parent, created) VALUES (?, ?, ?, ?);

-- name: rename_team
UPDATE teams SET name = ?2 WHERE id = ?1;

-- name: move_team
UPDATE teams SET parent = ?2 WHERE id = ?1;

-- name: delete_team
DELETE FROM teams WHERE id = ?;

-- name: team_contents
SELECT (SELECT count(*) FROM teams WHERE parent = ?1),
    (SELECT count(*) FROM folders WHERE team = ?1),
    (SELECT count(*) FROM document_spaces WHERE team = ?1);

-- name: members
SELECT m.team, u.id, u.email, u.name, m.role
FROM members AS m JOIN users AS u ON u.id = m.user_id WHERE m.team = ? ORDER BY u.match;

-- name: memberships
SELECT m.team, u.id, u.email, u.name, m.role
FROM members AS m JOIN users AS u ON u.id = m.user_id WHERE m.user_id = ? ORDER BY m.team;

-- name: upsert_member
INSERT INTO members (team, user_id, role) VALUES (?, ?, ?)
ON CONFLICT (team, user_id) DO UPDATE SET role = excluded.role;

-- name: delete_member
DELETE FROM members WHERE team = ? AND user_id = ? RETURNING role;

-- name: delete_members_of_team
DELETE FROM members WHERE team = ?;

-- The role of a user in each team: the highest of their roles there and above.
-- name: team_roles
WITH RECURSIVE reach (team, role) AS (
    SELECT team, role FROM members WHERE user_id = ?1
    UNION
    SELECT t.id, r.role FROM reach AS r JOIN teams AS t ON t.parent = r.team
)
SELECT team, max(role) FROM reach GROUP BY team;

-- Folders.

-- name: folder
SELECT id, name, owner, team, parent, templates, created FROM folders WHERE id = ?;

-- name: personal_folder
SELECT id, name, owner, team, parent, templates, created FROM folders
WHERE owner = ? AND parent IS NULL;

-- name: folders_of_user
SELECT id, name, owner, team, parent, templates, created FROM folders
WHERE owner = ? ORDER BY parent IS NOT NULL, name, id;

-- The folders of teams that a user sees.
-- name: folders_of_teams
WITH RECURSIVE reach (team) AS (
    SELECT team FROM members WHERE user_id = ?1
    UNION
    SELECT t.id FROM reach AS r JOIN teams AS t ON t.parent = r.team
)
SELECT f.id, f.name, f.owner, f.team, f.parent, f.templates, f.created
FROM reach AS r JOIN folders AS f ON f.team = r.team ORDER BY f.name, f.id;

-- name: count_folders
SELECT count(*) FROM folders;

-- name: insert_folder
INSERT INTO folders (id, name, owner, team, parent, templates, created)
VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: rename_folder
UPDATE folders SET name = ?2 WHERE id = ?1;

-- name: move_folder
UPDATE folders SET parent = ?2 WHERE id = ?1;

-- name: delete_folder
DELETE FROM folders WHERE id = ?;

-- name: folder_contents
SELECT (SELECT count(*) FROM folders WHERE parent = ?1),
    (SELECT count(*) FROM placements WHERE folder = ?1);

-- Spaces of documents.

-- name: document_spaces
SELECT id, name, owner, team, created FROM document_spaces ORDER BY name, id;

-- name: insert_document_space
INSERT INTO document_spaces (id, name, owner, team, created) VALUES (?, ?, ?, ?, ?);

-- name: rename_document_space
UPDATE document_spaces SET name = ?2 WHERE id = ?1;

-- name: delete_document_space
DELETE FROM document_spaces WHERE id = ?;

-- name: empty_document_space
DELETE FROM space_documents WHERE space = ?;

-- name: put_in_space
INSERT INTO space_documents (space, document, added) VALUES (?, ?, ?)
ON CONFLICT (space, document) DO NOTHING RETURNING document;

-- name: remove_from_space
DELETE FROM space_documents WHERE space = ? AND document = ? RETURNING document;

-- name: documents_of_space
SELECT document FROM space_documents WHERE space = ? ORDER BY added, document;

-- name: spaces_of_document
SELECT space FROM space_documents WHERE document = ? ORDER BY space;

-- Where documents are.

-- name: placement
SELECT p.document, p.folder, p.owner, f.owner, f.team
FROM placements AS p JOIN folders AS f ON f.id = p.folder WHERE p.document = ?;

-- name: placements_of_folder
SELECT document, folder, owner FROM placements WHERE folder = ? ORDER BY document;

-- name: placements_of_owner
SELECT document, folder, owner FROM placements WHERE owner = ? ORDER BY document;

-- name: upsert_placement
INSERT INTO placements (document, folder, owner) VALUES (?, ?, ?)
ON CONFLICT (document) DO UPDATE SET folder = excluded.folder;

-- name: delete_placement
DELETE FROM placements WHERE document = ?;

-- name: delete_shares_of_document
DELETE FROM shares WHERE document = ?;

-- name: delete_invitations_of_document
DELETE FROM invitations WHERE document = ?;

-- name: delete_spaces_of_document
DELETE FROM space_documents WHERE document = ?;

-- Shares.

-- name: shares
SELECT u.email, s.role, u.id, u.name FROM shares AS s JOIN users AS u ON u.id = s.user_id
WHERE s.document = ? ORDER BY u.match;

-- name: invitations
SELECT email, role FROM invitations WHERE document = ? ORDER BY match;

-- The documents that are shared with a user, each with its folder.
-- name: documents_shared_with
SELECT s.document, p.folder FROM (
    SELECT document FROM shares WHERE user_id = ?
    UNION
    SELECT document FROM link_readers WHERE user_id = ?
) AS s JOIN placements AS p ON p.document = s.document
ORDER BY s.document;

-- name: upsert_share
INSERT INTO shares (document, user_id, role, created) VALUES (?, ?, ?, ?)
ON CONFLICT (document, user_id) DO UPDATE SET role = excluded.role;

-- name: delete_share
DELETE FROM shares WHERE document = ? AND user_id = ? RETURNING role;

-- name: upsert_invitation
INSERT INTO invitations (document, match, email, role, created) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (document, match) DO UPDATE SET role = excluded.role, email = excluded.email;

-- name: delete_invitation
DELETE FROM invitations WHERE document = ? AND match = ? RETURNING email, role;

-- name: bind_invitations
INSERT INTO shares (document, user_id, role, created)
SELECT document, ?1, role, ?3 FROM invitations WHERE match = ?2
ON CONFLICT (document, user_id) DO UPDATE SET role = max(role, excluded.role);

-- name: delete_bound_invitations
DELETE FROM invitations WHERE match = ? RETURNING document;

-- Rights.

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

-- Every document that visitors are shown.
-- name: published_documents
SELECT p.document FROM publications AS p JOIN users AS u ON u.id = p.user_id
WHERE p.number IS NOT NULL AND u.removed IS NULL;

-- name: is_published
SELECT 1 FROM publications AS p JOIN users AS u ON u.id = p.user_id
WHERE p.document = ? AND p.number IS NOT NULL AND u.removed IS NULL;
