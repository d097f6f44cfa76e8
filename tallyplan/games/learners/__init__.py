"""The learners, one file each; `tallyplan.games.registry` finds them."""
