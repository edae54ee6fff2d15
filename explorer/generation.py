"""Writing token by token: a text being written is a value, and each step makes the next one.

A step works on the distribution that is already there, so changing the settings costs nothing: only the token that was
chosen is read by the model. The same seed gives the same text, and a step taken back and made again the same token.
Alphabet: V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from explorer import sampling
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
    read_only,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.models.caches import Handle, Logits
    from explorer.models.loading import Facts

SHOWN = 20
"""How many candidates a step keeps."""

UNFINISHED = "\ufffd"
"""What decoding puts for bytes that are not yet, or no longer, a whole character."""


@dataclass(frozen=True, eq=False)
class Session:
    """A text being written: the Generation so far, what the model has read, the logits (V,) of what comes next, and
    how many ids the decoder had read before the first step (`begun`)."""

    generation: Generation
    facts: Facts
    handle: Handle
    logits: Logits
    begun: int

    @property
    def text(self) -> str:
        """All that was written after the prompt, without control tokens. A character whose bytes are not complete yet
        is left out."""
        return _written(self, self.generation.ids)

    @property
    def ended(self) -> bool:
        """Whether the last token is one that ends a text; it is not read."""
        return len(self.handle) < self.begun + len(self.generation.steps)


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
    return _stop_when_full(Session(generation, facts, handle, read_only(logits, logits.dtype), len(ids)))


def step(session: Session, settings: SamplingSettings) -> Session:
    """Chooses one token and reads it. A text that has stopped stays as it is. Raises InputProblem for settings out of
    range."""
    if session.generation.stopped is not None:
        return session
    begun = perf_counter()
    return _take(session, coming(session, settings), begun)


def coming(session: Session, settings: SamplingSettings) -> Step:
    """The step that these settings would take now, and among what; the model reads nothing. Raises InputProblem for
    settings out of range."""
    sampled = look(session, settings)
    chosen, draw = sampling.choose(sampled.final, settings.seed, len(session.generation.steps))
    return _step(session, sampled, chosen, draw)


def follow(session: Session, ids: Sequence[int]) -> Session:
    """Writes exactly these ids, whatever the model would have chosen: a text that was found in another way (beam
    search) as steps."""
    for id in ids:
        begun = perf_counter()
        session = _take(session, _step(session, look(session, SamplingSettings()), id, None), begun)
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
        sampling.candidates(sampled, lambda id: _piece(session, id), SHOWN, also=[chosen]),
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
    if not session.generation.steps:
        return session
    written = replace(session.generation, steps=session.generation.steps[:-1], stopped=None)
    length = session.begun + len(written.steps)
    if length == len(session.handle):
        return replace(session, generation=written)
    handle, logits = runtime().rewind(session.handle, length)
    return replace(session, generation=written, handle=handle, logits=read_only(logits, logits.dtype))


def close(session: Session) -> None:
    """Frees what the model keeps for this text. The session stays usable; its next step reads everything again."""
    runtime().close(session.handle)


def look(session: Session, settings: SamplingSettings) -> sampling.Sampled:
    """What the settings would make of the distribution that is there now; nothing is chosen, nothing read."""
    return sampling.apply(session.logits, settings, session.handle.ids)


def candidates(session: Session, settings: SamplingSettings, top: int = SHOWN) -> tuple[Candidate, ...]:
    """The tokens that could come next under these settings, the most probable first."""
    return sampling.candidates(look(session, settings), lambda id: _piece(session, id), top)


def _read(session: Session, chosen: int) -> Session:
    """The session after the chosen token is read; an end token is not read, since nothing comes after it."""
    if chosen in session.facts.ends:
        stopped = Message("The model wrote its end token {piece}.", {"piece": _piece(session, chosen)})
        return replace(session, generation=replace(session.generation, stopped=stopped))
    handle, logits = runtime().advance(session.handle, chosen)
    return replace(session, handle=handle, logits=read_only(logits, logits.dtype))


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
    return visible_pieces([id], tokenizer(session.generation.model.name))[0]


def _written(session: Session, ids: Sequence[int]) -> str:
    """The text of the ids written; decoded behind the prompt, so that a space at its seam stays."""
    words = tokenizer(session.generation.model.name)
    before = session.generation.prompt_ids if session.handle.source_ids is None else ()
    behind = [id for id in ids if id not in words.special_ids]
    return words.decode([*before, *behind]).removeprefix(words.decode(before)).rstrip(UNFINISHED)
