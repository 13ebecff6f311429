/** A small bar above selected words: what one can do with them. */
import { type EditorState, type Extension, StateField } from "@codemirror/state";
import {
  type EditorView,
  keymap,
  type Rect,
  showTooltip,
  type Tooltip,
  tooltips as placing,
} from "@codemirror/view";
import { Bold, Code, Italic, Link } from "lucide";
import { render } from "preact";
import { Icon, type IconNode } from "../parts/icon";
import { makeLink, toggle } from "./formatting";
import { editorWords } from "./words";

export interface SelectionActions {
  comment(): void;
  suggest(): void;
  isAllowed(): boolean;
}

export function selectionBar(actions: SelectionActions): Extension {
  const bar = StateField.define<readonly Tooltip[]>({
    create: (state) => tooltips(state, actions),
    update(shown, transaction) {
      const isSame = !transaction.docChanged && !transaction.selection;
      return isSame ? shown : tooltips(transaction.state, actions);
    },
    provide: (field) => showTooltip.computeN([field], (state) => state.field(field)),
  });
  const keys = keymap.of([
    { key: "Mod-Alt-m", run: (view) => withSelection(view, actions.comment) },
    { key: "Mod-Alt-s", run: (view) => withSelection(view, actions.suggest) },
  ]);
  return [bar, keys, placing({ tooltipSpace: spaceOf })];
}

function tooltips(state: EditorState, actions: SelectionActions): readonly Tooltip[] {
  const { empty, from } = state.selection.main;
  if (empty || !actions.isAllowed()) return [];
  return [
    {
      pos: from,
      above: true,
      strictSide: false,
      arrow: false,
      // Where the text begins, the editor takes a place for one under the bar of the page.
      clip: false,
      create: (view) => ({
        dom: barOf(view, actions),
        getCoords: (at) => placeInSight(view, at) as Rect,
      }),
    },
  ];
}

/** What of the window can show something: below the bar of the page. */
function spaceOf({ dom }: EditorView): Rect {
  const bar = dom.closest(".document-page")?.querySelector(".bar");
  const top = bar?.getBoundingClientRect().bottom ?? 0;
  return { left: 0, top, right: innerWidth, bottom: innerHeight };
}

/** Where a place of the text is on the screen, and null where it is out of sight. */
function placeInSight(view: EditorView, at: number): Rect | null {
  const place = view.coordsAtPos(at);
  const { top, bottom } = spaceOf(view);
  return place && place.bottom > top && place.top < bottom ? place : null;
}

function barOf(view: EditorView, actions: SelectionActions): HTMLElement {
  const words = editorWords();
  const bar = document.createElement("div");
  bar.className = "selection-bar";
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", words.selected);
  if (!view.state.readOnly) {
    bar.append(
      drawn(Bold, words.bold, () => toggle(view, "bold")),
      drawn(Italic, words.italic, () => toggle(view, "italic")),
      drawn(Code, words.codeWords, () => toggle(view, "code")),
      drawn(Link, words.linkWords, () => makeLink(view)),
    );
  }
  bar.append(
    button(words.comment, words.commentKeys, actions.comment),
    button(words.suggest, words.suggestKeys, actions.suggest),
  );
  // Pressing a button must not take the selection away that it is about.
  bar.addEventListener("mousedown", (event) => event.preventDefault());
  return bar;
}

function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.title = title;
  made.addEventListener("click", act);
  return made;
}

/** A button that an icon tells of; its name says the keys too. */
function drawn(icon: IconNode, name: string, act: () => void): HTMLButtonElement {
  const made = button("", name, act);
  made.setAttribute("aria-label", name);
  made.className = "bare";
  render(<Icon of={icon} />, made);
  return made;
}

function withSelection(view: EditorView, act: () => void): boolean {
  if (view.state.selection.main.empty) return false;
  act();
  return true;
}
