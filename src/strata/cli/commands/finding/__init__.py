"""Finding things, and what search by meaning needs: vectors and models."""
