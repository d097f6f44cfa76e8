"""What the site generates: pages of the claims, the commands and the public names, notebooks."""
