"""Fine-tuning."""

from explorer.ui.fine_tuning_parts import fine_tuning_parts
from explorer.ui.head_parcel import head_parcel
from explorer.ui.head_training_part import head_training_part
from explorer.ui.objective_page import objective_page

objective_page("fine_tuning", between=fine_tuning_parts, beside_data=head_training_part, pack=head_parcel)
