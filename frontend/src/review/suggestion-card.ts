/** A suggestion: which words, what instead, why, and how sure. */
import type { Suggestion } from "../api/types";
import type { Card } from "../page/cards";
import { button, el, fill } from "../page/elements";
import { byline } from "./byline";

export type Decision = "accept" | "reject" | "withdraw";

export interface SuggestionActions {
  decide(suggestion: Suggestion, decision: Decision): Promise<string | null>;
  choose(kind: "suggestion", id: string): void;
  mayEdit(): boolean;
  isMine(suggestion: Suggestion): boolean;
}

export class SuggestionCard implements Card<Suggestion> {
  readonly root: HTMLElement;
  private readonly said = el("div", { class: "said" });
  private readonly refusal = el("div", { class: "refusal", role: "status", hidden: true });
  // Made once: a button that is replaced while a user presses it would never be clicked.
  private readonly accept = this.button("Accept", "accept", "small primary");
  private readonly reject = this.button("Reject", "reject", "small");
  private readonly withdraw = this.button("Withdraw", "withdraw", "small quiet");
  private readonly actions = el(
    "div",
    { class: "actions" },
    this.accept,
    this.reject,
    this.withdraw,
  );
  private suggestion: Suggestion;

  constructor(
    suggestion: Suggestion,
    private readonly on: SuggestionActions,
  ) {
    this.suggestion = suggestion;
    const choose = (): void => this.on.choose("suggestion", suggestion.suggestionId);
    const parts = [this.said, this.refusal, this.actions];
    this.root = el("article", { class: "card", on: { click: choose, focusin: choose } }, ...parts);
    this.root.dataset["card"] = suggestion.suggestionId;
  }

  show(suggestion: Suggestion): void {
    this.suggestion = suggestion;
    this.root.setAttribute("aria-label", `Suggestion by ${suggestion.author}`);
    const stale = OTHERWISE[suggestion.state];
    const gone = stale ? el("p", { class: "gone" }, stale(suggestion.currentText ?? "")) : null;
    const why = suggestion.rationale ? el("p", { class: "body" }, suggestion.rationale) : null;
    fill(this.said, byline(suggestion), tags(suggestion), change(suggestion), gone, why);
    this.accept.hidden = this.reject.hidden = !this.on.mayEdit();
    this.withdraw.hidden = !this.on.isMine(suggestion);
    this.actions.hidden = this.accept.hidden && this.withdraw.hidden;
  }

  private button(label: string, decision: Decision, look: string): HTMLButtonElement {
    return button(label, () => void this.decide(decision), { class: look });
  }

  /** A refusal stays on the card, with the text as it is now, until the next attempt. */
  private async decide(decision: Decision): Promise<void> {
    this.refusal.hidden = true;
    const refused = await this.on.decide(this.suggestion, decision);
    if (refused === null) return;
    this.refusal.hidden = false;
    fill(this.refusal, el("p", {}, refused));
  }
}

/** Why a suggestion cannot be made as it is. */
const OTHERWISE: Partial<Record<Suggestion["state"], (now: string) => string>> = {
  done: () => "The text says this already.",
  changed: (now) => `The words have changed. They now read: “${now}”`,
  gone: () => "These words are no longer in the text.",
};

function change(suggestion: Suggestion): HTMLElement {
  const old = suggestion.originalText ? el("del", {}, suggestion.originalText) : null;
  const now = suggestion.replacementText ? el("ins", {}, suggestion.replacementText) : null;
  return el("p", { class: "change" }, old, old && now ? " " : null, now);
}

function tags(suggestion: Suggestion): HTMLElement | null {
  const { severity, confidence } = suggestion;
  const origin = ORIGINS[suggestion.reason ?? "proposed"];
  if (!severity && confidence === undefined && !origin) return null;
  const grade = severity ? el("span", { class: `tag tag-${severity}` }, severity) : null;
  const sure = confidence === undefined ? null : `${Math.round(confidence * 100)} % sure`;
  const plain = [sure, origin].map((words) => words && el("span", { class: "tag" }, words));
  return el("p", { class: "tags" }, grade, ...plain);
}

/** Where a suggestion comes from that no user proposed. */
const ORIGINS: Record<NonNullable<Suggestion["reason"]>, string> = {
  proposed: "",
  stale: "edit of an older text",
  merge: "from a merge",
};
