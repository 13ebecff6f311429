"""Threads and suggestions as answers show them: in lists, and below the text they are about."""
