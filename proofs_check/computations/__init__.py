"""What several claims compute with, an object of the paper a file: ALG_det, the gap of Lemma 3, small A_s."""
