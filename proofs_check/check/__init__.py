"""Checking the certificates of claims: worst cases over tables (`worst_case`) and minimax regret (`minimax`).

They extend the checker of `tallyplan.check`, which finds them by the entry points `tallyplan.certificates`,
and keep its rules: only the standard library and that checker are imported, and nothing is searched.
docs/constants.md says what they hold.
"""
