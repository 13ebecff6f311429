-- Profiles.

-- name: profile_of
SELECT user_id, name, title, about, created, changed FROM profiles WHERE user_id = ?;

-- name: insert_profile
INSERT INTO profiles (user_id, name, title, about, created) VALUES (?1, ?2, ?3, ?4, ?5);

-- name: update_profile
UPDATE profiles SET name = ?2, title = ?3, about = ?4, changed = max(changed + 1, ?5)
WHERE user_id = ?1;

-- Whose a name is or was.
-- name: owner_of_profile_name
SELECT user_id FROM profile_names WHERE name = ?;

-- name: insert_profile_name
INSERT INTO profile_names (name, user_id) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING;

-- name: count_profile_names
SELECT count(*) FROM profile_names WHERE user_id = ?;

-- The name that a profile has now, by one that it has or had.
-- name: present_profile_name
SELECT p.name FROM profile_names AS n JOIN profiles AS p ON p.user_id = n.user_id
    JOIN users AS u ON u.id = p.user_id
WHERE n.name = ? AND u.removed IS NULL;

-- Publications. A user who was removed has none, and their address leads nowhere.

-- name: publication
SELECT p.document, p.user_id, p.slug, p.number, p.pinned, p.created, p.changed,
    f.name, u.removed IS NULL
FROM publications AS p JOIN profiles AS f ON f.user_id = p.user_id
    JOIN users AS u ON u.id = p.user_id
WHERE p.document = ?;

-- name: slug_is_taken
SELECT 1 FROM publications WHERE user_id = ?1 AND slug = ?2 AND document <> ?3;

-- name: insert_publication
INSERT INTO publications (document, user_id, slug, number, pinned, created, changed)
VALUES (?1, ?2, ?3, ?4, NULL, ?5, ?5);

-- name: show_publication
UPDATE publications SET user_id = ?2, slug = ?3, number = ?4, changed = ?5 WHERE document = ?1;

-- name: hide_publication
UPDATE publications SET number = NULL, pinned = NULL, changed = ?2
WHERE document = ?1 AND number IS NOT NULL RETURNING document;

-- The same for a document that went into the trash on the branch that it was published from.
-- name: hide_publication_of_branch
UPDATE publications SET number = NULL, pinned = NULL, changed = ?3
WHERE document = ?1 AND number IS NOT NULL AND EXISTS (
    SELECT 1 FROM published_versions AS v
    WHERE v.document = ?1 AND v.number = publications.number AND v.branch = ?2
);

-- name: pin_publication
UPDATE publications SET pinned = ?2, changed = ?3 WHERE document = ?1;

-- name: delete_publication
DELETE FROM publications WHERE document = ?;

-- name: documents_ever_published
SELECT document FROM publications ORDER BY document;

-- name: publications
SELECT p.document, f.name, p.slug, p.number, p.pinned, p.created, p.changed,
    (SELECT title FROM published_versions AS v WHERE v.document = p.document
     ORDER BY v.number = p.number DESC, v.number DESC LIMIT 1)
FROM publications AS p JOIN profiles AS f ON f.user_id = p.user_id
    JOIN users AS u ON u.id = p.user_id AND u.removed IS NULL
ORDER BY p.changed DESC, p.document DESC;

-- Versions.

-- name: insert_published_version
INSERT INTO published_versions (document, number, version, branch, hash, title, summary, text,
    is_packed, images, user_id, via, created)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13);

-- name: published_versions
SELECT document, number, version, branch, hash, title, summary, images, user_id, via, created
FROM published_versions WHERE document = ? ORDER BY number DESC;

-- name: published_version
SELECT document, number, version, branch, hash, title, summary, images, user_id, via, created
FROM published_versions WHERE document = ?1 AND number = ?2;

-- name: published_text
SELECT text, is_packed FROM published_versions WHERE document = ?1 AND number = ?2;

-- name: delete_published_versions
DELETE FROM published_versions WHERE document = ?;

-- name: has_published_image
SELECT 1 FROM published_images WHERE document = ?1 AND id = ?2;

-- name: insert_published_image
INSERT INTO published_images (document, id, data) VALUES (?1, ?2, ?3)
ON CONFLICT (document, id) DO NOTHING;

-- name: published_image
SELECT data FROM published_images WHERE document = ?1 AND id = ?2;

-- name: delete_published_images
DELETE FROM published_images WHERE document = ?;

-- What visitors are shown.

-- name: public_profile
SELECT f.user_id, f.name, f.title, f.about, f.created, f.changed
FROM profiles AS f JOIN users AS u ON u.id = f.user_id
WHERE f.name = ? AND u.removed IS NULL;

-- name: public_list
SELECT p.document, p.slug, p.number, p.pinned, v.title, v.branch, v.created, p.created, v.hash,
    v.summary
FROM publications AS p
    JOIN published_versions AS v ON v.document = p.document AND v.number = p.number
WHERE p.user_id = ?
ORDER BY p.pinned IS NULL, p.pinned DESC, v.created DESC, p.document DESC;

-- name: public_page
SELECT p.document, p.slug, p.number, p.pinned, v.title, v.branch, v.created, p.created, v.hash,
    v.summary, f.user_id, f.name, f.title, f.about, f.created, f.changed
FROM profiles AS f JOIN users AS u ON u.id = f.user_id
    JOIN publications AS p ON p.user_id = f.user_id
    JOIN published_versions AS v ON v.document = p.document AND v.number = p.number
WHERE f.name = ?1 AND p.slug = ?2 AND u.removed IS NULL;

-- The document of an address, shown or not: for those who manage it.
-- name: document_of_slug
SELECT p.document FROM publications AS p JOIN profiles AS f ON f.user_id = p.user_id
WHERE f.name = ?1 AND p.slug = ?2;
