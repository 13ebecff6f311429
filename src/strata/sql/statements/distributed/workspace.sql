-- name: seed_workspace
INSERT INTO catalog (ws, id, generation, removals, syncs, store_id, created)
VALUES (:ws, 1, 0, 0, 0, '', ?5)
-- then
INSERT INTO access (ws, id, mark) VALUES (:ws, 1, ?1)
-- then
INSERT INTO users (ws, id, email, match, name, is_owner, created)
VALUES (:ws, ?2, 'owner@localhost', 'owner@localhost', 'owner', 1, ?5)
-- then
INSERT INTO teams (ws, id, name, parent, created) VALUES (:ws, ?3, 'workspace', NULL, ?5)
-- then
INSERT INTO members (ws, team, user_id, role) VALUES (:ws, ?3, ?2, 4)
-- then
INSERT INTO folders (ws, id, name, owner, team, parent, templates, created)
VALUES (:ws, ?4, 'Personal', ?2, NULL, NULL, 0, ?5);
