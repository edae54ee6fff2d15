"""Pretraining Explorer: what each Transformer family is fed, and where its loss lies."""

__version__ = "0.1.0"
