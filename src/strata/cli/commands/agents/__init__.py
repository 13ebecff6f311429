"""Commands that ask agents for something, and let them work."""
