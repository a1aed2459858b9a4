"""Who extracts, replies, summarises and so on: chat models, or without any the rules."""

from __future__ import annotations

from dataclasses import dataclass

from perdure.consolidation_ports import Wording
from perdure.offline.lesson_writer import RuleLessonWriter
from perdure.offline.question_reader import RuleQuestionReader
from perdure.offline.session_writer import RuleSessionWriter
from perdure.ports import Extractor, LessonWriter, QuestionReader, Replier, SessionWriter, Summariser
from perdure.settings import Settings


@dataclass(frozen=True, slots=True)
class Roles:
    """Everybody whom the application asks for words."""

    extractor: Extractor
    replier: Replier
    questions: QuestionReader
    sessions: SessionWriter
    lessons: LessonWriter
    summariser: Summariser | None = None
    """None: what does not fit into the prompt is left out."""
    wording: Wording | None = None
    """None: a rule chooses among the sentences that there are."""


def roles_of(settings: Settings) -> Roles:
    return _rules() if settings.offline else _models(settings)


def _rules() -> Roles:
    from perdure.offline.extract import RuleExtractor
    from perdure.offline.reply import OfflineReplier

    return Roles(RuleExtractor(), OfflineReplier(), RuleQuestionReader(), RuleSessionWriter(), RuleLessonWriter())


def _models(settings: Settings) -> Roles:
    """Chat models; where rules can do it too, they are asked when the model fails."""
    from perdure.models.chat import ChatModels
    from perdure.models.extractor import ModelExtractor
    from perdure.models.lesson_writer import ModelLessonWriter
    from perdure.models.question_reader import ModelQuestionReader
    from perdure.models.replier import ChatReplier
    from perdure.models.session_writer import ModelSessionWriter
    from perdure.models.summariser import ModelSummariser
    from perdure.models.wording_of_groups import ModelWording

    models = ChatModels(settings)
    return Roles(
        extractor=ModelExtractor(models),
        replier=ChatReplier(models),
        questions=ModelQuestionReader(models, RuleQuestionReader()),
        sessions=ModelSessionWriter(models, RuleSessionWriter()),
        lessons=ModelLessonWriter(models, RuleLessonWriter()),
        summariser=ModelSummariser(models),
        wording=ModelWording(models),
    )
