"""Models: what there is (`catalog`), where it comes from (`sources`), what it says (`runtime`).

Importing this package is cheap: transformers comes in with the first tokenizer, torch with the first model.
"""

# The submodules `tokenizer` and `runtime` share their names with the functions below. Python binds a submodule to its
# package when it is first imported, so these imports must stand here, where the functions' names win.
from explorer.models.runtime import Runtime, runtime
from explorer.models.vocabulary import tokenizer

__all__ = ["Runtime", "runtime", "tokenizer"]
