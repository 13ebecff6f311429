/** A thread: the words it is about, what was said, and what one can do. */
import type { Comment, Reply } from "../api/types";
import type { Card } from "../page/cards";
import { button, el, fill } from "../page/elements";
import { byline } from "./byline";

export interface ThreadActions {
  reply(comment: Comment, body: string): Promise<boolean>;
  settle(comment: Comment, action: "resolve" | "reopen"): Promise<boolean>;
  choose(kind: "comment", id: string): void;
  mayComment(): boolean;
}

export class CommentCard implements Card<Comment> {
  readonly root: HTMLElement;
  private readonly said = el("div", { class: "said" });
  // Made once: a button that is replaced while a user presses it would never be clicked.
  private readonly settle = button("Resolve", () => void this.settled(), { class: "small quiet" });
  private readonly actions = el("div", { class: "actions" }, this.settle);
  private readonly words = el("textarea", { rows: 2, placeholder: "Reply…" });
  private readonly form: HTMLFormElement;
  private comment: Comment;

  constructor(
    comment: Comment,
    private readonly on: ThreadActions,
  ) {
    this.comment = comment;
    this.words.setAttribute("aria-label", "Reply");
    const send = el("button", { type: "submit", class: "small" }, "Reply");
    this.form = el(
      "form",
      { class: "reply", on: { submit: (event) => this.reply(event) } },
      this.words,
      send,
    );
    const choose = (): void => this.on.choose("comment", comment.commentId);
    const parts = [this.said, this.form, this.actions];
    this.root = el("article", { class: "card", on: { click: choose, focusin: choose } }, ...parts);
    this.root.dataset["card"] = comment.commentId;
  }

  show(comment: Comment): void {
    this.comment = comment;
    const isOpen = comment.status === "active";
    this.root.classList.toggle("is-resolved", !isOpen);
    this.root.setAttribute("aria-label", `Comment by ${comment.author}`);
    fill(this.said, quote(comment), message(comment), ...(comment.replies ?? []).map(message));
    this.form.hidden = !isOpen || !this.on.mayComment();
    this.settle.textContent = isOpen ? "Resolve" : "Reopen";
    this.actions.hidden = !this.on.mayComment();
  }

  private settled(): Promise<boolean> {
    return this.on.settle(this.comment, this.comment.status === "active" ? "resolve" : "reopen");
  }

  private async reply(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const body = this.words.value.trim();
    if (body && (await this.on.reply(this.comment, body))) this.words.value = "";
  }
}

function quote(comment: Comment): HTMLElement | null {
  if (!comment.quotedText) return null;
  const gone = comment.orphaned
    ? el("p", { class: "gone" }, "These words are no longer in the text.")
    : null;
  return el("div", {}, el("blockquote", {}, comment.quotedText), gone);
}

function message(reply: Reply): HTMLElement {
  return el("div", { class: "message" }, byline(reply), el("p", { class: "body" }, reply.body));
}
