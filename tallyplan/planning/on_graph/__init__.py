"""Planning on the graph of all histories: sweeps, jumps, closed walks."""
