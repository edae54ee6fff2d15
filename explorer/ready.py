"""Ready examples that suit the models that come with the app: children's stories, facts, short translations.

The examples of an Objective are for its usual, published model: another vocabulary cuts other tokens, so that spans
and positions chosen by hand would mean something else, and a small model knows less.
"""

from __future__ import annotations

from collections.abc import Mapping

from explorer.objectives.base import Objective, ReadyExample, Texts
from explorer.types import Message

DOG = "The little dog ran to the park. He saw a big red ball. The dog was very happy."
GIRL = "Once upon a time, there was a little girl who loved to play with her red ball in the park."
STORY_TURNS = """[
  {"role": "user", "content": "Can I play with your ball?"},
  {"role": "assistant", "content": "Yes, you can."},
  {"role": "user", "content": "Thank you!"},
  {"role": "assistant", "content": "You are welcome."}
]"""

CLASSIFYING = "sequence_classification"
LAST = "This film made us laugh from the first minute to the last."
BOTH_STACKS = (
    ReadyExample(Message("Read by both stacks"), Texts(LAST, target="positive"), {"way": "both"}),
    ReadyExample(Message("From the wrong end"), Texts(LAST, target="positive"), {"way": "both", "wrong_end": "true"}),
)
DECODER = (
    ReadyExample(Message("Read by a decoder"), Texts(LAST, target="positive"), {"way": "decoder"}),
    ReadyExample(
        Message("From the wrong end"), Texts(LAST, target="positive"), {"way": "decoder", "wrong_end": "true"}
    ),
)

OTHER_STACKS: Mapping[tuple[str, str], tuple[ReadyExample, ...]] = {
    **dict.fromkeys([(name, CLASSIFYING) for name in ("facebook/bart-base", "explorer/bart")], BOTH_STACKS),
    **dict.fromkeys([(name, CLASSIFYING) for name in ("openai-community/gpt2", "explorer/gpt")], DECODER),
}
"""For models of a stack that is not the usual one of the objective, by model and key."""

OWN: Mapping[tuple[str, str], tuple[ReadyExample, ...]] = {
    ("explorer/bert", "masked_lm"): (
        ReadyExample(
            Message("A story"),
            Texts("Once upon a time there was a little girl who loved to play in the park."),
            {"select": "4,9,16"},
        ),
        ReadyExample(Message("A fact"), Texts("The capital of France is Paris."), {"select": "6"}),
        ReadyExample(
            Message("A sentence that follows"),
            Texts("Tom was very hungry.", "He ate a big red apple."),
            {"select": "4,12"},
        ),
        ReadyExample(
            Message("A sentence that does not follow"),
            Texts("Tom was very hungry.", "The queen lived in a castle far away."),
            {"select": "4", "is_next": "false"},
        ),
    ),
    ("explorer/gpt", "causal_lm"): (
        ReadyExample(Message("A story"), Texts(GIRL)),
        ReadyExample(Message("Shifted twice"), Texts("The little dog was very happy."), {"shift_twice": "true"}),
        ReadyExample(
            Message("Padding and the real end"), Texts("They were very happy."), {"add_eos": "true", "pad_to": "10"}
        ),
        ReadyExample(Message("A fact"), Texts("The capital of France is Paris.")),
    ),
    ("explorer/gpt", "packed_lm"): (
        ReadyExample(Message("Two documents"), Texts("Tom had a red ball.\n\nLily saw a big bird."), {"block": "8"}),
        ReadyExample(
            Message("Isolated"),
            Texts("Tom had a red ball.\n\nLily saw a big bird."),
            {"block": "16", "isolate": "true"},
        ),
        ReadyExample(
            Message("Rest dropped"),
            Texts("Tom had a red ball.\n\nLily saw a big bird."),
            {"block": "5", "index": "1", "carry": "false"},
        ),
        ReadyExample(
            Message("Korean fills a block sooner"), Texts("Tom was happy.\n\n나는 밥을 먹었다."), {"isolate": "true"}
        ),
    ),
    ("explorer/gpt", "prefix_lm"): (
        ReadyExample(
            Message("A story"),
            Texts("Once upon a time, there was a little girl named Lily. She", target=" loved to play in the park."),
        ),
        ReadyExample(Message("A fact"), Texts("The capital of France is", target=" Paris.")),
        ReadyExample(Message("Question and answer"), Texts("Q: What color is the ball?\nA:", target=" Red.")),
        ReadyExample(Message("Korean, one letter is several tokens"), Texts("나는 밥을", target="먹었다")),
    ),
    ("explorer/gpt", "sft"): (
        ReadyExample(
            Message("A story"), Texts("Lily saw a big red ball. She asked her mom,", target=' "Can I play with it?"')
        ),
        ReadyExample(Message("Two turns"), Texts(messages=STORY_TURNS), {"template": "plain", "mode": "last"}),
        ReadyExample(
            Message("Seam inside a token"),
            Texts("Tom fell and hurt his knee. His mom gave him a big ", target="hug."),
            {"prompt_alone": "true"},
        ),
        ReadyExample(Message("A fact"), Texts("Q: What is the capital of France?\nA:", target=" Paris.")),
    ),
    ("explorer/bart", "denoising"): (
        ReadyExample(Message("Final recipe"), Texts(DOG), {"kind": "final"}, seed=2),
        ReadyExample(Message("Sentences permuted"), Texts(DOG), {"kind": "sentence_permutation"}, seed=2),
        ReadyExample(Message("A hidden span and an inserted mask"), Texts(DOG), {"spans": "3:6,8:8"}),
        ReadyExample(
            Message("Damaged by hand"),
            Texts(
                "Once upon a time, there was a <mask> who loved to play.",
                target="Once upon a time, there was a little girl who loved to play.",
            ),
        ),
    ),
    ("explorer/t5", "span_corruption"): (
        ReadyExample(Message("15% by chance"), Texts(GIRL)),
        ReadyExample(
            Message("Damaged by hand"),
            Texts(
                "The little dog <extra_id_0> the park. He saw a <extra_id_1> ball.",
                target="<extra_id_0> ran to <extra_id_1> big red <extra_id_2>",
            ),
        ),
        ReadyExample(Message("Two spans by hand"), Texts(DOG), {"spans": "2:4,8:9"}),
        ReadyExample(Message("Korean"), Texts("나는 어제 친구와 함께 밥을 먹었다."), {"spans": "4:8,11:14"}),
    ),
    ("explorer/t5", "seq2seq"): (
        ReadyExample(Message("Translation"), Texts("translate English to German: I am tired.", target="Ich bin müde.")),
        ReadyExample(
            Message("English to French"),
            Texts("translate English to French: The house is small.", target="La maison est petite."),
        ),
        ReadyExample(Message("Korean"), Texts("translate English to Korean: I am hungry.", target="배고파요.")),
        ReadyExample(
            Message("Source with padding"),
            Texts("translate English to German: Tom is here.", target="Tom ist hier."),
            {"pad_to": "24"},
        ),
    ),
    ("facebook/bart-base", "seq2seq"): (
        ReadyExample(
            Message("From the start of a sentence"),
            Texts("나는 사과를 먹었다", target="I ate an apple"),
            {"start": "bos"},
        ),
        ReadyExample(Message("Summary"), Texts("The cat sat on the mat all day.", target="A cat rested.")),
    ),
    ("explorer/transformer", "seq2seq"): (
        ReadyExample(Message("Translation"), Texts(">>de<< I am tired.", target="Ich bin müde.")),
        ReadyExample(Message("English to French"), Texts(">>fr<< The house is small.", target="La maison est petite.")),
        ReadyExample(
            Message("Source with padding"), Texts(">>de<< Tom is here.", target="Tom ist hier."), {"pad_to": "16"}
        ),
        ReadyExample(
            Message("Led astray by its own words"),
            Texts(">>de<< Tom has a big red car.", target="Tom hat ein großes rotes Auto."),
        ),
    ),
}
"""By model and key of the objective."""


def ready(objective: Objective, model: str) -> tuple[ReadyExample, ...]:
    """What to offer beside a model, the first one first."""
    place = model, objective.key
    return OWN.get(place) or OTHER_STACKS.get(place) or objective.examples
