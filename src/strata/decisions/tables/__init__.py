"""The decisions of the branch `default` as plain SQL tables, for other programs."""
