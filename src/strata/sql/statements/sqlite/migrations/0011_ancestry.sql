-- Commits that take another commit back, so that a merge finds those that took back an earlier merge.
CREATE INDEX undoings_by_branch ON versions (branch, version)
WHERE operation BETWEEN 'undo ' AND 'undo!' OR operation BETWEEN 'revert ' AND 'revert!';
