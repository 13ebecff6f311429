"""The forms in which clients and websites keep conversations, one module each."""
