"""Lower bounds on the long-run loss per step, each with a proof that needs no list of the histories."""
