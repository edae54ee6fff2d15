"""One sentence through every family; two settings or models side by side."""

from explorer.ui.compare_lab import compare_lab

compare_lab()
