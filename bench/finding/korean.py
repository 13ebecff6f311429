"""Korean notes of a working team: sixty sentences with places for what changes."""

import random

_TEMPLATES = (
    "{team} {thing} {problem} 때문에 {day} 배포를 미루기로 했다",
    "{person} 님이 {thing} 설정을 {number}에서 두 배로 늘리자고 제안했다",
    "{day} 회의에서 {thing} 담당자를 {person} 님으로 바꾸었다",
    "{thing} {problem} 원인은 캐시 만료 시간이 {number}초로 너무 짧았던 것이다",
    "고객 문의 {number}건 가운데 대부분이 {thing} {problem}에 관한 것이었다",
    "{person} 님은 {thing} 문서를 {day}까지 다시 쓰기로 약속했다",
    "{team} 팀은 {thing} 대신 더 단순한 방법을 먼저 시험해 보기로 했다",
    "백업이 {number}분 넘게 걸려서 {day} 새벽으로 시간을 옮겼다",
    "{thing} 비밀번호는 저장소에 두지 않고 환경 변수로만 읽는다",
    "{day} 밤에 {thing} 서버가 두 번 멈췄고 {person} 님이 복구했다",
    "{thing} 응답 시간이 {number}밀리초를 넘으면 알림을 보내도록 했다",
    "{team} 팀이 {thing} 로그를 {number}일 동안만 보관하기로 결정했다",
    "새 직원 {person} 님에게 {thing} 권한을 읽기 전용으로 주었다",
    "{thing} 마이그레이션은 {day} 오후에 {team} 팀과 함께 진행한다",
    "{person} 님이 {thing} {problem}을 재현하는 시험을 추가했다",
    "결제 오류 {number}건은 {thing} 재시도 간격이 겹쳐서 생긴 일이었다",
    "{thing} 화면의 글자가 작다는 의견이 많아 크기를 {number}퍼센트 키웠다",
    "{day}부터 {thing} 접속 기록을 따로 모아 매주 검토한다",
    "{team} 팀은 {thing} 비용이 한 달에 {number}만 원을 넘지 않게 하자고 했다",
    "{person} 님과 {thing} 계약 조건을 다시 이야기했고 답은 {day}에 온다",
    "{thing} 검색 결과가 최신순이 아니라는 불만이 {number}번 들어왔다",
    "배포 전에는 반드시 {thing} 점검표를 끝까지 확인해야 한다",
    "{day} 장애의 원인은 {thing} 인증서가 만료된 것이었다",
    "{person} 님은 {thing} 구조가 복잡하다며 둘로 나누자고 했다",
    "{thing} 데이터는 서울과 부산 두 곳에 {number}개씩 복제한다",
    "{team} 팀의 다음 목표는 {thing} {problem}을 절반으로 줄이는 것이다",
    "{thing} 사용자가 지난달보다 {number}명 늘어서 용량을 다시 계산했다",
    "{person} 님이 {day} 휴가라서 {thing} 검토는 그다음 날로 옮겼다",
    "{thing} 오류 메시지를 사람이 바로 이해할 수 있는 문장으로 고쳤다",
    "{day} 점검 시간에는 {thing} 쓰기를 막고 읽기만 허용한다",
    "{team} 팀이 만든 {thing} 도구는 아직 {number}명만 쓰고 있다",
    "{thing} 색인을 다시 만드는 데 {number}분이 걸렸고 {problem}은 사라졌다",
    "{person} 님이 {thing} 가격표의 오타를 찾아 바로 고쳤다",
    "회의록에 따르면 {thing} 일정은 {day}에 확정하기로 되어 있다",
    "{thing} 시험 환경이 실제 환경과 달라서 {problem}을 놓쳤다",
    "{team} 팀은 {thing} 코드를 읽기 쉽게 고친 뒤에 기능을 더하기로 했다",
    "{person} 님은 {thing} 대기열이 {number}개를 넘으면 불러 달라고 했다",
    "{day}까지 {thing} 번역을 끝내고 {team} 팀의 확인을 받는다",
    "{thing} {problem}이 다시 생기면 먼저 최근 변경 {number}개를 되돌린다",
    "고객에게 {thing} 변경을 {number}일 전에 알리는 것이 우리의 원칙이다",
    "{person} 님이 {thing} 성능을 재 보니 예전보다 {number}퍼센트 빨랐다",
    "{thing} 모듈은 {team} 팀만 고칠 수 있고 나머지는 검토를 요청한다",
    "{day} 발표 자료에 {thing} 그림을 넣기로 하고 {person} 님이 그린다",
    "{thing} 저장 공간이 {number}퍼센트 찼으므로 오래된 파일을 지웠다",
    "{team} 팀이 {thing} {problem}에 대해 사과문을 쓰고 보상을 정했다",
    "{person} 님의 말로는 {thing} 값이 비어 있을 때만 문제가 생긴다",
    "{thing} 연결은 {number}초 동안 답이 없으면 끊고 다시 시도한다",
    "{day} 워크숍에서 {thing} 이름을 더 짧게 바꾸자는 의견이 나왔다",
    "{thing} 업데이트 뒤에 {problem}이 보고되어 이전 판으로 돌아갔다",
    "{person} 님과 {team} 팀이 {thing} 우선순위를 놓고 의견이 갈렸다",
    "우리는 {thing} 요청을 한 사람에게 하루 {number}번까지만 허용한다",
    "{thing} 보고서는 매주 {day} 아침에 자동으로 만들어진다",
    "{team} 팀은 {thing} 외부 공개를 {day} 이후로 미뤘다",
    "{person} 님이 {thing} 사용법을 그림과 함께 자세히 적어 두었다",
    "{thing} {problem}은 휴대전화에서만 보이고 컴퓨터에서는 보이지 않는다",
    "{day} 감사에서 {thing} 접근 기록 {number}건을 제출해야 한다",
    "{thing} 알림이 너무 많다는 말에 {team} 팀이 기준을 높였다",
    "{person} 님은 {thing} 시험을 {number}개 더 쓰고 나서 병합했다",
    "{thing} 이전 기록을 지우지 말고 가지를 나누어 보관하기로 했다",
    "{team} 팀의 {person} 님이 {thing} 다음 판을 {day}에 내놓는다",
)
_FILLERS = {
    "team": "결제 검색 인프라 디자인 데이터 모바일 보안 운영".split(),
    "thing": (
        "로그인 결제 검색 알림 대시보드 메일 저장소 캐시 정산 배송 장바구니 회원가입 추천 통계"
        " 이미지 데이터베이스 대기열 번역 지도 쿠폰"
    ).split(),
    "problem": "지연 오류 중복 누락 과부하 불일치 시간초과 충돌".split(),
    "person": "소연 지훈 민서 하준 예린 도윤 서아 현우 유진 태호".split(),
    "day": "월요일 화요일 수요일 목요일 금요일 토요일 다음주 이번달".split(),
}


def note(rng: random.Random) -> str:
    """Return one sentence with everything in its places filled in."""
    words = {name: rng.choice(choices) for name, choices in _FILLERS.items()}
    return rng.choice(_TEMPLATES).format(number=rng.randrange(2, 400), **words)


def question(rng: random.Random) -> str:
    """Return what somebody would ask about one of them."""
    thing, problem = rng.choice(_FILLERS["thing"]), rng.choice(_FILLERS["problem"])
    return rng.choice(
        [
            f"{thing} {problem} 원인",
            f"{rng.choice(_FILLERS['person'])} 님이 {thing} 뭐라고 했어?",
            f"{rng.choice(_FILLERS['day'])} {thing} 일정",
        ]
    )
