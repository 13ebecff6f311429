-- The generation of the catalog that wrote the row of a branch last, so that a process which knows
-- an earlier one reads the rows that have changed since, and not all.
ALTER TABLE branches ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX branches_by_change ON branches (changed);
