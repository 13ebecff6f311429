"""What the benchmark of live documents needs: a server, thin sockets, and a crowd of them."""
