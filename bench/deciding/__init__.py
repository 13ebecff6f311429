"""The parts of the benchmark of decisions: what it is measured on, and a day of work."""
