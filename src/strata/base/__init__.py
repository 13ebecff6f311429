"""Floor 0: errors, limits, clock, values. Depends on nothing of ours."""
