"""Commands that show documents to everybody."""
