"""Comments and suggestions stand where their words are, and everybody sees what becomes of them."""

from functools import partial

import pytest
from playwright.sync_api import APIResponse, Locator, Route, expect

from tests.browser.conftest import TEXT
from tests.browser.people import Agent, Person, Server, settle, stored, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def propose(agent: Agent, document: str, *pairs: tuple[str, str]) -> None:
    """Let an agent suggest new words for old ones."""
    for old, new in pairs:
        agent.call(
            "manage_suggestions",
            action="propose",
            documentId=document,
            originalText=old,
            replacementText=new,
        )


def test_a_comment_is_made_answered_resolved_and_reopened(
    ann: Person, soyeon: Person, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.selects_words("Ship in May 🚀")
    hers.page.get_by_role("toolbar").get_by_role("button", name="Comment").click()
    hers.page.get_by_label("Comment", exact=True).fill("5월이 맞나요? 🤔")
    hers.page.keyboard.press("Control+Enter")
    hers.card("5월이 맞나요?")
    # The bar for selected words would cover the line above them.
    expect(hers.page.get_by_role("toolbar", name="Selected words")).to_have_count(0)
    theirs = his.opens_card("5월이 맞나요? 🤔")
    expect(theirs).to_contain_text("Ann Lee")
    expect(theirs.locator("blockquote")).to_have_text("Ship in May 🚀")
    his.marks(".cm-comment", "Ship in May 🚀")
    theirs.get_by_label("Reply").fill("네, 맞아요.")
    theirs.get_by_role("button", name="Reply").click()
    card = hers.card("5월이 맞나요?")
    expect(card).to_contain_text("1 reply")
    hers.opens_card("5월이 맞나요?")
    expect(card).to_contain_text("네, 맞아요.")
    card.get_by_role("button", name="Resolve").click()
    his.marks(".cm-comment")
    his.page.get_by_label("Show", exact=True).select_option("Resolved")
    his.opens_card("5월이 맞나요?").get_by_role("button", name="Reopen").click()
    hers.marks(".cm-comment", "Ship in May 🚀")
    assert hers.complaints == his.complaints == []


def test_a_comment_is_edited_and_deleted_by_keyboard(
    ann: Person, soyeon: Person, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.selects_words("Ship in May 🚀")
    hers.page.get_by_role("toolbar").get_by_role("button", name="Comment").click()
    hers.page.get_by_label("Comment", exact=True).fill("5월이 맞나욥?")
    hers.page.keyboard.press("Control+Enter")
    hers.opens_card("5월이 맞나욥?")
    card = hers.page.locator(".card.is-chosen")
    card.get_by_role("button", name="Edit").focus()
    hers.page.keyboard.press("Enter")
    box = card.get_by_label("Edit", exact=True)
    expect(box).to_be_focused()
    box.fill("5월이 맞나요?")
    hers.page.keyboard.press("Control+Enter")
    expect(card).to_contain_text("edited")
    theirs = his.opens_card("5월이 맞나요?")
    expect(theirs).to_contain_text("edited")
    expect(theirs.get_by_role("button", name="Edit")).to_have_count(0)
    expect(theirs.get_by_role("button", name="Delete")).to_have_count(0)
    theirs.get_by_label("Reply").fill("네, 맞아요.")
    theirs.get_by_role("button", name="Reply").click()
    expect(card).to_contain_text("네, 맞아요.")
    expect(card.get_by_role("button", name="Edit")).to_have_count(1)
    card.get_by_role("button", name="Delete").first.focus()
    hers.page.keyboard.press("Enter")
    card.get_by_role("group").get_by_role("button", name="Delete").focus()
    hers.page.keyboard.press("Enter")
    expect(card).to_contain_text("This comment was deleted.")
    expect(card).to_contain_text("네, 맞아요.")
    card = his.page.locator(".card.is-chosen")
    expect(card).to_contain_text("This comment was deleted.")
    card.get_by_role("button", name="Delete").click()
    card.get_by_role("group").get_by_role("button", name="Delete").click()
    expect(his.page.locator(".side .card")).to_have_count(0)
    his.marks(".cm-comment")
    assert hers.complaints == his.complaints == []


def test_a_comment_follows_its_words(
    ann: Person, soyeon: Person, agent: Agent, document: str
) -> None:
    comment_on_care(agent, document)
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.card("How much?")
    his.goes_to("Ship", behind=False)
    his.types("🚀 먼저 ")
    hers.goes_to("with")
    hers.types(" great")
    settle(hers, his)
    for sheet in (hers, his):
        sheet.marks(".cm-comment", "with great care")
        expect(sheet.opens_card("How much?").locator("blockquote")).to_have_text("with care")


def test_a_comment_outlives_its_words_and_finds_them_again(
    ann: Person, soyeon: Person, agent: Agent, document: str
) -> None:
    comment_on_care(agent, document)
    hers, his = ann.opens(document), soyeon.opens(document)
    his.marks(".cm-comment", "with care")
    his.selects_words(" with care")
    his.page.keyboard.press("Backspace")
    for sheet in (hers, his):
        sheet.marks(".cm-comment")
        card = sheet.opens_card("How much?")
        expect(card).to_contain_text("no longer in the text")
        expect(card.locator("blockquote")).to_have_text("with care")
    his.page.evaluate("window.strata.view.focus()")
    his.page.keyboard.press("Control+z")
    for sheet in (hers, his):
        sheet.marks(".cm-comment", "with care")
        expect(sheet.card("How much?")).not_to_contain_text("no longer in the text")


def comment_on_care(agent: Agent, document: str) -> None:
    agent.call(
        "manage_comments",
        action="create",
        documentId=document,
        quotedText="with care",
        body="How much?",
    )


def test_the_same_words_twice_are_told_apart(ann: Person, soyeon: Person, document: str) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.goes_to("known yet.")
    hers.types(" 같은 말, 같은 말, 같은 말.")
    last = hers.selects_words("같은 말", last=True)
    hers.page.keyboard.press("Control+Alt+m")
    hers.page.get_by_label("Comment", exact=True).fill("세 번째")
    hers.page.keyboard.press("Control+Enter")
    for sheet in (hers, his):
        sheet.card("세 번째")
        sheet.marks(".cm-comment", "같은 말")
        place = "window.strata.view.posAtDOM(document.querySelector('.cm-comment'))"
        assert sheet.page.evaluate(place) == last


def test_an_accepted_suggestion_is_made_for_everybody(
    ann: Person, soyeon: Person, agent: Agent, server: Server, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    agent.call(
        "manage_suggestions",
        action="propose",
        documentId=document,
        originalText="May 🚀",
        replacementText="六月 🌸",
        rationale="5월은 너무 이르다",
        severity="warning",
        confidence=0.8,
    )
    card = hers.opens_card("5월은 너무 이르다")
    for words in ("Ann Lee", "reviewer", "warning", "80 % sure"):
        expect(card).to_contain_text(words)
    his.marks(".cm-suggest-old", "May 🚀")
    his.marks(".cm-suggest-new", "六月 🌸")
    his.goes_to("Ship")
    his.types(" 다시")
    settle(hers, his)
    card.get_by_role("button", name="Accept").click()
    his.shows("六月 🌸")
    text = settle(hers, his)
    assert "Ship 다시 in 六月 🌸 with care" in text
    assert text == stored(server.path, document)
    for sheet in (hers, his):
        sheet.marks(".cm-suggest-old")
        expect(sheet.page.locator(".card")).to_have_count(0)
        assert sheet.complaints == []


def test_a_suggestion_whose_words_changed_can_be_applied_anyway(
    ann: Person, agent: Agent, server: Server, document: str
) -> None:
    propose(agent, document, ("with care", "carefully"))
    sheet = ann.opens(document)
    card = sheet.opens_card("carefully")
    # Nothing was said of its weight, so there is nothing to read of it.
    expect(card.locator(".tag")).to_have_count(0)
    expect(card.get_by_role("button", name="Accept")).to_be_visible()
    sheet.goes_to("with")
    sheet.types("out any")
    expect(card).to_contain_text("They now read: “without any care”")
    expect(card.get_by_role("button", name="Accept")).to_have_count(0)
    assert "carefully" not in settle(sheet)
    card.get_by_role("button", name="Apply anyway").click()
    expect(sheet.page.locator(".card")).to_have_count(0)
    assert "🚀 carefully." in settle(sheet)
    assert "🚀 carefully." in stored(server.path, document)


def test_a_suggestion_whose_words_changed_can_be_edited(
    ann: Person, agent: Agent, document: str
) -> None:
    propose(agent, document, ("with care", "조심해서"))
    sheet = ann.opens(document)
    card = sheet.opens_card("조심해서")
    sheet.goes_to("with")
    sheet.types("out any")
    card.get_by_role("button", name="Edit").click()
    words = sheet.page.get_by_label("Suggested words")
    expect(words).to_have_value("조심해서")
    words.fill("아주 조심해서")
    sheet.page.keyboard.press("Control+Enter")
    expect(sheet.page.locator(".card")).to_have_count(1)
    sheet.marks(".cm-suggest-old", "without any care")
    sheet.marks(".cm-suggest-new", "아주 조심해서")


def test_what_was_not_sent_stays_in_its_card_and_is_handed_back_at_the_end(
    ann: Person, agent: Agent, document: str
) -> None:
    comment_on_care(agent, document)
    sheet = ann.opens(document)
    card = sheet.opens_card("How much?")
    card.get_by_label("Reply").fill("아직 안 보낸 답")
    sheet.selects_words("Nothing")
    bar = sheet.page.get_by_role("toolbar")
    bar.get_by_role("button", name="Suggest").click()
    sheet.page.get_by_label("Suggested words").fill("Little")
    # Another suggestion begins with its own words, not with those typed for the one before.
    sheet.selects_words("known")
    bar.get_by_role("button", name="Suggest").click()
    expect(sheet.page.get_by_label("Suggested words")).to_have_value("known")
    sheet.page.keyboard.press("Escape")
    sheet.page.get_by_role("button", name="Comments and suggestions").click()
    expect(card).to_have_count(0)
    sheet.page.get_by_role("button", name="Comments and suggestions").click()
    card = sheet.opens_card("How much?")
    expect(card.get_by_label("Reply")).to_have_value("아직 안 보낸 답")
    sheet.page.get_by_role("navigation", name="Main").get_by_role("link", name="Documents").click()
    notice = sheet.page.get_by_role("alert").filter(has_text="was not sent")
    expect(notice.get_by_role("textbox")).to_have_value("아직 안 보낸 답\n\nLittle")
    assert sheet.complaints == []


def test_a_review_is_done_by_keys(ann: Person, agent: Agent, document: str) -> None:
    propose(agent, document, ("Ship", "Sail"), ("Nothing", "Little"))
    comment_on_care(agent, document)
    sheet = ann.opens(document)
    sheet.card("How much?")
    chosen = sheet.page.locator(".card.is-chosen")
    sheet.page.keyboard.press("n")
    expect(chosen).to_contain_text("Sail")
    expect(sheet.page.get_by_text("1 of 3")).to_be_visible()
    sheet.page.keyboard.press("a")
    expect(chosen).to_contain_text("How much?")
    sheet.page.keyboard.press("e")
    expect(sheet.page.locator(".card")).to_have_count(1)
    sheet.page.keyboard.press("p")
    expect(chosen).to_contain_text("Little")
    sheet.page.keyboard.press("r")
    expect(sheet.page.locator(".card")).to_have_count(0)
    text = settle(sheet)
    assert "Sail in May" in text
    assert "Nothing is known" in text
    assert sheet.complaints == []


def test_all_suggestions_are_decided_at_once_and_taken_back_by_one_undo(
    ann: Person, agent: Agent, server: Server, document: str
) -> None:
    propose(
        agent,
        document,
        ("Ship", "Sail"),
        ("May", "六月"),
        ("Nothing", "아무것도"),
        ("known", "sure"),
    )
    sheet = ann.opens(document)
    cards = sheet.page.locator(".side .card")
    expect(cards).to_have_count(4)
    sheet.selects_words("known")
    sheet.types("clear")
    before = settle(sheet)
    expect(sheet.card("sure")).to_contain_text("no longer in the text")
    sheet.page.evaluate("document.activeElement.blur()")
    sheet.page.keyboard.press("A")
    dialog = sheet.page.get_by_role("dialog", name="Accept all")
    expect(dialog).to_contain_text("3 suggestions are made in the text")
    expect(dialog).to_contain_text("1 suggestion no longer fits the text and waits")
    expect(dialog.get_by_role("listitem")).to_have_count(3)
    dialog.get_by_role("button", name="Accept 3 suggestions").click()
    expect(sheet.page.get_by_text("3 suggestions accepted")).to_be_visible()
    expect(cards).to_have_count(1)
    accepted = before.replace("Ship", "Sail").replace("May", "六月").replace("Nothing", "아무것도")
    sheet.shows(accepted.splitlines()[-1])
    assert stored(server.path, document) == accepted
    sheet.page.get_by_role("button", name="Undo").click()
    expect(sheet.page.get_by_text("3 decisions taken back")).to_be_visible()
    expect(cards).to_have_count(4)
    assert settle(sheet) == stored(server.path, document) == before
    sheet.page.get_by_role("button", name="Reject all").click()
    dialog = sheet.page.get_by_role("dialog", name="Reject all")
    expect(dialog).to_contain_text("the text stays as it is")
    dialog.get_by_role("button", name="Reject 4 suggestions").click()
    expect(cards).to_have_count(0)
    sheet.page.keyboard.press("z")
    expect(cards).to_have_count(4)
    # The decisions before were taken back already.
    sheet.page.keyboard.press("z")
    assert settle(sheet) == stored(server.path, document) == before
    assert sheet.complaints == []


def test_an_undo_pressed_while_the_server_still_decides_takes_all_decisions_back(
    ann: Person, agent: Agent, server: Server, document: str
) -> None:
    propose(agent, document, ("Ship", "Sail"), ("Nothing", "아무것도"))
    sheet = ann.opens(document)
    before = settle(sheet)
    cards = sheet.page.locator(".side .card")
    expect(cards).to_have_count(2)
    held: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    # The first decision is made, and its answer waits on the way.
    sheet.page.route("**/api/tools/page_decide*", hold_the_first)
    sheet.page.get_by_role("button", name="Accept all").click()
    sheet.page.get_by_role("button", name="Accept 2 suggestions").click()
    expect(cards).to_have_count(1)
    expect(sheet.page.get_by_role("status").get_by_text("0 of 2 done")).to_be_visible()
    expect(sheet.page.get_by_role("button", name="Accept all")).to_have_count(0)
    sheet.page.keyboard.press("z")
    (route, answer), *_rest = held
    route.fulfill(response=answer)
    expect(sheet.page.get_by_text("2 decisions taken back")).to_be_visible()
    expect(cards).to_have_count(2)
    assert settle(sheet) == stored(server.path, document) == before
    assert sheet.complaints == []


def test_a_viewer_is_not_offered_to_decide_about_all(
    vic: Person, agent: Agent, document: str
) -> None:
    propose(agent, document, ("Ship", "Sail"), ("May", "June"))
    sheet = vic.opens(document)
    expect(sheet.page.locator(".side .card")).to_have_count(2)
    expect(sheet.page.get_by_role("button", name="Accept all")).to_have_count(0)
    sheet.page.keyboard.press("A")
    expect(sheet.page.get_by_role("dialog")).to_have_count(0)


def test_cards_are_beside_their_words(ann: Person, server: Server, agent: Agent) -> None:
    from tests.browser.conftest import make_document

    text = "# 계획\n\n" + "\n\n".join(f"Paragraph {number}." for number in range(12))
    document = make_document(server.path, text)
    for number in (2, 9):
        agent.call(
            "manage_comments",
            action="create",
            documentId=document,
            quotedText=f"Paragraph {number}.",
            body=f"About {number}",
        )
    sheet = ann.opens(document)

    def is_beside(number: int) -> bool:
        card = sheet.card(f"About {number}").bounding_box()
        words = sheet.page.locator(".cm-comment", has_text=f"Paragraph {number}.").bounding_box()
        assert card is not None
        assert words is not None
        return abs(card["y"] - words["y"]) < 40

    for number in (2, 9):
        # The cards are placed once the lines of the text have been measured.
        wait_for(partial(is_beside, number), 10)


def test_a_comment_completes_names(
    ann: Person, soyeon: Person, agent: Agent, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    hers.selects_words("with care")
    hers.page.keyboard.press("Control+Alt+m")
    hers.types("맞나요 @소")
    expect(hers.page.get_by_role("option", name="김소연")).to_be_visible()
    hers.page.keyboard.press("Enter")
    expect(hers.page.get_by_label("Comment", exact=True)).to_have_value("맞나요 @김소연 ")
    hers.page.keyboard.press("Control+Enter")
    his.card("맞나요 @김소연")
    his.page.get_by_label("Show", exact=True).select_option("To me")
    his.card("맞나요 @김소연")


def test_a_person_suggests_by_keyboard_and_takes_it_back(
    ann: Person, soyeon: Person, document: str
) -> None:
    hers, his = ann.opens(document), soyeon.opens(document)
    his.selects_words("Nothing")
    his.page.keyboard.press("Control+Alt+s")
    expect(his.page.get_by_label("Suggested words")).to_be_focused()
    his.page.keyboard.press("Control+a")
    his.page.keyboard.type("거의 아무것도")
    his.page.keyboard.press("Control+Enter")
    hers.marks(".cm-suggest-new", "거의 아무것도")
    expect(hers.opens_card("거의").get_by_role("button", name="Withdraw")).to_have_count(0)
    his.opens_card("거의").get_by_role("button", name="Withdraw").click()
    hers.marks(".cm-suggest-new")
    assert "Nothing is known yet." in settle(hers, his)


def test_a_half_written_reply_survives_what_others_do(
    ann: Person, agent: Agent, document: str
) -> None:
    agent.call("manage_comments", action="create", documentId=document, body="Whole document?")
    sheet = ann.opens(document)
    reply = sheet.opens_card("Whole document?").get_by_label("Reply")
    reply.click()
    sheet.types("나는 아직 ")
    markup = "<img src=x onerror=alert(1)> & <b>둘</b>"
    agent.call("manage_comments", action="create", documentId=document, body=markup)
    sheet.card(markup)
    expect(reply).to_be_focused()
    sheet.types("쓰는 중")
    expect(reply).to_have_value("나는 아직 쓰는 중")
    assert sheet.complaints == [], "what people write is never markup"


def test_what_is_changed_while_suggesting_becomes_suggestions(
    ann: Person, soyeon: Person, document: str, server: Server
) -> None:
    his, hers = soyeon.opens(document), ann.opens(document)
    his.chooses("Suggest changes")
    copy = his.page.locator(".suggesting-text .cm-content")
    expect(copy).to_be_focused()
    expect(his.page.locator("section .cm-content")).to_be_hidden()
    replace_in(copy, "May", "June")
    replace_in(copy, "Nothing", "아무것도")
    expect(his.page.get_by_text("2 changes to suggest")).to_be_visible()
    # Others go on writing before these words: the suggestions stay with theirs.
    hers.goes_to("Ship", behind=False)
    hers.types("먼저 ")
    settle(hers)
    his.page.get_by_role("button", name="Send").click()
    expect(his.page.get_by_text("2 suggestions sent.")).to_be_visible()
    expect(his.page.locator(".suggesting-text")).to_have_count(0)
    hers.marks(".cm-suggest-old", "May", "Nothing")
    assert "Ship in May" in stored(server.path, document)
    hers.opens_card("June").get_by_role("button", name="Accept").click()
    hers.shows("먼저 Ship in June 🚀 with care.")
    assert hers.complaints == his.complaints == []


def test_suggestions_that_are_not_sent_can_be_copied_and_undone(
    soyeon: Person, document: str, server: Server
) -> None:
    his = soyeon.opens(document)
    his.chooses("Suggest changes")
    copy = his.page.locator(".suggesting-text .cm-content")
    expect(his.page.get_by_role("button", name="Send")).to_be_disabled()
    replace_in(copy, "care", "great care")
    expect(his.page.get_by_text("1 change to suggest")).to_be_visible()
    his.page.keyboard.press("Control+z")
    his.page.keyboard.press("Control+z")
    expect(his.page.get_by_role("button", name="Send")).to_be_disabled()
    replace_in(copy, "care", "조심")
    his.page.get_by_role("button", name="Stop suggesting").click()
    expect(his.page.get_by_text("Your suggestions were not sent.")).to_be_visible()
    expect(his.page.locator(".notices textarea")).to_have_value(TEXT.replace("care", "조심"))
    his.shows("with care")
    assert stored(server.path, document) == TEXT


def replace_in(editor: Locator, words: str, instead: str) -> None:
    """Select some words of an editor, and put others in their place."""
    editor.get_by_text(words).first.evaluate(
        """(line, words) => {
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const at = node.data.indexOf(words);
            if (at < 0) continue;
            getSelection().setBaseAndExtent(node, at, node, at + words.length);
            return;
          }
        }""",
        words,
    )
    editor.page.wait_for_function("words => getSelection().toString() === words", arg=words)
    editor.page.keyboard.insert_text(instead)
