-- name: delete_requests_about
DELETE FROM requests WHERE ws = :ws AND strpos(answer, ?1) > 0;
