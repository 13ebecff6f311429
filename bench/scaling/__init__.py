"""What the benchmark of PostgreSQL needs: a server, and a proxy that delays."""
