"""Models: what there is (catalog), where it comes from (sources), how it runs (runtime)."""
