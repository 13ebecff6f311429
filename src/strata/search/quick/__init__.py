"""A look at the newest texts that loads nothing: no arrays, no model, no index in memory."""
