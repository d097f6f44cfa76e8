"""`python -m tallyplan` is the `tallyplan` command."""

from tallyplan.cli import main

main()
