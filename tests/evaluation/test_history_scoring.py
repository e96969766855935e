"""What counts as an exact answer about the past, and what as an invented figure."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from homeagent.evaluation.history.questions import Question
from homeagent.evaluation.history.recorder_tables import Expected
from homeagent.evaluation.history.scoring import score

ZONE = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 4, 18, 30, tzinfo=ZONE)
TUESDAY = datetime(2026, 11, 3, 7, 12, 40, tzinfo=ZONE).timestamp()
LINE = {"count": 3, "seconds": 9043, "time": "2 h 31 min", "at": "2026-11-03T07:12:40+01:00", "value": 20.676}


def judged(tell, wanted, said, language="en", results=(LINE,)):
    question = Question("q", language, "What was it in the last 3 days?", Expected(tell, "a.b", 0, 1))
    return score(question, [wanted], said, results, NOW, ZONE)


@pytest.mark.parametrize(
    ("tell", "wanted", "said", "language"),
    [
        ("count", 3, "The door was opened 3 times.", "en"),
        ("count", 0, "The door was never opened.", "en"),
        ("time", 9043, "Das Licht war 2 Stunden 30 Minuten an.", "de"),
        ("time", 9043, "2 h 31 min", "en"),
        ("time", 42253 + 86400, "1 day 11 hours", "en"),
        ("avg", 20.676, "Im Mittel 20,7 °C.", "de"),
        ("last", TUESDAY, "It was last open on 2026-11-03 07:13.", "en"),
        ("last", TUESDAY + 86400, "Today at 07:12.", "en"),
        ("whether", 1, "Yes, twice.", "en"),
        ("whether", 0, "Nein.", "de"),
        ("gone", TUESDAY, "Recorded since 2026-11-03 only.", "en"),
    ],
)
def test_an_exact_answer_is_exact(tell, wanted, said, language):
    assert judged(tell, wanted, said, language).exact


@pytest.mark.parametrize(
    ("tell", "wanted", "said"),
    [
        ("count", 3, "The door was opened 13 times."),
        ("count", 3, "The door was opened."),
        ("count", 0, ""),
        ("time", 9043, "2 hours 29 minutes"),
        ("time", 9043, "30 minutes"),
        ("avg", 20.676, "20.8 °C"),
        ("last", TUESDAY, "at 07:12"),
        ("last", TUESDAY, "2026-11-03 07:15"),
        ("whether", 1, "No."),
        ("whether", 0, "I cannot tell."),
        ("gone", TUESDAY, "It was never opened."),
    ],
)
def test_another_answer_is_not(tell, wanted, said):
    assert not judged(tell, wanted, said).exact


@pytest.mark.parametrize(
    "said", ["2 hours 30 minutes", "3 times, at 07:12", "20.7 on 2026-11-03", "in the last 3 days"]
)
def test_what_was_told_is_not_invented(said):
    assert judged("count", 3, said).invented == ()


@pytest.mark.parametrize("said", ["17 times", "at 09:40", "on 2026-01-05", "21.4 °C"])
def test_a_figure_from_nowhere_is_invented(said):
    assert judged("count", 3, said).invented
