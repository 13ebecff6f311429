"""Serving the store to clients elsewhere, and the tokens that they need."""
