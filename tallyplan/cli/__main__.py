"""`python -m tallyplan.cli`, the same as `tallyplan`."""

from tallyplan.cli import main

main()
