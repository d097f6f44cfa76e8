"""Studies: many questions about many instances, asked on all cores or on a cluster, kept in one file.

- `spec` reads what is asked, and lists it as items;
- `questions` knows how each kind of question is answered;
- `runners` hands the items out, answers them in the workers, takes the results back, and has them verified;
- `store` keeps them, `tables` shows them.
"""
