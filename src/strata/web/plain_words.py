"""What pages without a script say, in the language of the browser."""

from typing import NamedTuple

from starlette.requests import Request

# Kept by the app, so that these pages have the language and the theme that the user chose there.
_LANGUAGE_COOKIE = "strata_language"
_THEME_COOKIE = "strata_theme"
_THEMES = ("light", "dark")


class PlainWords(NamedTuple):
    """The words of these pages in one language."""

    language: str
    sign_in: str
    sign_in_title: str
    # {command} is what to type.
    sign_in_about: str
    code: str
    stays: str
    signed_out: str
    refused: str
    only_reads: str
    # {seconds} is how long to wait.
    too_many: str
    used_up: str
    missing: str
    missing_text: str
    not_built: str
    not_built_text: str
    failed: str
    failed_text: str
    home: str


_ENGLISH = PlainWords(
    language="en",
    sign_in="Sign in",
    sign_in_title="Sign in to Strata",
    sign_in_about="Run {command} where the workspace is, or ask an admin to run it. It prints a"
    " code that is valid once, for ten minutes.",
    code="Code or token",
    stays="This browser stays signed in for 30 days after its last use, or as long as the token is"
    " good.",
    signed_out="This browser is signed out.",
    refused="You cannot sign in with this. A code is good once, for ten minutes; a token must not"
    " have ended, and must be for documents.",
    only_reads="This server only reads its store, so you cannot sign in here. Sign in at one that"
    " writes to it, or start this one with --no-auth.",
    too_many="Too many attempts have failed. Try again in {seconds} seconds.",
    used_up="This link was used already, or is older than ten minutes. Start the server again, or"
    " make a code with `strata user login`.",
    missing="Not found",
    missing_text="There is nothing at this address, or it is not shared with you.",
    not_built="There is no page yet",
    not_built_text="The page was not built with this program: run ./dev frontend, and load it"
    " again.",
    failed="This did not work",
    failed_text="The server could not read its store. Try again in a moment; if it goes on, look"
    " at the log of the server.",
    home="To the start page",
)
_KOREAN = PlainWords(
    language="ko",
    sign_in="로그인",
    sign_in_title="Strata에 로그인",
    sign_in_about="작업 공간이 있는 컴퓨터에서 {command} 명령을 실행하거나 관리자에게 부탁하세요."
    " 10분 동안 한 번만 쓸 수 있는 코드가 나옵니다.",
    code="코드 또는 토큰",
    stays="이 브라우저는 마지막으로 쓴 뒤 30일 동안, 또는 토큰이 유효한 동안 로그인되어 있습니다.",
    signed_out="이 브라우저에서 로그아웃했습니다.",
    refused="이 코드나 토큰으로는 로그인할 수 없습니다. 코드는 10분 동안 한 번만 쓸 수 있고,"
    " 토큰은 만료되지 않은 문서용 토큰이어야 합니다.",
    only_reads="이 서버는 저장소를 읽기만 하므로 여기서는 로그인할 수 없습니다. 쓰기가 되는"
    " 서버에서 로그인하거나 이 서버를 --no-auth로 시작하세요.",
    too_many="실패한 시도가 너무 많습니다. {seconds}초 뒤에 다시 시도하세요.",
    used_up="이미 사용했거나 10분이 지난 링크입니다. 서버를 다시 시작하거나 `strata user login`으로"
    " 코드를 만드세요.",
    missing="찾을 수 없음",
    missing_text="이 주소에는 아무것도 없거나, 나에게 공유되지 않았습니다.",
    not_built="아직 페이지가 없습니다",
    not_built_text="이 프로그램에는 페이지가 빌드되어 있지 않습니다."
    " ./dev frontend를 실행한 뒤 다시 불러오세요.",
    failed="처리하지 못했습니다",
    failed_text="서버가 저장소를 읽지 못했습니다. 잠시 뒤에 다시 시도하고, 계속되면 서버 로그를"
    " 확인하세요.",
    home="시작 화면으로",
)
_WORDS = {"en": _ENGLISH, "ko": _KOREAN}


def plain_words(request: Request) -> PlainWords:
    """Return the words for a browser: in the language chosen in the app, else in its own."""
    chosen = _WORDS.get(request.cookies.get(_LANGUAGE_COOKIE, ""))
    return chosen or _WORDS[accepted_language(request.headers.get("accept-language", ""))]


def chosen_theme(request: Request) -> str:
    """Return the theme chosen in the app; "system" where none is."""
    theme = request.cookies.get(_THEME_COOKIE)
    return theme if theme in _THEMES else "system"


def accepted_language(header: str) -> str:
    """Return which of our languages a browser likes best, English where it names none.

    >>> accepted_language("ko-KR,ko;q=0.9,en;q=0.8"), accepted_language("de, ko;q=0.2, en;q=0.7")
    ('ko', 'en')
    >>> accepted_language(""), accepted_language("ko;q=0, de"), accepted_language("ko;q=x")
    ('en', 'en', 'en')
    """
    best, weight = "en", 0.0
    for part in header.split(","):
        tag, _, quality = part.strip().partition(";")
        language = tag.strip().partition("-")[0].lower()
        liked = _weight(quality)
        if language in _WORDS and liked > weight:
            best, weight = language, liked
    return best


def _weight(quality: str) -> float:
    name, _, value = quality.replace(" ", "").partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name == "q" else 0.0
    except ValueError:
        return 0.0
