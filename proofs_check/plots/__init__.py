"""Pictures of what the claims found; `tallyplan verify CLAIM --plot FILE` draws them."""
