-- Where the commits with some hashes are, given in hexadecimal.
-- name: commits_of_hashes
SELECT lower(hex(hash)), branch, min(version) FROM commits
WHERE lower(hex(hash)) IN (SELECT value FROM json_each(?)) GROUP BY hash;
