"""What a question has in common with the memory it asks for, and with others: by the terms alone, ranked as in SQL."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from perdure.terms import hashed_terms, query_terms, term_hash, terms_of

FOUND = """
Caroline's sister is a nurse | What is Caroline's job?
Caroline’s sister is a nurse | caroline sister
I don't eat meat | eating meat?
She adopted two puppies | Did she adopt a puppy?
Takes vitamin D every day | vitamin D
Works in IT | IT jobs
Lives in the US | Has she been to the US?
Owns a well-known bakery | well known bakeries
Writes an e-mail each Friday | email
Uses Next.js at work | NextJS
Uses Next.js at work | next
The function is getUserById | user
The function is getUserById | getuserbyid
The table is order_items | items
The table is order_items | orderItems
Bug is tracked as PROJ-1234 | proj-1234
Bug is tracked as PROJ-1234 | ticket 1234
Deploys v1.2.3 | 1.2.3
Runs Python 3.11.4 | 3.11
Runs Python 3.11.4 | 3.11.4
Runs PostgreSQL v18 | PostgreSQL 18
Reach me at ada.king@mail.example.org | ada.king@mail.example.org
Reach me at ada.king@mail.example.org | ada
Reach me at ada.king@mail.example.org | mail.example.org
Docs are at https://www.example.org/guide/set-up?lang=en | example.org
Docs are at https://www.example.org/guide/set-up?lang=en | setup guide
Settings are in src/app/config.toml | config.toml
Settings are in src/app/config.toml | toml
Call 010-1234-5678 | 01012345678
Call 010-1234-5678 | +82 10 1234 5678
Call (555) 010-9876 22 | 555 010 9876 22
Earns 12,000 a month | 12000
Ran 10km on Sunday | 10 km
Birthday on the 7th of May | 7 May
Likes the café by the river | cafe
Wohnt in München | MÜNCHEN
Vive en São Paulo | sao paulo
Pisze z Łodzi | lodzi
Programs in C++ and C# | c++
나는 서울로 이사했어 | 서울
회사는 성수동에 있어 | 성수동에서 일해?
커피는 아메리카노만 마셔 | 커피를 마시나요?
술은 안 마셨어 | 술 마시니?
물을 많이 마십니다 | 마신다
매일 책을 읽어 | 읽는 책
저녁은 안 먹어 | 먹었어?
자전거를 배워 | 배우고
이름을 바꿨어 | 바꾸는
요즘 한국어를 가르쳐 | 가르치나요
담배를 펴 | 피우는 담배
차는 안 마셔 | 차도 좋아해?
배가 아파 | 배
서울에 집을 샀어 | 집은?
운동해 | 운동을 해?
번역을 개발하고 있어 | 개발
부산에서 살았어 | 어디 사는지 알아?
매일 음악을 들어 | 음악 듣는 거
올해는 바빠 | 올해의 계획
지하는 추워 | 지하에
요리 좋아해 | 좋아하는 요리가 뭐야?
제일 친한 친구는 박준서야 | 친구 이름
고양이를 키워 | 고양이
프레임워크는 Next.js랑 FastAPI를 써 | FastAPI로
GCP의 Cloud Run을 써 | cloud run
에디터는 Neovim이야 | neovim
我养了一只猫 | 你的猫叫什么名字
我喜欢喝茶 | 茶
我住在北京 | 北京有什么
妹妹是医生 | 谁是医生？
東京に住んでいます | どこに住んでいますか
犬を飼っています | 犬
サーバーはLinuxです | サーバ
コーヒーが好き | コーヒー
日々の人々 | 人々
ฉันชอบกาแฟ | กาแฟ
मुझे चाय पसंद है | चाय
"""
NOT_FOUND = """
Deploys v1.2.3 | 1.2.4
Runs Python 3.11.4 | 3.12
Runs Python 3.12 | 3.11
Bug is tracked as PROJ-1234 | ABC-9999
I won't come | What did she win? The won.
Programs in C++ | C#
GitHub hosts it | hub
It's hers | What is it?
서울로 이사했어 | 부산으로
이름은 하늘이야 | 내가 뭐라고 했지?
에디터는 Neovim이야 | 내 나이는 뭐야?
FastAPI를 써 | Docker를
커피는 싫어 | 피아노
ㅋㅋㅋㅋ 그래 | ㅋㅋㅋㅋ
猫が好き | 犬が
コーヒーです | お茶ですか
我喜欢茶 | 你是谁？
"""
BETTER = """
고양이를 키워 | 고양시에 살아 | 고양이 있어?
우리 회사는 판교에 있어 | 나는 판다를 좋아해 | 판교
나라가 좋아 | 나는 커피를 마셔 | 어느 나라가 좋아?
수도는 서울이야 | 수영을 배워 | 수도가 어디야?
지도를 샀어 | 지금 서울이야 | 지도
차는 안 마셔 | 회사 차장님이야 | 차 마셔?
내 동생 이름은 바다야 | 내 이름은 하늘이야 | 동생 이름이 뭐야?
약은 아침에 먹어 | 아침에 운동해 | 약은 언제 먹어?
술은 안 마셔 | 술집 이름은 마루야 | 술 마시니?
나이는 서른이야 | 내 차를 내가 뭐라고 부르는지 물었어 | 내 나이가 뭐야?
영화는 스릴러를 봐 | 영수증을 보관하고 있어 | 무슨 영화 보는데?
아침에 빵을 먹었어 | 아침에는 신문이 와 | 아침에 뭐 먹어?
Redis 7.2 runs the queue | Redis 6 ran the queue | Redis 7.2
Bug PROJ-1234 is open | Bug PROJ-1235 is open | PROJ-1234
ada@example.org is hers | bob@example.org is his | ada@example.org
Melanie painted a lake | Melanie ran a race | What did Melanie paint?
生日是五月三日 | 在日本生活 | 生日是什么时候
大阪に住んでいます | 大学に通っています | 大阪はどう
我在北京工作 | 我在南京学习 | 北京
Call 010-1234-5678 | Call 010-8765-4321 | 010 1234 5678
Met Jan on 2026-10-01 | Met Jan on 2026-11-02 | 2026-10-01
"""


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(cell.strip() for cell in line.split(" | ")) for line in table.strip().splitlines()]


def scores(question: str, memories: list[str]) -> list[float]:
    """The coverage of each as `stores/sql/recall.sql` has it."""
    asked, stored = set(query_terms(question)), [set(terms_of(memory)) for memory in memories]
    holding = Counter(term for terms in stored for term in terms)
    weight = {term: math.log((len(stored) + 1) / (holding[term] + 0.5)) for term in asked}
    return [sum(weight[term] for term in asked & terms) / sum(weight.values()) for terms in stored]


@pytest.mark.parametrize(("memory", "question"), rows(FOUND))
def test_a_memory_is_found_in_other_spellings_and_endings(memory: str, question: str) -> None:
    assert set(terms_of(memory)) & set(query_terms(question))


@pytest.mark.parametrize(("memory", "question"), rows(NOT_FOUND))
def test_a_memory_is_not_found_by_what_only_asks_or_looks_alike(memory: str, question: str) -> None:
    assert not set(terms_of(memory)) & set(query_terms(question))


@pytest.mark.parametrize(("right", "wrong", "question"), rows(BETTER))
def test_the_memory_that_is_asked_for_comes_first(right: str, wrong: str, question: str) -> None:
    first, second = scores(question, [right, wrong])
    assert first > second


@pytest.mark.parametrize("question", ["나?", "你是谁", "어디야?", "ですか"])
def test_a_question_that_does_nothing_but_ask_keeps_its_terms(question: str) -> None:
    assert query_terms(question) == terms_of(question) != []


@pytest.mark.parametrize("text", ["", "?!…", "the of and", "ㅠㅠ", "\n"])
def test_what_says_nothing_has_no_terms(text: str) -> None:
    assert not hashed_terms(text) and not query_terms(text)


def test_hashes_are_positive_distinct_and_sorted() -> None:
    text = "서울 Seoul 東京 v1.2.3 " * 40
    hashes = hashed_terms(text)
    assert hashes == sorted({term_hash(term) for term in terms_of(text)})
    assert all(1 <= number < 2**30 for number in hashes)
    assert set(map(term_hash, query_terms("서울, v1.2.3"))) <= set(hashes)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    for composed, decomposed in (("café", "cafe\u0301"), ("서울", "\u1109\u1165\u110b\u116e\u11af"), ("ＡＢＣ", "abc")):
        assert terms_of(composed) == terms_of(decomposed)
