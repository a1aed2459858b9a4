"""What people report of other memories about languages: text that is stored, and then not found."""

from __future__ import annotations

import pytest
from told import ME

from perdure import Memory

IN_SCRIPTS = {
    "ko": (
        (
            "아침마다 블랙커피를 마셔요.",
            "여동생은 삿포로에 살아요.",
            "땅콩 알레르기가 있어요.",
            "바이올린을 배우고 있어요.",
        ),
        ("커피", "삿포로", "땅콩", "바이올린"),
    ),
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
        assert by_words[0].content == line and by_words[0].lexical_score == pytest.approx(1.0)
        assert all(hit.lexical_score < 0.5 for hit in by_words[1:])
        assert hits[0].content == line


@pytest.mark.parametrize("language", IN_SCRIPTS)
async def test_lang_ja_sentence_finds_itself(memory: Memory, language: str) -> None:
    """FC29"""
    lines, _ = IN_SCRIPTS[language]
    english = "The English entry, which other memories do find."
    for line in (*lines, english):
        await memory.remember(line, user="me")
    for line in (*lines, english):
        assert (await memory.recall(line, user="me"))[0].content == line
        best, *others = await memory.recall(line, user="me", threshold=0)
        assert best.content == line and best.lexical_score == pytest.approx(1.0)
        assert all(best.vector_score > hit.vector_score + 0.1 for hit in others)
    assert len(await memory.facts.facts(ME)) == len(lines) + 1


ENGLISH_NOTES = (
    "Auto-detected devices have to be approved by an administrator before they join the network.",
    "The office closes at six on Fridays.",
    "Invoices are sent on the first day of the month.",
    "The red bicycle needs a new chain.",
    "Our printer is out of toner again.",
    "Lunch is served in the garden in summer.",
)
KOREAN_NOTES = (
    "자동으로 감지된 기기는 관리자가 승인해야 네트워크에 들어올 수 있다.",
    "사무실은 금요일 여섯 시에 닫는다.",
    "청구서는 매달 첫날에 보낸다.",
    "빨간 자전거는 체인을 갈아야 한다.",
    "프린터에 토너가 또 떨어졌다.",
    "여름에는 정원에서 점심을 먹는다.",
)


@pytest.mark.parametrize("notes", [ENGLISH_NOTES, KOREAN_NOTES], ids=["of English", "of Korean"])
@pytest.mark.parametrize(
    "question",
    [
        "¿Cómo se aprueban los dispositivos detectados automáticamente?",
        "자동으로 감지된 기기는 어떻게 승인해?",
        "How are auto-detected devices approved?",
    ],
)
async def test_lang_cross_question_finds_the_note_in_another_language(
    memory: Memory, notes: tuple[str, ...], question: str
) -> None:
    """FC31"""
    for note in notes:
        await memory.remember(note, user="me")
    assert [hit.content for hit in await memory.recall(question, user="me")] == [notes[0]]
    best, *others = await memory.recall(question, user="me", threshold=0)
    assert best.content == notes[0] and len(others) == 5
    assert all(best.vector_score > hit.vector_score + 0.1 for hit in others)
