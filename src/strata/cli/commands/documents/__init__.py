"""The commands of `strata doc`."""
