"""What the site shows and nobody types: pages of the claims, the commands and the public names, notebooks."""
