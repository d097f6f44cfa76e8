"""The race: tallyplan and its peers on the same instances, one core, in turns."""
