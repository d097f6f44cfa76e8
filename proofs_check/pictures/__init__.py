"""Pictures of claims, one file each; Matplotlib is imported only when one is drawn."""
