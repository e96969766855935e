"""Colours as people and models write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeagent.errors import InvalidParameters
from homeagent.values.colors import Color, expand, hue_and_saturation, kelvin_from_mireds, parse_color, same_tint

BYTE = st.integers(0, 255)


@pytest.mark.parametrize(
    ("text", "rgb"),
    [
        ("red", (255, 0, 0)),
        ("Light Blue", (173, 216, 230)),
        ("light-blue", (173, 216, 230)),
        ("grey", (128, 128, 128)),
        ("#ff8800", (255, 136, 0)),
        ("#F80", (255, 136, 0)),
        ("rgb(255, 136, 0)", (255, 136, 0)),
        ("rgb(100% 0% 0%)", (255, 0, 0)),
        ("rgba(255, 0, 0, 0.5)", (255, 0, 0)),
        ("hsl(120, 100%, 50%)", (0, 255, 0)),
        ("hsl(240deg 100% 50%)", (0, 0, 255)),
    ],
)
def test_a_colour_is_understood(text, rgb):
    assert parse_color(text) == Color(rgb=rgb)


@pytest.mark.parametrize(
    ("text", "language", "rgb"),
    [
        ("rot", "de", (255, 0, 0)),
        ("Blau", "de-CH", (0, 0, 255)),
        ("violette", "fr", (128, 0, 128)),
        ("파란색", "ko", (0, 0, 255)),
        ("blå", "sv", (0, 0, 255)),
        ("red", "de", (255, 0, 0)),
    ],
)
def test_names_of_the_homes_language_are_understood_beside_english(text, language, rgb):
    assert parse_color(text, language).rgb == rgb


@pytest.mark.parametrize(
    ("text", "language", "kelvin"),
    [
        ("warm white", "en", 2700),
        ("warm", "en", 2700),
        ("daylight", "en", 6500),
        ("Warmweiß", "de", 2700),
        ("blanc chaud", "fr", 2700),
        ("2700K", "en", 2700),
        ("6500 kelvin", "en", 6500),
        ("500 mireds", "en", 2000),
    ],
)
def test_white_tones_are_kelvin(text, language, kelvin):
    assert parse_color(text, language).kelvin == kelvin


def test_white_is_a_colour_and_a_tone():
    white = parse_color("white")
    assert white.rgb == (255, 255, 255)
    assert white.kelvin


@pytest.mark.parametrize(
    "text",
    [
        "",
        "blurple",
        "#12",
        "#12345g",
        "rgb(1,2)",
        "rgb(256,0,0)",
        "rgb(a,b,c)",
        "hsl(400,0%,0%)",
        "90K",
        "1 mired",
        "black",
    ],
)
def test_what_is_no_colour_is_refused_with_a_reason(text):
    with pytest.raises(InvalidParameters) as caught:
        parse_color(text)
    assert str(caught.value)


def test_an_unknown_language_still_has_english():
    assert parse_color("red", "xx-nowhere").rgb == (255, 0, 0)
    assert parse_color("red", "../../etc/passwd").rgb == (255, 0, 0)


@given(BYTE, BYTE, BYTE)
def test_every_hex_and_rgb_colour_comes_back_as_itself(red, green, blue):
    if (red, green, blue) == (0, 0, 0):
        return
    assert parse_color(f"#{red:02x}{green:02x}{blue:02x}").rgb == (red, green, blue)
    assert parse_color(f"rgb({red}, {green}, {blue})").rgb == (red, green, blue)


@given(st.floats(0, 360), st.floats(0, 100), st.floats(1, 100))
def test_every_hsl_colour_is_within_rgb(hue, saturation, lightness):
    rgb = parse_color(f"hsl({hue:.3f}, {saturation:.3f}%, {lightness:.3f}%)").rgb
    assert rgb is not None
    assert all(0 <= part <= 255 for part in rgb)


@given(st.text(max_size=40) | st.from_regex(r"(rgb|hsl|#)[0-9a-f%(), .°-]{0,20}", fullmatch=True))
def test_any_text_is_a_colour_or_a_clear_refusal(text):
    try:
        color = parse_color(text)
    except InvalidParameters:
        return
    assert color.rgb or color.kelvin


@given(st.floats(50, 1000))
def test_mireds_and_kelvin_are_inverse(mireds):
    assert abs(1_000_000 / kelvin_from_mireds(mireds) - mireds) < 1


@given(BYTE, BYTE, BYTE)
def test_a_colour_has_its_own_tint(red, green, blue):
    tint = hue_and_saturation((red, green, blue))
    assert same_tint(tint, tint)


def test_tints_differ_where_the_eye_sees_it():
    assert not same_tint(hue_and_saturation((255, 0, 0)), hue_and_saturation((0, 0, 255)))
    assert same_tint((1, 100), (359, 100))
    assert not same_tint(hue_and_saturation((255, 255, 255)), hue_and_saturation((255, 0, 0)))


def test_sentence_templates_unfold():
    assert set(expand("wei(ß|ss)")) == {"weiß", "weiss"}
    assert set(expand("[dark ](red|blue)")) == {"dark red", "dark blue", "red", "blue"}


@given(st.text(alphabet="ab|()[] ", max_size=12))
def test_any_template_unfolds_to_something(template):
    assert expand(template)
