"""The parts of the search benchmark, one question each."""
