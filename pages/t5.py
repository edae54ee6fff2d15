"""T5."""

from explorer.ui.objective_page import objective_page

objective_page("t5")
