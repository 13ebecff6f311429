"""What the benchmark of the page runs: a store, a browser, and what it watches there."""
