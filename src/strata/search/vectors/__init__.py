"""Vectors that follow the commits: making them, keeping them, and finding the nearest."""
