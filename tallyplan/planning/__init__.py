"""One question a file: the finite horizon, the minimum mean cycle, the best word of a given period."""
