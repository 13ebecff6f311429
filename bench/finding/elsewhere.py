"""Search where more than the present is stored: on a branch, in the past, above much history."""

from parts.run import spoken

from finding.items import Item, load
from finding.run import Run, ask_in_turns, by_words, opened

OWN_CHANGES = 1000
OVERWRITTEN = 3


def measure_branch_and_past(run: Run) -> None:
    """Ask main, a branch with changes of its own, and the state before others were made."""
    for count in (run.scale.small, run.scale.large):
        db, items = run.store(count), run.items(count)
        then = db.resolve("now")
        others = [item.text for item in run.items(2 * OWN_CHANGES, seed=13)]
        changed = items[:: count // OWN_CHANGES][:OWN_CHANGES]
        db.branches.fork("work")
        load(db.on("work"), _rewritten(changed, others))
        load(db, _rewritten(changed[::-1], others[OWN_CHANGES:]))
        who = {
            "main": by_words(db),
            "branch": by_words(db, branch="work"),
            "as of": by_words(db, as_of=then.timestamp),
        }
        asked = run.questions(count).everyday[:60]
        assert db.search(asked[1], at=then.version, mode="keyword").hits
        found = ask_in_turns(who, asked, passes=run.scale.passes)
        size = spoken(count)
        run.report.at_most(f"branch_vs_main_{size}", found["branch"].times(found["main"]), 3.0)
        run.report.at_most(f"as_of_vs_main_{size}", found["as of"].times(found["main"]), 3.0)
        for name, latency in found.items():
            run.report.note(f"{size}, {name:<8} {latency}")


def _rewritten(items: list[Item], texts: list[str]) -> list[Item]:
    return [Item(item.key, text, item.session) for item, text in zip(items, texts, strict=False)]


def measure_history(run: Run) -> None:
    """Compare a store whose every key was overwritten with one that shows the same without."""
    count = run.scale.history
    items = run.items(count)
    with opened(run.folder / "plain.db") as plain, opened(run.folder / "history.db") as history:
        load(plain, items)
        for seed in range(OVERWRITTEN):
            older = [item.text for item in run.items(count, seed=100 + seed)]
            load(history, _rewritten(items, older))
        load(history, items)
        asked = run.questions(count).everyday[:100]
        for question in asked[:20]:
            answers = [db.search(question, mode="keyword") for db in (plain, history)]
            keys = [[hit.key for hit in answer] for answer in answers]
            assert keys[0] == keys[1], f"history changes the answer to {question!r}"
        who = {"without": by_words(plain), "with": by_words(history)}
        found = ask_in_turns(who, asked, passes=run.scale.passes)
    ratio = found["with"].times(found["without"])
    run.report.at_most(f"history_vs_none_{spoken(count)}", ratio, 1.10)
    for name, latency in found.items():
        run.report.note(f"{name:<8} history {latency}")
