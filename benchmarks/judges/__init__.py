"""Tools that nobody here wrote judge the answers: `make peers`, or python -m benchmarks.judges."""
