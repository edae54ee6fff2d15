"""Fine-tuning."""

from explorer.ui.objective_page import objective_page

objective_page("fine_tuning")
