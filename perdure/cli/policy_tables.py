"""What people see of policies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from perdure.cli.render import minute, shown, table_of
from perdure.policy import Policy, PolicyVersion, Rule

if TYPE_CHECKING:  # rich.table is slow to import, and `--help` does without it
    from rich.table import Table


def title(policy: Policy) -> str:
    """Which version it is, and what is in no rule."""
    version = f"version {policy.version}" if policy.version else "the default policy"
    return f"{version}; a question lapses after {policy.question_hours:g} hours"


def policy_table(policy: Policy) -> Table:
    """The rules in the order in which they are looked at, and what becomes of the rest."""
    table = table_of("", "verdict", "when", "why")
    for number, rule in enumerate(policy.rules, 1):
        table.add_row(str(number), rule.verdict, shown(condition(rule)), shown(rule.why))
    table.add_row("", policy.otherwise, "anything else", "")
    return table


def versions_table(versions: Sequence[PolicyVersion], zone: tzinfo) -> Table | str:
    if not versions:
        return "the default policy; none has been set"
    table = table_of("user", "agent", "version", "set", "by", "rules", "else")
    for one in versions:
        made = minute(one.recorded_at, zone)
        rules = str(len(one.policy.rules))
        holder = (shown(one.user) or "all", shown(one.agent) or "all")
        table.add_row(*holder, str(one.policy.version), made, shown(one.author), rules, one.policy.otherwise)
    return table


def differences(old: Policy, new: Policy) -> list[str]:
    """What the new policy says and the old does not, and the other way round; a line each."""
    lines = [f"- {_line(rule)}" for rule in old.rules if rule not in new.rules]
    lines += [f"+ {_line(rule)}" for rule in new.rules if rule not in old.rules]
    if not lines and old.rules != new.rules:
        lines.append("the rules are in another order")
    if old.otherwise != new.otherwise:
        lines.append(f"anything else: {old.otherwise} → {new.otherwise}")
    if old.question_hours != new.question_hours:
        lines.append(f"a question lapses after {old.question_hours:g} → {new.question_hours:g} hours")
    return lines


def condition(rule: Rule) -> str:
    """When the rule is met, in words."""
    told = rule.model_dump(mode="json", exclude={"verdict", "why"})
    return "; ".join(_condition(name, value) for name, value in told.items() if value not in (None, [])) or "always"


def _condition(name: str, value: list[str] | float) -> str:
    words = name.replace("_", " ")
    return f"{words}: {', '.join(value)}" if isinstance(value, list) else f"{words} {value:g}"


def _line(rule: Rule) -> str:
    return shown(f"{rule.verdict}, {condition(rule)} ({rule.why})")
