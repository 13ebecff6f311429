-- The profile is found by the user of the publication, who stays the same unless another shows it.

-- name: insert_publication
INSERT INTO publications (ws, document, user_id, slug, number, pinned, created, changed)
VALUES (:ws, ?1, ?2, ?3, ?4, NULL, ?5, ?5)
-- then
UPDATE profiles SET changed = greatest(changed + 1, ?5) WHERE ws = :ws AND user_id = ?2;

-- name: show_publication
UPDATE profiles SET changed = greatest(changed + 1, ?5)
WHERE ws = :ws AND user_id IN (
    SELECT p.user_id FROM publications AS p WHERE p.ws = :ws AND p.document = ?1)
-- then
UPDATE profiles SET changed = greatest(changed + 1, ?5)
WHERE ws = :ws AND user_id = ?2 AND NOT EXISTS (
    SELECT 1 FROM publications AS p WHERE p.ws = :ws AND p.document = ?1 AND p.user_id = ?2)
-- then
UPDATE publications SET user_id = ?2, slug = ?3, number = ?4, changed = ?5
WHERE ws = :ws AND document = ?1;

-- name: hide_publication
UPDATE publications SET number = NULL, pinned = NULL, changed = ?2
WHERE ws = :ws AND document = ?1 AND number IS NOT NULL RETURNING document
-- then
UPDATE profiles SET changed = greatest(changed + 1, ?2)
WHERE ws = :ws AND user_id IN (
    SELECT p.user_id FROM publications AS p
    WHERE p.ws = :ws AND p.document = ?1 AND p.number IS NULL AND p.changed = ?2);

-- name: hide_publication_of_branch
UPDATE publications SET number = NULL, pinned = NULL, changed = ?3
WHERE ws = :ws AND document = ?1 AND number IS NOT NULL AND EXISTS (
    SELECT 1 FROM published_versions AS v
    WHERE v.ws = :ws AND v.document = ?1 AND v.number = publications.number AND v.branch = ?2)
-- then
UPDATE profiles SET changed = greatest(changed + 1, ?3)
WHERE ws = :ws AND user_id IN (
    SELECT p.user_id FROM publications AS p
    WHERE p.ws = :ws AND p.document = ?1 AND p.number IS NULL AND p.changed = ?3);

-- name: pin_publication
UPDATE publications SET pinned = ?2, changed = ?3 WHERE ws = :ws AND document = ?1
-- then
UPDATE profiles SET changed = greatest(changed + 1, ?3)
WHERE ws = :ws AND user_id IN (
    SELECT p.user_id FROM publications AS p WHERE p.ws = :ws AND p.document = ?1);

-- name: delete_publication
UPDATE profiles SET changed = changed + 1
WHERE ws = :ws AND user_id IN (
    SELECT p.user_id FROM publications AS p WHERE p.ws = :ws AND p.document = ?1)
-- then
DELETE FROM publications WHERE ws = :ws AND document = ?1;
