"""The players: one file a learner. `registry.py` names them, `protocol.py` says what a learner is."""
