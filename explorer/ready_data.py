"""Small data sets of our own for the first look at batches and heads, in the shapes in which such data is published."""

from __future__ import annotations

import json
from collections.abc import Mapping

TEXTS = """{"text": "The cat sat on the mat."}
{"text": "A long train crossed the old bridge late at night while everybody in the village was asleep."}
{"text": "Rain."}
{"text": "She opened the window and looked at the garden."}
{"text": "My brother wants to learn the violin, but he has no time to practise before the summer."}
{"text": "Good morning."}
{"text": "The bread is still warm."}
{"text": "Nobody knew how the small boat had come into the harbour."}"""

PAIRS = """{"source": "I am hungry.", "target": "Ich habe Hunger."}
{"source": "The train to the sea leaves early tomorrow morning.", "target": "Der Zug ans Meer fährt morgen früh ab."}
{"source": "Thank you.", "target": "Danke."}
{"source": "Where did you buy the red bicycle?", "target": "Wo hast du das rote Fahrrad gekauft?"}
{"source": "It is snowing.", "target": "Es schneit."}
{"source": "My sister reads a book every week.", "target": "Meine Schwester liest jede Woche ein Buch."}"""

CHATS = """{"prompt": "Q: What is the capital of France?\\nA:", "response": " Paris."}
{"prompt": "Q: How many days has a week?\\nA:", "response": " Seven."}
{"prompt": "Q: Name three colours of a traffic light, from top to bottom.\\nA:", "response": " Red, yellow and green."}
{"prompt": "Q: Is ice lighter than water?\\nA:", "response": " Yes. That is why it floats."}"""

SENTENCES = """sentence,label
I love this film and would watch it again,positive
A dull and boring evening,negative
The music was wonderful,positive
What a waste of time and money,negative
The actors were great and the story moved me,positive
I was disappointed by the weak ending,negative
"Such a warm, funny and clever book",positive
The food was cold and tasted terrible,negative
We had a lovely time in this hotel,positive
The worst trip of my life,negative
Everything worked perfectly and everybody was kind,positive
It broke after two days and nobody helped us,negative
A beautiful picture full of joy,positive
The room was dirty and far too loud,negative
My children laughed from beginning to end,positive
I hate the new version,negative
An excellent choice for a rainy day,positive
The plot makes no sense and the jokes are awful,negative
Friendly people and delicious cake,positive
A sad mess that I could not finish,negative
This song makes me happy every morning,positive
The service was rude and slow,negative
Brilliant from the first minute to the last,positive
I regret buying it,negative"""

NAMES = """Anna B-PER
Smith I-PER
lives O
in O
Berlin B-LOC
. O

The O
train O
from O
Paris B-LOC
to O
London B-LOC
was O
late O
. O

Yesterday O
Maria B-PER
met O
John B-PER
Brown I-PER
in O
Madrid B-LOC
. O

Tokyo B-LOC
is O
larger O
than O
Rome B-LOC
. O

My O
teacher O
Peter B-PER
Green I-PER
comes O
from O
Canada B-LOC
. O

We O
flew O
from O
Chicago B-LOC
to O
Seoul B-LOC
last O
week O
. O

David B-PER
and O
Sarah B-PER
Miller I-PER
play O
chess O
. O

The O
old O
bridge O
in O
Prague B-LOC
is O
famous O
. O

Thomas B-PER
wrote O
a O
letter O
to O
Emma B-PER
. O

The O
river O
runs O
through O
Vienna B-LOC
and O
Budapest B-LOC
. O

Laura B-PER
White I-PER
studies O
in O
Oxford B-LOC
. O

A O
cold O
wind O
blew O
over O
the O
lake O
. O"""

QUESTIONS = [
    ("Where does Anna live?", "Anna lives in a small house near Berlin with her two dogs.", "Berlin"),
    ("Who wrote the letter?", "The letter that was found in the attic was written by Thomas.", "Thomas"),
    ("When does the train leave?", "The last train to the coast leaves at nine every evening.", "nine"),
    ("What colour is the door?", "The house has a green door and a red roof.", "green"),
    ("Where is the key?", "Peter put the key under the stone beside the well.", "under the stone"),
    ("Who won the race?", "In the rain, Maria won the race before Laura.", "Maria"),
    ("What does the baker sell?", "On Sundays the baker sells warm bread to the whole village.", "warm bread"),
    ("When was the bridge built?", "The bridge over the river was built in 1902.", "1902"),
]


def _questions() -> str:
    """SQuAD's fields, one question a line."""
    lines = []
    for question, context, answer in QUESTIONS:
        answers = {"text": [answer], "answer_start": [context.index(answer)]}
        lines.append(json.dumps({"question": question, "context": context, "answers": answers}))
    return "\n".join(lines)


READY: Mapping[str, str] = {
    **dict.fromkeys(("masked_lm", "causal_lm", "denoising", "span_corruption"), TEXTS),
    **dict.fromkeys(("prefix_lm", "seq2seq"), PAIRS),
    "sft": CHATS,
    "sequence_classification": SENTENCES,
    "token_classification": NAMES,
    "question_answering": _questions(),
}
"""By key of the objective."""
