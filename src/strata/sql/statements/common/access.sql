-- name: change_access_mark
UPDATE access SET mark = ? WHERE ws = :ws;

-- People.

-- name: users
SELECT id, email, name, created, is_owner FROM users WHERE ws = :ws AND removed IS NULL
ORDER BY is_owner DESC, match;

-- name: user_names
SELECT id, name FROM users WHERE ws = :ws ORDER BY id;

-- name: count_users
SELECT count(*) FROM users WHERE ws = :ws;

-- name: user_by_id
SELECT id, email, name, created, is_owner FROM users WHERE ws = :ws AND id = ? AND removed IS NULL;

-- name: user_by_email
SELECT id, email, name, created, is_owner FROM users
WHERE ws = :ws AND match = ? AND removed IS NULL;

-- name: insert_user
INSERT INTO users (ws, id, email, match, name, is_owner, created) VALUES (:ws, ?, ?, ?, ?, 0, ?);

-- name: update_user
UPDATE users SET email = ?2, match = ?3, name = ?4 WHERE ws = :ws AND id = ?1;

-- name: remove_user
UPDATE users SET removed = ?2 WHERE ws = :ws AND id = ?1;

-- name: user_belongings
SELECT (SELECT count(*) FROM placements AS p JOIN folders AS f ON f.ws = :ws AND f.id = p.folder
        WHERE p.ws = :ws AND f.owner = ?1),
    (SELECT count(*) FROM document_spaces WHERE ws = :ws AND owner = ?1);

-- name: give_placements
UPDATE placements SET owner = ?2 WHERE ws = :ws AND owner = ?1;

-- name: give_placements_of_folder
UPDATE placements SET folder = ?2 WHERE ws = :ws AND folder = ?1;

-- name: give_subfolders
UPDATE folders SET owner = ?2, parent = CASE WHEN parent = ?3 THEN ?4 ELSE parent END
WHERE ws = :ws AND owner = ?1 AND parent IS NOT NULL;

-- name: give_spaces
UPDATE document_spaces SET owner = ?2 WHERE ws = :ws AND owner = ?1;

-- name: delete_folders_of_user
DELETE FROM folders WHERE ws = :ws AND owner = ?;

-- name: delete_members_of_user
DELETE FROM members WHERE ws = :ws AND user_id = ?;

-- name: delete_shares_of_user
DELETE FROM shares WHERE ws = :ws AND user_id = ?;

-- name: revoke_tokens_of_user
UPDATE tokens SET revoked = ?2 WHERE ws = :ws AND user_id = ?1 AND revoked IS NULL;

-- Teams.

-- name: teams
SELECT id, name, parent, created FROM teams WHERE ws = :ws
ORDER BY parent IS NOT NULL, name, id;

-- name: insert_team
INSERT INTO teams (ws, id, name, parent, created) VALUES (:ws, ?, ?, ?, ?);

-- name: rename_team
UPDATE teams SET name = ?2 WHERE ws = :ws AND id = ?1;

-- name: move_team
UPDATE teams SET parent = ?2 WHERE ws = :ws AND id = ?1;

-- name: delete_team
DELETE FROM teams WHERE ws = :ws AND id = ?;

-- name: team_contents
SELECT (SELECT count(*) FROM teams WHERE ws = :ws AND parent = ?1),
    (SELECT count(*) FROM folders WHERE ws = :ws AND team = ?1),
    (SELECT count(*) FROM document_spaces WHERE ws = :ws AND team = ?1);

-- name: members
SELECT m.team, u.id, u.email, u.name, m.role
FROM members AS m JOIN users AS u ON u.ws = :ws AND u.id = m.user_id
WHERE m.ws = :ws AND m.team = ? ORDER BY u.match;

-- name: memberships
SELECT m.team, u.id, u.email, u.name, m.role
FROM members AS m JOIN users AS u ON u.ws = :ws AND u.id = m.user_id
WHERE m.ws = :ws AND m.user_id = ? ORDER BY m.team;

-- name: upsert_member
INSERT INTO members (ws, team, user_id, role) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, team, user_id) DO UPDATE SET role = excluded.role;

-- name: delete_member
DELETE FROM members WHERE ws = :ws AND team = ? AND user_id = ? RETURNING role;

-- name: delete_members_of_team
DELETE FROM members WHERE ws = :ws AND team = ?;

-- The role of a user in each team: the highest of their roles there and above.
-- name: team_roles
WITH RECURSIVE reach (team, role) AS (
    SELECT team, role FROM members WHERE ws = :ws AND user_id = ?1
    UNION
    SELECT t.id, r.role FROM reach AS r JOIN teams AS t ON t.ws = :ws AND t.parent = r.team
)
SELECT team, max(role) FROM reach GROUP BY team;

-- Folders.

-- name: folder
SELECT id, name, owner, team, parent, templates, created FROM folders WHERE ws = :ws AND id = ?;

-- name: personal_folder
SELECT id, name, owner, team, parent, templates, created FROM folders
WHERE ws = :ws AND owner = ? AND parent IS NULL;

-- name: folders_of_user
SELECT id, name, owner, team, parent, templates, created FROM folders
WHERE ws = :ws AND owner = ? ORDER BY parent IS NOT NULL, name, id;

-- The folders of teams that a user sees.
-- name: folders_of_teams
WITH RECURSIVE reach (team) AS (
    SELECT team FROM members WHERE ws = :ws AND user_id = ?1
    UNION
    SELECT t.id FROM reach AS r JOIN teams AS t ON t.ws = :ws AND t.parent = r.team
)
SELECT f.id, f.name, f.owner, f.team, f.parent, f.templates, f.created
FROM reach AS r JOIN folders AS f ON f.ws = :ws AND f.team = r.team ORDER BY f.name, f.id;

-- name: count_folders
SELECT count(*) FROM folders WHERE ws = :ws;

-- name: insert_folder
INSERT INTO folders (ws, id, name, owner, team, parent, templates, created)
VALUES (:ws, ?, ?, ?, ?, ?, ?, ?);

-- name: rename_folder
UPDATE folders SET name = ?2 WHERE ws = :ws AND id = ?1;

-- name: move_folder
UPDATE folders SET parent = ?2 WHERE ws = :ws AND id = ?1;

-- name: delete_folder
DELETE FROM folders WHERE ws = :ws AND id = ?;

-- name: folder_contents
SELECT (SELECT count(*) FROM folders WHERE ws = :ws AND parent = ?1),
    (SELECT count(*) FROM placements WHERE ws = :ws AND folder = ?1);

-- Spaces of documents.

-- name: document_spaces
SELECT id, name, owner, team, created, description FROM document_spaces WHERE ws = :ws
ORDER BY name, id;

-- name: insert_document_space
INSERT INTO document_spaces (ws, id, name, owner, team, created, description)
VALUES (:ws, ?, ?, ?, ?, ?, ?);

-- name: rename_document_space
UPDATE document_spaces SET name = ?2 WHERE ws = :ws AND id = ?1;

-- name: describe_document_space
UPDATE document_spaces SET description = ?2 WHERE ws = :ws AND id = ?1;

-- name: delete_document_space
DELETE FROM document_spaces WHERE ws = :ws AND id = ?;

-- name: empty_document_space
DELETE FROM space_documents WHERE ws = :ws AND space = ?;

-- name: put_in_space
INSERT INTO space_documents (ws, space, document, added) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, space, document) DO NOTHING RETURNING document;

-- name: remove_from_space
DELETE FROM space_documents WHERE ws = :ws AND space = ? AND document = ? RETURNING document;

-- name: documents_of_space
SELECT document FROM space_documents WHERE ws = :ws AND space = ? ORDER BY added, document;

-- name: spaces_of_document
SELECT space FROM space_documents WHERE ws = :ws AND document = ? ORDER BY space;

-- Where documents are.

-- name: placement
SELECT p.document, p.folder, p.owner, f.owner, f.team
FROM placements AS p JOIN folders AS f ON f.ws = :ws AND f.id = p.folder
WHERE p.ws = :ws AND p.document = ?;

-- name: placements_of_folder
SELECT document, folder, owner FROM placements WHERE ws = :ws AND folder = ? ORDER BY document;

-- name: placements_of_owner
SELECT document, folder, owner FROM placements WHERE ws = :ws AND owner = ? ORDER BY document;

-- name: upsert_placement
INSERT INTO placements (ws, document, folder, owner) VALUES (:ws, ?, ?, ?)
ON CONFLICT (ws, document) DO UPDATE SET folder = excluded.folder;

-- name: delete_placement
DELETE FROM placements WHERE ws = :ws AND document = ?;

-- name: delete_shares_of_document
DELETE FROM shares WHERE ws = :ws AND document = ?;

-- name: delete_invitations_of_document
DELETE FROM invitations WHERE ws = :ws AND document = ?;

-- name: delete_spaces_of_document
DELETE FROM space_documents WHERE ws = :ws AND document = ?;

-- Shares.

-- name: shares
SELECT u.email, s.role, u.id, u.name
FROM shares AS s JOIN users AS u ON u.ws = :ws AND u.id = s.user_id
WHERE s.ws = :ws AND s.document = ? ORDER BY u.match;

-- name: invitations
SELECT email, role FROM invitations WHERE ws = :ws AND document = ? ORDER BY match;

-- The documents that are shared with a user, each with its folder.
-- name: documents_shared_with
SELECT s.document, p.folder FROM (
    SELECT document FROM shares WHERE ws = :ws AND user_id = ?
    UNION
    SELECT document FROM link_readers WHERE ws = :ws AND user_id = ?
) AS s JOIN placements AS p ON p.ws = :ws AND p.document = s.document
ORDER BY s.document;

-- name: upsert_share
INSERT INTO shares (ws, document, user_id, role, created) VALUES (:ws, ?, ?, ?, ?)
ON CONFLICT (ws, document, user_id) DO UPDATE SET role = excluded.role;

-- name: delete_share
DELETE FROM shares WHERE ws = :ws AND document = ? AND user_id = ? RETURNING role;

-- name: upsert_invitation
INSERT INTO invitations (ws, document, match, email, role, created) VALUES (:ws, ?, ?, ?, ?, ?)
ON CONFLICT (ws, document, match) DO UPDATE SET role = excluded.role, email = excluded.email;

-- name: delete_invitation
DELETE FROM invitations WHERE ws = :ws AND document = ? AND match = ? RETURNING email, role;

-- name: delete_bound_invitations
DELETE FROM invitations WHERE ws = :ws AND match = ? RETURNING document;

-- Rights.

-- name: last_branch
SELECT max(id) FROM branches WHERE ws = :ws;

-- Every document that visitors are shown.
-- name: published_documents
SELECT p.document FROM publications AS p JOIN users AS u ON u.ws = :ws AND u.id = p.user_id
WHERE p.ws = :ws AND p.number IS NOT NULL AND u.removed IS NULL;

-- name: is_published
SELECT 1 FROM publications AS p JOIN users AS u ON u.ws = :ws AND u.id = p.user_id
WHERE p.ws = :ws AND p.document = ? AND p.number IS NOT NULL AND u.removed IS NULL;
