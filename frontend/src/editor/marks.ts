/** Draws comments and suggestions over the text; the text itself never holds anything of them. */
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";

export interface Mark {
  kind: "comment" | "suggestion";
  id: string;
  from: number;
  to: number;
  /** What a suggestion puts in the place of the words. */
  replacement?: string;
  isChosen: boolean;
  /** Another suggestion about the same words is drawn: this one only shows that it is there. */
  isBeside?: boolean;
}

export const setMarks = StateEffect.define<Mark[]>();

/** Shows marks, and tells when a user clicks on one. */
export function marks(chosen: (kind: Mark["kind"], id: string) => void): Extension {
  return [
    field,
    EditorView.domEventHandlers({
      click(event) {
        const target = event.target instanceof Element ? event.target.closest("[data-mark]") : null;
        if (target instanceof HTMLElement) {
          chosen(target.dataset["kind"] as Mark["kind"], target.dataset["mark"] ?? "");
        }
        return false;
      },
    }),
  ];
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(drawn, transaction) {
    let now = drawn.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) now = draw(effect.value, transaction.newDoc.length);
    }
    return now;
  },
  provide: (self) => EditorView.decorations.from(self),
});

function draw(wanted: Mark[], length: number): DecorationSet {
  const parts = wanted.filter((mark) => mark.to <= length).flatMap(partsOf);
  return Decoration.set(parts, true);
}

function partsOf(mark: Mark) {
  const parts = [];
  const chosen = mark.isChosen ? " cm-chosen" : "";
  const attributes = { "data-mark": mark.id, "data-kind": mark.kind };
  const suggested = mark.isBeside ? "cm-suggest-beside" : "cm-suggest-old";
  const look = mark.kind === "comment" ? "cm-comment" : suggested;
  if (mark.to > mark.from) {
    parts.push(Decoration.mark({ class: look + chosen, attributes }).range(mark.from, mark.to));
  }
  if (mark.replacement && !mark.isBeside) {
    const widget = new Replacement(mark.id, mark.replacement, mark.isChosen);
    parts.push(Decoration.widget({ widget, side: 1 }).range(mark.to));
  }
  return parts;
}

class Replacement extends WidgetType {
  constructor(
    private readonly id: string,
    private readonly words: string,
    private readonly isChosen: boolean,
  ) {
    super();
  }

  override eq(other: Replacement): boolean {
    return other.id === this.id && other.words === this.words && other.isChosen === this.isChosen;
  }

  toDOM(): HTMLElement {
    const shown = document.createElement("ins");
    shown.className = `cm-suggest-new${this.isChosen ? " cm-chosen" : ""}`;
    shown.textContent = this.words;
    shown.dataset["mark"] = this.id;
    shown.dataset["kind"] = "suggestion";
    return shown;
  }

  override ignoreEvent(event: Event): boolean {
    return event.type !== "click";
  }
}
