"""Writing token by token: a text being written is a value, and each step makes the next one.

A step works on the distribution that is already there, so changing the settings costs nothing: only the token that was
chosen is read by the model. The same seed gives the same text, and a step taken back and made again the same token.
Where the model's positions are used up, a text may go on without its beginning. Alphabet: V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from time import perf_counter
from typing import TYPE_CHECKING

from explorer import sampling
from explorer.draw import choose
from explorer.models import runtime, tokenizer
from explorer.tokens import Tokenizer, visible_pieces
from explorer.types import (
    Candidate,
    Generation,
    InputProblem,
    Message,
    ModelId,
    SamplingSettings,
    Step,
    check_range,
    read_only,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.models.caches import Handle, Logits
    from explorer.models.loading import Facts

SHOWN = 50
"""How many candidates a step keeps."""

UNFINISHED = "\ufffd"
"""What decoding puts for bytes that are not yet, or no longer, a whole character."""


@dataclass(frozen=True, eq=False)
class Session:
    """A text being written: the Generation so far, what the model has read, the logits (V,) of what comes next, the ids
    that the decoder had read before the first step (`opening`), and the model's tokenizer (`words`)."""

    generation: Generation
    facts: Facts
    handle: Handle
    logits: Logits
    opening: tuple[int, ...]
    words: Tokenizer

    @property
    def begun(self) -> int:
        """How many ids the decoder had read before the first step."""
        return len(self.opening)

    @property
    def whole(self) -> tuple[int, ...]:
        """All ids of the decoder: the opening and what was written."""
        return (*self.opening, *self.generation.ids)

    @property
    def forgotten(self) -> int:
        """How many of the first ids the model no longer reads, because its positions are used up."""
        return len(self.whole) - self.ended - len(self.handle)

    @property
    def text(self) -> str:
        """All that was written after the prompt, without control tokens. A character whose bytes are not complete yet
        is left out."""
        return _written(self, self.generation.ids)

    @property
    def pending(self) -> int:
        """How many of the last tokens are bytes of a character that is not whole yet."""
        steps, special = reversed(self.generation.steps), self.words.special_ids
        pieces = takewhile(lambda step: not step.text and step.chosen not in special, steps)
        return sum(1 for _ in pieces)

    @property
    def ended(self) -> bool:
        """Whether the last token is one that ends a text; it is not read."""
        return _ends(self.facts, self.generation.steps)


def start(model: ModelId, prompt: str, target: str = "") -> Session:
    """Reads the prompt. For an encoder-decoder the prompt goes to the encoder, and the decoder begins with its start
    token and `target`. Raises InputProblem where the model cannot write on, or the text is too long."""
    facts, words = runtime().load(model), tokenizer(model.name)
    if facts.stack == "encoder-decoder":
        first, notes = _decoder_start(facts, words)
        source = words.encode(prompt).ids
        ids = (*first, *words.encode(target, add_special=False).ids)
    else:
        source, notes = None, ()
        ids = words.encode(prompt).ids
        if not ids:
            ids, notes = _from_nothing(words)
    handle, logits = runtime().prefill(model, ids, source)
    generation = Generation(model, prompt, ids if source is None else source, notes=notes)
    return _stop_when_full(Session(generation, facts, handle, read_only(logits, logits.dtype), tuple(ids), words))


def step(session: Session, settings: SamplingSettings) -> Session:
    """Chooses one token and reads it. A text that has stopped stays as it is. Raises InputProblem for settings out of
    range."""
    if session.generation.stopped is not None:
        return session
    begun = perf_counter()
    return _take(session, coming(session, settings), begun)


def coming(session: Session, settings: SamplingSettings, sampled: sampling.Sampled | None = None) -> Step:
    """The step that these settings would take now, and among what; the model reads nothing. sampled: what `look` gave
    for them, where it is known. Raises InputProblem for settings out of range."""
    sampled = look(session, settings) if sampled is None else sampled
    chosen, draw = choose(sampled.final, settings.seed, len(session.generation.steps))
    return _step(session, sampled, chosen, draw)


def take(session: Session, settings: SamplingSettings, id: int) -> Session:
    """Writes this token, whatever would have been drawn. Raises InputProblem for an id that the model has not."""
    if session.generation.stopped is not None:
        return session
    check_range("token", id, 0, len(session.logits) - 1)
    begun = perf_counter()
    return _take(session, replace(_step(session, look(session, settings), id, None), by_hand=True), begun)


def append(session: Session, settings: SamplingSettings, text: str) -> Session:
    """Writes a text token by token. Raises InputProblem for a text without tokens."""
    ids = session.words.encode(text, add_special=False).ids
    if not ids:
        raise InputProblem("There is nothing to append. Type a text.")
    for id in ids:
        session = take(session, settings, id)
    return session


def follow(session: Session, ids: Sequence[int]) -> Session:
    """Writes exactly these ids: a text that was found in another way (beam search) as steps taken by hand."""
    for id in ids:
        session = take(session, SamplingSettings(), id)
    return session


def _step(session: Session, sampled: sampling.Sampled, chosen: int, draw: float | None) -> Step:
    return Step(
        chosen,
        _piece(session, chosen),
        _written(session, (*session.generation.ids, chosen)).removeprefix(session.text),
        sampled.entropy,
        float(sampled.model[chosen]),
        float(sampled.final[chosen]),
        draw,
        sampling.candidates(sampled, partial(visible_pieces, tokenizer=session.words), SHOWN, also=[chosen]),
    )


def _take(session: Session, taken: Step, begun: float) -> Session:
    """The session with this step written and its token read."""
    further = _read(session, taken.chosen)
    taken = replace(taken, milliseconds=1000 * (perf_counter() - begun))
    written = replace(further.generation, steps=(*session.generation.steps, taken))
    return _stop_when_full(replace(further, generation=written))


def steps(session: Session, settings: SamplingSettings, count: int) -> Session:
    """So many steps, or fewer where the text stops."""
    for _ in range(count):
        session = step(session, settings)
    return session


def undo(session: Session) -> Session:
    """Takes the last step back; where there is none, nothing changes."""
    return turn(session, session.generation.steps[:-1]) if session.generation.steps else session


def turn(session: Session, steps: Sequence[Step]) -> Session:
    """The session with other steps in place of its own: an earlier place, or a branch."""
    steps = tuple(steps)
    ended = _ends(session.facts, steps)
    stopped = _end(session, steps[-1].chosen) if ended else None
    turned = replace(session, generation=replace(session.generation, steps=steps, stopped=stopped))
    read = turned.whole[:-1] if ended else turned.whole
    read = read[_forgotten(len(read), session.facts.limit) :]
    if read != session.handle.ids:
        handle, logits = runtime().turn(session.handle, read)
        turned = replace(turned, handle=handle, logits=read_only(logits, logits.dtype))
    return _stop_when_full(turned)


def forget(session: Session) -> Session:
    """Where the positions are used up: the text goes on, and the model reads its second half anew, from position 0
    on. Elsewhere nothing changes."""
    limit = session.facts.limit
    if limit is None or len(session.handle) < limit or session.ended:
        return session
    handle, logits = runtime().turn(session.handle, session.handle.ids[limit // 2 :])
    going_on = replace(session.generation, stopped=None)
    return replace(session, generation=going_on, handle=handle, logits=read_only(logits, logits.dtype))


def _forgotten(length: int, limit: int | None) -> int:
    """How many of the first ids a text of this length has left behind: half the limit each time it was full.

    >>> [_forgotten(length, 8) for length in (7, 8, 9, 12, 13)]
    [0, 0, 4, 4, 8]
    """
    return 0 if limit is None or length <= limit else limit // 2 * ((length - limit - 1) // (limit // 2) + 1)


def beside(session: Session) -> Session:
    """The same text with a cache of its own: what is tried with it does not cost this one what it has read."""
    return replace(session, handle=runtime().fork(session.handle))


def close(session: Session) -> None:
    """Frees what the model keeps for this text. The session stays usable; its next step reads everything again."""
    runtime().close(session.handle)


def look(session: Session, settings: SamplingSettings) -> sampling.Sampled:
    """What the settings would make of the distribution that is there now; nothing is chosen, nothing read."""
    return sampling.apply(session.logits, settings, session.handle.ids)


def candidates(session: Session, settings: SamplingSettings, top: int = SHOWN) -> tuple[Candidate, ...]:
    """The tokens that could come next under these settings, the most probable first."""
    return sampling.candidates(look(session, settings), partial(visible_pieces, tokenizer=session.words), top)


def _read(session: Session, chosen: int) -> Session:
    """The session after the chosen token is read; an end token is not read, since nothing comes after it."""
    if chosen in session.facts.ends:
        return replace(session, generation=replace(session.generation, stopped=_end(session, chosen)))
    handle, logits = runtime().advance(session.handle, chosen)
    return replace(session, handle=handle, logits=read_only(logits, logits.dtype))


def _end(session: Session, chosen: int) -> Message:
    return Message("The model wrote its end token {piece}.", {"piece": _piece(session, chosen)})


def _ends(facts: Facts, steps: Sequence[Step]) -> bool:
    return bool(steps) and steps[-1].chosen in facts.ends


def _stop_when_full(session: Session) -> Session:
    """Says that no further token fits before the model would fail at it."""
    limit = session.facts.limit
    if session.generation.stopped is not None or limit is None or len(session.handle) < limit:
        return session
    stopped = Message(
        "{model} reads at most {limit} tokens, and they are used up. Undo some steps or shorten the prompt.",
        {"model": session.generation.model.name, "limit": limit},
    )
    return replace(session, generation=replace(session.generation, stopped=stopped))


def _from_nothing(words: Tokenizer) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    """What a decoder starts from when the prompt is empty: its start token, or the end of a text before this one."""
    first = words.special.eos if words.special.bos is None else words.special.bos
    if first is None:
        raise InputProblem("There is nothing to start from. Type a prompt.")
    note = Message("The prompt is empty, so the model starts from its token {piece}.", {"piece": words.piece(first)})
    return (first,), (note,)


def _decoder_start(facts: Facts, words: Tokenizer) -> tuple[tuple[int, ...], tuple[Message, ...]]:
    if not facts.start:
        raise InputProblem(
            "The config of {model} does not say which token its decoder starts with.", {"model": facts.model.name}
        )
    pieces = " ".join(words.piece(id) for id in facts.start)
    return facts.start, (Message("The decoder starts with {pieces}, as its config says.", {"pieces": pieces}),)


def _piece(session: Session, id: int) -> str:
    return visible_pieces([id], session.words)[0]


def _written(session: Session, ids: Sequence[int]) -> str:
    """The text of the ids written; decoded behind the prompt, so that a space at its seam stays."""
    words = session.words
    before = session.generation.prompt_ids if session.handle.source_ids is None else ()
    behind = [id for id in ids if id not in words.special_ids]
    return words.decode([*before, *behind]).removeprefix(words.decode(before)).rstrip(UNFINISHED)
