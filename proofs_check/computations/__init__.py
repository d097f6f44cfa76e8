"""What several claims compute with, one object of the paper per file: ALG_det, the gap of Lemma 3, ..."""
