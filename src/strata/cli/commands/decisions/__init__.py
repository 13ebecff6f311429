"""Decisions, checkpoints and insights in the terminal."""
