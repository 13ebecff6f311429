-- What changes a publication also changes the profile of its user: in SQLite a trigger does that.
-- The time is that of the statement; a distributed database refuses volatile functions in an UPDATE.

-- name: update_profile
UPDATE profiles SET name = ?2, title = ?3, about = ?4, changed = greatest(changed + 1, ?5)
WHERE ws = :ws AND user_id = ?1;

-- name: insert_publication
WITH added AS (
    INSERT INTO publications (ws, document, user_id, slug, number, pinned, created, changed)
    VALUES (:ws, ?1, ?2, ?3, ?4, NULL, ?5, ?5)
    RETURNING user_id
)
UPDATE profiles SET changed = greatest(changed + 1,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint)
WHERE ws = :ws AND user_id IN (SELECT user_id FROM added);

-- The user may be another one from now on.
-- name: show_publication
WITH before AS (
    SELECT user_id FROM publications WHERE ws = :ws AND document = ?1
), shown AS (
    UPDATE publications SET user_id = ?2, slug = ?3, number = ?4, changed = ?5
    WHERE ws = :ws AND document = ?1
    RETURNING user_id
)
UPDATE profiles SET changed = greatest(changed + 1,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint)
WHERE ws = :ws AND user_id IN (SELECT user_id FROM before UNION SELECT user_id FROM shown);

-- name: hide_publication
WITH hidden AS (
    UPDATE publications SET number = NULL, pinned = NULL, changed = ?2
    WHERE ws = :ws AND document = ?1 AND number IS NOT NULL
    RETURNING document, user_id
), touched AS (
    UPDATE profiles SET changed = greatest(changed + 1,
        (extract(epoch FROM statement_timestamp()) * 1000000)::bigint)
    WHERE ws = :ws AND user_id IN (SELECT user_id FROM hidden)
)
SELECT document FROM hidden;

-- name: hide_publication_of_branch
WITH hidden AS (
    UPDATE publications SET number = NULL, pinned = NULL, changed = ?3
    WHERE ws = :ws AND document = ?1 AND number IS NOT NULL AND EXISTS (
        SELECT 1 FROM published_versions AS v
        WHERE v.ws = :ws AND v.document = ?1 AND v.number = publications.number AND v.branch = ?2
    )
    RETURNING user_id
)
UPDATE profiles SET changed = greatest(changed + 1,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint)
WHERE ws = :ws AND user_id IN (SELECT user_id FROM hidden);

-- name: pin_publication
WITH pinned AS (
    UPDATE publications SET pinned = ?2, changed = ?3 WHERE ws = :ws AND document = ?1
    RETURNING user_id
)
UPDATE profiles SET changed = greatest(changed + 1,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint)
WHERE ws = :ws AND user_id IN (SELECT user_id FROM pinned);

-- name: delete_publication
WITH removed AS (
    DELETE FROM publications WHERE ws = :ws AND document = ? RETURNING user_id
)
UPDATE profiles SET changed = greatest(changed + 1,
    (extract(epoch FROM statement_timestamp()) * 1000000)::bigint)
WHERE ws = :ws AND user_id IN (SELECT user_id FROM removed);
