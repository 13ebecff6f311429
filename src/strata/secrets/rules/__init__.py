"""What secrets look like: one table for each part of the world they come from."""
