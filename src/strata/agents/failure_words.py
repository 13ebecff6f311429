"""What users read when an agent fails, in English and in Korean: a sentence, and what to do."""
# ruff: noqa: D102  (what a Korean sentence says is written at the English one)

from typing import TypeAlias, TypeVar

from strata.base.counts import plural
from strata.base.errors import StrataError

E = TypeVar("E", bound=StrataError)
# A message and its hint; both may name what they are about between braces.
Saying: TypeAlias = tuple[str, str | None]


class FailureWords:
    """What is said in English."""

    no_model: Saying = (
        "The agent has no model to think with.",
        (
            "Name one: `strata agent define NAME --endpoint URL --model MODEL`, or "
            "`strata config model_endpoint URL` and `strata config model_name MODEL`."
        ),
    )
    no_key: Saying = (
        "The variable {variable} is not set where the agent works.",
        "Set it for the process that works on tasks: `strata serve`, `strata agent work`.",
    )
    no_library: Saying = (
        "An agent with a model needs {missing}, which is not installed.",
        "Install it: pip install 'strata-workspace[agents]'",
    )
    key_refused: Saying = (
        "The model at {url} refused the API key, or asks for one ({status}).",
        None,
    )
    not_there: Saying = (
        "The model at {url} is not there (404).",
        "Check the URL and the model's name.",
    )
    elsewhere: Saying = (
        "The model at {url} wants to be asked elsewhere ({status}), and a key goes nowhere else.",
        "Name the address it leads to, if you trust it.",
    )
    answered: Saying = ("The model at {url} answered {status}.", None)
    no_json: Saying = (
        "The model at {url} gave an answer that is no JSON.",
        "Check that the address is that of a model endpoint, not of a page.",
    )
    unreachable: Saying = (
        "The model at {url} could not be reached in {attempts} attempts.",
        None,
    )
    no_sense: Saying = ("The model at {url} gave answers that make no sense.", None)
    not_asked: Saying = ("The model at {url} could not be asked: {why}.", None)
    used_up: Saying = (
        "The agent used as much as it may: {what}.",
        "Ask for less at once, or raise {name} in the agent's definition.",
    )
    calls_used_up: Saying = ("The task made {calls:,} calls, as many as it may.", None)
    late = "It took longer than it may."
    defect = "The agent failed: {name}. The log of the process that worked on it says more."
    work = "work"

    def requests(self, most: int) -> str:
        """Count requests to a model."""
        return f"{plural(most, 'request')} to its model"

    def calls(self, most: int) -> str:
        """Count calls of tools."""
        return f"{plural(most, 'call')} of tools"

    def tokens(self, most: int) -> str:
        """Count tokens of a model's output."""
        return f"{plural(most, 'token')} of output"


class KoreanFailureWords(FailureWords):
    """The same in Korean."""

    no_model = (
        "에이전트가 쓸 모델이 없습니다.",
        (
            "`strata agent define NAME --endpoint URL --model MODEL`로 정하거나, "
            "`strata config model_endpoint URL`과 `strata config model_name MODEL`로 설정하세요."
        ),
    )
    no_key = (
        "에이전트가 일하는 곳에 변수 {variable}이(가) 설정되어 있지 않습니다.",
        "작업을 처리하는 프로세스에 설정하세요: `strata serve`, `strata agent work`.",
    )
    no_library = (
        "모델을 쓰는 에이전트에 필요한 {missing}이(가) 설치되어 있지 않습니다.",
        "다음으로 설치하세요: pip install 'strata-workspace[agents]'",
    )
    key_refused = (
        "{url}의 모델이 API 키를 거부했거나 키를 요구합니다({status}).",
        None,
    )
    not_there = (
        "{url}에 모델이 없습니다(404).",
        "URL과 모델 이름을 확인하세요.",
    )
    elsewhere = (
        "{url}의 모델이 다른 주소로 보냅니다({status}). 키는 다른 곳으로 보내지 않습니다.",
        "그 주소를 믿을 수 있다면 직접 지정하세요.",
    )
    answered = ("{url}의 모델이 {status}(으)로 응답했습니다.", None)
    no_json = (
        "{url}의 모델이 JSON이 아닌 응답을 보냈습니다.",
        "웹 페이지가 아니라 모델 엔드포인트의 주소인지 확인하세요.",
    )
    unreachable = (
        "{url}의 모델에 {attempts}번 시도했지만 연결하지 못했습니다.",
        None,
    )
    no_sense = ("{url}의 모델이 알아볼 수 없는 응답을 보냈습니다.", None)
    not_asked = ("{url}의 모델에 물어보지 못했습니다: {why}.", None)
    used_up = (
        "에이전트가 허용된 만큼 모두 썼습니다: {what}.",
        "한 번에 더 적게 맡기거나, 에이전트 정의에서 {name} 값을 올리세요.",
    )
    calls_used_up = ("작업이 허용된 도구 호출 {calls:,}번을 모두 썼습니다.", None)
    late = "허용된 시간보다 오래 걸렸습니다."
    defect = "에이전트가 실패했습니다: {name}. 자세한 내용은 작업하던 프로세스의 로그에 있습니다."
    work = "작업량"

    def requests(self, most: int) -> str:
        return f"모델 요청 {most:,}번"

    def calls(self, most: int) -> str:
        return f"도구 호출 {most:,}번"

    def tokens(self, most: int) -> str:
        return f"출력 토큰 {most:,}개"


def failure(kind: type[E], saying: Saying, **about: object) -> E:
    """Return an error with its hint, about what is named."""
    message, hint = (text if text is None else text.format(**about) for text in saying)
    return kind(str(message), hint=hint)
