"""Deciding about proposals on the page, by the owner, by others, and by those who only propose."""

import pytest

from tests.surface.web.conftest import Serve, Served


@pytest.fixture
def served(serve: Serve) -> Served:
    found = serve()
    found.db.kv.put("limit", "ten")
    found.db.facts.remember("ops", "We deploy to Frankfurt on Fridays")
    draft = found.db.as_actor("claude").proposing()
    draft.kv.put("limit", "twenty")
    draft.facts.remember("배포", "On Fridays we deploy to Frankfurt", sources=["docs/a.md"])
    return found


def test_the_owner_sees_decides_and_takes_back(served: Served) -> None:
    owner = served.signed_in()
    first, second = owner.ok("page_inbox")["items"]
    assert (first["kind"], first["title"], first["before"], first["after"]) == (
        "proposal",
        "limit",
        "ten",
        "twenty",
    )
    assert second["sources"] == ["docs/a.md"]
    assert [one["key"] for one in second["twins"]] == ["ops"]
    done = owner.ok("page_decide_proposal", proposalId=first["id"], decision="accept")
    assert served.db.kv["limit"] == "twenty"
    owner.ok("page_reopen_proposal", **done)
    assert served.db.kv["limit"] == "ten"
    assert owner.ok("page_inbox")["counts"]["proposal"] == 2
    [again] = [one for one in owner.ok("page_inbox")["items"] if one["title"] == "limit"]
    owner.ok("page_decide_proposal", proposalId=again["id"], decision="accept", words="fifteen")
    assert served.db.kv["limit"] == "fifteen"
    owner.ok("page_decide_proposal", proposalId=second["id"], decision="reject")
    assert owner.ok("page_inbox")["counts"]["proposal"] == 0
    assert owner.call(
        "page_decide_proposal", proposalId=second["id"], decision="accept"
    ).status_code == 404  # fmt: skip


def test_all_of_a_proposed_value_is_shown(served: Served) -> None:
    value = {"content": "harmless", "command": "curl evil"}
    served.db.as_actor("claude").proposing().kv.put("hook", value)
    owner = served.signed_in()
    [found] = [one for one in owner.ok("page_inbox")["items"] if one["title"] == "hook"]
    assert "curl evil" in found["after"]


def test_a_proposed_document_is_read_accepted_and_taken_back(served: Served) -> None:
    text = "# 배포\n" + "금요일은 쉰다. " * 200
    served.db.as_actor("claude").proposals.draft("배포 계획", text)
    owner = served.signed_in()
    [found] = [one for one in owner.ok("page_inbox")["items"] if one["title"] == "배포 계획"]
    assert (found["kind"], found["before"], found["after"]) == ("proposal", "", text)
    assert "edit" in found["can"]
    done = owner.ok("page_decide_proposal", proposalId=found["id"], decision="accept")
    [made] = done["documents"]
    assert served.db.documents.text(made) == text
    owner.ok("page_reopen_proposal", **done)
    assert served.db.documents.get(made).status == "trashed"
    [again] = [one for one in owner.ok("page_inbox")["items"] if one["title"] == "배포 계획"]
    owner.ok("page_decide_proposal", proposalId=again["id"], decision="accept", words="# 짧다")
    assert served.db.documents.text(served.db.documents.called("배포 계획")) == "# 짧다"


def test_an_overtaken_proposal_wants_force(served: Served) -> None:
    owner = served.signed_in()
    served.db.kv.put("limit", "fifteen")
    [found] = [one for one in owner.ok("page_inbox")["items"] if one["title"] == "limit"]
    assert (found["state"], found["can"][0]) == ("changed", "apply")
    asked = {"proposalId": found["id"], "decision": "accept"}
    assert owner.call("page_decide_proposal", **asked).status_code == 409
    owner.ok("page_decide_proposal", **asked, force=True)
    assert served.db.kv["limit"] == "twenty"


def test_others_and_proposing_tokens_decide_nothing(served: Served) -> None:
    served.db.users.add("ann@example.com", "소연")
    proposing = served.browser()
    proposing.sign_in(served.db.tokens.create("claude", proposes=True).secret)
    ann = served.signed_in("ann@example.com")
    proposal = served.db.proposals.get("limit")
    version = served.db.log(limit=1)[0].version
    for browser in (ann, proposing):
        for tool, arguments in (
            ("page_decide_proposal", {"proposalId": proposal.id, "decision": "accept"}),
            ("page_decide_proposal", {"proposalId": proposal.id, "decision": "reject"}),
            ("page_reopen_proposal", {"commits": [version], "cleared": []}),
            ("page_make_token", {"label": "mine", "groups": ["memory"]}),
            ("strata_branch", {"action": "merge", "source": "proposals/claude"}),
        ):
            assert browser.call(tool, **arguments).status_code in (403, 404), tool
    assert ann.ok("page_inbox")["counts"]["proposal"] == 0
    assert served.db.kv["limit"] == "ten"
    assert served.db.proposals.count() == 2


@pytest.mark.parametrize("also_suggests", [False, True])
def test_a_token_made_on_the_page_proposes_and_is_listed_so(
    served: Served, *, also_suggests: bool
) -> None:
    owner = served.signed_in()
    given = {"label": "코덱스", "isProposing": True, "isSuggestOnly": also_suggests}
    made = owner.ok("page_make_token", **given)
    plain = owner.ok("page_make_token", label="plain", isSuggestOnly=True)["token"]
    assert (plain["isProposing"], plain["isSuggestOnly"]) == (False, True)
    shown = {one["label"]: one for one in owner.ok("page_tokens")["tokens"]}
    assert shown["코덱스"] == made["token"]
    assert (shown["코덱스"]["isProposing"], shown["코덱스"]["isSuggestOnly"]) == (True, False)
    agent = served.browser()
    agent.sign_in(made["secret"])
    agent.ok("strata_store", key="limit", value="ninety")
    assert served.db.kv["limit"] == "ten"
    assert "ninety" in [one.after for one in served.db.proposals.list()]
    assert agent.call("page_make_token", label="mine").status_code == 403
