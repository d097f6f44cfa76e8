"""The ways to prove a step: z3 and sympy, Arb balls, analysis, and arguments that several proofs share."""
