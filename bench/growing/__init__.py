"""The parts of the benchmark of growth: texts, stores, and what is measured on them."""
