/** The panel beside the text: suggestions and comments in the order of their words. */
import type { Comment, Suggestion } from "../api/types";
import { Cards, type Card } from "../page/cards";
import { el, fill } from "../page/elements";
import type { Board } from "./board";
import { CommentCard } from "./comment-card";
import { Composer, type Draft } from "./composer";
import type { Desk } from "./desk";
import { SuggestionCard } from "./suggestion-card";

interface Item {
  id: string;
  about: Comment | Suggestion;
}

export class Panel {
  private readonly composer: Composer;
  private readonly open = el("div", { class: "cards", tabIndex: -1 });
  private readonly done = el("div", { class: "cards" });
  private readonly empty = el("p", { class: "empty" });
  private readonly archiveLabel = el("summary");
  private readonly archive = el("details", { class: "archive" }, this.archiveLabel, this.done);
  private readonly openCards = new Cards<Item>(this.open, (item) => this.card(item));
  private readonly doneCards = new Cards<Item>(this.done, (item) => this.card(item));

  constructor(
    place: HTMLElement,
    private readonly board: Board,
    private readonly desk: Desk,
    backToText: () => void,
  ) {
    this.composer = new Composer((draft, text, why) => desk.post(draft, text, why), backToText);
    fill(place, this.composer.root, this.open, this.empty, this.archive);
    board.changed.on(() => this.show());
    board.choiceChanged.on(() => this.highlight());
    this.show();
  }

  compose(draft: Draft): void {
    this.composer.open(draft);
  }

  show(): void {
    const { comments, suggestions } = this.board;
    const active = comments.filter((one) => one.status === "active");
    const resolved = comments.filter((one) => one.status !== "active");
    const items = [...suggestions.map(ofSuggestion), ...active.map(ofComment)];
    items.sort((a, b) => this.board.orderOf(a.id) - this.board.orderOf(b.id));
    this.openCards.show(items, (item) => item.id);
    this.doneCards.show(resolved.map(ofComment), (item) => item.id);
    this.empty.textContent = this.desk.mayComment() ? NOTHING_YET : NOTHING;
    this.empty.hidden = items.length > 0;
    this.archive.hidden = resolved.length === 0;
    this.archiveLabel.textContent = `Resolved (${resolved.length})`;
    this.highlight();
  }

  /** Brings the card of something into sight. */
  focus(id: string): void {
    this.openCards.get(id)?.root.scrollIntoView({ block: "nearest" });
  }

  private card(item: Item): Card<Item> {
    if ("commentId" in item.about) {
      const card = new CommentCard(item.about, this.desk);
      return { root: card.root, show: (now) => card.show(now.about as Comment) };
    }
    const card = new SuggestionCard(item.about, this.desk);
    return { root: card.root, show: (now) => card.show(now.about as Suggestion) };
  }

  private highlight(): void {
    const chosen = this.board.chosen?.id;
    for (const card of this.open.children) {
      card.classList.toggle(
        "is-chosen",
        card instanceof HTMLElement && card.dataset["card"] === chosen,
      );
    }
  }
}

const NOTHING = "Nothing to review.";
const NOTHING_YET = `${NOTHING} Select some words to comment on them or to suggest others.`;

function ofComment(comment: Comment): Item {
  return { id: comment.commentId, about: comment };
}

function ofSuggestion(suggestion: Suggestion): Item {
  return { id: suggestion.suggestionId, about: suggestion };
}
