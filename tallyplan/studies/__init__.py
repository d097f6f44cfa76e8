"""Studies: many questions about many instances, asked on all cores or on a cluster, kept in one file.

- `spec` reads what is asked, and lists it as items;
- `questions` knows how each kind of question is answered;
- `runners` hands the items out, answers them in the workers, and takes the results back;
- `store` keeps them, `tables` shows them, `checking` has them verified again.
"""
