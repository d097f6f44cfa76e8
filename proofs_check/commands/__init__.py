"""The commands that the claims, the constants and the games against nature add to the command line."""
