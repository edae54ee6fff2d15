"""Gradient accumulation as code to run: one step of all tokens, and the same from micro-batches in two ways."""

CODE = """import torch
from torch.nn.functional import cross_entropy

torch.manual_seed(0)
model = torch.nn.Linear(8, 5)
batches = [(torch.randn(1, 8), torch.tensor([3])), (torch.randn(3, 8), torch.tensor([0, 1, 2]))]


def gradient(losses):
    model.zero_grad()
    for loss in losses:
        loss.backward()  # adds to what is there
    return model.weight.grad.clone()


inputs, labels = (torch.cat(part) for part in zip(*batches))
together = gradient([cross_entropy(model(inputs), labels)])

# Right: the sum of each micro-batch over the number of targets of all of them.
total = sum((labels != -100).sum() for _, labels in batches)
right = gradient(cross_entropy(model(x), y, reduction="sum") / total for x, y in batches)

# Wrong: the mean of each micro-batch over the number of micro-batches.
wrong = gradient(cross_entropy(model(x), y) / len(batches) for x, y in batches)

print("right:", (right - together).abs().max().item())
print("wrong:", (wrong - together).abs().max().item())
"""
"""It prints 0 (but for rounding) for the right way."""
