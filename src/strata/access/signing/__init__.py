"""Signing in by a browser: codes that are used once, and what a browser keeps of them."""
