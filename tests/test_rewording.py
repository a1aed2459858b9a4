"""Two stored sentences are one only if their words are, however politely they end and in whatever order they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.rewording import rewording
from perdure.sameness import difference
from perdure.statement_endings import statement_stem

SAME = [
    ("에디터는 Neovim 쓰고 있어", "에디터는 Neovim 씁니다."),
    ("나는 성수동에 살아", "저는 성수동에 삽니다"),
    ("커피는 아메리카노만 마셔", "커피는 아메리카노만 마십니다"),
    ("반려견 이름은 뭉치야", "반려견 이름은 뭉치입니다"),
    ("혈액형은 A형이야", "혈액형은 A형이에요"),
    ("이번 달 책은 '사피엔스'야", "이번 달 책은 '사피엔스'입니다"),
    ("회사 이름은 넥스테인이야. 2024년에 창업했어", "2024년에 창업했습니다. 회사 이름은 넥스테인입니다."),
    ("주말에 한강에서 러닝해", "한강에서 주말에 러닝합니다"),
    ("철수가 영희를 좋아해", "영희를 철수가 좋아한다"),
    ("These days I use Neovim", "I use Neovim these days"),
    ("I live in Seongsu-dong", "In Seongsu-dong I live"),
    ("My company is Nextain. I'm the founder", "I am the founder. My company is Nextain"),
]
DIFFERENT = [
    ("digits", "스트레칭 10분 해", "스트레칭 20분 합니다"),
    ("digits", "I have 2 cats. Ann has 3 dogs", "Ann has 2 dogs. I have 4 cats"),
    ("negation", "커피를 마셔", "커피를 안 마십니다"),
    ("negation", "I use Docker. I like it", "I like it. I don't use Docker"),
    ("words", "에디터는 Neovim 써", "에디터는 Helix 씁니다"),
    ("words", "나는 성수동에 살아", "나는 성수동에 살았어"),
    ("words", "나는 성수동에 살아", "나는 성수동에 살고 싶어"),
    ("words", "나는 성수동에 살아", "나는 성수동에 살 거야"),
    ("words", "나는 성수동에 살아", "나는 성수동에 살고 있어?"),
    ("words", "철수가 영희를 좋아해", "철수를 영희가 좋아해요"),
    ("words", "철수 영희 좋아해", "영희 철수 좋아해요"),
    ("words", "고양이 원숭이 좋아해", "원숭이 고양이 좋아해요"),
    ("words", "부산에서 서울로 가", "서울에서 부산으로 갑니다"),
    ("words", "고양이 2마리 강아지 3마리 키워", "강아지 2마리 고양이 3마리 키워요"),
    ("words", "나는 고양이를 키워", "나는 고양을 키워요"),
    ("words", "담배를 피워. 술은 안 마셔", "술은 마셔. 담배를 안 피워"),
    ("words", "Ann covers for Tom", "Tom covers for Ann"),
    ("words", "from Seoul to Busan I go", "from Busan to Seoul I go"),
    ("words", "I like milk chocolate", "I like chocolate milk"),
    ("words", "In May only I sing", "I only sing in May"),
    ("words", "Ann has a dog. He is old. Tom has a cat", "Tom has a dog. He is old. Ann has a cat"),
    ("words", "We are a corporation. Ann runs it", "Ann runs it. We are an LLC"),
]
FORMS = """
해 해요 합니다 한다|살아 살아요 삽니다 산다|마셔 마셔요 마십니다 마신다|써 써요 씁니다 쓴다|있어 있어요 있습니다 있다
했어 했어요 했습니다 했다|먹어 먹어요 먹습니다 먹는다|봐 봐요 봅니다 본다|돌려 돌려요 돌립니다 돌린다|줘 줘요 줍니다 준다
뭉치야 뭉치예요 뭉치입니다|준이야 준이에요 준입니다 준이다|고양이야 고양이에요 고양입니다
"""
APART = "해 했어 하자 할게 할래 하라|고양이야 고양이다만 고양시야|분야 분이야|살아 사랑해|미야 미나야"


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_a_stored_sentence_are_the_same(one: str, other: str) -> None:
    assert rewording(one, other) is None and rewording(other, one) is None


@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT)
def test_what_says_something_else_is_kept_apart(kind: str, one: str, other: str) -> None:
    assert rewording(one, other) == kind and rewording(other, one) == kind


@pytest.mark.parametrize("forms", FORMS.strip().replace("\n", "|").split("|"))
def test_a_statement_has_one_stem_however_politely_it_ends(forms: str) -> None:
    assert len({statement_stem(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("forms", APART.split("|"))
def test_what_is_no_ending_of_a_statement_stays(forms: str) -> None:
    assert len({statement_stem(form) for form in forms.split()}) == len(forms.split())


PHRASES = "나는|서울에|서울에서|3|두|고양이가|강아지를|안|키워|키웁니다|I|in Seoul|use|don't|Ann|Tom|2|cats|.|?"
sentences = st.lists(st.sampled_from(PHRASES.split("|")), min_size=1, max_size=7).map(" ".join)


@given(sentences, sentences)
def test_it_does_not_matter_which_is_older_and_writing_never_merges_more(one: str, other: str) -> None:
    assert rewording(one, other) == rewording(other, one)
    assert difference(one, other) is not None or rewording(one, other) is None


@given(sentences, st.integers(0, 99), st.integers(0, 99))
def test_sentences_with_other_numbers_are_never_the_same(text: str, one: int, other: int) -> None:
    assert one == other or rewording(f"{text} {one} 번", f"{text} {other} 번") is not None
