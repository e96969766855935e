"""Large frames: the same values as from the standard decoder, and the loop free meanwhile."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.ha.message_decoding import LARGE, decode, decode_in_slices

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@given(json_values, st.sampled_from([None, 1]))
def test_slices_give_what_the_standard_decoder_gives(value, indent):
    text = json.dumps(value, indent=indent)
    assert decode_in_slices(text.encode()) == json.loads(text)


@pytest.mark.parametrize("text", ["", "[1", '{"a" 1}', '{"a":1,', "[1 2]", "[1] 2", "nope", '[[["', '[{"a":[1]}'])
def test_what_is_no_json_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - json's own errors are some, too
        decode_in_slices(text.encode())


async def test_a_large_frame_comes_out_whole_while_the_loop_goes_on():
    row = {"id": "x" * 32, "name": "Lamp", "area_id": None, "identifiers": [["a", "b"]], "labels": []}
    rows = [{**row, **{f"key_{n}": f"value {n}" for n in range(20)}} for _ in range(5000)]
    frame = json.dumps([{"id": 7, "type": "result", "success": True, "result": rows}]).encode()
    assert len(frame) > 20 * LARGE
    decoding, turns = asyncio.create_task(decode(frame)), 0
    while not decoding.done():
        await asyncio.sleep(0)
        turns += 1
    assert (await decoding)[0]["result"] == rows
    assert turns > 2  # decoded at one go, on the loop, it would have been one
