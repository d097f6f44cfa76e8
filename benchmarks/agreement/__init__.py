"""Independent tools confirm the answers: `make peers`, or python -m benchmarks.agreement."""
