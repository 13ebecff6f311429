"""Commands that write the store to files for others, and read what others wrote."""
