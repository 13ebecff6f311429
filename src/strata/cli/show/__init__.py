"""How things look in a terminal: text, tables, differences, commits, bars."""
