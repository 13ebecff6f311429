"""Errors, limits, clock, values, ids. It imports no other package of Strata."""
