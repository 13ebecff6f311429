"""Automatic links: found by meaning, and removed when they have faded."""
