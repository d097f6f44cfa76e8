"""The solvers of the race, each a program of its own: one instance in, an answer for every line `solve`."""
