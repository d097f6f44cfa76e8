"""One question per file: the finite horizon, the minimum mean cycle, the best word of a given period."""
