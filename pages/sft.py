"""SFT."""

from explorer.ui.objective_page import objective_page

objective_page("sft")
