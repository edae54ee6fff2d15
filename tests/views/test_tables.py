"""Tables: one type a column, so that Arrow takes them and ids sort as numbers; CSV that gives the text back."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from explorer.sampling import apply, candidates
from explorer.types import Candidate, SamplingSettings
from explorer.views.tables import candidate_table, csv, example_table, stream_table, top_table


def test_labels_as_passed_and_as_compared(sft, scored):
    table = example_table(sft, str, scored(sft, [1.42, 0.31, 2.05]))
    assert table["id"].tolist() == [32, 25, 6342, 13, 50256]
    assert table["label, as passed"].tolist() == [-100, -100, 6342, 13, 50256]
    assert table["label, as compared"].tolist() == [pd.NA, 6342, 13, 50256, pd.NA]
    assert table["must say"].tolist() == ["", "·Paris", ".", "<|endoftext|>", ""]
    assert table["loss"].tolist() == pytest.approx([np.nan, 1.42, 0.31, 2.05, np.nan], nan_ok=True)
    assert table["role"].tolist() == ["prompt", "prompt", "response", "response", "special token"]


def test_the_rows_of_the_encoder_come_before_those_of_the_decoder(taught, scored):
    table = example_table(taught, str, scored(taught, [1.0, 2.0, 3.0]))
    assert table.columns[0] == "stack"
    assert table["stack"].tolist() == ["encoder"] * 3 + ["decoder"] * 3
    assert table["position"].tolist() == [0, 1, 2, 0, 1, 2]
    assert table["id"].tolist() == [7, 8, 1, 0, 9, 10]
    assert table["label, as passed"].tolist() == [pd.NA] * 3 + [9, 10, 1]
    assert table["must say"].tolist() == ["", "", "", "u", "v", "</s>"]
    assert table["loss"].tolist() == pytest.approx([np.nan] * 3 + [1.0, 2.0, 3.0], nan_ok=True)
    assert table["why"].tolist()[:3] == ["", "", ""]
    assert csv(table).decode("utf-8-sig").splitlines()[1] == "encoder,0,x,x,7,kept,1,0,,,,,"


def test_one_stack_alone_is_not_named(masked, sft):
    assert "stack" not in example_table(masked, str).columns
    assert "stack" not in example_table(sft, str).columns


def test_columns_have_one_type_each(sft, masked, taught, scored):
    settings = SamplingSettings()
    tables = [
        example_table(sft, str, scored(sft, [1.0, 2.0, 3.0])),
        example_table(masked, str),
        example_table(taught, str),
    ]
    tables += [stream_table(taught.encoder, str), top_table(sft, scored(sft, [1.0, 2.0, 3.0]), str)]
    tables += [candidate_table([Candidate(3, "a", 0.5, 0.0, "top_k")], settings, str)]
    for table in tables:
        schema = pa.Table.from_pandas(table, preserve_index=False).schema
        kinds = {str(kind) for kind in schema.types}
        assert kinds <= {"int64", "double", "string", "large_string"}
    assert str(tables[0]["label, as compared"].dtype) == "Int64"


def test_segments_only_where_there_are_any(sft, masked):
    assert "segment" in example_table(masked, str).columns
    assert "segment" not in example_table(sft, str).columns


def test_top_tokens_at_each_target(sft, scored):
    table = top_table(sft, scored(sft, [np.log(2), 0.0, 1.0]), str)
    assert table["output"].tolist() == [1, 2, 3]
    assert table["reads"].tolist() == [":", "·Paris", "."]
    assert table["probability"].tolist()[:2] == [0.5, 1.0]
    assert table["1"].tolist() == ["five  0.500"] * 3
    assert table["2"].tolist() == ["six  0.250"] * 3


def test_candidates_name_their_filter():
    found = [Candidate(3, "·a", 0.5, 0.7), Candidate(4, "·b", 0.2, 0.0, "top_k")]
    table = candidate_table(found, SamplingSettings(top_k=1), str)
    assert table["cut by"].tolist() == ["", "top-k 1"]
    assert table["id"].tolist() == [3, 4]


def test_candidates_after_each_filter():
    settings = SamplingSettings(temperature=0.5, top_k=2)
    sampled = apply(np.log([0.4, 0.4, 0.2]), settings)
    table = candidate_table(candidates(sampled, lambda ids: ["abc"[id] for id in ids]), settings, str, sampled)
    # p squared: .16 .16 .04 of .36; then the two that stay
    assert table.columns.tolist() == [
        "rank", "piece", "id", "before", "temperature 0.50", "top-k 2", "after", "cut by"
    ]  # fmt: skip
    assert table["rank"].tolist() == [1, 2, 3]
    assert table["temperature 0.50"].round(4).tolist() == [0.4444, 0.4444, 0.1111]
    assert table["top-k 2"].tolist() == table["after"].tolist() == [0.5, 0.5, 0.0]


def test_csv_gives_the_text_back(hostile):
    table = example_table(hostile, str)
    data = csv(table)
    assert data.startswith(b"\xef\xbb\xbf")
    back = pd.read_csv(io.BytesIO(data), keep_default_na=False)
    assert back["piece"].tolist() == list(hostile.output.visible)
