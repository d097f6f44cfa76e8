"""The machine-checked proofs, in Rocq: one file per result. See docs/formal.md."""
