"""The commands of `strata comment` and `strata suggest`."""
