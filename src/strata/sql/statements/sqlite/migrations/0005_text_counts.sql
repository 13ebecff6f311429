-- The texts that models follow. wide: those that need the multilingual model, which are memories,
-- since they are linked across languages, and texts in scripts that the main model cannot read: the
-- second byte of an entry has the traits of its text, and of those the bit of 64, so that the first
-- hexadecimal digit is 4 to 7, or C to F. guarded: texts of documents.
CREATE VIEW texts AS
SELECT version,
    keyspace IN (SELECT id FROM keyspaces WHERE kind IN ('document', 'section')) AS guarded,
    substr(hex(substr(text, 2, 1)), 1, 1) IN ('4', '5', '6', '7', 'C', 'D', 'E', 'F')
        OR keyspace IN (SELECT id FROM keyspaces WHERE kind = 'memory') AS wide
FROM versions WHERE text IS NOT NULL AND flags & 7 = 0;

-- How many there are up to some versions of the store, by both. Derived, as counts are.
CREATE TABLE text_counts (
    version INTEGER PRIMARY KEY,
    plain INTEGER NOT NULL,
    wide INTEGER NOT NULL,
    guarded_plain INTEGER NOT NULL,
    guarded_wide INTEGER NOT NULL
);
