"""Counting what a process calls."""
