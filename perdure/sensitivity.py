"""What is delicate about a memory: kinds of personal data that a person may want to be asked about."""

from __future__ import annotations

from enum import StrEnum


class Sensitivity(StrEnum):
    HEALTH = "health"
    """Illness, allergy, medication, disability, pregnancy, mental health."""
    FINANCE = "finance"
    """Income, debt, bank accounts, insurance."""
    IDENTITY = "identity"
    """Official numbers and documents: resident registration, passport, driving licence."""
    LOCATION = "location"
    """Where exactly somebody is to be found: street addresses, coordinates. A city is not."""
    MINORS = "minors"
    """Children."""
    CREDENTIALS = "credentials"
    """Passwords, keys, card numbers: never stored."""
