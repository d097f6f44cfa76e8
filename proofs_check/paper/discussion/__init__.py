"""The Discussion: unknown memory, accuracy of the policy set."""
