"""The server on the official SDK. Slow to load, so it is imported by those who run it."""
