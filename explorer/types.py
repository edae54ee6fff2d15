"""The shared types, in one place to import from: messages, streams and masks, examples, decoding."""

from explorer.decoding import (
    Attention,
    AttentionKind,
    Candidate,
    Generation,
    HeadOutput,
    ModelId,
    SamplingSettings,
    Scores,
    Stage,
    Step,
)
from explorer.example import IGNORE, TASKS, Example, Shift, Target
from explorer.messages import InputProblem, Message, check_range
from explorer.streams import Bools, Encoding, Ints, Masks, Role, Stream, read_only

__all__ = [
    "IGNORE",
    "TASKS",
    "Attention",
    "AttentionKind",
    "Bools",
    "Candidate",
    "Encoding",
    "Example",
    "Generation",
    "HeadOutput",
    "InputProblem",
    "Ints",
    "Masks",
    "Message",
    "ModelId",
    "Role",
    "SamplingSettings",
    "Scores",
    "Shift",
    "Stage",
    "Step",
    "Stream",
    "Target",
    "check_range",
    "read_only",
]
