"""The parts of the store's benchmark, one question each."""
