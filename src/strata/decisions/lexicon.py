"""The words that people use for a relationship, and what each says about its two ends.

A link goes from the newer or dependent memory to the other. Most words already say it in that
order ("replaces"); words that look ahead ("led to") say it the other way round, and some have no
order at all ("similar"). English words are kept as stems, Korean ones as beginnings.
"""

from functools import cache
from typing import Literal, TypeAlias

import msgspec

from strata.decisions.links import LinkType
from strata.search import stem

Turn: TypeAlias = Literal["back", "ahead", "none"]

# Which word of several decides: a verb that says much, one that says little, one of time.
STRONG, WEAK, IN_TIME, SAME = range(4)


class Sense(msgspec.Struct, frozen=True):
    """What a word means. One that `grows` leaves its older end standing."""

    link_type: LinkType
    turn: Turn = "back"
    grows: bool = False
    rank: int = STRONG


_SENSES: tuple[tuple[Sense, str], ...] = (
    (
        Sense("evolution"),
        """
    supersede supercede replace retract reopen deprecate revert rollback undo undid undone
    undoes obsolete retire override overrode overridden overrule overturn rewrite rewrote
    rewritten rename instead abandon invalidate revoke reverse update upgrade version iteration
    successor substitute drop discard cancel migrate switch convert swap annul withdraw
    withdrawn revise revision correct evolve evolution rework refactor redesign restructure redo
    remove delete modernize displace scrap ditch repeal rescind sunset decommission eliminate
    overwrite reset restore revamp recast reformulate port transition move shift transform void
    nullify outdated legacy newer edition abolish supersession supplant vacate redundant retool
    reconsider repudiate
    대체 교체 폐기 되돌 롤백 갱신 취소 대신 무효 바꾸 바꿨 바꿈 바꿔 바꾼 전환 마이그레이션 이관
    재작성 개정 버전 갈아끼 뒤집 번복 승계 폐지 재구성 원복 복구 복원 개편 대치 치환 없애 탈바꿈
    물려받 개명 재정의 철폐 파기 포기 최신 차세대 덮어 철회 업데이트 업그레이드 삭제 제거 중단
    재설계 리팩터링 리팩토링 진화 계승
    """,
    ),
    (
        Sense("evolution", "ahead"),
        """
    predecessor become became precursor ancestor
    """,
    ),
    (
        Sense("evolution", grows=True),
        """
    refine improve derive extend build built fix amend patch bugfix hotfix repair enhance expand
    elaborate generalize generalise specialize specialise simplify narrow merge split
    consolidate modify change adapt adjust optimize optimise variant fork branch grow grew grown
    iterate polish augment inherit descend tweak mend base broaden tighten relax strengthen
    clarify continue qualify backport cherry restate supplement addendum annotate advance mature
    harden loosen tune remedy rectify debug reform remodel deepen spawn
    개선 수정 보완 발전 확장 변경 고치 고침 고친 최적화 통합 분리 병합 정정 보강 심화 다듬
    이어받 향상 패치 세분화 단순화 일반화 조정 개량 완화 강화 핫픽스 포크 분기 합침 나눔 쪼갬
    손질 손봄 개조 고도화
    """,
    ),
    (
        Sense("evolution", "none", grows=True),
        """
    파생 기반 유래
    """,
    ),
    (
        Sense("implementation"),
        """
    implement execute realize realise fulfill fulfil complete deliver ship deploy release
    outcome result consequence effect test verify verification validate prove proof confirm
    measure benchmark apply application enforce succeed success fail failure achieve accomplish
    perform satisfy code practice launch rollout conclude finish evaluate check demonstrate
    enact install resolve solve solution output prototype experiment operationalize monitor
    create construct develop introduce materialize instantiate artifact deliverable run ran
    conduct pass regression crash attain comply assess audit trial pilot adopt land aftermath
    repercussion compile mortem
    구현 결과 적용 배포 실행 검증 테스트 완료 성공 실패 반영 실현 수행 산출 증명 효과 도입 출시
    측정 달성 확인 이행 성과 시험 완성 평가 입증 해결 시행 릴리스 실험 롤아웃 기인 완수 제작
    개발 만듦 만든 구축 생산 처리 통과 장애 회귀 시범 운영 가동 준수 충족 만족 이뤄
    """,
    ),
    (
        Sense("implementation", "ahead"),
        """
    cause lead led produce trigger yield generate provoke induce spark brought
    초래 야기 원인 유발 낳은 낳는 낳다
    """,
    ),
    (
        Sense("association"),
        """
    cite quote mention contradict oppose reject critique criticize criticise question discuss
    explain justify support evidence summarize summarise describe document debate challenge
    doubt disagree argue counter object example illustrate comment answer reference referenced
    refer
    참고 참조 인용 언급 지지 뒷받침 반대 설명 질문 반박 비판 예시 요약 논의 거부 의문 이의 도전
    """,
    ),
    (
        Sense("association", "none"),
        """
    motivate motive inspire influence inform affect impact block enable alternative synthesize
    synthesise complement conflict contrast compete trade prerequisite prevent facilitate
    constrain encourage guide shape conform define
    충돌 모순 대안 동기 영향 차단 막는 막음 막은 근거 영감 상충 제약 방해 종합
    """,
    ),
    (
        Sense("association", rank=WEAK),
        """
    require need depend rely use consume contain include belong tag
    필요 의존 요구 사용 활용 포함
    """,
    ),
    (
        Sense("association", "none", rank=WEAK),
        """
    relate relation associate connect link see similar resemble analogous compare duplicate
    equivalent parallel part unrelated context background correspond match reason rationale
    assume assumption risk concern agree overlap share interact about because topic help
    관련 연관 연결 비슷 유사 비교 닮 배경 이유 맥락 대조 보충 관계 상관 링크 중복 일치
    """,
    ),
    (
        Sense("temporal", "none", rank=SAME),
        """
    happen occur
    """,
    ),
    (
        Sense("association", "none", rank=SAME),
        """
    same identical
    같은 같음 같다 동일
    """,
    ),
    (
        Sense("temporal", rank=IN_TIME),
        """
    after follow subsequent next later since then recent ensue
    이후 다음 직후 나중 뒤이 이어서 이어진 후속 뒤따
    """,
    ),
    (
        Sense("temporal", "ahead", rank=IN_TIME),
        """
    before precede preceed prior previous previously earlier earliest
    이전 직전 먼저 앞서 앞선 전에 선행 아까
    """,
    ),
    (
        Sense("temporal", "none", rank=IN_TIME),
        """
    temporal during while meanwhile simultaneous concurrent session day week month hour time
    date chronology chronological timeline contemporary coincide sequence start begin sequential
    yesterday today sprint tomorrow quarter year morning afternoon evening night until when ago
    soon afterwards synchronous asynchronous succession moment period order consecutive adjacent
    동시 동안 세션 순서 시간 당시 어제 오늘 최근 하루 기간 무렵 즈음 시점 연속 병행 전날 그때
    이튿날 며칠 내일 방금 그날 차례 잇달 전후
    """,
    ),
)
# Words of one syllable, which only count when they are alone.
_SYLLABLES = (
    (Sense("temporal", rank=IN_TIME), "후 후에 뒤 뒤에"),
    (Sense("temporal", "ahead", rank=IN_TIME), "전 앞"),
    (Sense("temporal", "none", rank=IN_TIME), "날 주 달 때"),
)
_PHRASES = (
    (
        Sense("evolution"),
        "roll back,walk back,back out,phase out,swap out,take over,take the place",
    ),
    (Sense("evolution", grows=True), "branch off,spin off,grow out of"),
    (Sense("evolution", "ahead"), "turn into,give way to"),
    (
        Sense("implementation"),
        "carry out,roll out,turn out,follow through,side effect,set up,put in place",
    ),
    (Sense("implementation", "ahead"), "give rise,bring about,brought about"),
    (Sense("association", "none"), "see also,point to,point out"),
    (Sense("temporal", rank=IN_TIME), "come after,pick up from"),
)
# Words that move something on: "upgraded to" looks ahead, "upgraded from" does not.
_MOVES = "migrate upgrade switch convert change rename evolve move revert split merge grow develop"
_AHEAD = (("result", "in"), ("depend", "of"), ("replace", "with"), ("substitute", "with"))
# Where one of these comes first, what follows only tells the time.
WHEN = frozenset({"after", "befor", "while", "dure", "when", "until"})
# Behind these the object replaces the subject.
FAVOUR = frozenset({"favor", "favour"})
PASSIVE = "by"
NEGATIONS = frozenset(
    "not no never without neither nor isnt doesnt dont didnt wasnt cannot".split()
)
KOREAN_NEGATIONS = ("않", "아니", "아닌", "아님", "없", "못")
KOREAN_PASSIVES = (
    "되",
    "된",
    "됨",
    "됐",
    "될",
    "돼",
    "받",
    "당하",
    "당한",
    "당함",
    "에 의해",
    "에의해",
)
_KOREAN = "가"


class Lexicon(msgspec.Struct, frozen=True):
    """The words by what they are looked up by."""

    stems: dict[str, Sense]
    spelled: dict[str, Sense]
    korean: dict[str, Sense]
    alone: dict[str, Sense]
    phrases: dict[tuple[str, ...], Sense]
    ahead: frozenset[tuple[str, str]]


@cache
def lexicon() -> Lexicon:
    """Return the lexicon, made when it is first needed."""
    moves = [(word, small) for word in _MOVES.split() for small in ("to", "into")]
    words = [(word, sense) for sense, text in _SENSES for word in text.split()]
    return Lexicon(
        stems={stem(word): sense for word, sense in words if word < _KOREAN},
        spelled={word: sense for word, sense in words if word < _KOREAN},
        korean={word: sense for word, sense in words if word >= _KOREAN},
        alone={word: sense for sense, text in _SYLLABLES for word in text.split()},
        phrases={_stems(phrase): sense for sense, text in _PHRASES for phrase in text.split(",")},
        ahead=frozenset((stem(word), small) for word, small in (*_AHEAD, *moves)),
    )


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in phrase.split())
