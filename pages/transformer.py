"""Transformer."""

from explorer.ui.objective_page import objective_page
from explorer.ui.transformer_parts import transformer_parts

objective_page("transformer", below=transformer_parts)
