"""Training live: a tiny model learns one task while a class watches, and can be told to make a mistake."""
