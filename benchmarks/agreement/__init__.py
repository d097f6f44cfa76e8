"""Our answers next to those of other tools."""
