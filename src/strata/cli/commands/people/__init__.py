"""People, teams, and the places that say who sees a document."""
