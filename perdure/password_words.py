"""What stands where a password might, and is none."""

from __future__ import annotations

import re

_ENGLISH = """
    a about above after again all already also always an and any anything asked at attached bad based because
    before being below better big blank both broken but by can cannot case-sensitive complex complicated confidential
    correct created default different difficult easy either empty encrypted enough even every everything expired fine
    for forgotten from good gone got great hard has hashed have he her here hidden his how if important in incorrect
    insecure invalid is it its itself just kept known later leaked like long longer lost mandatory maybe me mine missing
    more much my necessary needed never new no none not nothing now null n/a ok old on one only optional or other our
    outdated personal please poor private probably protected public really required reset right safe same saved secret
    secure she short shorter simple so some something somewhere still stored stronger strong stuck such temporary than
    that the their them then there these they this those to today tomorrow too true false unchanged undefined under
    unique unknown unset until up us used valid very visible was we weak weaker what when where whether which who why
    will with without working written wrong yes yesterday yet you your string str int text
    field manager policy password passwords pin
"""
NO_PASSWORD = frozenset(_ENGLISH.split())
"""Words after “the password is” that say something about it, but do not tell it."""

_KOREAN = """
    비밀 필수 무엇 그거 이거 저거 그것 이것 아까 기억 동일 예전 그대로 영문 숫자 특수문자 여덟자리 네자리 생일 전화번호
    이름 선택 최소 최대 자동 임시 기본값 암호화 문자 문자열 필수값
"""
NO_PASSWORD_KO = frozenset(_KOREAN.split())
PLACEHOLDER = re.compile(
    r"[*•·●xX#?_.\-…]+|<[^>]*>?|\$\{\w+\}?|\$[A-Z_]+|\{\{?[^}]*\}*|%[sd]|\[[^\]]*\]|"
    r"\d{1,3}[-+]?(?:char|digit|letter|bit)\w*|os\.environ.*|getenv.*|env\..*"
)
"""Masks and variables."""
