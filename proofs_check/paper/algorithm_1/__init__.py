"""Algorithm 1: SE-TB, its schedule and its estimates."""
