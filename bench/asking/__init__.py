"""Questions with known answers: reading them, plain baselines, and a picture of relevance."""
