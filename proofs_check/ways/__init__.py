"""The ways to prove a step: z3 and sympy, Arb balls, analysis, sequences of plays, and Rocq."""
