"""Plain Python with transformers that reads a text through the tokenizers of the tokens page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.example import Loading

READ = """\
found = {}
for name, tokenizer in tokenizers.items():
    read = tokenizer(text, return_offsets_mapping=True, verbose=False)
    ids, spans = read["input_ids"], read["offset_mapping"]
    own = [at for at, sequence in enumerate(read.sequence_ids()) if sequence is not None]  # not added by the tokenizer
    # Where the text itself spells the unknown token's name, nothing is unknown.
    unknown = [at for at in own if ids[at] == tokenizer.unk_token_id and text[slice(*spans[at])] != tokenizer.unk_token]
    found[name] = {
        "ids": ids,
        "pieces": tokenizer.convert_ids_to_tokens(ids),
        "spans": spans,
        "tokens": len(own),
        "added": len(ids) - len(own),
        "unknown": len(unknown),
        "tokens_per_word": len(own) / len(text.split()) if text.split() else None,
        "bytes_per_token": len(text.encode()) / len(own) if own else None,
    }
    print(name, found[name])
"""


def token_code(text: str, places: Mapping[str, Loading]) -> str:
    """The code; places: how each tokenizer is loaded, by name."""
    return "\n".join([*loaded_tokenizers(text, places), READ])


def loaded_tokenizers(text: str, places: Mapping[str, Loading], others: Sequence[Loading] = ()) -> list[str]:
    """The lines that load `tokenizers`, by name, and make `text`. others: what else is loaded in the same code."""
    all_places = [*places.values(), *others]
    imports = dict.fromkeys(line for place in all_places for line in place.imports if line)
    before = dict.fromkeys(place.before for place in all_places)
    return [
        *imports,
        *([""] if imports else []),
        "from transformers import AutoTokenizer",
        *(line for lines in before for line in lines),
        "",
        f"text = {text!r}",
        "tokenizers = {",
        *(f"    {name!r}: AutoTokenizer.from_pretrained({place.given})," for name, place in places.items()),
        "}",
    ]
