-- name: update_profile
UPDATE profiles SET name = ?2, title = ?3, about = ?4, changed = max(changed + 1, ?5)
WHERE user_id = ?1;

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
