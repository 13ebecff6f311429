"""Measuring servers of the Model Context Protocol from the outside, as their clients see them."""
