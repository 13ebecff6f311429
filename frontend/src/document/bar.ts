/** The bar above the text: the title, what is saved, who is here, and what is shown. */
import type { Role } from "../api/types";
import type { SaveState } from "../live/room";
import { documentPath } from "../page/address";
import { el, fill, icon } from "../page/elements";

const WORDS: Record<SaveState, string> = {
  connecting: "Connecting…",
  saving: "Saving…",
  saved: "Saved",
  offline: "Offline: your edits are kept here",
};

const MOMENT_MS = 300;

const MAY_ONLY: Partial<Record<Role, string>> = {
  viewer: "View only",
  commenter: "You can comment",
};

export class Bar {
  readonly root: HTMLElement;
  readonly people = el("ul", { class: "people", aria: { label: "People here" } });
  private readonly title = el("h1", { class: "title" }, "…");
  private readonly state = el("span", { class: "state" });
  // Apart from the state, which changes with every key: only what matters is read out.
  private readonly spoken = el("span", { class: "sr-only", role: "status" });
  private readonly role = el("span", { class: "role" });
  private readonly place = el("span", { class: "branch", hidden: true });
  private readonly count = el("span", { class: "count" });

  constructor(document_: string, toggles: { authors: HTMLElement; review: HTMLElement }) {
    const back = el(
      "a",
      { class: "back", href: "/", aria: { label: "All documents" } },
      icon("back"),
    );
    toggles.review.append(this.count);
    const left = el("div", { class: "bar-left" }, back, this.title, this.place, this.role);
    const right = el(
      "div",
      { class: "bar-right" },
      this.state,
      this.spoken,
      this.people,
      toggles.authors,
      toggles.review,
    );
    this.root = el("header", { class: "bar" }, left, right);
    this.document = document_;
  }

  private readonly document: string;
  private timer: ReturnType<typeof setTimeout> | undefined;

  showTitle(title: string): void {
    this.title.textContent = title || "Untitled";
    document.title = `${title || "Untitled"} – Strata`;
  }

  /** Says what is saved; "saving" only when it takes a moment, or the words would flicker. */
  showState(state: SaveState): void {
    clearTimeout(this.timer);
    const show = (): void => this.setState(state);
    if (state === "saving" && this.state.dataset["state"] === "saved")
      this.timer = setTimeout(show, MOMENT_MS);
    else show();
  }

  private setState(state: SaveState): void {
    const before = this.state.dataset["state"];
    this.state.textContent = WORDS[state];
    this.state.dataset["state"] = state;
    if (state === "offline") this.spoken.textContent = WORDS.offline;
    else if (before === "offline") this.spoken.textContent = "Connected again";
  }

  showRole(role: Role): void {
    this.role.textContent = MAY_ONLY[role] ?? "";
    this.role.hidden = !MAY_ONLY[role];
  }

  /** Says on which branch one is, where it is not the usual one. */
  showBranch(branch: string | null): void {
    this.place.hidden = branch === null;
    if (branch === null) return;
    const leave = el(
      "a",
      { href: documentPath(this.document), title: "Go to the main branch" },
      "leave",
    );
    fill(this.place, icon("branch"), branch, leave);
  }

  showCount(count: number): void {
    this.count.textContent = count ? String(count) : "";
  }
}
