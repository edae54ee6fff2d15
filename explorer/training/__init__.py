"""Training of small models on the explorer's own examples: recipes, corpus, batches, loop, and what is shipped."""
