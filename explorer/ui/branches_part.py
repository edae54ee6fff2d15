"""All texts that were written from the prompt as one tree, and two of them side by side."""

from __future__ import annotations

import streamlit as st

from explorer.generation import Session
from explorer.tree import ROOT, Tree
from explorer.types import SamplingSettings
from explorer.ui.clickable import clickable
from explorer.ui.generate_lab import Writing
from explorer.ui.words import literal, t
from explorer.ui.writing_steps import click
from explorer.views.branches import branch, branch_tree


def branches_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """The tree, each token of which can be gone back to, and two texts compared where there are two."""
    tree = writing.tree
    if not tree.nodes:
        st.markdown(literal(t("Nothing is written yet. Every token that you take back will stay here as a branch.")))
        return
    st.caption(t("A click on a token goes there; the next step begins a new branch. Reset forgets all of them."))
    clickable(branch_tree(tree, t, clickable=True), "branch_tree", click)
    if len(tree.leaves) > 1:
        _compare(tree)


def _compare(tree: Tree) -> None:
    """Two branches: the one at hand and the best other one at first."""
    st.header(t("Two branches compared"), anchor=False)
    numbers = {leaf: number for number, leaf in enumerate(tree.leaves, 1)}
    here = next((leaf for leaf in tree.leaves if tree.at == ROOT or tree.at in tree.path(leaf)), tree.leaves[0])
    others = sorted((leaf for leaf in tree.leaves if leaf != here), key=tree.log_probability, reverse=True)
    chosen = [
        column.selectbox(
            t("Branch"),
            list(tree.leaves),
            index=tree.leaves.index(start),
            key=f"branch_{side}",
            format_func=lambda leaf: literal(t("Branch {number}", number=numbers[leaf])),
        )
        for column, side, start in zip(st.columns(2), "ab", (here, others[0]), strict=True)
    ]
    shared = tree.parting(*chosen)
    for column, leaf in zip(st.columns(2), chosen, strict=True):
        column.html(branch(tree.steps(leaf), shared, t))
