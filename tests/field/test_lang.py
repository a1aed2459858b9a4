"""What people report of other memories about languages: text that is stored, and then not found."""

from __future__ import annotations

import pytest
from told import ME

from perdure import Memory

IN_SCRIPTS = {
    "zh": (
        ("我每天早上喝黑咖啡。", "我妹妹住在成都。", "我对花生过敏。", "我在学拉大提琴。"),
        ("黑咖啡", "成都", "花生", "大提琴"),
    ),
    "ja": (
        (
            "毎朝ブラックコーヒーを飲みます。",
            "妹は札幌に住んでいます。",
            "落花生のアレルギーがあります。",
            "チェロを習っています。",
        ),
        ("コーヒー", "札幌", "落花生", "チェロ"),
    ),
    "ar": (
        (
            "أشرب قهوة سوداء كل صباح.",
            "أختي تسكن في مراكش.",
            "عندي حساسية من الفول السوداني.",
            "أتعلم العزف على التشيلو.",
        ),
        ("القهوة", "مُراكش", "فول", "عزف"),
    ),
    "th": (
        ("ฉันดื่มกาแฟดำทุกเช้า", "น้องสาวของฉันอยู่ที่เชียงใหม่", "ฉันแพ้ถั่วลิสง", "ฉันกำลังเรียนเชลโล่"),
        ("กาแฟ", "เชียงใหม่", "ถั่วลิสง", "เชลโล่"),
    ),
    "hi": (
        ("मैं हर सुबह काली कॉफ़ी पीता हूँ।", "मेरी बहन जयपुर में रहती है।", "मुझे मूँगफली से एलर्जी है।", "मैं चेलो सीख रहा हूँ।"),
        ("कॉफ़ी", "जयपुर", "मूँगफली", "चेलो"),
    ),
}


@pytest.mark.parametrize(
    ("stored", "question"),
    [("제 이름은 민수입니다.", "제 이름이 뭐죠?"), ("My name is Minsu.", "What is my name?")],
)
async def test_lang_ko_line_is_found_by_its_question(memory: Memory, stored: str, question: str) -> None:
    """FC26"""
    await memory.ask(stored, user="me", thread="t1")
    for other in ("나는 첼로를 연주해.", "I work at Acme.", "우리 고양이 이름은 미소야."):
        await memory.ask(other, user="me", thread="t1")
    hit = (await memory.recall(question, user="me"))[0]
    assert (hit.content, hit.lexical_score > 0) == (stored, True)
    assert stored in (await memory.ask(question, user="me", thread="t2")).text


@pytest.mark.parametrize("language", IN_SCRIPTS)
async def test_lang_hybrid_search_has_its_words_in_every_script(memory: Memory, language: str) -> None:
    """FC28: a word finds the line that it stands in by its letters, better than any line that shares some of them."""
    lines, words = IN_SCRIPTS[language]
    for line in lines:
        await memory.remember(line, user="me")
    for line, word in zip(lines, words, strict=True):
        hits = await memory.recall(word, user="me")
        by_words = sorted(hits, key=lambda hit: -hit.lexical_score)
        assert (by_words[0].content, by_words[0].lexical_score) == (line, 1.0)
        assert all(hit.lexical_score < 0.5 for hit in by_words[1:])
        assert hits[0].content == line


@pytest.mark.parametrize("language", ["ja", "zh", "ar", "th", "hi"])
async def test_lang_ja_sentence_finds_itself(memory: Memory, language: str) -> None:
    """FC29"""
    lines, _ = IN_SCRIPTS[language]
    english = "The English entry, which other memories do find."
    for line in (*lines, english):
        await memory.remember(line, user="me")
    for line in (*lines, english):
        best, *others = await memory.recall(line, user="me")
        assert (best.content, best.lexical_score) == (line, 1.0)
        assert all(best.vector_score > hit.vector_score + 0.1 for hit in others)
    assert len(await memory.facts.facts(ME)) == len(lines) + 1


@pytest.mark.parametrize(
    "question",
    [
        "¿Cómo se aprueban los dispositivos detectados automáticamente?",
        "자동으로 감지된 기기는 어떻게 승인해?",
        "How are auto-detected devices approved?",
    ],
)
async def test_lang_cross_question_finds_the_english_note(memory: Memory, question: str) -> None:
    """FC31"""
    note = "Auto-detected devices have to be approved by an administrator before they join the network."
    others = (
        "The office closes at six on Fridays.",
        "Invoices are sent on the first day of the month.",
        "The red bicycle needs a new chain.",
        "Our printer is out of toner again.",
        "Lunch is served in the garden in summer.",
    )
    for line in (note, *others):
        await memory.remember(line, user="me")
    hits = await memory.recall(question, user="me", k=3)
    assert hits[0].content == note
    assert hits[0].vector_score > hits[1].vector_score + 0.1
