-- Profiles.

-- name: profile_of
SELECT user_id, name, title, about, created, changed FROM profiles WHERE ws = :ws AND user_id = ?;

-- name: insert_profile
INSERT INTO profiles (ws, user_id, name, title, about, created) VALUES (:ws, ?1, ?2, ?3, ?4, ?5);

-- Whose a name is or was.
-- name: owner_of_profile_name
SELECT user_id FROM profile_names WHERE ws = :ws AND name = ?;

-- name: insert_profile_name
INSERT INTO profile_names (ws, name, user_id) VALUES (:ws, ?1, ?2)
ON CONFLICT (ws, name) DO NOTHING;

-- name: count_profile_names
SELECT count(*) FROM profile_names WHERE ws = :ws AND user_id = ?;

-- The name that a profile has now, by one that it has or had.
-- name: present_profile_name
SELECT p.name FROM profile_names AS n JOIN profiles AS p ON p.ws = :ws AND p.user_id = n.user_id
    JOIN users AS u ON u.ws = :ws AND u.id = p.user_id
WHERE n.ws = :ws AND n.name = ? AND u.removed IS NULL;

-- Publications. A user who was removed has none, and their address leads nowhere.

-- name: publication
SELECT p.document, p.user_id, p.slug, p.number, p.pinned, p.created, p.changed,
    f.name, u.removed IS NULL
FROM publications AS p JOIN profiles AS f ON f.ws = :ws AND f.user_id = p.user_id
    JOIN users AS u ON u.ws = :ws AND u.id = p.user_id
WHERE p.ws = :ws AND p.document = ?;

-- name: slug_is_taken
SELECT 1 FROM publications WHERE ws = :ws AND user_id = ?1 AND slug = ?2 AND document <> ?3;

-- name: documents_ever_published
SELECT document FROM publications WHERE ws = :ws ORDER BY document;

-- name: publications
SELECT p.document, f.name, p.slug, p.number, p.pinned, p.created, p.changed,
    (SELECT title FROM published_versions AS v WHERE v.ws = :ws AND v.document = p.document
     ORDER BY v.number = p.number DESC, v.number DESC LIMIT 1)
FROM publications AS p JOIN profiles AS f ON f.ws = :ws AND f.user_id = p.user_id
    JOIN users AS u ON u.ws = :ws AND u.id = p.user_id AND u.removed IS NULL
WHERE p.ws = :ws
ORDER BY p.changed DESC, p.document DESC;

-- Versions.

-- name: insert_published_version
INSERT INTO published_versions (ws, document, number, version, branch, hash, title, summary, text,
    is_packed, images, user_id, via, created)
VALUES (:ws, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);

-- name: published_versions
SELECT document, number, version, branch, hash, title, summary, images, user_id, via, created
FROM published_versions WHERE ws = :ws AND document = ? ORDER BY number DESC;

-- name: published_version
SELECT document, number, version, branch, hash, title, summary, images, user_id, via, created
FROM published_versions WHERE ws = :ws AND document = ?1 AND number = ?2;

-- name: published_text
SELECT text, is_packed FROM published_versions WHERE ws = :ws AND document = ?1 AND number = ?2;

-- name: delete_published_versions
DELETE FROM published_versions WHERE ws = :ws AND document = ?;

-- name: has_published_image
SELECT 1 FROM published_images WHERE ws = :ws AND document = ?1 AND id = ?2;

-- name: insert_published_image
INSERT INTO published_images (ws, document, id, data) VALUES (:ws, ?1, ?2, ?3)
ON CONFLICT (ws, document, id) DO NOTHING;

-- name: published_image
SELECT data FROM published_images WHERE ws = :ws AND document = ?1 AND id = ?2;

-- name: delete_published_images
DELETE FROM published_images WHERE ws = :ws AND document = ?;

-- What visitors are shown.

-- name: public_profile
SELECT f.user_id, f.name, f.title, f.about, f.created, f.changed
FROM profiles AS f JOIN users AS u ON u.ws = :ws AND u.id = f.user_id
WHERE f.ws = :ws AND f.name = ? AND u.removed IS NULL;

-- name: public_list
SELECT p.document, p.slug, p.number, p.pinned, v.title, v.branch, v.created, p.created, v.hash,
    v.summary
FROM publications AS p
    JOIN published_versions AS v ON v.ws = :ws AND v.document = p.document AND v.number = p.number
WHERE p.ws = :ws AND p.user_id = ?
ORDER BY p.pinned IS NULL, p.pinned DESC, v.created DESC, p.document DESC;

-- name: public_page
SELECT p.document, p.slug, p.number, p.pinned, v.title, v.branch, v.created, p.created, v.hash,
    v.summary, f.user_id, f.name, f.title, f.about, f.created, f.changed
FROM profiles AS f JOIN users AS u ON u.ws = :ws AND u.id = f.user_id
    JOIN publications AS p ON p.ws = :ws AND p.user_id = f.user_id
    JOIN published_versions AS v ON v.ws = :ws AND v.document = p.document AND v.number = p.number
WHERE f.ws = :ws AND f.name = ?1 AND p.slug = ?2 AND u.removed IS NULL;

-- The document of an address, shown or not: for those who manage it.
-- name: document_of_slug
SELECT p.document
FROM publications AS p JOIN profiles AS f ON f.ws = :ws AND f.user_id = p.user_id
WHERE p.ws = :ws AND f.name = ?1 AND p.slug = ?2;
