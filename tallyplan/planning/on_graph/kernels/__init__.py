"""The compiled sweeps, and nothing else. Imported only for instances that are large enough to need them."""
