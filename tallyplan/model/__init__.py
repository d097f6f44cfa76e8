"""What is planned: instances, exact numbers, words, tallies, the state graph, and named families."""
