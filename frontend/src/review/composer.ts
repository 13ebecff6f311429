/** Where a new comment or suggestion is written, about the words that were selected. */
import { el, fill } from "../page/elements";

export interface Draft {
  kind: "comment" | "suggestion";
  words: string;
  start: number;
  path: string[];
}

export type Post = (draft: Draft, text: string, rationale: string) => Promise<boolean>;

export class Composer {
  readonly root = el("section", {
    class: "composer",
    hidden: true,
    aria: { label: "New comment" },
  });

  constructor(
    private readonly post: Post,
    private readonly closed: () => void,
  ) {}

  open(draft: Draft): void {
    const isComment = draft.kind === "comment";
    const text = el("textarea", {
      rows: 3,
      required: isComment,
      value: isComment ? "" : draft.words,
    });
    text.setAttribute("aria-label", isComment ? "Comment" : "Suggested words");
    text.placeholder = isComment
      ? "Say something about these words…"
      : "Leave empty to suggest removing the words";
    const why = el("input", { type: "text", placeholder: "Why? (optional)", hidden: isComment });
    why.setAttribute("aria-label", "Reason");
    const send = el(
      "button",
      { type: "submit", class: "small primary" },
      isComment ? "Comment" : "Suggest",
    );
    const cancel = el(
      "button",
      { type: "button", class: "small quiet", on: { click: () => this.close() } },
      "Cancel",
    );
    const form = el(
      "form",
      {},
      el("blockquote", {}, draft.words),
      text,
      why,
      el("div", { class: "actions" }, send, cancel),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.submit(draft, text.value, why.value.trim());
    });
    form.addEventListener("keydown", (event) => this.key(event, form));
    fill(this.root, form);
    this.root.hidden = false;
    this.root.setAttribute("aria-label", isComment ? "New comment" : "New suggestion");
    text.focus();
  }

  close(): void {
    this.root.hidden = true;
    fill(this.root);
    this.closed();
  }

  private async submit(draft: Draft, text: string, rationale: string): Promise<void> {
    const body = draft.kind === "comment" ? text.trim() : text;
    if (draft.kind === "comment" && !body) return;
    if (await this.post(draft, body, rationale)) this.close();
  }

  private key(event: KeyboardEvent, form: HTMLFormElement): void {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  }
}
