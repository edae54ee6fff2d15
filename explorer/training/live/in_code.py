"""A training of the train page as plain Python: the same model, batches and steps, and so the same two curves.

Texts, tokens and batches are the app's own, so the code runs where the app is; model, optimizer and loop are those of
transformers and torch.
"""

from __future__ import annotations

from explorer.learning import Snapshot
from explorer.training.live.learner import WARMUP
from explorer.training.live.tasks import TASKS
from explorer.training.live.words import STYLES
from explorer.training.loop import BETAS, CLIP

CODE = """\
import torch
from torch.nn.functional import cross_entropy
from transformers import AutoConfig, {model}

# The texts and their batches are the app's own: run this where its folder `explorer` is.
from explorer.learning import Dials, Recorder
from explorer.training.live.examples import Examples
from explorer.training.live.tasks import TASKS

torch.set_num_threads(1)  # as on the page, so that all digits are the same
examples = Examples(TASKS[{key!r}], {text!r}, {seed})
torch.manual_seed({seed})
config = AutoConfig.for_model({kind!r}, vocab_size={size}, **{shape})
model = {model}(config).eval()  # no dropout
model.set_attn_implementation("eager")
optimizer = torch.optim.AdamW(model.parameters(), betas={betas}, fused=True)
head = model.get_output_embeddings()


def losses(batch):
    '''Summed over the outputs with loss, how many there are, and the mean over the next-sentence labels.'''
    compared = torch.from_numpy(batch.compared)
    chosen = compared != -100
    # Only outputs with loss go through the vocabulary matrix.
    hook = head.register_forward_pre_hook(lambda _, given: (given[0][chosen],))
    output = model(**{{name: torch.from_numpy(array) for name, array in batch.inputs.items()}})
    hook.remove()
    logits = output["prediction_logits" if "prediction_logits" in output else "logits"]
    total = cross_entropy(logits, compared[chosen], reduction="sum")
    if batch.next_sentence is None:
        return total, int(chosen.sum()), 0.0
    labels = torch.from_numpy(batch.next_sentence)
    pairs = cross_entropy(output.seq_relationship_logits, labels, reduction="sum") / len(labels)
    return total, int(chosen.sum()), pairs


def look():
    with torch.inference_mode():
        total, count, _ = losses(examples.measured)
    return float(total) / count


changes = {changes}  # from the step on
looks = {looks}  # steps after which the held-out loss was measured
training, held_out = Recorder(), [look()] if 0 in looks else []
for step in range(1, {steps} + 1):
    dials = changes.get(step) or dials
    for group in optimizer.param_groups:
        group["lr"] = dials.rate * min(1.0, step / {warmup})
    total, count, pairs = losses(examples.batch(dials))
    optimizer.zero_grad(set_to_none=True)
    (total / count + pairs).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), {clip})
    optimizer.step()
    training.add(step, float(total.detach()) / count)
    if step in looks:
        held_out.append(look())
curve = training.curve()  # of long trainings each point is a mean
print(curve.losses, held_out)
"""


def live_code(key: str, text: str, seed: int, size: int, seen: Snapshot) -> str:
    """The code of the training as far as it was seen. key: of the task; size: of its vocabulary."""
    task = TASKS[key]
    changes = ", ".join(f"{step + 1}: {dials!r}" for step, dials in seen.changes)
    return CODE.format(
        key=key,
        text=text,
        seed=seed,
        kind=task.kind,
        model=task.model,
        size=size,
        shape=dict(task.shape) | dict(STYLES[task.kind].ids),
        betas=BETAS,
        clip=CLIP,
        warmup=WARMUP,
        changes=f"{{{changes}}}",
        looks=seen.held_out.steps.tolist(),
        steps=seen.step,
    )
