"""Korean: what hangs on words, verbs at the end, words written together, and what must do nothing."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

import pytest

from homeagent.languages.pack import load_pack
from homeagent.understanding.choosing import understand
from homeagent.understanding.deciding import Decision, Verdict, decide
from homeagent.understanding.home_names import HomeNames
from homeagent.understanding.sentence_context import SentenceContext
from homeagent.understanding.tokeniser import tokenise
from indexer.entity import Area, Floor
from tests.understanding.reading import thing

GROUND, FIRST = Floor("ground", "1층", level=0), Floor("first", "2층", level=1)
LIVING, KITCHEN = Area("living", "거실", (), "ground"), Area("kitchen", "주방", (), "ground")
BEDROOM = Area("bedroom", "침실", ("안방",), "first")
PLACES = (LIVING, KITCHEN, BEDROOM)
FLOORS = {"ground": GROUND, "first": FIRST}


_thing = partial(thing, floors=FLOORS)

THINGS = (
    _thing("light.ceiling", "거실 천장등", LIVING),
    _thing("light.stand", "플로어 스탠드", LIVING),
    _thing("light.kitchen", "주방 조명", KITCHEN),
    _thing("light.bedside", "침대 스탠드", BEDROOM),
    _thing("switch.coffee", "커피머신", KITCHEN),
    _thing("cover.blinds", "거실 블라인드", LIVING, "blind"),
    _thing("lock.front", "현관문"),
    _thing("climate.bedroom", "침실 에어컨", BEDROOM),
    _thing("fan.bedroom", "선풍기", BEDROOM),
    _thing("media_player.tv", "TV", LIVING, "tv"),
    _thing("media_player.speaker", "주방 스피커", KITCHEN, "speaker"),
    _thing("vacuum.robot", "룸바", LIVING),
    _thing("todo.shopping", "장보기 목록"),
    _thing("weather.home", "우리집 날씨"),
    _thing("binary_sensor.window", "침실 창문", BEDROOM, "window"),
)
LIGHTS = {"light.ceiling", "light.stand", "light.kitchen", "light.bedside"}
IN_LIVING = {"light.ceiling", "light.stand"}


def _names() -> HomeNames:
    pack = load_pack("ko")
    assert pack is not None
    return HomeNames(THINGS, PLACES, (GROUND, FIRST), pack)


NAMES = _names()


def read(text: str) -> Decision:
    return decide(understand(tokenise(text), SentenceContext(NAMES, date(2026, 11, 25))))


def deeds(text: str) -> list[tuple[str, set[str], dict[str, Any]]]:
    """What would be done at once: action, things, parameters."""
    decision = read(text)
    if decision.verdict is not Verdict.ACT or decision.best is None:
        return []
    return [
        (f.request.action, set(f.entity_ids), dict(f.request.parameters))
        for f in decision.best.asking_for
        if f.acts and f.request is not None and f.request.given is None
    ]


@pytest.mark.parametrize(
    ("text", "action", "ids", "parameters"),
    [
        ("거실 불 켜줘", "turn_on", IN_LIVING, {}),
        ("거실불 켜", "turn_on", IN_LIVING, {}),
        ("불꺼줘", "turn_off", LIGHTS, {}),
        ("불 좀 끌래?", "turn_off", LIGHTS, {}),
        ("지금 바로 모든 불을 끄세요", "turn_off", LIGHTS, {}),
        ("거실에 있는 조명 다 꺼 주시겠어요?", "turn_off", IN_LIVING, {}),
        ("죄송한데 혹시 괜찮으시면 주방 불 좀 켜 주실 수 있을까요?", "turn_on", {"light.kitchen"}, {}),
        ("자비스야, 부엌 불 켜줄래?", "turn_on", {"light.kitchen"}, {}),
        ("주방 불 꺼주면 고맙겠어", "turn_off", {"light.kitchen"}, {}),
        ("거실과 주방 불 꺼", "turn_off", {*IN_LIVING, "light.kitchen"}, {}),
        ("거실불이랑 주방불 꺼줘", "turn_off", {*IN_LIVING, "light.kitchen"}, {}),
        ("주방 빼고 불 다 꺼줘", "turn_off", LIGHTS - {"light.kitchen"}, {}),
        ("조명은 거실 빼고 다 꺼", "turn_off", LIGHTS - IN_LIVING, {}),
        ("거실 말고 주방 불 켜줘", "turn_on", {"light.kitchen"}, {}),
        ("2층 불 다 꺼", "turn_off", {"light.bedside"}, {}),
        ("플로어 스탠드를 켜고 싶어", "turn_on", {"light.stand"}, {}),
        ("아기가 자니까 안방 불 꺼줘", "turn_off", {"light.bedside"}, {}),
        ("영화 볼 거니까 거실 불 어둡게 해줘", "turn_on", IN_LIVING, {"brightness_step_pct": -10}),
        ("주방 불 더 밝게", "turn_on", {"light.kitchen"}, {"brightness_step_pct": 10}),
        ("주방 불 밝기 50%로 해줘", "turn_on", {"light.kitchen"}, {"brightness_pct": 50}),
        ("주방 조명 칠십 프로로", "turn_on", {"light.kitchen"}, {"brightness_pct": 70}),
        ("주방 불 30퍼센트로 낮춰줘", "turn_on", {"light.kitchen"}, {"brightness_pct": 30}),
        ("주방 불 20퍼센트 더 밝게", "turn_on", {"light.kitchen"}, {"brightness_step_pct": 20}),
        ("주방 조명 최대 밝기로 해줘", "turn_on", {"light.kitchen"}, {"brightness_pct": 100}),
        ("주방 불을 파란색으로 바꿔 주시겠어요?", "turn_on", {"light.kitchen"}, {"color": "blue"}),
        ("안방 온도 22도로 맞춰줘", "set_value", {"climate.bedroom"}, {"temperature": 22}),
        ("안방 온도 이십사도로 올려줘", "set_value", {"climate.bedroom"}, {"temperature": 24}),
        ("안방 온도 2도만 올려줘", "set_value", {"climate.bedroom"}, {"temperature_step": 2}),
        ("더운데 에어컨 좀 틀어줄래?", "turn_on", {"climate.bedroom"}, {}),
        ("블라인드 내려줘", "close", {"cover.blinds"}, {}),
        ("블라인드 반만 내려줘", "set_value", {"cover.blinds"}, {"position": 50}),
        ("문 잠가", "lock", {"lock.front"}, {}),
        ("현관문 열어", "open", {"lock.front"}, {}),
        ("선풍기 켜", "turn_on", {"fan.bedroom"}, {}),
        ("티비 소리 좀 줄여", "set_value", {"media_player.tv"}, {"volume_step_pct": -10}),
        ("주방 스피커 볼륨 30으로", "set_value", {"media_player.speaker"}, {"volume_level": 0.3}),
        ("청소기 돌려줘", "start", {"vacuum.robot"}, {}),
        ("룸바 시켜서 청소 좀 해줘", "start", {"vacuum.robot"}, {}),
        ("청소기 충전하러 보내", "return_to_base", {"vacuum.robot"}, {}),
        ("커피 한 잔 내려줘", "turn_on", {"switch.coffee"}, {}),
        ("장보기 목록에 우유 추가해줘", "add_item", {"todo.shopping"}, {"item": "우유"}),
        ("장보기 목록에 오렌지도 넣어 주세요", "add_item", {"todo.shopping"}, {"item": "오렌지"}),
        ("장보기 목록에 사과를 적어줘", "add_item", {"todo.shopping"}, {"item": "사과"}),
        ("장보기 목록에 두부랑 대파 넣어줘", "add_item", {"todo.shopping"}, {"item": ["두부", "대파"]}),
        ("버터 떨어졌다 장보기 목록에 적어놔", "add_item", {"todo.shopping"}, {"item": "버터"}),
        ("목록에서 포도 지워줘", "remove_item", {"todo.shopping"}, {"item": "포도"}),
        (
            "주방 스피커에서 아이유 노래 틀어줘",
            "play_media",
            {"media_player.speaker"},
            {"media_content_id": "아이유 노래", "media_content_type": "music"},
        ),
    ],
)
def test_what_is_done(text: str, action: str, ids: set[str], parameters: dict[str, Any]) -> None:
    assert deeds(text) == [(action, ids, parameters)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("거실 불 켜고 주방 불은 꺼줘", [("turn_on", IN_LIVING), ("turn_off", {"light.kitchen"})]),
        ("추우니까 에어컨 끄고 주방 불도 켜줘", [("turn_off", {"climate.bedroom"}), ("turn_on", {"light.kitchen"})]),
        ("주방 불 끄고 티비는 켜줘, 고마워", [("turn_off", {"light.kitchen"}), ("turn_on", {"media_player.tv"})]),
        ("블라인드 올리고 그리고 현관문 잠가", [("open", {"cover.blinds"}), ("lock", {"lock.front"})]),
    ],
)
def test_two_orders(text: str, wanted: list[tuple[str, set[str]]]) -> None:
    assert [(action, ids) for action, ids, _ in deeds(text)] == wanted


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("거실 불 켰어?", "yesno"),
        ("주방 불 켜져 있니", "yesno"),
        ("침실 창문 열려 있어?", "yesno"),
        ("어떤 불이 켜져 있어?", "which"),
        ("로봇청소기 어디 있어?", "where"),
        ("장보기 목록에 뭐 있는지 알려줘", "value"),
        ("내일 비 와?", "yesno"),
    ],
)
def test_what_is_asked(text: str, asked: str) -> None:
    decision = read(text)
    assert decision.best is not None
    assert [f.request.asked.value for f in decision.best.asking_for if f.request is not None] == [asked]
    assert deeds(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "불 켜지마",
        "거실 불 끄지 말아 줘",
        "불 켜지 말고 그냥 둬",
        "불을 켜면 안 돼",
        "손님이 오면 주방 불 켜줘",
        "비가 오면 블라인드 내려줘",
        "나갈 때 불 꺼줘",
        "30분 뒤에 불 꺼줘",
        "7시에 주방 불 켜",
        "사우나에 불 켜줘",
        "헬스장 불 켜줘",
        "사우나 온도 24도로 해줘",
        "거실 불 켰어",
        "불이 켜져 있네",
        "엄마가 불 켜라고 했어",
        "주방 불 켜줘서 고마워",
        "왜 불이 켜졌어?",
        "주방 불 초록색이랑 빨간색으로 바꿔줘",
    ],
)
def test_nothing_is_done(text: str) -> None:
    assert deeds(text) == []
