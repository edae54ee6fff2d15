"""Open questions with a model answer: what a class is asked when the tables have been understood.

Sources of the answers: Devlin et al. 2018, sections 3.1 and 5.1; Lewis et al. 2019, sections 2 and 3; Raffel et al.
2019, section 3; Vaswani et al. 2017, section 3; Ouyang et al. 2022, section 3.5.
"""

from __future__ import annotations

from explorer.exercises.values import Code, Exercise
from explorer.types import Message

QUESTIONS = (
    (
        Message("Why can BERT not be trained to predict the next token, and what does masking cost it?"),
        Message(
            "Every position of BERT sees the whole text, so the next token would simply be read off. Hiding tokens "
            "makes a task of it again. The price: only about 15% of the positions teach anything in one pass, and "
            "[MASK] stands in pretraining but never in use, which is why some chosen tokens are random or left as "
            "they are."
        ),
    ),
    (
        Message("What breaks without teacher forcing?"),
        Message(
            "The decoder would read its own guesses. At first they are rubbish, so the later positions would learn to "
            "go on from rubbish, and each position would have to wait for the one before. With the right answer as "
            "input, all positions are trained at once. The price is that the model never meets its own mistakes in "
            "training."
        ),
    ),
    (
        Message("What breaks without the causal mask?"),
        Message(
            "Output t could look at token t+1, which is its answer. The loss would fall towards 0 by copying, and when "
            "the model has to write, where no next token is there to copy, it would know nothing."
        ),
    ),
    (
        Message("Why does BART classify from the last decoder token, and BERT from the first?"),
        Message(
            "BART's decoder is causal: only its last position has seen everything. BERT reads both ways, so any "
            "position has seen all of the text, and [CLS] at the front is simply the one set aside for it."
        ),
    ),
    (
        Message("Why is the prompt left out of the loss in SFT?"),
        Message(
            "The model is to learn to answer, not to write questions. Prompts are often longer than the answers and "
            "would outweigh them in the mean. They still teach: the answer's loss flows back through all that was "
            "read."
        ),
    ),
    (
        Message("What does classifying a text cost with BERT, and what with GPT?"),
        Message(
            "BERT: one pass and a small head on [CLS] that is trained with labelled examples. GPT without a head: the "
            "task is put into words, the answer is written token by token or the few possible answers are scored, and "
            "examples in the prompt are read again with every text. GPT with a head on the last token costs one pass "
            "too."
        ),
    ),
    (
        Message(
            "The prompt of an SFT example has 12 tokens, its answer with the end token 3. How many targets are there, "
            "and which outputs make them?"
        ),
        Message(
            "3 targets. Labels stand at positions 12, 13 and 14; the loss shifts, so they are compared with outputs "
            "11, 12 and 13. Output 11 has read the prompt and nothing else. Output 14 has read everything and is "
            "compared with nothing."
        ),
    ),
    (
        Message("Where is the shift in T5?"),
        Message(
            "In the decoder input. It is the target moved right by one, with <pad> in front; the labels stay where "
            "they are. So output t is compared with label t, and the loss must not shift once more."
        ),
    ),
    (
        Message("Why does BART's damage not ruin training, and what would happen at 90%?"),
        Message(
            "The target is the undamaged text, so what is learned is never wrong; damage only decides how much must "
            "be filled in. At 90% the encoder has almost nothing to tell, and the decoder can only write what is "
            "likely in general: it learns as a language model, and the encoder learns little."
        ),
    ),
    (
        Message("One sentence, three families: what do BERT, BART and T5 write when two words are lost?"),
        Message(
            "BERT names the two tokens in their places. BART writes the whole sentence. T5 writes only what is "
            "missing, each span behind its sentinel. So the same damage gives a few targets, as many as the sentence "
            "has tokens, or a few more than are lost."
        ),
    ),
)
"""Question and model answer."""


def question(code: Code) -> Exercise:
    """One of the questions; nothing is graded, the model answer is the worked solution."""
    asked, answer = QUESTIONS[(code.number - 1) % len(QUESTIONS)]
    return Exercise(code, asked, steps=(answer,))
