"""What the kernel is told about tallying bandits, how it is written, evaluated, and searched for proofs."""
