"""Tools that nobody here wrote judge the answers: `make judges`, or python -m benchmarks.judges."""
