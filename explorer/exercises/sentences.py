"""The texts of the exercises: short sentences of our own, so that every token can be looked at."""

from __future__ import annotations

SENTENCES = (
    "The cat sleeps under the old table.",
    "A small boat crossed the wide river.",
    "My sister reads a book every night.",
    "The baker sold warm bread in the morning.",
    "Two birds built a nest in our garden.",
    "The train to Paris leaves at noon.",
    "He found a silver key in the drawer.",
    "Rain fell on the roof all night.",
    "The teacher drew a circle on the board.",
    "We planted three trees behind the house.",
    "The moon was bright over the quiet sea.",
    "Her brother plays the piano very well.",
    "The dog ran after the red ball.",
    "A cold wind came down from the hills.",
    "The children painted a large blue fish.",
    "They walked home along the narrow street.",
)
"""Seven to nine tokens for most vocabularies."""

SHORT = (
    "I like cats",
    "Birds can fly",
    "We ate rice",
    "Snow is cold",
    "She sings well",
    "Dogs run fast",
    "The sun rises",
    "He was late",
)
"""Three or four tokens."""

PAIRS = (
    ("Q: What is the capital of France?\nA:", " Paris."),
    ("Q: How many legs has a spider?\nA:", " Eight."),
    ("Q: What do bees make?\nA:", " Honey."),
    ("Q: What colour is snow?\nA:", " White."),
    ("Opposite of hot:", " cold"),
    ("Opposite of early:", " late"),
    ("Count on: one, two,", " three, four"),
    ("A word for a young dog:", " puppy"),
)
"""Prompt and response."""

TRANSLATIONS = (
    ("translate English to German: The house is old.", "Das Haus ist alt."),
    ("translate English to German: I like bread.", "Ich mag Brot."),
    ("translate English to German: We are here.", "Wir sind hier."),
    ("translate English to French: The cat sleeps.", "Le chat dort."),
    ("translate English to French: It is cold.", "Il fait froid."),
)
"""Source and target."""
