"""Strata and its peers behind the same three calls; every one takes and gives JSON values."""
