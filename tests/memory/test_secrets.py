"""Codes and passwords are known for what they are in every language, and everyday sentences are not taken for them."""

from __future__ import annotations

import pytest

from memory.secrets import holds_a_secret, may_be_secrets

TOLD = {
    "en": [
        "The safe opens with 3-1-7-9",
        "The key box by the door is 4711",
        "The safe combination is 47-11-82",
        "The garage keypad is 4711",
        "PIN:4711",
        "The alarm code is four four two two",
        "The wifi password is Sommer2024",
        "Our gate opens with the keycode 4 7 1 1",
        "The alarm code is ***",
    ],
    "de": [
        "Der Schlüsseltresor geht mit 1586 auf",
        "Der Geheimcode ist 4711",
        "Die Kombination vom Tresor ist 471182",
        "Das WLAN-Passwort ist 4711",
        "Die Handypin lautet 4711",
        "Unser Netzwerkpasswort ist Sommer2024",
        "Der Code ist eins zwei drei vier",
    ],
    "fr": [
        "Le coffre-fort s'ouvre avec 4711",
        "Le digicode est 4711",
        "La combinaison du coffre est 471182",
        "Le mot de passe est 4711",
        "Le code du portail est un deux trois quatre",
    ],
    "es": [
        "La caja fuerte se abre con 4711",
        "La combinación de la caja fuerte es 471182",
        "La contraseña es 4711",
        "La clave de la alarma es 4711",
        "El código es uno dos tres cuatro",
    ],
    "nl": [
        "Het sleutelkluisje gaat open met 1586",
        "De toegangscode is 4711",
        "De deurcode is 4711",
        "Het wachtwoord is 4711",
        "Het wifiwachtwoord is Zomer2024",
        "De code is één twee drie vier",
    ],
    "ko": [
        "열쇠 금고는 4712로 열려",
        "도어락 비번은 4711이야",
        "현관비번은 471이야",
        "비밀번호는 4711이야",
        "비밀 번호는 4711이야",
        "비밀번호는 사 삼 이 일",
    ],
}
EVERYDAY = {
    "en": [
        "The safe is in the cellar",
        "It is safe to leave at 1530",
        "The zip code is 90210",
        "The error code was 40412",
        "Anna knows the alarm code",
        "The code lock needs 2 batteries",
        "The combination of 21.5 degrees and rain is nice",
        "The meter shows 471182 kWh",
    ],
    "de": [
        "Der Fehlercode war 40412",
        "Der Barcode ist 471182",
        "Anna kennt den Türcode",
        "Die Spinne ist 471 Tage alt",
        "Die Farbkombination 471 ist schön",
    ],
    "fr": ["Le code postal est 75011", "Anna connaît le mot de passe", "Le compteur indique 471182"],
    "es": ["El código postal es 28013", "Ana sabe la contraseña", "El contador marca 471182"],
    "nl": ["De postcode is 1234 AB", "De foutcode was 40412", "Anna kent de toegangscode", "De spin is 471 dagen oud"],
    "ko": ["바코드는 471182이야", "안나는 비밀번호를 알아", "우편번호는 12345야"],
}


def each(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(language, text) for language, texts in table.items() for text in texts]


@pytest.mark.parametrize(("language", "text"), each(TOLD))
def test_a_code_that_is_told_is_a_secret(language: str, text: str) -> None:
    assert holds_a_secret(text, language)


@pytest.mark.parametrize(("language", "text"), each(EVERYDAY))
def test_an_everyday_sentence_is_none(language: str, text: str) -> None:
    assert not holds_a_secret(text, language)


@pytest.mark.parametrize("number", ["1" * 5000, "1 " * 4000, "1.1 " * 2000, "a1b2c3d4 " * 900])
def test_numbers_of_any_length_are_read(number: str) -> None:
    assert holds_a_secret(f"The code is 4711, and not {number} pm", "en")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("4321로 꺼 줘", ["4321"]),
        ("with code:4321", ["4321"]),
        ("one two, three", ["123"]),
        ("at 21.5 degrees, 300W and 12%", []),
        ('"Sommer2024!"', ["Sommer2024"]),
        ("room2", []),
    ],
)
def test_what_may_be_a_code_in_a_text(text: str, codes: list[str]) -> None:
    assert [one.code for one in may_be_secrets(text, "en")] == codes


@pytest.mark.parametrize(
    ("language", "text", "secret"),
    [
        ("en", "My card number is 4111 1111 1111 1111", True),
        ("de", "Meine Kreditkarte ist 5500-0000-0000-0004", True),
        ("de", "Die IBAN vom Verein ist DE89 3704 0044 0532 0130 00", True),
        ("fr", "Mon compte est FR1420041010050500013M02606", True),
        ("en", "The parcel number is 4111 1111 1111 1112", False),
        ("nl", "Het pakket heeft nummer NL91 ABNA 0417 1643 01", False),
        ("en", "The router was bought in 2019 for 89 euros", False),
    ],
)
def test_numbers_of_cards_and_accounts_are_secrets(language: str, text: str, secret: bool) -> None:
    assert holds_a_secret(text, language) is secret
