"""The example of the first page, in each language: what a small team keeps of one week."""

from typing import NamedTuple


class ExampleTexts(NamedTuple):
    """Facts, decisions, events and documents, as data; the two documents link to each other."""

    facts: dict[str, str]
    # Topic, decision, reasoning; then what replaced it and why.
    decision: tuple[str, str, str]
    replacement: tuple[str, str]
    # Topic, decision, reasoning, outcome, and why it came so.
    judged: tuple[str, str, str, str, str]
    event: tuple[str, str]
    guide: tuple[str, str]
    menu: tuple[str, str]
    # Words of the menu, and a comment on them.
    comment: tuple[str, str]
    # Words of the menu, what they should become, and why.
    suggestion: tuple[str, str, str]


EXAMPLES: dict[str, ExampleTexts] = {
    "en": ExampleTexts(
        facts={
            "bakery/opening": "Seven in the morning, nine on Sundays",
            "bakery/oven/temperature": "230 °C for sourdough, 180 °C for brioche",
            "bakery/supplier/flour": "Mill on the Hill, delivers on Tuesdays",
        },
        decision=(
            "bakery/bread",
            "Bake two kinds of bread every day",
            "Most guests ask for the same two.",
        ),
        replacement=(
            "Bake three kinds, rye on Fridays",
            "The rye of the trial week was gone by ten.",
        ),
        judged=(
            "bakery/orders",
            "Take orders by phone only",
            "A form on the web takes time to build.",
            "failed",
            "Half of the calls came while the dough was on the table.",
        ),
        event=("delivery", "40 kg of flour, two bags torn"),
        guide=(
            "Opening guide",
            (
                "# Opening guide\n\n1. Light the oven at five.\n2. Feed the starter.\n"
                "3. Put out what [[Menu]] says.\n"
            ),
        ),
        menu=(
            "Menu",
            (
                "# Menu\n\n| | price |\n|---|---|\n| Sourdough | 4.80 |\n| Brioche | 3.20 |\n\n"
                "Rye on Fridays only. How to open: [[Opening guide]].\n"
            ),
        ),
        comment=("Brioche", "Do we still make it in July? It melts in the window."),
        suggestion=("4.80", "5.10", "Flour costs more since Tuesday."),
    ),
    "ko": ExampleTexts(
        facts={
            "빵집/여는-시간": "아침 일곱 시, 일요일은 아홉 시",
            "빵집/오븐/온도": "사워도우 230 °C, 브리오슈 180 °C",
            "빵집/거래처/밀가루": "언덕 위 방앗간, 화요일마다 배달",
        },
        decision=(
            "빵집/빵",
            "날마다 두 가지 빵을 굽는다",
            "손님 대부분이 같은 두 가지를 찾는다.",
        ),
        replacement=(
            "세 가지를 굽고 호밀빵은 금요일에 굽는다",
            "시험해 본 주에는 호밀빵이 열 시 전에 다 팔렸다.",
        ),
        judged=(
            "빵집/주문",
            "주문은 전화로만 받는다",
            "웹 양식은 만드는 데 시간이 든다.",
            "failed",
            "전화의 절반이 반죽하는 동안 왔다.",
        ),
        event=("배달", "밀가루 40 kg, 두 포대 찢어짐"),
        guide=(
            "여는 순서",
            (
                "# 여는 순서\n\n1. 다섯 시에 오븐을 켠다.\n2. 발효종에 밥을 준다.\n"
                "3. [[차림표]]대로 내놓는다.\n"
            ),
        ),
        menu=(
            "차림표",
            (
                "# 차림표\n\n| | 값 |\n|---|---|\n| 사워도우 | 6,800원 |\n"
                "| 브리오슈 | 4,500원 |\n\n호밀빵은 금요일에만. 여는 법: [[여는 순서]].\n"
            ),
        ),
        comment=("브리오슈", "칠월에도 만들까요? 창가에서 녹아요."),
        suggestion=("6,800원", "7,200원", "화요일부터 밀가루 값이 올랐습니다."),
    ),
}
