"""In which language a sentence is taken to be, where nobody says it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from homeagent.brains.language.recognition import Recogniser

SAID = {
    "en": ["is the front door locked", "please switch off all the lights upstairs", "how warm is it in the bedroom",
           "put the heating down a little", "what is on my shopping list", "I am going to bed now"],
    "de": ["ist die Haustür abgeschlossen", "mach bitte oben alle Lichter aus", "wie warm ist es im Schlafzimmer",
           "dreh die Heizung etwas herunter", "was steht auf meiner Einkaufsliste", "ich gehe jetzt ins Bett"],
    "fr": ["est-ce que la porte d'entrée est fermée", "éteins toutes les lumières à l'étage s'il te plaît",
           "quelle température fait-il dans la chambre", "baisse un peu le chauffage",
           "qu'est-ce qu'il y a sur ma liste de courses", "je vais me coucher maintenant"],
    "es": ["está cerrada la puerta principal", "apaga todas las luces de arriba por favor",
           "qué temperatura hace en el dormitorio", "baja un poco la calefacción", "qué hay en mi lista de la compra",
           "me voy a la cama ahora"],
    "nl": ["is de voordeur op slot", "doe boven alle lampen uit alsjeblieft", "hoe warm is het in de slaapkamer",
           "zet de verwarming wat lager", "wat staat er op mijn boodschappenlijst", "ik ga nu naar bed"],
    "ko": ["현관문 잠겨 있어?", "위층 불 전부 꺼 줘", "침실 온도가 몇 도야", "난방 좀 낮춰 줘",
           "장보기 목록에 뭐 있어", "이제 자러 갈게"],
}  # fmt: skip
SHORT = [
    "yes",
    "no",
    "ja",
    "nee",
    "oui",
    "sí",
    "stop",
    "licht an",
    "light off",
    "lights",
    "stopp",
    "à 20",
    "ok",
    "no, don't",
    "20",
    "",
]


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


@pytest.mark.parametrize("home", SAID)
@pytest.mark.parametrize("language", SAID)
def test_a_whole_sentence_is_in_its_own_language_whatever_the_home_speaks(
    recogniser: Recogniser, language: str, home: str
) -> None:
    right = [recogniser.of(text, home) == language for text in SAID[language]]
    assert sum(right) >= (len(right) if language == home else len(right) - 1)


@pytest.mark.parametrize("home", SAID)
@pytest.mark.parametrize("text", SHORT)
def test_what_is_short_stays_the_homes(recogniser: Recogniser, home: str, text: str) -> None:
    assert recogniser.of(text, home) == home


def test_the_homes_own_code_stays_as_it_is_given(recogniser: Recogniser) -> None:
    assert recogniser.of("mach bitte das Licht in der Küche an", "de-CH") == "de-CH"


@pytest.mark.parametrize(
    ("text", "home"), [("accendi tutte le luci della cucina per favore", "it"), ("sluk alt lyset i køkkenet tak", "da")]
)
def test_a_home_in_a_language_without_words_of_ours_keeps_it(recogniser: Recogniser, text: str, home: str) -> None:
    assert recogniser.of(text, home) == home


def test_a_language_that_no_model_knows_is_never_taken_for_another(recogniser: Recogniser) -> None:
    assert recogniser.of("please turn on the kitchen lights", "xx") == "xx"


def test_names_of_the_home_do_not_count() -> None:
    names = {"living", "room", "standing", "lamp"}
    assert Recogniser(names.__contains__).of("Living Room Standing Lamp an", "de") == "de"


def test_nothing_is_loaded_before_the_first_sentence_that_needs_it() -> None:
    code = (
        "import sys; from homeagent.brains.language.recognition import Recogniser; "
        "Recogniser().of('licht an', 'de'); print('py3langid' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
