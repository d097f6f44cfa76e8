"""The kernel: what a theorem is, and the only rules that make one. Read `rules` first, then `terms`."""
