"""The models that the app knows by name: published ones, and the small ones that come with it."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.objectives.base import Stack
from explorer.types import Message


@dataclass(frozen=True)
class Card:
    """What a person should know of a model before choosing it. name: its id on the Hub; title: for lists; family and
    stack as objectives have them; parameters: in millions, None if unknown; licence: of the weights, or of what they
    were made from; trained: keys of the objectives that it was trained with."""

    name: str
    title: str
    family: str
    stack: Stack
    about: Message
    parameters: int | None = None
    licence: str = ""
    trained: tuple[str, ...] = ()


CARDS = (
    Card(
        "openai-community/gpt2",
        "GPT-2 small",
        "GPT",
        "decoder",
        Message("Writes on, token by token. 12 layers, trained on web pages, context 1,024."),
        124,
        "MIT",
        ("causal_lm", "packed_lm"),
    ),
    Card(
        "HuggingFaceTB/SmolLM2-135M-Instruct",
        "SmolLM2 135M Instruct",
        "GPT",
        "decoder",
        Message("A small Llama-type model made for chat. 30 layers, context 8,192; can be installed as a package."),
        135,
        "Apache-2.0",
        ("causal_lm", "packed_lm", "sft"),
    ),
    Card(
        "google-bert/bert-base-uncased",
        "BERT base, uncased",
        "BERT",
        "encoder",
        Message("Reads both ways and fills in what is masked. 12 layers, lower case only."),
        110,
        "Apache-2.0",
        ("masked_lm",),
    ),
    Card(
        "google-bert/bert-base-cased",
        "BERT base, cased",
        "BERT",
        "encoder",
        Message("As BERT uncased, but tells capital letters from small ones."),
        108,
        "Apache-2.0",
        ("masked_lm",),
    ),
    Card(
        "sentence-transformers/all-MiniLM-L6-v2",
        "MiniLM encoder",
        "BERT",
        "encoder",
        Message(
            "A small BERT encoder, 6 layers, the vocabulary of BERT uncased, no head; can be installed as a package."
        ),
        23,
        "Apache-2.0",
    ),
    Card(
        "facebook/bart-base",
        "BART base",
        "BART",
        "encoder-decoder",
        Message("Reads a damaged text and writes the whole original. 6 and 6 layers."),
        139,
        "Apache-2.0",
        ("denoising",),
    ),
    Card(
        "facebook/bart-large",
        "BART large",
        "BART",
        "encoder-decoder",
        Message("As BART base, with 12 and 12 layers."),
        406,
        "Apache-2.0",
        ("denoising",),
    ),
    Card(
        "facebook/bart-large-cnn",
        "BART large, summaries",
        "BART",
        "encoder-decoder",
        Message("BART large trained further to summarise news. Its <mask> token has no row of weights."),
        406,
        "MIT",
        ("seq2seq",),
    ),
    Card(
        "google-t5/t5-small",
        "T5 small",
        "T5",
        "encoder-decoder",
        Message("Everything as text to text; trained to write only the spans that were removed. 6 and 6 layers."),
        61,
        "Apache-2.0",
        ("span_corruption", "seq2seq"),
    ),
    Card(
        "distilbert/distilbert-base-cased-distilled-squad",
        "DistilBERT for questions",
        "BERT",
        "encoder",
        Message("Finds the answer to a question inside a text. 6 layers, fine-tuned on SQuAD."),
        65,
        "Apache-2.0",
    ),
    Card(
        "dslim/bert-base-NER",
        "BERT for names",
        "BERT",
        "encoder",
        Message("Marks people, places, organisations and other names, token by token. Fine-tuned on CoNLL-2003."),
        108,
        "MIT",
    ),
)

STORIES = "data: CDLA-Sharing-1.0, CC BY 3.0 and 4.0, public domain"
PAIRS = "data: CC BY 2.0 FR"

OWN = (
    Card(
        "explorer/bert",
        "BERT of the app",
        "BERT",
        "encoder",
        Message(
            "It was trained here to fill in what is masked and to judge whether a sentence follows another. It knows "
            "children's stories and a few facts about countries, in lower case."
        ),
        licence=f"{STORIES}; encoder: Apache-2.0",
        trained=("masked_lm",),
    ),
    Card(
        "explorer/gpt",
        "GPT of the app",
        "GPT",
        "decoder",
        Message("It was trained here on children's stories, half of the time with a prefix that is read both ways."),
        licence=STORIES,
        trained=("causal_lm", "packed_lm", "prefix_lm"),
    ),
    Card(
        "explorer/bart",
        "BART of the app",
        "BART",
        "encoder-decoder",
        Message("It was trained here to repair damaged children's stories."),
        licence=STORIES,
        trained=("denoising",),
    ),
    Card(
        "explorer/t5",
        "T5 of the app",
        "T5",
        "encoder-decoder",
        Message(
            "It was trained here to fill gaps in children's stories and to translate short English sentences into "
            "German, French and, poorly, Korean."
        ),
        licence=f"{STORIES}; {PAIRS}",
        trained=("span_corruption", "seq2seq"),
    ),
    Card(
        "explorer/transformer",
        "Transformer of the app",
        "Transformer",
        "encoder-decoder",
        Message(
            "It was trained here to translate short English sentences; the source begins with >>de<< for German or "
            ">>fr<< for French."
        ),
        licence=PAIRS,
        trained=("seq2seq",),
    ),
)
"""Our own, whose folders say how large they are."""
