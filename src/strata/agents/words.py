"""What Strata's own agents say, in English and in Korean.

An output is in the language of the instruction, or without one in that of the texts. What an agent
leaves in a document is in the language of that document.
"""
# ruff: noqa: D102  (what a Korean sentence says is written at the English one)

import re
from collections.abc import Iterable
from typing import Literal

from strata.agents.failure_words import FailureWords, KoreanFailureWords
from strata.agents.instructions import Instruction
from strata.base.counts import plural

FindingKind = Literal["link", "heading", "contents", "comment"]

_HANGUL = re.compile("[가-힣]")
_LATIN = re.compile("[a-z]", re.IGNORECASE)
# A syllable of Hangul says about as much as two letters, and Korean texts hold English names.
_SYLLABLE_LETTERS = 2
# So much of a text tells its language.
_LOOKED_AT = 4_000


class AgentWords:
    """What agents say in English."""

    failures = FailureWords()
    contents = "Contents"
    gone = "The document is not there any more."
    nothing_to_tell = "There is nothing to tell: no prose, or nothing changed."
    new_section = "The words change here: a new section begins. Only the heading is added."
    lists_headings = "Lists the headings of the text."
    _names = {  # noqa: RUF012  (never changed)
        "link": ("link", "links"),
        "heading": ("heading", "headings"),
        "contents": ("table of contents", "tables of contents"),
        "comment": ("comment", "comments"),
    }

    def left(self, kind: FindingKind, count: int) -> str:
        """Say how much was left in documents."""
        did = "Left" if kind == "comment" else "Proposed"
        return f"{did} {count} {self._names[kind][count != 1]}."

    def only_found(self, kind: FindingKind, count: int, *, is_more: bool, is_asked: bool) -> str:
        """Say how much was found and not left anywhere, and why."""
        why = "as asked" if is_asked else "where you may only read"
        what = "more" if is_more else self._names[kind][count != 1]
        return f"Found {count} {what}, and left nothing there, {why}:"

    def understood(self, wanted: Instruction) -> str:
        """Say what of an instruction was understood."""
        return f"Understood of the instruction: {wanted.words or 'nothing'}."

    def names(self, title: str, *, is_alias: bool) -> str:
        """Say why words could be a link: they are a document's title or alias."""
        return f"Names the document {title!r}" + (" by an alias." if is_alias else ".")

    def is_about(self, title: str) -> str:
        """Say why words could be a link that are not a title."""
        return f"Says in other words what {title!r} is about."

    def table_of(self, count: int) -> str:
        """Say what a proposed table of contents holds."""
        return f"a table of {plural(count, 'heading')}"

    def nearly_same(self, title: str, share: float, *, run: int, shown: str) -> str:
        """Say that another document has nearly the same text."""
        return (
            f"Nearly the same text is in [[{title}]]: {share:.0%} of the runs of {run} words."
            f" It begins: “{shown}”"
        )

    def same_words(self, title: str, count: int, shown: str) -> str:
        """Say that another document has some of the same words."""
        return f"{count} words of this are in [[{title}]] too: “{shown}”"

    def leads_nowhere(self, title: str) -> str:
        """Say that no document has the title that a link names."""
        return (
            f"[[{title}]] leads nowhere: no document has this title, or none that the user who"
            " asked for this may read."
        )

    def pair(self, first: str, second: str, *, share: float | None, shown: str) -> str:
        """Name two documents that share a text."""
        what = f"“{shown}…”" if share is None else f"nearly the same ({share:.0%})"
        return f"{first} and {second}: {what}"

    def digest_of(self, what: str) -> str:
        """Return the title of a digest."""
        return f"Digest of {what}"

    def saved(self, title: str, document: str, *, is_new: bool) -> str:
        """Say which document a digest became."""
        did = "Made" if is_new else "Renewed"
        return f"{did} the document {title!r} ({document}) in your own folder."

    def unsaved(self, title: str, why: str) -> str:
        """Say why a digest became no document."""
        return f"{title}, not kept as a document: {why}"

    def as_comment(self, title: str) -> str:
        """Say that a digest became a comment."""
        return f"Left as a comment on {title!r}."


class KoreanWords(AgentWords):
    """The same in Korean."""

    failures = KoreanFailureWords()
    contents = "목차"
    gone = "문서가 더 이상 없습니다."
    nothing_to_tell = "알릴 것이 없습니다. 본문이 없거나 바뀐 것이 없습니다."
    new_section = "여기서 다루는 내용이 바뀌어 새 절이 시작됩니다. 제목만 더합니다."
    lists_headings = "글의 제목을 모았습니다."
    _counted = {  # noqa: RUF012  (never changed)
        "link": "링크 {}개",
        "heading": "제목 {}개",
        "contents": "목차 {}개",
        "comment": "댓글 {}개",
    }

    def left(self, kind: FindingKind, count: int) -> str:
        did = "남겼습니다" if kind == "comment" else "제안했습니다"
        return f"{self._counted[kind].format(count)}를 {did}."

    def only_found(self, kind: FindingKind, count: int, *, is_more: bool, is_asked: bool) -> str:
        why = "요청대로" if is_asked else "읽기만 할 수 있는 곳이라"
        what = f"{count}개를 더" if is_more else f"{self._counted[kind].format(count)}를"
        return f"{what} 찾았지만 {why} 아무것도 남기지 않았습니다:"

    def understood(self, wanted: Instruction) -> str:
        parts = [
            f"최대 {wanted.most}개" if wanted.most is not None else "",
            f"‘{wanted.folder}’ 폴더" if wanted.folder is not None else "",
            f"최근 {wanted.days}일" if wanted.days is not None else "",
            "알리기만" if wanted.tells_only else "",
            "목차" if wanted.contents else "",
        ]
        return f"지시에서 이해한 것: {', '.join(filter(None, parts)) or '없음'}."

    def names(self, title: str, *, is_alias: bool) -> str:
        return f"‘{title}’ 문서를 {'별칭으로 ' if is_alias else ''}가리킵니다."

    def is_about(self, title: str) -> str:
        return f"‘{title}’ 문서의 내용을 다른 말로 이야기합니다."

    def table_of(self, count: int) -> str:
        return f"제목 {count}개의 목차"

    def nearly_same(self, title: str, share: float, *, run: int, shown: str) -> str:
        return (
            f"[[{title}]] 문서에 거의 같은 글이 있습니다(낱말 {run}개 묶음의 {share:.0%}). "
            f"시작 부분: “{shown}”"
        )

    def same_words(self, title: str, count: int, shown: str) -> str:
        return f"이 글의 낱말 {count}개가 [[{title}]] 문서에도 있습니다: “{shown}”"

    def leads_nowhere(self, title: str) -> str:
        return (
            f"[[{title}]] 링크가 가리키는 문서가 없습니다. 이런 제목의 문서가 없거나,"
            " 요청한 사용자가 읽을 수 없습니다."
        )

    def pair(self, first: str, second: str, *, share: float | None, shown: str) -> str:
        what = f"“{shown}…”" if share is None else f"거의 같음({share:.0%})"
        return f"{first}, {second}: {what}"

    def digest_of(self, what: str) -> str:
        return f"{what} 요약"

    def saved(self, title: str, document: str, *, is_new: bool) -> str:
        did = "만들었습니다" if is_new else "새로 썼습니다"
        return f"‘{title}’ 문서({document})를 개인 폴더에 {did}."

    def unsaved(self, title: str, why: str) -> str:
        return f"{title}: 문서로 남기지 않았습니다. {why}"

    def as_comment(self, title: str) -> str:
        return f"‘{title}’ 문서에 댓글로 남겼습니다."


_ENGLISH, _KOREAN = AgentWords(), KoreanWords()


def words_for(texts: Iterable[str]) -> AgentWords:
    """Return the words in the language of the first of some texts that has one.

    >>> words_for(["", "최대 3개만"]).contents, words_for(["3", "at most 3"]).contents
    ('목차', 'Contents')
    >>> words_for(["결제 API의 rate limit는 분당 600회다"]).contents
    '목차'
    """
    for text in texts:
        looked_at = text[:_LOOKED_AT]
        syllables, letters = len(_HANGUL.findall(looked_at)), len(_LATIN.findall(looked_at))
        if syllables or letters:
            return _KOREAN if syllables * _SYLLABLE_LETTERS >= letters else _ENGLISH
    return _ENGLISH
