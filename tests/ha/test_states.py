"""The entity stream, with messages as Home Assistant sends them."""

from datetime import UTC, datetime

from homeagent.ha.compressed_states import StateStream

LAMP = {"s": "on", "a": {"brightness": 77, "friendly_name": "Lamp"}, "c": "01ABC", "lc": 1764288000.5}


def filled():
    stream = StateStream()
    stream.apply([{"a": {"light.lamp": LAMP, "sensor.rain": {"s": "1", "a": {}, "c": "01X", "lc": 10.0, "lu": 20.0}}}])
    return stream


def test_a_first_message_brings_whole_states():
    state = filled().states["light.lamp"]
    assert (state.state, state.attributes["brightness"], state.context_id) == ("on", 77, "01ABC")
    assert state.last_changed == state.last_updated == datetime.fromtimestamp(1764288000.5, UTC)
    assert filled().states["sensor.rain"].last_updated == datetime.fromtimestamp(20.0, UTC)


def test_a_change_of_state_keeps_the_other_attributes_and_drops_those_taken_away():
    stream = filled()
    event = {"c": {"light.lamp": {"+": {"s": "off", "lc": 1764288060.0, "c": "01DEF"}, "-": {"a": ["brightness"]}}}}
    (state,) = stream.apply([event]).states
    assert (state.state, dict(state.attributes)) == ("off", {"friendly_name": "Lamp"})
    assert state.last_changed == state.last_updated == datetime.fromtimestamp(1764288060.0, UTC)
    assert state.context_id == "01DEF"


def test_a_change_of_attributes_alone_leaves_the_time_of_the_last_change():
    stream = filled()
    (state,) = stream.apply([{"c": {"light.lamp": {"+": {"lu": 1764288099.0, "a": {"brightness": 5}}}}}]).states
    assert state.attributes == {"brightness": 5, "friendly_name": "Lamp"}
    assert state.last_changed == datetime.fromtimestamp(1764288000.5, UTC)
    assert state.last_updated == datetime.fromtimestamp(1764288099.0, UTC)


def test_an_earlier_state_is_not_changed_by_a_later_one():
    stream = filled()
    before = stream.states["light.lamp"]
    stream.apply([{"c": {"light.lamp": {"+": {"a": {"brightness": 5}}}}}])
    assert before.attributes["brightness"] == 77


def test_a_context_with_a_user_is_a_mapping_and_may_lack_the_id():
    stream = filled()
    stream.apply([{"c": {"light.lamp": {"+": {"c": {"id": "01U", "user_id": "me"}}}}}])
    assert stream.states["light.lamp"].context_id == "01U"
    stream.apply([{"c": {"light.lamp": {"+": {"c": {"parent_id": "01P"}}}}}])
    assert stream.states["light.lamp"].context_id == "01U"


def test_several_events_of_one_frame_are_taken_in_order():
    changes = filled().apply(
        [{"r": ["light.lamp"]}, {"a": {"light.lamp": {**LAMP, "s": "off"}}}, {"r": ["sensor.rain"]}]
    )
    assert [s.state for s in changes.states] == ["off"]
    assert changes.removed == ("sensor.rain",)


def test_what_names_an_entity_is_told_apart_from_mere_values():
    stream = filled()
    assert not stream.apply([{"c": {"light.lamp": {"+": {"a": {"brightness": 5}}}}}]).described
    assert stream.apply([{"c": {"light.lamp": {"+": {"a": {"friendly_name": "Lantern"}}}}}]).described == {"light.lamp"}
    assert stream.apply([{"r": ["light.lamp"]}]).described == {"light.lamp"}


def test_a_change_of_an_entity_that_is_not_there_is_left_alone():
    assert filled().apply([{"c": {"light.nope": {"+": {"s": "on"}}}}]).states == ()
