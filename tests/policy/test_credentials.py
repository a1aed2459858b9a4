"""Credentials in text: found, refused, redacted, and nothing else taken for one."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perdure.credentials import check_no_credential, redacted, redacted_all
from perdure.errors import CredentialRefused
from perdure.facts import Operation

KEY = "9f8a7s6d5f4g3h2j1k0l"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n+/xyz==\n-----END RSA PRIVATE KEY-----"
TOLD = [
    ("My card is 4111 1111 1111 1111, ok", "My card is [card number], ok"),
    ("4111-1111-1111-1111", "[card number]"),
    ("4111111111111111", "[card number]"),
    ("４１１１－１１１１－１１１１－１１１１", "[card number]"),
    ("3782 822463 10005", "[card number]"),
    ("카드번호는 5500-0000-0000-0004이고 CVC 123, 12/27", "카드번호는 [card number]이고 CVC [card code], 12/27"),
    ("보안 코드는 1234야", "보안 코드는 [card code]야"),
    ("my password is hunter2", "my password is [password]"),
    ("My password is sunshine.", "My password is [password]."),
    ("password: hunter2!x, and more", "password: [password], and more"),
    ("the wifi password for the guests is Blue-77!", "the wifi password for the guests is [password]"),
    ("I changed my password to Sparky99.", "I changed my password to [password]."),
    ('{"password": "hunter two"}', '{"password": "[password]"}'),
    ("export DB_PASSWORD=hunter2", "export DB_PASSWORD=[password]"),
    ("my passphrase is correct horse battery staple", "my passphrase is [password]"),
    ("내 비밀번호는 hunter2!x야", "내 비밀번호는 [password]야"),
    ("비밀번호: 무지개", "비밀번호: [password]"),
    ("비밀번호는 호랑이야.", "비밀번호는 [password]이야."),
    ("비번 1234야", "비번 [password]야"),
    ("비번은 1111이야", "비번은 [password]이야"),
    ("비밀번호를 hunter2에서 sparky3로 바꿨어", "비밀번호를 [password]에서 [password]로 바꿨어"),
    ("PIN is 4821", "PIN is [code]"),
    ("the door code is 4821#", "the door code is [code]"),
    ("sk-proj-abcdefghijklmnop1234 is mine", "[key] is mine"),
    ("AKIAIOSFODNN7EXAMPLE", "[key]"),
    ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[key]"),
    ("github_pat_11ABCDEFG0abcdefghijklmnop", "[key]"),
    ("xoxb-123456789012-abcdefghijkl", "[key]"),
    (f"token {JWT}!", "token [key]!"),
    ("Authorization: Bearer abcdef1234567890abcdef", "Authorization: Bearer [key]"),
    (f"api_key={KEY}", "api_key=[key]"),
    (f"API 키는 {KEY}이야", "API 키는 [key]이야"),
    (f"here: {PEM} ok", "here: [key] ok"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEabc", "[key]"),
    ("postgresql://bob:s3cr3t@db:5432/x", "postgresql://bob:[password]@db:5432/x"),
]
HARMLESS = [
    "I forgot my password.",
    "My password is too short.",
    "My password is wrong again.",
    "The password is required.",
    "password is 12 characters long",
    "I use a password manager, and my password manager is 1Password.",
    "password: ****",
    "password: ${DB_PASSWORD}",
    "비밀번호를 잊어버렸어.",
    "비밀번호는 8자 이상이어야 해.",
    "비밀번호는 1Password에 저장해.",
    "비밀번호는 뭐야?",
    "My phone is 010-1234-5678, or +82 10-1234-5678.",
    "order number 4111-1111-1111-1111",
    "주문번호 4111111111111111",
    "4111 1111 1111 1112",
    "ISBN 978-3-16-148410-0",
    "We met on 2024-01-01 2025-02-02.",
    "41234567-1234-4123-8123-123456789012",
    "commit 4111111111111111111111111111111111111111",
    "key: 550e8400-e29b-41d4-a716-446655440000",
    "token: 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "the key is to keep going",
    "pin 4 pictures to the board",
    "http://localhost:8000/a@b",
    "settings[password]",
    "AES 암호화를 공부해.",
]


@pytest.mark.parametrize(("text", "kept"), TOLD)
def test_a_credential_is_replaced_by_what_it_is(text: str, kept: str) -> None:
    assert redacted(text) == kept
    assert redacted(kept) == kept


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_credential_stays(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize(("text", "kept"), TOLD)
@pytest.mark.parametrize("field", ["content", "value", "evidence", "subject"])
def test_an_operation_with_a_credential_is_refused_and_so_is_its_redacted_twin(
    text: str, kept: str, field: str
) -> None:
    for told in (text, kept):
        operation = Operation.model_validate({"attribute": "note", "value": "x", field: told})
        with pytest.raises(CredentialRefused, match="never stored") as refused:
            check_no_credential(operation)
        assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("wifi.password", "sunshine"),
        ("door.code", "4821"),
        ("현관.비밀번호", "4821"),
        ("api_key", KEY),
        ("pin", "1234"),
    ],
)
def test_a_value_that_is_a_credential_only_by_the_name_of_its_attribute_is_refused(attribute: str, value: str) -> None:
    check_no_credential(Operation(attribute="note", value=value))
    with pytest.raises(CredentialRefused):
        check_no_credential(Operation(attribute=attribute, value=value))


@pytest.mark.parametrize(
    ("attribute", "value"),
    [("password.manager", "1Password"), ("contact.phone", "010-1234-5678"), ("keyboard", "Korean"), ("pin", "boards")],
)
def test_a_value_of_an_attribute_that_only_sounds_like_one_is_kept(attribute: str, value: str) -> None:
    check_no_credential(Operation(attribute=attribute, value=value))


def test_what_a_reply_repeats_without_calling_it_a_password_is_redacted_with_what_was_said() -> None:
    said, answered = redacted_all("My password is hunter2!x.", "Noted: hunter2!x. I will not say hunter2!xy.")
    assert said == "My password is [password]."
    assert answered == "Noted: [password]. I will not say hunter2!xy."


PIECES = """password|password is |password: |비밀번호|비밀번호는 |pin |PIN |hunter2!x|sunshine|4111 1111 1111 1111|[password]|
[key]|[card number]|[code]|key=|token: |9f8a7s6d5f4g3h2j1k0l|sk-abcdefghijklmnopqrst|Bearer |postgresql://u:p@h|://|:|@| |
.|"|'|]|[|로 바꿨어|에서 |야|-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|cvc |123|1234|passphrase is |secret|to |를 """


@given(st.lists(st.sampled_from(PIECES.split("|")) | st.text(max_size=4), max_size=10).map("".join))
@example("password is strong sk-abcdefghijklmnopqrst")
def test_redacting_again_changes_nothing(text: str) -> None:
    once = redacted(text)
    assert redacted(once) == once


@pytest.mark.parametrize(
    "piece",
    ["1", "4111 ", "12 ", "key=", "key=a1", "bearer ", "eyJ", "eyJaaaaaaaa.", "sk-", "a://", "ab://u:", "a", " ",
     "password is ", "password for aaaa ", 'password: "', "password" + " " * 50, "비번", "비밀번호는 가나다라 ",
     "passphrase is ", "passphrase is word ", "pin is 1 2 3 4 5 6 7 8 9 0 ", "cvc ", "[password]",
     "-----BEGIN PRIVATE KEY-----", "password: a1b2c3 ", "비밀번호를 abc123에서 ", "order number "],
)  # fmt: skip
def test_no_text_takes_much_longer_than_its_length(piece: str) -> None:
    """Tenths of a second for each; where something were tried again for every character, minutes."""
    text = (piece * 100_000)[:100_000]
    before = time.process_time()
    redacted(text + "x")
    assert time.process_time() - before < 10


def test_a_text_is_looked_at_as_it_is_whatever_it_holds() -> None:
    anything: list[Any] = ["", "\ud800", "\x00", "İpin", "𝟜𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙 𝟙𝟙𝟙𝟙"]
    assert [redacted(text) for text in anything] == [*anything[:4], "[card number]"]
